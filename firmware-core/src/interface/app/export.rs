//! The console command `export`: lists stored files, or sends a saved game or a log as the lines
//! that `import` accepts.
//!
//! Sends at most one line a step, and only when nothing else waits to be sent: a line of the game
//! waits at most for the one that is being sent. A saved game is read before its first line, some
//! bytes a step; the checksum of a log is compared at its end.

use core::ops::DerefMut;

use embedded_storage::nor_flash::NorFlash;
use heapless::String;

use super::refusal::Refusal;
use super::state::{App, Memory};
use super::transfer::{Export, ExportPart, TEXT_BYTES, Transfer};
use crate::game::history::saved::{HEAD, SAVED_BYTES};
use crate::game::history::text::{GAME_LINE, GameText};
use crate::game::history::{History, Step};
use crate::storage::files::{self, FileEntry, FileKind};
use crate::storage::name::Name;
use crate::storage::{Crc, StorageError};

/// Number of steps of a saved game that are read and played in one step of the app.
const READ_AT_ONCE: usize = 32;

/// Result of one step of an export.
enum Next {
    /// The export continues with this part.
    Part(ExportPart),
    /// Everything has been sent.
    End,
}

impl<M: DerefMut<Target = Memory>> App<M> {
    /// Returns whether lines of an export remain.
    pub fn is_exporting(&self) -> bool {
        matches!(self.files.transfer, Some(Transfer::Export(_)))
    }

    /// Lists the stored files.
    pub(super) fn print_files<F: NorFlash>(
        &mut self,
        flash: &mut F,
    ) -> Result<(), Refusal<'static>> {
        let files::Listing { files, damaged, room } = files::list(flash, None)?;
        for FileEntry { kind, name, length, .. } in &files {
            let kind = kind.name();
            self.memory.console.line(format_args!("stored {kind}={name} bytes={length}"));
        }
        let count = files.len();
        self.memory
            .console
            .line(format_args!("stored files={count} damaged={damaged} room={room}"));
        Ok(())
    }

    /// Begins to send a file.
    pub(super) fn begin_export<F: NorFlash>(
        &mut self,
        kind: FileKind,
        name: Name,
        flash: &mut F,
    ) -> Result<(), Refusal<'static>> {
        self.may_change()?;
        if let Some(Transfer::Import(import)) = &self.files.transfer {
            return Err(Refusal::ImportIsOpen(import.kind, import.name));
        }
        let entry = files::find(flash, kind, name)?.ok_or(Refusal::NoFile(kind, name))?;
        let part = match kind {
            FileKind::Game => ExportPart::Read(0),
            FileKind::Log => {
                let length = entry.length;
                self.memory.console.line(format_args!("import log={name} bytes={length}"));
                ExportPart::Log(0)
            }
        };
        self.files.transfer =
            Some(Transfer::Export(Export { entry, lines: 0, sum: Crc::NONE, part }));
        Ok(())
    }

    /// Returns whether the next piece of an export can be processed.
    pub(super) fn can_export(&self) -> bool {
        self.is_exporting() && self.memory.console.is_empty()
    }

    /// Processes the next piece of an export: reads some of the file, or sends a line.
    pub(super) fn export<F: NorFlash>(&mut self, flash: &mut F) {
        if !self.can_export() {
            return;
        }
        let Some(Transfer::Export(mut export)) = self.files.transfer.take() else { return };
        match self.next_piece(&mut export, flash) {
            Ok(Next::Part(part)) => {
                self.files.transfer = Some(Transfer::Export(Export { part, ..export }));
            }
            Ok(Next::End) => {
                let Export { entry: FileEntry { name, .. }, lines, sum, .. } = export;
                let sum = sum.sum();
                self.memory
                    .console
                    .line(format_args!("import end={name} lines={lines} sum={sum:08x}"));
            }
            Err(refusal) => self.answer_refusal(&refusal),
        }
    }

    fn next_piece<F: NorFlash>(
        &mut self,
        export: &mut Export,
        flash: &mut F,
    ) -> Result<Next, Refusal<'static>> {
        let FileEntry { name, .. } = export.entry;
        let Memory { console, transferred, .. } = &mut *self.memory;
        match &mut export.part {
            ExportPart::Read(at) => {
                let next = read_game(&export.entry, *at, transferred, flash)?;
                if next < export.entry.length {
                    return Ok(Next::Part(ExportPart::Read(next)));
                }
                if transferred.is_within_edit() {
                    return Err(Refusal::DamagedFile(FileKind::Game, name));
                }
                let text = GameText::new(transferred);
                console.line(format_args!("import game={name}"));
                Ok(Next::Part(ExportPart::Game(text)))
            }
            ExportPart::Game(text) => {
                let mut line = String::<GAME_LINE>::new();
                if !text.next_line(transferred, &mut line) {
                    return Ok(Next::End);
                }
                console.line(format_args!("import text=\"{line}\""));
                export.lines += 1;
                export.sum.add(line.as_bytes());
                export.sum.add(b"\n");
                Ok(Next::Part(ExportPart::Game(text.clone())))
            }
            ExportPart::Log(at) => {
                let mut bytes = [0; TEXT_BYTES + 1];
                let read = files::read(flash, &export.entry, *at, &mut bytes)?;
                if read == 0 {
                    return match export.sum.sum() == export.entry.sum() {
                        true => Ok(Next::End),
                        false => Err(Refusal::DamagedFile(FileKind::Log, name)),
                    };
                }
                let end = bytes[..read].iter().position(|byte| *byte == b'\n');
                let length = end.unwrap_or(read.min(TEXT_BYTES));
                let text = &bytes[..length];
                if !text.iter().all(|byte| matches!(byte, b' '..=b'~')) {
                    return Err(Refusal::DamagedFile(FileKind::Log, name));
                }
                let verb = if end.is_some() { "text" } else { "part" };
                let text = core::str::from_utf8(text).unwrap_or_default();
                console.line(format_args!("import {verb}=\"{text}\""));
                let sent = length + usize::from(end.is_some());
                export.lines += 1;
                export.sum.add(&bytes[..sent]);
                Ok(Next::Part(ExportPart::Log(*at + sent as u32)))
            }
        }
    }
}

/// Plays more of the saved game in `entry`, beginning at this byte. Returns the offset that it
/// reached.
fn read_game<F: NorFlash>(
    entry: &FileEntry,
    at: u32,
    history: &mut History,
    flash: &mut F,
) -> Result<u32, Refusal<'static>> {
    let FileEntry { kind, name, length, .. } = *entry;
    let damaged = Refusal::DamagedFile(kind, name);
    if at == 0 {
        // A damaged header may state any length.
        if length > SAVED_BYTES as u32 {
            return Err(damaged);
        }
        match files::verify(flash, entry) {
            Err(StorageError::Damaged) => return Err(damaged),
            verified => verified?,
        }
        let mut head = [0; HEAD];
        let read = files::read(flash, entry, 0, &mut head)?;
        return match history.restore(&head) {
            Ok(steps) if read == HEAD && HEAD + steps == length as usize => Ok(HEAD as u32),
            _ => Err(damaged),
        };
    }
    let mut codes = [0; READ_AT_ONCE];
    let read = files::read(flash, entry, at, &mut codes)?;
    for code in &codes[..read] {
        let step = Step::from_code(*code);
        if step.is_none_or(|step| history.append(step).is_err()) {
            return Err(damaged);
        }
    }
    Ok(at + read as u32)
}
