//! `nudge open`: a trace, or a live board, in a browser, with a server that knows the files.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;

use boards::{Board, BoardError};
use hal_mock::trace::spoken;
use page::{Bundle, Document, Mode, NoBundle, Server};
use runner::{Exit, PackError, pack_trace};
use studio::{Host, ListenError, Room, Source, listen};

use crate::board_factory::board_factory;
use crate::cli::OpenArgs;
use crate::ctrl_c;
use crate::page_board::{self, ELF_BYTES_MAX, ElfError};

pub fn open(args: &OpenArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let address = match started(args) {
        Ok(address) => address,
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            return Ok(Exit::Usage);
        }
    };
    let what = args.trace.as_ref().map_or("a live board".to_owned(), |trace| trace.display().to_string());
    writeln!(out, "{what} is open at {address}\nCtrl-C ends it.")?;
    out.flush()?;
    if !args.no_browser {
        // A browser without a window ends when its user leaves it; the server answers it meanwhile.
        let (sender, failed) = std::sync::mpsc::channel();
        let show = move || {
            let _ = sender.send(opener::open_browser(&address).err());
        };
        let shown = thread::Builder::new().name("browser".into()).spawn(show);
        let failed = shown.is_err() || matches!(failed.recv_timeout(BROWSER_STARTS), Ok(Some(_)));
        if failed {
            writeln!(err, "nudge: no browser could be started; open the address above in one")?;
        }
    }
    ctrl_c::wait();
    Ok(Exit::Passed)
}

/// How long a browser is waited for that says it cannot be started.
const BROWSER_STARTS: std::time::Duration = std::time::Duration::from_secs(3);

/// Why nothing is open.
#[derive(Debug, thiserror::Error)]
enum StartError {
    #[error(transparent)]
    Page(#[from] NoBundle),
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

/// Starts the server and returns where the page is.
fn started(args: &OpenArgs) -> Result<String, StartError> {
    let bundle = page_board::bundle()?;
    let boards = board_factory(&args.board)?;
    let elf = page_board::elf(&args.board, &boards, ELF_BYTES_MAX)?;
    let room = match &args.trace {
        Some(trace) => {
            // What is wrong in its text the page shows, at its lines.
            pack_trace(trace)?;
            let folder = || trace.parent().unwrap_or(Path::new("")).to_owned();
            Room::of_trace(trace).map_err(|source| StartError::Folder { folder: folder(), source })
        }
        None => Room::of_folder(Path::new("."))
            .map_err(|source| StartError::Folder { folder: ".".into(), source }),
    }?;
    let host = PageHost { bundle, board: args.board.clone(), elf, trace: args.trace.clone() };
    let address = listen(args.port, room, host)?.address;
    let at = args.at.map(|at| format!("#t={}", spoken(at.since_start()).replace(' ', "")));
    Ok(address + &at.unwrap_or_default())
}

/// Makes the page anew for each browser that asks, from what the file holds then.
struct PageHost {
    bundle: Bundle,
    board: Board,
    elf: Option<Vec<u8>>,
    trace: Option<PathBuf>,
}

impl Host for PageHost {
    fn page(&self, base: &str, modified: Option<&str>) -> Result<Vec<u8>, String> {
        let packed = self.trace.as_deref().map(pack_trace).transpose();
        let packed = packed.map_err(|error| error.to_string())?.map(|(packed, _)| packed);
        let title = packed.as_ref().map_or("nudge", |packed| &packed.name);
        let document = Document {
            mode: Mode::Studio,
            title,
            board: self.board.name(),
            elf: self.elf.as_deref(),
            trace: packed.as_ref(),
            server: Some(Server { base, modified }),
        };
        let mut html = Vec::new();
        document.write(&self.bundle, &mut html).map_err(|error| error.to_string())?;
        Ok(html)
    }

    fn source(&self, _pc: u32) -> Option<Source> {
        None
    }
}
