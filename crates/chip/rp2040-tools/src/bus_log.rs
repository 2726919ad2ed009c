//! `--log-bus`: the traffic of the SPI and I2C controllers as text, one line per frame or byte.
//!
//! The lines written by one call of [`BusLog::take`] are in order of time. A line has the
//! nanosecond of its end.

use std::io::{self, Write};

use rp2040_emulator::chip::{Chip, I2cEvent};

/// Writes the log.
pub struct BusLog<W: Write> {
    out: W,
    /// Number of words that were dropped before the last call, for each SPI controller.
    dropped: [u64; 2],
}

impl<W: Write> BusLog<W> {
    /// Starts the log. The chip records its traffic from now on.
    pub fn new(out: W, chip: &mut Chip) -> Self {
        for number in 0..2 {
            chip.take_i2c_events(number);
        }
        Self { out, dropped: [0; 2] }
    }

    /// Writes the traffic since the last call.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn take(&mut self, chip: &mut Chip) -> io::Result<()> {
        let mut lines = vec![];
        for number in 0..2 {
            let (words, dropped) = chip.take_spi_sent(number);
            for word in words {
                let digits = usize::from(word.bits).div_ceil(4);
                let line = format!(
                    "SPI{number} out {:0digits$x} in {:0digits$x}",
                    word.word, word.received
                );
                lines.push((word.ns, line));
            }
            let lost = dropped - std::mem::replace(&mut self.dropped[number], dropped);
            if lost > 0 {
                lines.push((chip.now_ns(), format!("SPI{number} {lost} frames are missing here")));
            }
            for (ns, event) in chip.take_i2c_events(number) {
                lines.push((ns, format!("I2C{number} {}", spoken(event))));
            }
        }
        lines.sort_by_key(|(ns, _)| *ns);
        lines.iter().try_for_each(|(ns, line)| writeln!(self.out, "{ns:>12} {line}"))
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
