//! What can be wrong in a saved game's text, as data and as sentences.

use firmware_core::history::{MOST, StepError};
use firmware_core::rules::{Cup, PLACES};
use trace::Place;

use super::format::{FILE_BYTES_MAX, KEYS, STEPS, TITLE, VERBS, VERSION};
use crate::suggestion::suggested;

/// What is wrong in a saved game's text, and where: `win.game.txt:3:6: …`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{place}: {kind}")]
pub struct GameTextError {
    /// The file as it was named.
    pub file: String,
    /// Where.
    pub place: Place,
    /// What is wrong.
    #[source]
    pub kind: GameTextErrorKind,
}

/// What is wrong in a saved game's text. `Display` gives the fact and the next step. Words of the
/// text are cut after 40 characters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameTextErrorKind {
    /// The text is longer than [`FILE_BYTES_MAX`].
    #[error("this is no saved game: it has {bytes} bytes, and the largest has {FILE_BYTES_MAX}")]
    TooLarge {
        /// Its size.
        bytes: usize,
    },
    /// The first line is not the title.
    #[error("this is no saved game: it begins with `{TITLE} {VERSION}`")]
    NoTitle,
    /// The title has another version.
    #[error("format {version} is unknown; this nudge reads format {VERSION}")]
    UnknownFormat {
        /// As it was written.
        version: String,
    },
    /// The line has a word too many.
    #[error("`{word}` is too much; the line is `{usage}`")]
    ExtraWord {
        /// The first word too many.
        word: String,
        /// The whole line.
        usage: String,
    },
    /// The line has a word too few.
    #[error("the line ends too early; it is `{usage}`")]
    MissingWord {
        /// The whole line.
        usage: String,
    },
    /// A step stands in the head.
    #[error("`{verb}` is a step; steps come below a line `{STEPS}`")]
    StepInHead {
        /// The step's verb.
        verb: String,
    },
    /// There is no such key.
    #[error("`{key}` is no key of a saved game{}", key_suggested(*suggestion))]
    UnknownKey {
        /// As it was written.
        key: String,
        /// The key that was probably meant.
        suggestion: Option<&'static str>,
    },
    /// A key stands twice in the head.
    #[error("`{key}` stands in line {line} already; keep one")]
    RepeatedKey {
        /// The key.
        key: String,
        /// The line of the first.
        line: u32,
    },
    /// A key without a default is missing.
    #[error("the line `{key} VALUE` is missing above this")]
    MissingKey {
        /// The key.
        key: &'static str,
    },
    /// A value is none of those that its key, or verb, can have.
    #[error(
        "`{key} {value}` is unknown; it is one of {}{}", choices.join(", "), suggested(*suggestion)
    )]
    UnknownValue {
        /// The key, or the verb.
        key: &'static str,
        /// As it was written.
        value: String,
        /// Every value that it can have.
        choices: Vec<&'static str>,
        /// The value that was probably meant.
        suggestion: Option<&'static str>,
    },
    /// A number is none or too large.
    #[error("`{key} {value}` is out of range; it takes 0 to {max}")]
    OutOfRange {
        /// The key.
        key: &'static str,
        /// As it was written.
        value: String,
        /// The largest number.
        max: u32,
    },
    /// A place of `board` is no number of stones.
    #[error("`{text}` is no number of stones, which is 0 to 255")]
    NoStones {
        /// As it was written.
        text: String,
    },
    /// `board` has more or fewer than 14 places.
    #[error("a board has {PLACES} places, separated by commas, not {count}")]
    PlaceCount {
        /// As many as were written.
        count: usize,
    },
    /// Wari is not played with so many stones a cup.
    #[error("`{game}` has 3, 4 or 5 stones a cup, not {stones}")]
    StonesToChoose {
        /// The system's name.
        game: &'static str,
        /// As it was written.
        stones: u8,
    },
    /// The system is played with another number of stones a cup.
    #[error("`{game}` has {usual} stones a cup, not {stones}")]
    StonesFixed {
        /// The system's name.
        game: &'static str,
        /// Its stones a cup.
        usual: u8,
        /// As it was written.
        stones: u8,
    },
    /// The system is not bidirectional.
    #[error("only `wari` is bidirectional, not `{game}`; leave the line out")]
    NotBidirectional {
        /// The system's name.
        game: &'static str,
    },
    /// The stones on the board are not those of the game.
    #[error(
        "there are {found} stones on this board, but {expected} in the game: twelve cups of {}",
        expected / Cup::COUNT as u16
    )]
    StonesTotal {
        /// Stones on the board.
        found: u16,
        /// Stones of the game.
        expected: u16,
    },
    /// `direction cw` in a game that is not bidirectional.
    #[error("only a bidirectional game goes clockwise; add the line `bidirectional on`")]
    Clockwise,
    /// More quiet moves than moves.
    #[error("there are at most as many quiet moves as went `before`")]
    QuietMoves,
    /// The player to make the first move is not the one who begins.
    #[error("without a move `before`, whose turn it is begins; change `first` or `turn`")]
    FirstAndTurn,
    /// A game that is over is said to be abandoned or given up.
    #[error("a game that is over by its rules was neither abandoned nor given up")]
    StoppedOver,
    /// A game is said to be abandoned and given up.
    #[error("a game that was abandoned was not given up as well: leave one of the two out")]
    AbandonedAndResigned,
    /// There are more steps than a board keeps.
    #[error("a game keeps at most {MOST} steps; set it up later, by `board`")]
    TooManySteps,
    /// The game does not allow the step.
    #[error("this step cannot follow: {0}")]
    CannotFollow(#[source] StepError),
    /// The text ends within an edit.
    #[error("the edit is not done; end it by a line `edited`")]
    EditNotDone,
    /// `sow` names a store.
    #[error("{place} is a store; cups are 0 to 5 and 7 to 12")]
    Store {
        /// The place.
        place: u8,
    },
    /// A number that no place has.
    #[error("`{text}` is no place of the board, which are 0 to 13")]
    NoPlace {
        /// As it was written.
        text: String,
    },
    /// `move` without its `to`.
    #[error("`to` stands here, not `{word}`: `move 3 to 6`")]
    NoTo {
        /// The word in its place.
        word: String,
    },
    /// A key of the head stands below the steps.
    #[error("`{key}` stands above the steps, once; below them it means nothing")]
    KeyInSteps {
        /// The key.
        key: String,
    },
    /// There is no such step.
    #[error("`{verb}` is no step; there are {}{}", VERBS.join(", "), suggested(*suggestion))]
    UnknownStep {
        /// As it was written.
        verb: String,
        /// The verb that was probably meant.
        suggestion: Option<&'static str>,
    },
}

/// The key that was meant, or else all of them.
fn key_suggested(suggestion: Option<&str>) -> String {
    match suggestion {
        Some(_) => suggested(suggestion),
        None => format!("; there are {}", KEYS.join(", ")),
    }
}
