//! One slice: a divider, a counter, and two channels that compare with it.

use super::events::{DivMode, Events};
use super::output::Output;
use crate::chip::rate::Rate;

// Registers of a slice, by their offset from its first one: RP2040 datasheet 4.5.3.
pub(super) const CSR: u32 = 0x00; // CH0_CSR to CH7_CSR: control and status, 4.5.3
pub(super) const DIV: u32 = 0x04; // CH0_DIV to CH7_DIV: clock divider, 4.5.3
pub(super) const CTR: u32 = 0x08; // CH0_CTR to CH7_CTR: counter, 4.5.3
pub(super) const CC: u32 = 0x0C; // CH0_CC to CH7_CC: compare values, 4.5.3
#[cfg(test)]
pub(super) const TOP: u32 = 0x10; // CH0_TOP to CH7_TOP: wrap value, 4.5.3

const CSR_EN: u32 = 1;
const CSR_PH_CORRECT: u32 = 1 << 1;
const CSR_A_INV: u32 = 1 << 2;
const CSR_B_INV: u32 = 1 << 3;
const CSR_DIVMODE_LSB: u32 = 4;
const CSR_DIVMODE: u32 = 3 << CSR_DIVMODE_LSB;
const CSR_PH_RET: u32 = 1 << 6;
const CSR_PH_ADV: u32 = 1 << 7;
/// Bits that CSR stores. PH_RET and PH_ADV act once and read as zero.
const CSR_HELD: u32 = CSR_EN | CSR_PH_CORRECT | CSR_A_INV | CSR_B_INV | CSR_DIVMODE;
const DIV_BITS: u32 = 0xFFF;
const CTR_BITS: u32 = 0xFFFF;
const CC_A: u32 = 0xFFFF;
const CC_B_LSB: usize = 16;
const TOP_BITS: u32 = 0xFFFF;
const INVERTED: [u32; 2] = [CSR_A_INV, CSR_B_INV];

#[derive(Clone, Debug)]
pub(super) struct Slice {
    control: u32,
    divider: u32,
    /// Active values of `CC` and, below, `TOP`; written values take effect at the next wrap.
    compare: u32,
    top: u32,
    next_compare: u32,
    next_top: u32,
    events: Events,
    /// Value of the counter at event number `since`, which is a tick.
    counter: u32,
    down: bool,
    since: u64,
}

impl Default for Slice {
    fn default() -> Self {
        Self {
            control: 0,
            divider: 1 << 4,
            compare: 0,
            top: TOP_BITS,
            next_compare: 0,
            next_top: TOP_BITS,
            events: Events::default(),
            counter: 0,
            down: false,
            since: 0,
        }
    }
}

impl Slice {
    pub(super) fn enabled(&self) -> bool {
        self.control & CSR_EN != 0
    }

    /// Returns whether B is an input (datasheet section 4.5.2.5).
    pub(super) fn takes_input(&self) -> bool {
        self.events.mode() != DivMode::Free
    }

    /// Sets the level of B from the time `at` on, to which the slice has counted.
    pub(super) fn sense(&mut self, high: bool, at: u64) {
        self.events.sense(high, at);
    }

    fn phase_correct(&self) -> bool {
        self.control & CSR_PH_CORRECT != 0
    }

    /// Returns the number of sixteenths of a cycle per tick.
    pub(super) fn tick(&self) -> u64 {
        // An integer part of zero means 256.
        let whole = if self.divider < 16 { 256 << 4 } else { 0 };
        u64::from(self.divider | whole)
    }

    /// Returns the number of ticks from one wrap to the next.
    fn period(&self) -> u64 {
        (u64::from(self.top) + 1) << u32::from(self.phase_correct())
    }

    /// Returns the number of ticks from `since` to the next wrap.
    pub(super) fn to_wrap(&self) -> u64 {
        let (counter, top) = (u64::from(self.counter), u64::from(self.top));
        if self.down {
            counter + 1
        } else if counter > top {
            // The counter is above the top: it overflows.
            0x1_0000 - counter
        } else {
            self.period() - counter
        }
    }

    /// Returns the number of ticks since the last wrap, and that at which a phase-correct counter
    /// is back at zero.
    pub(super) fn position(&self) -> (u64, Option<u64>) {
        let (counter, top) = (u64::from(self.counter), u64::from(self.top));
        let turn = self.phase_correct().then_some(2 * top + 2);
        let position = if self.down { 2 * top + 1 - counter.min(2 * top + 1) } else { counter };
        (position, turn)
    }

    /// Returns the time at which this slice, which is enabled, will have counted `ticks` from
    /// `since` on; `None` if input B must change first.
    pub(super) fn time_of_tick(&self, ticks: u64) -> Option<u64> {
        self.events.time_of(self.since.saturating_add(ticks * self.tick()))
    }

    /// Returns the time of the next wrap, if the slice is enabled and the wrap does not depend on a
    /// change of input B.
    pub(super) fn next_wrap(&self) -> Option<u64> {
        self.time_of_tick(self.to_wrap())
    }

    /// Counts until `at`. Returns the number of wraps.
    pub(super) fn advance(&mut self, at: u64) -> u64 {
        let mut ticks = self.events.count(at).saturating_sub(self.since) / self.tick();
        self.since += ticks * self.tick();
        let to_wrap = self.to_wrap();
        if ticks < to_wrap {
            self.count(ticks as u32);
            return 0;
        }
        ticks -= to_wrap;
        self.counter = 0;
        self.down = false;
        self.latch();
        self.count((ticks % self.period()) as u32);
        1 + ticks / self.period()
    }

    /// Counts `ticks`, which end before the next wrap.
    fn count(&mut self, ticks: u32) {
        if self.down {
            self.counter -= ticks;
            return;
        }
        let overrun = self.counter > self.top;
        self.counter += ticks;
        if self.phase_correct() && self.counter > self.top && !overrun {
            self.down = true;
            self.counter = 2 * self.top + 1 - self.counter;
        }
    }

    /// Makes the written values effective.
    fn latch(&mut self) {
        self.compare = self.next_compare;
        self.top = self.next_top;
    }

    pub(super) fn threshold(&self, channel: usize) -> u32 {
        self.compare >> (CC_B_LSB * channel) & CC_A
    }

    fn inverted(&self, channel: usize) -> bool {
        self.control & INVERTED[channel] != 0
    }

    pub(super) fn level(&self, channel: usize) -> bool {
        (self.counter < self.threshold(channel)) != self.inverted(channel)
    }

    /// Returns the output of a channel.
    pub(super) fn output(&self, channel: usize, clock: Rate) -> Output {
        let threshold = self.threshold(channel);
        if !self.enabled() || self.takes_input() {
            return Output::Level(self.level(channel));
        }
        if threshold == 0 || threshold > self.top {
            return Output::Level((threshold != 0) != self.inverted(channel));
        }
        let high = f64::from(threshold) / (f64::from(self.top) + 1.0);
        let hz = clock.hz() as f64 * 16.0 / (self.period() * self.tick()) as f64;
        Output::Wave { hz, duty: if self.inverted(channel) { 1.0 - high } else { high } }
    }

    /// Reads a register; `offset` counts from the slice's CSR.
    pub(super) fn read(&self, offset: u32) -> u32 {
        match offset {
            CSR => self.control,
            DIV => self.divider,
            CTR => self.counter,
            CC => self.next_compare,
            _ => self.next_top,
        }
    }

    /// Writes a register; the slice has counted until `at`.
    pub(super) fn write(&mut self, offset: u32, value: u32, at: u64) {
        match offset {
            CSR => return self.set_control(value, at),
            DIV => {
                self.divider = value & DIV_BITS;
                self.since = self.events.count(at);
            }
            CTR => {
                self.counter = value & CTR_BITS;
                self.down &= self.counter <= self.top;
            }
            CC => self.next_compare = value,
            _ => self.next_top = value & TOP_BITS,
        }
        if !self.enabled() {
            self.latch();
        }
    }

    fn set_control(&mut self, value: u32, at: u64) {
        let ran = self.enabled();
        // PH_RET and PH_ADV act immediately and read as zero.
        self.control = value & CSR_HELD;
        self.down &= self.phase_correct();
        let mode = DivMode::of(value >> CSR_DIVMODE_LSB);
        let counts_anew = self.events.set_mode(mode, at);
        if counts_anew || !ran {
            self.since = self.events.count(at);
        }
        if !self.enabled() {
            self.latch();
            return;
        }
        if value & CSR_PH_RET != 0 {
            self.since += self.tick();
        }
        if value & CSR_PH_ADV != 0 {
            // The next call of `advance` counts the tick.
            self.since = self.since.saturating_sub(self.tick());
        }
    }

    pub(super) fn enable(&mut self, enabled: bool, at: u64) {
        self.set_control(self.control & !CSR_EN | u32::from(enabled), at);
    }
}
