//! The RTT channels of the program: channel 0 goes to standard output as it is, others line by line with
//! their names.

use std::collections::BTreeMap;
use std::io::{self, Write};

use rp2040_emulator::chip::Chip;
use rp2040_tools::Program;
use rp2040_tools::rtt::Rtt;

/// The longest line of another channel that is collected; a longer one is divided.
const LINE_MAX: usize = 4096;

/// What reads and writes the channels of a run.
pub struct RttChannels {
    /// `None` once the control block was found to point nowhere.
    rtt: Option<Rtt>,
    /// Of the channels above 0: the name, and a line that is not complete.
    others: BTreeMap<u32, (String, Vec<u8>)>,
    /// What the program has not read yet.
    input: Vec<u8>,
    /// Why no more is read, until it has been said.
    problem: Option<String>,
}

impl RttChannels {
    /// Channels of `program`, which receives `input` on its down channel 0.
    pub fn new(program: &Program, input: Vec<u8>) -> Self {
        let others = BTreeMap::new();
        Self { rtt: Some(Rtt::new(program)), others, input, problem: None }
    }

    /// Moves what can be moved now.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn take(&mut self, chip: &mut Chip, out: &mut dyn Write) -> io::Result<()> {
        let Some(rtt) = &mut self.rtt else { return Ok(()) };
        let moved = rtt.read(chip).and_then(|taken| {
            let count = if self.input.is_empty() { 0 } else { rtt.write(chip, 0, &self.input)? };
            Ok((taken, count))
        });
        let (taken, count) = match moved {
            Ok(moved) => moved,
            Err(error) => {
                self.problem = Some(format!("{error}; RTT is not read any more"));
                self.rtt = None;
                return Ok(());
            }
        };
        self.input.drain(..count);
        for (number, bytes) in taken {
            if number == 0 {
                out.write_all(&bytes)?;
                out.flush()?;
                continue;
            }
            let mut name = || rtt.name(chip, number).unwrap_or_else(|| number.to_string());
            let (name, line) = self.others.entry(number).or_insert_with(|| (name(), Vec::new()));
            for byte in bytes {
                if byte != b'\n' {
                    line.push(byte);
                }
                if byte == b'\n' || line.len() >= LINE_MAX {
                    write_line(out, name, line)?;
                }
            }
        }
        Ok(())
    }

    /// Writes the lines that are not complete; returns what was wrong with the control block.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn finish(&mut self, out: &mut dyn Write) -> io::Result<Option<String>> {
        for (name, line) in self.others.values_mut().filter(|(_, line)| !line.is_empty()) {
            write_line(out, name, line)?;
        }
        Ok(self.problem.take())
    }
}

fn write_line(out: &mut dyn Write, name: &str, line: &mut Vec<u8>) -> io::Result<()> {
    write!(out, "[{name}] ")?;
    out.write_all(line)?;
    writeln!(out)?;
    line.clear();
    out.flush()
}
