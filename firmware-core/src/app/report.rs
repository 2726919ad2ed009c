//! The lines that the firmware writes on the console. See docs/console.md.

use core::fmt;

use crate::button::Button;
use crate::console::Console;
use crate::rules::{GameResult, Outcome, PLACES, PlayError, Player, Position};

/// The line that opens a game.
pub(super) fn opening(console: &mut Console, position: &Position, words: [&str; 2]) {
    console.line(format_args!(
        "position board={} turn={} move=- event=none message=\"{}\"",
        Board(&position.stones),
        position.turn.index(),
        Joined(words),
    ));
}

/// The line of an accepted move, with the position after capture and sweep.
pub(super) fn accepted(
    console: &mut Console,
    position: &Position,
    turn: Option<Player>,
    outcome: &Outcome,
    words: [&str; 2],
) {
    console.line(format_args!(
        "position board={} turn={} move={} event={} message=\"{}\"",
        Board(&position.stones),
        Turn(turn),
        outcome.cup.place(),
        Events(outcome),
        Joined(words),
    ));
}

/// The line of a press that changed nothing.
pub(super) fn refused(console: &mut Console, button: Button, error: PlayError) {
    let reason = match error {
        PlayError::NotYours => "not-yours",
        PlayError::Empty => "empty",
        PlayError::GameOver => "game-over",
    };
    console.line(format_args!("refused button={} reason={reason}", button.name()));
}

/// Stones by place, separated by commas.
struct Board<'a>(&'a [u8; PLACES]);

impl fmt::Display for Board<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for stones in self.0 {
            write!(out, "{separator}{stones}")?;
            separator = ",";
        }
        Ok(())
    }
}

/// `0`, `1`, or `-` once the game is over.
struct Turn(Option<Player>);

impl fmt::Display for Turn {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(player) => write!(out, "{}", player.index()),
            None => out.write_str("-"),
        }
    }
}

/// The lines of a message, joined by one space.
struct Joined<'a>([&'a str; 2]);

impl fmt::Display for Joined<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [first, ""] => out.write_str(first),
            [first, second] => write!(out, "{first} {second}"),
        }
    }
}

/// What a move brought, in the order in which it happened.
struct Events<'a>(&'a Outcome);

impl fmt::Display for Events<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Outcome { free_turn, capture, swept, result, .. } = self.0;
        let mut separator = "";
        let mut next = || core::mem::replace(&mut separator, ",");
        if *free_turn {
            write!(out, "{}free-turn", next())?;
        }
        if let Some(capture) = capture {
            write!(out, "{}capture:{}", next(), capture.stones)?;
        }
        for stones in swept.iter().filter(|stones| **stones > 0) {
            write!(out, "{}sweep:{stones}", next())?;
        }
        if let Some(result) = result {
            write!(out, "{}game-over", next())?;
            match result {
                GameResult::Winner(player) => write!(out, "{}winner:{}", next(), player.index())?,
                GameResult::Draw => write!(out, "{}draw", next())?,
            }
        }
        if next().is_empty() { out.write_str("none") } else { Ok(()) }
    }
}
