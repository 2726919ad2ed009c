//! A debugger of a chip that another program runs: it lends the chip for each slice of time.
//!
//! While the debugger has stopped the chip, slices end at once, without time passing: the owner
//! polls [`SessionServer::is_stopped`] and lends the chip again, so that the debugger's requests
//! are answered. The way back is the owner's, so the debugger cannot step back.

use std::io::{self, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use gdbstub::common::Signal;
use gdbstub::conn::ConnectionExt as _;
use gdbstub::stub::GdbStub;
use gdbstub::stub::state_machine::GdbStubStateMachine;
use rp2040_emulator::chip::{Chip, Halt};

use super::packets::{Packets, REFUSAL};
use super::target::{Debugged, ResumeMode};
use super::timeline::Timeline;
use super::{ForwardStep, STEPS_BETWEEN_CHECKS, Stop, signal};
use crate::Program;
use crate::host::Host;

/// Longest time for which an answer waits for a debugger that does not read it.
const ANSWER_MAX: Duration = Duration::from_secs(1);

/// No surroundings: the owner of the chip takes its outputs.
struct NoHost;

impl Host for NoHost {
    fn take(&mut self, _: &mut Chip) -> io::Result<()> {
        Ok(())
    }
}

type Target = Debugged<'static, NoHost>;
type Stub = GdbStubStateMachine<'static, Target, Packets>;

/// A server for one debugger at a time. Without one the chip runs at full speed.
pub struct SessionServer {
    listener: TcpListener,
    debugged: Target,
    /// State of the protocol, and the connection.
    stub: Option<(Stub, TcpStream)>,
    /// Whether a fault of a core was reported as a stop.
    fault_is_reported: bool,
}

impl SessionServer {
    /// Creates a server that accepts debuggers on `listener`. `program` is the program of the
    /// chips.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn new(listener: TcpListener, program: Arc<Program>) -> io::Result<Self> {
        listener.set_nonblocking(true)?;
        let debugged = Debugged::new(Timeline::lent(), program, None);
        Ok(Self { listener, debugged, stub: None, fault_is_reported: false })
    }

    /// Returns whether the debugger has stopped the chip.
    pub fn is_stopped(&self) -> bool {
        matches!(self.stub, Some((GdbStubStateMachine::Idle(_), _)))
    }

    /// Answers the debugger's requests, and runs the chip like [`Chip::run`], unless the debugger
    /// has stopped it or stops it on the way.
    pub fn run(&mut self, chip: &mut Chip, until_ns: u64) -> Halt {
        self.debugged.timeline.swap(chip, until_ns);
        self.accept();
        let halt = match self.stub {
            Some(_) => self.run_debugged(),
            None => self.debugged.timeline.run(),
        };
        self.debugged.timeline.swap(chip, until_ns);
        halt
    }

    fn accept(&mut self) {
        if self.stub.is_some() {
            return;
        }
        // Without a connection the listener reports that it would block.
        let Ok((stream, _)) = self.listener.accept() else { return };
        self.debugged.forget_debugger();
        // A debugger whose connection fails at once is ignored.
        let _ = stream.set_write_timeout(Some(ANSWER_MAX));
        self.stub = stub(stream, &mut self.debugged);
    }

    /// Runs up to the end of the slice, as long as the debugger lets the chip run.
    fn run_debugged(&mut self) -> Halt {
        loop {
            self.answer();
            if self.stub.is_none() {
                return self.debugged.timeline.run();
            }
            if self.is_stopped() {
                return Halt::Time;
            }
            match self.run_for_a_while() {
                // The slice is over.
                Some(None) => {
                    self.debugged.timeline.end_slice();
                    return Halt::Time;
                }
                Some(Some(stop)) => self.stop(stop),
                None => {}
            }
        }
    }

    /// Executes at most [`STEPS_BETWEEN_CHECKS`] steps, or the rest of the slice if nothing can
    /// stop the chip in it. Returns the stop, or `Some(None)` at the end of the slice.
    fn run_for_a_while(&mut self) -> Option<Option<Stop>> {
        let debugged = &mut self.debugged;
        let step = match debugged.resume_mode {
            ResumeMode::Forward { step } => step,
            // The debugger is not offered to go back.
            ResumeMode::BackOne { .. } | ResumeMode::Back => None,
        };
        let is_free =
            debugged.breakpoints.is_empty() && debugged.watchpoints.is_empty() && step.is_none();
        if !is_free || debugged.timeline.passes_breakpoint() {
            for _ in 0..STEPS_BETWEEN_CHECKS {
                match debugged.forward_one(step) {
                    ForwardStep::On => {}
                    ForwardStep::Rested => return Some(None),
                    ForwardStep::Stopped(stop) => return Some(Some(stop)),
                }
            }
            return None;
        }
        let halt = debugged.timeline.run();
        let stop = debugged.stop_of(halt).or_else(|| {
            let chip = debugged.timeline.chip();
            let core = [0, 1].into_iter().find(|core| chip.core(*core).fault().is_some());
            let is_new = core.is_some() && !std::mem::replace(&mut self.fault_is_reported, true);
            core.filter(|_| is_new).map(|core| signal(core, Signal::SIGSEGV))
        });
        Some(stop)
    }

    /// Reports a stop to the debugger.
    fn stop(&mut self, stop: Stop) {
        self.debugged.note_stop(stop);
        let Some((state, stream)) = self.stub.take() else { return };
        let state = match state {
            GdbStubStateMachine::Running(running) => {
                running.report_stop(&mut self.debugged, stop).ok()
            }
            other => Some(other),
        };
        // Without a connection the chip runs.
        self.stub = state.map(|state| (state, stream));
    }

    /// Answers the requests that have arrived.
    fn answer(&mut self) {
        while let Some((state, stream)) = self.stub.take() {
            let (next, is_more) = self.pump(state, &stream);
            self.stub = next.map(|state| (state, stream));
            if !is_more {
                return;
            }
        }
    }

    /// Handles one byte of the debugger. Returns the next state, `None` after a disconnection, and
    /// whether there may be more to handle.
    fn pump(&mut self, state: Stub, stream: &TcpStream) -> (Option<Stub>, bool) {
        let debugged = &mut self.debugged;
        let result = match state {
            GdbStubStateMachine::Idle(mut idle) => match received(idle.borrow_conn()) {
                Ok(Some(byte)) => idle.incoming_data(debugged, byte),
                Ok(None) => return (Some(idle.into()), false),
                Err(_) => return (None, false),
            },
            GdbStubStateMachine::Running(mut running) => match received(running.borrow_conn()) {
                Ok(Some(byte)) => running.incoming_data(debugged, byte),
                Ok(None) => return (Some(running.into()), false),
                Err(_) => return (None, false),
            },
            GdbStubStateMachine::CtrlCInterrupt(interrupt) => {
                let stop = debugged.interrupted();
                debugged.note_stop(stop);
                interrupt.interrupt_handled(debugged, Some(stop))
            }
            // Also after `kill`: the session is its user's.
            GdbStubStateMachine::Disconnected(_) => {
                debugged.forget_debugger();
                return (None, false);
            }
        };
        match result {
            Ok(state) => (Some(state), true),
            Err(error) if error.is_connection_error() || error.is_target_error() => (None, false),
            Err(_) => {
                // The packet is complete but invalid; the next one may be valid.
                let again = stream.try_clone().and_then(|again| {
                    (&again).write_all(REFUSAL)?;
                    Ok(again)
                });
                (again.ok().and_then(|again| stub(again, debugged)).map(|(state, _)| state), true)
            }
        }
    }
}

/// Returns the protocol's state for a new connection, in which the chip is stopped.
fn stub(stream: TcpStream, debugged: &mut Target) -> Option<(Stub, TcpStream)> {
    let packets = Packets::new(stream.try_clone().ok()?);
    let state = GdbStub::new(packets).run_state_machine(debugged).ok()?;
    Some((state, stream))
}

/// Returns the next byte of a complete packet that has arrived.
fn received(packets: &mut Packets) -> io::Result<Option<u8>> {
    match packets.peek()? {
        Some(_) => packets.read().map(Some),
        None => Ok(None),
    }
}
