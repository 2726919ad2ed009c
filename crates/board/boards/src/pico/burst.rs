//! Consecutive bytes that have not been transferred to the LCD yet.

use hal_mock::board::Terminals;
use virtual_time::{Instant, Nanos};

/// Bytes that follow each other without a pause.
#[derive(Clone, Default)]
pub(super) struct Burst {
    start: Instant,
    end: Instant,
    bytes: Vec<u8>,
}

impl Burst {
    /// Extends the burst by the time of another byte or frame, in nanoseconds from `powered_at`. A
    /// pause before it ends the burst.
    #[inline]
    pub(super) fn extend(
        &mut self,
        lcd: &Terminals,
        powered_at: Instant,
        start_ns: u64,
        end_ns: u64,
    ) {
        let (start, end) =
            (powered_at.saturating_add(Nanos(start_ns)), powered_at.saturating_add(Nanos(end_ns)));
        if self.end != start {
            self.flush(lcd);
        }
        if self.bytes.is_empty() {
            self.start = start;
        }
        self.end = end;
    }

    /// Adds a byte in the time by which the burst was extended.
    #[inline]
    pub(super) fn push(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// Transfers the bytes to the LCD.
    pub(super) fn flush(&mut self, lcd: &Terminals) {
        lcd.lcd_exchange(self.start, self.end, &mut self.bytes);
        self.bytes.clear();
    }
}
