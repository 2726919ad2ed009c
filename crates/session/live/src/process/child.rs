//! The session's end: it runs a session from messages on standard input, and reports on standard
//! output.

use std::io::{BufRead, Write};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded, select};
use host::clock::Stopwatch;
use reading::text::Reader;
use trace::{BoardParts, HeaderEntry};

use super::message::{
    Answer, Begin, End, Known, Order, Packed, bytes_of, entries, read_line, speed, write_line,
};
use crate::files::RecordingFiles;
use crate::message::{Command, Stamped};
use crate::process_error::{MessageError, VERSION};
use crate::setup::{Rewinding, Setup};
use crate::spawn;
use crate::start::MachineFactory;

/// Time limit for the session to end when the window is gone.
const LEFT_MAX: Duration = Duration::from_secs(5);

/// Time between two checks whether the firmware returns.
const LOOK: Duration = Duration::from_millis(250);

/// Builds the machines of this program.
pub trait Machines {
    /// Returns what builds machines from a header and the content of a flash.
    fn machine(&self, header: Vec<HeaderEntry>, image: Option<Vec<u8>>) -> MachineFactory;

    /// Returns the parts of the board.
    fn parts(&self) -> BoardParts;

    /// Returns a reader of text on the LCD.
    fn reader(&self) -> Reader;
}

/// Reason why the session ended by itself.
#[derive(Debug, thiserror::Error)]
pub enum ChildError {
    /// A line of the input is no message.
    #[error("a session is told what to do by `nudge run --watch`: {0}")]
    Message(#[from] MessageError),
    /// The output is closed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The firmware's thread has ended.
    #[error("the firmware's thread has ended")]
    Gone,
}

/// Runs one session. `input` is read to its end on a thread of its own.
///
/// # Errors
/// If the input has no session, the output is closed, or the firmware panics.
pub fn serve(
    mut input: impl BufRead + Send + 'static,
    out: &mut dyn Write,
    machines: &dyn Machines,
) -> Result<(), ChildError> {
    let begin: Begin = read_line(&mut input)?.ok_or(MessageError::Value)?;
    if begin.version != VERSION {
        return Err(MessageError::Version(begin.version).into());
    }
    let parts = machines.parts();
    let image = begin.image.as_deref().map(bytes_of).transpose()?;
    let recording_files = RecordingFiles {
        record: begin.record,
        header: entries(&begin.recorded),
        parts: parts.clone(),
        image: None,
        captures: begin.captures,
        branches: None,
    };
    let setup = Setup {
        speed: speed(begin.speed)?,
        recording: None,
        rewinding: Some(Rewinding {
            reader: machines.reader(),
            recording_files: Box::new(recording_files),
        }),
        before: begin.before.map(|message| message.input_log(&parts)).transpose()?,
        waits: true,
        debugger: None,
    };
    // Firmware that does not start is ended with the window as well.
    let (hand, started) = bounded(1);
    thread::Builder::new().name("orders".into()).spawn({
        let parts = parts.clone();
        move || obey(input, &parts, &started)
    })?;
    let live = match spawn(machines.machine(entries(&begin.header), image), setup) {
        Ok(live) => live,
        Err(error) => {
            write_line(out, &Answer::Refused(error.to_string()))?;
            return Ok(out.flush()?);
        }
    };
    write_line(out, &Answer::Started { version: VERSION })?;
    out.flush()?;
    // An error means that the other process has ended, and that this one is about to.
    let _ = hand.send((live.commands.clone(), live.clock()));
    let (mut known, mut hung) = (Known::new(parts), None);
    let mut say = |Packed { answer, bytes }: Packed| {
        write_line(out, &answer)?;
        out.write_all(&bytes)?;
        out.flush()
    };
    loop {
        let now = live.hung();
        if now != hung {
            hung = now;
            let answer = Answer::Hung(hung.map(|at| at.0));
            say(Packed { answer, bytes: Vec::new() })?;
        }
        select! {
            default(LOOK) => {}
            recv(live.updates) -> update => match update {
                Ok(update) => say(known.pack(update)?)?,
                Err(_) => break,
            },
            recv(live.ended) -> ended => match ended {
                Ok(ended) => return Ok(say(End::pack(ended)?)?),
                Err(_) => return Err(ChildError::Gone),
            },
        }
    }
    // The session has ended, or panicked.
    let ended = live.ended.recv_timeout(LEFT_MAX).map_err(|_| ChildError::Gone)?;
    Ok(say(End::pack(ended)?)?)
}

/// Forwards messages to the session that `started` brings, until there are no more.
fn obey(
    mut input: impl BufRead,
    parts: &BoardParts,
    started: &Receiver<(Sender<Stamped>, Stopwatch)>,
) {
    let mut session = None;
    while let Ok(Some(order)) = read_line::<Order>(&mut input) {
        let Ok(command) = order.command(parts) else { break };
        // No message comes before the session has started.
        let Some((commands, clock)) = session.take().or_else(|| started.recv().ok()) else {
            return;
        };
        if commands.send(Stamped { command, made: clock.elapsed() }).is_err() {
            return;
        }
        session = Some((commands, clock));
    }
    // The window's process has ended. The recording is ended first, then this process, whatever
    // its firmware does. Firmware that has not started records nothing.
    if let Some((commands, clock)) = session.or_else(|| started.try_recv().ok()) {
        let quit = Stamped { command: Command::Quit, made: clock.elapsed() };
        let _ = commands.send_timeout(quit, LEFT_MAX);
        thread::park_timeout(LEFT_MAX);
    }
    #[expect(
        clippy::disallowed_methods,
        reason = "firmware that never returns has a thread of its own"
    )]
    std::process::exit(1);
}
