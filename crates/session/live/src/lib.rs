//! The firmware on a thread of its own: commands go in, frames come out.
//!
//! Both channels are bounded and neither side waits for the other. No press is lost: while the
//! firmware's thread is busy, [`Live`] queues commands in order and tries again. No frame is
//! torn: a frame is sent only after the firmware rests, shared and immutable; a frame that the
//! window has not fetched is replaced by the next.
//!
//! The modules: `message` is what the two sides exchange, `schedule` gives presses their virtual
//! times, `session` runs the machine and records, `input_log` has the inputs, `past` shows any
//! earlier time, `branches` are the courses that were left, `scanned` the panel line by line,
//! `marks` is its strip, `update_callback` notifies a view of an update. `begin` starts a session
//! with its files: `files` is the recording with its futures, `flash_file` the flash, `captures`
//! pictures and films. `process` runs a session in a process of its own. `contained` turns a panic
//! of the firmware into an error and detects a call that does not return, `debugger` is a debugger
//! of the firmware, `hang` continues a session without it, `journal` has the inputs for a session
//! that replaces it. [`keymap`] and [`held_buttons`] turn keys into presses, `control_hands` turns
//! keys and pointers into movements of knobs, switches and joysticks; `start` is what runs,
//! `services` what a view requests from the command. `typing` is the console as a view shows it.
//! `command_name` is the name of the running command in messages. `open_session` is all that a view has of one session, and is replaced whole; `messages` are
//! those for its user. It knows no window and no terminal, and of firmware only [`Machine`].

mod begin;
mod branches;
mod separate_process;

mod captures;
mod command_name;
mod contained;
mod control_hands;
mod debugger;
mod error;
#[cfg(test)]
mod fake;
mod files;
mod flash_file;
mod hang;
pub mod held_buttons;
mod input_log;
mod journal;
mod marks;
mod message;
mod messages;
mod open_session;
mod part_readings;
mod past;
mod process;
mod process_error;
mod rebuilds;
mod scanned;
mod schedule;
mod services;
mod session;
mod setup;
mod start;
mod stderr;
#[cfg(test)]
mod tests;
mod typing;
mod update_callback;

use std::collections::VecDeque;
use std::fmt;
use std::iter;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TryRecvError, TrySendError, bounded};
use hal_mock::{Machine, MachineError, setup::SetupError};
use virtual_time::Instant;

pub use ::keymap;
pub use begin::{Files, begin, follow};
pub use branches::{BRANCHES_MAX, Branch, Course, clock};
pub use captures::FILM;
pub use command_name::{command_name, set_command_name};
pub use contained::{FirmwareHang, FirmwarePanic, HUNG_AFTER};
pub use control_hands::{ControlHands, FINE_STEP, STEP};
pub use debugger::Debugger;
pub use error::{LiveError, SessionError};
pub use files::{RecordingFiles, short_name};
pub use flash_file::{FlashChoice, FlashFile, FlashFileError, FlashState};
pub use host::panic_is_contained;
pub use input_log::{INPUT_LOG_MAX, InputLog, RecordingStore, Sink, unended};
pub use marks::{Mark, Marks};
pub use message::{Chord, Chords, Command, Handover, Notice, SessionEnd, Status, Update};
pub use messages::Messages;
pub use open_session::{Crash, OpenSession, command_of, finish};
pub use part_readings::{ControlReading, PartReadings};
pub use past::NoPast;
pub use process::{ChildError, Machines, serve, spawn_process};
pub use process_error::{MessageError, ProcessError};
pub use rebuilds::{Both, FirmwareNews, Rebuilds};
pub use schedule::{POWER_GAP, TYPED_MAX};
pub use separate_process::SeparateProcess;
pub use services::{RecentSession, ServiceError, Services};
pub use session::{DRAWN_AFTER, FAST, FLASH_REST, PRESSES_MAX, SINGLE_FRAME_MAX, WAITING_MAX};
pub use setup::{Rewinding, Setup};
pub use start::{Engine, MachineFactory, Start};
pub use stderr::say;
pub use typing::{ConsoleView, TypingKey};
pub use update_callback::OnUpdate;

use contained::{CallWatch, ContainedMachine};
use host::clock::{Speed, Stopwatch};
use journal::Journal;
use message::Stamped;
use process::Process;
use session::Session;
use update_callback::UpdateCallback;
use virtual_time::Nanos;

/// Capacity of the channel to the firmware's thread.
const COMMANDS_MAX: usize = 64;
/// Maximum number of queued commands while the channel is full. With more, the firmware's thread
/// counts as dead.
pub const BACKLOG_MAX: usize = 1 << 16;
/// Maximum number of tones of an update. If there are more, the last ones are sent.
pub const TONES_MAX: usize = 1_024;
/// Time for which [`Live::quit`] waits for firmware that does not return.
pub const QUIT_MAX: Duration = Duration::from_secs(20);
/// Longest time between two advances of the machine to the wall clock; a command advances it at
/// once.
const TICK: Duration = Duration::from_millis(4);
/// Longest time between two advances when nothing has happened for [`QUIET`]: a machine that
/// rests costs little.
const QUIET_TICK: Duration = Duration::from_millis(16);
/// Time without an event after which a session counts as quiet.
const QUIET: Duration = Duration::from_secs(1);
/// Longest wall time that the machine runs before what it shows is reported.
const WORK_MAX: Duration = Duration::from_millis(50);
/// Maximum time that the thread waits for a command while virtual time is paused.
const STANDSTILL: Duration = Duration::from_secs(1);
/// Time between two checks of firmware that is starting.
const START_LOOK: Duration = Duration::from_millis(100);

/// The window's end of a running session. Dropped, the session ends by itself, as after
/// [`Live::quit`], and its outcome is lost.
#[derive(Debug)]
pub struct Live {
    commands: Sender<Stamped>,
    backlog: VecDeque<Stamped>,
    updates: Receiver<Update>,
    ended: Receiver<SessionEnd>,
    on_update: UpdateCallback,
    /// The session's wall clock.
    clock: Stopwatch,
    /// The machine that runs the firmware, and how another one like it is started. Dropped last:
    /// the input of a process is closed then.
    host: Host,
}

/// The thread or process that runs a session.
enum Host {
    /// A thread of this process.
    Thread {
        factory: SharedFactory,
        watch: Arc<CallWatch>,
        journal: Arc<Journal>,
    },
    Process(Box<Process>),
}

impl fmt::Debug for Host {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Thread { .. } => "Thread",
            Self::Process(_) => "Process",
        })
    }
}

/// Builds the machines of a session and of the sessions that replace it.
type SharedFactory = Arc<Mutex<MachineFactory>>;

/// Builds a machine on a thread of its own (a machine cannot change threads), switches it
/// on, and keeps it in step with the wall clock.
///
/// # Errors
/// If the machine cannot be built, the recording cannot be begun, or there is no thread.
pub fn spawn<F>(factory: F, setup: Setup) -> Result<Live, LiveError>
where
    F: Fn() -> Result<Box<dyn Machine>, SetupError> + Send + 'static,
{
    let factory: MachineFactory = Box::new(factory);
    spawn_shared(Arc::new(Mutex::new(factory)), setup, Stopwatch::start())
}

/// Like [`spawn`], with a factory and a wall clock that other sessions use too.
fn spawn_shared(factory: SharedFactory, setup: Setup, clock: Stopwatch) -> Result<Live, LiveError> {
    let (watch, journal) = (Arc::new(CallWatch::default()), Arc::new(Journal::default()));
    let (commands, inbox) = bounded(COMMANDS_MAX);
    let (outbox, updates) = bounded(1);
    let (started, start) = bounded(1);
    let (ending, ended) = bounded(1);
    // With this receiver the thread replaces an update that the window has not fetched.
    let unfetched = updates.clone();
    let on_update = UpdateCallback::default();
    let outbox = Outbox { outbox, unfetched, on_update: on_update.clone() };
    let host = Host::Thread {
        factory: Arc::clone(&factory),
        watch: Arc::clone(&watch),
        journal: Arc::clone(&journal),
    };
    let watched = Arc::clone(&watch);
    let contained = move || {
        let build = factory.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(ContainedMachine::boxed(build()?, &watched))
    };
    thread::Builder::new()
        .name("firmware".into())
        .spawn(move || {
            let ends = (&inbox, &outbox, &started);
            if let Some(ended) = run(contained, setup, clock, &journal, ends) {
                // The receiver may be gone: then the result is not needed.
                let _ = ending.send(ended);
            }
        })
        .map_err(LiveError::Thread)?;
    loop {
        match start.recv_timeout(START_LOOK) {
            Ok(Ok(())) => break,
            Ok(Err(error)) => return Err(error),
            Err(RecvTimeoutError::Disconnected) => return Err(LiveError::Gone),
            Err(RecvTimeoutError::Timeout) => {
                if let Some(at) = watch.hung() {
                    return Err(LiveError::Hung(MachineError::new(at, FirmwareHang)));
                }
            }
        }
    }
    let backlog = VecDeque::new();
    Ok(Live { commands, backlog, updates, ended, on_update, clock, host })
}

impl Live {
    /// Sends a command, after all those before it. No command is dropped: what does not fit into
    /// the channel is queued and sent with the next call of this or of [`flush`](Self::flush).
    ///
    /// # Errors
    /// [`LiveError::Gone`].
    pub fn send(&mut self, command: Command) -> Result<(), LiveError> {
        self.send_at(self.clock.elapsed(), command)
    }

    /// Sends a command as [`send`](Self::send) does, which was made when [`clock`](Self::clock)
    /// showed `made`: the time that a view takes to handle a key does not change how long it was
    /// held. A session in another process takes the time at which the command arrives.
    ///
    /// # Errors
    /// [`LiveError::Gone`].
    pub fn send_at(&mut self, made: Duration, command: Command) -> Result<(), LiveError> {
        if self.backlog.len() >= BACKLOG_MAX {
            return Err(LiveError::Gone);
        }
        self.backlog.push_back(Stamped { command, made });
        self.flush()
    }

    /// Returns the session's wall clock.
    pub fn clock(&self) -> Stopwatch {
        self.clock
    }

    /// Sends queued commands, as far as they fit.
    ///
    /// # Errors
    /// [`LiveError::Gone`].
    pub fn flush(&mut self) -> Result<(), LiveError> {
        while let Some(command) = self.backlog.pop_front() {
            match self.commands.try_send(command) {
                Ok(()) => {}
                Err(TrySendError::Full(command)) => {
                    self.backlog.push_front(command);
                    break;
                }
                Err(TrySendError::Disconnected(_)) => return Err(LiveError::Gone),
            }
        }
        Ok(())
    }

    /// Returns the newest update, if it has not been fetched.
    ///
    /// # Errors
    /// [`LiveError::Gone`].
    pub fn update(&self) -> Result<Option<Update>, LiveError> {
        match self.updates.try_recv() {
            Ok(update) => Ok(Some(update)),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(LiveError::Gone),
        }
    }

    /// Ends the session after all commands sent before. Waits at most [`QUIT_MAX`] for each of them
    /// and for the result.
    ///
    /// # Errors
    /// [`LiveError::Gone`] if the thread panicked, or is stuck in the firmware for [`QUIT_MAX`].
    pub fn quit(mut self) -> Result<SessionEnd, LiveError> {
        for command in self.backlog.drain(..) {
            // Waits while the channel is full. It fails if the thread has ended; its result, or the
            // lack of one, is handled below.
            if self.commands.send_timeout(command, QUIT_MAX).is_err() {
                break;
            }
        }
        self.ending().quit()
    }

    /// Sets the callback for new updates; it is called from another thread. Only the first call
    /// has an effect.
    pub fn on_update(&self, on_update: OnUpdate) {
        self.on_update.set(on_update);
    }

    /// Returns the last output of the session's process, if it has one of its own.
    pub fn last_output(&self) -> Option<String> {
        match &self.host {
            Host::Thread { .. } => None,
            Host::Process(process) => Some(process.last_output()),
        }
    }

    /// Returns the last lines of the error stream of the session's process, if it has one of its
    /// own.
    pub fn last_lines(&self) -> Vec<String> {
        match &self.host {
            Host::Thread { .. } => Vec::new(),
            Host::Process(process) => process.last_lines(),
        }
    }

    /// Returns the time of the board before a call of the firmware that has not returned for
    /// [`HUNG_AFTER`]. The caller polls it at least once a second.
    pub fn hung(&self) -> Option<Instant> {
        match &self.host {
            Host::Thread { watch, .. } => watch.hung(),
            Host::Process(process) => process.hung(),
        }
    }

    /// Gives the session up, whose firmware does not return, and starts another one of the same
    /// firmware, which waits until it takes over. Returns it with the inputs up to `at` and the
    /// branches, as far as they are known; without them if only their files have them. A thread
    /// cannot be ended: it records nothing any more, and ends when the firmware returns.
    ///
    /// # Errors
    /// If the other session does not start.
    pub(crate) fn replaced(
        &mut self,
        rewinding: Rewinding,
        recording_files: &RecordingFiles,
        at: Instant,
    ) -> Result<(Self, Option<Handover>), LiveError> {
        match &mut self.host {
            Host::Thread { factory, journal, .. } => {
                journal.abandon();
                let setup = Setup { rewinding: Some(rewinding), waits: true, ..Setup::default() };
                let next = spawn_shared(Arc::clone(factory), setup, self.clock)?;
                let (branches, branch) = journal.courses();
                let input_log = journal.until(at);
                let known = Handover { input_log, branches, branch, ..Handover::default() };
                Ok((next, Some(known)))
            }
            Host::Process(process) => {
                process.kill();
                let next =
                    spawn_process(&process.program, recording_files, Speed::REAL, None, &|| false)?;
                Ok((Self { clock: self.clock, ..next }, None))
            }
        }
    }

    /// Gives the session up, whose firmware does not return. Returns its inputs up to `at`, as
    /// [`replaced`](Self::replaced) does.
    pub(crate) fn abandon(&mut self, at: Instant) -> Option<InputLog> {
        match &mut self.host {
            Host::Thread { journal, .. } => {
                journal.abandon();
                Some(journal.until(at))
            }
            Host::Process(process) => {
                process.kill();
                None
            }
        }
    }

    /// Hands everything over to another session. Waits at most `limit`.
    ///
    /// # Errors
    /// [`LiveError::Gone`] if the session does not answer; what it has recorded is in its file.
    pub fn hand_over(mut self, limit: Duration) -> Result<SessionEnd, LiveError> {
        let handed = match self.hung() {
            Some(_) => None,
            None => self.handed_over(limit),
        };
        if handed.is_none() {
            // If the firmware returns later, the other session's recording does not change.
            self.abandon(Instant::START);
        }
        handed.ok_or(LiveError::Gone)
    }

    fn handed_over(&mut self, limit: Duration) -> Option<SessionEnd> {
        let last = Stamped { command: Command::HandOver, made: self.clock.elapsed() };
        for command in self.backlog.drain(..).chain([last]) {
            self.commands.send_timeout(command, limit).ok()?;
        }
        self.ended.recv_timeout(limit).ok()
    }

    /// Returns a handle that ends the session if this one cannot be reached any more.
    pub fn ending(&self) -> Ending {
        let clock = self.clock;
        Ending { commands: self.commands.clone(), ended: self.ended.clone(), clock }
    }
}

/// A second handle of a session, which only ends it.
#[derive(Debug)]
pub struct Ending {
    commands: Sender<Stamped>,
    ended: Receiver<SessionEnd>,
    clock: Stopwatch,
}

impl Ending {
    /// Ends the session after the commands that its thread has been sent. Waits at most
    /// [`QUIT_MAX`] for it to take this one, and for the result.
    ///
    /// # Errors
    /// [`LiveError::Gone`] as of [`Live::quit`], and if the session's result was fetched before.
    pub fn quit(self) -> Result<SessionEnd, LiveError> {
        // It fails if the thread has ended, with a result or without.
        let quit = Stamped { command: Command::Quit, made: self.clock.elapsed() };
        let _ = self.commands.send_timeout(quit, QUIT_MAX);
        self.ended.recv_timeout(QUIT_MAX).map_err(|_| LiveError::Gone)
    }
}

/// The firmware's end of the updates: a channel with a capacity of one, which contains the newest
/// update.
struct Outbox {
    outbox: Sender<Update>,
    unfetched: Receiver<Update>,
    on_update: UpdateCallback,
}

impl Outbox {
    /// Replaces the unfetched update by `update`, and retains its tones and its flash.
    fn put(&self, update: Update) {
        let mut update = update;
        if let Ok(older) = self.unfetched.try_recv() {
            let mut tones = older.tones;
            tones.append(&mut update.tones);
            let dropped = tones.len().saturating_sub(TONES_MAX);
            update.tones = tones.split_off(dropped);
            update.is_clock &= older.is_clock;
            update.flash = update.flash.or(older.flash);
            update.input_log = update.input_log.or(older.input_log);
            let mut notices = older.notices;
            notices.append(&mut update.notices);
            update.notices = notices;
        }
        // Sending cannot fail: this thread is the only sender, has just made room, and holds a
        // receiver.
        let _ = self.outbox.try_send(update);
        self.on_update.call();
    }
}

/// The thread's ends of the channels: commands, updates, and how the start went.
type Ends<'a> = (&'a Receiver<Stamped>, &'a Outbox, &'a Sender<Result<(), LiveError>>);

/// Runs the firmware's thread, from the building of its machine to its end. Returns `None` if it
/// could not start; then `started` has the reason.
fn run<F>(
    factory: F,
    setup: Setup,
    clock: Stopwatch,
    journal: &Arc<Journal>,
    (inbox, outbox, started): Ends<'_>,
) -> Option<SessionEnd>
where
    F: Fn() -> Result<Box<dyn Machine>, SetupError> + 'static,
{
    let session = factory().map_err(LiveError::Machine).and_then(|machine| {
        let Setup { speed, recording, rewinding, before, waits, debugger } = setup;
        let mut session = Session::start(machine, recording, speed, clock.elapsed())
            .map_err(LiveError::Recording)?;
        session.share(Arc::clone(journal));
        session.debug(debugger);
        if let Some(rewinding) = rewinding {
            session.remember(Rc::new(factory), rewinding);
        }
        if let Some(before) = before {
            session.repeat(&before, clock.elapsed()).map_err(LiveError::Machine)?;
        }
        if waits {
            session.execute(clock.elapsed(), Command::Pause(true));
        }
        Ok(session)
    });
    let (session, outcome) = match session {
        Ok(session) => (Some(session), Ok(())),
        Err(error) => (None, Err(error)),
    };
    // `spawn` waits for it; if it is gone, the inbox is disconnected next.
    let _ = started.send(outcome);
    let mut session = session?;
    let mut moved = clock.elapsed();
    loop {
        let begun = clock.elapsed();
        session.advance_while(begun, || {
            inbox.is_empty() && clock.elapsed().saturating_sub(begun) < WORK_MAX
        });
        if journal.is_abandoned() {
            return None;
        }
        if let Some(update) = session.take_update() {
            if !update.is_clock {
                moved = clock.elapsed();
            }
            outbox.put(update);
        }
        let is_quiet = clock.elapsed().saturating_sub(moved) > QUIET;
        let tick = if is_quiet { QUIET_TICK } else { TICK };
        let wait = session.idle_for(clock.elapsed()).map_or(STANDSTILL, |idle| idle.min(tick));
        let first = match inbox.recv_timeout(wait) {
            Ok(first) => first,
            Err(RecvTimeoutError::Disconnected) => return Some(session.finish(clock.elapsed())),
            Err(RecvTimeoutError::Timeout) => continue,
        };
        moved = clock.elapsed();
        // All that were made meanwhile: the machine must not run between a press and a release
        // that were made before it could.
        let waiting = iter::once(first).chain(inbox.try_iter().take(COMMANDS_MAX));
        for Stamped { command, made } in merged(waiting) {
            match command {
                Command::Quit => return Some(session.finish(clock.elapsed())),
                Command::HandOver => return Some(session.hand_over(clock.elapsed())),
                command => session.execute(made, command),
            }
        }
    }
}

/// Joins steps back, and steps forward, that follow each other: a held key repeats faster than some
/// machines can go to each of the times.
fn merged(commands: impl Iterator<Item = Stamped>) -> Vec<Stamped> {
    let mut merged: Vec<Stamped> = Vec::new();
    for Stamped { command, made } in commands {
        let joined = match (merged.last_mut().map(|last| &mut last.command), &command) {
            (Some(Command::Back(span)), Command::Back(more))
            | (Some(Command::Forward(span)), Command::Forward(more)) => {
                *span = Nanos(span.0.saturating_add(more.0));
                true
            }
            _ => false,
        };
        if !joined {
            merged.push(Stamped { command, made });
        }
    }
    merged
}
