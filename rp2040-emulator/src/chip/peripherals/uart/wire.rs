//! The levels of a UART's two wires, bit by bit; used by a chip whose pins are observed, and for a
//! break in loopback.

use super::{Sending, UARTLCR_H_PEN, Uart, data_bits, data_mask, frame_bits};

const UARTLCR_H_EPS: u32 = 1 << 2;
const UARTLCR_H_SPS: u32 = 1 << 7;
// UARTDR: PL011 TRM 3.3.1.
const UARTDR_FE: u16 = 1 << 8;
const UARTDR_PE: u16 = 1 << 9;
const UARTDR_BE: u16 = 1 << 10;

/// A frame that arrives on RX.
#[derive(Clone, Copy, Debug)]
struct Arriving {
    start_ns: u64,
    /// Next bit to sample: 0 is the start bit.
    bit: u64,
    data: u8,
    /// Whether a bit was high.
    has_high: bool,
    has_wrong_parity: bool,
}

/// Receiver of RX as a level.
#[derive(Clone, Debug, Default)]
pub(super) struct Receiver {
    low: bool,
    frame: Option<Arriving>,
}

/// Returns the parity bit of `byte` (PL011 TRM 3.3.7): with SPS it is the complement of EPS.
fn parity(line: u32, byte: u8) -> bool {
    let is_even = line & UARTLCR_H_EPS != 0;
    match line & UARTLCR_H_SPS {
        0 => byte.count_ones().is_multiple_of(2) != is_even,
        _ => !is_even,
    }
}

/// Returns the level of bit `bit` of the frame of `byte`: start, data from the lowest on, parity,
/// stop.
fn level_of(line: u32, byte: u8, bit: u64) -> bool {
    let data = data_bits(line);
    let byte = byte & data_mask(line);
    match bit {
        0 => false,
        bit if bit <= data => byte >> (bit - 1) & 1 != 0,
        bit if bit == data + 1 && line & UARTLCR_H_PEN != 0 => parity(line, byte),
        _ => true,
    }
}

impl Uart {
    /// Returns the level of TX at `ns`, and the nanosecond of the next bit. The UART has been
    /// advanced to `ns`.
    pub(in crate::chip) fn transmits(&self, ns: u64) -> (bool, u64) {
        let Some(Sending { byte, line, rate, end }) = self.sending else {
            return (!self.breaks, u64::MAX);
        };
        let bits = frame_bits(line);
        let Some(frame) = self.bits_at(rate, bits) else { return (true, u64::MAX) };
        let start = end.saturating_sub(frame);
        let begun = |bit: u64| start.saturating_add(self.bits_at(rate, bit).unwrap_or_default());
        let later = (1..bits).find(|bit| begun(*bit) > ns);
        let bit = later.unwrap_or(bits) - 1;
        (level_of(line, byte, bit), later.map_or(end, begun))
    }

    /// Sets the level of RX at `ns`. Returns the nanosecond of the next sample. In loopback the pin
    /// is not connected.
    pub(in crate::chip) fn sense(&mut self, level: bool, ns: u64) -> u64 {
        if self.loops() {
            return u64::MAX;
        }
        self.receive_level_at(level, ns).unwrap_or(u64::MAX)
    }

    /// Receives a level at `ns`. Returns the nanosecond of the next sample. A frame that has begun
    /// is completed even if the receiver is disabled.
    pub(super) fn receive_level_at(&mut self, level: bool, ns: u64) -> Option<u64> {
        let begins = self.listens() && !level && !self.receiver.low;
        self.receiver.low = !level;
        let Some(bit_ns) = self.bits_ns(1) else {
            self.receiver.frame = None;
            return None;
        };
        let sample =
            |frame: &Arriving| frame.start_ns.saturating_add(frame.bit * bit_ns + bit_ns / 2);
        let mut frame = match self.receiver.frame.take() {
            Some(frame) => frame,
            None if begins => {
                Arriving { start_ns: ns, bit: 0, data: 0, has_high: false, has_wrong_parity: false }
            }
            None => return None,
        };
        if sample(&frame) <= ns {
            let data = data_bits(self.line);
            let has_parity = self.line & UARTLCR_H_PEN != 0;
            frame.has_high |= level;
            match frame.bit {
                // A spike and not a start bit.
                0 if level => return None,
                0 => {}
                bit if bit <= data => frame.data |= u8::from(level) << (bit - 1),
                bit if has_parity && bit == data + 1 => {
                    frame.has_wrong_parity = level != parity(self.line, frame.data);
                }
                // The first stop bit: it is low in a framing error, and all bits are in a break.
                _ => {
                    let flag = |is_set: bool, flag: u16| if is_set { flag } else { 0 };
                    let errors = flag(!level, UARTDR_FE)
                        | flag(frame.has_wrong_parity, UARTDR_PE)
                        | flag(!frame.has_high, UARTDR_BE);
                    self.arrive_with(frame.data, errors, ns);
                    return None;
                }
            }
            frame.bit += 1;
        }
        self.receiver.frame = Some(frame);
        Some(sample(&frame))
    }
}
