//! A UART (PL011): FIFOs, line rate, interrupts (datasheet section 4.2).
//!
//! The divisors give the duration of a byte on the wire. Modem lines and IrDA are not modelled;
//! there are no parity errors, and framing errors only for bytes that arrive as levels. A DMA
//! request is active while the transmit FIFO has room, or the receive FIFO has a byte.

use std::collections::VecDeque;

use super::array::index;

mod wire;

use wire::Receiver;

const FIFO_DEPTH: usize = 32;
/// Receive timeout: number of bits without a new byte.
const TIMEOUT_BITS: u64 = 32;

// Registers: RP2040 datasheet 4.2.8, PL011 TRM 3.3.
const UARTDR: u32 = 0x000; // data, PL011 TRM 3.3.1
pub(in crate::chip) const UARTRSR: u32 = 0x004; // receive status; a write clears the errors, PL011 TRM 3.3.2
pub(in crate::chip) const UARTFR: u32 = 0x018; // flags, PL011 TRM 3.3.3
const UARTIBRD: u32 = 0x024; // integer baud rate, PL011 TRM 3.3.5
const UARTFBRD: u32 = 0x028; // fractional baud rate, PL011 TRM 3.3.6
const UARTLCR_H: u32 = 0x02C; // line control, PL011 TRM 3.3.7
const UARTCR: u32 = 0x030; // control, PL011 TRM 3.3.8
const UARTIFLS: u32 = 0x034; // interrupt FIFO level select, PL011 TRM 3.3.9
const UARTIMSC: u32 = 0x038; // interrupt mask set and clear, PL011 TRM 3.3.10
const UARTRIS: u32 = 0x03C; // raw interrupt status, PL011 TRM 3.3.11
const UARTMIS: u32 = 0x040; // masked interrupt status, PL011 TRM 3.3.12
pub(in crate::chip) const UARTICR: u32 = 0x044; // interrupt clear, PL011 TRM 3.3.13
const UARTDMACR: u32 = 0x048; // DMA control, PL011 TRM 3.3.14
const UARTPERIPHID0: u32 = 0xFE0; // peripheral identification, PL011 TRM 3.3.15
const UARTPCELLID3: u32 = 0xFFC; // PrimeCell identification, PL011 TRM 3.3.16

/// Overrun flag: bytes before this one were lost.
const UARTDR_OE: u16 = 1 << 11;
const UARTRSR_OE: u32 = 1 << 3;
const UARTFR_BUSY: u32 = 1 << 3;
const UARTFR_RXFE: u32 = 1 << 4;
const UARTFR_TXFF: u32 = 1 << 5;
const UARTFR_RXFF: u32 = 1 << 6;
const UARTFR_TXFE: u32 = 1 << 7;
const UARTFBRD_BITS: u32 = 0x3F;
const UARTIBRD_BITS: u32 = 0xFFFF;
const UARTLCR_H_PEN: u32 = 1 << 1;
const UARTLCR_H_STP2: u32 = 1 << 3;
const UARTLCR_H_FEN: u32 = 1 << 4;
const UARTLCR_H_WLEN_LSB: u32 = 5;
const UARTLCR_H_BITS: u32 = 0xFF;
const UARTCR_UARTEN: u32 = 1;
const UARTCR_LBE: u32 = 1 << 7;
const UARTCR_TXE: u32 = 1 << 8;
const UARTCR_RXE: u32 = 1 << 9;
const UARTCR_BITS: u32 = 0xFF87;
const UARTIFLS_TXIFLSEL: u32 = 7;
const UARTIFLS_RXIFLSEL_LSB: u32 = 3;
const UARTIFLS_BITS: u32 = 0x3F;
/// Value of UARTIFLS after reset: both levels at half of the FIFO.
const UARTIFLS_RESET: u32 = 0x12;
// The interrupts have the same bits in UARTIMSC, UARTRIS, UARTMIS and UARTICR.
const UARTRIS_RXRIS: u32 = 1 << 4;
const UARTRIS_TXRIS: u32 = 1 << 5;
const UARTRIS_RTRIS: u32 = 1 << 6;
const UARTRIS_OERIS: u32 = 1 << 10;
const UARTIMSC_BITS: u32 = 0x7FF;
const UARTDMACR_RXDMAE: u32 = 1;
const UARTDMACR_TXDMAE: u32 = 1 << 1;
const UARTDMACR_BITS: u32 = 7;

#[derive(Clone, Debug, Default)]
pub(in crate::chip) struct Uart {
    transmit: VecDeque<u8>,
    /// Byte on the wire, and the end of its stop bit.
    sending: Option<(u8, u64)>,
    /// Received bytes, each with the overrun flag that it arrived with.
    receive: VecDeque<u16>,
    /// Whether a byte was lost since the last received one; the next byte then has the overrun
    /// flag.
    lost: bool,
    /// Overrun flag of UARTRSR.
    overrun: bool,
    /// Time at which the last byte was received or read.
    received_ns: u64,
    /// Bytes sent, each with the end of its stop bit in nanoseconds.
    sent: Vec<(u64, u8)>,
    control: u32,
    line: u32,
    divisor: u32,
    fraction: u32,
    levels: u32,
    mask: u32,
    raised: u32,
    dma: u32,
    /// Frequency of the clock; 0 while it is stopped.
    clock_hz: u64,
    /// Receiver of RX as a level.
    receiver: Receiver,
}

impl Uart {
    pub(in crate::chip) fn new() -> Self {
        Self { control: UARTCR_TXE | UARTCR_RXE, levels: UARTIFLS_RESET, ..Self::default() }
    }

    /// Returns the UART after its reset; the bytes sent are retained for the caller.
    pub(in crate::chip) fn after_reset(&mut self) -> Self {
        Self { sent: self.take_sent(), ..Self::new() }
    }

    pub(in crate::chip) fn set_clock(&mut self, hz: Option<u64>) {
        self.clock_hz = hz.unwrap_or(0);
    }

    /// Returns the bytes sent since the last call.
    pub(in crate::chip) fn take_sent(&mut self) -> Vec<(u64, u8)> {
        std::mem::take(&mut self.sent)
    }

    /// Receives a byte at the pin. It is lost while the receiver is disabled.
    pub(in crate::chip) fn arrive(&mut self, byte: u8, ns: u64) {
        self.arrive_with(byte, 0, ns);
    }

    /// Receives a byte with error flags of UARTDR.
    fn arrive_with(&mut self, byte: u8, errors: u16, ns: u64) {
        if !self.listens() {
            return;
        }
        if self.receive.len() == self.depth() {
            self.raised |= UARTRIS_OERIS;
            self.lost = true;
            self.overrun = true;
            return;
        }
        let lost = if std::mem::take(&mut self.lost) { UARTDR_OE } else { 0 };
        self.receive.push_back(u16::from(byte) | errors | lost);
        self.received_ns = ns;
        if self.receive.len() >= self.receive_level() {
            self.raised |= UARTRIS_RXRIS;
        }
    }

    /// Gives the next byte the overrun flag, as if a byte before it had been lost. UARTRSR does not
    /// change: with a real overrun a program sees its flag once it has emptied the full FIFO, which
    /// is before the next byte, but here the FIFO may be empty.
    pub(in crate::chip) fn lose(&mut self) {
        self.lost |= self.listens();
    }

    /// Returns the duration of a byte in nanoseconds; `None` while an arriving byte would be lost.
    pub(in crate::chip) fn arrival_ns(&self) -> Option<u64> {
        let room = self.receive.len() < self.depth();
        if self.listens() && room { self.bits_ns(self.frame_bits()) } else { None }
    }

    fn listens(&self) -> bool {
        self.control & (UARTCR_UARTEN | UARTCR_RXE) == UARTCR_UARTEN | UARTCR_RXE
    }

    fn depth(&self) -> usize {
        if self.line & UARTLCR_H_FEN != 0 { FIFO_DEPTH } else { 1 }
    }

    /// Returns the interrupt level in bytes: one to seven eighths of the FIFO; one byte without
    /// FIFOs.
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
        self.level(self.levels >> UARTIFLS_RXIFLSEL_LSB & 7)
    }

    /// Returns the duration of `bits` bits in nanoseconds; `None` without a clock or divisor.
    fn bits_ns(&self, bits: u64) -> Option<u64> {
        let divisor = u64::from(self.divisor) * 64 + u64::from(self.fraction);
        let moves = self.clock_hz != 0 && divisor != 0;
        // A bit is 16 periods of the divided clock, whose divisor counts in 64ths.
        moves.then(|| bits * 16 * divisor * 1_000_000_000 / (64 * self.clock_hz))
    }

    /// Returns the number of bits of a frame: start, data, parity and stop bits.
    fn frame_bits(&self) -> u64 {
        let data = 5 + u64::from(self.line >> UARTLCR_H_WLEN_LSB & 3);
        let one_if = |bit: u32| u64::from(self.line & bit != 0);
        1 + data + one_if(UARTLCR_H_PEN) + 1 + one_if(UARTLCR_H_STP2)
    }

    /// Completes the bytes whose frames end by `ns`.
    pub(in crate::chip) fn advance(&mut self, ns: u64) {
        while let Some((byte, end)) = self.sending
            && end <= ns
        {
            self.sent.push((end, byte));
            self.sending = None;
            if self.control & UARTCR_LBE != 0 {
                self.arrive(byte, end);
            }
            self.send_next(end);
        }
        if !self.receive.is_empty() && self.timeout_ns() <= ns {
            self.raised |= UARTRIS_RTRIS;
        }
    }

    /// Returns whether a byte is on the wire.
    pub(in crate::chip) fn is_sending(&self) -> bool {
        self.sending.is_some()
    }

    /// Sends all stored bytes immediately.
    pub(in crate::chip) fn drain(&mut self) {
        while let Some((_, end)) = self.sending {
            self.advance(end);
        }
    }

    fn timeout_ns(&self) -> u64 {
        self.bits_ns(TIMEOUT_BITS).map_or(u64::MAX, |wait| self.received_ns + wait)
    }

    fn send_next(&mut self, ns: u64) {
        if self.sending.is_some()
            || self.control & (UARTCR_UARTEN | UARTCR_TXE) != UARTCR_UARTEN | UARTCR_TXE
        {
            return;
        }
        if let Some(frame) = self.bits_ns(self.frame_bits())
            && let Some(byte) = self.transmit.pop_front()
        {
            self.sending = Some((byte, ns + frame));
            if self.transmit.len() <= self.transmit_level() {
                self.raised |= UARTRIS_TXRIS;
            }
        }
    }

    fn transmit_level(&self) -> usize {
        if self.depth() == 1 { 0 } else { self.level(self.levels & UARTIFLS_TXIFLSEL) }
    }

    /// Returns the nanosecond of the next change without an access.
    pub(in crate::chip) fn next(&self) -> u64 {
        let sent = self.sending.map_or(u64::MAX, |(_, end)| end);
        let waits = !self.receive.is_empty() && self.raised & UARTRIS_RTRIS == 0;
        sent.min(if waits { self.timeout_ns() } else { u64::MAX })
    }

    pub(in crate::chip) fn interrupt(&self) -> bool {
        self.raised & self.mask != 0
    }

    /// Returns the DMA requests for transmitting and for receiving.
    pub(in crate::chip) fn requests(&self) -> (bool, bool) {
        if self.dma == 0 {
            return (false, false);
        }
        let transmit = self.dma & UARTDMACR_TXDMAE != 0 && self.transmit.len() < self.depth();
        (transmit, self.dma & UARTDMACR_RXDMAE != 0 && !self.receive.is_empty())
    }

    pub(in crate::chip) fn read(&mut self, offset: u32, ns: u64) -> Option<u32> {
        self.advance(ns);
        Some(match offset {
            UARTDR => {
                let byte = self.receive.pop_front().unwrap_or_default();
                self.received_ns = ns;
                if self.receive.len() < self.receive_level() {
                    self.raised &= !UARTRIS_RXRIS;
                }
                if self.receive.is_empty() {
                    self.raised &= !UARTRIS_RTRIS;
                }
                byte.into()
            }
            UARTRSR if self.overrun => UARTRSR_OE,
            UARTRSR => 0,
            UARTFR => self.status(),
            UARTIBRD => self.divisor,
            UARTFBRD => self.fraction,
            UARTLCR_H => self.line,
            UARTCR => self.control,
            UARTIFLS => self.levels,
            UARTIMSC => self.mask,
            UARTRIS => self.raised,
            UARTMIS => self.raised & self.mask,
            UARTICR => 0,
            UARTDMACR => self.dma,
            // Peripheral and cell numbers of a PL011, revision 3.
            UARTPERIPHID0..=UARTPCELLID3 => {
                const NUMBERS: [u32; 8] = [0x11, 0x10, 0x34, 0x00, 0x0D, 0xF0, 0x05, 0xB1];
                NUMBERS[index(offset, UARTPERIPHID0)]
            }
            _ => return None,
        })
    }

    fn status(&self) -> u32 {
        let bit = |condition: bool, bit: u32| if condition { bit } else { 0 };
        bit(self.sending.is_some() || !self.transmit.is_empty(), UARTFR_BUSY)
            | bit(self.receive.is_empty(), UARTFR_RXFE)
            | bit(self.transmit.len() >= self.depth(), UARTFR_TXFF)
            | bit(self.receive.len() >= self.depth(), UARTFR_RXFF)
            | bit(self.transmit.is_empty(), UARTFR_TXFE)
    }

    pub(in crate::chip) fn write(&mut self, offset: u32, value: u32, ns: u64) -> Option<()> {
        self.advance(ns);
        match offset {
            UARTDR => {
                if self.transmit.len() < self.depth() {
                    self.transmit.push_back(value as u8);
                }
                if self.transmit.len() > self.transmit_level() {
                    self.raised &= !UARTRIS_TXRIS;
                }
                self.send_next(ns);
            }
            // Any value clears the errors.
            UARTRSR => self.overrun = false,
            UARTFR | UARTRIS | UARTMIS => {}
            UARTIBRD => self.divisor = value & UARTIBRD_BITS,
            UARTFBRD => self.fraction = value & UARTFBRD_BITS,
            UARTLCR_H => self.line = value & UARTLCR_H_BITS,
            UARTCR => {
                self.control = value & UARTCR_BITS;
                self.send_next(ns);
            }
            UARTIFLS => self.levels = value & UARTIFLS_BITS,
            UARTIMSC => self.mask = value & UARTIMSC_BITS,
            UARTICR => self.raised &= !value,
            UARTDMACR => self.dma = value & UARTDMACR_BITS,
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates a UART at 115,200 baud from 125 MHz, 8N1, FIFOs enabled.
    fn uart() -> Uart {
        let mut uart = Uart::new();
        uart.set_clock(Some(125_000_000));
        for (offset, value) in [(UARTIBRD, 67), (UARTFBRD, 52), (UARTLCR_H, 0x70), (UARTCR, 0x301)]
        {
            assert_eq!(uart.write(offset, value, 0), Some(()));
        }
        uart
    }

    /// Duration of a frame of ten bits: 16 * 10 * (67 + 52/64) / 125 MHz.
    const FRAME_NS: u64 = 86_800;

    #[test]
    fn bytes_leave_one_frame_after_the_other() {
        let mut uart = uart();
        for byte in *b"Hi" {
            uart.write(UARTDR, byte.into(), 1_000);
        }
        assert_eq!(uart.next(), 1_000 + FRAME_NS);
        uart.advance(1_000_000);
        let sent = [(1_000 + FRAME_NS, b'H'), (1_000 + 2 * FRAME_NS, b'i')];
        assert_eq!(uart.take_sent(), sent);
        assert_eq!(uart.read(UARTFR, 1_000_000).map(|flags| flags & UARTFR_BUSY), Some(0));
    }

    #[test]
    fn a_full_fifo_sets_its_flag_and_loses_further_bytes() {
        let mut uart = uart();
        for byte in 0..40 {
            uart.write(UARTDR, byte, 0);
        }
        // One byte is on the wire, 32 wait.
        assert_eq!(uart.read(UARTFR, 0).map(|flags| flags & UARTFR_TXFF), Some(UARTFR_TXFF));
        uart.advance(100 * FRAME_NS);
        assert_eq!(uart.take_sent().len(), 33);
    }

    #[test]
    fn received_bytes_interrupt_at_their_level_or_after_a_pause() {
        let mut uart = uart();
        uart.write(UARTIFLS, 0, 0); // an eighth: four bytes
        uart.write(UARTIMSC, UARTRIS_RXRIS | UARTRIS_RTRIS, 0);
        uart.arrive(1, 0);
        assert!(!uart.interrupt());
        uart.advance(uart.next());
        assert!(uart.interrupt(), "the pause");
        assert_eq!(uart.read(UARTDR, 1_000_000), Some(1));
        assert!(!uart.interrupt());
        for byte in 2..6 {
            uart.arrive(byte, 1_000_000);
        }
        assert!(uart.interrupt(), "the level");
    }

    #[test]
    fn the_first_byte_after_an_overrun_has_the_overrun_flag() {
        let mut uart = uart();
        for byte in 0..34 {
            uart.arrive(byte, 0);
        }
        assert_eq!(uart.read(UARTRIS, 0).map(|raised| raised & UARTRIS_OERIS), Some(UARTRIS_OERIS));
        let kept: Vec<u32> = (0..32).filter_map(|_| uart.read(UARTDR, 0)).collect();
        assert_eq!(kept, (0..32).collect::<Vec<u32>>());
        uart.arrive(40, 0);
        uart.arrive(41, 0);
        assert_eq!(uart.read(UARTDR, 0), Some(40 | u32::from(UARTDR_OE)));
        assert_eq!(uart.read(UARTDR, 0), Some(41));
        assert_eq!(uart.read(UARTRSR, 0), Some(UARTRSR_OE), "until it is cleared");
        uart.write(UARTRSR, 0, 0);
        assert_eq!(uart.read(UARTRSR, 0), Some(0));
    }

    #[test]
    fn a_byte_would_arrive_in_a_frame_unless_it_would_be_lost() {
        let mut uart = uart();
        assert_eq!(uart.arrival_ns(), Some(FRAME_NS));
        for byte in 0..32 {
            uart.arrive(byte, 0);
        }
        assert_eq!(uart.arrival_ns(), None, "the FIFO is full");
        uart.read(UARTDR, 0);
        assert_eq!(uart.arrival_ns(), Some(FRAME_NS));
        uart.write(UARTCR, UARTCR_UARTEN | UARTCR_TXE, 0);
        assert_eq!(uart.arrival_ns(), None, "the receiver is off");
    }

    #[test]
    fn a_drained_uart_is_empty() {
        let mut uart = uart();
        for byte in *b"the end" {
            uart.write(UARTDR, byte.into(), 0);
        }
        uart.drain();
        let sent: Vec<_> = uart.take_sent().into_iter().map(|(_, byte)| byte).collect();
        assert_eq!(sent, b"the end");
    }

    #[test]
    fn without_a_clock_nothing_leaves() {
        let mut uart = uart();
        uart.set_clock(None);
        assert_eq!(uart.arrival_ns(), None);
        uart.write(UARTDR, 7, 0);
        assert_eq!(uart.next(), u64::MAX);
    }
}
