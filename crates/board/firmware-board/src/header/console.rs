//! Console lines that set up a real board as a trace's header describes. See docs/console.md for
//! the commands.

use boards::header::HeaderError;
use firmware_core::command_line::COMMAND;
use firmware_core::name::Name;
use firmware_core::places::Player;
use firmware_core::storage::files::FileKind;
use firmware_core::storage::{Crc, SettingKey, Settings, Stored};
use firmware_core::systems::SYSTEMS;
use hal_mock::{
    BoardConfig,
    flash::{FlashChip, FlashImageError},
};
use trace::Trace;

use crate::flash_files::{FileContent, FlashFiles, FlashListing};

/// Reason why a board cannot be set up over the console as a trace's header describes.
#[derive(Debug, thiserror::Error)]
pub enum ConsoleLinesError {
    /// The header itself is wrong.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// The image is not a flash of this board.
    #[error("the flash that the header names cannot be read: {0}")]
    Image(#[from] FlashImageError),
    /// The flash cannot be listed.
    #[error("the flash that the header names cannot be read: {0}")]
    Storage(#[from] firmware_core::storage::StorageError),
    /// The flash is damaged. A console writes only complete records.
    #[error(
        "the flash that the header names is damaged, which a console cannot do to a board; run this \
         trace on native or pico"
    )]
    Damaged,
    /// The flash has a game in progress.
    #[error(
        "the flash that the header names has a game in progress, which no console command brings; \
         run this trace on native or pico"
    )]
    GameInProgress,
    /// A log of the flash is not ASCII text.
    #[error(
        "the flash that the header names has a log {name} with letters that are no printable ASCII, which \
         no console command brings; run this trace on native or pico"
    )]
    LogLetters {
        /// Name of the log.
        name: Name,
    },
    /// The flash has settings that no command sets.
    #[error(
        "the flash that the header names has settings that no console command sets (thoughts, a seed \
         of its own, or stones of another game); run this trace on native or pico"
    )]
    Settings,
}

impl From<ConsoleLinesError> for boards::ConsoleLinesError {
    fn from(error: ConsoleLinesError) -> Self {
        match error {
            ConsoleLinesError::Header(error) => Self::Header(error),
            error => Self::Flash(Box::new(error)),
        }
    }
}

/// Returns the lines that turn any board into the one that the header of `trace` describes. They
/// must be typed one by one, each after the answer to the previous one. After the last one the
/// board must be switched off and on. `bounce` is ignored, because a console cannot change the
/// bounce of the board's contacts.
///
/// # Errors
/// If the header is wrong, or requests something that no command does.
pub fn console_lines(trace: &Trace) -> Result<Vec<String>, ConsoleLinesError> {
    let config = super::board(trace, None)?;
    let (stored, files) = stored(&config)?;
    let mut lines = vec!["factory new".to_owned()];
    lines.extend(settings(&stored.settings)?);
    lines.extend(totals(&stored));
    lines.extend(files);
    lines.push(match config.entropy {
        Some(seed) => format!("seed {seed}"),
        None => "seed still".to_owned(),
    });
    Ok(lines)
}

/// Returns the settings and totals of the flash, and the lines that transfer its files, if a
/// console can transfer all of it.
fn stored(config: &BoardConfig) -> Result<(Stored, Vec<String>), ConsoleLinesError> {
    let Some(image) = config.flash.clone() else { return Ok(Default::default()) };
    let listing = FlashFiles::of(FlashChip::from_image(image)?).listing()?;
    if listing.damage().is_some() {
        return Err(ConsoleLinesError::Damaged);
    }
    if listing.progress.is_some() {
        return Err(ConsoleLinesError::GameInProgress);
    }
    let files = files(&listing)?;
    Ok((listing.stored, files))
}

/// Returns the lines that transfer the saved games and logs, the oldest first, in the order in
/// which they were written.
fn files(listing: &FlashListing) -> Result<Vec<String>, ConsoleLinesError> {
    let mut lines = Vec::new();
    for file in listing.files.iter().rev() {
        // Unreadable content is damage, which was refused before.
        let content = file.content.as_ref().map_err(|_| ConsoleLinesError::Damaged)?;
        lines.extend(import_lines(file.name, content)?);
    }
    Ok(lines)
}

/// Returns the lines with which a board imports this file, and which its `export` sends.
///
/// # Errors
/// If a log has characters that no line can have.
pub fn import_lines(name: Name, content: &FileContent) -> Result<Vec<String>, ConsoleLinesError> {
    const TEXT: usize = COMMAND - "import text=\"\"".len();
    let text = content.to_text();
    if !text.chars().all(|letter| matches!(letter, '\n' | ' '..='~')) {
        return Err(ConsoleLinesError::LogLetters { name });
    }
    let mut lines = vec![match content.kind() {
        FileKind::Game => format!("import game={name}"),
        FileKind::Log => format!("import log={name} bytes={}", text.len()),
    }];
    for line in text.split_inclusive('\n') {
        let (mut rest, key) = match line.strip_suffix('\n') {
            Some(line) => (line, "text"),
            None => (line, "part"),
        };
        while rest.len() > TEXT {
            let (part, more) = rest.split_at(TEXT);
            lines.push(format!("import part=\"{part}\""));
            rest = more;
        }
        lines.push(format!("import {key}=\"{rest}\""));
    }
    let sum = Crc::of(text.as_bytes());
    lines.push(format!("import end={name} lines={} sum={sum:08x}", lines.len() - 1));
    Ok(lines)
}

/// Returns a line for each setting that differs from a factory-new board's.
fn settings(wanted: &Settings) -> Result<Vec<String>, ConsoleLinesError> {
    let mut reached = Settings::FACTORY_NEW;
    let mut lines = Vec::new();
    for key in SettingKey::ALL {
        if key.value(wanted) == key.value(&reached) {
            continue;
        }
        let Some(word) = key.value(wanted) else { continue };
        key.set(&mut reached, word);
        if key.contradiction(&reached).is_some() {
            return Err(ConsoleLinesError::Settings);
        }
        lines.push(format!("set {} {word}", key.name()));
    }
    if reached == *wanted { Ok(lines) } else { Err(ConsoleLinesError::Settings) }
}

/// Returns a line for each system that has been played.
fn totals(stored: &Stored) -> Vec<String> {
    let begins = match stored.scores.begins {
        None => "",
        Some(Player::Bottom) => " bottom",
        Some(Player::Top) => " top",
    };
    let line = |system: &&firmware_core::systems::System| {
        let totals = stored.scores.of(system.game);
        // The player who begins belongs to `wari`, and may be stored without a score.
        let begins = if system.choices { begins } else { "" };
        let [bottom, top] = totals;
        (totals != [0; 2] || !begins.is_empty())
            .then(|| format!("totals {} {bottom} {top}{begins}", system.name))
    };
    SYSTEMS.iter().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use firmware_core::opponent::{Level, Players};
    use firmware_core::storage::{self, Scores};
    use firmware_core::systems::Game;
    use trace::HeaderEntry;

    use super::*;

    fn lines(header: &[(&str, &str)]) -> Vec<String> {
        let header = header.iter().map(|(key, value)| HeaderEntry::new(*key, *value)).collect();
        console_lines(&Trace { header, ..Trace::default() }).expect("lines")
    }

    #[test]
    fn a_header_without_keys_requests_an_introduced_board() {
        assert_eq!(lines(&[]), ["factory new", "set introduction off", "seed still"]);
        assert_eq!(lines(&[("introduction", "on")]), ["factory new", "seed still"]);
    }

    #[test]
    fn the_game_comes_before_the_settings_that_it_permits() {
        let header = [
            ("seed", "7"),
            ("bidirectional", "on"),
            ("stones", "5"),
            ("sound", "off"),
            ("first", "top"),
            ("level", "advanced"),
            ("players", "one"),
            ("game", "wari"),
        ];
        let expected = [
            "factory new",
            "set game wari",
            "set first top",
            "set stones 5",
            "set bidirectional on",
            "set players one",
            "set level advanced",
            "set sound off",
            "set introduction off",
            "seed 7",
        ];
        assert_eq!(lines(&header), expected);
    }

    #[test]
    fn settings_without_a_command_are_errors() {
        let wanted = |settings| self::settings(&settings).is_ok();
        let fresh = Settings::FACTORY_NEW;
        assert!(wanted(Settings { players: Players::Demo, level: Level::Advanced, ..fresh }));
        assert!(!wanted(Settings { thoughts: true, ..fresh }));
        assert!(!wanted(Settings { seed: 3, ..fresh }));
        assert!(!wanted(Settings { stones: 5, ..fresh }));
    }

    #[test]
    fn totals_are_sent_per_system_with_the_beginner_of_wari() {
        let mut scores = Scores::default();
        assert!(totals(&Stored { scores, ..Stored::default() }).is_empty());
        scores.begins = Some(Player::Top);
        scores.set(Game::Family, [12, 30]);
        let lines = totals(&Stored { scores, ..Stored::default() });
        assert_eq!(lines, ["totals family 12 30", "totals wari 0 0 top"]);
        let mut chip = FlashChip::factory_new();
        storage::save_scores(&mut chip, &scores).unwrap();
        let config = BoardConfig { flash: Some(chip.image().to_vec()), ..BoardConfig::default() };
        assert_eq!(stored(&config).unwrap().0.scores, scores);
    }
}
