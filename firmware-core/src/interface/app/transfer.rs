//! A saved game or a log that goes out or comes in over the console: what is remembered of it.
//!
//! An export is made of the lines of an import ([`TEXT_BYTES`] of text in each at most), so what one board sends another takes.

use crate::game::history::text::{GAME_LINE, GameReader, GameText};
use crate::pins::command_line::COMMAND;
use crate::storage::Crc;
use crate::storage::files::{FileEntry, FileKind, Writer};
use crate::storage::name::Name;

/// Bytes of text that a line of an import has at most.
pub(super) const TEXT_BYTES: usize = COMMAND - "import text=\"\"".len();

const _: () = assert!(GAME_LINE <= TEXT_BYTES, "a line of a saved game is sent whole");

/// What is under way: one at a time.
#[allow(clippy::large_enum_variant, reason = "there is no heap, and one transfer at a time")]
#[derive(Clone)]
pub(super) enum Transfer {
    Export(Export),
    Import(Import),
}

/// A file on its way out.
#[derive(Clone)]
pub(super) struct Export {
    pub(super) entry: FileEntry,
    /// Lines of text that were sent, and their sum.
    pub(super) lines: u32,
    pub(super) sum: Crc,
    pub(super) part: ExportPart,
}

/// What an export does next.
#[derive(Clone)]
pub(super) enum ExportPart {
    /// Reads the saved game from this byte on, into `Memory::transferred`.
    Read(u32),
    /// Sends the next line of the game that was read.
    Game(GameText),
    /// Sends the log from this byte on.
    Log(u32),
}

/// A file on its way in.
#[derive(Clone)]
pub(super) struct Import {
    pub(super) kind: FileKind,
    pub(super) name: Name,
    /// Whether it replaces one of its name.
    pub(super) over: bool,
    /// Lines of text that came, their bytes and their sum.
    pub(super) lines: u32,
    pub(super) bytes: u32,
    pub(super) sum: Crc,
    pub(super) content: ImportContent,
}

/// Where the lines of an import go.
#[allow(clippy::large_enum_variant, reason = "there is no heap, and one import at a time")]
#[derive(Clone)]
pub(super) enum ImportContent {
    /// Into `Memory::transferred`; the file is written at the end.
    Game(GameReader),
    /// Into a file of so many bytes, which exists from the end on.
    Log { writer: Writer, length: u32 },
}
