//! A real board behind a probe: `--board probe`.
//!
//! [`ProbePool`] lends the probes, each to one machine at a time, so several share a suite. The board's
//! settings are its own: what a trace's header says of them is not set on it ([`unset`] names it).
//! It opens ports only with the feature `probe-port`.

mod lent;
mod pool;

use hal_mock::setup::SetupError;
use hal_mock::trace::Trace;
use hal_mock::{BoardConfig, Machine};
use probe::{LEAD, ProbeMachine};

use crate::board::ProbePort;
use crate::header;
use lent::Lent;

pub use pool::{LinkError, OpenLink, PoolError, ProbePool};

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
}

/// Why a trace cannot begin on a real board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RealBoardError {
    /// The trace's header names a flash.
    #[error(
        "a real board keeps its own flash: a trace with a `flash` in its header runs on `native` and `pico`"
    )]
    Flash,
    /// A session would keep the flash.
    #[error("a real board keeps its own flash, and no file can take its place")]
    FlashFile,
}

/// The probes at `port`.
///
/// # Errors
/// If there is none, or this program cannot open ports.
pub(crate) fn pool(port: &ProbePort) -> Result<ProbePool, NoProbes> {
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
    Ok(ProbePool::new(
        ports,
        Box::new(|path| match SerialLink::open(path) {
            Ok(link) => Ok(Box::new(link)),
            Err(error) => Err(Box::new(error)),
        }),
    ))
}

/// The board of a probe that is free, its power off.
///
/// # Errors
/// If the header is wrong or asks for what only a virtual board can do, or if there is no such probe.
pub(crate) fn build(
    pool: &ProbePool,
    trace: &Trace,
    has_flash: bool,
) -> Result<Box<dyn Machine>, SetupError> {
    if has_flash {
        return Err(SetupError::new(RealBoardError::FlashFile));
    }
    if let Some(entry) = trace.get("flash") {
        return Err(SetupError::at(entry.value_place, RealBoardError::Flash));
    }
    let config = header::board(trace, None)?;
    // What the board's flash holds is not known, and not described.
    let config = BoardConfig { flash: None, flash_reader: None, ..config };
    let (session, lease) = pool.take().map_err(SetupError::new)?;
    Ok(Box::new(Lent::new(ProbeMachine::new(session, config, LEAD), lease)))
}

/// The keys of `trace`'s header that say how the board is set: on a real board they must be set by hand.
pub fn unset(trace: &Trace) -> Vec<&str> {
    let keys = trace.header.iter().map(|entry| entry.key.as_str());
    // The probe makes the bounce.
    keys.filter(|key| *key != "bounce").collect()
}
