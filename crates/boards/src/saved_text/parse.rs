//! Lines to history: words read, the game put together and played.

use std::str::FromStr;

use firmware_core::history::saved::{Opening, OpeningError};
use firmware_core::history::{History, MOST, Setup, Step};
use firmware_core::rules::{Cup, Direction, PLACES, Player, Position};
use firmware_core::systems::{Game, SYSTEMS, System};
use hal_mock::trace::{Place, did_you_mean, nearest};

use super::lines::{Line, Lines, Word, Wrong};
use super::{FILE_BYTES_MAX, KEYS, NEEDED, STEPS, SavedTextError, TITLE, VERBS, VERSION};

/// Reads a saved game; `#` begins a comment. `file` is the name for errors.
///
/// # Errors
/// The first thing that is wrong, with file, line and column: a word that is unknown, a value
/// that does not fit, a key that is missing or stands twice, a step that cannot follow.
pub fn parse(file: &str, text: &str) -> Result<History, SavedTextError> {
    read(text).map_err(|(place, message)| SavedTextError { file: file.to_owned(), place, message })
}

fn read(text: &str) -> Result<History, Wrong> {
    if text.len() > FILE_BYTES_MAX {
        let message = format!(
            "this is no saved game: it has {} bytes, and the largest has {FILE_BYTES_MAX}",
            text.len()
        );
        return Err((Place { line: 1, column: 1 }, message));
    }
    let mut lines = Lines::of(text);
    title(&mut lines)?;
    let mut history = Head::read(&mut lines)?.history()?;
    let mut count = 0;
    while let Some(line) = lines.next() {
        count += 1;
        if count > MOST {
            let message = format!("a game keeps at most {MOST} steps; set it up later, by `board`");
            return Err((line.verb().place, message));
        }
        let step = step(&line)?;
        history
            .append(step)
            .map_err(|error| (line.verb().place, format!("this step cannot follow: {error}")))?;
    }
    if history.is_within_edit() {
        return Err((lines.end(), "the edit is not done; end it by a line `edited`".into()));
    }
    Ok(history)
}

/// The first line says what the file is.
fn title(lines: &mut Lines<'_>) -> Result<(), Wrong> {
    let title = format!("{TITLE} {VERSION}");
    let Some(line) = lines.next() else {
        return Err((lines.end(), format!("this is no saved game: it begins with `{title}`")));
    };
    let words: Vec<&str> = line.words.iter().map(|word| word.text).collect();
    if words.join(" ") == title {
        return Ok(());
    }
    if let [before @ .., version] = words.as_slice()
        && before.join(" ") == TITLE
        && version.parse::<u32>().is_ok()
    {
        let message = format!("format {version} is unknown; this nudge reads format {VERSION}");
        let place = line.words.last().map_or(line.verb().place, |word| word.place);
        return Err((place, message));
    }
    Err((line.verb().place, format!("this is no saved game: it begins with `{title}`")))
}

/// The head: a value for each key that stands there.
struct Head<'t> {
    /// By the order of [`KEYS`].
    values: [Option<Word<'t>>; KEYS.len()],
    end: Place,
}

impl<'t> Head<'t> {
    /// Reads up to the line `steps`, or to the end.
    fn read(lines: &mut Lines<'t>) -> Result<Self, Wrong> {
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
                // `turn` alone, and `bidirectional` of the steps, look like keys.
                match VERBS.contains(&key.text) && line.words.len() == 1 {
                    true => (wrong.0, no_key(key)),
                    false => wrong,
                }
            })?;
            if let Some(before) = values[index] {
                let line = before.place.line;
                let message = format!("`{}` stands in line {line} already; keep one", key.text);
                return Err((key.place, message));
            }
            values[index] = Some(value);
        }
        let end = lines.end();
        for key in NEEDED {
            if KEYS.iter().zip(&values).any(|(known, value)| *known == key && value.is_none()) {
                return Err((end, format!("the line `{key} VALUE` is missing above this")));
            }
        }
        Ok(Self { values, end })
    }

    /// The game before its first step.
    fn history(&self) -> Result<History, Wrong> {
        let system = self.game()?;
        let stones = self.board()?;
        let total: u16 = stones.iter().copied().map(u16::from).sum();
        let turn = match self.choice("turn", &["0", "1"])? {
            Some("1") => Player::Top,
            _ => Player::Bottom,
        };
        let first = match self.choice("first", &["bottom", "top"])? {
            Some("bottom") => Player::Bottom,
            Some(_) => Player::Top,
            None => turn,
        };
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
            abandoned: self.is_on("abandoned")?,
        };
        History::resume(setup, opening).map_err(|error| self.cannot_be(system, error))
    }

    /// Why the game cannot stand like this, at the key that says so.
    fn cannot_be(&self, system: &System, error: OpeningError) -> Wrong {
        let at = |key: &str| self.value(key).map_or(self.end, |value| value.place);
        let name = system.name;
        let first = |keys: [&str; 2]| {
            at(keys.into_iter().find(|key| self.value(key).is_some()).unwrap_or(keys[0]))
        };
        match error {
            OpeningError::Stones(stones) if system.choices => {
                (at("stones"), format!("`{name}` has 3, 4 or 5 stones a cup, not {stones}"))
            }
            OpeningError::Stones(stones) => {
                let usual = system.rules.stones_a_cup;
                (at("stones"), format!("`{name}` has {usual} stones a cup, not {stones}"))
            }
            OpeningError::NotBidirectional => {
                let place = first(["bidirectional", "began-bidirectional"]);
                (place, format!("only `wari` is bidirectional, not `{name}`; leave the line out"))
            }
            OpeningError::Total { found, expected } => (
                at("board"),
                format!(
                    "there are {found} stones on this board, but {expected} in the game: twelve \
                     cups of {}",
                    expected / Cup::COUNT as u16
                ),
            ),
            OpeningError::Clockwise => (
                at("direction"),
                "only a bidirectional game goes clockwise; add the line `bidirectional on`".into(),
            ),
            OpeningError::Moves if self.value("quiet").is_some() => {
                (at("quiet"), "there are at most as many quiet moves as went `before`".into())
            }
            OpeningError::Moves => (
                at("first"),
                "without a move `before`, whose turn it is begins; change `first` or `turn`".into(),
            ),
            OpeningError::Over => {
                (at("abandoned"), "a game that is over by its rules was not abandoned".into())
            }
        }
    }

    fn game(&self) -> Result<&'static System, Wrong> {
        let names = SYSTEMS.map(|system| system.name);
        let name = self.choice("game", &names)?;
        let system = SYSTEMS.into_iter().find(|system| Some(system.name) == name);
        Ok(system.unwrap_or(Game::default().system()))
    }

    fn board(&self) -> Result<[u8; PLACES], Wrong> {
        let mut stones = [0; PLACES];
        let Some(board) = self.value("board") else { return Ok(stones) };
        let mut column = board.place.column;
        let mut count = 0;
        for text in board.text.split(',') {
            let number = Word { text, place: Place { column, ..board.place } };
            let value = decimal::<u8>(number.text).ok_or_else(|| {
                let shown = number.shown();
                (number.place, format!("`{shown}` is no number of stones, which is 0 to 255"))
            })?;
            if let Some(stones) = stones.get_mut(count) {
                *stones = value;
            }
            count += 1;
            column += text.chars().count() as u32 + 1;
        }
        if count != PLACES {
            let message = format!("a board has {PLACES} places, separated by commas, not {count}");
            return Err((board.place, message));
        }
        Ok(stones)
    }

    fn value(&self, key: &str) -> Option<Word<'t>> {
        KEYS.iter().zip(self.values).find(|(known, _)| **known == key).and_then(|(_, value)| value)
    }

    fn choice(&self, key: &str, known: &[&'static str]) -> Result<Option<&'static str>, Wrong> {
        let Some(value) = self.value(key) else { return Ok(None) };
        match known.iter().find(|known| **known == value.text) {
            Some(known) => Ok(Some(known)),
            None => Err((value.place, one_of(key, value, known))),
        }
    }

    fn is_on(&self, key: &str) -> Result<bool, Wrong> {
        Ok(self.choice(key, &["on", "off"])? == Some("on"))
    }

    fn number(&self, key: &str, most: u32) -> Result<Option<u32>, Wrong> {
        let Some(value) = self.value(key) else { return Ok(None) };
        match decimal::<u32>(value.text).filter(|number| *number <= most) {
            Some(number) => Ok(Some(number)),
            None => {
                let shown = value.shown();
                let message = format!("`{key} {shown}` is out of range; it takes 0 to {most}");
                Err((value.place, message))
            }
        }
    }
}

/// Stones a cup if the head does not say: as many as the board's stones make.
fn stones_a_cup(system: &System, total: u16) -> u8 {
    let cups = Cup::COUNT as u16;
    match u8::try_from(total / cups) {
        Ok(stones @ 3..=5) if system.choices && total.is_multiple_of(cups) => stones,
        _ => system.rules.stones_a_cup,
    }
}

/// The step of a line below `steps`.
fn step(line: &Line<'_>) -> Result<Step, Wrong> {
    let verb = line.verb();
    Ok(match verb.text {
        "sow" => {
            let [cup] = line.arguments("sow PLACE")?;
            let place = place(cup)?;
            Step::Sow(Cup::at(place.into()).ok_or_else(|| {
                (cup.place, format!("{place} is a store; cups are 0 to 5 and 7 to 12"))
            })?)
        }
        "move" => {
            let [from, to_word, to] = line.arguments("move PLACE to PLACE")?;
            if to_word.text != "to" {
                let message = format!("`to` stands here, not `{}`: `move 3 to 6`", to_word.shown());
                return Err((to_word.place, message));
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
                _ => return Err((value.place, one_of(verb.text, value, &["on", "off"]))),
            }
        }
        "abandon" => {
            let [] = line.arguments("abandon")?;
            Step::Abandon
        }
        key if KEYS.contains(&key) || key == STEPS => {
            let message =
                format!("`{key}` stands above the steps, once; below them it means nothing");
            return Err((verb.place, message));
        }
        word => {
            let near = did_you_mean(word, &VERBS);
            let known = VERBS.join(", ");
            let message = format!("`{}` is no step; there are {known}{near}", verb.shown());
            return Err((verb.place, message));
        }
    })
}

fn place(word: Word<'_>) -> Result<u8, Wrong> {
    decimal::<u8>(word.text).filter(|place| usize::from(*place) < PLACES).ok_or_else(|| {
        (word.place, format!("`{}` is no place of the board, which are 0 to 13", word.shown()))
    })
}

/// A number in digits only: no sign, no blank.
fn decimal<N: FromStr>(text: &str) -> Option<N> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// Why a word is no key of the head.
fn no_key(key: Word<'_>) -> String {
    if VERBS.contains(&key.text) {
        return format!("`{}` is a step; steps come below a line `{STEPS}`", key.text);
    }
    let known: Vec<&str> = KEYS.into_iter().chain([STEPS]).collect();
    let mut near = did_you_mean(key.text, &known);
    if nearest(key.text, &known).is_none() {
        near = format!("; there are {}", KEYS.join(", "));
    }
    format!("`{}` is no key of a saved game{near}", key.shown())
}

fn one_of(key: &str, value: Word<'_>, known: &[&str]) -> String {
    let near = did_you_mean(value.text, known);
    format!("`{key} {}` is unknown; it is one of {}{near}", value.shown(), known.join(", "))
}
