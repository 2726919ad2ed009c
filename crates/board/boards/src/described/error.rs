//! Reasons why a described board cannot run.

use std::io;
use std::path::{Path, PathBuf};

use board_file::BoardFileError;
use panel_tables::read::TableError;
use reading::fonts::FontError;
use rp2040_emulator::program::ProgramError;
use thiserror::Error;
use trace::ButtonsError;

use super::images::ImageError;
use crate::pico::WiringError;

/// Reason why a described board cannot run. `Display` gives the fact, the limit and the next step.
#[derive(Debug, Error)]
pub enum DescribedError {
    /// The board file cannot be read, or has errors.
    #[error(transparent)]
    File(#[from] BoardFileError),
    /// The program cannot be loaded.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The board file names no program.
    #[error("the board has no program to run; add a line like `program = \"firmware.uf2\"`")]
    NoProgram,
    /// A part that the machine cannot have.
    #[error(transparent)]
    Wiring(#[from] WiringError),
    /// Names of buttons that a board cannot have.
    #[error(transparent)]
    Buttons(#[from] ButtonsError),
    /// An image that is none of its part.
    #[error(transparent)]
    Image(#[from] ImageError),
    /// The file of a font cannot be read.
    #[error("the font {} cannot be read: {source}", path.display())]
    FontUnreadable {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    /// A font with errors.
    #[error(transparent)]
    Font(#[from] FontError),
    /// The file of a panel's table cannot be read.
    #[error("the table of the panel, {}, cannot be read: {source}", path.display())]
    TableUnreadable { path: PathBuf, source: io::Error },
    /// The table of a panel has an error.
    #[error("the table of the panel, {}:{source}", path.display())]
    Table { path: PathBuf, source: TableError },
    /// A glass that is larger than the controller's memory.
    #[error(
        "the glass of {}x{} px at {},{} is larger than the memory of the {title}, {columns}x{lines}; \
         `size` is that of the unrotated glass", size.0, size.1, offset.0, offset.1
    )]
    Glass { size: (u32, u32), offset: (u32, u32), title: String, columns: u16, lines: u16 },
    /// One of the above, in this board file.
    #[error("{}: {error}", path.display())]
    In { path: PathBuf, error: Box<Self> },
}

impl DescribedError {
    /// Adds the path of the board file.
    pub(super) fn at(self, path: &Path) -> Self {
        Self::In { path: path.to_owned(), error: Box::new(self) }
    }
}
