//! `--vcd`: the levels of all pins over time, for waveform viewers.
//!
//! A change has the nanosecond at which the pin changed: by SIO, a PIO, PWM, a UART, an SPI
//! controller, an I2C controller, CLK_GPOUT, or from outside.

use std::io::{self, Write};

use rp2040_emulator::chip::{Chip, PIN_COUNT, PinChange};
use vcd::{IdCode, TimescaleUnit, Value, Writer};

/// Writes the changes of all pins.
pub struct Waveform<W: Write> {
    out: Writer<W>,
    wires: Vec<IdCode>,
    levels: u32,
}

impl<W: Write> Waveform<W> {
    /// Begins with the current levels of `chip`, and lets the chip record the changes of its pins.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn new(out: W, chip: &mut Chip) -> io::Result<Self> {
        chip.watch(u32::MAX);
        chip.observe_functions();
        let mut out = Writer::new(out);
        out.timescale(1, TimescaleUnit::NS)?;
        out.add_module("rp2040")?;
        let wires = (0..PIN_COUNT)
            .map(|pin| out.add_wire(1, &format!("gpio{pin}")))
            .collect::<io::Result<Vec<_>>>()?;
        out.upscope()?;
        out.enddefinitions()?;
        let levels = chip.levels();
        let mut waveform = Self { out, wires, levels };
        waveform.out.timestamp(chip.now_ns())?;
        waveform.write(u32::MAX, levels)?;
        Ok(waveform)
    }

    /// Writes changes of the chip's pins.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn take(&mut self, changes: &[PinChange]) -> io::Result<()> {
        for change in changes {
            let changed = change.levels ^ self.levels;
            if changed != 0 {
                self.out.timestamp(change.ns)?;
                self.write(changed, change.levels)?;
                self.levels = change.levels;
            }
        }
        Ok(())
    }

    /// Ends the waveform at `ns` nanoseconds, so that the last levels have a duration.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn finish(mut self, ns: u64) -> io::Result<()> {
        self.out.timestamp(ns)?;
        self.out.flush()
    }

    fn write(&mut self, changed: u32, levels: u32) -> io::Result<()> {
        for (pin, wire) in self.wires.iter().enumerate() {
            if changed & 1 << pin != 0 {
                let value = if levels & 1 << pin != 0 { Value::V1 } else { Value::V0 };
                self.out.change_scalar(*wire, value)?;
            }
        }
        Ok(())
    }
}
