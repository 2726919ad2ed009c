//! A session with its files: how it begins, and what it leaves. It knows no window and no terminal.

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use host::clock::Speed;
use reading::text::Reader;
use trace::{Action, HeaderEntry};
use virtual_time::Instant;

use super::apart::Apart;
use super::error::{LiveError, SessionError};
use super::files::{self, FileTape};
use super::kept_flash::KeptFlash;
use super::message::{Command, Handover, SessionEnd};
use super::process::spawn_apart;
use super::setup::{Rewinding, Setup};
use super::start::{Engine, Start};
use super::stderr::say;
use super::story::{Sink, Story, unended};
use super::{Live, spawn};

/// The files of a session.
pub struct Files {
    /// The recording: a file that does not exist yet.
    pub record: Option<PathBuf>,
    /// The name and content of a flash file that is written beside the recording.
    pub flash_beside: Option<(String, Vec<u8>)>,
    /// The folder of pictures, films and futures that are not recorded.
    pub captures: PathBuf,
}

/// A session that runs.
pub struct Begun {
    /// The session.
    pub live: Live,
    /// Writes traces of it.
    pub tape: FileTape,
    /// What runs and where it is recorded, for the title of a window.
    pub title: String,
    /// What runs, in a few words; and its files.
    pub identity: [String; 2],
}

/// Begins a session and its recording.
///
/// # Errors
/// If a file cannot be written or the machine not be built; then there is no new file.
pub fn begin(start: Start, setup: Setup, files: Files) -> Result<Begun, SessionError> {
    let Start { machine, reader, identity, mut header, image, before } = start;
    let Files { record, flash_beside, captures } = files;
    let mut title = format!("nudge - {}", identity[0]);
    if let Some(path) = &record {
        title += &format!(" - recording {}", path.display());
    }
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
    let tape = || FileTape {
        record: record.clone(),
        header: header.clone(),
        image: image.clone(),
        captures: captures.clone(),
    };
    let spawned = match machine {
        Engine::Here(machine) => {
            let setup = Setup {
                recording: sink.map(|sink| (sink, header.clone())),
                rewinding: Some(Rewinding { reader, tape: Box::new(tape()) }),
                before,
                ..setup
            };
            spawn(machine, setup)
        }
        Engine::Apart(apart) => begin_apart(&apart, &tape(), setup.speed, before, sink),
    };
    match spawned {
        Ok(live) => Ok(Begun { live, tape: tape(), title, identity }),
        Err(error) => {
            // Nothing was recorded: the new files are removed.
            files::discard(record.as_deref());
            files::discard(flash_beside.as_deref());
            Err(SessionError::Live(error))
        }
    }
}

/// Begins a session in a process of its own: it takes over from one that has only switched the power on.
fn begin_apart(
    apart: &Apart,
    tape: &FileTape,
    speed: Speed,
    before: Option<Story>,
    sink: Option<Sink>,
) -> Result<Live, LiveError> {
    let first = || Story { events: vec![(Instant::START, Action::PowerOn)], end: Instant::START };
    let story = before.unwrap_or_else(first);
    if let Some(mut sink) = sink {
        let text = unended(&story, &tape.header).map_err(LiveError::Recording)?;
        sink.write_all(&text).map_err(LiveError::Recording)?;
    }
    let mut live = spawn_apart(apart, tape, speed, None, &|| false)?;
    live.send(Command::TakeOver(Arc::new(Handover { story, ..Handover::default() })))?;
    Ok(live)
}

/// A session that has done `before`, and then waits until it takes over from the one that writes to `tape`. It
/// takes as long as `before` takes its firmware: a window calls this on another thread. Once `given_up` is true, a process of
/// its own is ended.
///
/// # Errors
/// If there is no machine or no process, or it does not come as far.
pub fn follow(
    machine: Engine,
    reader: Reader,
    tape: &FileTape,
    speed: Speed,
    before: Story,
    given_up: &dyn Fn() -> bool,
) -> Result<Live, LiveError> {
    match machine {
        Engine::Apart(apart) => spawn_apart(&apart, tape, speed, Some(&before), given_up),
        Engine::Here(machine) => {
            let rewinding = Rewinding { reader, tape: Box::new(tape.clone()) };
            let setup = Setup {
                speed,
                recording: None,
                rewinding: Some(rewinding),
                before: Some(before),
                waits: true,
            };
            spawn(machine, setup)
        }
    }
}

/// Saves what a session leaves.
///
/// # Errors
/// What is not saved, or why the firmware stopped.
pub fn finish(
    ended: SessionEnd,
    flash: Option<&mut KeptFlash>,
    record: Option<PathBuf>,
) -> Result<(), SessionError> {
    let kept = match flash {
        Some(kept) => kept.finish(&ended.flash, ended.flash_changed),
        None => Ok(()),
    };
    if ended.violations > 0 {
        say(format_args!(
            "warning: the firmware broke {} of the LCD's datasheet; a replay of a recording \
             names each",
            if ended.violations == 1 {
                "a rule".into()
            } else {
                format!("{} rules", ended.violations)
            }
        ));
    }
    if let (Err(error), Some(_)) = (&kept, &ended.recording_error) {
        // One error is returned, and both are told.
        say(format_args!("nudge: {error}"));
    } else {
        kept?;
    }
    if let (Some(path), Some(error)) = (record, ended.recording_error) {
        return Err(SessionError::RecordingLost { path, error });
    }
    ended.machine_error.map_or(Ok(()), |error| Err(SessionError::Broken(error)))
}
