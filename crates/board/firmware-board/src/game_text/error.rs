//! Errors in a saved game's text, as data and as sentences.

use boards::suggested;
use firmware_core::history::{MOST, StepError};
use firmware_core::rules::{Cup, PLACES};
use trace::Place;

use super::format::{FILE_BYTES_MAX, KEYS, STEPS, TITLE, VERBS, VERSION};

/// An error in a saved game's text, with its place: `win.game.txt:3:6: …`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{place}: {kind}")]
pub struct GameTextError {
    /// File name as it was given.
    pub file: String,
    pub place: Place,
    #[source]
    pub kind: GameTextErrorKind,
}

/// The kind of an error in a saved game's text. `Display` gives the fact and the next step. Words
/// of the text are cut after 40 characters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameTextErrorKind {
    /// The text is longer than [`FILE_BYTES_MAX`].
    #[error("this is no saved game: it has {bytes} bytes, and the largest has {FILE_BYTES_MAX}")]
    TooLarge {
        /// Size of the text in bytes.
        bytes: usize,
    },
    /// The first line is not the title.
    #[error("this is no saved game: it begins with `{TITLE} {VERSION}`")]
    NoTitle,
    /// The title has another version.
    #[error("format {version} is unknown; this nudge reads format {VERSION}")]
    UnknownFormat {
        /// Version as it was written.
        version: String,
    },
    /// The line has too many words.
    #[error("`{word}` is too much; the line is `{usage}`")]
    ExtraWord {
        /// First surplus word.
        word: String,
        /// Form of the whole line.
        usage: String,
    },
    /// The line has too few words.
    #[error("the line ends too early; it is `{usage}`")]
    MissingWord {
        /// Form of the whole line.
        usage: String,
    },
    /// A step is in the head.
    #[error("`{verb}` is a step; steps come below a line `{STEPS}`")]
    StepInHead {
        /// Verb of the step.
        verb: String,
    },
    /// There is no such key.
    #[error("`{key}` is no key of a saved game{}", key_suggested(*suggestion))]
    UnknownKey {
        /// Key as it was written.
        key: String,
        /// The key that was probably meant.
        suggestion: Option<&'static str>,
    },
    /// A key occurs twice in the head.
    #[error("`{key}` is in line {line} already; keep one")]
    RepeatedKey {
        key: String,
        /// Line of the first occurrence.
        line: u32,
    },
    /// A key without a default is missing.
    #[error("the line `{key} VALUE` is missing above this")]
    MissingKey { key: &'static str },
    /// The value is not one of the valid values of its key or verb.
    #[error(
        "`{key} {value}` is unknown; it is one of {}{}", choices.join(", "), suggested(*suggestion)
    )]
    UnknownValue {
        /// The key or the verb.
        key: &'static str,
        /// Value as it was written.
        value: String,
        /// All valid values.
        choices: Vec<&'static str>,
        /// The value that was probably meant.
        suggestion: Option<&'static str>,
    },
    /// A number is invalid or too large.
    #[error("`{key} {value}` is out of range; it takes 0 to {max}")]
    OutOfRange {
        key: &'static str,
        /// Value as it was written.
        value: String,
        /// Largest valid number.
        max: u32,
    },
    /// A place of `board` is not a number of stones.
    #[error("`{text}` is no number of stones, which is 0 to 255")]
    NoStones {
        /// Place as it was written.
        text: String,
    },
    /// `board` has more or fewer than 14 places.
    #[error("a board has {PLACES} places, separated by commas, not {count}")]
    PlaceCount {
        /// Number of places that were written.
        count: usize,
    },
    /// Wari is not played with this number of stones per cup.
    #[error("`{game}` has 3, 4 or 5 stones a cup, not {stones}")]
    StonesToChoose {
        /// Name of the system.
        game: &'static str,
        /// Number of stones as it was written.
        stones: u8,
    },
    /// The system is played with another number of stones per cup.
    #[error("`{game}` has {usual} stones a cup, not {stones}")]
    StonesFixed {
        /// Name of the system.
        game: &'static str,
        /// The system's number of stones per cup.
        usual: u8,
        /// Number of stones as it was written.
        stones: u8,
    },
    /// The system is not bidirectional.
    #[error("only `wari` is bidirectional, not `{game}`; leave the line out")]
    NotBidirectional {
        /// Name of the system.
        game: &'static str,
    },
    /// The number of stones on the board differs from that of the game.
    #[error(
        "there are {found} stones on this board, but {expected} in the game: twelve cups of {}",
        expected / Cup::COUNT as u16
    )]
    StonesTotal {
        /// Number of stones on the board.
        found: u16,
        /// Number of stones in the game.
        expected: u16,
    },
    /// `direction cw` in a game that is not bidirectional.
    #[error("only a bidirectional game goes clockwise; add the line `bidirectional on`")]
    Clockwise,
    /// There are more quiet moves than moves.
    #[error("there are at most as many quiet moves as went `before`")]
    QuietMoves,
    /// The player of the first move is not the one who begins.
    #[error("without a move `before`, whose turn it is begins; change `first` or `turn`")]
    FirstAndTurn,
    /// A game that is over is marked as abandoned or given up.
    #[error("a game that is over by its rules was neither abandoned nor given up")]
    StoppedOver,
    /// A game is marked as both abandoned and given up.
    #[error("a game that was abandoned was not given up as well: leave one of the two out")]
    AbandonedAndResigned,
    /// There are more steps than a board stores.
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
    Store { place: u8 },
    /// A number is not that of a place.
    #[error("`{text}` is no place of the board, which are 0 to 13")]
    NoPlace {
        /// Number as it was written.
        text: String,
    },
    /// `move` has no `to`.
    #[error("expected `to`, not `{word}`: `move 3 to 6`")]
    NoTo {
        /// Word in the place of `to`.
        word: String,
    },
    /// A key of the head is below the steps.
    #[error("`{key}` belongs above the steps, once; below them it means nothing")]
    KeyInSteps { key: String },
    /// There is no such step.
    #[error("`{verb}` is no step; there are {}{}", VERBS.join(", "), suggested(*suggestion))]
    UnknownStep {
        /// Verb as it was written.
        verb: String,
        /// The verb that was probably meant.
        suggestion: Option<&'static str>,
    },
}

/// Returns the suggested key, or all keys.
fn key_suggested(suggestion: Option<&str>) -> String {
    match suggestion {
        Some(_) => suggested(suggestion),
        None => format!("; there are {}", KEYS.join(", ")),
    }
}
