//! A UART (PL011): FIFOs, line rate and control, errors, interrupts (datasheet section 4.2).
//!
//! The divisors give the duration of a byte on the wire; a write to UARTLCR_H makes them effective.
//! Parity and framing errors and breaks are those of bytes that arrive as levels, and of a break in
//! loopback. Modem lines and IrDA are not modelled. A DMA request is active while the transmit FIFO
//! has room, or the receive FIFO has a byte.

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
/// FE, PE and BE of UARTDR have the same order in UARTRSR and in UARTRIS.
const UARTDR_ERRORS_LSB: u16 = 8;
const UARTRSR_ERRORS: u32 = 7;
const UARTRSR_OE: u32 = 1 << 3;
const UARTFR_BUSY: u32 = 1 << 3;
const UARTFR_RXFE: u32 = 1 << 4;
const UARTFR_TXFF: u32 = 1 << 5;
const UARTFR_RXFF: u32 = 1 << 6;
const UARTFR_TXFE: u32 = 1 << 7;
const UARTFBRD_BITS: u32 = 0x3F;
const UARTIBRD_BITS: u32 = 0xFFFF;
const UARTLCR_H_BRK: u32 = 1;
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
const UARTRIS_FERIS_LSB: u32 = 7;
const UARTRIS_OERIS: u32 = 1 << 10;
/// FERIS, PERIS, BERIS and OERIS.
const UARTRIS_ERRORS: u32 = 0xF << UARTRIS_FERIS_LSB;
const UARTIMSC_BITS: u32 = 0x7FF;
const UARTDMACR_RXDMAE: u32 = 1;
const UARTDMACR_TXDMAE: u32 = 1 << 1;
/// No requests for receiving while an error interrupt is active.
const UARTDMACR_DMAONERR: u32 = 1 << 2;
const UARTDMACR_BITS: u32 = 7;

/// A byte on the wire, with the line control and rate with which it began.
#[derive(Clone, Copy, Debug)]
struct Sending {
    byte: u8,
    line: u32,
    rate: u64,
    /// End of the stop bits.
    end: u64,
}

#[derive(Clone, Debug, Default)]
pub(in crate::chip) struct Uart {
    transmit: VecDeque<u8>,
    sending: Option<Sending>,
    /// Whether the line is held low by BRK.
    breaks: bool,
    /// Received bytes, each with the error flags that it arrived with.
    receive: VecDeque<u16>,
    /// Whether a byte was lost since the last received one; the next byte then has the overrun
    /// flag.
    lost: bool,
    /// UARTRSR: the flags of the byte that was read last, and that of an overrun.
    status: u32,
    /// Time at which the last byte was received or read.
    received_ns: u64,
    /// Whether the receive timeout is over, until a byte is received or read.
    timed_out: bool,
    /// Bytes sent, each with the end of its stop bit in nanoseconds.
    sent: Vec<(u64, u8)>,
    control: u32,
    line: u32,
    divisor: u32,
    fraction: u32,
    /// Divisor in 64ths, as of the last write to UARTLCR_H; 0 is none.
    rate: u64,
    levels: u32,
    mask: u32,
    raised: u32,
    dma: u32,
    /// Frequency of the clock; 0 while it is stopped.
    clock_hz: u64,
    /// Receiver of RX as a level.
    receiver: Receiver,
    /// Nanosecond of the receiver's next sample of a break in loopback; `None` if there is none.
    sample_ns: Option<u64>,
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

    /// Receives a byte at the pin. It is lost while the receiver is disabled or in loopback.
    pub(in crate::chip) fn arrive(&mut self, byte: u8, ns: u64) {
        if self.listens() && !self.loops() {
            self.arrive_with(byte & self.data_mask(), 0, ns);
        }
    }

    /// Receives a byte with error flags of UARTDR.
    fn arrive_with(&mut self, byte: u8, errors: u16, ns: u64) {
        let errors_of_byte = u32::from(errors >> UARTDR_ERRORS_LSB);
        self.raised |= errors_of_byte << UARTRIS_FERIS_LSB;
        if self.receive.len() == self.depth() {
            self.raised |= UARTRIS_OERIS;
            self.lost = true;
            self.status |= UARTRSR_OE;
            return;
        }
        let lost = if std::mem::take(&mut self.lost) { UARTDR_OE } else { 0 };
        self.receive.push_back(u16::from(byte) | errors | lost);
        (self.received_ns, self.timed_out) = (ns, false);
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
        if self.listens() && room && !self.loops() { self.bits_ns(self.frame_bits()) } else { None }
    }

    fn listens(&self) -> bool {
        self.control & (UARTCR_UARTEN | UARTCR_RXE) == UARTCR_UARTEN | UARTCR_RXE
    }

    fn loops(&self) -> bool {
        self.control & UARTCR_LBE != 0
    }

    fn transmits_at_all(&self) -> bool {
        self.control & (UARTCR_UARTEN | UARTCR_TXE) == UARTCR_UARTEN | UARTCR_TXE
    }

    /// Returns the mask of the data bits.
    fn data_mask(&self) -> u8 {
        data_mask(self.line)
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
        self.bits_at(self.rate, bits)
    }

    fn bits_at(&self, rate: u64, bits: u64) -> Option<u64> {
        let moves = self.clock_hz != 0 && rate != 0;
        // A bit is 16 periods of the divided clock, whose divisor counts in 64ths.
        moves.then(|| bits * 16 * rate * 1_000_000_000 / (64 * self.clock_hz))
    }

    /// Returns the divisor in 64ths that the registers have: 0 is none. UARTFBRD has to be 0 with
    /// the largest UARTIBRD, and does not count with the smallest (PL011 TRM 3.3.6).
    fn written_rate(&self) -> u64 {
        match (self.divisor, self.fraction) {
            (0, _) | (UARTIBRD_BITS, 1..) => 0,
            (divisor, fraction) => u64::from(divisor) * 64 + u64::from(fraction),
        }
    }

    fn frame_bits(&self) -> u64 {
        frame_bits(self.line)
    }

    /// Completes the bytes whose frames end by `ns`.
    pub(in crate::chip) fn advance(&mut self, ns: u64) {
        loop {
            match (self.sending, self.sample_ns) {
                (sending, Some(at)) if at <= ns && sending.is_none_or(|it| at < it.end) => {
                    self.sample_ns = self.receive_level_at(!self.breaks, at);
                }
                (Some(sending), _) if sending.end <= ns => self.complete(sending),
                _ => break,
            }
        }
        if !self.receive.is_empty() && !self.timed_out && self.timeout_ns() <= ns {
            self.raised |= UARTRIS_RTRIS;
            self.timed_out = true;
        }
    }

    fn complete(&mut self, Sending { byte, line, end, .. }: Sending) {
        let byte = byte & data_mask(line);
        self.sent.push((end, byte));
        self.sending = None;
        if self.loops() && self.listens() {
            self.arrive_with(byte, 0, end);
        }
        self.update_break(end);
        self.send_next(end);
    }

    /// Begins or ends a break. It begins when the byte on the wire is complete.
    fn update_break(&mut self, ns: u64) {
        let breaks = self.line & UARTLCR_H_BRK != 0 && self.transmits_at_all();
        let breaks = breaks && self.sending.is_none();
        if std::mem::replace(&mut self.breaks, breaks) != breaks && self.loops() {
            self.sample_ns = self.receive_level_at(!breaks, ns);
        }
    }

    /// Returns whether a byte is on the wire.
    pub(in crate::chip) fn is_sending(&self) -> bool {
        self.sending.is_some()
    }

    /// Sends all stored bytes immediately.
    pub(in crate::chip) fn drain(&mut self) {
        while let Some(Sending { end, .. }) = self.sending {
            self.advance(end);
        }
    }

    fn timeout_ns(&self) -> u64 {
        self.bits_ns(TIMEOUT_BITS).map_or(u64::MAX, |wait| self.received_ns + wait)
    }

    fn send_next(&mut self, ns: u64) {
        if self.sending.is_some() || self.breaks || !self.transmits_at_all() {
            return;
        }
        if let Some(frame) = self.bits_ns(self.frame_bits())
            && let Some(byte) = self.transmit.pop_front()
        {
            let (line, rate) = (self.line, self.rate);
            self.sending = Some(Sending { byte, line, rate, end: ns + frame });
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
        let sent = self.sending.map_or(u64::MAX, |sending| sending.end);
        let waits = !self.receive.is_empty() && !self.timed_out;
        let event = sent.min(self.sample_ns.unwrap_or(u64::MAX));
        event.min(if waits { self.timeout_ns() } else { u64::MAX })
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
        let stops =
            self.dma & UARTDMACR_DMAONERR != 0 && self.raised & self.mask & UARTRIS_ERRORS != 0;
        let receives = self.dma & UARTDMACR_RXDMAE != 0 && !self.receive.is_empty();
        (transmit, receives && !stops)
    }

    pub(in crate::chip) fn read(&mut self, offset: u32, ns: u64) -> Option<u32> {
        self.advance(ns);
        Some(match offset {
            UARTDR => {
                let byte = self.receive.pop_front();
                (self.received_ns, self.timed_out) = (ns, false);
                if self.receive.len() < self.receive_level() {
                    self.raised &= !UARTRIS_RXRIS;
                }
                if self.receive.is_empty() {
                    self.raised &= !UARTRIS_RTRIS;
                }
                if let Some(byte) = byte {
                    let errors = u32::from(byte >> UARTDR_ERRORS_LSB) & UARTRSR_ERRORS;
                    self.status = self.status & UARTRSR_OE | errors;
                }
                byte.unwrap_or_default().into()
            }
            UARTRSR => self.status,
            UARTFR => self.flags(),
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

    fn flags(&self) -> u32 {
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
            UARTRSR => self.status = 0,
            UARTFR | UARTRIS | UARTMIS => {}
            UARTIBRD => self.divisor = value & UARTIBRD_BITS,
            UARTFBRD => self.fraction = value & UARTFBRD_BITS,
            UARTLCR_H => {
                self.set_line(value & UARTLCR_H_BITS, ns);
                self.send_next(ns);
            }
            UARTCR => {
                if (self.control ^ value) & UARTCR_LBE != 0 {
                    (self.receiver, self.sample_ns) = (Receiver::default(), None);
                    self.breaks = false;
                }
                self.control = value & UARTCR_BITS;
                self.update_break(ns);
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

    /// Writes UARTLCR_H, which makes the divisors effective (PL011 TRM 3.3.7). The byte on the wire
    /// keeps its shape. Without FEN the FIFOs are flushed.
    fn set_line(&mut self, line: u32, ns: u64) {
        if self.line & !line & UARTLCR_H_FEN != 0 {
            self.transmit.clear();
            self.receive.clear();
            self.raised &= !(UARTRIS_RXRIS | UARTRIS_RTRIS);
        }
        (self.line, self.rate) = (line, self.written_rate());
        self.update_break(ns);
    }
}

fn data_bits(line: u32) -> u64 {
    5 + u64::from(line >> UARTLCR_H_WLEN_LSB & 3)
}

fn data_mask(line: u32) -> u8 {
    0xFF >> (8 - data_bits(line))
}

/// Returns the number of bits of a frame: start, data, parity and stop bits.
fn frame_bits(line: u32) -> u64 {
    let one_if = |bit: u32| u64::from(line & bit != 0);
    1 + data_bits(line) + one_if(UARTLCR_H_PEN) + 1 + one_if(UARTLCR_H_STP2)
}

#[cfg(test)]
mod tests;
