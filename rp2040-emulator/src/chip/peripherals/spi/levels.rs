//! The levels of an SPI controller's wires, bit by bit. They are used only by a chip whose pins are
//! observed.

use super::{SSPCR0_SPH, SSPCR0_SPO, Spi, SpiWord};

/// Levels of the three outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chip) struct SpiLevels {
    pub(in crate::chip) select: bool,
    pub(in crate::chip) clock: bool,
    pub(in crate::chip) transmit: bool,
}

/// Returns the nanosecond at which half-bit `half` of a frame begins.
fn begins(frame: &SpiWord, half: u64) -> u64 {
    // A frame whose clock has stopped never ends.
    let lasts = frame.ns.saturating_sub(frame.start_ns);
    let halves = 2 * u64::from(frame.bits);
    let passed = match lasts.checked_mul(half) {
        // The usual case: 64-bit divisions are several times faster than 128-bit ones.
        Some(product) => product / halves,
        None => {
            let passed = u128::from(lasts) * u128::from(half) / u128::from(halves);
            u64::try_from(passed).unwrap_or(u64::MAX)
        }
    };
    frame.start_ns.saturating_add(passed)
}

/// Returns the half-bit of a frame at `ns`: the last one that has begun.
fn half_at(frame: &SpiWord, ns: u64) -> u64 {
    let halves = 2 * u64::from(frame.bits);
    let lasts = frame.ns.saturating_sub(frame.start_ns);
    if ns < frame.start_ns {
        return 0;
    }
    // Half-bit h has begun if floor(lasts * h / halves) <= ns - start, that is h < (ns - start + 1) * halves / lasts.
    let passed = ns - frame.start_ns + 1;
    if passed > lasts {
        return halves - 1;
    }
    let begun = match passed.checked_mul(halves) {
        Some(product) => product.div_ceil(lasts),
        // At most `halves`, because `passed` is at most `lasts`.
        None => (u128::from(passed) * u128::from(halves)).div_ceil(u128::from(lasts)) as u64,
    };
    begun - 1
}

impl Spi {
    /// Returns the outputs at `ns`, and the nanosecond of the next half-bit. The controller has
    /// been advanced to `ns`. Between frames the clock rests and TX stays low.
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

    /// Sets the level of RX at `ns`. The controller samples it in the middle of a bit; the frame
    /// reads the sampled word.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_half_bit_lasts_until_the_next_one_begins() {
        let stopped = u64::MAX - 7;
        for lasts in (0..200).chain([1_000, 65_536, 1 << 40, 1 << 60, stopped]) {
            for bits in 4..=16_u8 {
                let start_ns = 7;
                let ns = start_ns + lasts;
                let frame = SpiWord { word: 0, received: 0, bits, start_ns, ns };
                let last = 2 * u64::from(bits) - 1;
                let edges = (0..=last + 1).map(|half| begins(&frame, half));
                let around =
                    edges.flat_map(|edge| [edge.saturating_sub(1), edge, edge.saturating_add(1)]);
                for ns in around.chain(0..300) {
                    let found = (0..last).find(|half| begins(&frame, half + 1) > ns);
                    let half = half_at(&frame, ns);
                    assert_eq!(half, found.unwrap_or(last), "{ns} ns, {bits} bits, {lasts} ns");
                }
            }
        }
    }
}
