//! `--log-bus`: the traffic of the SPI and I2C controllers as text, one line per frame or byte.
//!
//! The lines written by one call of [`BusLog::take`] are in order of time. A line has the
//! nanosecond of its end. The line of an SPI frame has the levels of the outputs that have changed
//! since the frame before, such as CS and D/C; the first one those of all.

use std::io::{self, Write};

use rp2040_emulator::chip::{Chip, I2cEvent, PIN_COUNT, PinChange};

/// FUNCSEL of a pin that the processor drives.
const FUNCSEL_SIO: u32 = 5;

/// Writes the log.
pub struct BusLog<W: Write> {
    out: W,
    /// Number of words that were dropped before the last call, for each SPI controller.
    dropped: [u64; 2],
    outputs: [Output; PIN_COUNT],
    /// Levels of all pins after the last change.
    levels: u32,
}

/// An output since the last SPI frame.
#[derive(Clone, Copy, Debug, Default)]
struct Output {
    level: bool,
    /// Number of changes since the last frame.
    changes: u32,
    /// Whether a line has named it.
    is_shown: bool,
}

impl<W: Write> BusLog<W> {
    /// Starts the log. The chip records its traffic from now on.
    pub fn new(out: W, chip: &mut Chip) -> Self {
        for number in 0..2 {
            chip.take_i2c_events(number);
        }
        chip.watch(u32::MAX);
        let outputs = [Output::default(); PIN_COUNT];
        Self { out, dropped: [0; 2], outputs, levels: chip.levels() }
    }

    /// Writes the traffic since the last call, in which the pins had these changes.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn take(&mut self, chip: &mut Chip, changes: &[PinChange]) -> io::Result<()> {
        let mut lines = vec![];
        let mut frames = vec![];
        for number in 0..2 {
            let (words, dropped) = chip.take_spi_sent(number);
            for word in words {
                let digits = usize::from(word.bits).div_ceil(4);
                let line = format!(
                    "SPI{number} out {:0digits$x} in {:0digits$x}",
                    word.word, word.received
                );
                frames.push((word.start_ns, word.ns, line));
            }
            let lost = dropped - std::mem::replace(&mut self.dropped[number], dropped);
            if lost > 0 {
                lines.push((chip.now_ns(), format!("SPI{number} {lost} frames are missing here")));
            }
            for (ns, event) in chip.take_i2c_events(number) {
                lines.push((ns, format!("I2C{number} {}", spoken(event))));
            }
        }
        frames.sort_by_key(|(start, ..)| *start);
        let driven = outputs_of(chip);
        let mut changes = changes.iter().peekable();
        for (start, ns, line) in frames {
            while let Some(change) = changes.next_if(|change| change.ns <= start) {
                self.change(change.levels);
            }
            lines.push((ns, line + &self.changed(driven)));
        }
        changes.for_each(|change| self.change(change.levels));
        lines.sort_by_key(|(ns, _)| *ns);
        lines.iter().try_for_each(|(ns, line)| writeln!(self.out, "{ns:>12} {line}"))
    }

    fn change(&mut self, levels: u32) {
        let changed = std::mem::replace(&mut self.levels, levels) ^ levels;
        for (pin, output) in self.outputs.iter_mut().enumerate() {
            output.level = levels >> pin & 1 != 0;
            output.changes += changed >> pin & 1;
        }
    }

    /// Returns the levels that have changed since the last call, of the pins in a mask: the last
    /// two if there were several changes.
    fn changed(&mut self, driven: u32) -> String {
        let mut text = String::new();
        for (pin, output) in self.outputs.iter_mut().enumerate() {
            if driven >> pin & 1 == 0 || output.is_shown && output.changes == 0 {
                continue;
            }
            let level = u8::from(output.level);
            text += &match output.changes {
                2.. if output.is_shown => format!(" GP{pin}={},{level}", 1 - level),
                _ => format!(" GP{pin}={level}"),
            };
            (output.changes, output.is_shown) = (0, true);
        }
        text
    }

    /// Ends the log and returns its output.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }
}

/// Returns the pins that the processor drives as outputs.
fn outputs_of(chip: &Chip) -> u32 {
    let (_, enabled) = chip.outputs();
    let is_output = |pin: &usize| chip.function(*pin) == Some(FUNCSEL_SIO);
    (0..PIN_COUNT).filter(is_output).fold(0, |pins, pin| pins | 1 << pin) & enabled
}

fn spoken(event: I2cEvent) -> String {
    let end = |acknowledged| if acknowledged { "ack" } else { "nack" };
    match event {
        I2cEvent::Start { address, reading, acknowledged } => {
            let way = if reading { "read" } else { "write" };
            format!("start {address:02x} {way} {}", end(acknowledged))
        }
        I2cEvent::Written { byte, acknowledged } => format!("out {byte:02x} {}", end(acknowledged)),
        I2cEvent::Read(byte) => format!("in {byte:02x}"),
        I2cEvent::Stop => "stop".into(),
    }
}
