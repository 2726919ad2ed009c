//! Errors of a board file: the fact, the limit and the next step, each with line and column.

use core::fmt;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::limits::{
    BUTTONS_MAX, DISPLAY_SIDE_MAX, ERRORS_MAX, FIRST_ANALOG_GPIO, GPIO_MAX, GRID_MAX, LIST_MAX,
    NAME_CHARS_MAX, PARTS_MAX, TEXT_BYTES_MAX, VERSION,
};
use crate::nearest::{hint, hint_or};
use crate::syntax::SyntaxStep;

/// An error and its place: `pad.board.toml:12:7: GP5 …`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}:{line}:{column}: {kind}")]
pub struct BoardError {
    /// Name of the file, as the caller gave it.
    pub file: String,
    /// Line number, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    pub kind: BoardErrorKind,
}

/// The errors of a file in order of their places: at least one, at most [`ERRORS_MAX`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct BoardErrors {
    pub(crate) list: Vec<BoardError>,
    /// Number of further errors that are not in the list.
    pub(crate) more: usize,
}

impl BoardErrors {
    /// Returns the errors in order of their places.
    pub fn list(&self) -> &[BoardError] {
        &self.list
    }

    /// Returns the number of errors that the list leaves out.
    pub fn more(&self) -> usize {
        self.more
    }
}

impl fmt::Display for BoardErrors {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, error) in self.list.iter().enumerate() {
            write!(out, "{}{error}", if at == 0 { "" } else { "\n" })?;
        }
        if self.more > 0 {
            write!(out, "\nand {} more; these are the first {ERRORS_MAX}", self.more)?;
        }
        Ok(())
    }
}

/// The reason why a board file could not be loaded.
#[derive(Debug, Error)]
pub enum BoardFileError {
    /// The file cannot be read.
    #[error("the board file {} cannot be read: {error}", path.display())]
    Read {
        path: PathBuf,
        /// Error of the operating system.
        #[source]
        error: io::Error,
    },
    /// The file has errors.
    #[error(transparent)]
    Parse(#[from] BoardErrors),
}

/// An error in a board file. Words from the file are shortened to 40 characters.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BoardErrorKind {
    /// The file is larger than a board file can be.
    #[error("the file is larger than {} KiB, the limit of a board file; is it another file?", max >> 10)]
    TooLarge {
        /// Maximum size in bytes.
        max: usize,
    },
    /// The file is not UTF-8.
    #[error("the file is not UTF-8; save it as UTF-8 text")]
    NotUtf8,
    /// The file is UTF-16.
    #[error("the file is UTF-16, as Notepad and PowerShell may write it; save it as UTF-8 text")]
    Utf16,
    /// The file has no keys.
    #[error("the file is empty; docs/board-file.md has a file to start from")]
    Empty,
    /// The text is not TOML.
    #[error("this is no TOML: {message}; {step}")]
    Syntax {
        /// Message of the parser.
        message: String,
        step: SyntaxStep,
    },
    /// A version that this build does not read.
    #[error(
        "version {found} of board files is unknown; this build reads `board = {VERSION}`: write that, or use a newer nudge"
    )]
    Version { found: i64 },
    /// A key that the table does not have.
    #[error("{table} has no key `{key}`{}", hint(key, known))]
    UnknownKey {
        table: &'static str,
        key: String,
        /// The keys of the table.
        known: Vec<&'static str>,
    },
    /// A key of the board in a table.
    #[error(
        "`{key}` is a key of the board, and this line is part of {table}; move it above the first \
         `[[…]]`"
    )]
    KeyOfTheBoard { table: &'static str, key: String },
    /// A key that the table needs.
    #[error("{table} has no `{key}`; add a line like `{key} = {example}`")]
    MissingKey { table: &'static str, key: &'static str, example: String },
    /// A value of another type.
    #[error("`{key}` is {found}, and it takes {expected}; write it like `{key} = {example}`")]
    WrongType { key: &'static str, found: &'static str, expected: String, example: String },
    /// A table in single brackets, of which a board can have several.
    #[error("`[{table}]` is one of a list; write `[[{table}]]`")]
    SingleTable { table: &'static str },
    /// A word that is none of the choices.
    #[error("`{key}` cannot be `{word}`{}", hint(word, known))]
    UnknownWord { key: &'static str, word: String, known: Vec<&'static str> },
    /// A chip that is not emulated.
    #[error("`{0}` is not emulated, only the chip `rp2040`{step}", step = chip_step(.0))]
    UnknownChip(String),
    /// A number without a unit.
    #[error("`{key} = {written}` needs a unit: {units}; write it like `{key} = {example}`")]
    NoUnit { key: &'static str, written: String, units: String, example: String },
    /// A unit that the key does not take.
    #[error("`{key}` has the unit `{unit}`; it takes {units}, like `{key} = {example}`")]
    UnknownUnit { key: &'static str, unit: String, units: String, example: String },
    /// A text that is no number, or no whole number of the smallest unit.
    #[error("`{key} = \"{written}\"` is no value for it; write it like `{key} = {example}`")]
    NotANumber { key: &'static str, written: String, example: String },
    /// A number with a decimal comma.
    #[error(
        "`{key} = \"{written}\"` has a comma; the decimal sign is a point: `{key} = \"{instead}\"`"
    )]
    DecimalComma { key: &'static str, written: String, instead: String },
    /// An address of seven bits with the bit for reading and writing.
    #[error(
        "`{key}` is 0x{written:02X}; an address has seven bits, 0x{min:02X} to 0x{max:02X}: without the bit \
         for reading it is 0x{:02X}", written >> 1
    )]
    AddressOfEightBits { key: &'static str, written: u32, min: u32, max: u32 },
    /// A value outside of its range.
    #[error("`{key}` is {written}; it can be {min} to {max}")]
    OutOfRange { key: &'static str, written: String, min: String, max: String },
    /// A display that is too large.
    #[error(
        "a display of {width}x{height} px is too large; a side has 1 to {DISPLAY_SIDE_MAX} px: \
         write the size of the panel's glass"
    )]
    DisplaySize { width: u64, height: u64 },
    /// A pin as a number.
    #[error("`{key} = {number}` is no pin; write it as `{key} = \"GP{number}\"`")]
    PinWithoutGp { key: &'static str, number: i64 },
    /// A text that is no pin.
    #[error(
        "`{key} = {written}` is no pin; {} pins are \"GP0\" to \"GP{GPIO_MAX}\"",
        match meant {
            Some(number) => format!("did you mean \"GP{number}\"? The"),
            None => "the".to_owned(),
        }
    )]
    NotAPin {
        key: &'static str,
        /// The value as it is in the file.
        written: String,
        /// Number of the pin that was probably meant.
        meant: Option<u8>,
    },
    /// A pin that the chip does not have.
    #[error("the RP2040 has no GP{number}; its pins are GP0 to GP{GPIO_MAX}")]
    NoSuchPin { number: u64 },
    /// A pin that has no analog input.
    #[error(
        "GP{number} has no analog input; `{key}` takes GP{FIRST_ANALOG_GPIO} to GP{GPIO_MAX} \
         (ADC0 to ADC3)"
    )]
    NotAnalog { key: &'static str, number: u8 },
    /// A pin that two parts use.
    #[error(
        "GP{number} is `{key}` of {part} and in line {line} `{other_key}` of {other}; give one of \
         them another pin"
    )]
    PinTwice {
        number: u8,
        key: &'static str,
        part: String,
        other_key: &'static str,
        other: String,
        line: usize,
    },
    /// A name of two parts.
    #[error(
        "the name {name} is in line {line} already; traces need one part for a name: change the `name` of one"
    )]
    NameTwice { name: String, line: usize },
    /// A key of the keyboard that two parts suggest.
    #[error("the key {key} is suggested in line {line} already; choose another key")]
    KeyTwice { key: String, line: usize },
    /// A text that is no name.
    #[error(
        "`{0}` is no name; a name has 1 to {NAME_CHARS_MAX} letters, digits, `-` and `_`, and begins \
         with a letter or digit"
    )]
    BadName(String),
    /// A text that names no key of a keyboard.
    #[error("there is no key `{key}` on a keyboard{}", hint_or(key, known, "docs/keymap.md"))]
    UnknownKeyName { key: String, known: Vec<&'static str> },
    /// A text with control characters, or a text that is too long or empty.
    #[error("`{key}` has 1 to {TEXT_BYTES_MAX} bytes without control characters")]
    BadText { key: &'static str },
    /// A path with control characters, or a path that is too long or empty.
    #[error(
        "`{key}` has 1 to {TEXT_BYTES_MAX} bytes without control characters; write `/` in paths: a \
         backslash between `\"` begins an escape"
    )]
    BadPath { key: &'static str },
    /// A text that is no colour.
    #[error("`{0}` is no colour; write it like `colour = \"#ff2000\"`")]
    BadColour(String),
    /// A list with too many values.
    #[error("`{key}` has {found} values; the limit is {LIST_MAX}")]
    LongList { key: &'static str, found: usize },
    /// Too many parts.
    #[error("the board has {found} parts; the limit is {PARTS_MAX}: remove some")]
    TooManyParts { found: usize },
    /// Too many buttons, those of matrices included.
    #[error(
        "the board has {found} buttons, those of matrices included; the limit is {BUTTONS_MAX}: \
         describe only {BUTTONS_MAX} of them"
    )]
    TooManyButtons { found: usize },
    /// A board without a display.
    #[error("the board has no display; add a `[[display]]` with `panel`, `bus` and its pins")]
    NoDisplay,
    /// A panel that is not built in.
    #[error(
        "there is no panel `{panel}`, and the table of another panel is a path that ends in \
         `.toml`{}",
        hint(panel, known)
    )]
    UnknownPanel { panel: String, known: Vec<&'static str> },
    /// A rule that does not exist, or that fails no replay.
    #[error(
        "no rule `{rule}` fails a replay{}",
        hint_or(rule, known, "docs/board-file.schema.json")
    )]
    UnknownRule { rule: String, known: Vec<&'static str> },
    /// A panel that is a path, without a size.
    #[error("the size of the panel in `{panel}` is not known here; add `size = \"240x320 px\"`")]
    NoPanelSize { panel: String },
    /// A panel that does not have the bus.
    #[error("the panel {panel} has no bus {bus}; its buses are {buses}")]
    PanelBus { panel: String, bus: &'static str, buses: String },
    /// A glass that is larger than the memory of its panel.
    #[error(
        "a glass of {size} at {offset} is larger than the memory of the {panel}, {memory}{}",
        if *is_turned {
            format!(
                "; `size` is that of the unrotated glass: write `size = \"{memory}\"` and \
                 `rotation = \"90 deg\"`"
            )
        } else {
            "; reduce `size` or `offset`".to_owned()
        }
    )]
    Glass {
        size: String,
        offset: String,
        panel: String,
        memory: String,
        /// Whether the glass would fit if its sides were exchanged.
        is_turned: bool,
    },
    /// A pin that no UART of the chip can use.
    #[error(
        "GP{gpio} is no {signal} of a UART block; {possible} are (RP2040 datasheet, 1.4.3){}",
        if *is_exchanged { ": exchange `tx` and `rx`" } else { "" }
    )]
    NoUart {
        gpio: u8,
        signal: &'static str,
        possible: &'static str,
        /// Whether the pins would be right if they were exchanged.
        is_exchanged: bool,
    },
    /// TX and RX of different UARTs.
    #[error("GP{tx} and GP{rx} belong to different UART blocks; use the RX of UART{number}")]
    TwoUarts { tx: u8, rx: u8, number: usize },
    /// A pin that the bus or kind needs.
    #[error("{what} needs `{key}`; add a line like `{key} = {example}`")]
    Needs { what: String, key: &'static str, example: &'static str },
    /// A key that the bus or kind does not use.
    #[error("{what} has no `{key}`; remove the line{}", instead.map(|key| format!(", or write `{key}`")).unwrap_or_default())]
    Superfluous { what: String, key: &'static str, instead: Option<&'static str> },
    /// A list whose length is wrong.
    #[error(
        "`{key}` takes {expected} value{} in {what}, not {found}",
        if *expected == 1 { "" } else { "s" }
    )]
    Count { key: &'static str, found: usize, what: String, expected: usize },
    /// Two parts at the same place of the face.
    #[error("{part} overlaps {other} of line {line} on the face; move one, or remove its `place`")]
    Overlap { part: String, other: String, line: usize },
    /// A part outside of the face.
    #[error("the place ends at {axis} {end}; the face has {GRID_MAX} columns and {GRID_MAX} rows")]
    OutsideFace { axis: &'static str, end: u32 },
    /// Two devices with one address on a bus.
    #[error("the address {address:#04x} is in line {line} already, on the same bus; change one")]
    AddressTwice { address: u16, line: usize },
    /// A touch panel on a display that the board does not have.
    #[error("the board has no display `{name}`; its displays are {}", known.join(", "))]
    NoSuchDisplay { name: String, known: Vec<String> },
    /// A channel of a touch panel with the same value at both edges.
    #[error(
        "`{key}` has the value {value} at both edges of the glass; write that of each edge, like \
         `{key} = [200, 3900]`"
    )]
    EqualEdges { key: &'static str, value: u32 },
    /// A wire with both ends at one pin.
    #[error("the wire connects GP{0} with itself; a wire has two pins")]
    WireToItself(u8),
    /// An SPI flash whose size no chip has.
    #[error("`size` is {size}; an SPI flash has a power of two, like `size = \"2 MiB\"`")]
    FlashSize { size: String },
    /// A card whose last sector is incomplete.
    #[error("`size` is {size}; a card has whole sectors of 512 B: write a multiple of it")]
    CardSize { size: String },
    /// A register with two answers.
    #[error("the register {register:#04x} has an answer in line {line} already; keep one")]
    RegisterTwice { register: u64, line: usize },
}

/// Returns the next step for a chip that is not emulated.
fn chip_step(chip: &str) -> &'static str {
    let chip = chip.to_ascii_lowercase();
    let means_rp2040 = ["rp2040", "pico", "raspberry pi pico", "rpi_pico", "pico w"];
    if means_rp2040.contains(&chip.as_str()) {
        ": write `chip = \"rp2040\"`"
    } else {
        "; a program for another chip cannot run"
    }
}

impl BoardErrorKind {
    /// Returns whether the error is about the text of the file, before any key is read.
    pub fn is_syntax(&self) -> bool {
        matches!(
            self,
            Self::TooLarge { .. } | Self::NotUtf8 | Self::Utf16 | Self::Empty | Self::Syntax { .. }
        )
    }
}
