//! The rules of random sessions of the LCD board's firmware: its settings, and its invariants.
//!
//! | | |
//! |---|---|
//! | stones | the stones of each `position` line of the console add up to 36, 48 or 60, and to the same as in the line before, unless a game was opened or loaded |
//! | panel | on a settled screen whose message is that of the last `position` line, the digits are its stones |
//! | RESET | something visible changes, or a console line is sent, within 200 ms of the release of RESET; after a press of 0.9 s or more, between the press and that time |
//!
//! Two failures are the same if they agree in this:
//!
//! | failure | in both |
//! |---|---|
//! | stones made or lost | how many; without a position before it, the total |
//! | the LCD does not show the position | the places that differ |
//! | RESET not answered | whether the press was a long one |

mod panel;
mod position;
mod reset;
mod stones;

use firmware_core::systems::SYSTEMS;
use hal_mock::board::VirtualBoard;
use insight::{BrokenInvariant, Invariants, ObservedReplay};
use reading::text::Reader;
use trace::{HeaderEntry, Line};
use virtual_time::{Instant, Random};

use panel::Panel;

/// Kind of a finding: the total number of stones changed or is invalid.
pub const STONES: &str = "stones were made or lost";
/// Kind of a finding: the LCD shows other numbers of stones than the console reports.
pub const PANEL: &str = "the LCD does not show the position";
/// Kind of a finding: RESET was released and no answer followed.
pub const RESET: &str = "RESET was not answered";

/// Observes a replay.
pub(crate) struct GameInvariants<'a> {
    panel: Panel<'a>,
}

impl<'a> GameInvariants<'a> {
    /// Creates the observer of one replay.
    pub(crate) fn new(reader: &'a Reader) -> Self {
        Self { panel: Panel::new(reader) }
    }
}

impl Invariants for GameInvariants<'_> {
    fn look(&mut self, line: &Line, at: Instant, board: &VirtualBoard) {
        self.panel.look(line, at, board);
    }

    fn broken(&mut self, replay: &ObservedReplay<'_>) -> Vec<(Instant, BrokenInvariant)> {
        let rules = [
            stones::broken(replay.lines),
            reset::broken(replay, self.panel.in_menu()),
            self.panel.take_finding(),
        ];
        rules.into_iter().flatten().collect()
    }
}

/// Returns random settings of a game, as header entries.
pub(crate) fn header(random: &mut Random) -> Vec<HeaderEntry> {
    let game = pick(random, &SYSTEMS).name;
    let seed = random.below(1_000_000).to_string();
    let mut header = vec![HeaderEntry::new("game", game), HeaderEntry::new("seed", seed)];
    if random.below(4) == 0 {
        header.push(HeaderEntry::new("players", "one"));
        let level = *pick(random, &["novice", "intermediate", "proficient"]);
        header.push(HeaderEntry::new("level", level));
    }
    if random.below(3) == 0 {
        let bounce = 1 + random.below(11);
        header.push(HeaderEntry::new("bounce", format!("{bounce}ms")));
    }
    header
}

/// Returns one of `all`, which must not be empty.
fn pick<'a, T>(random: &mut Random, all: &'a [T]) -> &'a T {
    &all[random.below(all.len() as u64) as usize]
}
