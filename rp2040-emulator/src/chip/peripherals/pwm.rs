//! The PWM's eight slices of two channels: counters, outputs, wrap interrupts, DMA requests
//! (datasheet section 4.5).
//!
//! A counter is computed on demand; there are no events between its wraps. [`Pwm::take_changes`]
//! returns the changes of each channel's output, a level or a square wave: enough for a buzzer, a
//! light or a motor. A slice that counts its input B receives its levels through [`Pwm::sense`].

use crate::chip::rate::Rate;

mod edges;
mod events;
mod output;
mod slice;

pub use output::{Output, OutputChange};
use slice::Slice;

/// Number of slices; pin n belongs to slice n / 2 modulo this, even pins to channel A.
pub(in crate::chip) const SLICE_COUNT: usize = 8;
/// Capacity of the buffer of output changes.
const MAX_CHANGES: usize = 1 << 14;
/// Largest number of wraps that are counted for the DMA: the capacity of a channel's request
/// counter.
const MAX_WRAPS: u64 = 63;
/// Size of a slice's registers in bytes; registers for all slices follow after the last one.
const STRIDE: u32 = 0x14;

// Registers: RP2040 datasheet 4.5.3. The registers of a slice are in `slice.rs`.
const CH0_CSR: u32 = 0x00; // first register of slice 0, 4.5.3
const EN: u32 = STRIDE * SLICE_COUNT as u32; // 0xA0: enables of all slices, 4.5.3
pub(in crate::chip) const INTR: u32 = 0xA4; // raw interrupts, 4.5.3
const INTE: u32 = 0xA8; // interrupt enable, 4.5.3
const INTF: u32 = 0xAC; // interrupt force, 4.5.3
const INTS: u32 = 0xB0; // interrupt status, 4.5.3
/// Mask with a bit for each slice.
const INTE_BITS: u32 = (1 << SLICE_COUNT) - 1;

/// The PWM. Internal times are sixteenths of the system clock's cycles, the unit of the dividers.
#[derive(Clone, Debug)]
pub(in crate::chip) struct Pwm {
    slices: [Slice; SLICE_COUNT],
    clock: Rate,
    /// Time at which `since` was counted, in nanoseconds; later calls never refer to an earlier
    /// time.
    since_ns: u64,
    since: u64,
    raised: u32,
    enabled: u32,
    forced: u32,
    wraps: [u64; SLICE_COUNT],
    /// Whether a slice may have wrapped.
    wrapped: bool,
    /// Levels of the inputs B; bit n is slice n's.
    inputs: u32,
    outputs: [[Output; 2]; SLICE_COUNT],
    changes: Vec<OutputChange>,
    dropped: u64,
}

impl Default for Pwm {
    fn default() -> Self {
        Self {
            slices: std::array::from_fn(|_| Slice::default()),
            clock: Rate::default(),
            since_ns: 0,
            since: 0,
            raised: 0,
            enabled: 0,
            forced: 0,
            wraps: [0; SLICE_COUNT],
            wrapped: false,
            inputs: 0,
            outputs: [[Output::Level(false); 2]; SLICE_COUNT],
            changes: vec![],
            dropped: 0,
        }
    }
}

/// Functions for the owner of the chip.
impl Pwm {
    /// Returns the frequency in Hz and the duty of a channel's output, if it is a square wave.
    pub(in crate::chip) fn square_wave(
        &mut self,
        slice: usize,
        channel: usize,
        ns: u64,
    ) -> Option<(f64, f64)> {
        self.advance(ns);
        match self.outputs[slice % SLICE_COUNT][channel & 1] {
            Output::Wave { hz, duty } => Some((hz, duty)),
            Output::Level(_) => None,
        }
    }

    /// Returns the levels of all channels at `ns`: bit 2n is slice n's A, bit 2n + 1 its B.
    pub(in crate::chip) fn levels(&mut self, ns: u64) -> u32 {
        self.advance(ns);
        self.slices.iter().rev().fold(0, |levels, slice| {
            levels << 2 | u32::from(slice.level(1)) << 1 | u32::from(slice.level(0))
        })
    }

    /// Returns the changes of all outputs by `ns` since the last call, oldest first for each slice.
    pub(in crate::chip) fn take_changes(&mut self, ns: u64) -> Vec<OutputChange> {
        self.advance(ns);
        std::mem::take(&mut self.changes)
    }

    /// Returns the number of changes dropped because the buffer was full.
    pub(in crate::chip) fn dropped(&self) -> u64 {
        self.dropped
    }
}

/// Functions for the chip.
impl Pwm {
    /// Returns the slices after their reset at `ns`; the clock and the recorded changes are
    /// retained.
    pub(in crate::chip) fn after_reset(&mut self, ns: u64) -> Self {
        self.advance(ns);
        let mut pwm = Self {
            clock: self.clock,
            since_ns: self.since_ns,
            since: self.since,
            outputs: self.outputs,
            changes: std::mem::take(&mut self.changes),
            dropped: self.dropped,
            ..Self::default()
        };
        pwm.compare_all(ns);
        pwm
    }

    /// Changes the frequency of the system clock at `ns`.
    pub(in crate::chip) fn set_clock(&mut self, hz: u64, ns: u64) {
        self.advance(ns);
        self.since = self.at(ns);
        self.since_ns = ns;
        self.clock = Rate::new(Some(hz));
        self.compare_all(ns);
    }

    /// Returns the sixteenth of a cycle that begins at `ns`.
    fn at(&self, ns: u64) -> u64 {
        self.since + self.clock.cycles(ns.saturating_sub(self.since_ns)).saturating_mul(16)
    }

    /// Returns the nanosecond of the first cycle that begins at `at` or later.
    fn time_of(&self, at: u64) -> u64 {
        let cycles = at.saturating_sub(self.since).div_ceil(16);
        self.since_ns.saturating_add(self.clock.ns(cycles))
    }

    /// Advances the counters to `ns`.
    pub(in crate::chip) fn advance(&mut self, ns: u64) {
        if !self.slices.iter().any(Slice::enabled) {
            return;
        }
        let at = self.at(ns);
        for number in 0..SLICE_COUNT {
            if !self.slices[number].enabled() {
                continue;
            }
            let first_wrap = self.slices[number].next_wrap();
            let wraps = self.slices[number].advance(at);
            if wraps != 0 {
                self.raised |= 1 << number;
                self.wrapped = true;
                self.wraps[number] = self.wraps[number].saturating_add(wraps).min(MAX_WRAPS);
                // Written values take effect at the first wrap.
                self.compare(number, first_wrap.map_or(ns, |at| self.time_of(at)));
            }
            if self.slices[number].takes_input() {
                self.compare(number, ns);
            }
        }
    }

    /// Returns the slices whose B is an input; bit n is slice n.
    pub(in crate::chip) fn input_slices(&self) -> u32 {
        (0..SLICE_COUNT)
            .fold(0, |mask, number| mask | u32::from(self.slices[number].takes_input()) << number)
    }

    /// Sets the levels of the inputs B from `ns` on; bit n is slice n. Returns true if one has
    /// changed.
    pub(in crate::chip) fn sense(&mut self, levels: u32, ns: u64) -> bool {
        let changed = levels ^ self.inputs;
        if changed == 0 {
            return false;
        }
        self.advance(ns);
        self.inputs = levels;
        let at = self.at(ns);
        for (number, slice) in self.slices.iter_mut().enumerate() {
            if changed >> number & 1 != 0 {
                slice.sense(levels >> number & 1 != 0, at);
            }
        }
        // An edge is counted immediately.
        self.advance(ns);
        true
    }

    /// Returns the nanosecond of the next wrap of a slice that interrupts, or that a DMA channel
    /// waits for (its bit in `requested`).
    pub(in crate::chip) fn next(&self, requested: u32) -> u64 {
        let wanted = self.enabled & !self.raised | requested;
        (0..SLICE_COUNT)
            .filter(|number| wanted & 1 << number != 0 && self.slices[*number].enabled())
            .filter_map(|number| self.slices[number].next_wrap())
            .map(|at| self.time_of(at))
            .min()
            .unwrap_or(u64::MAX)
    }

    /// Returns the interrupt line.
    pub(in crate::chip) fn interrupt(&self) -> bool {
        self.interrupts() != 0
    }

    fn interrupts(&self) -> u32 {
        self.raised & self.enabled | self.forced
    }

    /// Returns whether a slice may have wrapped since the last call.
    pub(in crate::chip) fn has_wrapped(&mut self) -> bool {
        std::mem::take(&mut self.wrapped)
    }

    /// Returns the number of wraps of a slice since the last call, for the DMA: at most 63.
    pub(in crate::chip) fn take_wraps(&mut self, slice: usize) -> u32 {
        std::mem::take(&mut self.wraps[slice % SLICE_COUNT]) as u32
    }

    pub(in crate::chip) fn read(&mut self, offset: u32, ns: u64) -> Option<u32> {
        self.advance(ns);
        Some(match offset {
            CH0_CSR..EN => self.slices[(offset / STRIDE) as usize].read(offset % STRIDE),
            EN => (0..SLICE_COUNT).fold(0, |enables, number| {
                enables | u32::from(self.slices[number].enabled()) << number
            }),
            INTR => self.raised,
            INTE => self.enabled,
            INTF => self.forced,
            INTS => self.interrupts(),
            _ => return None,
        })
    }

    pub(in crate::chip) fn write(&mut self, offset: u32, value: u32, ns: u64) -> Option<()> {
        self.advance(ns);
        let at = self.at(ns);
        match offset {
            CH0_CSR..EN => {
                let number = (offset / STRIDE) as usize;
                self.slices[number].write(offset % STRIDE, value, at);
                self.compare(number, ns);
            }
            EN => {
                for (number, slice) in self.slices.iter_mut().enumerate() {
                    slice.enable(value >> number & 1 != 0, at);
                }
                self.compare_all(ns);
            }
            INTR => self.raised &= !value,
            INTE => self.enabled = value & INTE_BITS,
            INTF => self.forced = value & INTE_BITS,
            INTS => {}
            _ => return None,
        }
        Some(())
    }

    fn compare_all(&mut self, ns: u64) {
        for number in 0..SLICE_COUNT {
            self.compare(number, ns);
        }
    }

    /// Records changes of the outputs of a slice's channels at `ns`.
    fn compare(&mut self, number: usize, ns: u64) {
        for channel in 0..2 {
            let output = self.slices[number].output(channel, self.clock);
            if self.outputs[number][channel] == output {
                continue;
            }
            self.outputs[number][channel] = output;
            if self.changes.len() < MAX_CHANGES {
                self.changes.push(OutputChange { ns, slice: number, channel, output });
            } else {
                self.dropped += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests;
