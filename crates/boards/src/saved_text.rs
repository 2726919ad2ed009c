//! A saved game as text that a person can write, read and change, so that a developer starts
//! from any position: [`write()`] and [`parse()`]. `docs/command-line.md` is the reference for
//! people.
//!
//! The head is a `key value` line each, then comes a line `steps`, then a step a line. What
//! the text says is played by the firmware's own history: a game that cannot have been is an
//! error with its place. It knows no flash and opens no file.

mod lines;
mod parse;
#[cfg(test)]
mod tests;

use core::fmt::{self, Write};

use firmware_core::history::saved::Opening;
use firmware_core::history::{History, Setup, Step};
use firmware_core::rules::{Direction, PLACES, Player};
use hal_mock::trace::Place;

pub use parse::parse;

/// The version of the format that this build reads and writes.
pub const VERSION: u32 = 1;

/// The largest file, in bytes: a head and 2,000 steps, with room for comments.
pub const FILE_BYTES_MAX: usize = 1 << 20;

/// What the first line begins with; the version follows.
const TITLE: &str = "nudge saved game";

/// Every key of the head, as [`write()`] orders them. Only [`NEEDED`] must be there.
const KEYS: [&str; 11] = [
    "game",
    "stones",
    "bidirectional",
    "began-bidirectional",
    "first",
    "board",
    "turn",
    "direction",
    "before",
    "quiet",
    "abandoned",
];

/// The keys without a default.
const NEEDED: [&str; 3] = ["game", "board", "turn"];

/// The line between head and steps.
const STEPS: &str = "steps";

/// Every step's verb.
const VERBS: [&str; 6] = ["sow", "move", "turn", "edited", "bidirectional", "abandon"];

/// What is wrong in a saved game's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedTextError {
    /// The file as it was named.
    pub file: String,
    /// Where.
    pub place: Place,
    /// The fact and the next step.
    pub message: String,
}

/// `win.game.txt:3:6: …`
impl fmt::Display for SavedTextError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}", self.file, self.place, self.message)
    }
}

impl std::error::Error for SavedTextError {}

/// The text of `history`, which [`parse()`] reads back to the very same game.
pub fn write(history: &History) -> String {
    let mut text = String::new();
    // A string takes everything.
    let _ = write_to(&mut text, history);
    text
}

fn write_to(out: &mut String, history: &History) -> fmt::Result {
    let Setup { game, stones, bidirectional: began } = history.setup();
    let Opening { position, moves, quiet, first, bidirectional, abandoned } = history.opening();
    let system = game.system();
    writeln!(out, "{TITLE} {VERSION}")?;
    writeln!(out, "game {}", system.name)?;
    if system.choices {
        writeln!(out, "stones {stones}")?;
        writeln!(out, "bidirectional {}", on_off(bidirectional))?;
        if began != bidirectional {
            writeln!(out, "began-bidirectional {}", on_off(began))?;
        }
    }
    writeln!(out, "first {}", if first == Player::Bottom { "bottom" } else { "top" })?;
    writeln!(out, "board {}", commas(&position.stones))?;
    writeln!(out, "turn {}", position.turn.index())?;
    if position.direction != Direction::default() || system.choices {
        writeln!(out, "direction {}", direction(position.direction))?;
    }
    writeln!(out, "before {moves}")?;
    if quiet > 0 {
        writeln!(out, "quiet {quiet}")?;
    }
    if abandoned {
        writeln!(out, "abandoned on")?;
    }
    writeln!(out, "\n{STEPS}")?;
    for told in history.replay() {
        match told.step {
            Step::Sow(cup) => writeln!(out, "sow {:<3} # move {}", cup.place(), told.number)?,
            Step::Transfer { from, to } => writeln!(out, "move {from} to {to}")?,
            Step::Turn => writeln!(out, "turn")?,
            Step::Edited => writeln!(out, "edited")?,
            Step::Bidirectional(on) => writeln!(out, "bidirectional {}", on_off(on))?,
            Step::Abandon => writeln!(out, "abandon")?,
        }
    }
    let end = history.position();
    writeln!(out, "# Then: board {}, turn {}", commas(&end.stones), end.turn.index())
}

fn on_off(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

fn direction(direction: Direction) -> &'static str {
    match direction {
        Direction::CounterClockwise => "ccw",
        Direction::Clockwise => "cw",
    }
}

fn commas(stones: &[u8; PLACES]) -> String {
    stones.map(|stones| stones.to_string()).join(",")
}
