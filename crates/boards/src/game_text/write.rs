//! History to lines.

use core::fmt::{self, Write};

use firmware_core::history::saved::Opening;
use firmware_core::history::{History, Setup, Step, Stop};
use firmware_core::rules::{Direction, PLACES, Player};

use super::format::{SIDES, STEPS, TITLE, VERSION};

/// The text of `history`; [`parse()`](super::parse()) reads it back to the same game.
pub fn write(history: &History) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write_to(&mut text, history);
    text
}

fn write_to(out: &mut String, history: &History) -> fmt::Result {
    let Setup { game, stones, bidirectional: began } = history.setup();
    let Opening { position, moves, quiet, first, bidirectional, stopped } = history.opening();
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
    writeln!(out, "first {}", side(first))?;
    writeln!(out, "board {}", commas(&position.stones))?;
    writeln!(out, "turn {}", position.turn.index())?;
    if position.direction != Direction::default() || system.choices {
        writeln!(out, "direction {}", direction(position.direction))?;
    }
    writeln!(out, "before {moves}")?;
    if quiet > 0 {
        writeln!(out, "quiet {quiet}")?;
    }
    match stopped {
        None => {}
        Some(Stop::Abandoned) => writeln!(out, "abandoned on")?,
        Some(Stop::Resigned(player)) => writeln!(out, "resigned {}", side(player))?,
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
            Step::Resign(player) => writeln!(out, "resign {}", side(player))?,
        }
    }
    let end = history.position();
    writeln!(out, "# Then: board {}, turn {}", commas(&end.stones), end.turn.index())
}

fn on_off(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

fn side(player: Player) -> &'static str {
    SIDES[player.index()]
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
