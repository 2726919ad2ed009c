//! State of a saved game or a log that is sent or received over the console.
//!
//! An export consists of the lines of an import (at most [`TEXT_BYTES`] of text in each), so one
//! board can send what another receives.

use crate::game::history::text::{GAME_LINE, GameReader, GameText};
use crate::pins::command_line::COMMAND;
use crate::storage::Crc;
use crate::storage::files::{FileEntry, FileKind, Writer};
use crate::storage::name::Name;

/// Maximum number of text bytes in a line of an import.
pub(super) const TEXT_BYTES: usize = COMMAND - "import text=\"\"".len();

const _: () = assert!(GAME_LINE <= TEXT_BYTES, "a line of a saved game is sent whole");

/// The transfer in progress: one at a time.
#[allow(clippy::large_enum_variant, reason = "there is no heap, and one transfer at a time")]
#[derive(Clone)]
pub(super) enum Transfer {
    Export(Export),
    Import(Import),
}

/// A file that is being sent.
#[derive(Clone)]
pub(super) struct Export {
    pub(super) entry: FileEntry,
    /// Number of text lines sent, and their checksum.
    pub(super) lines: u32,
    pub(super) sum: Crc,
    pub(super) part: ExportPart,
}

/// Next step of an export.
#[derive(Clone)]
pub(super) enum ExportPart {
    /// Reads the saved game from this byte on, into `Memory::transferred`.
    Read(u32),
    /// Sends the next line of the game that was read.
    Game(GameText),
    /// Sends the log from this byte on.
    Log(u32),
}

/// A file that is being received.
#[derive(Clone)]
pub(super) struct Import {
    pub(super) kind: FileKind,
    pub(super) name: Name,
    /// Whether it replaces an existing file with the same name.
    pub(super) over: bool,
    /// Number of text lines received, their bytes and their checksum.
    pub(super) lines: u32,
    pub(super) bytes: u32,
    pub(super) sum: Crc,
    pub(super) content: ImportContent,
}

/// Destination of the lines of an import.
#[allow(clippy::large_enum_variant, reason = "there is no heap, and one import at a time")]
#[derive(Clone)]
pub(super) enum ImportContent {
    /// `Memory::transferred`; the file is written at the end.
    Game(GameReader),
    /// A file of `length` bytes, which exists once the import has ended.
    Log { writer: Writer, length: u32 },
}
