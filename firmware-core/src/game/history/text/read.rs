//! Reads lines into a history: parses the words, sets up the game and plays its steps.

use super::error::GameLineError;
use super::typed::{TYPED_WORDS, typed_number, typed_words};
use super::words::{DIRECTIONS, KEYS, NEEDED, SIDES, STEPS, SWITCHES, TURNS, VERBS, VERSION};
use crate::game::history::saved::Opening;
use crate::game::history::{History, MOST, Setup, Step, Stop};
use crate::game::places::{Cup, Direction, PLACES, Player};
use crate::game::rules::Position;
use crate::game::systems::{Game, SYSTEMS, System};

// Indices of the keys in `KEYS`.
const GAME: usize = 0;
const STONES: usize = 1;
const BIDIRECTIONAL: usize = 2;
const BEGAN_BIDIRECTIONAL: usize = 3;
const FIRST: usize = 4;
const BOARD: usize = 5;
const TURN: usize = 6;
const DIRECTION: usize = 7;
const BEFORE: usize = 8;
const QUIET: usize = 9;
const ABANDONED: usize = 10;
const RESIGNED: usize = 11;

/// Valid values of each key, as messages list them.
const KNOWN: [&str; KEYS.len()] = [
    "board, family, wari or top-bottom",
    "3, 4 or 5",
    "on or off",
    "on or off",
    "bottom or top",
    "14 numbers of stones with commas between",
    "0 (bottom) or 1 (top)",
    "ccw or cw",
    "0 to 4294967295",
    "0 to 4294967295",
    "on or off",
    "bottom or top",
];

/// Reads a saved game line by line. The history is complete when [`Self::finish`] succeeds.
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

/// Values of the head's keys.
#[derive(Clone, Copy, Debug, Default)]
struct Head {
    /// Values in the order of [`KEYS`]: a number, or the index of the word.
    values: [Option<u32>; KEYS.len()],
    board: [u8; PLACES],
}

impl GameReader {
    /// Reads the next line of the text, without its newline, into `history`. Pass the same history
    /// to every call.
    ///
    /// # Errors
    /// The line is wrong; then nothing changes, and the caller can pass another line instead.
    pub fn take<'l>(
        &mut self,
        line: &'l str,
        history: &mut History,
    ) -> Result<(), GameLineError<'l>> {
        let code = line.bytes().position(|byte| byte == b'#').and_then(|end| line.get(..end));
        let words = typed_words(code.unwrap_or(line), b' ');
        match (self.part, words) {
            (_, ["", ..]) => Ok(()),
            (Part::Title, words) => self.title(words),
            (Part::Head, [STEPS, "", ..]) => self.open(history),
            (Part::Head, [STEPS, ..]) => Err(GameLineError::Usage(STEPS)),
            (Part::Head, words) => self.head.take(words),
            (Part::Steps, words) => {
                let step = step(words)?;
                if history.len() == MOST {
                    return Err(GameLineError::TooManySteps);
                }
                history.append(step).map(drop).map_err(GameLineError::CannotFollow)
            }
        }
    }

    /// Ends the text: `history` is then the complete game.
    ///
    /// # Errors
    /// Something is missing; the caller can still add lines.
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

    fn title<'l>(&mut self, words: [&'l str; TYPED_WORDS]) -> Result<(), GameLineError<'l>> {
        let ["nudge", "saved", "game", version, "", ..] = words else {
            return Err(GameLineError::NoTitle);
        };
        match typed_number(version, u64::from(u32::MAX)) {
            Some(number) if number == u64::from(VERSION) => self.part = Part::Head,
            Some(_) => return Err(GameLineError::UnknownFormat(version)),
            None => return Err(GameLineError::NoTitle),
        }
        Ok(())
    }

    /// Ends the head: sets up the game in its state before the first step.
    fn open(&mut self, history: &mut History) -> Result<(), GameLineError<'static>> {
        let (setup, opening) = self.head.opening()?;
        history.begin_at(setup, opening).map_err(GameLineError::Opening)?;
        self.part = Part::Steps;
        Ok(())
    }
}

impl Head {
    fn take<'l>(&mut self, words: [&'l str; TYPED_WORDS]) -> Result<(), GameLineError<'l>> {
        let [verb, value, more, ..] = words;
        let known = KEYS.iter().position(|key| *key == verb);
        // `turn` without a value is a step.
        let Some(nth) = known.filter(|nth| *nth != TURN || !value.is_empty()) else {
            return Err(GameLineError::NoKey(verb));
        };
        let key = KEYS[nth];
        if value.is_empty() || !more.is_empty() {
            return Err(GameLineError::KeyUsage(key));
        }
        if self.values[nth].is_some() {
            return Err(GameLineError::Repeated(key));
        }
        let mut board = [0; PLACES];
        let taken = match nth {
            GAME => SYSTEMS.iter().position(|system| system.name == value).map(|nth| nth as u32),
            STONES => number(value, 255),
            BOARD => read_board(value, &mut board).then_some(0),
            BEFORE | QUIET => number(value, u32::MAX),
            FIRST | RESIGNED => one_of(value, &SIDES),
            TURN => one_of(value, &TURNS),
            DIRECTION => one_of(value, &DIRECTIONS),
            _ => one_of(value, &SWITCHES),
        };
        if taken.is_none() {
            return Err(GameLineError::NoValue { key, value, known: KNOWN[nth] });
        }
        self.values[nth] = taken;
        if nth == BOARD {
            self.board = board;
        }
        Ok(())
    }

    /// Returns the game before its first step.
    fn opening(&self) -> Result<(Setup, Opening), GameLineError<'static>> {
        for (key, value) in KEYS.into_iter().zip(self.values) {
            if value.is_none() && NEEDED.contains(&key) {
                return Err(GameLineError::Missing(key));
            }
        }
        let player = |nth: usize| self.values[nth].map(|side| Player::BOTH[side as usize]);
        let is_on = |nth: usize| self.values[nth] == Some(1);
        let stopped = match (is_on(ABANDONED), player(RESIGNED)) {
            (true, Some(_)) => return Err(GameLineError::AbandonedAndResigned),
            (true, None) => Some(Stop::Abandoned),
            (false, resigned) => resigned.map(Stop::Resigned),
        };
        let game = self.values[GAME].map_or(Game::default(), |nth| SYSTEMS[nth as usize].game);
        let turn = player(TURN).unwrap_or(Player::Bottom);
        let bidirectional = is_on(BIDIRECTIONAL);
        let mut position = Position::of(self.board, turn);
        if is_on(DIRECTION) {
            position.direction = Direction::Clockwise;
        }
        let setup = Setup {
            game,
            stones: match self.values[STONES] {
                Some(stones) => stones as u8,
                None => stones_a_cup(game.system(), position.total()),
            },
            bidirectional: match self.values[BEGAN_BIDIRECTIONAL] {
                Some(on) => on == 1,
                None => bidirectional,
            },
        };
        let opening = Opening {
            position,
            moves: self.values[BEFORE].unwrap_or(0),
            quiet: self.values[QUIET].unwrap_or(0),
            first: player(FIRST).unwrap_or(turn),
            bidirectional,
            stopped,
        };
        Ok((setup, opening))
    }
}

/// Returns the stones a cup if the head does not state them: the stones on the board divided by its
/// cups.
fn stones_a_cup(system: &System, total: u16) -> u8 {
    let cups = Cup::COUNT as u16;
    match total / cups {
        stones @ 3..=5 if system.choices && total.is_multiple_of(cups) => stones as u8,
        _ => system.rules.stones_a_cup,
    }
}

/// Parses a line after `steps`.
fn step(words: [&str; TYPED_WORDS]) -> Result<Step, GameLineError<'_>> {
    let no_value = |key, value, known| GameLineError::NoValue { key, value, known };
    let place = |word| {
        let place = number(word, PLACES as u32 - 1).ok_or(no_value("move", word, "0 to 13"));
        place.map(|place| place as u8)
    };
    let usage = match words {
        ["sow", cup, "", ..] if !cup.is_empty() => {
            let place = number(cup, PLACES as u32).and_then(|place| Cup::at(place as usize));
            return place.map(Step::Sow).ok_or(no_value("sow", cup, "a cup, 0 to 5 or 7 to 12"));
        }
        ["move", from, "to", to, "", ..] if !to.is_empty() => {
            return Ok(Step::Transfer { from: place(from)?, to: place(to)? });
        }
        ["turn", "", ..] => return Ok(Step::Turn),
        ["edited", "", ..] => return Ok(Step::Edited),
        ["bidirectional", value, "", ..] if !value.is_empty() => {
            let on = one_of(value, &SWITCHES);
            let on = on.ok_or(no_value("bidirectional", value, KNOWN[BIDIRECTIONAL]))?;
            return Ok(Step::Bidirectional(on == 1));
        }
        ["abandon", "", ..] => return Ok(Step::Abandon),
        ["resign", value, "", ..] if !value.is_empty() => {
            let side = one_of(value, &SIDES);
            let side = side.ok_or(no_value("resign", value, KNOWN[FIRST]))?;
            return Ok(Step::Resign(Player::BOTH[side as usize]));
        }
        ["sow", ..] => "sow PLACE",
        ["move", ..] => "move PLACE to PLACE",
        ["bidirectional", ..] => "bidirectional on|off",
        ["resign", ..] => "resign bottom|top",
        // The other verbs have no argument.
        [verb, ..] => match VERBS.iter().find(|known| **known == verb) {
            Some(known) => known,
            None => return Err(GameLineError::NoStep(verb)),
        },
    };
    Err(GameLineError::Usage(usage))
}

/// Reads the stones at each place, separated by commas. Returns whether the text is well formed.
fn read_board(text: &str, board: &mut [u8; PLACES]) -> bool {
    let mut rest = text;
    let mut is_last = false;
    for place in board {
        let end = rest.bytes().position(|byte| byte == b',');
        let (word, more) = match end {
            Some(end) => (rest.get(..end), rest.get(end + 1..)),
            None => (Some(rest), None),
        };
        match number(word.unwrap_or_default(), 255) {
            Some(stones) if !is_last => *place = stones as u8,
            _ => return false,
        }
        is_last = end.is_none();
        rest = more.unwrap_or_default();
    }
    is_last
}

#[inline(never)]
fn one_of(value: &str, known: &[&str; 2]) -> Option<u32> {
    known.iter().position(|known| *known == value).map(|nth| nth as u32)
}

fn number(word: &str, most: u32) -> Option<u32> {
    typed_number(word, most.into()).map(|number| number as u32)
}
