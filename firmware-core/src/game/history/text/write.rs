//! History to lines.

use core::fmt::{self, Write};

use super::words::{DIRECTIONS, SIDES, STEPS, SWITCHES, TITLE, VERSION};
use crate::game::history::{Cursor, History, Replayed, Step, Stop};
use crate::game::places::{Direction, PLACES, Player};

/// Bytes of the longest line: the last one, with sixty stones on the board.
pub const GAME_LINE: usize = 80;

/// The lines of a saved game. It borrows no history, so a caller takes a line now and then.
#[derive(Clone, Debug)]
pub struct GameText {
    part: Part,
    cursor: Cursor,
}

/// What the next line holds.
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
    /// What comes next. The steps end by themselves.
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
    /// The text of `history`, before its first line.
    pub const fn new(history: &History) -> Self {
        Self { part: Part::Title, cursor: Cursor::new(history) }
    }

    /// Writes its next line to `out`, without a newline; `false` if there is none. It has at most [`GAME_LINE`] bytes.
    pub fn next_line(&mut self, history: &History, out: &mut dyn Write) -> bool {
        // At most the parts of the head that this game has no line for.
        while self.part != Part::Over {
            let part = self.part;
            self.part = part.next();
            // It fails only where `out` cuts the line off.
            if self.write(part, history, out) != Ok(false) {
                return true;
            }
        }
        false
    }

    /// Writes the line of `part`; `false` if this game has none.
    fn write(
        &mut self,
        part: Part,
        history: &History,
        out: &mut dyn Write,
    ) -> Result<bool, fmt::Error> {
        let setup = history.setup();
        let opening = history.opening();
        let system = setup.game.system();
        let position = &opening.position;
        match part {
            Part::Title => write!(out, "{TITLE} {VERSION}")?,
            Part::Game => write!(out, "game {}", system.name)?,
            Part::Stones if system.choices => write!(out, "stones {}", setup.stones)?,
            Part::Bidirectional if system.choices => {
                write!(out, "bidirectional {}", switch(opening.bidirectional))?;
            }
            Part::BeganBidirectional
                if system.choices && setup.bidirectional != opening.bidirectional =>
            {
                write!(out, "began-bidirectional {}", switch(setup.bidirectional))?;
            }
            Part::First => write!(out, "first {}", side(opening.first))?,
            Part::Board => write!(out, "board {}", Stones(&position.stones))?,
            Part::Turn => write!(out, "turn {}", position.turn.index())?,
            Part::Direction if system.choices || position.direction != Direction::default() => {
                let clockwise = position.direction == Direction::Clockwise;
                write!(out, "direction {}", DIRECTIONS[usize::from(clockwise)])?;
            }
            Part::Before => write!(out, "before {}", opening.moves)?,
            Part::Quiet if opening.quiet > 0 => write!(out, "quiet {}", opening.quiet)?,
            Part::Stopped => match opening.stopped {
                None => return Ok(false),
                Some(Stop::Abandoned) => out.write_str("abandoned on")?,
                Some(Stop::Resigned(player)) => write!(out, "resigned {}", side(player))?,
            },
            Part::Empty => {}
            Part::StepsBegin => out.write_str(STEPS)?,
            Part::Steps => match self.cursor.next(history) {
                Some(replayed) => step(out, &replayed)?,
                None => {
                    self.part = Part::Over;
                    let end = history.position();
                    let stones = Stones(&end.stones);
                    write!(out, "# Then: board {stones}, turn {}", end.turn.index())?;
                }
            },
            _ => return Ok(false),
        }
        Ok(true)
    }
}

fn step(out: &mut dyn Write, replayed: &Replayed) -> fmt::Result {
    match replayed.step {
        Step::Sow(cup) => write!(out, "sow {:<3} # move {}", cup.place(), replayed.number),
        Step::Transfer { from, to } => write!(out, "move {from} to {to}"),
        Step::Turn => out.write_str("turn"),
        Step::Edited => out.write_str("edited"),
        Step::Bidirectional(on) => write!(out, "bidirectional {}", switch(on)),
        Step::Abandon => out.write_str("abandon"),
        Step::Resign(player) => write!(out, "resign {}", side(player)),
    }
}

fn switch(on: bool) -> &'static str {
    SWITCHES[usize::from(on)]
}

fn side(player: Player) -> &'static str {
    SIDES[player.index()]
}

/// The stones at each place, separated by commas.
struct Stones<'p>(&'p [u8; PLACES]);

impl fmt::Display for Stones<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, stones) in self.0.iter().enumerate() {
            write!(out, "{}{stones}", if place == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}
