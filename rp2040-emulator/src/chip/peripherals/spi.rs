//! An SPI controller (PL022) as a master: FIFOs, frames, interrupts, DMA requests (datasheet
//! section 4.4).
//!
//! A frame is one step, whatever its bits: it takes its bits times the divided clock, and the next
//! one follows without a pause. Outside, [`Spi::take_sent`] gives what went out on TX, each word
//! with the moment of its last bit, and [`Spi::answer`] queues what comes in on RX. Nothing waits
//! for anybody outside: words that nobody takes are dropped and counted.
//!
//! The controller does not know its chip select: the short pulse that SPH = 0 gives between two
//! frames is on no pin and takes no time here. Slaves and the formats of Texas Instruments and
//! National are not modelled: such a controller stands still.

use std::collections::VecDeque;

use crate::chip::rate::Rate;

mod wire;

pub use wire::SpiWord;
use wire::Wire;

const FIFO_DEPTH: usize = 8;
/// The receive timeout: this many bits without a frame.
const TIMEOUT_BITS: u64 = 32;
const NS: u64 = 1_000_000_000;

/// SSPCR0
const FORMAT: u32 = 3 << 4;
/// SSPCR1
const LOOPBACK: u32 = 1;
const ENABLED: u32 = 2;
const SLAVE: u32 = 4;
/// SSPSR
const TX_EMPTY: u32 = 1;
const TX_NOT_FULL: u32 = 1 << 1;
const RX_NOT_EMPTY: u32 = 1 << 2;
const RX_FULL: u32 = 1 << 3;
const BUSY: u32 = 1 << 4;
/// Interrupts
const OVERRUN: u32 = 1;
const TIMEOUT: u32 = 2;
const RX: u32 = 4;
const TX: u32 = 8;
/// SSPDMACR
const RX_DMA: u32 = 1;
const TX_DMA: u32 = 2;

#[derive(Clone, Debug)]
pub(in crate::chip) struct Spi {
    transmit: VecDeque<u16>,
    receive: VecDeque<u16>,
    /// The frame on the wire, with the moment of its end.
    sending: Option<SpiWord>,
    /// The frame on the wire, or the last one, ends so many cycles of the clock after `since_ns`.
    end: u64,
    since_ns: u64,
    /// When the receive timeout comes: `u64::MAX` while it does not run.
    timeout_ns: u64,
    clock: Rate,
    control: [u32; 2],
    prescale: u32,
    mask: u32,
    /// Overrun and timeout, which stay until they are cleared.
    raised: u32,
    dma: u32,
    wire: Wire,
}

impl Default for Spi {
    fn default() -> Self {
        Self {
            transmit: VecDeque::with_capacity(FIFO_DEPTH),
            receive: VecDeque::with_capacity(FIFO_DEPTH),
            sending: None,
            end: 0,
            since_ns: 0,
            timeout_ns: u64::MAX,
            clock: Rate::default(),
            control: [0; 2],
            prescale: 0,
            mask: 0,
            raised: 0,
            dma: 0,
            wire: Wire::default(),
        }
    }
}

/// Outside.
impl Spi {
    /// Everything sent by `ns` since the last call, oldest first.
    pub(in crate::chip) fn take_sent(&mut self, ns: u64) -> Vec<SpiWord> {
        self.advance(ns);
        self.wire.take_sent()
    }

    /// How many words were dropped because nobody took them.
    pub(in crate::chip) fn dropped(&self) -> u64 {
        self.wire.dropped()
    }

    /// The next frame that ends and has no answer yet reads this word. False, and the word is
    /// lost, where too many wait.
    pub(in crate::chip) fn answer(&mut self, word: u16) -> bool {
        self.wire.answer(word)
    }

    /// The level of RX where nothing is queued: low at first.
    pub(in crate::chip) fn set_idle_level(&mut self, high: bool) {
        self.wire.idle_high = high;
    }
}

/// The chip's side.
impl Spi {
    /// The controller after its reset: its clock and what is outside stay; the frame on the wire
    /// is lost.
    pub(in crate::chip) fn after_reset(&mut self) -> Self {
        Self { clock: self.clock, wire: std::mem::take(&mut self.wire), ..Self::default() }
    }

    /// From `ns` on the clock has this frequency. A frame that has begun goes on with it.
    pub(in crate::chip) fn set_clock(&mut self, hz: Option<u64>, ns: u64) {
        let clock = Rate::new(hz);
        if clock == self.clock {
            return;
        }
        self.advance(ns);
        let over = self.clock.cycles(ns.saturating_sub(self.since_ns));
        self.clock = clock;
        self.since_ns = ns;
        self.end = self.end.saturating_sub(over);
        let end_ns = self.moment(self.end);
        if let Some(frame) = &mut self.sending {
            frame.ns = end_ns;
        }
        if self.timeout_ns != u64::MAX {
            self.start_timeout();
        }
        self.send_next(ns);
    }

    /// Sends what has been sent by `ns`.
    pub(in crate::chip) fn advance(&mut self, ns: u64) {
        while let Some(frame) = self.sending
            && frame.ns <= ns
        {
            self.complete(frame);
        }
        if self.timeout_ns <= ns {
            self.timeout_ns = u64::MAX;
            self.raised |= TIMEOUT;
        }
    }

    /// When an interrupt or a DMA request next changes by itself. Frames that move neither are
    /// not worth waking anybody.
    pub(in crate::chip) fn next(&self) -> u64 {
        let matters = self.mask & !TIMEOUT != 0 || self.dma != 0;
        match self.sending {
            // The timeout begins with the end of the last frame.
            Some(frame) if matters || self.mask & TIMEOUT != 0 => frame.ns,
            None if self.mask & TIMEOUT != 0 => self.timeout_ns,
            _ => u64::MAX,
        }
    }

    /// Whether whatever it sends or receives neither interrupts nor moves the DMA.
    pub(in crate::chip) fn is_quiet(&self) -> bool {
        self.mask == 0 && self.dma == 0
    }

    /// The interrupt line.
    pub(in crate::chip) fn interrupt(&self) -> bool {
        self.interrupts() & self.mask != 0
    }

    /// The DMA requests for transmitting and for receiving.
    pub(in crate::chip) fn requests(&self) -> (bool, bool) {
        if self.dma == 0 {
            return (false, false);
        }
        let transmit = self.dma & TX_DMA != 0 && self.transmit.len() < FIFO_DEPTH;
        (transmit, self.dma & RX_DMA != 0 && !self.receive.is_empty())
    }

    pub(in crate::chip) fn read(&mut self, offset: u32, ns: u64) -> Option<u32> {
        self.advance(ns);
        Some(match offset {
            0x00 | 0x04 => self.control[offset as usize / 4],
            0x08 => {
                let word = self.receive.pop_front().unwrap_or_default();
                if self.receive.is_empty() {
                    self.timeout_ns = u64::MAX;
                    self.raised &= !TIMEOUT;
                }
                word.into()
            }
            0x0C => self.status(),
            0x10 => self.prescale,
            0x14 => self.mask,
            0x18 => self.interrupts(),
            0x1C => self.interrupts() & self.mask,
            0x20 => 0,
            0x24 => self.dma,
            // Peripheral and cell numbers of a PL022, revision 3.
            0xFE0..=0xFFC => {
                const NUMBERS: [u32; 8] = [0x22, 0x10, 0x34, 0x00, 0x0D, 0xF0, 0x05, 0xB1];
                NUMBERS[(offset as usize - 0xFE0) / 4]
            }
            _ => return None,
        })
    }

    pub(in crate::chip) fn write(&mut self, offset: u32, value: u32, ns: u64) -> Option<()> {
        self.advance(ns);
        match offset {
            0x00 | 0x04 => {
                let writable = if offset == 0 { 0xFFFF } else { 0xF };
                self.control[offset as usize / 4] = value & writable;
                self.send_next(ns);
                return (self.control[1] & ENABLED == 0 || self.is_modelled()).then_some(());
            }
            0x08 => {
                // Into a full FIFO: lost.
                if self.transmit.len() < FIFO_DEPTH {
                    self.transmit.push_back(value as u16);
                }
                self.send_next(ns);
            }
            0x10 => {
                self.prescale = value & 0xFE;
                self.send_next(ns);
            }
            0x14 => self.mask = value & 0xF,
            0x20 => self.raised &= !value,
            0x24 => self.dma = value & 3,
            // Read-only.
            0x0C | 0x18 | 0x1C | 0xFE0..=0xFFC => {}
            _ => return None,
        }
        Some(())
    }
}

impl Spi {
    /// A master in Motorola's format with a size of frames that exists.
    fn is_modelled(&self) -> bool {
        self.control[1] & SLAVE == 0 && self.control[0] & FORMAT == 0 && self.bits() >= 4
    }

    fn bits(&self) -> u8 {
        (self.control[0] & 0xF) as u8 + 1
    }

    fn bit_cycles(&self) -> u64 {
        u64::from(self.prescale) * (1 + u64::from(self.control[0] >> 8 & 0xFF))
    }

    fn moment(&self, cycles: u64) -> u64 {
        self.since_ns.saturating_add(self.clock.ns(cycles))
    }

    /// Puts the next word on the wire at `ns`, if none is there.
    fn send_next(&mut self, ns: u64) {
        if self.sending.is_none() && self.may_send() {
            self.since_ns = ns;
            self.end = 0;
            self.begin_frame();
        }
    }

    fn may_send(&self) -> bool {
        self.control[1] & ENABLED != 0
            && self.is_modelled()
            && self.prescale != 0
            && self.clock.runs()
    }

    /// The next frame begins where the last one ended.
    fn begin_frame(&mut self) {
        if let Some(word) = self.transmit.pop_front() {
            let bits = self.bits();
            self.timeout_ns = u64::MAX;
            let start_ns = self.moment(self.end);
            self.end += u64::from(bits) * self.bit_cycles();
            // Whole seconds are whole cycles: the products stay small, and nothing is rounded.
            while self.end > self.clock.hz() && self.since_ns < u64::MAX - NS {
                self.end -= self.clock.hz();
                self.since_ns += NS;
            }
            let word = word & (0xFFFF >> (16 - bits));
            self.sending = Some(SpiWord { start_ns, ns: self.moment(self.end), word, bits });
        }
    }

    fn complete(&mut self, frame: SpiWord) {
        self.sending = None;
        let answer = self.wire.exchange(frame);
        let received = if self.control[1] & LOOPBACK != 0 { frame.word } else { answer };
        self.raised &= !TIMEOUT;
        if self.receive.len() < FIFO_DEPTH {
            self.receive.push_back(received);
        } else {
            self.raised |= OVERRUN;
        }
        if self.may_send() {
            self.begin_frame();
        }
        if self.sending.is_none() {
            self.start_timeout();
        }
    }

    fn start_timeout(&mut self) {
        self.timeout_ns = self.moment(self.end + TIMEOUT_BITS * self.bit_cycles());
    }

    fn status(&self) -> u32 {
        let bit = |condition: bool, bit: u32| if condition { bit } else { 0 };
        bit(self.transmit.is_empty(), TX_EMPTY)
            | bit(self.transmit.len() < FIFO_DEPTH, TX_NOT_FULL)
            | bit(!self.receive.is_empty(), RX_NOT_EMPTY)
            | bit(self.receive.len() == FIFO_DEPTH, RX_FULL)
            | bit(self.sending.is_some() || !self.transmit.is_empty(), BUSY)
    }

    fn interrupts(&self) -> u32 {
        let half = FIFO_DEPTH / 2;
        let receive = if self.receive.len() >= half { RX } else { 0 };
        self.raised | receive | if self.transmit.len() <= half { TX } else { 0 }
    }
}

#[cfg(test)]
mod tests;
