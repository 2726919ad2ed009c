//! The lines that the firmware writes on the console. See docs/console.md.

use core::ops::DerefMut;

use core::fmt;

use super::state::{App, Memory};
use crate::game::outcome::{GameResult, MoveOutcome, PlayError};
use crate::game::places::{Direction, PLACES, Player};
use crate::game::rules::Position;
use crate::interface::message::Message;
use crate::pins::button::Button;
use crate::pins::console::Console;

impl<M: DerefMut<Target = Memory>> App<M> {
    pub(super) fn report_move(&mut self, outcome: &MoveOutcome, status: Message) {
        self.report(Event::Move(outcome), status);
    }

    /// Reports a position that is not the result of a move.
    pub(super) fn report_change(&mut self, how: Change) {
        self.report(Event::Change(how, self.result()), self.display.status);
    }

    fn report(&mut self, event: Event<'_>, status: Message) {
        let lines = self.game.system.style().words.lines(status);
        let line = Line {
            position: &self.position(),
            turn: self.turn(),
            event,
            words: lines.each_ref().map(|line| line.as_str()),
            direction: self.game.system.choices,
        };
        line.write(&mut self.memory.console);
    }
}

/// The contents of a `position` line.
pub(super) struct Line<'a> {
    pub(super) position: &'a Position,
    /// `None` once the game is over.
    pub(super) turn: Option<Player>,
    pub(super) event: Event<'a>,
    pub(super) words: [&'a str; 2],
    /// Whether the line has the direction of the next sowing.
    pub(super) direction: bool,
}

/// Reason for a line.
pub(super) enum Event<'a> {
    /// A move was accepted; the position is the one after capture and sweep.
    Move(&'a MoveOutcome),
    /// The position changed otherwise; the result if the game is now over.
    Change(Change, Option<GameResult>),
}

/// How a position changes without a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Opening,
    Undo,
    Redo,
    Edit,
    Load,
    Abandon,
    Resign,
    Resume,
}

impl Change {
    const fn name(self) -> &'static str {
        match self {
            Self::Opening => "-",
            Self::Undo => "undo",
            Self::Redo => "redo",
            Self::Edit => "edit",
            Self::Load => "load",
            Self::Abandon => "abandon",
            Self::Resign => "resign",
            Self::Resume => "resume",
        }
    }
}

impl Line<'_> {
    pub(super) fn write(&self, console: &mut Console) {
        console.line(format_args!(
            "position board={} turn={} move={} event={} message=\"{}\"{}",
            Board(&self.position.stones),
            Turn(self.turn),
            Moved(&self.event),
            Events(&self.event),
            Joined(self.words),
            DirectionField(self.direction.then_some(self.position.direction)),
        ));
    }
}

/// Displays the place that was sown, or the change.
struct Moved<'a>(&'a Event<'a>);

impl fmt::Display for Moved<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Event::Move(outcome) => write!(out, "{}", outcome.cup.place()),
            Event::Change(how, _) => out.write_str(how.name()),
        }
    }
}

/// Displays the direction of the next sowing, where the system has one.
struct DirectionField(Option<Direction>);

impl fmt::Display for DirectionField {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self.0 {
            None => "",
            Some(Direction::CounterClockwise) => " direction=ccw",
            Some(Direction::Clockwise) => " direction=cw",
        })
    }
}

/// Reports a press that changed nothing.
pub(super) fn refused(console: &mut Console, button: Button, error: PlayError) {
    let reason = match error {
        PlayError::NotYours => "not-yours",
        PlayError::Empty => "empty",
        PlayError::GameOver => "game-over",
    };
    console.line(format_args!("refused button={} reason={reason}", button.name()));
}

/// Displays the stones by place, separated by commas.
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

/// Displays `0`, `1`, or `-` once the game is over.
struct Turn(Option<Player>);

impl fmt::Display for Turn {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(player) => write!(out, "{}", player.index()),
            None => out.write_str("-"),
        }
    }
}

/// Displays the lines of a message, joined by one space.
struct Joined<'a>([&'a str; 2]);

impl fmt::Display for Joined<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [first, ""] => out.write_str(first),
            [first, second] => write!(out, "{first} {second}"),
        }
    }
}

/// Displays the events of a move, in their order.
struct Events<'a>(&'a Event<'a>);

impl fmt::Display for Events<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        let mut next = || core::mem::replace(&mut separator, ",");
        let result = match self.0 {
            Event::Change(_, result) => result,
            Event::Move(MoveOutcome { free_turn, capture, swept, result, .. }) => {
                if *free_turn {
                    write!(out, "{}free-turn", next())?;
                }
                if let Some(capture) = capture {
                    write!(out, "{}capture:{}", next(), capture.stones)?;
                }
                for stones in swept.iter().filter(|stones| **stones > 0) {
                    write!(out, "{}sweep:{stones}", next())?;
                }
                result
            }
        };
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
