//! A parallel bus of an LCD, from the levels of its pins: eight data lines, of which the LCD
//! samples a byte when WRX rises (8080-I interface; ILI9341 datasheet, 7.1.2).
//!
//! Nothing of the chip has this bus as a function, so a PIO or the program itself makes the edges.
//! The LCD's answers, while RDX is low, are not modelled.

use hal_mock::board::Terminals;
use ili9341_model::bus::Parallel;
use virtual_time::{Instant, Nanos};

use super::burst::Burst;
use super::wiring::{Gpio, ParallelWiring};

/// Longest cycle of a write that is a part of a burst, in nanoseconds. After a longer one the times
/// of the bytes are not evenly spread.
const BURST_CYCLE_NS: u64 = 1_000;

/// The parallel bus of an LCD.
#[derive(Clone)]
pub(super) struct ParallelBus {
    wiring: ParallelWiring,
    /// Numbers of the data lines that follow each other, if they do: the first one.
    first: Option<usize>,
    decoder: Parallel,
    levels: u32,
    /// Time at which WRX fell, and at which it rose before, in nanoseconds.
    fell_ns: u64,
    rose_ns: u64,
    burst: Burst,
}

impl ParallelBus {
    /// Creates the bus at these pins.
    pub(super) fn new(wiring: &ParallelWiring, levels: u32) -> Self {
        let first = wiring.data[0].number();
        let in_a_row = wiring.data.iter().zip(first..).all(|(pin, number)| pin.number() == number);
        let mut bus = Self {
            wiring: *wiring,
            first: in_a_row.then_some(first),
            decoder: Parallel::default(),
            levels,
            fell_ns: 0,
            rose_ns: 0,
            burst: Burst::default(),
        };
        bus.sample(levels, levels);
        bus
    }

    /// Returns the pins whose levels the bus needs.
    pub(super) fn pins(&self) -> u32 {
        let select = self.wiring.chip_select.map_or(0, Gpio::bit);
        let data = self.wiring.data.iter().fold(0, |pins, pin| pins | pin.bit());
        data | self.wiring.write.bit() | self.wiring.dc.bit() | select
    }

    /// Handles a change of the levels of the pins, and returns the pins that have changed.
    pub(super) fn change_levels(
        &mut self,
        lcd: &Terminals,
        powered_at: Instant,
        ns: u64,
        levels: u32,
    ) -> u32 {
        let before = std::mem::replace(&mut self.levels, levels);
        let changed = before ^ levels;
        let write = self.wiring.write.bit();
        if changed & write != 0 && levels & write == 0 {
            self.fell_ns = ns;
        }
        if let Some(byte) = self.sample(before, levels) {
            let follows = self.fell_ns.saturating_sub(self.rose_ns) < BURST_CYCLE_NS;
            let start = if follows { self.rose_ns } else { self.fell_ns };
            self.burst.extend(lcd, powered_at, start, ns);
            self.burst.push(byte);
        }
        if changed & write & levels != 0 {
            self.rose_ns = ns;
        }
        let dc = self.wiring.dc.bit();
        if changed & dc != 0 {
            self.flush(lcd);
            // The next byte begins after this change.
            self.rose_ns = self.rose_ns.max(ns);
            lcd.set_lcd_dc(powered_at.saturating_add(Nanos(ns)), levels & dc != 0);
        }
        changed
    }

    /// Transfers the consecutive bytes to the LCD.
    pub(super) fn flush(&mut self, lcd: &Terminals) {
        self.burst.flush(lcd);
    }

    /// Returns the byte that the LCD samples when the pins change from the levels `before` to
    /// `after`. A level that changes together with WRX changes too late.
    fn sample(&mut self, before: u32, after: u32) -> Option<u8> {
        let write_high = after & self.wiring.write.bit() != 0;
        let deselected =
            self.wiring.chip_select.is_some_and(|pin| (before | after) & pin.bit() != 0);
        let dc_high = before & self.wiring.dc.bit() != 0;
        // The decoder samples at the rise only, and needs the data only then.
        let data = if write_high { self.data(before) } else { 0 };
        self.decoder.levels(deselected, write_high, dc_high, data).map(|byte| byte.byte)
    }

    /// Returns the byte on the data lines.
    fn data(&self, levels: u32) -> u8 {
        match self.first {
            Some(first) => (levels >> first) as u8,
            None => self
                .wiring
                .data
                .iter()
                .enumerate()
                .fold(0, |byte, (bit, pin)| byte | u8::from(levels & pin.bit() != 0) << bit),
        }
    }
}
