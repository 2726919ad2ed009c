//! A serial bus of an LCD: which bytes arrive at the LCD, whichever part of the chip drives its
//! wires.
//!
//! While an SPI controller drives both SCK and MOSI, its frames are the bytes, and their bits are
//! on no pin: that is the fast way. Otherwise the LCD samples the levels of the pins
//! (`bit_stream`): a PIO or the program itself makes the edges. The functions of the pins select
//! the way. The caller passes frames, levels and functions in order of time.

use hal_mock::board::Terminals;
use rp2040_emulator::chip::{FunctionChange, PinBurst, PinWords, SpiWord};
use virtual_time::{Instant, Nanos};

use super::bit_stream::{Edges, Received, ShiftRegister};
use super::burst::Burst;
use super::wiring::{Gpio, SerialWiring};
use super::word_samples::WordSamples;

/// FUNCSEL of the SPI controllers (RP2040 datasheet, 2.19.2).
const SPI_FUNCTION: u32 = 1;

/// Number of bits of a byte with D/CX as its first bit (ILI9341 datasheet, 7.1.9).
const NINE_BITS: u8 = 9;

/// The serial bus of an LCD.
#[derive(Clone)]
pub(super) struct SerialBus {
    edges: Edges,
    /// Mask of D/CX; zero if it is the first bit of each byte.
    dc: u32,
    /// SPI controller that can drive SCK and MOSI.
    controller: Option<usize>,
    /// Pins whose function decides which source drives the bus, with that function.
    clock: (Gpio, u32),
    data: (Gpio, u32),
    select: Option<(Gpio, u32)>,
    /// Incomplete byte.
    bits: ShiftRegister,
    /// Time of the last change of D/CX, in nanoseconds.
    dc_ns: u64,
    /// Levels of the chip's pins.
    levels: u32,
    /// Consecutive bytes that have not been transferred to the LCD yet.
    burst: Burst,
}

impl SerialBus {
    /// Creates the bus of `lcd`. `function` returns the current function of a pin.
    pub(super) fn new(lcd: &SerialWiring, levels: u32, function: impl Fn(Gpio) -> u32) -> Self {
        let mask = |pin: Option<Gpio>| pin.map_or(0, Gpio::bit);
        let with_function = |pin: Gpio| (pin, function(pin));
        Self {
            edges: Edges {
                sck: lcd.sck.bit(),
                mosi: lcd.mosi.bit(),
                chip_select: mask(lcd.chip_select),
            },
            dc: mask(lcd.dc),
            controller: controller(lcd),
            clock: with_function(lcd.sck),
            data: with_function(lcd.mosi),
            select: lcd.chip_select.map(with_function),
            bits: ShiftRegister::default(),
            dc_ns: 0,
            levels,
            burst: Burst::default(),
        }
    }

    /// Returns the SPI controller that can drive the bus, if the pins are those of one.
    pub(super) fn controller(&self) -> Option<usize> {
        self.controller
    }

    /// Returns the pins whose levels the bus needs.
    pub(super) fn pins(&self) -> u32 {
        self.edges.sck | self.edges.mosi | self.edges.chip_select | self.dc
    }

    /// Returns the pins whose functions the bus needs.
    pub(super) fn function_pins(&self) -> u32 {
        self.edges.sck | self.edges.mosi | self.edges.chip_select
    }

    /// Returns whether an SPI controller drives the bus.
    pub(super) fn is_routed(&self) -> bool {
        self.controller.is_some() && self.clock.1 == SPI_FUNCTION && self.data.1 == SPI_FUNCTION
    }

    /// Returns whether the LCD is selected while an SPI controller sends a frame. The controller
    /// holds its own chip select low in a frame; the levels do not show this.
    fn is_selected(&self) -> bool {
        match self.select {
            Some((pin, SPI_FUNCTION)) if pin.number() % 4 == 1 => true,
            _ => !self.edges.is_deselected(self.levels),
        }
    }

    /// Handles a change of the function of a pin.
    pub(super) fn change_function(&mut self, change: FunctionChange) {
        let select = self.select.iter_mut();
        for (pin, function) in [&mut self.clock, &mut self.data].into_iter().chain(select) {
            if pin.number() == usize::from(change.pin) {
                *function = change.function;
            }
        }
    }

    /// Adds a frame of the SPI controller, if it reaches the LCD. Times count from `powered_at`.
    pub(super) fn clock_in(&mut self, lcd: &Terminals, powered_at: Instant, frame: SpiWord) {
        let SpiWord { start_ns, ns, word, bits, .. } = frame;
        if !self.is_routed() || !self.is_selected() {
            return;
        }
        let whole = bits.is_multiple_of(8) && self.bits.is_empty() && self.dc != 0;
        if !whole {
            return self.clock_in_bits(lcd, powered_at, frame);
        }
        self.burst.extend(lcd, powered_at, start_ns, ns);
        if bits == 16 {
            self.burst.push((word >> 8) as u8);
        }
        self.burst.push(word as u8);
    }

    /// Adds a frame that is not a number of whole bytes, bit by bit. SCK rises in the middle of
    /// each bit.
    fn clock_in_bits(&mut self, lcd: &Terminals, powered_at: Instant, frame: SpiWord) {
        let halves = 2 * u64::from(frame.bits);
        let lasts = frame.ns.saturating_sub(frame.start_ns);
        for bit in 0..u64::from(frame.bits) {
            let ns = frame.start_ns + lasts.saturating_mul(2 * bit + 1) / halves;
            let high = frame.word >> (u64::from(frame.bits) - 1 - bit) & 1 != 0;
            self.sample(lcd, powered_at, ns, high);
        }
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
        if !self.is_routed()
            && let Some(bit) = self.edges.sample(before, levels)
        {
            self.sample(lcd, powered_at, ns, bit);
        }
        if self.edges.is_deselected(levels) {
            self.bits.clear();
        }
        let changed = before ^ levels;
        if changed & self.dc != 0 {
            self.dc_ns = ns;
            self.flush(lcd);
            lcd.set_lcd_dc(powered_at.saturating_add(Nanos(ns)), levels & self.dc != 0);
        }
        changed
    }

    /// Adds the bits of a burst, if SCK rises in each of its iterations and nothing else changes
    /// than MOSI. Returns false, and adds nothing, otherwise.
    pub(super) fn shift(&mut self, lcd: &Terminals, powered_at: Instant, burst: &PinBurst) -> bool {
        let Edges { sck, mosi, .. } = self.edges;
        let [first, second] = burst.levels();
        let is_clocked = first & sck == 0 && second & sck != 0;
        if self.is_routed() || !is_clocked || burst.data() != mosi || burst.pins() != sck | mosi {
            return false;
        }
        let count = burst.count();
        if self.edges.is_deselected(first) {
            self.bits.clear();
        } else {
            let size = self.word_size();
            let mut at = 0;
            while at < count {
                let taken = self.bits.room(size).min(count - at);
                let bits = (burst.bits() << at >> (32 - taken)) as u16;
                let sampled = |iteration: u32| burst.change(2 * iteration + 1).ns;
                let times = (sampled(at), sampled(at + taken - 1));
                let received = self.bits.push_all(times, bits, taken as u8, size);
                self.receive(lcd, powered_at, received);
                at += taken;
            }
        }
        self.levels = burst.change(2 * count - 1).levels;
        true
    }

    /// Adds words, if nothing else changes in them than SCK and MOSI. Returns false, and adds nothing,
    /// otherwise.
    pub(super) fn shift_words(
        &mut self,
        lcd: &Terminals,
        powered_at: Instant,
        words: &PinWords,
    ) -> bool {
        let Edges { sck, mosi, .. } = self.edges;
        if self.is_routed() || words.data() != mosi || words.pins() != sck | mosi {
            return false;
        }
        let Some(samples) = WordSamples::of(words, sck) else { return false };
        if self.edges.is_deselected(words.before()) {
            self.bits.clear();
        } else {
            let (size, count) = (self.word_size(), samples.count());
            let ticks = &samples.ticks[..];
            for (number, word) in words.words().iter().enumerate() {
                let bits = samples.bits(*word);
                let mut at = 0;
                while at < count {
                    let taken = self.bits.room(size).min(count - at);
                    let next = at + taken;
                    let bits = (bits >> (count - next)) as u16 & ((1 << taken) - 1);
                    // The time of a bit matters only at the begin and the end of a byte.
                    let first = match self.bits.is_empty() {
                        true => words.ns(number, ticks[at as usize]),
                        false => 0,
                    };
                    let last = match taken == self.bits.room(size) {
                        true => words.ns(number, ticks[next as usize - 1]),
                        false => 0,
                    };
                    let received = self.bits.push_all((first, last), bits, taken as u8, size);
                    self.receive(lcd, powered_at, received);
                    at = next;
                }
            }
        }
        self.levels = words.after();
        true
    }

    /// Returns the number of bits of a byte with its D/CX.
    fn word_size(&self) -> u8 {
        if self.dc == 0 { NINE_BITS } else { 8 }
    }

    /// Adds a bit that the LCD samples at `ns`.
    fn sample(&mut self, lcd: &Terminals, powered_at: Instant, ns: u64, bit: bool) {
        let received = self.bits.push(ns, bit, self.word_size());
        self.receive(lcd, powered_at, received);
    }

    /// Adds a word, if it is complete.
    #[inline]
    fn receive(&mut self, lcd: &Terminals, powered_at: Instant, received: Option<Received>) {
        let Some(Received { start_ns, end_ns, word }) = received else { return };
        let size = self.word_size();
        // The first bit has no edge at its start, so that time is an estimate: a change of D/CX
        // before the first sample comes before the word.
        let start_ns = match self.dc_ns <= self.bits.first_sample_ns() {
            true => start_ns.max(self.dc_ns),
            false => start_ns,
        };
        if size == NINE_BITS {
            self.flush(lcd);
            lcd.set_lcd_dc(powered_at.saturating_add(Nanos(start_ns)), word >> 8 & 1 != 0);
        }
        self.burst.extend(lcd, powered_at, start_ns, end_ns);
        self.burst.push(word as u8);
    }

    /// Transfers the consecutive bytes to the LCD.
    pub(super) fn flush(&mut self, lcd: &Terminals) {
        self.burst.flush(lcd);
    }

    /// Returns the LCD's output on MISO during a frame, and passes the word on MOSI to the LCD.
    /// Returns `None` if the frame does not reach the LCD.
    pub(super) fn read(&self, lcd: &Terminals, powered_at: Instant, frame: SpiWord) -> Option<u16> {
        if !self.is_routed() || !self.is_selected() {
            return None;
        }
        let SpiWord { start_ns, ns, word, bits, .. } = frame;
        let at = |ns| powered_at.saturating_add(Nanos(ns));
        let mut bytes = word.to_be_bytes();
        // A frame of 16 bits is two bytes for the LCD; of frames with other sizes it gets the last
        // eight bits.
        let first = if bits == 16 {
            0
        } else {
            bytes[0] = 0;
            1
        };
        lcd.lcd_exchange(at(start_ns), at(ns), &mut bytes[first..]);
        Some(u16::from_be_bytes(bytes))
    }
}

/// Returns the SPI controller whose clock and transmitter can be on SCK and MOSI (RP2040 datasheet,
/// 1.4.3).
fn controller(lcd: &SerialWiring) -> Option<usize> {
    let (sck, mosi) = (lcd.sck.number(), lcd.mosi.number());
    let number = sck / 8 % 2;
    (sck % 4 == 2 && mosi % 4 == 3 && mosi / 8 % 2 == number).then_some(number)
}
