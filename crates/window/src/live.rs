//! The firmware on a thread of its own: commands go in, complete frames come out.
//!
//! Both channels are bounded and neither side waits for the other. A press is never lost:
//! if the firmware's thread is busy, [`Live`] keeps what it could not send, in order, and
//! tries again. A frame is never torn: only complete ones are sent, shared and not
//! changed any more; one that the window has not fetched is replaced by the next.
//!
//! The rooms inside: `schedule` gives presses their virtual times, `session` runs the
//! machine and records. It knows no window; and of firmware only [`Machine`].

mod error;
#[cfg(test)]
mod fake;
mod message;
mod schedule;
mod session;
mod setup;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TryRecvError, TrySendError, bounded};
use hal_mock::Machine;
use hal_mock::setup::SetupError;

pub use error::LiveError;
pub use message::{Command, SessionEnd, Status, Update};
pub use schedule::{MIN_HOLD, POWER_GAP};
pub use session::{FLASH_REST, SINGLE_FRAME_MAX, WAITING_MAX};
pub use setup::{Setup, Sink};

use session::Session;
use wall_clock::Stopwatch;

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

/// The window's end of a running session. Dropped, the session ends by itself, as after
/// [`Live::quit`], and its outcome is lost.
#[derive(Debug)]
pub struct Live {
    commands: Sender<Command>,
    backlog: VecDeque<Command>,
    updates: Receiver<Update>,
    ended: Receiver<SessionEnd>,
}

/// Builds a machine on a thread of its own (a machine cannot change threads), switches it
/// on, and keeps it in step with the wall clock.
///
/// # Errors
/// If the machine cannot be built, the recording not begun, or there is no thread to be had.
pub fn spawn<F>(factory: F, setup: Setup) -> Result<Live, LiveError>
where
    F: FnOnce() -> Result<Box<dyn Machine>, SetupError> + Send + 'static,
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
    pub fn quit(mut self) -> Result<SessionEnd, LiveError> {
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
fn run<F>(
    factory: F,
    setup: Setup,
    inbox: &Receiver<Command>,
    outbox: &Outbox,
    started: &Sender<Result<(), LiveError>>,
) -> Option<SessionEnd>
where
    F: FnOnce() -> Result<Box<dyn Machine>, SetupError>,
{
    let clock = Stopwatch::start();
    let session = factory().map_err(LiveError::Machine).and_then(|machine| {
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
        if let Some(update) = session.take_update() {
            outbox.put(update);
        }
        let wait = session.idle_for(clock.elapsed()).map_or(STANDSTILL, |idle| idle.min(TICK));
        match inbox.recv_timeout(wait) {
            Ok(Command::Quit) | Err(RecvTimeoutError::Disconnected) => {
                return Some(session.finish(clock.elapsed()));
            }
            Ok(command) => session.execute(clock.elapsed(), command),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}
