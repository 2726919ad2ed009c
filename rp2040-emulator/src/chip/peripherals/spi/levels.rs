//! The levels of an SPI controller's wires, bit by bit. Only a chip whose pins are observed uses
//! them.

use super::{Spi, SpiWord};

const SSPCR0_SPO: u32 = 1 << 6;
const SSPCR0_SPH: u32 = 1 << 7;

/// The levels of the three outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chip) struct SpiLevels {
    pub(in crate::chip) select: bool,
    pub(in crate::chip) clock: bool,
    pub(in crate::chip) transmit: bool,
}

/// The nanosecond at which half-bit `half` of a frame begins.
fn begins(frame: &SpiWord, half: u64) -> u64 {
    // A frame whose clock has stopped never ends.
    let lasts = u128::from(frame.ns.saturating_sub(frame.start_ns));
    let passed = lasts * u128::from(half) / (2 * u128::from(frame.bits));
    frame.start_ns.saturating_add(u64::try_from(passed).unwrap_or(u64::MAX))
}

/// The half-bit of a frame at `ns`.
fn half_at(frame: &SpiWord, ns: u64) -> u64 {
    let last = 2 * u64::from(frame.bits) - 1;
    (0..last).find(|half| begins(frame, half + 1) > ns).unwrap_or(last)
}

impl Spi {
    /// The outputs at `ns`, and the nanosecond of the next half-bit; the controller has been advanced
    /// to `ns`. Between frames the clock rests and TX keeps low.
    pub(in crate::chip) fn outputs(&self, ns: u64) -> (SpiLevels, u64) {
        let idle = self.control[0] & SSPCR0_SPO != 0;
        let Some(frame) = &self.sending else {
            return (SpiLevels { select: true, clock: idle, transmit: false }, u64::MAX);
        };
        let half = half_at(frame, ns);
        let first_half = half.is_multiple_of(2);
        let clock = idle != (first_half == (self.control[0] & SSPCR0_SPH != 0));
        let bit = u64::from(frame.bits) - 1 - half / 2;
        let transmit = frame.word >> bit & 1 != 0;
        (
            SpiLevels { select: false, clock, transmit },
            begins(frame, half + 1).max(ns.saturating_add(1)),
        )
    }

    /// RX has this level at `ns`: the controller samples it in the middle of a bit. The word that it
    /// has sampled is what the frame reads.
    pub(in crate::chip) fn sense(&mut self, level: bool, ns: u64) {
        if let Some(frame) = &self.sending {
            let half = half_at(frame, ns);
            let bit = u64::from(frame.bits) - 1 - half / 2;
            if half % 2 == 1 {
                self.wire.sample(bit as u32, level);
            }
        }
    }
}
