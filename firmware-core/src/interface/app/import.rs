//! The console command `import`: receives a saved game or a log line by line. The file exists once
//! the import has ended.
//!
//! Until then no stored file changes. A game is buffered in RAM; a log is written into free sectors
//! of the flash, like a log that the board writes itself. An import that is incomplete when the
//! power goes off, or when another one begins, leaves nothing in the flash.

use core::mem;
use core::ops::DerefMut;

use embedded_storage::nor_flash::NorFlash;

use super::files::write_game;
use super::refusal::Refusal;
use super::state::{App, Memory};
use super::transfer::{Import, ImportContent, Transfer};
use crate::game::history::saved::SAVED_BYTES;
use crate::game::history::text::GameReader;
use crate::storage::files::{self, FileKind, Writer};
use crate::storage::name::Name;
use crate::storage::{Crc, StorageError};

/// Numbers that the last line of an import states about the lines before it.
#[derive(Default)]
pub(super) struct TransferSummary {
    pub(super) lines: Option<u32>,
    pub(super) sum: Option<u32>,
}

impl<M: DerefMut<Target = Memory>> App<M> {
    /// Begins to receive a file and drops an unfinished one. A log has `length` bytes.
    pub(super) fn begin_import<F: NorFlash>(
        &mut self,
        kind: FileKind,
        name: Name,
        length: u32,
        over: bool,
        flash: &mut F,
    ) -> Result<(), Refusal<'static>> {
        self.may_change()?;
        if !over && files::find(flash, kind, name)?.is_some() {
            return Err(Refusal::Taken(kind, name));
        }
        // The writer of a game begins again at its end: here it only checks whether there is room.
        let most = if kind == FileKind::Game { SAVED_BYTES as u32 } else { length };
        let writer =
            Writer::begin(flash, kind, name, most).map_err(|error| no_room(kind, error))?;
        let content = match kind {
            FileKind::Game => ImportContent::Game(GameReader::default()),
            FileKind::Log => ImportContent::Log { writer, length },
        };
        let (lines, bytes, sum) = (0, 0, Crc::NONE);
        self.files.transfer =
            Some(Transfer::Import(Import { kind, name, over, lines, bytes, sum, content }));
        let kind = kind.name();
        self.memory.console.line(format_args!("importing {kind}={name}"));
        Ok(())
    }

    /// Receives a line of the file, or a part of one.
    pub(super) fn import_text<'l, F: NorFlash>(
        &mut self,
        text: &'l str,
        is_whole: bool,
        flash: &mut F,
    ) -> Result<(), Refusal<'l>> {
        self.may_change()?;
        let Some(Transfer::Import(import)) = &mut self.files.transfer else {
            return Err(Refusal::NoImport);
        };
        let end: &[u8] = if is_whole { b"\n" } else { b"" };
        let length = (text.len() + end.len()) as u32;
        match &mut import.content {
            ImportContent::Game(_) if !is_whole => return Err(Refusal::PartOfGame),
            ImportContent::Game(reader) => {
                let taken = reader.take(text, &mut self.memory.transferred);
                taken.map_err(|error| Refusal::GameLine(import.lines + 1, error))?;
            }
            ImportContent::Log { length: most, .. } if import.bytes + length > *most => {
                return Err(Refusal::LogTooLong(*most));
            }
            ImportContent::Log { writer, .. } => {
                let appended = writer.append(flash, text.as_bytes());
                if let Err(error) = appended.and_then(|()| writer.append(flash, end)) {
                    self.files.transfer = None;
                    return Err(sectors_reused(error));
                }
            }
        }
        import.lines += 1;
        import.bytes += length;
        import.sum.add(text.as_bytes());
        import.sum.add(end);
        let lines = import.lines;
        self.memory.console.line(format_args!("imported line={lines}"));
        Ok(())
    }

    /// Ends the import: the file exists from now on.
    pub(super) fn end_import<F: NorFlash>(
        &mut self,
        name: Name,
        stated: &TransferSummary,
        flash: &mut F,
    ) -> Result<(), Refusal<'static>> {
        self.may_change()?;
        let Some(Transfer::Import(import)) = &mut self.files.transfer else {
            return Err(Refusal::NoImport);
        };
        if import.name != name {
            return Err(Refusal::ImportIsOpen(import.kind, import.name));
        }
        let (kind, lines, sum) = (import.kind, import.lines, import.sum.sum());
        if let ImportContent::Game(reader) = &mut import.content
            && stated.lines.is_none_or(|stated| stated == lines)
        {
            // The sender can still add a missing line.
            let finished = reader.finish(&mut self.memory.transferred);
            finished.map_err(|error| Refusal::GameLine(lines + 1, error))?;
        }
        let Some(Transfer::Import(import)) = self.files.transfer.take() else {
            return Err(Refusal::NoImport);
        };
        if let Some(stated) = stated.lines.filter(|stated| *stated != lines) {
            return Err(Refusal::WrongLength { stated, found: lines, of: "lines" });
        }
        if stated.sum.is_some_and(|stated| stated != sum) {
            return Err(Refusal::Sum(sum));
        }
        match import.content {
            ImportContent::Game(_) => {
                if !import.over && files::find(flash, kind, name)?.is_some() {
                    return Err(Refusal::Taken(kind, name));
                }
                let history = &self.memory.transferred;
                let begun = Writer::begin(flash, kind, name, history.saved_len() as u32);
                // A finished game has not been counted on this board.
                let counted = !history.is_over();
                let written = begun.and_then(|writer| write_game(writer, history, counted, flash));
                written.map_err(|error| no_room(kind, error))?;
            }
            ImportContent::Log { length, .. } if import.bytes != length => {
                let found = import.bytes;
                return Err(Refusal::WrongLength { stated: length, found, of: "bytes" });
            }
            ImportContent::Log { writer, .. } => {
                writer.finish(flash).map_err(sectors_reused)?;
            }
        }
        let kind = kind.name();
        self.memory
            .console
            .line(format_args!("imported {kind}={name} lines={lines} sum={sum:08x}"));
        Ok(())
    }

    /// Drops an unfinished import.
    pub(super) fn stop_import(&mut self) -> Result<(), Refusal<'static>> {
        match mem::take(&mut self.files.transfer) {
            Some(Transfer::Import(import)) => {
                let (kind, name) = (import.kind.name(), import.name);
                self.memory.console.line(format_args!("imported state=dropped {kind}={name}"));
                Ok(())
            }
            other => {
                self.files.transfer = other;
                Err(Refusal::NoImport)
            }
        }
    }
}

const fn no_room(kind: FileKind, error: StorageError) -> Refusal<'static> {
    match error {
        StorageError::Full => Refusal::NoRoom(kind),
        error => Refusal::Storage(error),
    }
}

/// Maps the error of a log whose sectors another file has overwritten meanwhile.
const fn sectors_reused(error: StorageError) -> Refusal<'static> {
    match error {
        StorageError::Damaged => Refusal::SectorsReused,
        error => Refusal::Storage(error),
    }
}
