//! An SD card in SPI mode (SD Physical Layer Simplified Specification 9.10, chapter 7).
//!
//! The card is in SD mode, and silent, until a valid CMD0 reaches it. A response begins one byte
//! after its command. Data, and the end of busy, come after fixed times, which are those of a fast
//! card. A selection may end between any two bytes; only an incomplete command is dropped. The
//! 74 clocks before CMD0 and the frequency of the clock are not checked.

mod crc;
mod registers;

use std::collections::VecDeque;

use super::SpiPart;
use super::content::{BLOCK, Content};
use crc::{crc7, crc16};
use registers::{Capacity, SCR, SECTOR, cid, ocr};

/// Bytes of a command: its index, four bytes of argument, the CRC.
const COMMAND: usize = 6;
/// A block on the wires: its bytes and two of CRC.
const BLOCK_WITH_CRC: usize = BLOCK + 2;

// Times in nanoseconds. The limits are 1 s for the initialisation, 100 ms for a read and 250 ms for
// a write (4.6.2).
const INITIALISATION_NS: u64 = 2_000_000;
const READ_NS: u64 = 100_000;
const NEXT_READ_NS: u64 = 10_000;
const WRITE_NS: u64 = 500_000;
const STOP_NS: u64 = 20_000;
const ERASE_NS: u64 = 2_000_000;

// R1, 7.3.2.1.
const IDLE: u8 = 1;
const ERASE_SEQUENCE: u8 = 1 << 4;
const ILLEGAL_COMMAND: u8 = 1 << 2;
const CRC_ERROR: u8 = 1 << 3;
const ADDRESS_ERROR: u8 = 1 << 5;
const PARAMETER_ERROR: u8 = 1 << 6;

// Tokens, 7.3.3.
const START_BLOCK: u8 = 0xFE;
const START_OF_MANY: u8 = 0xFC;
const STOP_TRANSFER: u8 = 0xFD;
const OUT_OF_RANGE: u8 = 1 << 3;
const ACCEPTED: u8 = 0x05;
const DATA_CRC_ERROR: u8 = 0x0B;
const WRITE_ERROR: u8 = 0x0D;

/// An SD card.
#[derive(Clone, Debug)]
pub struct SdCard {
    content: Content,
    capacity: Capacity,
    mode: Mode,
    checks_crc: bool,
    /// Whether the last command was CMD55.
    is_application: bool,
    /// Whether CMD8 has offered high capacity.
    knows_version: bool,
    /// Bytes of the current command.
    command: [u8; COMMAND],
    received: usize,
    /// Responses and registers that wait to be sent.
    output: VecDeque<u8>,
    /// Whether the current byte on MISO is the first of them.
    is_sending: bool,
    transfer: Transfer,
    /// Time until which MISO is low.
    busy_until: u64,
    /// Number of the sector and its content, which are written when the card is no longer busy.
    pending: Option<(u64, Box<[u8; BLOCK]>)>,
    block_length: usize,
    erase: [Option<u64>; 2],
    /// Number of blocks that the last CMD25 has written.
    written: u32,
    /// Whether a write or an erase has failed since the last CMD13.
    has_failed: bool,
}

/// Mode of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// The card listens to CMD0 only.
    Sd,
    Idle,
    /// The initialisation ends at this time.
    Initialising(u64),
    Ready,
}

/// Blocks that are read or written.
#[derive(Clone, Debug)]
enum Transfer {
    None,
    /// The next block is at an address in bytes, and ready at a time.
    Reading {
        address: u64,
        is_multiple: bool,
        ready_ns: u64,
    },
    /// Awaits the start token of a block, or its bytes.
    Writing {
        sector: u64,
        is_multiple: bool,
        bytes: Option<Vec<u8>>,
    },
}

impl SdCard {
    /// Creates a card that has got power. Its size is the smallest one of cards that has room for
    /// the content.
    pub fn new(content: Content) -> Self {
        let capacity = Capacity::for_bytes(content.size());
        Self {
            content,
            capacity,
            mode: Mode::Sd,
            checks_crc: false,
            is_application: false,
            knows_version: false,
            command: [0; COMMAND],
            received: 0,
            output: VecDeque::new(),
            is_sending: false,
            transfer: Transfer::None,
            busy_until: 0,
            pending: None,
            block_length: BLOCK,
            erase: [None; 2],
            written: 0,
            has_failed: false,
        }
    }

    /// Returns the size in bytes of a card with room for `bytes`.
    pub fn size_for(bytes: u64) -> u64 {
        Capacity::for_bytes(bytes).bytes
    }

    /// Returns the content when the power fails. A block that the card is still writing is lost.
    pub fn content_at(&self, ns: u64) -> Content {
        let mut card = self.clone();
        card.advance(ns);
        card.content
    }

    /// Ends what is over at `ns`.
    fn advance(&mut self, ns: u64) {
        if ns < self.busy_until {
            return;
        }
        if let Some((sector, block)) = self.pending.take() {
            self.has_failed |= self.content.write(sector, &block).is_err();
        }
        if let Mode::Initialising(end_ns) = self.mode
            && end_ns <= ns
        {
            self.mode = Mode::Ready;
        }
    }

    fn is_busy(&self, ns: u64) -> bool {
        ns < self.busy_until
    }

    /// Returns R1 without errors.
    fn r1(&self) -> u8 {
        if self.mode == Mode::Ready { 0 } else { IDLE }
    }

    fn respond(&mut self, bytes: &[u8]) {
        self.output.clear();
        // At least one byte between a command and its response (7.5.4, NCR).
        self.output.push_back(0xFF);
        self.output.extend(bytes);
    }

    /// Appends a block of data with its token and checksum.
    fn send_block(&mut self, bytes: &[u8]) {
        self.output.push_back(START_BLOCK);
        self.output.extend(bytes);
        self.output.extend(crc16(bytes).to_be_bytes());
    }

    fn send_register(&mut self, bytes: &[u8]) {
        self.respond(&[self.r1(), 0xFF]);
        self.send_block(bytes);
    }

    /// Executes the command that ends at `ns`.
    fn execute(&mut self, ns: u64) {
        let [first, argument @ .., crc] = self.command;
        let index = first & 0x3F;
        let argument = u32::from_be_bytes(argument);
        let is_valid = crc == crc7(&self.command[..COMMAND - 1]);
        let is_application = std::mem::take(&mut self.is_application);
        if self.mode == Mode::Sd {
            if index == 0 && is_valid {
                self.reset();
            }
            return;
        }
        // While blocks are read only CMD12 ends that; a card that is busy takes CMD0 alone.
        let is_reading = matches!(self.transfer, Transfer::Reading { .. });
        if is_reading && !matches!(index, 0 | 12) || self.is_busy(ns) && index != 0 {
            return;
        }
        // CMD8 is checked in any case (7.2.2).
        if (self.checks_crc || index == 8) && !is_valid {
            return self.respond(&[self.r1() | CRC_ERROR]);
        }
        // Another command ends the sequence of an erase (4.3.5).
        if !matches!(index, 13 | 32 | 33 | 38) {
            self.erase = [None; 2];
        }
        if is_application {
            self.execute_application(ns, index, argument);
        } else {
            self.execute_standard(ns, index, argument);
        }
    }

    fn reset(&mut self) {
        self.mode = Mode::Idle;
        (self.checks_crc, self.knows_version, self.block_length) = (false, false, BLOCK);
        (self.transfer, self.erase) = (Transfer::None, [None; 2]);
        self.respond(&[IDLE]);
    }

    fn execute_standard(&mut self, ns: u64, index: u8, argument: u32) {
        let is_ready = self.mode == Mode::Ready;
        match index {
            0 => self.reset(),
            1 => self.initialise(ns, argument),
            8 => {
                self.knows_version = true;
                let [.., voltage, pattern] = argument.to_be_bytes();
                // 2.7 to 3.6 V are accepted (4.9.6).
                let accepted = if voltage & 0xF == 1 { 1 } else { 0 };
                self.respond(&[self.r1(), 0, 0, accepted, pattern]);
            }
            55 => {
                self.is_application = true;
                self.respond(&[self.r1()]);
            }
            58 => {
                let [a, b, c, d] = ocr(is_ready, self.capacity.is_high);
                self.respond(&[self.r1(), a, b, c, d]);
            }
            59 => {
                self.checks_crc = argument & 1 != 0;
                self.respond(&[self.r1()]);
            }
            _ if !is_ready => self.respond(&[self.r1() | ILLEGAL_COMMAND]),
            9 => self.send_register(&self.capacity.csd()),
            10 => self.send_register(&cid()),
            12 => {
                self.transfer = Transfer::None;
                // The first byte after CMD12 is to be ignored (7.3.2.1).
                self.respond(&[0xFF, self.r1()]);
                self.busy_until = ns.saturating_add(STOP_NS);
            }
            13 => {
                // A failure is the general error of R2 (7.3.2.3).
                let error = if std::mem::take(&mut self.has_failed) { 1 << 2 } else { 0 };
                self.respond(&[self.r1(), error]);
            }
            16 => self.set_block_length(argument),
            17 => self.read(ns, argument, false),
            18 => self.read(ns, argument, true),
            24 => self.write(argument, false),
            25 => self.write(argument, true),
            32 | 33 => match self.sector(argument) {
                Ok(sector) => {
                    self.erase[usize::from(index - 32)] = Some(sector);
                    self.respond(&[self.r1()]);
                }
                Err(error) => self.respond(&[self.r1() | error]),
            },
            38 => self.erase_sectors(ns),
            _ => self.respond(&[self.r1() | ILLEGAL_COMMAND]),
        }
    }

    fn execute_application(&mut self, ns: u64, index: u8, argument: u32) {
        match index {
            41 => self.initialise(ns, argument),
            13 if self.mode == Mode::Ready => {
                self.respond(&[self.r1(), 0, 0xFF]);
                self.send_block(&[0; 64]);
            }
            22 if self.mode == Mode::Ready => self.send_register(&self.written.to_be_bytes()),
            23 | 42 if self.mode == Mode::Ready => self.respond(&[self.r1()]),
            51 if self.mode == Mode::Ready => self.send_register(&SCR),
            // A command that is no application command is a standard one (4.3.9.1).
            _ => self.execute_standard(ns, index, argument),
        }
    }

    /// Begins the initialisation, or answers whether it is over. A card of high capacity is never
    /// ready for a host that does not support it (7.2.1).
    fn initialise(&mut self, ns: u64, argument: u32) {
        let supports_high = argument >> 30 & 1 != 0 && self.knows_version;
        if self.mode == Mode::Idle && (supports_high || !self.capacity.is_high) {
            self.mode = Mode::Initialising(ns.saturating_add(INITIALISATION_NS));
        }
        self.respond(&[self.r1()]);
    }

    fn set_block_length(&mut self, argument: u32) {
        let length = usize::try_from(argument).unwrap_or(usize::MAX);
        if !(1..=BLOCK).contains(&length) {
            return self.respond(&[self.r1() | PARAMETER_ERROR]);
        }
        // Blocks of high capacity have 512 bytes (7.2.3).
        if !self.capacity.is_high {
            self.block_length = length;
        }
        self.respond(&[self.r1()]);
    }

    /// Returns the address in bytes of an argument.
    fn address(&self, argument: u32) -> Result<u64, u8> {
        let address = u64::from(argument) * if self.capacity.is_high { SECTOR } else { 1 };
        if address < self.capacity.bytes { Ok(address) } else { Err(PARAMETER_ERROR) }
    }

    /// Returns the number of the sector that begins at an address.
    fn sector(&self, argument: u32) -> Result<u64, u8> {
        let address = self.address(argument)?;
        if address.is_multiple_of(SECTOR) { Ok(address / SECTOR) } else { Err(ADDRESS_ERROR) }
    }

    fn read(&mut self, ns: u64, argument: u32, is_multiple: bool) {
        let address = self.address(argument).and_then(|address| {
            // A block does not cross the end of a sector (READ_BLK_MISALIGN is 0).
            let fits = address % SECTOR + self.block_length as u64 <= SECTOR;
            if fits { Ok(address) } else { Err(ADDRESS_ERROR) }
        });
        match address {
            Ok(address) => {
                self.respond(&[self.r1()]);
                let ready_ns = ns.saturating_add(READ_NS);
                self.transfer = Transfer::Reading { address, is_multiple, ready_ns };
            }
            Err(error) => self.respond(&[self.r1() | error]),
        }
    }

    fn write(&mut self, argument: u32, is_multiple: bool) {
        let sector = match self.block_length {
            BLOCK => self.sector(argument),
            // Parts of a block cannot be written (WRITE_BL_PARTIAL is 0).
            _ => Err(PARAMETER_ERROR),
        };
        match sector {
            Ok(sector) => {
                self.written = 0;
                self.respond(&[self.r1()]);
                self.transfer = Transfer::Writing { sector, is_multiple, bytes: None };
            }
            Err(error) => self.respond(&[self.r1() | error]),
        }
    }

    fn erase_sectors(&mut self, ns: u64) {
        let [Some(first), Some(last)] = std::mem::take(&mut self.erase) else {
            return self.respond(&[self.r1() | ERASE_SEQUENCE]);
        };
        if last < first {
            return self.respond(&[self.r1() | PARAMETER_ERROR]);
        }
        self.has_failed |= self.content.erase_blocks(first, last).is_err();
        self.respond(&[self.r1()]);
        self.busy_until = ns.saturating_add(ERASE_NS);
    }

    /// Queues the next block that is read.
    fn send_next_block(&mut self, ns: u64) {
        let Transfer::Reading { address, is_multiple, ready_ns } = self.transfer else { return };
        if ns < ready_ns {
            return;
        }
        if address >= self.capacity.bytes {
            self.output.push_back(OUT_OF_RANGE);
            self.transfer = Transfer::None;
            return;
        }
        let block = self.content.block(address / SECTOR);
        let begin = (address % SECTOR) as usize;
        let end = (begin + self.block_length).min(BLOCK);
        self.send_block(&block[begin..end]);
        self.transfer = if is_multiple {
            let address = address + (end - begin) as u64;
            // The next block follows the end of this one.
            Transfer::Reading { address, is_multiple, ready_ns: u64::MAX }
        } else {
            Transfer::None
        };
    }

    /// Drops the byte that has been sent. The next block that is read is ready a time after the
    /// last one.
    fn end_sent_byte(&mut self, ns: u64) {
        if !std::mem::take(&mut self.is_sending) {
            return;
        }
        self.output.pop_front();
        if let Transfer::Reading { ready_ns, .. } = &mut self.transfer
            && *ready_ns == u64::MAX
            && self.output.is_empty()
        {
            *ready_ns = ns.saturating_add(NEXT_READ_NS);
        }
    }

    /// Handles a byte of a write. Returns false if it is not one.
    fn take_data(&mut self, ns: u64, byte: u8) -> bool {
        let Transfer::Writing { sector, is_multiple, bytes } = &mut self.transfer else {
            return false;
        };
        let (sector, is_multiple) = (*sector, *is_multiple);
        let Some(block) = bytes else {
            match byte {
                START_BLOCK if !is_multiple => *bytes = Some(Vec::with_capacity(BLOCK_WITH_CRC)),
                START_OF_MANY if is_multiple => *bytes = Some(Vec::with_capacity(BLOCK_WITH_CRC)),
                STOP_TRANSFER if is_multiple => {
                    self.transfer = Transfer::None;
                    // Busy begins one byte after the token (7.2.4).
                    self.output.push_back(0xFF);
                    self.busy_until = ns.saturating_add(STOP_NS);
                }
                // A command ends the write.
                _ => return false,
            }
            return true;
        };
        block.push(byte);
        if block.len() < BLOCK_WITH_CRC {
            return true;
        }
        let (data, crc) = block.split_at(BLOCK);
        let is_valid = !self.checks_crc || crc == crc16(data).to_be_bytes();
        let data: Option<Box<[u8; BLOCK]>> = data.try_into().ok().map(Box::new);
        let response = match data {
            Some(data) if is_valid && sector < self.capacity.sectors() => {
                self.pending = Some((sector, data));
                self.written = self.written.saturating_add(1);
                self.busy_until = ns.saturating_add(WRITE_NS);
                ACCEPTED
            }
            _ if is_valid => {
                self.has_failed = true;
                WRITE_ERROR
            }
            _ => DATA_CRC_ERROR,
        };
        self.output.push_back(0xE0 | response);
        self.transfer = if is_multiple {
            Transfer::Writing { sector: sector.saturating_add(1), is_multiple, bytes: None }
        } else {
            Transfer::None
        };
        true
    }
}

impl SpiPart for SdCard {
    fn select(&mut self, ns: u64) {
        self.advance(ns);
        self.received = 0;
    }

    fn deselect(&mut self, ns: u64, _: bool) {
        self.advance(ns);
    }

    fn next_output(&mut self, ns: u64) -> Option<u8> {
        self.advance(ns);
        if self.output.is_empty() && !self.is_busy(ns) {
            self.send_next_block(ns);
        }
        let first = self.output.front().copied();
        self.is_sending = first.is_some();
        Some(first.unwrap_or(if self.is_busy(ns) { 0 } else { 0xFF }))
    }

    fn receive(&mut self, ns: u64, byte: u8) {
        self.advance(ns);
        self.end_sent_byte(ns);
        if self.received == 0 && !self.is_busy(ns) && self.take_data(ns, byte) {
            return;
        }
        // A command begins with the bits 01 (7.3.1.1).
        if self.received == 0 && byte >> 6 != 1 {
            return;
        }
        self.command[self.received] = byte;
        self.received += 1;
        if self.received == COMMAND {
            self.received = 0;
            if matches!(self.transfer, Transfer::Writing { .. }) && !self.is_busy(ns) {
                self.transfer = Transfer::None;
            }
            self.execute(ns);
        }
    }
}

#[cfg(test)]
mod tests;
