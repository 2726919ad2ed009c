//! `nudge open`: shows a trace, or a live board, in a browser, with a server that has access to
//! the files.

mod source;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use boards::{BoardError, BoardFactory};
use host::Exit;
use page::{Bundle, BundleError, Document, Mode, PackedBoard, Server};
use runner::{PackError, pack_trace_on};
use studio::{ListenError, PageError, PageServices, Source, TraceFolder, listen};
use virtual_time::spoken;

use crate::board_factory::virtual_factory;
use crate::cli::OpenArgs;
use crate::ctrl_c;
use crate::page_board::{self, ELF_BYTES_MAX, ElfError};

pub fn open(args: &OpenArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let address = match start_server(args) {
        Ok(address) => address,
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            return Ok(Exit::Usage);
        }
    };
    let what =
        args.trace.as_ref().map_or("a live board".to_owned(), |trace| trace.display().to_string());
    writeln!(out, "{what} is open at {address}\nCtrl-C ends it.")?;
    out.flush()?;
    if !args.no_browser && !open_browser(address) {
        writeln!(err, "nudge: no browser could be started; open the address above in one")?;
    }
    ctrl_c::wait();
    Ok(Exit::Passed)
}

/// Time in which the system can report that it cannot start a browser.
const BROWSER_STARTS: Duration = Duration::from_secs(3);

/// Asks the system to show `address` in the user's browser. Some systems answer only when the
/// browser ends; after [`BROWSER_STARTS`] without an answer, it counts as started.
fn open_browser(address: String) -> bool {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        let mut command = Command::new("rundll32");
        command.arg("url.dll,FileProtocolHandler");
        command
    } else {
        Command::new("xdg-open")
    };
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let (sender, ended) = mpsc::channel();
    let run = move || {
        // The receiver no longer exists if the answer comes late.
        let _ = sender.send(command.status().is_ok_and(|status| status.success()));
    };
    let is_running = thread::Builder::new().name("browser".into()).spawn(run).is_ok();
    is_running && ended.recv_timeout(BROWSER_STARTS).unwrap_or(true)
}

/// Errors at the start of `nudge open`.
#[derive(Debug, thiserror::Error)]
enum StartError {
    #[error(transparent)]
    Page(#[from] BundleError),
    #[error(transparent)]
    Board(#[from] BoardError),
    #[error(transparent)]
    Elf(#[from] ElfError),
    #[error(transparent)]
    Pack(#[from] PackError),
    #[error("{}: {source}", folder.display())]
    Folder { folder: PathBuf, source: io::Error },
    #[error(transparent)]
    Listen(#[from] ListenError),
}

/// Starts the server and returns the address of the page.
fn start_server(args: &OpenArgs) -> Result<String, StartError> {
    let boards = virtual_factory(&args.board)?;
    let elf = page_board::elf(&args.board, &boards, ELF_BYTES_MAX)?;
    let beside = args.trace.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
    let board_file = page_board::board_file(&boards, beside, ELF_BYTES_MAX)?;
    let parts = boards.parts();
    let folder = match &args.trace {
        Some(trace) => {
            // Errors in the trace's text are shown in the page, at their lines.
            pack_trace_on(trace, parts.as_ref())?;
            let folder = || trace.parent().unwrap_or(Path::new("")).to_owned();
            TraceFolder::of_trace(trace)
                .map_err(|source| StartError::Folder { folder: folder(), source })
        }
        None => TraceFolder::of_folder(Path::new("."))
            .map_err(|source| StartError::Folder { folder: ".".into(), source }),
    }?;
    let bundle = page_board::bundle()?;
    let trace = args.trace.clone();
    let host = StudioPage { bundle, board: args.board.name(), boards, elf, board_file, trace };
    let address = listen(args.port, folder, host)?.address;
    let at = args.at.map(|at| format!("#t={}", spoken(at.since_start()).replace(' ', "")));
    Ok(address + &at.unwrap_or_default())
}

/// Generates the page for each request from the present content of the file.
struct StudioPage {
    bundle: Bundle,
    /// The board's name: `native`, `pico` or `described`.
    board: &'static str,
    boards: BoardFactory,
    elf: Option<Vec<u8>>,
    board_file: Option<PackedBoard>,
    trace: Option<PathBuf>,
}

impl PageServices for StudioPage {
    fn page(&self, base: &str, modified: Option<&str>) -> Result<Vec<u8>, PageError> {
        let parts = self.boards.parts();
        let packed = self.trace.as_deref().map(|trace| pack_trace_on(trace, parts.as_ref()));
        let packed = packed.transpose();
        let packed = packed.map_err(PageError::new)?.map(|(packed, _)| packed);
        let title = packed.as_ref().map_or("nudge", |packed| &packed.name);
        let document = Document {
            mode: Mode::Studio,
            title,
            board: self.board,
            elf: self.elf.as_deref(),
            board_file: self.board_file.as_ref(),
            trace: packed.as_ref(),
            server: Some(Server { base, modified }),
        };
        let mut html = Vec::new();
        document.write(&self.bundle, &mut html).map_err(PageError::new)?;
        Ok(html)
    }

    fn source(&self, pc: u32) -> Option<Source> {
        match &self.boards {
            BoardFactory::Pico(_, program) => source::source(program, pc),
            BoardFactory::Described(board) => source::source(board.program()?, pc),
            BoardFactory::Native(..)
            | BoardFactory::Probe(..)
            | BoardFactory::EmulatedProbe(..) => None,
        }
    }
}
