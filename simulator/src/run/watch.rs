//! `nudge run --watch`: rebuilds firmware on every save, and compares it with the previous
//! firmware.
//!
//! On `native` each firmware is a newly built program that has the firmware and nothing else: a copy of it
//! runs the session in its own process (`nudge session`). So it is for an application. On `pico` and on described boards the firmware is a program file, which
//! the emulated chip runs in this process. Without `--build` the program of a described board is
//! not built: it is loaded again when its file or the board file has changed.

mod application;
mod compare;
mod firmware;
mod folder;
mod rebuild;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use self::rebuild::{BuildEvent, BuildSettings, Builder, WatchError};
use boards::Board;
use host::{
    Interrupt,
    clock::{Speed, Stopwatch},
};
use live::{Both, FirmwareNews, InputLog, LiveError, Rebuilds, RecordingFiles, follow};
use trace::HeaderEntry;
use virtual_time::Instant;

use compare::Compared;
use firmware::{Firmware, Unfit};
pub use folder::{Folder, FolderError};

use crate::{board_factory, text_reader};

/// Command that builds the firmware alone, with the profile of `make run`, so that nothing is compiled
/// twice.
const BUILD: &str = "cargo build --profile play --package firmware-native --bin nudge-firmware --message-format=json";
/// Environment variable with which cargo compiles the changed part of a crate only. The first build of
/// `make run` is faster without it; from the first save on `scripts/run.sh` sets it, too, so that neither
/// compiles what the other has compiled.
const INCREMENTAL: &str = "CARGO_INCREMENTAL";
/// Command that builds the Pico's program.
const BUILD_PICO: &str = "scripts/firmware.sh";
/// Maximum wait for the threads when the window is closed, and the time between two polls of them.
const END_MAX: Duration = Duration::from_secs(2);
const LOOK: Duration = Duration::from_millis(10);
/// Maximum size of a recording in bytes.
const RECORDING_MAX: usize = 256 << 20;

/// The reason why the sources are not watched.
#[derive(Debug, thiserror::Error)]
pub enum NotWatched {
    #[error(transparent)]
    Watch(#[from] WatchError),
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error("--watch copies this program: {0}")]
    Copy(#[source] io::Error),
}

/// Options of `--watch`.
pub struct Wanted {
    pub board: Board,
    /// The program of a described board.
    pub described: Option<PathBuf>,
    /// `--build`, or the default command.
    pub build: Option<String>,
    /// `--target`.
    pub target: Option<PathBuf>,
    /// Header that the machines are built from.
    pub header: Vec<HeaderEntry>,
    pub image: Option<Vec<u8>>,
}

/// Builds, starts and compares firmware.
pub struct Watch {
    /// `None` once the session has ended.
    builder: Option<Builder>,
    parts: Arc<Parts>,
    recording_files: RecordingFiles,
    /// The number of the last build, and the interrupt that ends the work on it.
    build: u64,
    interrupt: Interrupt,
    current: Arc<Firmware>,
    before: Option<Arc<Firmware>>,
    compared: Option<Box<Compared>>,
    events: Receiver<(u64, Event)>,
    sender: Sender<(u64, Event)>,
    /// Threads that start or compare firmware. Each may have a child process.
    working: Vec<JoinHandle<()>>,
}

/// Data for the start of every firmware.
struct Parts {
    header: Vec<HeaderEntry>,
    image: Option<Vec<u8>>,
    /// The board file, if one describes the board.
    board: Option<PathBuf>,
    /// Removed when this is dropped.
    folder: Folder,
}

/// Result of a thread.
enum Event {
    Ready(live::Live, Arc<Firmware>),
    /// The previous firmware, because the present one has stopped.
    FellBack(live::Live, Arc<Firmware>),
    Same,
    Unfit(String),
    Compared(Box<Compared>),
    /// The reason why two versions of the firmware cannot be compared.
    NotCompared(String),
}

impl Watch {
    /// Watches the sources in and around the current folder, and builds them.
    ///
    /// # Errors
    /// If the folders cannot be watched.
    pub fn start(
        wanted: Wanted,
        current: Arc<Firmware>,
        folder: Folder,
    ) -> Result<Self, NotWatched> {
        let Wanted { board, described, build, target, header, image } = wanted;
        let absolute = |path: PathBuf| std::path::absolute(&path).unwrap_or(path);
        let mut variable = None;
        let (command, product, board) = match board {
            Board::Pico(file) => (Some(BUILD_PICO.to_owned()), file, None),
            // The user builds the program of a described board.
            Board::Described(board) => (None, described, Some(absolute(board))),
            _ => match board_factory::application() {
                Some(board) => {
                    variable = Some(firmware_process::BUILD_VARIABLE);
                    let command = application::build_command(&board);
                    (Some(command), None, Some(absolute(board.path().to_owned())))
                }
                None => {
                    variable = Some(INCREMENTAL);
                    (Some(BUILD.to_owned()), None, None)
                }
            },
        };
        let product = product.map(absolute);
        let command = build.or(command);
        // A program that no command builds is watched itself; one that a command builds would start
        // the next build.
        let files = [product.clone().filter(|_| command.is_none()), board.clone()];
        let plan = BuildSettings {
            folder: sources(),
            command,
            variable,
            target: target.map(absolute),
            files: files.into_iter().flatten().collect(),
            product,
            temporary: Some(folder.path().to_owned()),
        };
        let (sender, events) = mpsc::channel();
        Ok(Self {
            builder: Some(Builder::start(plan)?),
            parts: Arc::new(Parts { header, image, board, folder }),
            recording_files: RecordingFiles::default(),
            build: 0,
            interrupt: Interrupt::default(),
            current,
            before: None,
            compared: None,
            events,
            sender,
            working: Vec::new(),
        })
    }

    /// Starts the firmware in the file `built`, on another thread.
    fn start_built(&mut self, built: PathBuf) {
        let (parts, current) = (Arc::clone(&self.parts), Arc::clone(&self.current));
        let (build, interrupt) = (self.build, self.interrupt.clone());
        self.start_with(Event::Ready, move || {
            let folder = parts.folder.path();
            match current.next(&built, folder, build, &interrupt)? {
                Some(next) => Ok(Some(Arc::new(next))),
                None => Ok(None),
            }
        });
    }

    /// Starts the firmware that `find` returns, on another thread. It replays the recorded inputs,
    /// then waits.
    fn start_with(
        &mut self,
        ready: fn(live::Live, Arc<Firmware>) -> Event,
        find: impl FnOnce() -> Result<Option<Arc<Firmware>>, Unfit> + Send + 'static,
    ) {
        let (parts, recording_files) = (Arc::clone(&self.parts), self.recording_files.clone());
        let (build, sender) = (self.build, self.sender.clone());
        let interrupt = self.interrupt.clone();
        let start = move || -> Result<Event, Unfit> {
            let Some(firmware) = find()? else { return Ok(Event::Same) };
            let engine = firmware.engine(&parts.header, parts.image.as_deref());
            let before = recorded(&recording_files, Instant::START);
            let reader = text_reader::reader();
            let before = before.unwrap_or_default();
            let given_up = || interrupt.is_set();
            let live = follow(engine, reader, &recording_files, Speed::REAL, before, &given_up);
            Ok(ready(live.map_err(Unfit::Live)?, firmware))
        };
        let on_thread = move || {
            let event = start().unwrap_or_else(|why| Event::Unfit(why.to_string()));
            // The window may be closed.
            let _ = sender.send((build, event));
        };
        match thread::Builder::new().name("follow".into()).spawn(on_thread) {
            Ok(thread) => {
                self.working.retain(|thread| !thread.is_finished());
                self.working.push(thread);
            }
            Err(error) => {
                let why = LiveError::Thread(error).to_string();
                let _ = self.sender.send((build, Event::Unfit(why)));
            }
        }
    }

    fn news_of(&mut self, event: Event) -> FirmwareNews {
        match event {
            Event::Same => FirmwareNews::Same,
            Event::Unfit(why) => FirmwareNews::Unfit(why),
            Event::Ready(live, firmware) => {
                let words = format!("the new firmware runs: {}", firmware.name());
                let identity = firmware.identity(&self.parts.header);
                self.before = Some(std::mem::replace(&mut self.current, firmware));
                FirmwareNews::Ready { live, identity, words }
            }
            Event::FellBack(live, firmware) => {
                let words = format!("the firmware before runs again: {}", firmware.name());
                let identity = firmware.identity(&self.parts.header);
                // The firmware that stopped is not tried again.
                (self.current, self.before) = (firmware, None);
                FirmwareNews::Ready { live, identity, words }
            }
            Event::Compared(compared) => {
                let words = compared.words.clone();
                self.compared = Some(compared);
                FirmwareNews::Compared(words)
            }
            Event::NotCompared(why) => {
                FirmwareNews::Compared(format!("old and new firmware cannot be compared: {why}"))
            }
        }
    }
}

impl Rebuilds for Watch {
    fn begun(&mut self, recording_files: &RecordingFiles) {
        self.recording_files = recording_files.clone();
    }

    fn news(&mut self) -> Option<FirmwareNews> {
        if let Some(progress) = self.builder.as_ref().and_then(Builder::progress) {
            match progress {
                BuildEvent::Started => {
                    self.build += 1;
                    self.interrupt.set();
                    self.interrupt = Interrupt::default();
                    return Some(FirmwareNews::Building);
                }
                BuildEvent::Progress(done, all) => {
                    return Some(FirmwareNews::Progress { done, all });
                }
                BuildEvent::Failed(why) => {
                    let headline = format!("not built: {why}");
                    return Some(FirmwareNews::Failed { headline, lines: why.lines() });
                }
                BuildEvent::Built(file) => {
                    self.start_built(file);
                    return Some(FirmwareNews::Built);
                }
            }
        }
        while let Ok((build, event)) = self.events.try_recv() {
            // Events of an older build are discarded.
            if build == self.build {
                return Some(self.news_of(event));
            }
        }
        None
    }

    fn taken_over(&mut self, input_log: Arc<InputLog>) {
        self.compared = None;
        let Some(before) = self.before.clone() else { return };
        let (now, recording_files) = (Arc::clone(&self.current), self.recording_files.clone());
        let (parts, sender) = (Arc::clone(&self.parts), self.sender.clone());
        let (build, interrupt) = (self.build, self.interrupt.clone());
        let compare = move || {
            let folder = parts.folder.path().join(format!("compare-{build}"));
            let trace = compare::trace(
                &folder,
                &input_log,
                &recording_files.header,
                parts.image.as_deref(),
                parts.board.as_deref(),
            );
            let compared =
                trace.and_then(|trace| compare::compare(&trace, [&before, &now], &interrupt));
            let event = match compared {
                Ok(compared) => Event::Compared(Box::new(compared)),
                Err(error) => Event::NotCompared(error.to_string()),
            };
            if !interrupt.is_set() {
                // The window may be closed.
                let _ = sender.send((build, event));
            }
        };
        match thread::Builder::new().name("compare".into()).spawn(compare) {
            Ok(thread) => self.working.push(thread),
            Err(error) => {
                let why = LiveError::Thread(error).to_string();
                let _ = self.sender.send((build, Event::NotCompared(why)));
            }
        }
    }

    fn fall_back(&mut self) -> bool {
        let Some(before) = self.before.take() else { return false };
        self.compared = None;
        self.start_with(Event::FellBack, move || Ok(Some(before)));
        true
    }

    fn both(&mut self, at: Option<Instant>) -> Option<Both> {
        self.compared.as_ref().map(|compared| compared.at(at))
    }

    fn recorded(&self, end: Instant) -> Option<InputLog> {
        recorded(&self.recording_files, end)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.interrupt.set();
        // The build writes into the folder too, so it ends first.
        drop(self.builder.take());
        // Waits until the threads have ended the processes that they started.
        let clock = Stopwatch::start();
        while self.working.iter().any(|thread| !thread.is_finished()) && clock.elapsed() < END_MAX {
            thread::park_timeout(LOOK);
        }
        // A thread that takes longer also uses the folder and may outlive this. In that case its
        // lock file remains.
        let _ = std::fs::remove_dir_all(self.parts.folder.path());
    }
}

/// Returns the inputs of a recording, up to `end` or its last event.
fn recorded(recording_files: &RecordingFiles, end: Instant) -> Option<InputLog> {
    let path = recording_files.record.as_deref()?;
    let text = host::input_files::read(path, RECORDING_MAX).ok()?;
    InputLog::parse_on(&recording_files.parts, &String::from_utf8_lossy(&text), end)
}

/// Returns the folder of the sources: the outermost ancestor of the current folder that has a
/// `Cargo.toml`, otherwise the current folder.
fn sources() -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    let whole = here.ancestors().filter(|folder| folder.join("Cargo.toml").is_file()).last();
    whole.map_or_else(|| here.clone(), Path::to_owned)
}

/// Returns the firmware that this program was built with, and the folder for later firmware.
///
/// # Errors
/// If a temporary folder cannot be written.
pub fn first(
    board: &Board,
    boards: &boards::BoardFactory,
) -> Result<(Arc<Firmware>, Folder), NotWatched> {
    let folder = Folder::new()?;
    let first = Firmware::first(board, boards, folder.path()).map_err(NotWatched::Copy)?;
    Ok((Arc::new(first), folder))
}
