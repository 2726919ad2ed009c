//! The initial state of an interactive session: the board's flash, and the header of the trace that
//! records the session.
//!
//! A recorded session must replay on a board that knows only the trace. Settings that a header can
//! name are therefore copied into the header. A flash with further content (saved games, logs,
//! totals) is copied whole into a file beside the recording.
//!
//! This module does not know the window and opens no file for writing.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hal_mock::{Machine, setup::SetupError};
use trace::{BOARD_KEY, HeaderEntry, Trace};

use crate::factory::BoardFactory;
use crate::flash_file::{self, FlashFileError};
use crate::lcd_firmware::LcdFirmware;
use crate::pico::ChipDebugger;

/// Options for the start of a session.
#[derive(Clone, Debug, Default)]
pub struct SessionOptions {
    /// File into which the session is recorded.
    pub record: Option<PathBuf>,
    /// File of the board's flash; it may not exist yet.
    pub flash: Option<PathBuf>,
    /// Seed of every random source; `None`: there is no randomness.
    pub seed: Option<u64>,
    /// Settings of the firmware that differ from those in the flash.
    pub settings: Vec<HeaderEntry>,
    /// The board file, if one describes the board.
    pub board: Option<PathBuf>,
}

/// The initial state of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Session {
    /// Header of the session's trace.
    pub header: Vec<HeaderEntry>,
    /// Content of the flash before the header's settings are written over it; `None`: factory-new.
    pub image: Option<Vec<u8>>,
    /// Content of the flash file; `None` if there is no file.
    pub on_disk: Option<Vec<u8>>,
    /// Name and content of the flash file that a recording needs beside it.
    pub flash_beside: Option<(String, Vec<u8>)>,
}

/// Reason why no session can be prepared.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The flash cannot be read.
    #[error(transparent)]
    Flash(#[from] FlashFileError),
    /// The header of a recording with this name cannot name the flash file beside it.
    #[error(
        "{}: a recording of that name cannot name the flash beside it; choose a plainer one",
        .0.display()
    )]
    RecordingName(PathBuf),
    /// No header can name this board file.
    #[error(
        "{}: a recording cannot name this board file; move it into a folder with a plainer name",
        .0.display()
    )]
    BoardName(PathBuf),
    /// The flash file beside the recording would be the board's flash file itself.
    #[error(
        "{}: its copy of the board's flash would be {}, which is the flash itself; name the \
         recording differently", record.display(), flash.display()
    )]
    BesideIsFlash {
        /// Path of the recording.
        record: PathBuf,
        /// Path of the board's flash file.
        flash: PathBuf,
    },
}

impl Session {
    /// Reads the flash and determines the initial state of the session on a board that runs `firmware`,
    /// or another one if a board file describes the board.
    ///
    /// # Errors
    /// If the flash file exists but cannot be read or is not a flash, or if the header of the
    /// recording cannot name the file beside it.
    pub fn prepare(
        options: SessionOptions,
        firmware: &dyn LcdFirmware,
    ) -> Result<Self, SessionError> {
        let on_disk = match &options.flash {
            Some(path) => flash_file::read(path)?,
            None => None,
        };
        let mut image = on_disk.clone();
        let (mut header, mut flash_beside) = (Vec::new(), None);
        let described = options.board.is_some();
        if options.flash.is_some() && !described {
            header = firmware.session_header(image.as_deref());
        }
        if let (Some(record), Some(old)) = (&options.record, &image) {
            match firmware.header_of_flash(old).filter(|_| !described) {
                Some(settings) => {
                    header = settings;
                    image = None;
                }
                None => {
                    let name = beside(record)?;
                    let copy = record.with_file_name(&name);
                    if let Some(flash) = options.flash.filter(|flash| same_file(flash, &copy)) {
                        return Err(SessionError::BesideIsFlash { record: record.clone(), flash });
                    }
                    flash_beside = Some((name, old.clone()));
                }
            }
        }
        if let Some(seed) = options.seed {
            header.retain(|entry| entry.key != "seed");
            header.insert(0, HeaderEntry::new("seed", seed.to_string()));
        }
        for setting in options.settings {
            header.retain(|entry| entry.key != setting.key);
            header.insert(0, setting);
        }
        if let Some(board) = &options.board {
            let folder = options.record.as_deref().and_then(Path::parent);
            let named = board_file_from(board, folder.unwrap_or(Path::new("")))?;
            header.insert(0, HeaderEntry::new(BOARD_KEY, named));
        }
        Ok(Self { header, image, on_disk, flash_beside })
    }

    /// Builds the board with its power off.
    ///
    /// # Errors
    /// As for [`BoardFactory::build`].
    pub fn machine(&self, factory: &BoardFactory) -> Result<Box<dyn Machine>, SetupError> {
        let trace = Trace { header: self.header.clone(), ..Trace::default() };
        factory.build(&trace, self.image.clone())
    }

    /// Like [`machine`](Self::machine), with a debugger of its emulated chip. A machine without one
    /// has no debugger.
    ///
    /// # Errors
    /// As for [`BoardFactory::build`].
    pub fn debugged_machine(
        &self,
        factory: &BoardFactory,
        debugger: Arc<dyn ChipDebugger>,
    ) -> Result<Box<dyn Machine>, SetupError> {
        let trace = Trace { header: self.header.clone(), ..Trace::default() };
        match factory.build_pico(&trace, self.image.clone())? {
            Some(pico) => Ok(Box::new(pico.with_debugger(debugger))),
            None => factory.build(&trace, self.image.clone()),
        }
    }
}

/// Returns whether both paths lead to one existing file.
fn same_file(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// Returns the name of the flash file beside the recording.
fn beside(record: &Path) -> Result<String, SessionError> {
    let name = record.with_extension("flash").file_name().map(|name| name.to_owned());
    let name = name.and_then(|name| name.into_string().ok());
    name.filter(|name| name.trim() == name && !name.contains(['#', '\n']))
        .ok_or_else(|| SessionError::RecordingName(record.to_owned()))
}

/// Returns the path of a board file from `folder`, as the header of a trace in this folder names it.
/// An empty path is the current folder.
///
/// # Errors
/// If no header can name the file.
pub fn board_file_from(board: &Path, folder: &Path) -> Result<String, SessionError> {
    name_from(board, folder).ok_or_else(|| SessionError::BoardName(board.to_owned()))
}

fn name_from(board: &Path, folder: &Path) -> Option<String> {
    let board = std::path::absolute(board).ok()?;
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let folder = canonical(folder)?;
    let board = board.parent()?.canonicalize().ok()?.join(board.file_name()?);
    let (mut up, mut base) = (0, folder.as_path());
    while !board.starts_with(base) {
        base = base.parent()?;
        up += 1;
    }
    let mut parts: Vec<String> = vec!["..".to_owned(); up];
    for part in board.strip_prefix(base).ok()?.components() {
        parts.push(part.as_os_str().to_str()?.to_owned());
    }
    let name = parts.join("/");
    let is_plain = name.trim() == name && !name.contains(['#', '\n', '\\', ':']);
    is_plain.then_some(name)
}

/// Returns the canonical path of a folder, which may not exist yet.
fn canonical(folder: &Path) -> Option<PathBuf> {
    let folder = std::path::absolute(folder).ok()?;
    folder.ancestors().find_map(|existing| {
        let rest = folder.strip_prefix(existing).ok()?;
        Some(existing.canonicalize().ok()?.join(rest))
    })
}
