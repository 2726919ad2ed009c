//! `nudge probe emulate`: the serial port of an emulated probe as a pseudo-terminal, to test the
//! connection between a probe and its host without hardware.
//!
//! The probe's time is slower than wall time by a factor that both sides know, so no answer is late
//! because of the emulation.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use boards::emulated_probe::{self, Cut, EmulatedProbeError};
use boards::pico::firmware;
use boards::probe::SLOWER;
use firmware_board::Firmware;
use host::clock::Stopwatch;
use rp2040_tools::pty::Pty;

use crate::cli::ProbeEmulateArgs;
use crate::ctrl_c;

/// Maximum time of the probe that passes in one step.
const STEP: Duration = Duration::from_millis(1);
/// Time that one poll of the terminal takes if there is nothing to do.
const DRIVE_POLL_INTERVAL: Duration = Duration::from_micros(500);
/// Maximum number of bytes that wait for room in the terminal; the probe is halted above it.
const PENDING_BYTES_MAX: usize = 16 << 10;

/// Errors of `nudge probe emulate`.
#[derive(Debug, thiserror::Error)]
pub enum EmulateError {
    #[error("the board: {0}")]
    Board(#[from] firmware::FirmwareError),
    #[error(transparent)]
    Probe(#[from] EmulatedProbeError),
    #[error("the emulated probe: {0}")]
    Cut(#[from] Cut),
    #[error("no pseudo-terminal: {0}")]
    Terminal(#[from] io::Error),
}

/// Runs the probe until Ctrl-C.
pub fn emulate(args: &ProbeEmulateArgs, out: &mut dyn Write) -> Result<(), EmulateError> {
    let interrupt = ctrl_c::listen();
    let board = Arc::new(firmware::built()?);
    let probe = Arc::new(emulated_probe::built()?);
    let mut cable = emulated_probe::cable(&Firmware, &board, &probe, &args.wires)?;
    let mut terminal = Pty::open()?;
    writeln!(out, "{}", terminal.path())?;
    writeln!(out, "{SLOWER}={} nudge replay --board probe:{} TRACE", args.slower, terminal.path())?;
    out.flush()?;
    let clock = Stopwatch::start();
    let mut last = clock.elapsed();
    let (mut heard, mut said) = (Vec::new(), Vec::new());
    let mut buffer = vec![0; 4096];
    while !interrupt.is_set() {
        heard.extend(terminal.read(buffer.len(), DRIVE_POLL_INTERVAL)?);
        let written = cable.write(&heard)?;
        heard.drain(..written);
        let now = clock.elapsed();
        // A delay is not made up for.
        let span = ((now - last) / args.slower).min(STEP);
        last = now;
        if said.len() < PENDING_BYTES_MAX {
            let read = cable.read(&mut buffer, span)?;
            said.extend_from_slice(&buffer[..read]);
        }
        let sent = terminal.send(&said)?;
        said.drain(..sent);
    }
    Ok(())
}
