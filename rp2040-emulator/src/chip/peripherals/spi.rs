//! An SPI controller (PL022) as a master: FIFOs, frames, interrupts, DMA requests (datasheet
//! section 4.4).
//!
//! A frame is one step: it takes its number of bits times the divided clock, and the next one
//! follows without a pause. [`Spi::take_sent`] returns the words sent on TX, each with the time of
//! its last bit; [`Spi::answer`] queues words for RX, or an attached [`SpiDevice`] answers each
//! frame. The buffer of sent words is bounded: further words are dropped and counted.
//!
//! Chip select is not modelled: the short pulse between two frames with SPH = 0 is on no pin and
//! takes no time. Slave mode and the formats of Texas Instruments and National Semiconductor are
//! not modelled: such a controller transfers nothing.

use std::collections::VecDeque;

use super::array::index;
use crate::chip::rate::Rate;

mod device;
mod levels;
mod target;
mod wire;
mod word;

pub use device::{SpiAnswer, SpiDevice};
pub(in crate::chip) use target::SpiTargets;
pub use target::{SpiPins, SpiTarget};
use wire::Wire;
pub use word::SpiWord;

const FIFO_DEPTH: usize = 8;
/// Receive timeout: number of bits without a frame.
const TIMEOUT_BITS: u64 = 32;
const NS: u64 = 1_000_000_000;

// Registers: RP2040 datasheet 4.4.4, PL022 TRM 3.3.
const SSPCR0: u32 = 0x000; // control 0, PL022 TRM 3.3.1
const SSPCR1: u32 = 0x004; // control 1, PL022 TRM 3.3.2
pub(in crate::chip) const SSPDR: u32 = 0x008; // data, PL022 TRM 3.3.3
pub(in crate::chip) const SSPSR: u32 = 0x00C; // status, PL022 TRM 3.3.4
const SSPCPSR: u32 = 0x010; // clock prescale, PL022 TRM 3.3.5
const SSPIMSC: u32 = 0x014; // interrupt mask set or clear, PL022 TRM 3.3.6
const SSPRIS: u32 = 0x018; // raw interrupt status, PL022 TRM 3.3.7
const SSPMIS: u32 = 0x01C; // masked interrupt status, PL022 TRM 3.3.8
pub(in crate::chip) const SSPICR: u32 = 0x020; // interrupt clear, PL022 TRM 3.3.9
const SSPDMACR: u32 = 0x024; // DMA control, PL022 TRM 3.3.10
const SSPPERIPHID0: u32 = 0xFE0; // peripheral identification, PL022 TRM 3.3.11
const SSPPCELLID3: u32 = 0xFFC; // PrimeCell identification, PL022 TRM 3.3.12

/// Mask of the number of bits of a frame, less one.
const SSPCR0_DSS: u32 = 0xF;
/// Mask of the format: 0 is Motorola's.
const SSPCR0_FRF: u32 = 3 << 4;
const SSPCR0_SPO: u32 = 1 << 6;
const SSPCR0_SPH: u32 = 1 << 7;
const SSPCR0_SCR_LSB: u32 = 8;
const SSPCR0_BITS: u32 = 0xFFFF;
const SSPCR1_LBM: u32 = 1;
const SSPCR1_SSE: u32 = 1 << 1;
const SSPCR1_MS: u32 = 1 << 2;
const SSPCR1_BITS: u32 = 0xF;
const SSPSR_TFE: u32 = 1;
const SSPSR_TNF: u32 = 1 << 1;
const SSPSR_RNE: u32 = 1 << 2;
const SSPSR_RFF: u32 = 1 << 3;
const SSPSR_BSY: u32 = 1 << 4;
/// Bits of the prescaler; the lowest is always zero.
const SSPCPSR_EVEN: u32 = 0xFE;
// The interrupts have the same bits in SSPIMSC, SSPRIS, SSPMIS and SSPICR.
const SSPRIS_RORRIS: u32 = 1;
const SSPRIS_RTRIS: u32 = 1 << 1;
const SSPRIS_RXRIS: u32 = 1 << 2;
const SSPRIS_TXRIS: u32 = 1 << 3;
const SSPIMSC_BITS: u32 = 0xF;
const SSPDMACR_RXDMAE: u32 = 1;
const SSPDMACR_TXDMAE: u32 = 1 << 1;
const SSPDMACR_BITS: u32 = 3;

#[derive(Clone, Debug)]
pub(in crate::chip) struct Spi {
    transmit: VecDeque<u16>,
    receive: VecDeque<u16>,
    /// Current frame, with the time of its end.
    sending: Option<SpiWord>,
    /// Number of cycles of the clock after `since_ns` at which the current or last frame ends.
    end: u64,
    since_ns: u64,
    /// Nanosecond of the receive timeout; `u64::MAX` while it does not run.
    timeout_ns: u64,
    clock: Rate,
    control: [u32; 2],
    prescale: u32,
    mask: u32,
    /// Overrun and timeout interrupts, which remain until they are cleared.
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

/// Functions for the owner of the chip.
impl Spi {
    /// Returns the words sent by `ns` since the last call, oldest first.
    pub(in crate::chip) fn take_sent(&mut self, ns: u64) -> Vec<SpiWord> {
        self.advance(ns);
        self.wire.take_sent()
    }

    /// Returns the number of words dropped because the buffer was full.
    pub(in crate::chip) fn dropped(&self) -> u64 {
        self.wire.dropped()
    }

    /// Queues the word that the next unanswered frame reads. Returns false, and drops the word, if
    /// the queue is full.
    pub(in crate::chip) fn answer(&mut self, word: u16) -> bool {
        self.wire.answer(word)
    }

    /// Attaches a device that answers each frame that begins from now on. `levels` are those of the
    /// pins.
    pub(in crate::chip) fn attach(&mut self, device: Box<dyn SpiDevice>, levels: u32) {
        self.wire.attach(device, levels);
    }

    /// Returns the current frame, if its device has left it to the caller.
    pub(in crate::chip) fn question(&self) -> Option<SpiWord> {
        self.wire.question()
    }

    /// Returns the targets on the controller's pins.
    pub(in crate::chip) fn targets(&mut self) -> &mut SpiTargets {
        &mut self.wire.targets
    }

    /// Returns the pins of which a target needs each edge now, as a mask.
    pub(in crate::chip) fn clocked_pins(&self) -> u32 {
        self.wire.targets.clocked_pins()
    }

    /// Returns the target with this number.
    pub(in crate::chip) fn target(&self, number: usize) -> Option<&dyn SpiTarget> {
        self.wire.targets.get(number)
    }

    /// Sets the level of RX while no answer is queued; initially low.
    pub(in crate::chip) fn set_idle_level(&mut self, high: bool) {
        self.wire.idle_high = high;
    }
}

/// Functions for the chip.
impl Spi {
    /// Returns the controller after its reset. Its clock, sent words and queued answers are
    /// retained; the current frame is lost.
    pub(in crate::chip) fn after_reset(&mut self) -> Self {
        self.wire.drop_frame();
        Self { clock: self.clock, wire: std::mem::take(&mut self.wire), ..Self::default() }
    }

    /// Changes the frequency of the clock at `ns`. The rest of the current frame uses it.
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
        let end_ns = self.time_of(self.end);
        if let Some(frame) = &mut self.sending {
            frame.ns = end_ns;
        }
        if self.timeout_ns != u64::MAX {
            self.start_timeout();
        }
        self.send_next(ns);
    }

    /// Sets the levels of the pins from `ns` on.
    pub(in crate::chip) fn set_levels(&mut self, levels: u32, ns: u64) {
        self.advance(ns);
        self.wire.set_levels(levels);
    }

    /// Returns whether a frame awaits the caller's answer and has not been reported yet.
    pub(in crate::chip) fn take_unseen(&mut self) -> bool {
        self.wire.take_unseen()
    }

    /// Completes the frames that end by `ns`.
    pub(in crate::chip) fn advance(&mut self, ns: u64) {
        while let Some(frame) = self.sending
            && frame.ns <= ns
        {
            self.complete(frame);
        }
        if self.timeout_ns <= ns {
            self.timeout_ns = u64::MAX;
            self.raised |= SSPRIS_RTRIS;
        }
    }

    /// Returns the nanosecond at which an interrupt or a DMA request may next change without an
    /// access. Frames that can change neither are left out; `dma` is whether a channel of the DMA
    /// is busy and may wait for a request. rp2040-hal enables the requests of every SPI, even of
    /// one that no channel serves.
    pub(in crate::chip) fn next(&self, dma: bool) -> u64 {
        // The frame after an unanswered one may also be unanswered, and begins when that one ends.
        let asked = self.wire.question().is_some();
        let matters = self.mask & !SSPRIS_RTRIS != 0 || dma && self.dma != 0 || asked;
        match self.sending {
            // The timeout starts at the end of the last frame.
            Some(frame) if matters || self.mask & SSPRIS_RTRIS != 0 => frame.ns,
            None if self.mask & SSPRIS_RTRIS != 0 => self.timeout_ns,
            _ => u64::MAX,
        }
    }

    /// Returns the nanosecond before which the status does not change without an access.
    pub(in crate::chip) fn steady_ns(&self) -> u64 {
        self.sending.map_or(u64::MAX, |frame| frame.ns)
    }

    /// Returns whether the controller's frames cause neither interrupts nor, with a busy `dma`,
    /// requests.
    pub(in crate::chip) fn is_quiet(&self, dma: bool) -> bool {
        self.mask == 0 && !(dma && self.dma != 0)
    }

    /// Returns the interrupt line.
    pub(in crate::chip) fn interrupt(&self) -> bool {
        self.interrupts() & self.mask != 0
    }

    /// Returns the DMA requests for transmitting and for receiving.
    pub(in crate::chip) fn requests(&self) -> (bool, bool) {
        if self.dma == 0 {
            return (false, false);
        }
        let transmit = self.dma & SSPDMACR_TXDMAE != 0 && self.transmit.len() < FIFO_DEPTH;
        (transmit, self.dma & SSPDMACR_RXDMAE != 0 && !self.receive.is_empty())
    }

    pub(in crate::chip) fn read(&mut self, offset: u32, ns: u64) -> Option<u32> {
        self.advance(ns);
        Some(match offset {
            SSPCR0 => self.control[0],
            SSPCR1 => self.control[1],
            SSPDR => {
                let word = self.receive.pop_front().unwrap_or_default();
                if self.receive.is_empty() {
                    self.timeout_ns = u64::MAX;
                    self.raised &= !SSPRIS_RTRIS;
                }
                word.into()
            }
            SSPSR => self.status(),
            SSPCPSR => self.prescale,
            SSPIMSC => self.mask,
            SSPRIS => self.interrupts(),
            SSPMIS => self.interrupts() & self.mask,
            SSPICR => 0,
            SSPDMACR => self.dma,
            // Peripheral and cell numbers of a PL022, revision 3.
            SSPPERIPHID0..=SSPPCELLID3 => {
                const NUMBERS: [u32; 8] = [0x22, 0x10, 0x34, 0x00, 0x0D, 0xF0, 0x05, 0xB1];
                NUMBERS[index(offset, SSPPERIPHID0)]
            }
            _ => return None,
        })
    }

    pub(in crate::chip) fn write(&mut self, offset: u32, value: u32, ns: u64) -> Option<()> {
        self.advance(ns);
        match offset {
            SSPCR0 | SSPCR1 => {
                match offset {
                    SSPCR0 => self.control[0] = value & SSPCR0_BITS,
                    _ => self.control[1] = value & SSPCR1_BITS,
                }
                self.send_next(ns);
                return (self.control[1] & SSPCR1_SSE == 0 || self.is_modelled()).then_some(());
            }
            SSPDR => {
                // A word for a full FIFO is lost.
                if self.transmit.len() < FIFO_DEPTH {
                    self.transmit.push_back(value as u16);
                }
                self.send_next(ns);
            }
            SSPCPSR => {
                self.prescale = value & SSPCPSR_EVEN;
                self.send_next(ns);
            }
            SSPIMSC => self.mask = value & SSPIMSC_BITS,
            SSPICR => self.raised &= !value,
            SSPDMACR => self.dma = value & SSPDMACR_BITS,
            // Read-only.
            SSPSR | SSPRIS | SSPMIS | SSPPERIPHID0..=SSPPCELLID3 => {}
            _ => return None,
        }
        Some(())
    }
}

impl Spi {
    /// Returns whether the controller is a master in Motorola's format with a valid frame size.
    fn is_modelled(&self) -> bool {
        self.control[1] & SSPCR1_MS == 0 && self.control[0] & SSPCR0_FRF == 0 && self.bits() >= 4
    }

    fn bits(&self) -> u8 {
        (self.control[0] & SSPCR0_DSS) as u8 + 1
    }

    fn bit_cycles(&self) -> u64 {
        u64::from(self.prescale) * (1 + u64::from(self.control[0] >> SSPCR0_SCR_LSB & 0xFF))
    }

    fn time_of(&self, cycles: u64) -> u64 {
        self.since_ns.saturating_add(self.clock.ns(cycles))
    }

    /// Starts the next frame at `ns`, if none is in progress.
    fn send_next(&mut self, ns: u64) {
        if self.sending.is_none() && self.may_send() {
            self.since_ns = ns;
            self.end = 0;
            self.begin_frame();
        }
    }

    fn may_send(&self) -> bool {
        self.control[1] & SSPCR1_SSE != 0
            && self.is_modelled()
            && self.prescale != 0
            && self.clock.runs()
    }

    /// Starts the next frame at the end of the last one.
    fn begin_frame(&mut self) {
        if let Some(word) = self.transmit.pop_front() {
            let bits = self.bits();
            self.timeout_ns = u64::MAX;
            let start_ns = self.time_of(self.end);
            self.end += u64::from(bits) * self.bit_cycles();
            // Whole seconds are whole cycles: the products stay small, and nothing is rounded.
            while self.end > self.clock.hz() && self.since_ns < u64::MAX - NS {
                self.end -= self.clock.hz();
                self.since_ns += NS;
            }
            let word = word & (0xFFFF >> (16 - bits));
            let ns = self.time_of(self.end);
            let frame = SpiWord { start_ns, ns, word, received: 0, bits };
            self.sending = Some(frame);
            self.wire.begin(frame, self.is_for_targets());
        }
    }

    fn complete(&mut self, frame: SpiWord) {
        self.sending = None;
        let answer = self.wire.exchange(frame);
        if !self.wire.targets.is_empty() {
            // With SPH = 0 chip select rises between two frames.
            let is_last = self.transmit.is_empty() || self.control[0] & SSPCR0_SPH == 0;
            self.wire.targets.end(frame.ns, is_last);
        }
        let received = if self.control[1] & SSPCR1_LBM != 0 { frame.word } else { answer };
        self.raised &= !SSPRIS_RTRIS;
        if self.receive.len() < FIFO_DEPTH {
            self.receive.push_back(received);
        } else {
            self.raised |= SSPRIS_RORRIS;
        }
        if self.may_send() {
            self.begin_frame();
        }
        if self.sending.is_none() {
            self.start_timeout();
        }
    }

    /// Returns whether the SPI mode is 0 or 3, in which targets sample MOSI.
    fn is_for_targets(&self) -> bool {
        self.control[0] & SSPCR0_SPO != 0 && self.control[0] & SSPCR0_SPH != 0
            || self.control[0] & (SSPCR0_SPO | SSPCR0_SPH) == 0
    }

    fn start_timeout(&mut self) {
        self.timeout_ns = self.time_of(self.end + TIMEOUT_BITS * self.bit_cycles());
    }

    fn status(&self) -> u32 {
        let bit = |condition: bool, bit: u32| if condition { bit } else { 0 };
        bit(self.transmit.is_empty(), SSPSR_TFE)
            | bit(self.transmit.len() < FIFO_DEPTH, SSPSR_TNF)
            | bit(!self.receive.is_empty(), SSPSR_RNE)
            | bit(self.receive.len() == FIFO_DEPTH, SSPSR_RFF)
            | bit(self.sending.is_some() || !self.transmit.is_empty(), SSPSR_BSY)
    }

    fn interrupts(&self) -> u32 {
        let half = FIFO_DEPTH / 2;
        let receive = if self.receive.len() >= half { SSPRIS_RXRIS } else { 0 };
        self.raised | receive | if self.transmit.len() <= half { SSPRIS_TXRIS } else { 0 }
    }
}

#[cfg(test)]
mod tests;
