//! A real board behind a probe: `--board probe`.
//!
//! [`ProbePool`] lends each probe to one machine at a time, so several probes share a suite. Before
//! a trace the board is set up over its console as the trace's header describes
//! ([`LcdFirmware::console_lines`]). [`reference()`] is the reference for the wiring doctor. This module opens
//! ports only with the feature `probe-port`.

mod debug;
mod examined;
mod lent;
mod pool;
mod reference;

use hal_mock::{BoardConfig, Heap, Machine, MachineError, setup::SetupError};
use probe::bring_up::{BringUpError, SetUp, set_up};
use probe::{LEAD, ProbeMachine, Session};
use trace::Trace;

use crate::board::ProbePort;
use crate::lcd_firmware::{ConsoleLinesError, LcdFirmware};
use crate::pico::firmware as firmware_file;
use lent::LeasedMachine;

pub use ::probe::doctor::{Diagnosis, pin_table};
pub use ::probe::swd::{Flashed, Sectors, SwdError};
pub(crate) use debug::expects_heap;
pub use debug::{FlashedBoard, flash_board, flash_boards, heap_of_board, program_sectors};
pub use examined::{
    AtPort, ExamineError, ExaminedProbe, examine_all, examine_all_with_buttons, start_boot_loaders,
};
pub use pool::{Health, LinkError, OpenLink, PoolError, ProbePool};
pub use reference::reference;

/// Reason why there are no probes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoProbes {
    /// This program cannot open a port.
    #[error("this `nudge` was built without its serial ports; build it with `--features probe`")]
    NoPorts,
    /// `probe` without a port, but no port has a probe.
    #[error(
        "no probe is plugged in: none of the serial ports has one; plug its USB cable in, or name its port \
         if the system does not tell what it is: `--board probe:PORT`"
    )]
    NoProbe,
    /// The value of [`SLOWER`] is not valid.
    #[error(
        "{SLOWER} is a number from 1 to {SLOWEST}: how many times slower an emulated probe is than a real one"
    )]
    Slower,
}

/// Environment variable with the factor by which the probe at a port is slower than a real one.
/// `nudge probe emulate` prints its value.
pub const SLOWER: &str = "NUDGE_PROBE_SLOWER";
const SLOWEST: u32 = 1000;

/// Handling of a real board's settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardSettings {
    /// The board is set up as a trace's header describes, whatever its state was: for replays.
    OfHeader {
        /// Whether a firmware that was built from other sources than this program's is accepted.
        any_firmware: bool,
    },
    /// The board's settings are not changed: for interactive use.
    SharedProbe,
}

/// Reason why a trace cannot begin on a real board.
#[derive(Debug, thiserror::Error)]
pub enum RealBoardError {
    /// The session would need the flash of the board.
    #[error("a real board keeps its own flash, and no file can take its place")]
    FlashFile,
    /// No command does what the header requests.
    #[error(transparent)]
    Lines(#[from] ConsoleLinesError),
    /// The board cannot be set up.
    #[error(transparent)]
    BringUp(#[from] BringUpError),
    /// The board's firmware is another one.
    #[error(
        "the board's firmware {}, and this nudge's from {sources}: a verdict would not be about these sources; \
         flash target/firmware/nudge-pico.uf2 of `make firmware`, or replay with `--any-firmware`",
        found.as_ref().map_or_else(|| "does not name its sources".into(), |it| format!("was built from the sources {it}"))
    )]
    OtherFirmware {
        /// Hash of the sources of the board's firmware, if it names them.
        found: Option<String>,
        /// Hash of the sources of this program's firmware.
        sources: &'static str,
    },
    /// The virtual board cannot generate the reference for the LCD's bytes.
    #[error(transparent)]
    Reference(#[from] MachineError),
}

/// Returns the probes at `port`.
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

/// Builds a machine from the board of a free probe, which runs `firmware`, with its power off, with its
/// own settings or those of the header.
///
/// # Errors
/// If the header is wrong or requests something that only a virtual board can do, if there is no
/// free probe, or if the board cannot be set up.
pub(crate) fn build(
    firmware: &dyn LcdFirmware,
    pool: &ProbePool,
    settings: BoardSettings,
    trace: &Trace,
    has_flash: bool,
) -> Result<Box<dyn Machine>, SetupError> {
    if has_flash {
        return Err(SetupError::new(RealBoardError::FlashFile));
    }
    let config = firmware.board(trace, None)?;
    let lines = match settings {
        BoardSettings::SharedProbe => None,
        BoardSettings::OfHeader { .. } => Some(lines(firmware, trace)?),
    };
    // The content of the board's flash is unknown until it is read.
    let config = BoardConfig { flash: None, ..config };
    let (mut session, lease) = pool.take().map_err(SetupError::of_bench)?;
    if let Some(lines) = lines {
        let set_up = set_up_board(firmware, &mut session, &lines);
        let SetUp { boot, diagnosis } = set_up.map_err(|error| {
            if let RealBoardError::BringUp(BringUpError::Probe(error)) = &error {
                lease.fail(error);
                return SetupError::of_bench(error.clone());
            }
            SetupError::new(error)
        })?;
        lease.note(diagnosis);
        let found = sources_of(&boot);
        if settings != (BoardSettings::OfHeader { any_firmware: true })
            && found != Some(firmware.sources())
        {
            return Err(SetupError::new(RealBoardError::OtherFirmware {
                found: found.map(str::to_owned),
                sources: firmware.sources(),
            }));
        }
    }
    let heap = expects_heap(trace).then(|| match firmware_file::built() {
        Ok(program) => heap_of_board(&mut session, &program),
        Err(error) => Heap::Unknown(error.to_string()),
    });
    let machine = ProbeMachine::new(session, config, LEAD);
    let machine = match heap {
        Some(heap) => machine.with_heap(heap),
        None => machine,
    };
    Ok(Box::new(LeasedMachine::new(machine, lease)))
}

/// Returns the hash of the firmware's sources in a board's `boot` line (docs/console.md).
fn sources_of(boot: &str) -> Option<&str> {
    boot.split_ascii_whitespace().find_map(|word| word.strip_prefix("source="))
}

/// Returns the lines that set up a board as the header of `trace` describes.
fn lines(firmware: &dyn LcdFirmware, trace: &Trace) -> Result<Vec<String>, SetupError> {
    firmware.console_lines(trace).map_err(|error| match (error, trace.get("flash")) {
        (ConsoleLinesError::Header(error), _) => error.into(),
        // All other errors concern the flash that the header names.
        (error, Some(entry)) => SetupError::at(entry.value_place, RealBoardError::from(error)),
        (error, None) => SetupError::new(RealBoardError::from(error)),
    })
}

/// Types `lines` on the board's console, and switches it off. The board sends what `firmware` sends.
///
/// # Errors
/// If the board cannot be set up.
pub fn set_up_board(
    firmware: &dyn LcdFirmware,
    session: &mut Session,
    lines: &[String],
) -> Result<SetUp, RealBoardError> {
    Ok(set_up(session, lines, &reference(firmware)?)?)
}
