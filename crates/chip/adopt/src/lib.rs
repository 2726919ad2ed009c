//! The parts of a board, found by watching the pins of the chip that runs its program.
//!
//! [`adopt`] runs a program for at most two seconds of virtual time on a chip to which nothing is
//! connected, and returns the [`Findings`]: displays, buttons, encoders,
//! buzzer, LEDs, consoles, devices on SPI and I2C.
//! Each finding has its evidence and its [`Certainty`]. [`board_text`] writes them as a board file,
//! [`mismatch`] compares them with the pins that a board has.
//!
//! - `finding`: the types. `observation`: the run, and what it records of pins, buses and functions.
//! - `bytes`: the bytes on a serial bus, from an SPI controller's frames or from edges.
//! - `grammar`: which pin separates commands from data, and the commands. `panel`: the controller
//!   that has these commands, and its geometry. `display` joins them.
//!   `spi_devices`: what else is on its bus.
//! - `encoders` and `inputs`: encoders and buttons, by copies of the chip in which pins have other levels.
//!   `touch`: which of them is the interrupt line of a touch controller.
//!   `matrix`: outputs that are driven in turn. `outputs`: all other pins that the program drives.
//!
//! The crate knows no board, no trace and no file. It is deterministic.

mod board_text;
mod bytes;
mod display;
mod encoders;
mod finding;
mod grammar;
mod inputs;
mod matrix;
mod mismatch;
mod observation;
mod outputs;
mod panel;
mod spi_devices;
mod touch;

use rp2040_emulator::chip::BootError;
use rp2040_emulator::program::Program;

pub use board_text::board_text;
pub use display::WantedBus;
pub use finding::{
    Bus, Button, Buzzer, BuzzerKind, Certainty, Console, Display, Encoder, Findings, Geometry,
    I2cAddress, Led, LedKind, Matrix, Panel, Signal, SpiDevice, SpiDeviceKind,
};
pub use mismatch::{DisplayPins, Mismatch, mismatch};
use observation::Observation;

/// Finds only the display at a bus: one of several that `program` may have.
///
/// # Errors
/// If the program does not start.
pub fn adopt_display(program: &Program, bus: WantedBus) -> Result<Findings, BootError> {
    let seen = Observation::of(program)?;
    Ok(Findings { display: display::find_at(&seen, bus), ..Findings::default() })
}

/// Finds the parts of the board that `program` runs on.
///
/// # Errors
/// If the program does not start.
pub fn adopt(program: &Program) -> Result<Findings, BootError> {
    let mut seen = Observation::of(program)?;
    let mut findings = Findings::default();
    display::find(&seen, &mut findings);
    spi_devices::find(&seen, &mut findings);
    outputs::find(&seen, &mut findings);
    display::find_tearing_effect(&mut seen, &mut findings);
    let open = encoders::find(&seen, &mut findings);
    inputs::find(&seen, open, &mut findings);
    touch::find(&seen, &mut findings);
    matrix::find(&seen, &mut findings);
    findings.ended_ns = seen.ended_ns;
    Ok(findings)
}
