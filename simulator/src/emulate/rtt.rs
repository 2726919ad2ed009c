//! The RTT channels of the program. Channel 0 goes to standard output unchanged, other channels
//! line by line with their names, and a defmt channel as lines of text.

use std::collections::BTreeMap;
use std::io::{self, Write};

use rp2040_emulator::chip::Chip;
use rp2040_tools::Program;
use rp2040_tools::defmt_log::DefmtLog;
use rp2040_tools::rtt::Rtt;
use virtual_time::{Instant, Nanos};

use crate::cli::Defmt;

/// Maximum length of a line of another channel in bytes; a longer line is divided.
const LINE_MAX: usize = 4096;
/// Search intervals for a control block that the program has not initialised yet: before [`LATER`]
/// and after. Output that the program writes before the block is found may overflow its buffer;
/// most programs initialise the block first.
const SEARCH_INTERVALS: [Nanos; 2] = [Nanos::from_micros(1), Nanos::from_micros(10)];
/// Time after which the longer search interval applies.
const LATER: Instant = Instant::from_millis(10);
/// Name of the channel to which defmt writes.
const DEFMT: &str = "defmt";

/// Reads and writes the RTT channels of a run.
pub struct RttChannels {
    /// `None` after the control block was found to be invalid.
    rtt: Option<Rtt>,
    /// Channels above 0: the name, and an incomplete line.
    others: BTreeMap<u32, (String, Vec<u8>)>,
    /// The defmt decoder, and whether it decodes channel 0 regardless of the channel's name.
    log: Option<(DefmtLog, Defmt)>,
    /// Input that the program has not read yet.
    input: Vec<u8>,
    /// Time of the next search for a control block that the program has not initialised.
    next: Option<Instant>,
    /// The reason why RTT is no longer read, until it is reported.
    problem: Option<String>,
}

impl RttChannels {
    /// Creates the channels of `program`, which receives `input` on its down channel 0.
    pub fn new(program: &Program, input: Vec<u8>, log: Option<(DefmtLog, Defmt)>) -> Self {
        let others = BTreeMap::new();
        let next =
            Rtt::is_in(program).then_some(Instant::START.saturating_add(SEARCH_INTERVALS[0]));
        Self { rtt: Some(Rtt::new(program)), others, log, input, next, problem: None }
    }

    /// Transfers the bytes available now in both directions. Output is appended to `shown`.
    pub fn take(&mut self, chip: &mut Chip, shown: &mut Vec<u8>) {
        let Some(rtt) = &mut self.rtt else { return };
        let now = Instant(chip.now_ns());
        let step = SEARCH_INTERVALS[usize::from(now >= LATER)];
        self.next = rtt.is_awaited(chip).then(|| now.saturating_add(step));
        let moved = rtt.read(chip).and_then(|taken| {
            let count = if self.input.is_empty() { 0 } else { rtt.write(chip, 0, &self.input)? };
            Ok((taken, count))
        });
        let (taken, count) = match moved {
            Ok(moved) => moved,
            Err(error) => {
                self.problem = Some(format!("{error}; RTT is not read any more"));
                self.rtt = None;
                return;
            }
        };
        self.input.drain(..count);
        for (number, bytes) in taken {
            let name = rtt.name(chip, number);
            let is_defmt =
                |when: Defmt| name.as_deref() == Some(DEFMT) || when == Defmt::On && number == 0;
            if let Some((log, when)) = &mut self.log
                && is_defmt(*when)
            {
                shown.extend(log.take(&bytes).into_bytes());
                continue;
            }
            if number == 0 {
                shown.extend(bytes);
                continue;
            }
            let named = || name.unwrap_or_else(|| number.to_string());
            let (name, line) = self.others.entry(number).or_insert_with(|| (named(), Vec::new()));
            for byte in bytes {
                if byte != b'\n' {
                    line.push(byte);
                }
                if byte == b'\n' || line.len() >= LINE_MAX {
                    add_line(shown, name, line);
                }
            }
        }
    }

    /// Returns when [`Self::take`] must be called again, if earlier than usual.
    pub fn next(&self) -> Option<Instant> {
        self.next
    }

    /// Writes the incomplete lines; returns the problems of the control block and of the messages.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn finish(&mut self, out: &mut dyn Write) -> io::Result<Vec<String>> {
        let mut shown = Vec::new();
        for (name, line) in self.others.values_mut().filter(|(_, line)| !line.is_empty()) {
            add_line(&mut shown, name, line);
        }
        out.write_all(&shown)?;
        let log = self.log.as_ref().map(|(log, _)| log.problems());
        Ok(self.problem.take().into_iter().chain(log.unwrap_or_default()).collect())
    }
}

fn add_line(shown: &mut Vec<u8>, name: &str, line: &mut Vec<u8>) {
    shown.extend(format!("[{name}] ").into_bytes());
    shown.append(line);
    shown.push(b'\n');
}
