//! Converts lines to a history: reads the words, sets the game up and plays its steps.

use std::str::FromStr;

use firmware_core::history::saved::{Opening, OpeningError};
use firmware_core::history::{History, MOST, Setup, Step, Stop};
use firmware_core::rules::{Cup, Direction, PLACES, Player, Position};
use firmware_core::systems::{Game, SYSTEMS, System};
use trace::{Place, nearest};

use super::error::{GameTextError, GameTextErrorKind};
use super::format::{FILE_BYTES_MAX, KEYS, NEEDED, SIDES, STEPS, TITLE, VERBS, VERSION};
use super::lines::{Line, Lines, LocatedError, Word};

/// Reads a saved game; `#` begins a comment. `file` is the name for errors.
///
/// # Errors
/// The first error, with file, line and column: an unknown word, a value out of range, a key that
/// is missing or repeated, a step that the game does not allow.
pub fn parse(file: &str, text: &str) -> Result<History, GameTextError> {
    read(text).map_err(|(place, kind)| GameTextError { file: file.to_owned(), place, kind })
}

fn read(text: &str) -> Result<History, LocatedError> {
    if text.len() > FILE_BYTES_MAX {
        let kind = GameTextErrorKind::TooLarge { bytes: text.len() };
        return Err((Place { line: 1, column: 1 }, kind));
    }
    let mut lines = Lines::of(text);
    title(&mut lines)?;
    let mut history = Head::read(&mut lines)?.history()?;
    let mut count = 0;
    while let Some(line) = lines.next() {
        count += 1;
        if count > MOST {
            return Err((line.verb().place, GameTextErrorKind::TooManySteps));
        }
        let step = step(&line)?;
        history
            .append(step)
            .map_err(|error| (line.verb().place, GameTextErrorKind::CannotFollow(error)))?;
    }
    if history.is_within_edit() {
        return Err((lines.end(), GameTextErrorKind::EditNotDone));
    }
    Ok(history)
}

/// Checks the first line, which identifies the format.
fn title(lines: &mut Lines<'_>) -> Result<(), LocatedError> {
    let title = format!("{TITLE} {VERSION}");
    let Some(line) = lines.next() else {
        return Err((lines.end(), GameTextErrorKind::NoTitle));
    };
    let words: Vec<&str> = line.words.iter().map(|word| word.text).collect();
    if words.join(" ") == title {
        return Ok(());
    }
    if let [before @ .., version] = words.as_slice()
        && before.join(" ") == TITLE
        && version.parse::<u32>().is_ok()
    {
        let version = (*version).to_owned();
        let place = line.words.last().map_or(line.verb().place, |word| word.place);
        return Err((place, GameTextErrorKind::UnknownFormat { version }));
    }
    Err((line.verb().place, GameTextErrorKind::NoTitle))
}

/// Values of the keys in the head.
struct Head<'t> {
    /// Values in the order of [`KEYS`].
    values: [Option<Word<'t>>; KEYS.len()],
    end: Place,
}

impl<'t> Head<'t> {
    /// Reads up to the line `steps`, or to the end of the file.
    fn read(lines: &mut Lines<'t>) -> Result<Self, LocatedError> {
        let mut values: [Option<Word<'t>>; KEYS.len()] = [None; KEYS.len()];
        while let Some(line) = lines.next() {
            let key = line.verb();
            if key.text == STEPS {
                let [] = line.arguments(STEPS)?;
                break;
            }
            let Some(index) = KEYS.iter().position(|known| *known == key.text) else {
                return Err((key.place, no_key(key)));
            };
            let [value] = line.arguments(&format!("{} VALUE", key.text)).map_err(|wrong| {
                // `turn` alone, and the step `bidirectional`, look like keys.
                match VERBS.contains(&key.text) && line.words.len() == 1 {
                    true => (wrong.0, no_key(key)),
                    false => wrong,
                }
            })?;
            if let Some(before) = values[index] {
                let (line, name) = (before.place.line, key.text.to_owned());
                return Err((key.place, GameTextErrorKind::RepeatedKey { key: name, line }));
            }
            values[index] = Some(value);
        }
        let end = lines.end();
        for key in NEEDED {
            if KEYS.iter().zip(&values).any(|(known, value)| *known == key && value.is_none()) {
                return Err((end, GameTextErrorKind::MissingKey { key }));
            }
        }
        Ok(Self { values, end })
    }

    /// Returns the game before its first step.
    fn history(&self) -> Result<History, LocatedError> {
        let system = self.game()?;
        let stones = self.board()?;
        let total: u16 = stones.iter().copied().map(u16::from).sum();
        let turn = match self.choice("turn", &["0", "1"])? {
            Some("1") => Player::Top,
            _ => Player::Bottom,
        };
        let first = self.side("first")?.unwrap_or(turn);
        let direction = match self.choice("direction", &["ccw", "cw"])? {
            Some("cw") => Direction::Clockwise,
            _ => Direction::CounterClockwise,
        };
        let bidirectional = self.is_on("bidirectional")?;
        let setup = Setup {
            game: system.game,
            stones: match self.number("stones", 255)? {
                Some(stones) => stones as u8,
                None => stones_a_cup(system, total),
            },
            bidirectional: match self.value("began-bidirectional") {
                Some(_) => self.is_on("began-bidirectional")?,
                None => bidirectional,
            },
        };
        let opening = Opening {
            position: Position { direction, ..Position::of(stones, turn) },
            moves: self.number("before", u32::MAX)?.unwrap_or(0),
            quiet: self.number("quiet", u32::MAX)?.unwrap_or(0),
            first,
            bidirectional,
            stopped: self.stopped()?,
        };
        History::resume(setup, opening).map_err(|error| self.cannot_be(system, error))
    }

    /// Converts an error of the opening position to an error at the key that is wrong.
    fn cannot_be(&self, system: &System, error: OpeningError) -> LocatedError {
        let at = |key: &str| self.value(key).map_or(self.end, |value| value.place);
        let game = system.name;
        match error {
            OpeningError::Stones(stones) if system.choices => {
                (at("stones"), GameTextErrorKind::StonesToChoose { game, stones })
            }
            OpeningError::Stones(stones) => {
                let usual = system.rules.stones_a_cup;
                (at("stones"), GameTextErrorKind::StonesFixed { game, usual, stones })
            }
            OpeningError::NotBidirectional => {
                let keys = ["bidirectional", "began-bidirectional"];
                let key = keys.into_iter().find(|key| self.value(key).is_some());
                (at(key.unwrap_or(keys[0])), GameTextErrorKind::NotBidirectional { game })
            }
            OpeningError::Total { found, expected } => {
                (at("board"), GameTextErrorKind::StonesTotal { found, expected })
            }
            OpeningError::Clockwise => (at("direction"), GameTextErrorKind::Clockwise),
            OpeningError::Moves if self.value("quiet").is_some() => {
                (at("quiet"), GameTextErrorKind::QuietMoves)
            }
            OpeningError::Moves => (at("first"), GameTextErrorKind::FirstAndTurn),
            OpeningError::Over => {
                let keys = ["abandoned", "resigned"];
                let key = keys.into_iter().find(|key| self.value(key).is_some());
                (at(key.unwrap_or(keys[0])), GameTextErrorKind::StoppedOver)
            }
        }
    }

    fn game(&self) -> Result<&'static System, LocatedError> {
        let names = SYSTEMS.map(|system| system.name);
        let name = self.choice("game", &names)?;
        let system = SYSTEMS.into_iter().find(|system| Some(system.name) == name);
        Ok(system.unwrap_or(Game::default().system()))
    }

    fn board(&self) -> Result<[u8; PLACES], LocatedError> {
        let mut stones = [0; PLACES];
        let Some(board) = self.value("board") else { return Ok(stones) };
        let mut column = board.place.column;
        let mut count = 0;
        for text in board.text.split(',') {
            let number = Word { text, place: Place { column, ..board.place } };
            let value = decimal::<u8>(number.text).ok_or_else(|| {
                (number.place, GameTextErrorKind::NoStones { text: number.shown() })
            })?;
            if let Some(stones) = stones.get_mut(count) {
                *stones = value;
            }
            count += 1;
            column += text.chars().count() as u32 + 1;
        }
        if count != PLACES {
            return Err((board.place, GameTextErrorKind::PlaceCount { count }));
        }
        Ok(stones)
    }

    fn value(&self, key: &str) -> Option<Word<'t>> {
        KEYS.iter().zip(self.values).find(|(known, _)| **known == key).and_then(|(_, value)| value)
    }

    fn choice(
        &self,
        key: &'static str,
        known: &[&'static str],
    ) -> Result<Option<&'static str>, LocatedError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        match known.iter().find(|known| **known == value.text) {
            Some(known) => Ok(Some(known)),
            None => Err((value.place, one_of(key, value, known))),
        }
    }

    fn side(&self, key: &'static str) -> Result<Option<Player>, LocatedError> {
        Ok(self.choice(key, &SIDES)?.and_then(player_called))
    }

    /// Returns how the players ended the game prematurely.
    fn stopped(&self) -> Result<Option<Stop>, LocatedError> {
        let abandoned = self.is_on("abandoned")?;
        match (self.side("resigned")?, self.value("resigned")) {
            (Some(_), Some(value)) if abandoned => {
                Err((value.place, GameTextErrorKind::AbandonedAndResigned))
            }
            (Some(player), _) => Ok(Some(Stop::Resigned(player))),
            (None, _) => Ok(abandoned.then_some(Stop::Abandoned)),
        }
    }

    fn is_on(&self, key: &'static str) -> Result<bool, LocatedError> {
        Ok(self.choice(key, &["on", "off"])? == Some("on"))
    }

    fn number(&self, key: &'static str, max: u32) -> Result<Option<u32>, LocatedError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        match decimal::<u32>(value.text).filter(|number| *number <= max) {
            Some(number) => Ok(Some(number)),
            None => {
                let shown = value.shown();
                Err((value.place, GameTextErrorKind::OutOfRange { key, value: shown, max }))
            }
        }
    }
}

/// Returns the player of that name.
fn player_called(name: &str) -> Option<Player> {
    Player::BOTH.into_iter().find(|player| SIDES[player.index()] == name)
}

/// Returns the number of stones per cup if the head does not give it: the stones on the board
/// divided by the number of cups.
fn stones_a_cup(system: &System, total: u16) -> u8 {
    let cups = Cup::COUNT as u16;
    match u8::try_from(total / cups) {
        Ok(stones @ 3..=5) if system.choices && total.is_multiple_of(cups) => stones,
        _ => system.rules.stones_a_cup,
    }
}

/// Parses a line below `steps`.
fn step(line: &Line<'_>) -> Result<Step, LocatedError> {
    let verb = line.verb();
    Ok(match verb.text {
        "sow" => {
            let [cup] = line.arguments("sow PLACE")?;
            let place = place(cup)?;
            let sown = Cup::at(place.into());
            Step::Sow(sown.ok_or((cup.place, GameTextErrorKind::Store { place }))?)
        }
        "move" => {
            let [from, to_word, to] = line.arguments("move PLACE to PLACE")?;
            if to_word.text != "to" {
                let kind = GameTextErrorKind::NoTo { word: to_word.shown() };
                return Err((to_word.place, kind));
            }
            Step::Transfer { from: place(from)?, to: place(to)? }
        }
        "turn" => {
            let [] = line.arguments("turn")?;
            Step::Turn
        }
        "edited" => {
            let [] = line.arguments("edited")?;
            Step::Edited
        }
        "bidirectional" => {
            let [value] = line.arguments("bidirectional on|off")?;
            match value.text {
                "on" => Step::Bidirectional(true),
                "off" => Step::Bidirectional(false),
                _ => return Err((value.place, one_of("bidirectional", value, &["on", "off"]))),
            }
        }
        "abandon" => {
            let [] = line.arguments("abandon")?;
            Step::Abandon
        }
        "resign" => {
            let [side] = line.arguments("resign bottom|top")?;
            let player = player_called(side.text);
            Step::Resign(player.ok_or_else(|| (side.place, one_of("resign", side, &SIDES)))?)
        }
        key if KEYS.contains(&key) || key == STEPS => {
            return Err((verb.place, GameTextErrorKind::KeyInSteps { key: key.to_owned() }));
        }
        word => {
            let (verb_shown, suggestion) = (verb.shown(), nearest(word, &VERBS));
            let kind = GameTextErrorKind::UnknownStep { verb: verb_shown, suggestion };
            return Err((verb.place, kind));
        }
    })
}

fn place(word: Word<'_>) -> Result<u8, LocatedError> {
    decimal::<u8>(word.text)
        .filter(|place| usize::from(*place) < PLACES)
        .ok_or_else(|| (word.place, GameTextErrorKind::NoPlace { text: word.shown() }))
}

/// Parses a number that consists of digits only: no sign, no blank.
fn decimal<N: FromStr>(text: &str) -> Option<N> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// Returns the reason why a word is not a key of the head.
fn no_key(key: Word<'_>) -> GameTextErrorKind {
    if VERBS.contains(&key.text) {
        return GameTextErrorKind::StepInHead { verb: key.text.to_owned() };
    }
    let known: Vec<&'static str> = KEYS.into_iter().chain([STEPS]).collect();
    let suggestion = nearest(key.text, &known);
    GameTextErrorKind::UnknownKey { key: key.shown(), suggestion }
}

fn one_of(key: &'static str, value: Word<'_>, known: &[&'static str]) -> GameTextErrorKind {
    let suggestion = nearest(value.text, known);
    let (value, choices) = (value.shown(), known.to_vec());
    GameTextErrorKind::UnknownValue { key, value, choices, suggestion }
}
