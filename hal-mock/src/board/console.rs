//! The console wire: UART0's transmitter with its FIFO, and the receiver at the other end.
//!
//! Bytes leave at 115,200 baud in virtual time. The receiver stores the newest of them and splits
//! them into lines. The time of a line is the end of its newline's stop bit. The module knows no
//! syntax.

use std::collections::VecDeque;

use super::probe::Listeners;
use crate::log::{Entry, Log};
use virtual_time::{Instant, Nanos};

/// Bit rate of the console wire, in bits per second.
pub const UART_BAUD: u64 = 115_200;
/// Start bit, eight data bits and stop bit.
const BITS_A_BYTE: u64 = 10;
/// Capacity of the transmitter in bytes, including the byte on the wire.
pub const UART_FIFO: usize = 32;
/// Number of console bytes that a board stores, and number of bytes of its lines: the newest. See
/// [`VirtualBoard::keep_outputs`](super::VirtualBoard::keep_outputs).
pub const CONSOLE_BYTES_MAX: usize = 16 << 20;
/// Maximum length of a line in bytes; a longer one is broken.
pub const CONSOLE_LINE_MAX: usize = 64 << 10;

/// Duration of a byte on the wire.
pub(super) const BYTE: Nanos = Nanos(BITS_A_BYTE * 1_000_000_000 / UART_BAUD);
/// Firmware that continues a line continues it within this time.
const PAUSE: Nanos = Nanos::from_millis(10);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsoleLine {
    /// When the newline's stop bit left the wire.
    pub at: Instant,
    /// The line without its line end; invalid UTF-8 is replaced by U+FFFD.
    pub text: String,
}

impl Entry for ConsoleLine {
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.text.len()
    }
}

#[derive(Clone)]
pub(super) struct Console {
    /// Time at which the first byte of the current burst went onto the wire.
    burst_start: Instant,
    /// Number of bytes of this burst that have left.
    burst_sent: u64,
    fifo: VecDeque<u8>,
    bytes: Log<u8>,
    /// The unfinished line.
    line: Vec<u8>,
    /// Maximum length of a line in bytes.
    line_max: usize,
    /// Time at which the last byte was received.
    received_at: Instant,
    lines: Log<ConsoleLine>,
    pub(super) clip: Listeners,
}

impl Default for Console {
    fn default() -> Self {
        Self {
            burst_start: Instant::START,
            burst_sent: 0,
            fifo: VecDeque::new(),
            bytes: Log::with_limit(CONSOLE_BYTES_MAX),
            line: Vec::new(),
            line_max: CONSOLE_LINE_MAX,
            received_at: Instant::START,
            lines: Log::with_limit(CONSOLE_BYTES_MAX),
            clip: Listeners::default(),
        }
    }
}

impl Console {
    pub(super) fn bytes(&self) -> &Log<u8> {
        &self.bytes
    }

    pub(super) fn lines(&self) -> &Log<ConsoleLine> {
        &self.lines
    }

    /// Stores only the newest `most` bytes, and lines of as many bytes, from now on.
    pub(super) fn keep(&mut self, most: usize) {
        self.bytes.set_limit(most);
        self.lines.set_limit(most);
        self.line_max = CONSOLE_LINE_MAX.min(most / 16).max(1);
    }

    /// Sends all bytes whose stop bit ends by `now`.
    pub(super) fn catch_up(&mut self, now: Instant) {
        while let Some(end) = self.front_leaves_at().filter(|end| *end <= now) {
            let byte = self.fifo.pop_front().unwrap_or_default();
            self.burst_sent += 1;
            self.receive(byte, end);
        }
    }

    /// Returns when the byte on the wire will have left it.
    pub(super) fn front_leaves_at(&self) -> Option<Instant> {
        if self.fifo.is_empty() {
            return None;
        }
        Some(self.leaves_at(0))
    }

    /// Returns when the byte after the first `before` bytes of the FIFO will have left the wire.
    fn leaves_at(&self, before: u64) -> Instant {
        const BYTE_AT_ONE_BAUD: u64 = BITS_A_BYTE * 1_000_000_000;
        let bytes = self.burst_sent + before + 1;
        let span = match bytes.checked_mul(BYTE_AT_ONE_BAUD) {
            Some(product) => product / UART_BAUD,
            // A burst of two gigabytes or more: slow division suffices.
            None => {
                let product = u128::from(bytes) * u128::from(BYTE_AT_ONE_BAUD);
                u64::try_from(product / u128::from(UART_BAUD)).unwrap_or(u64::MAX)
            }
        };
        self.burst_start.saturating_add(Nanos(span))
    }

    /// Returns the earliest time after `now` at which the line being sent can be complete; `None`
    /// if no line is being sent. The console must have been updated to `now`.
    pub(super) fn line_due(&self, now: Instant) -> Option<Instant> {
        let due = match self.fifo.iter().position(|byte| *byte == b'\n') {
            Some(place) => self.leaves_at(place as u64),
            None if !self.fifo.is_empty() => self.leaves_at(self.fifo.len() as u64),
            // The rest of a line that a power cut interrupted does not come.
            None if self.is_within_a_line() && now <= self.received_at.saturating_add(PAUSE) => {
                now.saturating_add(BYTE)
            }
            None => return None,
        };
        Some(due.max(now.saturating_add(Nanos(1))))
    }

    fn is_within_a_line(&self) -> bool {
        !self.line.is_empty()
    }

    pub(super) fn room(&self) -> usize {
        UART_FIFO - self.fifo.len()
    }

    pub(super) fn queue(&mut self, now: Instant, bytes: &[u8]) -> usize {
        if self.fifo.is_empty() {
            self.burst_start = now;
            self.burst_sent = 0;
        }
        let taken = bytes.len().min(self.room());
        self.fifo.extend(&bytes[..taken]);
        taken
    }

    /// Discards the bytes that are still in the FIFO.
    pub(super) fn lose_power(&mut self) {
        self.fifo.clear();
    }

    /// Receives a byte whose stop bit has left the wire at `at`.
    pub(super) fn receive(&mut self, byte: u8, at: Instant) {
        self.clip.tell(|probe| probe.console(at, byte));
        self.received_at = at;
        self.bytes.push(byte);
        let ends = byte == b'\n';
        if !ends {
            self.line.push(byte);
        }
        if ends || self.line.len() >= self.line_max {
            let text = String::from_utf8_lossy(&self.line).replace('\r', "");
            self.line.clear();
            self.lines.push(ConsoleLine { at, text });
        }
    }
}
