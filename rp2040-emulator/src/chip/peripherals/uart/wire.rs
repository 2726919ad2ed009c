//! The levels of a UART's two wires, bit by bit; used only by a chip whose pins are observed.

use super::{UARTLCR_H_PEN, UARTLCR_H_WLEN_LSB, Uart};

const UARTLCR_H_EPS: u32 = 1 << 2;
// UARTDR: PL011 TRM 3.3.1.
const UARTDR_FE: u16 = 1 << 8;
const UARTDR_BE: u16 = 1 << 10;

/// A frame that arrives on RX.
#[derive(Clone, Copy, Debug)]
struct Arriving {
    start_ns: u64,
    /// Next bit to sample: 0 is the start bit.
    bit: u64,
    data: u8,
}

/// Receiver of RX as a level.
#[derive(Clone, Debug, Default)]
pub(super) struct Receiver {
    low: bool,
    frame: Option<Arriving>,
}

impl Uart {
    /// Returns the level of bit `bit` of the frame of `byte`: start, data from the lowest on,
    /// parity, stop.
    fn bit(&self, byte: u8, bit: u64) -> bool {
        let data = 5 + u64::from(self.line >> UARTLCR_H_WLEN_LSB & 3);
        let byte = byte & (0xFF >> (8 - data));
        match bit {
            0 => false,
            bit if bit <= data => byte >> (bit - 1) & 1 != 0,
            bit if bit == data + 1 && self.line & UARTLCR_H_PEN != 0 => {
                byte.count_ones().is_multiple_of(2) != (self.line & UARTLCR_H_EPS != 0)
            }
            _ => true,
        }
    }

    /// Returns the level of TX at `ns`, and the nanosecond of the next bit. The UART has been
    /// advanced to `ns`.
    pub(in crate::chip) fn transmits(&self, ns: u64) -> (bool, u64) {
        let (Some((byte, end)), Some(frame)) = (self.sending, self.bits_ns(self.frame_bits()))
        else {
            return (true, u64::MAX);
        };
        let start = end.saturating_sub(frame);
        let begun = |bit: u64| start.saturating_add(self.bits_ns(bit).unwrap_or_default());
        let later = (1..self.frame_bits()).find(|bit| begun(*bit) > ns);
        let bit = later.unwrap_or(self.frame_bits()) - 1;
        (self.bit(byte, bit), later.map_or(end, begun))
    }

    /// Sets the level of RX at `ns`. Returns the nanosecond of the next sample.
    pub(in crate::chip) fn sense(&mut self, level: bool, ns: u64) -> u64 {
        let Some(bit_ns) = self.bits_ns(1).filter(|_| self.listens()) else {
            self.receiver = Receiver { low: !level, frame: None };
            return u64::MAX;
        };
        let was_low = std::mem::replace(&mut self.receiver.low, !level);
        let fallen = !level && !was_low;
        let data = 5 + u64::from(self.line >> UARTLCR_H_WLEN_LSB & 3);
        let last = self.frame_bits() - 1;
        let sample =
            |frame: &Arriving| frame.start_ns.saturating_add(frame.bit * bit_ns + bit_ns / 2);
        let mut frame = match self.receiver.frame {
            Some(frame) => frame,
            None if fallen => Arriving { start_ns: ns, bit: 0, data: 0 },
            None => return u64::MAX,
        };
        if sample(&frame) <= ns {
            match frame.bit {
                // A spike and not a start bit.
                0 if level => {
                    self.receiver.frame = None;
                    return u64::MAX;
                }
                bit if (1..=data).contains(&bit) => frame.data |= u8::from(level) << (bit - 1),
                _ => {}
            }
            if frame.bit >= last.min(data + 1 + u64::from(self.line & UARTLCR_H_PEN != 0)) {
                self.receiver.frame = None;
                // The stop bit is low: a framing error, and a break if all bits were low.
                let errors = match (level, frame.data) {
                    (true, _) => 0,
                    (false, 0) => UARTDR_FE | UARTDR_BE,
                    (false, _) => UARTDR_FE,
                };
                self.arrive_with(frame.data, errors, ns);
                return u64::MAX;
            }
            frame.bit += 1;
        }
        self.receiver.frame = Some(frame);
        sample(&frame)
    }
}
