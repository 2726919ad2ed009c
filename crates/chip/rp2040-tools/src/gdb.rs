//! `--gdb`: a server for one debugger, over TCP.
//!
//! [`serve`] accepts a debugger (`gdb-multiarch FILE -ex 'target remote :3333'`) and answers it
//! until it ends the program (`kill`). When a debugger detaches, the program runs, and another
//! debugger may attach. Each core is a thread; they run and stop together. `gdbstub` implements the
//! protocol; `timeline` is the chip that runs forward and backward, `watch` finds the memory that
//! an instruction accesses, `monitor` implements GDB's `monitor` commands, `packets` refuses
//! malformed packets. `session` serves the debugger of a chip that another program runs.

use std::io::{self, ErrorKind, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

use gdbstub::common::Signal;
use gdbstub::conn::ConnectionExt;
use gdbstub::stub::run_blocking::{BlockingEventLoop, Event, WaitForStopReasonError};
use gdbstub::stub::{DisconnectReason, GdbStub, GdbStubError, MultiThreadStopReason};
use gdbstub::target::ext::base::reverse_exec::ReplayLogPosition;
use rp2040_emulator::chip::{Chip, Halt};

mod breakpoints;
mod monitor;
mod packets;
mod registers;
mod session;
mod target;
mod timeline;
mod watch;

use crate::Program;
use crate::host::Host;
use packets::{Packets, REFUSAL};
pub use session::SessionServer;
use target::{Debugged, ResumeMode, thread};
use timeline::{StepEffect, Timeline};
use watch::Watchpoint;

/// Number of steps between two checks for input from the debugger.
const STEPS_BETWEEN_CHECKS: usize = 4096;

/// Reason why a session with a debugger ended abnormally.
#[derive(Debug, thiserror::Error)]
pub enum DebuggerError {
    /// No connection could be accepted, or the host failed while no debugger was connected.
    #[error(transparent)]
    Accept(#[from] io::Error),
    /// The connection broke.
    #[error("the debugger's connection: {text}")]
    Connection {
        /// Description from the protocol's library.
        text: String,
        /// Error of the operating system.
        #[source]
        error: io::Error,
    },
    /// The debugger broke the protocol, or the host failed.
    #[error("the debugger's connection: {0}")]
    Session(#[source] Box<GdbStubError<io::Error, io::Error>>),
}

/// Waits for debuggers on `listener` and answers one after another, until one ends the program.
/// `program` is the program that `chip` runs. `host` takes the chip's outputs; outputs that are
/// repeated after going back are not sent again. Returns the chip's last state.
///
/// # Errors
/// If a connection breaks, or `host` fails.
pub fn serve(
    listener: &TcpListener,
    chip: Chip,
    program: Arc<Program>,
    host: &mut dyn Host,
) -> Result<Chip, DebuggerError> {
    let mut debugged = Debugged::new(Timeline::new(chip), program, Some(host));
    let mut runs = false;
    loop {
        let connection = debugged.wait_for_debugger(listener, runs)?;
        match debugged.answer(&connection)? {
            DisconnectReason::Disconnect => runs = true,
            DisconnectReason::Kill
            | DisconnectReason::TargetExited(_)
            | DisconnectReason::TargetTerminated(_) => return Ok(debugged.timeline.into_chip()),
        }
    }
}

impl<H: Host + ?Sized> Debugged<'_, H> {
    /// Removes what a debugger has set.
    fn forget_debugger(&mut self) {
        self.breakpoints.clear();
        self.watchpoints.clear();
        self.resume_mode = ResumeMode::Forward { step: None };
    }

    /// Waits for the next debugger. Meanwhile the program runs if it `runs`.
    fn wait_for_debugger(
        &mut self,
        listener: &TcpListener,
        mut runs: bool,
    ) -> io::Result<TcpStream> {
        self.forget_debugger();
        loop {
            listener.set_nonblocking(runs)?;
            match listener.accept() {
                Ok((connection, _)) => {
                    connection.set_nonblocking(false)?;
                    return Ok(connection);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if runs && error.kind() == ErrorKind::WouldBlock => {
                    runs = self.resume_for_a_while()?.is_none();
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Answers one debugger until it disconnects.
    fn answer(&mut self, connection: &TcpStream) -> Result<DisconnectReason, DebuggerError> {
        loop {
            let stub = GdbStub::new(Packets::new(connection.try_clone()?));
            let error = match stub.run_blocking::<EventLoop<'_, H>>(self) {
                Ok(reason) => return Ok(reason),
                Err(error) => error,
            };
            if error.is_target_error() {
                return Err(DebuggerError::Session(Box::new(error)));
            }
            if !error.is_connection_error() {
                // The packet is complete but invalid; the next one may be valid.
                (&*connection).write_all(REFUSAL)?;
                continue;
            }
            let text = error.to_string();
            return match error.into_connection_error() {
                Some((error, _)) if !is_disconnect(&error) => {
                    Err(DebuggerError::Connection { text, error })
                }
                // A debugger that closed the connection without a message has disconnected as well.
                _ => Ok(DisconnectReason::Disconnect),
            };
        }
    }
}

fn is_disconnect(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionReset, UnexpectedEof};
    matches!(error.kind(), UnexpectedEof | ConnectionReset | BrokenPipe)
}

struct EventLoop<'a, H: ?Sized>(std::marker::PhantomData<&'a mut H>);

impl<'a, H: Host + ?Sized> BlockingEventLoop for EventLoop<'a, H> {
    type Target = Debugged<'a, H>;
    type Connection = Packets;
    type StopReason = Stop;

    fn wait_for_stop_reason(
        target: &mut Debugged<'a, H>,
        connection: &mut Packets,
    ) -> Result<Event<Self::StopReason>, WaitForStopReasonError<io::Error, io::Error>> {
        loop {
            if connection.peek().map_err(WaitForStopReasonError::Connection)?.is_some() {
                let byte = connection.read().map_err(WaitForStopReasonError::Connection)?;
                return Ok(Event::IncomingData(byte));
            }
            if let Some(reason) =
                target.resume_for_a_while().map_err(WaitForStopReasonError::Target)?
            {
                return Ok(Event::TargetStopped(reason));
            }
        }
    }

    fn on_interrupt(target: &mut Debugged<'a, H>) -> io::Result<Option<Stop>> {
        Ok(Some(target.interrupted()))
    }
}

/// Reason why the program has stopped, with its thread.
type Stop = MultiThreadStopReason<u32>;

/// The result of a step forward.
enum ForwardStep {
    On,
    /// A slice of time has passed without a step.
    Rested,
    Stopped(Stop),
}

/// The program is at the beginning of its recorded past.
const BEGIN: Stop = Stop::ReplayLog { tid: None, pos: ReplayLogPosition::Begin };

fn signal(core: usize, signal: Signal) -> Stop {
    Stop::SignalWithThread { tid: thread(core), signal }
}

impl<H: Host + ?Sized> Debugged<'_, H> {
    /// Returns the stop after a Ctrl-C.
    fn interrupted(&self) -> Stop {
        let core = match self.resume_mode {
            ResumeMode::Forward { step: Some(core) } | ResumeMode::BackOne { core } => core,
            ResumeMode::Forward { step: None } | ResumeMode::Back => 0,
        };
        signal(core, Signal::SIGINT)
    }

    /// Runs in the current [`ResumeMode`] for at most [`STEPS_BETWEEN_CHECKS`] steps. Returns the
    /// reason if the program stopped.
    fn resume_for_a_while(&mut self) -> io::Result<Option<Stop>> {
        let stopped = self.go_on()?;
        if let Some(stopped) = stopped {
            self.note_stop(stopped);
        }
        Ok(stopped)
    }

    /// Notes the core that has stopped.
    fn note_stop(&mut self, stopped: Stop) {
        if let Stop::SignalWithThread { tid, .. } | Stop::HwBreak(tid) | Stop::Watch { tid, .. } =
            stopped
        {
            self.stopped = target::core(tid);
        }
    }

    fn go_on(&mut self) -> io::Result<Option<Stop>> {
        match self.resume_mode {
            ResumeMode::BackOne { core } => {
                let moved = self.timeline.back_one(core);
                Ok(Some(if moved { signal(core, Signal::SIGTRAP) } else { BEGIN }))
            }
            ResumeMode::Back => Ok(Some(self.back_to_a_stop())),
            ResumeMode::Forward { step } => {
                self.receive_from_host();
                for _ in 0..STEPS_BETWEEN_CHECKS {
                    match self.forward_one(step) {
                        // A slice has passed; the cores may sleep for many slices.
                        ForwardStep::Rested => break,
                        ForwardStep::On => {}
                        ForwardStep::Stopped(reason) => {
                            self.send_to_host()?;
                            return Ok(Some(reason));
                        }
                    }
                }
                self.send_to_host()?;
                Ok(None)
            }
        }
    }

    /// Goes back to the last state before now at which a breakpoint or a watchpoint would have
    /// stopped the program, or to the beginning of the recorded past. For a watchpoint it is the
    /// state after the access, because on ARM the debugger expects to stop before the access and
    /// steps back over it by itself. That state may therefore be the current one, where a
    /// breakpoint does not count.
    fn back_to_a_stop(&mut self) -> Stop {
        let Self { timeline, breakpoints, watchpoints, .. } = self;
        let found = timeline.back_to_last(!watchpoints.is_empty(), |chip, effect, now| {
            let hit = watch::hit(watchpoints, &effect.access);
            hit.map(|watchpoint| watched(effect.core, watchpoint)).or_else(|| {
                let stands = !now && breakpoints.contains(&chip.core(effect.core).pc());
                stands.then(|| Stop::HwBreak(thread(effect.core)))
            })
        });
        found.unwrap_or(BEGIN)
    }

    /// Executes one step of any core.
    fn forward_one(&mut self, step: Option<usize>) -> ForwardStep {
        match self.timeline.forward(&self.watchpoints) {
            Err(halt) => self.stop_of(halt).map_or(ForwardStep::Rested, ForwardStep::Stopped),
            Ok(effect) => {
                let reason = self.stop_reason_after(effect, step);
                reason.map_or(ForwardStep::On, ForwardStep::Stopped)
            }
        }
    }

    /// Returns the stop for a halt of the chip; `None` at the end of a slice of time.
    fn stop_of(&mut self, halt: Halt) -> Option<Stop> {
        match halt {
            Halt::Time => None,
            Halt::Breakpoint(core, _) => {
                self.at_breakpoint = Some(core.into());
                Some(signal(core.into(), Signal::SIGTRAP))
            }
            Halt::Lockup(core) => Some(signal(core.into(), Signal::SIGSEGV)),
            Halt::RomCall(core, _) => Some(signal(core.into(), Signal::SIGSYS)),
            Halt::ClockStopped => Some(signal(0, Signal::SIGSYS)),
        }
    }

    /// Returns the reason if the program must stop after the step `effect`.
    fn stop_reason_after(&mut self, effect: StepEffect, step: Option<usize>) -> Option<Stop> {
        let over = self.watchpoint_passed_at.take() == Some(self.timeline.steps());
        if let Some(watchpoint) = watch::hit(&self.watchpoints, &effect.access)
            && !over
        {
            // On ARM the debugger expects to stop before the access.
            self.watchpoint_passed_at = Some(self.timeline.steps());
            self.timeline.undo();
            return Some(watched(effect.core, watchpoint));
        }
        if effect.fault {
            return Some(signal(effect.core, Signal::SIGSEGV));
        }
        if self.breakpoints.contains(&self.timeline.chip().core(effect.core).pc()) {
            return Some(Stop::HwBreak(thread(effect.core)));
        }
        (step == Some(effect.core)).then(|| signal(effect.core, Signal::SIGTRAP))
    }
}

fn watched(core: usize, Watchpoint { address: addr, kind, .. }: Watchpoint) -> Stop {
    Stop::Watch { tid: thread(core), kind, addr }
}
