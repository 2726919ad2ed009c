//! `--vcd`: the levels of all pins over time, for waveform viewers.
//!
//! A change has the nanosecond at which the pin changed: by SIO, a PIO, PWM, a UART, an SPI
//! controller, an I2C controller, CLK_GPOUT, or from outside.

use std::io::{self, Write};

use rp2040_emulator::chip::{Chip, PIN_COUNT, PinChange};
use vcd::{TimescaleUnit, Writer};

/// Writes the changes of all pins.
pub struct Waveform<W: Write> {
    out: W,
    /// The line for each pin that becomes low, and high.
    lines: Vec<[String; 2]>,
    /// Text that has not been written yet. Millions of lines go through it, too many for `write!`.
    text: Vec<u8>,
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
        let mut text = Vec::new();
        let mut header = Writer::new(&mut text);
        header.timescale(1, TimescaleUnit::NS)?;
        header.add_module("rp2040")?;
        let mut lines = Vec::new();
        for pin in 0..PIN_COUNT {
            let wire = header.add_wire(1, &format!("gpio{pin}"))?;
            lines.push([format!("0{wire}\n"), format!("1{wire}\n")]);
        }
        header.upscope()?;
        header.enddefinitions()?;
        let levels = chip.levels();
        let mut waveform = Self { out, lines, text, levels };
        waveform.note(chip.now_ns(), u32::MAX, levels);
        waveform.write()?;
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
                self.note(change.ns, changed, change.levels);
                self.levels = change.levels;
            }
        }
        self.write()
    }

    /// Ends the waveform at `ns` nanoseconds, so that the last levels have a duration.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn finish(mut self, ns: u64) -> io::Result<()> {
        self.note(ns, 0, 0);
        self.write()?;
        self.out.flush()
    }

    /// Adds the time, and the levels of the pins that have changed.
    fn note(&mut self, ns: u64, changed: u32, levels: u32) {
        let mut digits = [0; 20];
        let (mut first, mut rest) = (digits.len(), ns);
        while first == digits.len() || rest != 0 {
            first -= 1;
            digits[first] = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        self.text.push(b'#');
        self.text.extend_from_slice(&digits[first..]);
        self.text.push(b'\n');
        for (pin, lines) in self.lines.iter().enumerate() {
            if changed & 1 << pin != 0 {
                self.text.extend_from_slice(lines[(levels >> pin & 1) as usize].as_bytes());
            }
        }
    }

    fn write(&mut self) -> io::Result<()> {
        self.out.write_all(&self.text)?;
        self.text.clear();
        Ok(())
    }
}
