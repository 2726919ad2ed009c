//! The kinds of errors in a trace, one variant each.

use thiserror::Error;

use super::amount::AmountError;
use super::board::BoardError;
use super::frame_check::FrameCheckError;
use super::header_note::HeaderNoteError;
use super::include::IncludeError;
use super::part::PartError;
use super::sequence::SequenceError;
use super::time::TimeError;
use crate::lfs::IS_A_POINTER;
use crate::limits::{FILE_BYTES_MAX, LINE_BYTES_MAX, LINES_MAX, SHOWN_TOLERANCE, VERSION};
use crate::name::NAME_CHARS_MAX;
use crate::nearest::{did_you_mean, did_you_mean_or};
use crate::place::IncludedPlace;
use crate::spoken::abbreviated;
use crate::{Button, Buttons};
use virtual_time::{Nanos, spoken};

const HOW_A_TRACE_BEGINS: &str = "a trace begins with `trace 1`";

/// An error in a trace. Words are stored as they were written. `Display` is a sentence without a
/// full stop: the fact, the limit and the next step.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// An invalid time.
    #[error(transparent)]
    Time(#[from] TimeError),
    /// Another invalid amount.
    #[error(transparent)]
    Amount(#[from] AmountError),
    /// Invalid options of `expect frame` or `expect text`.
    #[error(transparent)]
    FrameCheck(#[from] FrameCheckError),
    /// An invalid order of timed lines.
    #[error(transparent)]
    Sequence(#[from] SequenceError),
    /// An invalid `include`.
    #[error(transparent)]
    Include(#[from] IncludeError),
    /// An invalid `board` in the header.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A wrong value of `xfail` or `tags` in the header.
    #[error(transparent)]
    HeaderNote(#[from] HeaderNoteError),
    /// Wrong arguments of a line about a control or an LED.
    #[error(transparent)]
    Part(#[from] PartError),
    /// An error in an included file; its own place is that of the line that includes the file.
    #[error("in the included file {place}: {error}")]
    Included {
        /// Place in the included file.
        place: IncludedPlace,
        /// Error at that place.
        error: Box<Self>,
    },

    /// More than [`FILE_BYTES_MAX`] bytes.
    #[error("the trace is larger than {} MiB", FILE_BYTES_MAX >> 20)]
    FileTooLarge,
    /// More than [`LINES_MAX`] lines.
    #[error("a trace has at most {LINES_MAX} lines")]
    TooManyLines,
    /// A line of more than [`LINE_BYTES_MAX`] bytes; its length in bytes.
    #[error("the line has {0} bytes; a line has at most {LINE_BYTES_MAX}")]
    LineTooLong(usize),
    /// A byte that is not UTF-8.
    #[error("byte 0x{0:02X} is not UTF-8; a trace is plain text")]
    NotUtf8(u8),
    /// A NUL byte.
    #[error("a NUL byte is not allowed; a trace is plain text")]
    NulByte,
    /// A control character other than the tab.
    #[error("the control character U+{:04X} is not allowed; a trace is plain text", u32::from(*.0))]
    ControlCharacter(char),

    /// A pointer of Git LFS.
    #[error("the file {IS_A_POINTER}")]
    LfsPointer,
    /// No line at all.
    #[error("there is nothing here; {HOW_A_TRACE_BEGINS}")]
    Empty,
    /// A first line that does not begin with `trace`; its first word.
    #[error(
        "{HOW_A_TRACE_BEGINS}, not with {}{}", abbreviated(.0), did_you_mean(.0, &["trace"])
    )]
    NotATrace(String),
    /// A version other than [`VERSION`]; as it was written.
    #[error(
        "version {} of the format is unknown; this build reads version {VERSION}", abbreviated(.0)
    )]
    UnknownVersion(String),
    /// `trace` after the first line.
    #[error("`trace` is allowed once, in the first line")]
    SecondVersion,
    /// No timed line.
    #[error("no timed line follows; a trace needs at least `0ms power on`")]
    NoTimedLine,
    /// A header key with characters that keys cannot have; the key.
    #[error(
        "{} is no header key; a key is a lower-case letter, then lower-case letters, digits and -",
        abbreviated(.0)
    )]
    NotAKey(String),
    /// A repeated header key.
    #[error("header key `{key}` is in line {line} already")]
    SecondKey {
        key: String,
        /// Line of its first occurrence.
        line: u32,
    },

    /// A verb without a time before it.
    #[error(
        "{} lacks its time; a timed line begins with one, like `+0ms {verb} …`",
        abbreviated(word)
    )]
    NoTime {
        /// The word as written.
        word: String,
        /// The verb that was probably meant.
        verb: &'static str,
    },
    /// A word other than a time or a verb at the beginning of a line; the word.
    #[error(
        "{} is no time; below the first timed line each begins with one, like `250ms` or `+2s`",
        abbreviated(.0)
    )]
    NeitherTimeNorVerb(String),
    /// `+` alone.
    #[error("`+` needs its time right behind it, like `+2s`")]
    PlusWithoutTime,
    /// A time with a blank before its unit.
    #[error("{} lacks its unit; write `{joined}` without a blank", abbreviated(number))]
    BlankBeforeUnit {
        /// The number as written.
        number: String,
        /// The number with its unit.
        joined: String,
    },

    /// The line ends where something is required.
    #[error("{behind} needs {wanted}")]
    Missing {
        /// The part of the line that requires it.
        behind: String,
        /// The required part, with an example.
        wanted: String,
    },
    /// Another word than the required one.
    #[error(
        "{behind} needs `{wanted}`, not {}{}", abbreviated(word), did_you_mean(word, &[wanted])
    )]
    WrongWord {
        /// The part of the line that requires it.
        behind: String,
        /// The required word.
        wanted: &'static str,
        /// The word as written.
        word: String,
    },
    /// A word that is not one of those allowed here.
    #[error("unknown {what} {}{}", abbreviated(word), did_you_mean_or(word, known))]
    Unknown {
        /// The kind of word that is required, like `verb`.
        what: &'static str,
        /// The word as written.
        word: String,
        /// Words that are allowed here.
        known: Vec<&'static str>,
    },
    /// Not a button of the board.
    #[error("unknown button {}{}", abbreviated(word), nearest_button(word, known))]
    UnknownButton {
        /// The word as written.
        word: String,
        /// The buttons of the board.
        known: Buttons,
    },
    /// More words than the line can have.
    #[error("nothing may follow {behind}, but {} does", abbreviated(word))]
    Surplus {
        /// The part that ends the line.
        behind: String,
        /// The word after it.
        word: String,
    },
    /// A word other than `for` after a tap.
    #[error(
        "only `for` and a time may follow `tap {button}`, not {}{}",
        abbreviated(word), did_you_mean(word, &["for"])
    )]
    AfterTap {
        /// The tapped button.
        button: Button,
        /// The word as written.
        word: String,
    },
    /// A word other than `for` after a frequency or `expect no tone`.
    #[error(
        "only `for` and a time may follow {behind}, not {}{}",
        abbreviated(word), did_you_mean(word, &["for"])
    )]
    AfterSound {
        /// The part of the line before the word.
        behind: &'static str,
        /// The word as written.
        word: String,
    },
    /// A tone or a silence for 0 ns.
    #[error("for no time nothing sounds and nothing is silent; name a span")]
    SoundForNoTime,
    /// A tap for 0 ns.
    #[error("a tap that holds for no time presses nothing")]
    TapForNoTime,
    /// `expect text … for` a time within the tolerance; the time.
    #[error(
        "{} is within the tolerance of {}; a text that stood for so short a time is not told from \
         others",
        spoken(*.0), spoken(SHOWN_TOLERANCE)
    )]
    ShownTooShort(Nanos),
    /// `within` 0 ns.
    #[error("within no time nothing is sent; name a span")]
    WithinNoTime,

    /// A text without its closing quote.
    #[error("the text that begins here has no closing \"")]
    Unclosed,
    /// A typographic quote where a straight one begins or ends a text.
    #[error("`{0}` is a typographic quote; a text begins and ends with \"")]
    TypographicQuote(char),
    /// A `\` before another character than `"` and `\`.
    #[error(r#"a \ in a text is allowed before " or \ only"#)]
    Escape,
    /// An escape in the bytes of `type bytes` that does not exist.
    #[error(r#"no such escape in bytes; there are \x15 (two hexadecimal digits), \n, \r, \t, \" and \\"#)]
    ByteEscape,
    /// Bytes of `type bytes` that are none.
    #[error(r#"no bytes to type; `type ""` types an empty line"#)]
    NoBytes,
    /// A text of blanks.
    #[error("an empty text is everywhere; write what must be read")]
    EmptyText,
    /// A word directly after a closing quote.
    #[error("a blank is missing behind the closing \"")]
    NoBlankAfterText,
    /// A name of more than [`NAME_CHARS_MAX`] characters; its length in characters.
    #[error("the name has {0} characters; a name has at most {NAME_CHARS_MAX}")]
    NameTooLong(usize),
    /// A name with characters that names cannot have; as it was written.
    #[error(
        "{} is no name; names become file names: letters, digits, - and _ only", abbreviated(.0)
    )]
    NotAName(String),

    /// An unreadable last line without a line end; its error.
    #[error(
        "the last line has no line end and cannot be read ({0}); if it is torn, delete it, or take \
         the lines above it with `nudge trace tidy`"
    )]
    Torn(Box<ParseErrorKind>),
}

fn nearest_button(word: &str, known: &Buttons) -> String {
    match did_you_mean(word, &known.names()) {
        none if none.is_empty() => format!("; the buttons are {}", known.listed("and")),
        near => near,
    }
}
