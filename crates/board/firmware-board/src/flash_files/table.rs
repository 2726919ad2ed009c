//! A flash as lines of text, as `nudge flash ls` prints it and `expect flash` searches it.

use firmware_core::history::History;
use firmware_core::rules::Player;
use firmware_core::storage::{Damage, Scores, SettingKey, Settings};
use firmware_core::systems::SYSTEMS;
use hal_mock::flash::FlashChip;

use super::kind::kind_name;
use super::{FlashFiles, FlashListing, StoredFile};

/// Returns the lines of `image`, which is not changed. Damaged parts are marked as damaged.
pub fn describe(image: &[u8]) -> Vec<String> {
    let chip = match FlashChip::from_image(image.to_vec()) {
        Ok(chip) => chip,
        Err(error) => return vec![error.to_string()],
    };
    match (FlashFiles { chip }).listing() {
        Ok(listing) => listing.lines(),
        Err(error) => vec![format!("files cannot be read: {error}")],
    }
}

impl FlashListing {
    /// Returns the table of the files, followed by a blank line, the settings, the scores, the game
    /// in progress and the free room.
    pub fn lines(&self) -> Vec<String> {
        let Self { files, damaged, room, stored, progress } = self;
        let mut lines = vec![row("kind", "name", "system", "moves", "bytes")];
        for StoredFile { name, kind, bytes, content } in files {
            let (kind, name, bytes) = (kind_name(*kind), name.as_str(), bytes.to_string());
            lines.push(match content {
                Ok(content) => {
                    let system = content.game().map_or("unknown", |game| game.system().name);
                    row(kind, name, system, &content.moves().to_string(), &bytes)
                }
                Err(_) => row(kind, name, "damaged", "-", &bytes),
            });
        }
        if *damaged > 0 {
            lines.push(format!("{damaged} more cannot be read"));
        }
        lines.push(String::new());
        let settings = record_text(settings_text(&stored.settings), stored.damage.settings);
        lines.push(format!("settings  {settings}"));
        let scores = record_text(scores_text(&stored.scores), stored.damage.scores);
        lines.push(format!("scores    {scores}"));
        let progress = progress.as_deref().map_or_else(|| "none".into(), progress_text);
        lines.push(format!("progress  {progress}"));
        lines.push(format!("room      {room} bytes for another game or log"));
        lines
    }
}

/// Returns a record's text, and its damage, if any.
fn record_text(text: String, damage: Option<Damage>) -> String {
    match damage {
        None => text,
        Some(Damage::Older) => format!("{text} (older: the last are damaged)"),
        Some(Damage::Lost(error)) => format!("cannot be read: {error}"),
    }
}

fn row(kind: &str, name: &str, system: &str, moves: &str, bytes: &str) -> String {
    format!("{kind:<8}  {name:<8}  {system:<10}  {moves:>6}  {bytes:>6}")
}

fn settings_text(settings: &Settings) -> String {
    let on_off = |on| if on { "on" } else { "off" };
    let first = match settings.first {
        None => "open",
        Some(Player::Bottom) => "bottom",
        Some(Player::Top) => "top",
    };
    let (players, level) = (settings.players.name(), settings.level.name());
    format!(
        "game {}, seed {}, first {first}, stones {}, bidirectional {}, players {players}, level \
         {level}, thoughts {}, sound {}, introduced {}, side {}, sow-at-once {}, volume {}",
        settings.game.system().name,
        settings.seed,
        settings.stones,
        on_off(settings.bidirectional),
        on_off(settings.thoughts),
        on_off(settings.sound),
        if settings.introduced { "yes" } else { "no" },
        SettingKey::Side.value(settings).unwrap_or_default(),
        on_off(settings.sows_at_once),
        settings.volume.name(),
    )
}

/// Describes the game in progress: its system, the number of moves, and whose turn it is.
fn progress_text(history: &History) -> String {
    let system = history.setup().game.system().name;
    let turn = match history.position().turn {
        Player::Bottom => "bottom",
        Player::Top => "top",
    };
    format!("{system}, {} moves, {turn} to move", history.moves())
}

/// Returns Bottom's total and Top's, for each system.
fn scores_text(scores: &Scores) -> String {
    let totals = SYSTEMS.map(|system| {
        let [bottom, top] = scores.of(system.game);
        format!("{} {bottom}-{top}", system.name)
    });
    totals.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flash_files::{FileContent, name};
    use hal_mock::flash::{FLASH_SIZE, SECTOR_SIZE};
    use virtual_time::Random;

    fn with_a_log() -> FlashFiles {
        let mut files = FlashFiles::factory_new();
        let log = "log of X\nsystem wari, 4 stones a cup\n   1 Bottom 5\nend of the log\n";
        files.put(name("FRIDAY").unwrap(), &FileContent::Log(log.into())).unwrap();
        files
    }

    #[test]
    fn the_lines_of_an_image_name_its_files_settings_and_scores() {
        let lines = describe(with_a_log().chip.image());
        assert_eq!(lines[1], "log       FRIDAY    wari             1      66");
        assert!(lines[3].starts_with("settings  game board, seed 0, "), "{lines:?}");
        assert_eq!(lines[4], "scores    board 0-0, family 0-0, wari 0-0, top-bottom 0-0");
    }

    #[test]
    fn settings_say_whether_the_board_is_introduced() {
        for (introduced, word) in [(false, "no"), (true, "yes")] {
            let text = settings_text(&Settings { introduced, ..Settings::default() });
            assert!(text.contains(&format!(", sound on, introduced {word}, side ")), "{text}");
        }
    }

    #[test]
    fn damaged_and_invalid_flashes_are_described_as_such() {
        assert!(describe(&[0; 3])[0].contains("a flash image of 3 bytes"));
        let mut image = with_a_log().chip.image().to_vec();
        let text = b"Bottom 5";
        let at = image.windows(text.len()).position(|bytes| bytes == text).unwrap();
        image[at] = 0;
        let lines = describe(&image);
        assert_eq!(lines[1], "log       FRIDAY    damaged          -      66");
    }

    #[test]
    fn any_damage_has_a_description() {
        let mut random = Random::new(24);
        let whole = with_a_log().chip.image().to_vec();
        for _ in 0..200 {
            let mut image = whole.clone();
            for _ in 0..=random.below(24) {
                let at = random.below(FLASH_SIZE as u64) as usize;
                let end = (at + random.below(SECTOR_SIZE as u64) as usize).min(image.len());
                image[at..end].fill(random.below(256) as u8);
            }
            assert!(describe(&image).len() > 1);
        }
    }
}
