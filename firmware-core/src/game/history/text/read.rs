//! Lines to history: reads the words, sets the game up and plays its steps.

use super::error::GameLineError;
use super::words::{DIRECTIONS, SIDES, STEPS, SWITCHES, TITLE, TURNS, VERBS, VERSION};
use crate::game::history::saved::Opening;
use crate::game::history::{History, MOST, Setup, Step, Stop};
use crate::game::places::{Cup, Direction, PLACES, Player};
use crate::game::rules::Position;
use crate::game::systems::{Game, SYSTEMS, System};

/// Takes a saved game line by line. The history is whole when [`Self::finish`] says so.
#[derive(Clone, Debug, Default)]
pub struct GameReader {
    part: Part,
    head: Head,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Title,
    Head,
    Steps,
}

/// The values of the head's keys.
#[derive(Clone, Copy, Debug, Default)]
struct Head {
    game: Option<Game>,
    stones: Option<u8>,
    bidirectional: Option<bool>,
    began_bidirectional: Option<bool>,
    first: Option<Player>,
    board: Option<[u8; PLACES]>,
    turn: Option<Player>,
    direction: Option<Direction>,
    before: Option<u32>,
    quiet: Option<u32>,
    abandoned: Option<bool>,
    resigned: Option<Player>,
}

impl GameReader {
    /// Takes the next line of the text, without its newline. `history` becomes the game: every call gets the same one.
    ///
    /// # Errors
    /// The line is wrong; then nothing changes, and another can come in its place.
    pub fn take<'l>(
        &mut self,
        line: &'l str,
        history: &mut History,
    ) -> Result<(), GameLineError<'l>> {
        let code = line.split('#').next().unwrap_or_default();
        let mut words = code.split_ascii_whitespace();
        let Some(verb) = words.next() else { return Ok(()) };
        // One more than any line has.
        let arguments: [Option<&str>; 4] = core::array::from_fn(|_| words.next());
        match self.part {
            Part::Title => self.title(verb, arguments),
            Part::Head if verb == STEPS => match arguments {
                [None, ..] => self.open(history),
                _ => Err(GameLineError::Usage(STEPS)),
            },
            Part::Head => self.head.take(verb, arguments),
            Part::Steps => {
                let step = step(verb, arguments)?;
                if history.len() == MOST {
                    return Err(GameLineError::TooManySteps);
                }
                history.append(step).map(drop).map_err(GameLineError::CannotFollow)
            }
        }
    }

    /// No more lines come: `history` is the game.
    ///
    /// # Errors
    /// Something is missing; lines can still come.
    pub fn finish(&mut self, history: &mut History) -> Result<(), GameLineError<'static>> {
        match self.part {
            Part::Title => return Err(GameLineError::NoTitle),
            Part::Head => self.open(history)?,
            Part::Steps => {}
        }
        match history.is_within_edit() {
            true => Err(GameLineError::EditNotDone),
            false => Ok(()),
        }
    }

    fn title<'l>(
        &mut self,
        first: &'l str,
        rest: [Option<&'l str>; 4],
    ) -> Result<(), GameLineError<'l>> {
        let mut title = TITLE.split(' ');
        let [Some(second), Some(third), Some(version), None] = rest else {
            return Err(GameLineError::NoTitle);
        };
        if ![first, second, third].into_iter().all(|word| title.next() == Some(word)) {
            return Err(GameLineError::NoTitle);
        }
        if number(version) != Some(VERSION) {
            return Err(GameLineError::UnknownFormat(version));
        }
        self.part = Part::Head;
        Ok(())
    }

    /// The head is whole: sets the game up as it was before its first step.
    fn open(&mut self, history: &mut History) -> Result<(), GameLineError<'static>> {
        let (setup, opening) = self.head.opening()?;
        history.begin_at(setup, opening).map_err(GameLineError::Opening)?;
        self.part = Part::Steps;
        Ok(())
    }
}

impl Head {
    fn take<'l>(
        &mut self,
        key: &'l str,
        arguments: [Option<&'l str>; 4],
    ) -> Result<(), GameLineError<'l>> {
        let (value, is_alone) = match arguments {
            [Some(value), None, ..] => (value, true),
            _ => ("", false),
        };
        let number_of = |max: u32| number::<u32>(value).filter(|number| *number <= max);
        let on = one_of(value, &SWITCHES).map(|on| on == 1);
        let side = one_of(value, &SIDES).map(|side| Player::BOTH[side]);
        // The key with its usage, and what it can be.
        let (usage, known, taken) = match key {
            "game" => {
                let game = SYSTEMS.iter().find(|system| system.name == value);
                let game = game.map(|system| system.game);
                ("game NAME", "board, family, wari or top-bottom", put(&mut self.game, game))
            }
            "stones" => {
                let stones = number_of(255).map(|number| number as u8);
                ("stones NUMBER", "3, 4 or 5", put(&mut self.stones, stones))
            }
            "bidirectional" => {
                ("bidirectional on|off", "on or off", put(&mut self.bidirectional, on))
            }
            "began-bidirectional" => {
                ("began-bidirectional on|off", "on or off", put(&mut self.began_bidirectional, on))
            }
            "first" => ("first bottom|top", "bottom or top", put(&mut self.first, side)),
            "board" => (
                "board STONES,STONES,...",
                "14 numbers of stones with commas between",
                put(&mut self.board, stones(value)),
            ),
            // The other `turn` is a step.
            "turn" if is_alone => {
                let turn = one_of(value, &TURNS).map(|turn| Player::BOTH[turn]);
                ("turn 0|1", "0 (bottom) or 1 (top)", put(&mut self.turn, turn))
            }
            "direction" => {
                let direction = one_of(value, &DIRECTIONS).map(|clockwise| match clockwise {
                    0 => Direction::CounterClockwise,
                    _ => Direction::Clockwise,
                });
                ("direction ccw|cw", "ccw or cw", put(&mut self.direction, direction))
            }
            "before" => {
                ("before MOVES", "0 to 4294967295", put(&mut self.before, number_of(u32::MAX)))
            }
            "quiet" => {
                ("quiet MOVES", "0 to 4294967295", put(&mut self.quiet, number_of(u32::MAX)))
            }
            "abandoned" => ("abandoned on|off", "on or off", put(&mut self.abandoned, on)),
            "resigned" => ("resigned bottom|top", "bottom or top", put(&mut self.resigned, side)),
            _ => return Err(GameLineError::NoKey(key)),
        };
        let key = usage.split(' ').next().unwrap_or_default();
        match taken {
            _ if !is_alone => Err(GameLineError::Usage(usage)),
            Put::Done => Ok(()),
            Put::NoValue => Err(GameLineError::NoValue { key, value, known }),
            Put::Repeated => Err(GameLineError::Repeated(key)),
        }
    }

    /// The game before its first step.
    fn opening(&self) -> Result<(Setup, Opening), GameLineError<'static>> {
        let game = self.game.ok_or(GameLineError::Missing("game"))?;
        let stones = self.board.ok_or(GameLineError::Missing("board"))?;
        let turn = self.turn.ok_or(GameLineError::Missing("turn"))?;
        let stopped = match (self.abandoned == Some(true), self.resigned) {
            (true, Some(_)) => return Err(GameLineError::AbandonedAndResigned),
            (true, None) => Some(Stop::Abandoned),
            (false, resigned) => resigned.map(Stop::Resigned),
        };
        let bidirectional = self.bidirectional.unwrap_or(false);
        let mut position = Position::of(stones, turn);
        position.direction = self.direction.unwrap_or_default();
        let setup = Setup {
            game,
            stones: self.stones.unwrap_or_else(|| stones_a_cup(game.system(), position.total())),
            bidirectional: self.began_bidirectional.unwrap_or(bidirectional),
        };
        let opening = Opening {
            position,
            moves: self.before.unwrap_or(0),
            quiet: self.quiet.unwrap_or(0),
            first: self.first.unwrap_or(turn),
            bidirectional,
            stopped,
        };
        Ok((setup, opening))
    }
}

/// What became of a key's value.
enum Put {
    Done,
    NoValue,
    Repeated,
}

fn put<T>(place: &mut Option<T>, value: Option<T>) -> Put {
    match (&place, value) {
        (_, None) => Put::NoValue,
        (Some(_), _) => Put::Repeated,
        (None, value) => {
            *place = value;
            Put::Done
        }
    }
}

/// The stones per cup if the head does not say: the stones of the board divided by its cups.
fn stones_a_cup(system: &System, total: u16) -> u8 {
    let cups = Cup::COUNT as u16;
    match total / cups {
        stones @ 3..=5 if system.choices && total.is_multiple_of(cups) => stones as u8,
        _ => system.rules.stones_a_cup,
    }
}

/// The step of a line below `steps`.
fn step<'l>(verb: &'l str, arguments: [Option<&'l str>; 4]) -> Result<Step, GameLineError<'l>> {
    const PLACE: &str = "a place, 0 to 13";
    let no_value = |key, value, known| GameLineError::NoValue { key, value, known };
    let place = |key, word| {
        number::<u8>(word)
            .filter(|place| usize::from(*place) < PLACES)
            .ok_or(no_value(key, word, PLACE))
    };
    let usage = match (verb, arguments) {
        ("sow", [Some(cup), None, ..]) => {
            let known = "a cup, 0 to 5 or 7 to 12";
            let sown = number::<usize>(cup).and_then(Cup::at);
            return sown.map(Step::Sow).ok_or(no_value("sow", cup, known));
        }
        ("move", [Some(from), Some("to"), Some(to), None]) => {
            return Ok(Step::Transfer { from: place("move", from)?, to: place("to", to)? });
        }
        ("turn", [None, ..]) => return Ok(Step::Turn),
        ("edited", [None, ..]) => return Ok(Step::Edited),
        ("bidirectional", [Some(value), None, ..]) => {
            let on = one_of(value, &SWITCHES);
            let on = on.ok_or(no_value("bidirectional", value, "on or off"))?;
            return Ok(Step::Bidirectional(on == 1));
        }
        ("abandon", [None, ..]) => return Ok(Step::Abandon),
        ("resign", [Some(value), None, ..]) => {
            let side = one_of(value, &SIDES);
            let side = side.ok_or(no_value("resign", value, "bottom or top"))?;
            return Ok(Step::Resign(Player::BOTH[side]));
        }
        ("sow", _) => "sow PLACE",
        ("move", _) => "move PLACE to PLACE",
        ("bidirectional", _) => "bidirectional on|off",
        ("resign", _) => "resign bottom|top",
        // The others are a word alone.
        (verb, _) => match VERBS.iter().find(|known| **known == verb) {
            Some(known) => known,
            None => return Err(GameLineError::NoStep(verb)),
        },
    };
    Err(GameLineError::Usage(usage))
}

/// The stones at each place, separated by commas.
fn stones(text: &str) -> Option<[u8; PLACES]> {
    let mut stones = [0; PLACES];
    let mut numbers = text.split(',');
    for place in &mut stones {
        *place = number(numbers.next()?)?;
    }
    numbers.next().is_none().then_some(stones)
}

fn one_of(value: &str, known: &[&str; 2]) -> Option<usize> {
    known.iter().position(|known| *known == value)
}

/// A number in digits only: no sign, no blank.
fn number<N: core::str::FromStr>(text: &str) -> Option<N> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}
