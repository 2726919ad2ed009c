//! A UART (PL011): FIFOs, line rate, interrupts (datasheet section 4.2).
//!
//! Bytes take the time on the wire that the divisors give them. Modem lines and IrDA are not
//! modelled; there are no framing or parity errors. A DMA request stands while the FIFO has room,
//! or a byte.

use std::collections::VecDeque;

const FIFO_DEPTH: usize = 32;
/// The receive timeout: this many bits without a new byte.
const TIMEOUT_BITS: u64 = 32;

/// CR
const ENABLED: u32 = 1;
const LOOPBACK: u32 = 1 << 7;
const TRANSMIT: u32 = 1 << 8;
const RECEIVE: u32 = 1 << 9;
/// LCR_H
const FIFOS: u32 = 1 << 4;
/// FR
const BUSY: u32 = 1 << 3;
const RX_EMPTY: u32 = 1 << 4;
const TX_FULL: u32 = 1 << 5;
const RX_FULL: u32 = 1 << 6;
const TX_EMPTY: u32 = 1 << 7;
/// DMACR
const RX_DMA: u32 = 1;
const TX_DMA: u32 = 2;
/// DR: bytes before this one are missing.
const DATA_OVERRUN: u16 = 1 << 11;
/// RSR
const STATUS_OVERRUN: u32 = 1 << 3;
/// Interrupts
const RX: u32 = 1 << 4;
const TX: u32 = 1 << 5;
const RX_TIMEOUT: u32 = 1 << 6;
const OVERRUN: u32 = 1 << 10;

#[derive(Clone, Debug, Default)]
pub(in crate::chip) struct Uart {
    transmit: VecDeque<u8>,
    /// The byte on the wire, and when its stop bit ends.
    sending: Option<(u8, u64)>,
    /// Bytes, each with the overrun flag that came in with it.
    receive: VecDeque<u16>,
    /// A byte was lost since the last one that was kept: the next one says so.
    lost: bool,
    /// UARTRSR's overrun flag.
    overrun: bool,
    /// When the last byte was received or read.
    received_ns: u64,
    /// What has left the pin, with the end of its stop bit in nanoseconds.
    sent: Vec<(u64, u8)>,
    control: u32,
    line: u32,
    divisor: u32,
    fraction: u32,
    levels: u32,
    mask: u32,
    raised: u32,
    dma: u32,
    /// The frequency of its clock; 0 while there is none.
    clock_hz: u64,
}

impl Uart {
    pub(in crate::chip) fn new() -> Self {
        Self { control: TRANSMIT | RECEIVE, levels: 0x12, ..Self::default() }
    }

    /// The UART after its reset: what has been sent is kept for the caller.
    pub(in crate::chip) fn after_reset(&mut self) -> Self {
        Self { sent: self.take_sent(), ..Self::new() }
    }

    pub(in crate::chip) fn set_clock(&mut self, hz: Option<u64>) {
        self.clock_hz = hz.unwrap_or(0);
    }

    /// Everything sent since the last call.
    pub(in crate::chip) fn take_sent(&mut self) -> Vec<(u64, u8)> {
        std::mem::take(&mut self.sent)
    }

    /// A byte arrives at the pin. It is lost where the receiver is off.
    pub(in crate::chip) fn arrive(&mut self, byte: u8, ns: u64) {
        if self.control & (ENABLED | RECEIVE) != ENABLED | RECEIVE {
            return;
        }
        if self.receive.len() == self.depth() {
            self.raised |= OVERRUN;
            self.lost = true;
            self.overrun = true;
            return;
        }
        let lost = if std::mem::take(&mut self.lost) { DATA_OVERRUN } else { 0 };
        self.receive.push_back(u16::from(byte) | lost);
        self.received_ns = ns;
        if self.receive.len() >= self.receive_level() {
            self.raised |= RX;
        }
    }

    /// Nanoseconds that a byte takes on the wire; `None` while one that arrives would be lost.
    pub(in crate::chip) fn arrival_ns(&self) -> Option<u64> {
        let listens = self.control & (ENABLED | RECEIVE) == ENABLED | RECEIVE;
        let room = self.receive.len() < self.depth();
        if listens && room { self.bits_ns(self.frame_bits()) } else { None }
    }

    fn depth(&self) -> usize {
        if self.line & FIFOS != 0 { FIFO_DEPTH } else { 1 }
    }

    /// One eighth to seven eighths of the FIFO; without it, every byte.
    fn level(&self, field: u32) -> usize {
        match (self.depth(), field) {
            (1, _) => 1,
            (depth, 0) => depth / 8,
            (depth, 1) => depth / 4,
            (depth, 2) => depth / 2,
            (depth, 3) => depth * 3 / 4,
            (depth, _) => depth * 7 / 8,
        }
    }

    fn receive_level(&self) -> usize {
        self.level(self.levels >> 3 & 7)
    }

    /// Nanoseconds a bit, times 64; `None` where nothing moves.
    fn bits_ns(&self, bits: u64) -> Option<u64> {
        let divisor = u64::from(self.divisor) * 64 + u64::from(self.fraction);
        let moves = self.clock_hz != 0 && divisor != 0;
        // A bit is 16 periods of the divided clock, whose divisor counts in 64ths.
        moves.then(|| bits * 16 * divisor * 1_000_000_000 / (64 * self.clock_hz))
    }

    /// Start, data, parity and stop bits.
    fn frame_bits(&self) -> u64 {
        let data = 5 + u64::from(self.line >> 5 & 3);
        1 + data + u64::from(self.line >> 1 & 1) + 1 + u64::from(self.line >> 3 & 1)
    }

    /// Sends what has been sent by `ns`.
    pub(in crate::chip) fn advance(&mut self, ns: u64) {
        while let Some((byte, end)) = self.sending
            && end <= ns
        {
            self.sent.push((end, byte));
            self.sending = None;
            if self.control & LOOPBACK != 0 {
                self.arrive(byte, end);
            }
            self.send_next(end);
        }
        if !self.receive.is_empty() && self.timeout_ns() <= ns {
            self.raised |= RX_TIMEOUT;
        }
    }

    fn timeout_ns(&self) -> u64 {
        self.bits_ns(TIMEOUT_BITS).map_or(u64::MAX, |wait| self.received_ns + wait)
    }

    fn send_next(&mut self, ns: u64) {
        if self.sending.is_some() || self.control & (ENABLED | TRANSMIT) != ENABLED | TRANSMIT {
            return;
        }
        if let Some(frame) = self.bits_ns(self.frame_bits())
            && let Some(byte) = self.transmit.pop_front()
        {
            self.sending = Some((byte, ns + frame));
            if self.transmit.len() <= self.transmit_level() {
                self.raised |= TX;
            }
        }
    }

    fn transmit_level(&self) -> usize {
        if self.depth() == 1 { 0 } else { self.level(self.levels & 7) }
    }

    /// When something next changes by itself.
    pub(in crate::chip) fn next(&self) -> u64 {
        let sent = self.sending.map_or(u64::MAX, |(_, end)| end);
        let waits = !self.receive.is_empty() && self.raised & RX_TIMEOUT == 0;
        sent.min(if waits { self.timeout_ns() } else { u64::MAX })
    }

    pub(in crate::chip) fn interrupt(&self) -> bool {
        self.raised & self.mask != 0
    }

    /// The DMA requests for transmitting and for receiving.
    pub(in crate::chip) fn requests(&self) -> (bool, bool) {
        if self.dma == 0 {
            return (false, false);
        }
        let transmit = self.dma & TX_DMA != 0 && self.transmit.len() < self.depth();
        (transmit, self.dma & RX_DMA != 0 && !self.receive.is_empty())
    }

    pub(in crate::chip) fn read(&mut self, offset: u32, ns: u64) -> Option<u32> {
        self.advance(ns);
        Some(match offset {
            0x00 => {
                let byte = self.receive.pop_front().unwrap_or_default();
                self.received_ns = ns;
                if self.receive.len() < self.receive_level() {
                    self.raised &= !RX;
                }
                if self.receive.is_empty() {
                    self.raised &= !RX_TIMEOUT;
                }
                byte.into()
            }
            0x04 if self.overrun => STATUS_OVERRUN,
            0x04 => 0,
            0x18 => self.status(),
            0x24 => self.divisor,
            0x28 => self.fraction,
            0x2C => self.line,
            0x30 => self.control,
            0x34 => self.levels,
            0x38 => self.mask,
            0x3C => self.raised,
            0x40 => self.raised & self.mask,
            0x44 => 0,
            0x48 => self.dma,
            // Peripheral and cell numbers of a PL011, revision 3.
            0xFE0..=0xFFC => {
                const NUMBERS: [u32; 8] = [0x11, 0x10, 0x34, 0x00, 0x0D, 0xF0, 0x05, 0xB1];
                NUMBERS[(offset as usize - 0xFE0) / 4]
            }
            _ => return None,
        })
    }

    fn status(&self) -> u32 {
        let bit = |condition: bool, bit: u32| if condition { bit } else { 0 };
        bit(self.sending.is_some() || !self.transmit.is_empty(), BUSY)
            | bit(self.receive.is_empty(), RX_EMPTY)
            | bit(self.transmit.len() >= self.depth(), TX_FULL)
            | bit(self.receive.len() >= self.depth(), RX_FULL)
            | bit(self.transmit.is_empty(), TX_EMPTY)
    }

    pub(in crate::chip) fn write(&mut self, offset: u32, value: u32, ns: u64) -> Option<()> {
        self.advance(ns);
        match offset {
            0x00 => {
                if self.transmit.len() < self.depth() {
                    self.transmit.push_back(value as u8);
                }
                if self.transmit.len() > self.transmit_level() {
                    self.raised &= !TX;
                }
                self.send_next(ns);
            }
            // Whatever is written clears the errors.
            0x04 => self.overrun = false,
            0x18 | 0x3C | 0x40 => {}
            0x24 => self.divisor = value & 0xFFFF,
            0x28 => self.fraction = value & 0x3F,
            0x2C => self.line = value & 0xFF,
            0x30 => {
                self.control = value & 0xFF87;
                self.send_next(ns);
            }
            0x34 => self.levels = value & 0x3F,
            0x38 => self.mask = value & 0x7FF,
            0x44 => self.raised &= !value,
            0x48 => self.dma = value & 7,
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 115,200 baud from 125 MHz, 8N1, FIFOs on.
    fn uart() -> Uart {
        let mut uart = Uart::new();
        uart.set_clock(Some(125_000_000));
        for (offset, value) in [(0x24, 67), (0x28, 52), (0x2C, 0x70), (0x30, 0x301)] {
            assert_eq!(uart.write(offset, value, 0), Some(()));
        }
        uart
    }

    /// A frame of ten bits lasts 16 * 10 * (67 + 52/64) / 125 MHz.
    const FRAME_NS: u64 = 86_800;

    #[test]
    fn bytes_leave_one_frame_after_the_other() {
        let mut uart = uart();
        for byte in *b"Hi" {
            uart.write(0, byte.into(), 1_000);
        }
        assert_eq!(uart.next(), 1_000 + FRAME_NS);
        uart.advance(1_000_000);
        let sent = [(1_000 + FRAME_NS, b'H'), (1_000 + 2 * FRAME_NS, b'i')];
        assert_eq!(uart.take_sent(), sent);
        assert_eq!(uart.read(0x18, 1_000_000).map(|flags| flags & BUSY), Some(0));
    }

    #[test]
    fn a_full_fifo_says_so_and_loses_what_comes_then() {
        let mut uart = uart();
        for byte in 0..40 {
            uart.write(0, byte, 0);
        }
        // One byte is on the wire, 32 wait.
        assert_eq!(uart.read(0x18, 0).map(|flags| flags & TX_FULL), Some(TX_FULL));
        uart.advance(100 * FRAME_NS);
        assert_eq!(uart.take_sent().len(), 33);
    }

    #[test]
    fn received_bytes_interrupt_at_their_level_or_after_a_pause() {
        let mut uart = uart();
        uart.write(0x34, 0, 0); // an eighth: four bytes
        uart.write(0x38, RX | RX_TIMEOUT, 0);
        uart.arrive(1, 0);
        assert!(!uart.interrupt());
        uart.advance(uart.next());
        assert!(uart.interrupt(), "the pause");
        assert_eq!(uart.read(0, 1_000_000), Some(1));
        assert!(!uart.interrupt());
        for byte in 2..6 {
            uart.arrive(byte, 1_000_000);
        }
        assert!(uart.interrupt(), "the level");
    }

    #[test]
    fn the_first_byte_after_an_overrun_says_that_others_are_missing() {
        let mut uart = uart();
        for byte in 0..34 {
            uart.arrive(byte, 0);
        }
        assert_eq!(uart.read(0x3C, 0).map(|raised| raised & OVERRUN), Some(OVERRUN));
        let kept: Vec<u32> = (0..32).filter_map(|_| uart.read(0, 0)).collect();
        assert_eq!(kept, (0..32).collect::<Vec<u32>>());
        uart.arrive(40, 0);
        uart.arrive(41, 0);
        assert_eq!(uart.read(0, 0), Some(40 | 1 << 11));
        assert_eq!(uart.read(0, 0), Some(41));
        assert_eq!(uart.read(0x04, 0), Some(STATUS_OVERRUN), "until it is cleared");
        uart.write(0x04, 0, 0);
        assert_eq!(uart.read(0x04, 0), Some(0));
    }

    #[test]
    fn a_byte_would_arrive_in_a_frame_unless_it_would_be_lost() {
        let mut uart = uart();
        assert_eq!(uart.arrival_ns(), Some(FRAME_NS));
        for byte in 0..32 {
            uart.arrive(byte, 0);
        }
        assert_eq!(uart.arrival_ns(), None, "the FIFO is full");
        uart.read(0, 0);
        assert_eq!(uart.arrival_ns(), Some(FRAME_NS));
        uart.write(0x30, ENABLED | TRANSMIT, 0);
        assert_eq!(uart.arrival_ns(), None, "the receiver is off");
    }

    #[test]
    fn without_a_clock_nothing_leaves() {
        let mut uart = uart();
        uart.set_clock(None);
        assert_eq!(uart.arrival_ns(), None);
        uart.write(0, 7, 0);
        assert_eq!(uart.next(), u64::MAX);
    }
}
