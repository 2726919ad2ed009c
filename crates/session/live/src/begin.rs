//! Starts a session with its files. This module knows no window and no terminal.

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use host::clock::Speed;
use reading::text::Reader;
use trace::{Action, HeaderEntry};
use virtual_time::Instant;

use super::error::{LiveError, SessionError};
use super::files::{self, RecordingFiles};
use super::flash_file::FlashChoice;
use super::input_log::{InputLog, Sink, unended};
use super::message::{Command, Handover};
use super::open_session::OpenSession;
use super::process::spawn_process;
use super::separate_process::SeparateProcess;
use super::setup::{Rewinding, Setup};
use super::start::{Engine, Start};
use super::{Live, spawn};

/// The files of a session.
pub struct Files {
    /// The recording, a file that must not exist yet.
    pub record: Option<PathBuf>,
    /// The name and content of a flash file that is written next to the recording.
    pub flash_beside: Option<(String, Vec<u8>)>,
    /// Where the flash is saved.
    pub flash: FlashChoice,
    /// Folder of pictures, films and unrecorded futures.
    pub captures: PathBuf,
}

/// Begins a session and its recording.
///
/// # Errors
/// If a file cannot be written or the machine cannot be built. In that case no new file remains.
pub fn begin(start: Start, setup: Setup, files: Files) -> Result<OpenSession, SessionError> {
    let Start { machine, reader, board, identity, parts, .. } = start;
    let Start { mut header, image, before, debugger, .. } = start;
    let Files { record, flash_beside, flash, captures } = files;
    let sink = record.as_deref().map(files::create_new).transpose()?;
    let mut image = image;
    let flash_beside = match (record.as_deref(), flash_beside) {
        (Some(record), Some((name, beside))) => {
            let path = record.with_file_name(&name);
            let filled = files::create_new(&path).and_then(|sink| {
                files::fill(sink, &path, &beside).inspect_err(|_| files::discard(Some(&path)))
            });
            if let Err(error) = filled {
                files::discard(Some(record));
                return Err(error);
            }
            header.insert(0, HeaderEntry::new("flash", name));
            image = None;
            Some(path)
        }
        _ => None,
    };
    let kept_reader = reader.clone();
    let recording_files = || RecordingFiles {
        record: record.clone(),
        header: header.clone(),
        parts: parts.clone(),
        image: image.clone(),
        captures: captures.clone(),
        branches: None,
    };
    let spawned = match machine {
        Engine::Here(machine) => {
            let setup = Setup {
                recording: sink.map(|sink| (sink, header.clone())),
                rewinding: Some(Rewinding { reader, recording_files: Box::new(recording_files()) }),
                before,
                debugger,
                ..setup
            };
            spawn(machine, setup)
        }
        Engine::SeparateProcess(separate_process) => {
            begin_process(&separate_process, &recording_files(), setup.speed, before, sink)
        }
    };
    match spawned {
        Ok(live) => Ok(OpenSession::new(
            live,
            kept_reader,
            recording_files(),
            (board, identity),
            flash.begin(),
        )),
        Err(error) => {
            // Nothing was recorded: the new files are removed.
            files::discard(record.as_deref());
            files::discard(flash_beside.as_deref());
            Err(SessionError::Live(error))
        }
    }
}

/// Starts a session in another process. The session takes over from one that has only switched the
/// power on.
fn begin_process(
    separate_process: &SeparateProcess,
    recording_files: &RecordingFiles,
    speed: Speed,
    before: Option<InputLog>,
    sink: Option<Sink>,
) -> Result<Live, LiveError> {
    let first =
        || InputLog { events: vec![(Instant::START, Action::PowerOn)], end: Instant::START };
    let input_log = before.unwrap_or_else(first);
    if let Some(mut sink) = sink {
        let text = unended(&input_log, &recording_files.header).map_err(LiveError::Recording)?;
        sink.write_all(&text).map_err(LiveError::Recording)?;
    }
    let mut live = spawn_process(separate_process, recording_files, speed, None, &|| false)?;
    live.send(Command::TakeOver(Arc::new(Handover { input_log, ..Handover::default() })))?;
    Ok(live)
}

/// Starts a session that replays `before` and then waits until it takes over from the session that
/// writes to `recording_files`. This takes as long as the firmware needs for `before`, so a window
/// calls it on another thread. Once `given_up` is true, a separate process is ended.
///
/// # Errors
/// If there is no machine or no process, or the replay does not finish.
pub fn follow(
    machine: Engine,
    reader: Reader,
    recording_files: &RecordingFiles,
    speed: Speed,
    before: InputLog,
    given_up: &dyn Fn() -> bool,
) -> Result<Live, LiveError> {
    match machine {
        Engine::SeparateProcess(separate_process) => {
            spawn_process(&separate_process, recording_files, speed, Some(&before), given_up)
        }
        Engine::Here(machine) => {
            let rewinding =
                Rewinding { reader, recording_files: Box::new(recording_files.clone()) };
            let setup = Setup {
                speed,
                recording: None,
                rewinding: Some(rewinding),
                before: Some(before),
                waits: true,
                debugger: None,
            };
            spawn(machine, setup)
        }
    }
}
