//! Services of the command for a session's view: text, films, dropped files, the studio.

use std::cell::RefCell;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::sync::Arc;
use std::thread;

use boards::identity::FirmwareIdentity;
use boards::{Board, BoardError, BoardFactory, DescribedBoard, LcdFirmware as _};
use firmware_board::Firmware;
use hal_mock::{Machine, setup::SetupError};
use ili9341_model::{Frame, Region};
use live::{Engine, InputLog, RecentSession, ServiceError, Services, Start};
use runner::{OpenError, film::Film, open_trace_on};
use timeline::{Files, Opened};
use trace::{BOARD_KEY, HeaderEntry, Trace};
use virtual_time::{Instant, Nanos};

use super::recent::RecentSessions;
use crate::board_factory::board_factory;
use crate::text_reader;

/// Maximum number of bytes of the first line of `nudge open` that are read.
const SAID_MAX: u64 = 4_096;
/// Virtual time between two copies of the machine while a dropped trace is replayed: no copies are
/// made.
const NO_COPIES: Nanos = Nanos(u64::MAX);

/// Services that the command provides for a window.
pub struct CommandServices {
    /// Board that `--board` names.
    board: Board,
    boards: BoardFactory,
    recent: RecentSessions,
    /// The studio that was opened last; it ends with the window.
    studio: RefCell<Option<Child>>,
}

/// The reason why a file that was dropped on the window cannot be run.
#[derive(Debug, thiserror::Error)]
enum DropError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error(transparent)]
    Board(#[from] boards::BoardError),
    #[error(
        "the real board of this window is in use by it; replay a trace with \
         `{program} replay --board {0}`",
        program = live::command_name()
    )]
    RealBoard(Board),
    #[error(
        "{0}: this trace runs on the board of a board file, and this window shows another board; open it with \
         `{program} run {0}`",
        program = live::command_name()
    )]
    OtherBoard(String),
    #[error(
        "{path}: it ran on {board}, and this window shows another board; open it with \
         `{program} run --board {board} {path}`",
        program = live::command_name()
    )]
    OtherFace { path: String, board: String },
    #[error("{0}: a window runs traces (.trace) and programs (.elf, .uf2, .hex, .bin)")]
    Unknown(String),
    #[error("{}: it is gone", .0.display())]
    Gone(PathBuf),
    #[error(transparent)]
    BoardName(#[from] boards::BoardNameError),
}

impl CommandServices {
    pub fn new(board: Board, boards: BoardFactory) -> Self {
        Self { board, boards, recent: RecentSessions::of_user(), studio: RefCell::new(None) }
    }

    fn open_file(&self, path: &Path) -> Result<Start, DropError> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        match extension.as_str() {
            "trace" => self.open_trace(path),
            "elf" | "uf2" | "hex" | "bin" | "" => match &self.boards {
                BoardFactory::Described(board) => self.open_program_on(board, path),
                _ => open_program(path),
            },
            _ => Err(DropError::Unknown(path.display().to_string())),
        }
    }

    /// Opens the program at `path` on the described board of this window.
    fn open_program_on(&self, board: &DescribedBoard, path: &Path) -> Result<Start, DropError> {
        let board = DescribedBoard::load_with(board.path(), Some(path));
        let board = board.map_err(|error| BoardError::Described(Box::new(error)))?;
        let board = board.with_lcd_settings(Firmware.settings());
        start_program(path, self.board.clone(), BoardFactory::Described(Arc::new(board)))
    }

    /// Opens the trace at `path`: replays its inputs on the board of this window.
    fn open_trace(&self, path: &Path) -> Result<Start, DropError> {
        if self.boards.at_once().is_some() {
            return Err(DropError::RealBoard(self.board.clone()));
        }
        let trace = open_trace_on(path, self.boards.parts().as_ref())?;
        if matches!(self.boards, BoardFactory::Native(..)) && trace.get(BOARD_KEY).is_some() {
            return Err(DropError::OtherBoard(path.display().to_string()));
        }
        let boards = self.boards.clone();
        let setup = timeline::Setup {
            maker: Rc::new(move |trace| boards.build(trace, None)),
            reader: Rc::new(text_reader::reader()),
            sees_frames: false,
            copied_every: NO_COPIES,
        };
        let opened = Opened { name: String::new(), text: String::new(), trace: trace.clone() };
        let session = timeline::Session::replay(&setup, opened, &Files::default())?;
        // A window's session has no faults.
        let events = timeline::actions_of(session.done());
        let before = InputLog { events, end: session.reached() };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let identity = [identity_of(&self.board, &self.boards, &trace.header), name.into_owned()];
        let boards = self.boards.clone();
        let header = trace.header.clone();
        Ok(Start {
            machine: Engine::Here(Box::new(move || boards.build(&trace, None))),
            reader: text_reader::reader(),
            board: self.board.to_string(),
            identity,
            parts: self.boards.parts().unwrap_or_default(),
            header,
            image: None,
            before: Some(before),
            debugger: None,
        })
    }
}

/// Opens the program at `path` on an emulated Pico with an LCD.
fn open_program(path: &Path) -> Result<Start, DropError> {
    let board = Board::Pico(Some(path.to_owned()));
    let boards = board_factory(&board)?;
    start_program(path, board, boards)
}

/// Returns the start of a session of the program at `path`, which the machines of `boards` run.
fn start_program(path: &Path, board: Board, boards: BoardFactory) -> Result<Start, DropError> {
    let build = {
        let boards = boards.clone();
        move || -> Result<Box<dyn Machine>, SetupError> { boards.build(&Trace::default(), None) }
    };
    build()?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Start {
        parts: boards.parts().unwrap_or_default(),
        machine: Engine::Here(Box::new(build)),
        reader: text_reader::reader(),
        board: board.to_string(),
        identity: [identity_of(&board, &boards, &[]), name],
        header: Vec::new(),
        image: None,
        before: None,
        debugger: None,
    })
}

/// Returns a description of the session in a few words: `native, wari, seed 7, source
/// 1f0c5b8e27d94a63`.
pub fn identity_of(board: &Board, boards: &BoardFactory, header: &[HeaderEntry]) -> String {
    let named = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if let BoardFactory::Described(board) = boards {
        // Reports have the SHA-256. A footer has room for the names.
        let program = board.program_path().map(|path| format!(", {}", named(path)));
        let names = named(board.path()) + &program.unwrap_or_default();
        return words_of(&names, header);
    }
    let program = match FirmwareIdentity::of(board, boards) {
        Ok(identity) => identity.name(named),
        // The file no longer exists, but the program that runs is in memory.
        Err(_) => board.to_string(),
    };
    words_of(&program, header)
}

/// Returns a description of a session with `header`, with `program` as the firmware's name.
pub fn words_of(program: &str, header: &[HeaderEntry]) -> String {
    let value =
        |key: &str| header.iter().find(|entry| entry.key == key).map(|entry| entry.value.as_str());
    let (name, program) = program.split_once(", ").unwrap_or((program, ""));
    let mut words = vec![name.to_owned()];
    words.extend(value("game").map(str::to_owned));
    words.extend(value("seed").map(|seed| format!("seed {seed}")));
    words.extend(Some(program.to_owned()).filter(|program| !program.is_empty()));
    words.join(", ")
}

impl Services for CommandServices {
    fn text(&self, frame: &Frame) -> Vec<String> {
        let text = text_reader::reader().read(frame);
        let row = |row: &[reading::text::TextLine]| {
            let words: Vec<&str> = row.iter().map(|line| line.text.as_str()).collect();
            words.join("  ")
        };
        text.rows().map(row).collect()
    }

    fn film(&self, frames: &[(Instant, Frame)], end: Instant) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let panel = frames.first().map_or(Region::PANEL, |(_, frame)| frame.whole());
        let mut film = Film::new(&mut bytes, panel)?;
        for (at, frame) in frames {
            film.add(*at, frame.clone())?;
        }
        film.finish(end)?;
        Ok(bytes)
    }

    fn open(&self, path: &Path) -> Result<Start, ServiceError> {
        let start = self.open_file(path)?;
        self.recent.add(&start.board, path);
        Ok(start)
    }

    fn recent(&self) -> Vec<RecentSession> {
        self.recent.all()
    }

    fn reopen(&self, session: &RecentSession) -> Result<Start, ServiceError> {
        let RecentSession { path, board, .. } = session;
        if !path.is_file() {
            return Err(DropError::Gone(path.clone()).into());
        }
        let board: Board = board.parse().map_err(DropError::from)?;
        let boards = match board == self.board {
            true => self.boards.clone(),
            false => board_factory(&board).map_err(DropError::from)?,
        };
        // The window shows one face.
        let parts = |boards: &BoardFactory| boards.parts().unwrap_or_default();
        if parts(&boards) != parts(&self.boards) {
            let (path, board) = (path.display().to_string(), board.to_string());
            return Err(DropError::OtherFace { path, board }.into());
        }
        Self::new(board, boards).open(path)
    }

    fn studio(
        &self,
        board: &str,
        path: &Path,
        report: Box<dyn Fn(String) + Send>,
    ) -> Result<(), ServiceError> {
        let mut command = studio_command(board, path)?;
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let listen = move || {
            let mut said = String::new();
            if let Some(out) = out {
                // A line that cannot be read counts as empty.
                let _ = BufReader::new(out.take(SAID_MAX)).read_line(&mut said);
            }
            if let (true, Some(err)) = (said.is_empty(), err) {
                let _ = BufReader::new(err.take(SAID_MAX)).read_line(&mut said);
            }
            report(said.trim().to_owned());
        };
        thread::Builder::new().name("studio".into()).spawn(listen)?;
        end(self.studio.replace(Some(child)));
        Ok(())
    }
}

impl Drop for CommandServices {
    fn drop(&mut self) {
        end(self.studio.take());
    }
}

/// Returns the command that opens the trace at `path` in the studio, on `board`.
fn studio_command(board: &str, path: &Path) -> io::Result<Command> {
    let mut command = Command::new(host::own_program()?);
    command.args(["open", "--board", board]).arg(path);
    Ok(command)
}

/// Ends a studio. Has no effect if it has already ended.
fn end(studio: Option<Child>) {
    if let Some(mut studio) = studio {
        let _ = studio.kill();
        let _ = studio.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_studio_runs_the_program_that_was_dropped() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"));
        let path = path.join("../rp2040-emulator/tests/embassy/usb_embassy.elf");
        let native = Board::default();
        let host = CommandServices::new(native.clone(), board_factory(&native).unwrap());
        let start = host.open(&path).unwrap();
        let command = studio_command(&start.board, Path::new("it.trace")).unwrap();
        let board = format!("pico={}", path.display());
        let arguments: Vec<_> = command.get_args().collect();
        assert_eq!(arguments, ["open", "--board", &board, "it.trace"]);
    }
}
