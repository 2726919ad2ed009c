//! `nudge export`: the board as one HTML file.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use boards::BoardError;
use hal_mock::setup::SetupError;
use host::{
    Exit,
    output_files::{Output, OutputError},
};
use page::{BundleError, Document, Mode, PackedTrace};
use runner::{OpenError, PackError, open_trace_on, pack_trace_on};

use crate::board_factory::virtual_factory;
use crate::cli::ExportArgs;
use crate::page_board::{self, ELF_BYTES_MAX, ElfError};

pub fn export(args: &ExportArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    match written(args) {
        Ok(bytes) => {
            writeln!(out, "wrote {} ({} KiB)", args.output.display(), bytes.div_ceil(1 << 10))?;
            Ok(Exit::Passed)
        }
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            Ok(Exit::Usage)
        }
    }
}

/// Errors of `nudge export`.
#[derive(Debug, thiserror::Error)]
enum ExportError {
    #[error(transparent)]
    Page(#[from] BundleError),
    #[error(transparent)]
    Board(#[from] BoardError),
    #[error(transparent)]
    Elf(#[from] ElfError),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Pack(#[from] PackError),
    #[error("{}{source}", if source.place.is_some() { format!("{}:", trace.display()) } else { String::new() })]
    Setup { trace: PathBuf, source: SetupError },
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error("{}: cannot be written: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
}

/// Writes the page, and returns its size in bytes.
fn written(args: &ExportArgs) -> Result<usize, ExportError> {
    let boards = virtual_factory(&args.board)?;
    let elf = page_board::elf(&args.board, &boards, ELF_BYTES_MAX)?;
    let folder = args.trace.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
    let board_file = page_board::board_file(&boards, folder, ELF_BYTES_MAX)?;
    let parts = boards.parts();
    let mut trace: Option<PackedTrace> = None;
    if let Some(path) = &args.trace {
        // The page's recipient cannot correct the trace, so its problems are reported here.
        let parsed = open_trace_on(path, parts.as_ref())?;
        boards
            .build(&parsed, None)
            .map_err(|source| ExportError::Setup { trace: path.clone(), source })?;
        let (packed, _) = pack_trace_on(path, parts.as_ref())?;
        // The page is for others, who do not have this folder.
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        trace = Some(PackedTrace { name, ..packed });
    }
    let bundle = page_board::bundle()?;
    let mut file = Output::new(&args.output).replace(args.force).create()?;
    let title = trace.as_ref().map_or_else(|| "nudge".to_owned(), |trace| trace.name.clone());
    let document = Document {
        mode: Mode::Board,
        title: &title,
        board: args.board.name(),
        elf: elf.as_deref(),
        board_file: board_file.as_ref(),
        trace: trace.as_ref(),
        server: None,
    };
    let mut counted = Counted { file: &mut file, bytes: 0 };
    document
        .write(&bundle, &mut counted)
        .map_err(|source| ExportError::Write { path: args.output.clone(), source })?;
    let bytes = counted.bytes;
    file.commit()?;
    Ok(bytes)
}

/// A writer that counts the bytes.
struct Counted<W> {
    file: W,
    bytes: usize,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.bytes += written;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
