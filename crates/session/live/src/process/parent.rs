//! The window's end: it starts the program, and forwards the messages of both sides.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command as Program, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use host::clock::{Speed, Stopwatch};

use super::message::{
    Answer, Begin, Known, LogMessage, Order, pairs, read_line, text_of, write_line,
};
use crate::error::LiveError;
use crate::files::RecordingFiles;
use crate::input_log::InputLog;
use crate::message::{Command, SessionEnd, Stamped};
use crate::process_error::{MessageError, ProcessError, START_MAX, VERSION};
use crate::separate_process::SeparateProcess;
use crate::stderr::say;
use crate::update_callback::UpdateCallback;
use crate::{COMMANDS_MAX, Host, Live, Outbox};
use virtual_time::Instant;

/// Time limit for a program to end.
const END_MAX: Duration = Duration::from_millis(500);
/// Time between two checks of a program that is ending.
const LOOK: Duration = Duration::from_millis(10);
/// Most lines of the error stream that are stored, and most bytes of one.
const LINES_MAX: usize = 40;
const LINE_MAX: u64 = 4_096;

/// A running program. When it is dropped, it has a short time to end and is then killed.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    last_lines: LastLines,
    hung: SharedHang,
    /// The program, to start it again.
    pub(crate) program: SeparateProcess,
}

/// Time of the board before a call of the firmware that has not returned, as the process reports
/// it.
type SharedHang = Arc<Mutex<Option<Instant>>>;

/// Last lines of an error stream.
type LastLines = Arc<Mutex<VecDeque<String>>>;

impl Process {
    /// Returns the last output: the reason of a panic, if there was one.
    pub(crate) fn last_output(&self) -> String {
        let last_lines = self.last_lines.lock().unwrap_or_else(PoisonError::into_inner);
        let panic = last_lines.iter().position(|line| line.contains("panicked at"));
        match panic {
            // The place, and after it the message.
            Some(at) => {
                let lines: Vec<&str> =
                    last_lines.iter().skip(at).take(2).map(String::as_str).collect();
                lines.join(" ")
            }
            None => last_lines.back().cloned().unwrap_or_else(|| "it does not say why".to_owned()),
        }
    }

    /// Returns the last lines of output.
    pub(crate) fn last_lines(&self) -> Vec<String> {
        self.last_lines.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    pub(crate) fn hung(&self) -> Option<Instant> {
        *self.hung.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the program at once.
    pub(crate) fn kill(&mut self) {
        #[cfg(unix)]
        if let Some(group) =
            i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw)
        {
            // An error means that the group has ended.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let clock = Stopwatch::start();
        while let Ok(None) = self.child.try_wait() {
            if clock.elapsed() > END_MAX {
                self.kill();
                break;
            }
            thread::park_timeout(LOOK);
        }
        let _ = self.child.wait();
    }
}

/// Starts a session in a program of its own, which replays `before` and records nothing until it
/// takes over. It may take two minutes for that: a window calls this on another thread. Once
/// `given_up` is true, the program is ended; it is polled every 10 ms.
///
/// # Errors
/// If the program does not start, is another one, or does not finish the replay.
pub fn spawn_process(
    separate_process: &SeparateProcess,
    recording_files: &RecordingFiles,
    speed: Speed,
    before: Option<&InputLog>,
    given_up: &dyn Fn() -> bool,
) -> Result<Live, LiveError> {
    let (mut process, output) = start(separate_process).map_err(LiveError::Process)?;
    let hung = Arc::clone(&process.hung);
    let begin = Begin {
        version: VERSION,
        header: pairs(&separate_process.header),
        image: separate_process.image.as_deref().map(text_of),
        record: recording_files
            .record
            .as_deref()
            .map(std::path::absolute)
            .transpose()
            .map_err(gone)?,
        recorded: pairs(&recording_files.header),
        captures: std::path::absolute(&recording_files.captures)
            .unwrap_or_else(|_| recording_files.captures.clone()),
        speed: speed.thousandths(),
        before: before.map(LogMessage::of).transpose().map_err(gone)?,
    };
    let Some(mut input) = process.child.stdin.take() else {
        return Err(gone(io::ErrorKind::BrokenPipe.into()));
    };
    let (sender, first) = bounded(1);
    let (commands, orders) = bounded::<Stamped>(COMMANDS_MAX);
    let (outbox, updates) = bounded(1);
    let (ending, ended) = bounded(1);
    let on_update = UpdateCallback::default();
    let outbox = Outbox { outbox, unfetched: updates.clone(), on_update: on_update.clone() };
    thread::Builder::new()
        .name("session".into())
        .spawn(move || hear(output, &sender, &outbox, &ending, &hung))
        .map_err(LiveError::Thread)?;
    thread::Builder::new()
        .name("orders".into())
        .spawn(move || {
            // An error means that the program has ended, which `hear` detects too.
            if write_line(&mut input, &begin).is_ok() {
                hand_on(&orders, &mut input);
            }
        })
        .map_err(LiveError::Thread)?;
    let refused = match first_word(&first, given_up) {
        Ok(Ok(())) => {
            return Ok(Live {
                commands,
                backlog: VecDeque::new(),
                updates,
                ended,
                on_update,
                clock: Stopwatch::start(),
                host: Host::Process(Box::new(process)),
            });
        }
        Ok(Err(ProcessError::Ended(_))) | Err(RecvTimeoutError::Disconnected) => {
            // The last line may come after the program's end.
            let _ = process.child.wait();
            thread::park_timeout(LOOK);
            ProcessError::Ended(process.last_output())
        }
        Ok(Err(refused)) => refused,
        Err(RecvTimeoutError::Timeout) => {
            process.kill();
            if given_up() { ProcessError::GivenUp } else { ProcessError::Late }
        }
    };
    Err(LiveError::Process(refused))
}

/// Waits for the first message of a program, until `given_up`, and at most for [`START_MAX`].
fn first_word(
    first: &Receiver<Result<(), ProcessError>>,
    given_up: &dyn Fn() -> bool,
) -> Result<Result<(), ProcessError>, RecvTimeoutError> {
    let clock = Stopwatch::start();
    loop {
        match first.recv_timeout(LOOK) {
            Err(RecvTimeoutError::Timeout) if !given_up() && clock.elapsed() < START_MAX => {}
            heard => return heard,
        }
    }
}

fn gone(error: io::Error) -> LiveError {
    LiveError::Process(ProcessError::Message(error.into()))
}

fn start(separate_process: &SeparateProcess) -> Result<(Process, ChildStdout), ProcessError> {
    let mut command = Program::new(&separate_process.program);
    command.args(&separate_process.arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        // Ctrl-C in the terminal is for the window, which then ends the session.
        command.process_group(0);
    }
    let no_start =
        |source| ProcessError::Start { program: separate_process.program.clone(), source };
    let mut child = command.spawn().map_err(no_start)?;
    let last_lines = LastLines::default();
    if let Some(errors) = child.stderr.take() {
        let kept = Arc::clone(&last_lines);
        thread::Builder::new()
            .name("errors".into())
            .spawn(move || keep(errors, &kept))
            .map_err(no_start)?;
    }
    let output = child.stdout.take();
    let program = separate_process.clone();
    let process = Process { child, last_lines, hung: SharedHang::default(), program };
    let output = output.ok_or_else(|| no_start(io::ErrorKind::BrokenPipe.into()))?;
    Ok((process, output))
}

/// Forwards the lines of an error stream, and stores the last.
fn keep(errors: impl Read, last_lines: &LastLines) {
    let mut errors = BufReader::new(errors);
    loop {
        let mut line = Vec::new();
        match errors.by_ref().take(LINE_MAX).read_until(b'\n', &mut line) {
            Ok(1..) => {}
            _ => return,
        }
        let line = String::from_utf8_lossy(&line).trim_end().to_owned();
        if line.is_empty() {
            continue;
        }
        say(format_args!("{line}"));
        let mut last_lines = last_lines.lock().unwrap_or_else(PoisonError::into_inner);
        last_lines.push_back(line);
        while last_lines.len() > LINES_MAX {
            last_lines.pop_front();
        }
    }
}

/// Forwards commands, until the session is dropped or the program has ended.
fn hand_on(orders: &Receiver<Stamped>, input: &mut dyn io::Write) {
    while let Ok(Stamped { command, .. }) = orders.recv() {
        let Ok(order) = Order::of(&command) else { return };
        if write_line(input, &order).is_err() {
            return;
        }
        if matches!(command, Command::Quit | Command::HandOver) {
            return;
        }
    }
}

/// Forwards the session's messages, until it has ended.
fn hear(
    output: ChildStdout,
    started: &Sender<Result<(), ProcessError>>,
    outbox: &Outbox,
    ending: &Sender<SessionEnd>,
    hung: &SharedHang,
) {
    let mut output = BufReader::new(output);
    let mut known = Known::default();
    loop {
        let answer = match read_line::<Answer>(&mut output) {
            Ok(Some(answer)) => answer,
            Ok(None) => {
                let _ = started.try_send(Err(ProcessError::Ended(String::new())));
                return;
            }
            Err(error) => {
                let _ = started.try_send(Err(error.into()));
                return;
            }
        };
        let heard = match answer {
            Answer::Started { version: VERSION } => {
                let _ = started.try_send(Ok(()));
                continue;
            }
            Answer::Started { version } => Err(MessageError::Version(version)),
            Answer::Refused(why) => {
                let _ = started.try_send(Err(ProcessError::Refused(why)));
                return;
            }
            Answer::Update(news) => {
                known.unpack(*news, &mut output).map(|update| outbox.put(update))
            }
            Answer::Hung(at) => {
                *hung.lock().unwrap_or_else(PoisonError::into_inner) = at.map(Instant);
                Ok(())
            }
            Answer::Ended(end) => end.unpack(&mut output).map(|ended| {
                let _ = ending.try_send(ended);
            }),
        };
        if let Err(error) = heard {
            let _ = started.try_send(Err(error.into()));
            return;
        }
    }
}
