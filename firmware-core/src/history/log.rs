//! The log: every move of a game as text, by the cups' numbers in its system. [`Log`] gives
//! it line by line and keeps no history borrowed: the console takes a line now and then.
//!
//! A head says whose game it is, how its cups are numbered, who began, how many moves went
//! before, and how the board lay then. A line a move follows, `   1 Top 9, captures 3`, and
//! one for an edit, an option, the end by agreement. What was taken back did not happen. The
//! last line is [`END`], so a log that was cut off shows it.
//!
//! It knows no flash, no console but how long a line of it may be, and no message of the LCD.

use core::fmt::{self, Write};

use heapless::String;

use super::{Cursor, History, Replayed, Step};
use crate::name::Name;
use crate::rules::{CUPS_A_SIDE, Cup, Direction, GameResult, Outcome, PLACES, Player, Position};
use crate::systems::Game;

/// Bytes of the longest line: an edit that ends the game, with sixty stones in stores.
pub const LOG_LINE: usize = 160;

const _: () = assert!(LOG_LINE + "log text=\"\"\n".len() <= crate::console::LINE);

/// The last line of every log.
pub const END: &str = "end of the log";

/// A log on its way out.
#[derive(Clone, Debug)]
pub struct Log {
    name: Name,
    part: Part,
    cursor: Cursor,
    lines: u32,
}

/// What the next line tells.
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
    /// The log called `name` of `history`, before its first line.
    pub fn new(history: &History, name: Name) -> Self {
        let head = if history.gone() > 0 { 6 } else { 5 };
        let told = history.steps.iter().filter_map(|code| Step::from_code(*code));
        let steps = told.filter(|step| !step.is_within_edit()).count();
        let lines = head + steps as u32 + 1;
        Self { name, part: Part::Name, cursor: Cursor::new(history), lines }
    }

    /// How many lines it has in all.
    pub const fn lines(&self) -> u32 {
        self.lines
    }

    /// Puts its next line in `out`, in place of what is there and without a newline; `false`
    /// if there is none. `out` should have room for [`LOG_LINE`] bytes: a line ends early
    /// where it has not. If `history` has changed since the log began, it ends early, too.
    pub fn next_line<const N: usize>(&mut self, history: &History, out: &mut String<N>) -> bool {
        out.clear();
        // It fails only where the line is cut off.
        self.write_next(history, out).is_some()
    }

    /// The next line; `None` if there is none.
    fn write_next(&mut self, history: &History, out: &mut dyn Write) -> Option<fmt::Result> {
        let setup = history.setup();
        let words = Words::of(setup.game);
        let (next, written) = match self.part {
            Part::Name => (Part::System, write!(out, "log of {}", self.name)),
            Part::System => {
                let Words { stones, cup, .. } = words;
                let name = setup.game.system().name;
                let both_ways =
                    if history.opening().bidirectional { ", bidirectional" } else { "" };
                let line =
                    write!(out, "system {name}, {} {stones} a {cup}{both_ways}", setup.stones);
                (Part::Numbers, line)
            }
            Part::Numbers => (Part::First, out.write_str(words.numbers)),
            Part::First => {
                let next = if history.gone() > 0 { Part::Gone } else { Part::Opening };
                (next, write!(out, "began {}", words.player(history.first())))
            }
            Part::Gone => (Part::Opening, write!(out, "{} moves went before", history.gone())),
            Part::Opening => {
                (Part::Steps, write!(out, "{}", Board { words, position: &history.base() }))
            }
            Part::Steps => match self.next_told(history) {
                Some(told) => (Part::Steps, step(out, words, history, &told)),
                None => (Part::Over, out.write_str(END)),
            },
            Part::Over => return None,
        };
        self.part = next;
        Some(written)
    }

    /// The next step that has a line of its own: an edit has one when it is done.
    fn next_told(&mut self, history: &History) -> Option<Replayed> {
        // At most the steps of an edit.
        loop {
            let told = self.cursor.next(history)?;
            if !told.step.is_within_edit() {
                return Some(told);
            }
        }
    }
}

/// The line of a step.
fn step(out: &mut dyn Write, words: Words, history: &History, told: &Replayed) -> fmt::Result {
    let Replayed { number, step, before, after, outcome } = told;
    match (step, outcome) {
        (Step::Sow(cup), Some(outcome)) => {
            write!(out, "{number:4} {} {}", words.player(outcome.mover), words.cup_number(*cup))?;
            events(out, words, outcome, after)?;
            match after.direction {
                direction if direction == before.direction => Ok(()),
                Direction::CounterClockwise => out.write_str(", counter-clockwise now"),
                Direction::Clockwise => out.write_str(", clockwise now"),
            }
        }
        (Step::Edited, _) => {
            write!(out, "edited: {}", Board { words, position: after })?;
            let rules = history.rules();
            if rules.is_over(after) {
                write!(out, ", {}", End { words, position: after, result: rules.result(after) })?;
            }
            Ok(())
        }
        (Step::Bidirectional(on), _) => {
            write!(out, "bidirectional {}", if *on { "on" } else { "off" })
        }
        (Step::Abandon, _) => {
            let result = history.rules().result(after);
            write!(out, "play abandoned, {}", End { words, position: after, result })
        }
        // They have no line of their own.
        (Step::Sow(_) | Step::Transfer { .. } | Step::Turn, _) => Ok(()),
    }
}

/// What a move brought, in the order in which it happened.
fn events(out: &mut dyn Write, words: Words, outcome: &Outcome, after: &Position) -> fmt::Result {
    if let Some(capture) = outcome.capture {
        write!(out, ", {} {}", words.captures, capture.stones)?;
    }
    if outcome.free_turn {
        write!(out, ", {}", words.free_turn)?;
    }
    for (player, swept) in Player::BOTH.into_iter().zip(outcome.swept) {
        if swept > 0 {
            write!(out, ", {swept} left over for {}", words.player(player))?;
        }
    }
    match outcome.result {
        Some(result) => write!(out, ", {}", End { words, position: after, result }),
        None => Ok(()),
    }
}

/// The words of a system.
#[derive(Clone, Copy)]
struct Words {
    players: [&'static str; 2],
    stones: &'static str,
    cup: &'static str,
    /// How its cups are numbered.
    numbers: &'static str,
    captures: &'static str,
    free_turn: &'static str,
    draw: &'static str,
    number: fn(Cup) -> Number,
}

/// A cup's number, with what stands before it.
struct Number(&'static str, usize);

impl fmt::Display for Number {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}{}", self.0, self.1)
    }
}

impl Words {
    const fn of(game: Game) -> Self {
        match game {
            Game::Board => Self {
                players: ["Player 1", "Player 2"],
                stones: "stones",
                cup: "cup",
                numbers: "cups of each player #6 to #1 counter-clockwise, #1 beside his mancala",
                captures: "collects",
                free_turn: "free turn",
                draw: "draw",
                number: |cup| Number("#", CUPS_A_SIDE - cup.nth_of_owner()),
            },
            Game::Family => Self {
                players: ["Player A", "Player B"],
                stones: "stones",
                cup: "bin",
                numbers: "bins 1 to 6 bottom left to right, 7 to 12 top right to left",
                captures: "collects",
                free_turn: "second turn",
                draw: "tie",
                number: counted_around,
            },
            Game::Wari => Self {
                players: ["Bottom", "Top"],
                stones: "stones",
                cup: "cup",
                numbers: "cups 1 to 6 bottom left to right, 7 to 12 top right to left",
                captures: "captures",
                // It cannot happen.
                free_turn: "free turn",
                draw: "draw",
                number: counted_around,
            },
            Game::TopBottom => Self {
                players: ["Bottom", "Top"],
                stones: "seeds",
                cup: "pit",
                numbers: "pits have no numbers: here 1 to 6 from left to right in either row",
                captures: "captures",
                free_turn: "extra turn",
                draw: "draw",
                number: |pit| match pit.owner() {
                    Player::Bottom => Number("", 1 + pit.nth_of_owner()),
                    Player::Top => Number("", CUPS_A_SIDE - pit.nth_of_owner()),
                },
            },
        }
    }

    const fn player(&self, player: Player) -> &'static str {
        self.players[player.index()]
    }

    fn cup_number(&self, cup: Cup) -> Number {
        (self.number)(cup)
    }
}

/// 1 to 12, counter-clockwise from the bottom player's left.
fn counted_around(cup: Cup) -> Number {
    Number("", 1 + cup.owner().index() * CUPS_A_SIDE + cup.nth_of_owner())
}

/// How the board lies, its rows from left to right.
struct Board<'p> {
    words: Words,
    position: &'p Position,
}

impl fmt::Display for Board<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { words, position: Position { stones, turn, direction } } = self;
        out.write_str("top row")?;
        for stones in stones[Player::Top.first_cup()..PLACES - 1].iter().rev() {
            write!(out, " {stones}")?;
        }
        out.write_str(", bottom row")?;
        for stones in &stones[..Player::Bottom.store()] {
            write!(out, " {stones}")?;
        }
        for player in Player::BOTH {
            write!(out, ", {} has {}", words.player(player), stones[player.store()])?;
        }
        write!(out, ", {} to move", words.player(*turn))?;
        match direction {
            Direction::CounterClockwise => Ok(()),
            Direction::Clockwise => out.write_str(" clockwise"),
        }
    }
}

/// How a game came out, the winner's stones first.
struct End<'p> {
    words: Words,
    position: &'p Position,
    result: GameResult,
}

impl fmt::Display for End<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { words, position, result } = self;
        let [bottom, top] = Player::BOTH.map(|player| position.in_store(player));
        match result {
            GameResult::Draw => write!(out, "{} {bottom}-{top}", words.draw),
            GameResult::Winner(winner) => {
                let (more, less) = (bottom.max(top), bottom.min(top));
                write!(out, "{} wins {more}-{less}", words.player(*winner))
            }
        }
    }
}

#[cfg(test)]
mod tests;
