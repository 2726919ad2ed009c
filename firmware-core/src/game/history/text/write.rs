//! Writes a history as lines.

use core::fmt::{self, Write};

use super::words::{DIRECTIONS, SIDES, STEPS, SWITCHES, TITLE, VERSION};
use crate::game::history::{Cursor, History, Replayed, Step, Stop};
use crate::game::places::{Direction, PLACES, Player};
use crate::game::rules::Position;

/// Length of the longest line in bytes: the comment at the end, with sixty stones on the board.
pub const GAME_LINE: usize = 80;

/// The lines of a saved game. Does not borrow the history, so the caller can fetch lines at
/// intervals.
#[derive(Clone, Debug)]
pub struct GameText {
    part: Part,
    cursor: Cursor,
}

/// Content of the next line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Title,
    Game,
    Stones,
    Bidirectional,
    BeganBidirectional,
    First,
    Board,
    Turn,
    Direction,
    Before,
    Quiet,
    Stopped,
    Empty,
    StepsBegin,
    Steps,
    Over,
}

impl Part {
    /// Returns the part that follows. The steps end by themselves.
    const fn next(self) -> Self {
        match self {
            Self::Title => Self::Game,
            Self::Game => Self::Stones,
            Self::Stones => Self::Bidirectional,
            Self::Bidirectional => Self::BeganBidirectional,
            Self::BeganBidirectional => Self::First,
            Self::First => Self::Board,
            Self::Board => Self::Turn,
            Self::Turn => Self::Direction,
            Self::Direction => Self::Before,
            Self::Before => Self::Quiet,
            Self::Quiet => Self::Stopped,
            Self::Stopped => Self::Empty,
            Self::Empty => Self::StepsBegin,
            Self::StepsBegin | Self::Steps => Self::Steps,
            Self::Over => Self::Over,
        }
    }
}

impl GameText {
    /// Creates the text of `history`, before its first line.
    pub const fn new(history: &History) -> Self {
        Self { part: Part::Title, cursor: Cursor::new(history) }
    }

    /// Writes the next line to `out`, without a newline, at most [`GAME_LINE`] bytes. Returns
    /// `false` if there is none.
    pub fn next_line(&mut self, history: &History, out: &mut dyn Write) -> bool {
        // The loop skips at most the parts of the head that this game has no line for.
        while self.part != Part::Over {
            let part = self.part;
            self.part = part.next();
            // Fails only if `out` truncates the line.
            if self.write(part, history, out) != Ok(false) {
                return true;
            }
        }
        false
    }

    /// Writes the line of `part`. Returns `false` if this game has none.
    fn write(
        &mut self,
        part: Part,
        history: &History,
        out: &mut dyn Write,
    ) -> Result<bool, fmt::Error> {
        let setup = history.setup();
        let opening = history.opening();
        let system = setup.game.system();
        let Position { stones, turn, direction } = &opening.position;
        let (key, value) = match part {
            Part::Title => (TITLE, Value::Number(VERSION)),
            Part::Game => ("game", Value::Word(system.name)),
            Part::Stones if system.choices => ("stones", Value::Number(setup.stones.into())),
            Part::Bidirectional if system.choices => {
                ("bidirectional", Value::Word(switch(opening.bidirectional)))
            }
            Part::BeganBidirectional
                if system.choices && setup.bidirectional != opening.bidirectional =>
            {
                ("began-bidirectional", Value::Word(switch(setup.bidirectional)))
            }
            Part::First => ("first", Value::Word(side(opening.first))),
            Part::Board => ("board", Value::Stones(stones)),
            Part::Turn => ("turn", Value::Number(turn.index() as u32)),
            Part::Direction if system.choices || *direction != Direction::default() => {
                let clockwise = *direction == Direction::Clockwise;
                ("direction", Value::Word(DIRECTIONS[usize::from(clockwise)]))
            }
            Part::Before => ("before", Value::Number(opening.moves)),
            Part::Quiet if opening.quiet > 0 => ("quiet", Value::Number(opening.quiet)),
            Part::Stopped => match opening.stopped {
                None => return Ok(false),
                Some(Stop::Abandoned) => ("abandoned", Value::Word("on")),
                Some(Stop::Resigned(player)) => ("resigned", Value::Word(side(player))),
            },
            Part::Empty => return Ok(true),
            Part::StepsBegin => (STEPS, Value::None),
            Part::Steps => match self.cursor.next(history) {
                Some(replayed) => step(&replayed),
                None => {
                    self.part = Part::Over;
                    let Position { stones, turn, .. } = history.position();
                    let turn = turn.index();
                    write!(out, "# Then: board {}, turn {turn}", Value::Stones(&stones))?;
                    return Ok(true);
                }
            },
            _ => return Ok(false),
        };
        out.write_str(key)?;
        if !matches!(value, Value::None) {
            write!(out, " {value}")?;
        }
        Ok(true)
    }
}

/// Returns the words of a step's line.
fn step(replayed: &Replayed) -> (&'static str, Value<'static>) {
    match replayed.step {
        Step::Sow(cup) => ("sow", Value::Sown(cup.place() as u8, replayed.number)),
        Step::Transfer { from, to } => ("move", Value::Transfer(from, to)),
        Step::Turn => ("turn", Value::None),
        Step::Edited => ("edited", Value::None),
        Step::Bidirectional(on) => ("bidirectional", Value::Word(switch(on))),
        Step::Abandon => ("abandon", Value::None),
        Step::Resign(player) => ("resign", Value::Word(side(player))),
    }
}

fn switch(on: bool) -> &'static str {
    SWITCHES[usize::from(on)]
}

fn side(player: Player) -> &'static str {
    SIDES[player.index()]
}

/// Text that follows a key or a verb.
enum Value<'p> {
    None,
    Word(&'static str),
    Number(u32),
    /// Stones at each place, separated by commas.
    Stones(&'p [u8; PLACES]),
    /// Place of a cup, and number of the move.
    Sown(u8, u32),
    /// Places of a stone before and after the transfer.
    Transfer(u8, u8),
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => Ok(()),
            Self::Word(word) => out.write_str(word),
            Self::Number(number) => write!(out, "{number}"),
            Self::Stones(stones) => {
                let mut between = "";
                for stones in *stones {
                    write!(out, "{between}{stones}")?;
                    between = ",";
                }
                Ok(())
            }
            Self::Sown(place, number) => write!(out, "{place:<3} # move {number}"),
            Self::Transfer(from, to) => write!(out, "{from} to {to}"),
        }
    }
}
