//! The firmware on a thread of its own: commands go in, complete frames come out.
//!
//! Both channels are bounded and neither side waits for the other. A press is never lost:
//! if the firmware's thread is busy, [`Live`] keeps what it could not send, in order, and
//! tries again. A frame is never torn: only complete ones are sent, shared and not
//! changed any more; one that the window has not fetched is replaced by the next.
//!
//! The rooms inside: `schedule` gives presses their virtual times, `session` runs the
//! machine and records. It knows no window; and of firmware only [`Machine`].

#[cfg(test)]
mod fake;
mod schedule;
mod session;
#[cfg(test)]
mod tests;

use core::fmt;
use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TryRecvError, TrySendError, bounded};
use hal_mock::board::Tone;
use hal_mock::trace::HeaderEntry;
use hal_mock::{Button, Frame, Machine, MachineError, Nanos};

pub use schedule::{MIN_HOLD, POWER_GAP};
pub use session::{FLASH_REST, SINGLE_FRAME_MAX, Sink, WAITING_MAX};

use session::Session;
use wall_clock::{Speed, Stopwatch};

/// Commands on their way to the firmware's thread.
const COMMANDS_MAX: usize = 64;
/// Commands that wait here while the way is full. More than a person can press before the
/// firmware's thread must be taken for dead.
pub const BACKLOG_MAX: usize = 1 << 16;
/// Tones that an update carries at most; of more the last ones.
pub const TONES_MAX: usize = 1_024;
/// How long [`Live::quit`] waits for firmware that does not come back.
pub const QUIT_MAX: Duration = Duration::from_secs(20);
/// How often the machine is brought up to the wall clock; a command does it at once.
const TICK: Duration = Duration::from_millis(4);
/// How often the thread looks up while time is paused and only a command can wake it.
const STANDSTILL: Duration = Duration::from_secs(1);

/// What the window asks of the firmware's thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// A finger goes down.
    Press(Button),
    /// A finger goes up.
    Release(Button),
    /// Stops virtual time (`true`) or lets it run on.
    Pause(bool),
    /// Runs to the next complete frame, at most [`SINGLE_FRAME_MAX`], and pauses there.
    SingleFrame,
    /// Takes the power away for [`POWER_GAP`].
    PowerCycle,
    /// Lets virtual time run faster or slower.
    Speed(Speed),
    /// Does what is still to be done, closes the recording and ends the thread.
    Quit,
}

/// What the session is in the middle of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// Complete frames since the first power-on.
    pub frames: u64,
    /// Whether virtual time stands still.
    pub paused: bool,
    /// Whether the board has power.
    pub powered: bool,
    /// Whether the firmware has powered itself down: the last that it said was `off`.
    pub off: bool,
    /// How fast virtual time runs.
    pub speed: Speed,
    /// Whether the recording ended early because it could not be written.
    pub recording_failed: bool,
    /// Why the machine runs no more.
    pub broken: Option<String>,
}

/// The newest that the firmware's thread has to show.
#[derive(Clone, Debug)]
pub struct Update {
    /// Virtual time.
    pub now: Nanos,
    /// The last complete frame.
    pub frame: Arc<Frame>,
    /// The state of things.
    pub status: Status,
    /// Changes of tone since the update that was fetched before, at most [`TONES_MAX`].
    pub tones: Vec<Tone>,
    /// What the flash holds, if that has changed since the update that was fetched before
    /// and then stayed for [`FLASH_REST`].
    pub flash: Option<Arc<Vec<u8>>>,
}

/// How a session ended.
#[derive(Debug)]
pub struct Ended {
    /// The virtual time of `end`.
    pub at: Nanos,
    /// The last complete frame then: what a replay of the recording ends with.
    pub frame: Frame,
    /// What the flash holds.
    pub flash: Vec<u8>,
    /// How often the firmware broke a rule of the LCD's datasheet.
    pub violations: u64,
    /// Why the machine stopped early.
    pub machine_error: Option<MachineError>,
    /// Why the recording stopped early.
    pub recording_error: Option<io::Error>,
}

/// Why a session could not start, or not go on.
#[derive(Debug)]
pub enum LiveError {
    /// The machine could not be built; the reason.
    Machine(String),
    /// The recording could not be begun.
    Recording(io::Error),
    /// The operating system gave no thread.
    Thread(io::Error),
    /// The firmware's thread is gone, or has not answered for [`BACKLOG_MAX`] commands.
    Gone,
}

impl fmt::Display for LiveError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Machine(why) => write!(out, "the board cannot be built: {why}"),
            Self::Recording(why) => write!(out, "the recording cannot be begun: {why}"),
            Self::Thread(why) => write!(out, "the firmware gets no thread: {why}"),
            Self::Gone => out.write_str("the firmware's thread does not answer any more"),
        }
    }
}

impl std::error::Error for LiveError {}

/// What a session starts with.
#[derive(Default)]
pub struct Setup {
    /// How fast virtual time runs.
    pub speed: Speed,
    /// Where the session is written as a trace, and that trace's header.
    pub recording: Option<(Sink, Vec<HeaderEntry>)>,
}

/// The window's end of a running session. Dropped, the session ends by itself, as after
/// [`Live::quit`], and its outcome is lost.
#[derive(Debug)]
pub struct Live {
    commands: Sender<Command>,
    backlog: VecDeque<Command>,
    updates: Receiver<Update>,
    ended: Receiver<Ended>,
}

/// Builds a machine on a thread of its own (a machine cannot change threads), switches it
/// on, and keeps it in step with the wall clock.
///
/// # Errors
/// If the machine cannot be built, the recording not begun, or there is no thread to be had.
pub fn spawn<F, E>(factory: F, setup: Setup) -> Result<Live, LiveError>
where
    F: FnOnce() -> Result<Box<dyn Machine>, E> + Send + 'static,
    E: fmt::Display,
{
    let (commands, inbox) = bounded(COMMANDS_MAX);
    let (outbox, updates) = bounded(1);
    let (started, start) = bounded(1);
    let (ending, ended) = bounded(1);
    // The thread's own way to take back what the window has not fetched.
    let unfetched = updates.clone();
    thread::Builder::new()
        .name("firmware".into())
        .spawn(move || {
            if let Some(ended) =
                run(factory, setup, &inbox, &Outbox { outbox, unfetched }, &started)
            {
                // If nobody waits for it any more, nobody wants it.
                let _ = ending.send(ended);
            }
        })
        .map_err(LiveError::Thread)?;
    match start.recv() {
        Ok(Ok(())) => {}
        Ok(Err(error)) => return Err(error),
        Err(_) => return Err(LiveError::Gone),
    }
    Ok(Live { commands, backlog: VecDeque::new(), updates, ended })
}

impl Live {
    /// Sends a command, behind all those before it. It is never dropped: what does not fit
    /// into the channel is kept and sent with the next call of this or of
    /// [`flush`](Self::flush).
    ///
    /// # Errors
    /// [`LiveError::Gone`].
    pub fn send(&mut self, command: Command) -> Result<(), LiveError> {
        if self.backlog.len() >= BACKLOG_MAX {
            return Err(LiveError::Gone);
        }
        self.backlog.push_back(command);
        self.flush()
    }

    /// Sends what is kept, as far as it fits.
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

    /// The newest update, if there is one that has not been fetched.
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

    /// Quits: everything sent before is done first. Waits for it, but not for ever.
    ///
    /// # Errors
    /// [`LiveError::Gone`] if the thread panicked, or is stuck in the firmware for [`QUIT_MAX`].
    pub fn quit(mut self) -> Result<Ended, LiveError> {
        self.backlog.push_back(Command::Quit);
        for command in self.backlog.drain(..) {
            // Waits while the channel is full. It fails if nobody receives, and then what
            // the thread left, or its absence, is seen below.
            if self.commands.send_timeout(command, QUIT_MAX).is_err() {
                break;
            }
        }
        self.ended.recv_timeout(QUIT_MAX).map_err(|_| LiveError::Gone)
    }
}

/// The firmware's end of the updates: one place, the newest in it.
struct Outbox {
    outbox: Sender<Update>,
    unfetched: Receiver<Update>,
}

impl Outbox {
    /// Puts `update` there; one that is there yet is replaced, and its tones are kept.
    fn put(&self, update: Update) {
        let mut update = update;
        if let Ok(older) = self.unfetched.try_recv() {
            let mut tones = older.tones;
            tones.append(&mut update.tones);
            let dropped = tones.len().saturating_sub(TONES_MAX);
            update.tones = tones.split_off(dropped);
            update.flash = update.flash.or(older.flash);
        }
        // This thread is the only sender and has just made room; and it holds a receiver, so
        // there is one. Neither failure can be.
        let _ = self.outbox.try_send(update);
    }
}

/// The firmware's thread, from the building of its machine to its end; `None` if it could not
/// start, and then `started` says why.
fn run<F, E>(
    factory: F,
    setup: Setup,
    inbox: &Receiver<Command>,
    outbox: &Outbox,
    started: &Sender<Result<(), LiveError>>,
) -> Option<Ended>
where
    F: FnOnce() -> Result<Box<dyn Machine>, E>,
    E: fmt::Display,
{
    let clock = Stopwatch::start();
    let session =
        factory().map_err(|error| LiveError::Machine(error.to_string())).and_then(|machine| {
            Session::start(machine, setup.recording, setup.speed, clock.elapsed())
                .map_err(LiveError::Recording)
        });
    let (session, outcome) = match session {
        Ok(session) => (Some(session), Ok(())),
        Err(error) => (None, Err(error)),
    };
    // `spawn` waits for it; if it is gone, the inbox says so next.
    let _ = started.send(outcome);
    let mut session = session?;
    loop {
        session.advance(clock.elapsed());
        if let Some(update) = session.news() {
            outbox.put(update);
        }
        let wait = session.idle_for(clock.elapsed()).map_or(STANDSTILL, |idle| idle.min(TICK));
        match inbox.recv_timeout(wait) {
            Ok(Command::Quit) | Err(RecvTimeoutError::Disconnected) => {
                return Some(session.finish(clock.elapsed()));
            }
            Ok(command) => session.obey(clock.elapsed(), command),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}
