//! A real board behind a probe: `--board probe`.
//!
//! [`ProbePool`] lends the probes, each to one machine at a time, so several share a suite. Before a trace the board is made what
//! the trace's header describes, over its console ([`console_lines`]); [`reference()`] is what the wiring doctor compares with.
//! It opens ports only with the feature `probe-port`.

mod examined;
mod lent;
mod pool;
mod reference;

use hal_mock::{BoardConfig, Machine, MachineError, setup::SetupError};
use probe::bring_up::{BringUpError, set_up};
use probe::{LEAD, ProbeMachine, Session};
use trace::Trace;

use crate::board::ProbePort;
use crate::header::{self, ConsoleLinesError, console_lines};
use lent::Lent;

pub use ::probe::doctor::{Diagnosis, pin_table};
pub use examined::{AtPort, ExamineError, ExaminedProbe, examine_all, start_boot_loaders};
pub use pool::{LinkError, OpenLink, PoolError, ProbePool};
pub use reference::reference;

/// Why there are no probes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoProbes {
    /// This program cannot open a port.
    #[error("this `nudge` was built without its serial ports; build it with `--features probe`")]
    NoPorts,
    /// `probe` without a port finds none.
    #[error(
        "no probe is plugged in: none of the serial ports has one; plug its USB cable in, or name its port \
         if the system does not tell what it is: `--board probe:PORT`"
    )]
    NoProbe,
    /// [`SLOWER`] says something else.
    #[error(
        "{SLOWER} is a number from 1 to {SLOWEST}: how many times slower an emulated probe is than a real one"
    )]
    Slower,
}

/// The variable that says how many times slower the probe at a port is than a real one: `nudge probe emulate` says its value.
pub const SLOWER: &str = "NUDGE_PROBE_SLOWER";
const SLOWEST: u32 = 1000;

/// What becomes of a real board's settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardSettings {
    /// The board is made what a trace's header describes, whatever it was: for replays.
    OfHeader,
    /// The board stays as it is: for people who play on their own.
    Kept,
}

/// Why a trace cannot begin on a real board.
#[derive(Debug, thiserror::Error)]
pub enum RealBoardError {
    /// A session would keep the flash.
    #[error("a real board keeps its own flash, and no file can take its place")]
    FlashFile,
    /// No command does what the header asks for.
    #[error(transparent)]
    Lines(#[from] ConsoleLinesError),
    /// The board cannot be set up.
    #[error(transparent)]
    BringUp(#[from] BringUpError),
    /// The virtual board cannot tell what a board sends.
    #[error(transparent)]
    Reference(#[from] MachineError),
}

/// The probes at `port`.
///
/// # Errors
/// If there is none, or this program cannot open ports.
pub fn pool(port: &ProbePort) -> Result<ProbePool, NoProbes> {
    at_ports(port)
}

#[cfg(not(feature = "probe-port"))]
fn at_ports(_: &ProbePort) -> Result<ProbePool, NoProbes> {
    Err(NoProbes::NoPorts)
}

#[cfg(feature = "probe-port")]
fn at_ports(port: &ProbePort) -> Result<ProbePool, NoProbes> {
    use probe_port::SerialLink;

    let ports = match port {
        ProbePort::Ports(ports) => ports.clone(),
        _ => probe_port::find().into_iter().map(|found| found.path).collect(),
    };
    if ports.is_empty() {
        return Err(NoProbes::NoProbe);
    }
    let slower = match std::env::var(SLOWER) {
        Err(_) => 1,
        Ok(text) => {
            let number = text.parse().ok().filter(|number| (1..=SLOWEST).contains(number));
            number.ok_or(NoProbes::Slower)?
        }
    };
    Ok(ProbePool::new(
        ports,
        Box::new(move |path| match SerialLink::open(path) {
            Ok(link) => Ok(Box::new(link.slowed(slower))),
            Err(error) => Err(Box::new(error)),
        }),
    ))
}

/// The board of a probe that is free, its power off, with its own settings or those of the header.
///
/// # Errors
/// If the header is wrong or asks for what only a virtual board can do, if there is no such probe, or if the board cannot be set up.
pub(crate) fn build(
    pool: &ProbePool,
    settings: BoardSettings,
    trace: &Trace,
    has_flash: bool,
) -> Result<Box<dyn Machine>, SetupError> {
    if has_flash {
        return Err(SetupError::new(RealBoardError::FlashFile));
    }
    let config = header::board(trace, None)?;
    let lines = match settings {
        BoardSettings::Kept => None,
        BoardSettings::OfHeader => Some(lines(trace)?),
    };
    // What the board's flash holds is not known, and not described.
    let config = BoardConfig { flash: None, flash_reader: None, ..config };
    let (mut session, lease) = pool.take().map_err(SetupError::new)?;
    if let Some(lines) = lines {
        lease.note(set_up_board(&mut session, &lines).map_err(SetupError::new)?);
    }
    Ok(Box::new(Lent::new(ProbeMachine::new(session, config, LEAD), lease)))
}

/// The lines that make a board what the header of `trace` describes.
fn lines(trace: &Trace) -> Result<Vec<String>, SetupError> {
    console_lines(trace).map_err(|error| match (error, trace.get("flash")) {
        (ConsoleLinesError::Header(error), _) => error.into(),
        // All else is said of the flash that the header names.
        (error, Some(entry)) => SetupError::at(entry.value_place, RealBoardError::from(error)),
        (error, None) => SetupError::new(RealBoardError::from(error)),
    })
}

/// Types `lines` on the board's console, and switches it off; what is likely wrong with its wires.
///
/// # Errors
/// If the board cannot be set up.
pub fn set_up_board(
    session: &mut Session,
    lines: &[String],
) -> Result<Option<Diagnosis>, RealBoardError> {
    Ok(set_up(session, lines, &reference()?)?)
}
