//! `--gdb`: a server for one debugger, over TCP.
//!
//! [`serve`] accepts a debugger (`gdb-multiarch FILE -ex 'target remote :3333'`) and answers it until
//! it goes. The debugger sees core 0; core 1 runs along. The protocol is `gdbstub`'s business;
//! [`timeline`] is the chip that goes forward and backward, [`watch`] finds out what an instruction touches.

use std::io;
use std::net::{TcpListener, TcpStream};

use gdbstub::common::Signal;
use gdbstub::conn::ConnectionExt;
use gdbstub::stub::run_blocking::{BlockingEventLoop, Event, WaitForStopReasonError};
use gdbstub::stub::{DisconnectReason, GdbStub, SingleThreadStopReason};
use gdbstub::target::ext::base::reverse_exec::ReplayLogPosition;
use rp2040_emulator::chip::{Chip, Halt};

mod target;
mod timeline;
mod watch;

use target::{Debugged, Going};
use timeline::Timeline;

/// Steps between two looks at what the debugger sends.
const STEPS_BETWEEN_LOOKS: usize = 4096;

/// Waits for a debugger on `listener` and answers it. `outside` takes what the chip has
/// sent; what happens a second time, after going back, is not sent again. Returns the chip as it
/// stands in the end.
///
/// # Errors
/// The connection breaks, or `outside` fails.
pub fn serve(
    listener: &TcpListener,
    chip: Chip,
    outside: &mut dyn FnMut(&mut Chip) -> io::Result<()>,
) -> io::Result<Chip> {
    let (connection, _) = listener.accept()?;
    let mut debugged = Debugged::new(Timeline::new(chip), outside);
    let end = GdbStub::new(connection).run_blocking::<EventLoop<'_>>(&mut debugged);
    match end {
        Ok(
            DisconnectReason::Disconnect
            | DisconnectReason::Kill
            | DisconnectReason::TargetExited(_)
            | DisconnectReason::TargetTerminated(_),
        ) => Ok(debugged.timeline.into_chip()),
        Err(error) => {
            let text = format!("the debugger's connection: {error}");
            match error.into_connection_error() {
                // A debugger that was closed without a word has gone as well.
                Some((error, _)) if gone(&error) => Ok(debugged.timeline.into_chip()),
                _ => Err(io::Error::other(text)),
            }
        }
    }
}

fn gone(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionReset, UnexpectedEof};
    matches!(error.kind(), UnexpectedEof | ConnectionReset | BrokenPipe)
}

struct EventLoop<'a>(std::marker::PhantomData<&'a ()>);

impl<'a> BlockingEventLoop for EventLoop<'a> {
    type Target = Debugged<'a>;
    type Connection = TcpStream;
    type StopReason = SingleThreadStopReason<u32>;

    fn wait_for_stop_reason(
        target: &mut Debugged<'a>,
        connection: &mut TcpStream,
    ) -> Result<Event<Self::StopReason>, WaitForStopReasonError<io::Error, io::Error>> {
        loop {
            if connection.peek().map_err(WaitForStopReasonError::Connection)?.is_some() {
                let byte = connection.read().map_err(WaitForStopReasonError::Connection)?;
                return Ok(Event::IncomingData(byte));
            }
            if let Some(reason) = target.go().map_err(WaitForStopReasonError::Target)? {
                return Ok(Event::TargetStopped(reason));
            }
        }
    }

    fn on_interrupt(_: &mut Debugged<'a>) -> io::Result<Option<Self::StopReason>> {
        Ok(Some(SingleThreadStopReason::Signal(Signal::SIGINT)))
    }
}

impl Debugged<'_> {
    /// Goes on as it was told to, for a while; says why it stopped, if it did.
    fn go(&mut self) -> io::Result<Option<SingleThreadStopReason<u32>>> {
        match self.going {
            Going::Back { steps_only: true } => {
                let moved = self.timeline.back_one();
                Ok(Some(if moved { SingleThreadStopReason::DoneStep } else { BEGIN }))
            }
            Going::Back { steps_only: false } => Ok(Some(self.back_to_a_stop())),
            Going::Forward { one } => {
                for _ in 0..STEPS_BETWEEN_LOOKS {
                    let reason = self.forward_one(one);
                    if reason.is_some() {
                        self.serve_outside()?;
                        return Ok(reason);
                    }
                }
                self.serve_outside()?;
                Ok(None)
            }
        }
    }

    /// The last moment before now at which a breakpoint or a watchpoint would have stopped the
    /// program, or the begin of what is known.
    fn back_to_a_stop(&mut self) -> SingleThreadStopReason<u32> {
        let Self { timeline, breakpoints, watchpoints, .. } = self;
        let found = timeline.back_to_last(
            |chip, touched| {
                watch::hit(watchpoints, touched)
                    .map(SingleThreadStopReason::from)
                    .or_else(|| breakpoints.contains(&chip.core(0).pc()).then_some(BREAK))
            },
            watchpoints.is_empty(),
        );
        found.unwrap_or(BEGIN)
    }

    /// One step of any core; why it must stop there.
    fn forward_one(&mut self, one: bool) -> Option<SingleThreadStopReason<u32>> {
        let watching = !self.watchpoints.is_empty();
        match self.timeline.forward(watching) {
            Err(Halt::Time) => None,
            Err(Halt::Breakpoint(..)) => Some(SingleThreadStopReason::Signal(Signal::SIGTRAP)),
            Err(Halt::Lockup(_)) => Some(SingleThreadStopReason::Signal(Signal::SIGSEGV)),
            Err(Halt::RomCall(..)) => Some(SingleThreadStopReason::Signal(Signal::SIGSYS)),
            Ok(moved) => {
                if let Some(hit) = watch::hit(&self.watchpoints, &moved.touched) {
                    return Some(hit.into());
                }
                if moved.fault {
                    return Some(SingleThreadStopReason::Signal(Signal::SIGSEGV));
                }
                if moved.core != 0 {
                    return None;
                }
                if self.breakpoints.contains(&self.timeline.chip().core(0).pc()) {
                    return Some(BREAK);
                }
                one.then_some(SingleThreadStopReason::DoneStep)
            }
        }
    }
}

const BREAK: SingleThreadStopReason<u32> = SingleThreadStopReason::HwBreak(());
const BEGIN: SingleThreadStopReason<u32> =
    SingleThreadStopReason::ReplayLog { tid: None, pos: ReplayLogPosition::Begin };
