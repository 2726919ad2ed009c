//! Reasons for refusing a line typed on the console, and their messages.

use core::fmt;

use crate::game::history::text::{GameLineError, TypedWord, typed_number};
use crate::pins::command_line::LineFault;
use crate::storage::files::FileKind;
use crate::storage::name::Name;
use crate::storage::{Contradiction, SettingKey, StorageError};

/// Reason for refusing a line. Borrows the words of the line.
pub(super) enum Refusal<'l> {
    Line(LineFault),
    Unknown(&'l str),
    Usage(&'static str),
    NoKey(&'l str),
    NoValue(SettingKey, &'l str),
    Contradiction(SettingKey, Contradiction),
    NoGame(&'l str),
    NoNumber(&'l str),
    NoPlayer(&'l str),
    NoName(&'l str),
    NoSum(&'l str),
    Covered,
    Storage(StorageError),
    /// The file does not exist.
    NoFile(FileKind, Name),
    /// The checksum of the file is wrong, or it is not a game or a text.
    DamagedFile(FileKind, Name),
    /// A file with this name exists already.
    Taken(FileKind, Name),
    /// The flash has no room for the file.
    NoRoom(FileKind),
    /// A line of an import although none has begun.
    NoImport,
    /// Another import is open; only one is possible at a time.
    ImportIsOpen(FileKind, Name),
    /// An error in a line of a saved game, with the line number.
    GameLine(u32, GameLineError<'l>),
    /// A line of a saved game was split into parts.
    PartOfGame,
    /// The log has more bytes than announced.
    LogTooLong(u32),
    /// The number of received lines or bytes is wrong; the import is dropped.
    WrongLength {
        stated: u32,
        found: u32,
        of: &'static str,
    },
    /// The checksum of the received text is this one, and wrong; the import is dropped.
    Sum(u32),
    /// Another file was written meanwhile.
    SectorsReused,
}

impl fmt::Display for Refusal<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(fault) => fault.fmt(out),
            Self::Unknown(word) => write!(out, "unknown command {}; type help", TypedWord(word)),
            Self::Usage(usage) => write!(out, "it is written: {usage}"),
            Self::NoKey(word) => {
                write!(out, "unknown setting {}; type get for all of them", TypedWord(word))
            }
            Self::NoValue(key, word) => {
                write!(out, "{} cannot be {}; it is ", key.name(), TypedWord(word))?;
                one_of(out, key.choices())
            }
            Self::Contradiction(key, why) => write!(out, "{} is not set: {why}", key.name()),
            Self::NoGame(word) => {
                write!(out, "unknown game {}; it is ", TypedWord(word))?;
                one_of(out, SettingKey::Game.choices())
            }
            Self::NoNumber(word) => write!(out, "{} is no whole number in range", TypedWord(word)),
            Self::NoPlayer(word) => write!(out, "{} is neither bottom nor top", TypedWord(word)),
            Self::NoName(word) => {
                write!(out, "{} is no name; it is 1 to 8 of A to Z, 0 to 9 and -", TypedWord(word))
            }
            Self::NoSum(word) => {
                write!(out, "{} is no sum; it has 8 digits 0 to f", TypedWord(word))
            }
            Self::Covered => out.write_str(
                "a menu, a question or an edit is open; leave it and send the line again",
            ),
            Self::Storage(error) => write!(out, "the flash failed: {error}"),
            Self::NoFile(kind, name) => {
                write!(out, "no {} is called {name}; type export for all of them", kind.name())
            }
            Self::DamagedFile(kind, name) => {
                write!(out, "the {} {name} is damaged; delete it in the menu", kind.name())
            }
            Self::Taken(kind, name) => {
                let kind = kind.name();
                write!(out, "there is a {kind} {name}; add the word over to replace it")
            }
            Self::NoRoom(kind) => {
                let kind = kind.name();
                write!(out, "the flash has no room for this {kind}; delete one in the menu")
            }
            Self::NoImport => {
                out.write_str("no import is open; begin with import game NAME or import log NAME")
            }
            Self::ImportIsOpen(kind, name) => {
                let kind = kind.name();
                write!(out, "the import of the {kind} {name} is open; end it or type import stop")
            }
            Self::GameLine(line, error) => write!(out, "line {line}: {error}"),
            Self::PartOfGame => out.write_str("a line of a saved game is sent whole, as text"),
            Self::LogTooLong(bytes) => {
                write!(out, "the log would have more than the {bytes} bytes of its first line")
            }
            Self::WrongLength { stated, found, of } => {
                write!(out, "{found} {of} came, not {stated}; nothing is stored, begin again")
            }
            Self::Sum(sum) => write!(out, "the sum is {sum:08x}; nothing is stored, begin again"),
            Self::SectorsReused => {
                out.write_str("another file was written meanwhile; nothing is stored, begin again")
            }
        }
    }
}

impl From<StorageError> for Refusal<'_> {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}

fn one_of(
    out: &mut fmt::Formatter<'_>,
    choices: impl Iterator<Item = &'static str>,
) -> fmt::Result {
    for (nth, choice) in choices.enumerate() {
        out.write_str(if nth == 0 { "" } else { ", " })?;
        out.write_str(choice)?;
    }
    Ok(())
}

/// Parses a number of 32 bits.
pub(super) fn number(word: &str) -> Result<u32, Refusal<'_>> {
    let number = typed_number(word, u64::from(u32::MAX));
    number.map(|number| number as u32).ok_or(Refusal::NoNumber(word))
}
