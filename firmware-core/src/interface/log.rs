//! The log: every move of a game as text, with the cups' numbers of its system. [`Log`] writes it
//! line by line without borrowing the history, so that the console can fetch lines at intervals.
//!
//! The head has the log's name, the system, the numbers of the cups, the starting player, the
//! number of earlier moves that are no longer stored, and the board after them. A line a move
//! follows, `   1 Top 9, captures 3`, and one for each edit, option, or end by agreement or
//! resignation. Undone moves are omitted. The last line is [`END`], so a truncated log is
//! recognizable. [`LogReader`] reads a log back into a game.
//!
//! The log knows no flash and no message of the LCD; of the console, only the maximum length of a
//! line.

mod read;

use core::fmt::{self, Write};

use heapless::String;

use crate::game::history::{Cursor, History, Replayed, Step};
use crate::game::outcome::{GameResult, MoveOutcome};
use crate::game::places::{CUPS_A_SIDE, Cup, Direction, PLACES, Player};
use crate::game::rules::Position;
use crate::interface::screen::style::Style;
use crate::interface::screen::words::Words;
use crate::storage::name::Name;

pub use read::LogReader;

/// Length of the longest line in bytes: an edit that ends the game, with sixty stones in stores.
pub const LOG_LINE: usize = 160;

const _: () = assert!(LOG_LINE + "log text=\"\"\n".len() <= crate::pins::console::LINE);

/// The last line of every log.
pub const END: &str = "end of the log";

/// A log that is being written.
#[derive(Clone, Debug)]
pub struct Log {
    name: Name,
    part: Part,
    cursor: Cursor,
    lines: u32,
}

/// Content of the next line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Name,
    System,
    Numbers,
    First,
    Gone,
    Opening,
    Steps,
    Over,
}

impl Log {
    /// Creates the log `name` of `history`, before its first line.
    pub fn new(history: &History, name: Name) -> Self {
        let head = if history.gone() > 0 { 6 } else { 5 };
        let replayed = (0..history.len()).filter_map(|index| history.at(index));
        let steps = replayed.filter(|step| !step.is_within_edit()).count();
        let lines = head + steps as u32 + 1;
        Self { name, part: Part::Name, cursor: Cursor::new(history), lines }
    }

    /// Returns the total number of lines.
    pub const fn lines(&self) -> u32 {
        self.lines
    }

    /// Writes the next line to `out`, replacing its content, without a newline. Returns `false` if
    /// there is none. `out` should have room for [`LOG_LINE`] bytes: a longer line is truncated. If
    /// `history` has changed since the log began, the log may end early.
    pub fn next_line<const N: usize>(&mut self, history: &History, out: &mut String<N>) -> bool {
        out.clear();
        // Fails only if the line is truncated.
        self.write_next(history, out).is_some()
    }

    /// Writes the next line; `None` if there is none.
    fn write_next(&mut self, history: &History, out: &mut dyn Write) -> Option<fmt::Result> {
        let setup = history.setup();
        let system = setup.game.system();
        let style = system.style();
        let (next, written) = match self.part {
            Part::Name => (Part::System, write!(out, "log of {}", self.name)),
            Part::System => {
                let Words { stone, cup, .. } = style.words;
                let name = system.name;
                let both_ways =
                    if history.opening().bidirectional { ", bidirectional" } else { "" };
                let line =
                    write!(out, "system {name}, {} {stone}s a {cup}{both_ways}", setup.stones);
                (Part::Numbers, line)
            }
            Part::Numbers => (Part::First, write!(out, "{}", Numbers(style))),
            Part::First => {
                let next = if history.gone() > 0 { Part::Gone } else { Part::Opening };
                (next, write!(out, "began {}", name(style, history.first())))
            }
            Part::Gone => (Part::Opening, write!(out, "{} moves went before", history.gone())),
            Part::Opening => {
                (Part::Steps, write!(out, "{}", Board { style, position: &history.base() }))
            }
            Part::Steps => match self.next_with_a_line(history) {
                Some(replayed) => (Part::Steps, step(out, style, history, &replayed)),
                None => (Part::Over, out.write_str(END)),
            },
            Part::Over => return None,
        };
        self.part = next;
        Some(written)
    }

    /// Returns the next step that has its own line: an edit has one when it is done.
    fn next_with_a_line(&mut self, history: &History) -> Option<Replayed> {
        // At most the steps of an edit.
        loop {
            let replayed = self.cursor.next(history)?;
            if !replayed.step.is_within_edit() {
                return Some(replayed);
            }
        }
    }
}

/// Writes the line of a step of `history`, as its log has it, or, without one, the player who began,
/// or the number of moves before the first stored step. A line that is longer than `out` is
/// truncated.
pub fn write_step(out: &mut dyn Write, history: &History, replayed: Option<&Replayed>) {
    let style = history.setup().game.system().style();
    let _ = match replayed {
        Some(replayed) => step(out, style, history, replayed),
        None if history.gone() > 0 => write!(out, "{} moves went before", history.gone()),
        None => write!(out, "began {}", name(style, history.first())),
    };
}

/// Writes the line of a step.
fn step(
    out: &mut dyn Write,
    style: &'static Style,
    history: &History,
    replayed: &Replayed,
) -> fmt::Result {
    let Replayed { number, step, before, after, outcome } = replayed;
    match (step, outcome) {
        (Step::Sow(cup), Some(outcome)) => {
            write!(out, "{number:4} {} {}", name(style, outcome.mover), Number(style, *cup))?;
            events(out, style, outcome, after)?;
            match after.direction {
                direction if direction == before.direction => Ok(()),
                Direction::CounterClockwise => out.write_str(", counter-clockwise now"),
                Direction::Clockwise => out.write_str(", clockwise now"),
            }
        }
        (Step::Edited, _) => {
            write!(out, "edited: {}", Board { style, position: after })?;
            let rules = history.rules();
            if rules.is_over(after) {
                write!(out, ", {}", End { style, position: after, result: rules.result(after) })?;
            }
            Ok(())
        }
        (Step::Bidirectional(on), _) => {
            write!(out, "bidirectional {}", if *on { "on" } else { "off" })
        }
        (Step::Abandon, _) => {
            let result = history.rules().result(after);
            write!(out, "play abandoned, {}", End { style, position: after, result })
        }
        (Step::Resign(player), _) => {
            let result = GameResult::Winner(player.opponent());
            let end = End { style, position: after, result };
            write!(out, "{} resigns, {end}", name(style, *player))
        }
        // These steps have no line of their own.
        (Step::Sow(_) | Step::Transfer { .. } | Step::Turn, _) => Ok(()),
    }
}

/// Writes the events of a move, in their order.
fn events(
    out: &mut dyn Write,
    style: &'static Style,
    outcome: &MoveOutcome,
    after: &Position,
) -> fmt::Result {
    if let Some(capture) = outcome.capture {
        write!(out, ", {} {}", style.words.capturing, capture.stones)?;
    }
    if outcome.free_turn {
        write!(out, ", {}", style.words.free_turn)?;
    }
    for (player, swept) in Player::BOTH.into_iter().zip(outcome.swept) {
        if swept > 0 {
            write!(out, ", {swept} left over for {}", name(style, player))?;
        }
    }
    match outcome.result {
        Some(result) => write!(out, ", {}", End { style, position: after, result }),
        None => Ok(()),
    }
}

/// Returns the name of `player`.
fn name(style: &Style, player: Player) -> &'static str {
    style.words.players[player.index()]
}

/// Displays a cup's number in its system, or, where cups have none, its index in its row from the
/// left.
struct Number(&'static Style, Cup);

impl fmt::Display for Number {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(style, cup) = *self;
        match style.label(cup) {
            "" => write!(out, "{}", 1 + from_the_left(cup)),
            label => out.write_str(label),
        }
    }
}

/// Returns the index of `cup` in its row from the left, 0 to 5.
const fn from_the_left(cup: Cup) -> usize {
    match cup.owner() {
        Player::Bottom => cup.nth_of_owner(),
        Player::Top => CUPS_A_SIDE - 1 - cup.nth_of_owner(),
    }
}

/// Displays how the cups are numbered.
struct Numbers(&'static Style);

impl fmt::Display for Numbers {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let style = self.0;
        write!(out, "{}s from left to right:", style.words.cup)?;
        for (row, player) in [(" top", Player::Top), (", bottom", Player::Bottom)] {
            out.write_str(row)?;
            for left in 0..CUPS_A_SIDE {
                let cup = Cup::of(player).find(|cup| from_the_left(*cup) == left);
                cup.map_or(Ok(()), |cup| write!(out, " {}", Number(style, cup)))?;
            }
        }
        Ok(())
    }
}

/// Displays the board, its rows from left to right.
struct Board<'p> {
    style: &'static Style,
    position: &'p Position,
}

impl fmt::Display for Board<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { style, position: Position { stones, turn, direction } } = self;
        out.write_str("top row")?;
        for stones in stones[Player::Top.first_cup()..PLACES - 1].iter().rev() {
            write!(out, " {stones}")?;
        }
        out.write_str(", bottom row")?;
        for stones in &stones[..Player::Bottom.store()] {
            write!(out, " {stones}")?;
        }
        for player in Player::BOTH {
            write!(out, ", {} has {}", name(style, player), stones[player.store()])?;
        }
        write!(out, ", {} to move", name(style, *turn))?;
        match direction {
            Direction::CounterClockwise => Ok(()),
            Direction::Clockwise => out.write_str(" clockwise"),
        }
    }
}

/// Displays the result of a game, the winner's stones first.
struct End<'p> {
    style: &'static Style,
    position: &'p Position,
    result: GameResult,
}

impl fmt::Display for End<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { style, position, result } = self;
        let stones = |player| position.in_store(player);
        match result {
            GameResult::Draw => {
                let [bottom, top] = Player::BOTH.map(stones);
                write!(out, "{} {bottom}-{top}", style.words.draw)
            }
            GameResult::Winner(winner) => {
                let (his, theirs) = (stones(*winner), stones(winner.opponent()));
                write!(out, "{} wins {his}-{theirs}", name(style, *winner))
            }
        }
    }
}

#[cfg(test)]
mod tests;
