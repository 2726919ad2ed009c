//! The data line of a chain of WS2812 LEDs, decoded from its edges.
//!
//! Each bit is a pulse: short is 0, long is 1 (WS2812B datasheet, "Data transfer time": 0.25 to
//! 0.55 µs, and 0.65 to 0.95 µs). The first LED takes the first bytes, and passes on the others. A
//! line that is low for [`RESET`] makes the LEDs show what they have received.

use crate::pico::wiring::ByteOrder;

/// Shortest pulse in nanoseconds that is a bit.
const SHORTEST_PULSE: u64 = 150;
/// Shortest pulse in nanoseconds that is a 1.
const ONE: u64 = 600;
/// Time in nanoseconds for which the line is low in a reset.
pub(super) const RESET: u64 = 50_000;

/// The receiver of a chain.
#[derive(Clone, Debug)]
pub(super) struct Receiver {
    count: usize,
    order: ByteOrder,
    high: bool,
    /// Time of the last edge in nanoseconds.
    edge: u64,
    /// Bits of the incomplete byte, after a 1 as a mark.
    bits: u16,
    bytes: Vec<u8>,
}

impl Receiver {
    /// Creates the receiver of `count` LEDs, whose line is low.
    pub(super) fn new(count: usize, order: ByteOrder) -> Self {
        Self { count, order, high: false, edge: 0, bits: 1, bytes: Vec::new() }
    }

    /// Handles an edge. Returns the colours that the LEDs show because the line was low before it
    /// for a reset, with the time.
    pub(super) fn edge(&mut self, ns: u64, high: bool) -> Option<(u64, Vec<[u8; 4]>)> {
        if high == self.high {
            return None;
        }
        let latched = if high { self.settle(ns) } else { None };
        let lasted = ns.saturating_sub(self.edge);
        (self.high, self.edge) = (high, ns);
        if !high && lasted >= SHORTEST_PULSE {
            self.push(lasted >= ONE);
        }
        latched
    }

    /// Returns the colours that the LEDs show if a reset is over by `now`, with its time.
    pub(super) fn settle(&mut self, now: u64) -> Option<(u64, Vec<[u8; 4]>)> {
        let end = self.edge.saturating_add(RESET);
        if self.high || end > now {
            return None;
        }
        self.bits = 1;
        let bytes = std::mem::take(&mut self.bytes);
        let colours: Vec<[u8; 4]> =
            bytes.chunks_exact(self.order.bytes).map(|bytes| self.colour(bytes)).collect();
        (!colours.is_empty()).then_some((end, colours))
    }

    fn colour(&self, bytes: &[u8]) -> [u8; 4] {
        let byte = |place: usize| bytes.get(place).copied();
        self.order.places.map(|place| place.and_then(byte).unwrap_or_default())
    }

    fn push(&mut self, bit: bool) {
        self.bits = self.bits << 1 | u16::from(bit);
        if self.bits > 0xFF {
            // Bytes beyond the chain's end leave it.
            if self.bytes.len() < self.count * self.order.bytes {
                self.bytes.push(self.bits as u8);
            }
            self.bits = 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sends bytes with these lengths of pulses in nanoseconds, and returns the time after them.
    fn send(receiver: &mut Receiver, mut ns: u64, bytes: &[u8], pulses: [u64; 2]) -> u64 {
        for byte in bytes {
            for bit in (0..8).rev() {
                let pulse = pulses[usize::from(byte >> bit & 1)];
                assert_eq!(receiver.edge(ns, true), None);
                assert_eq!(receiver.edge(ns + pulse, false), None);
                ns += 1_250;
            }
        }
        ns
    }

    const PULSES: [u64; 2] = [350, 800];

    #[test]
    fn the_bytes_of_each_led_are_green_red_blue() {
        let mut receiver = Receiver::new(2, ByteOrder::GRB);
        let end = send(&mut receiver, 1_000, &[1, 2, 3, 0x80, 0xFF, 0], PULSES);
        assert_eq!(receiver.settle(end), None);
        let (at, colours) = receiver.settle(end + 60_000).unwrap();
        assert_eq!(colours, [[2, 1, 3, 0], [0xFF, 0x80, 0, 0]]);
        // The last pulse, of a 0, has 350 ns.
        assert_eq!(at, end - 1_250 + 350 + RESET);
        assert_eq!(receiver.settle(end + 99_000), None);
    }

    #[test]
    fn pulses_at_the_ends_of_the_datasheets_ranges_are_read() {
        for pulses in [[250, 650], [550, 950], [400, 800]] {
            let mut receiver = Receiver::new(1, ByteOrder::RGB);
            let end = send(&mut receiver, 0, &[0xA5, 0x5A, 0x0F], pulses);
            assert_eq!(receiver.settle(end + RESET).unwrap().1, [[0xA5, 0x5A, 0x0F, 0]]);
        }
    }

    #[test]
    fn the_next_data_after_a_reset_begin_at_the_first_led() {
        let mut receiver = Receiver::new(2, ByteOrder::GRBW);
        let end = send(&mut receiver, 0, &[1, 2, 3, 4, 5, 6, 7, 8, 9], PULSES);
        let latched = receiver.edge(end + RESET, true).unwrap();
        assert_eq!(latched.1, [[2, 1, 3, 4], [6, 5, 7, 8]]);
        receiver.edge(end + RESET + 350, false);
        let end = send(&mut receiver, end + 3 * RESET, &[9, 9, 9, 9], PULSES);
        assert_eq!(receiver.settle(end + RESET).unwrap().1, [[9, 9, 9, 9]]);
    }

    #[test]
    fn a_glitch_and_an_incomplete_led_change_nothing() {
        let mut receiver = Receiver::new(1, ByteOrder::GRB);
        receiver.edge(0, true);
        receiver.edge(100, false);
        let end = send(&mut receiver, 1_000, &[1, 2], PULSES);
        assert_eq!(receiver.settle(end + RESET), None);
        let end = send(&mut receiver, end + RESET, &[7, 8, 9], PULSES);
        assert_eq!(receiver.settle(end + RESET).unwrap().1, [[8, 7, 9, 0]]);
    }
}
