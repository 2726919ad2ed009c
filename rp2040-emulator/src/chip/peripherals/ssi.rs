//! The SSI, which reads the flash (datasheet section 4.10), and the serial commands of the flash
//! connected to it.
//!
//! The XIP window is read through [`Memory`](crate::cpu::memory::Memory), independent of these
//! registers, which store their values. Two ways of use are modelled:
//!
//! - Serial commands, a byte a frame, which an idle W25Q with quad mode enabled answers. There is
//!   an answer to each frame or, if TMOD is "EEPROM read", NDF + 1 answers after the frames that
//!   are written.
//! - Bulk reads of words in a format without an instruction, as a program reads the flash by the
//!   DMA. The chip passes the words for these, because the SSI does not know the flash's contents.
//!
//! A serial command ends when chip select rises: when it is no longer forced low, or, if it was not
//! forced, when the last answer is read.

use std::collections::VecDeque;

// Registers: RP2040 datasheet 4.10.13.
const CTRLR0: u32 = 0x00; // format of a transfer, 4.10.13
const CTRLR1: u32 = 0x04; // number of data frames, 4.10.13
const SSIENR: u32 = 0x08; // enable; disabling clears the FIFOs, 4.10.13
const BAUDR: u32 = 0x14; // clock divider, 4.10.13
const TXFLR: u32 = 0x20; // words in the transmit FIFO, 4.10.13
const RXFLR: u32 = 0x24; // words in the receive FIFO, 4.10.13
const SR: u32 = 0x28; // status, 4.10.13
const DMACR: u32 = 0x4C; // DMA control, 4.10.13
const IDR: u32 = 0x58; // identification, 4.10.13
const SSI_VERSION_ID: u32 = 0x5C; // version, 4.10.13
pub(in crate::chip) const DR0: u32 = 0x60; // first of 36 names of the data register, 4.10.13
pub(in crate::chip) const DR35: u32 = 0xEC; // last name of the data register, 4.10.13
const SPI_CTRLR0: u32 = 0xF4; // format of the enhanced transfers, 4.10.13

const SR_BUSY: u32 = 1;
const SR_TFNF: u32 = 1 << 1;
const SR_TFE: u32 = 1 << 2;
const SR_RFNE: u32 = 1 << 3;
/// Value of SR while idle: always ready, transmit FIFO empty.
const IDLE: u32 = SR_TFNF | SR_TFE;
const IDR_RESET: u32 = 0x5153_5049;
const SSI_VERSION_ID_RESET: u32 = 0x3430_312A;
const SPI_CTRLR0_RESET: u32 = 0x0300_0000;
const CTRLR0_TMOD_LSB: u32 = 8;
const CTRLR0_TMOD_VALUE_EEPROM_READ: u32 = 3;
const CTRLR0_SPI_FRF_LSB: u32 = 21;
const SPI_CTRLR0_INST_L_LSB: u32 = 8;
const SPI_CTRLR0_ADDR_L_LSB: u32 = 2;
const SPI_CTRLR0_WAIT_CYCLES_LSB: u32 = 11;
/// CTRLR0 for frames of eight bits, transmitted and received.
const CTRLR0_SERIAL: u32 = 7 << 16;
const DMACR_RDMAE: u32 = 1;
const CTRLR1_NDF: u32 = 0xFFFF;

/// Commands of the W25Q, and a status bit (Winbond W25Q16JV, section 8.1.2).
const READ_STATUS_2: u32 = 0x35;
const QUAD_ENABLE: u32 = 1 << 1;
const READ_JEDEC_ID: u32 = 0x9F;
const READ_UNIQUE_ID: u32 = 0x4B;
/// Number of bytes of READ_UNIQUE_ID before the number: the command and four dummy bytes.
const UNIQUE_ID_AT: usize = 5;
/// First two bytes of the JEDEC ID: Winbond, W25Q with SPI and quad SPI. The third byte is the
/// capacity as a power of two.
const JEDEC_ID: [u32; 2] = [0xEF, 0x40];

/// Unique ID of the emulated flash. It is the same for every chip, so that runs are reproducible.
pub(in crate::chip) const UNIQUE_ID: [u8; 8] = [0xE6, 0x60, 0x58, 0x38, 0x83, 0x00, 0x00, 0x01];

/// Words of a bulk read that the program has not read yet.
#[derive(Clone, Debug, Default)]
struct Bulk {
    words: VecDeque<u32>,
    /// First cycle in which the next word has arrived; `period` is the number of cycles between two
    /// words.
    next_at: u64,
    period: u64,
}

/// A request for words of the flash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chip) struct BulkRead {
    /// Offset from the beginning of the flash in bytes.
    pub(in crate::chip) offset: u32,
    pub(in crate::chip) words: u32,
}

#[derive(Clone, Debug)]
pub(in crate::chip) struct Ssi {
    registers: [u32; 64],
    /// Command in progress, and the number of its bytes so far.
    command: Option<(u32, usize)>,
    answers: VecDeque<u32>,
    /// Whether a command has been written whose answers follow when the transmit FIFO is empty,
    /// which is when the program next reads a register.
    listens: bool,
    /// Whether chip select is forced low.
    selected: bool,
    /// Capacity of the flash as a power of two.
    capacity: u32,
    wanted: Option<BulkRead>,
    bulk: Bulk,
    /// Cycle of the current access.
    cycle: u64,
}

impl Default for Ssi {
    fn default() -> Self {
        let mut registers = [0; 64];
        registers[SPI_CTRLR0 as usize / 4] = SPI_CTRLR0_RESET;
        Self {
            registers,
            command: None,
            answers: VecDeque::new(),
            listens: false,
            selected: false,
            capacity: 0,
            wanted: None,
            bulk: Bulk::default(),
            cycle: 0,
        }
    }
}

impl Ssi {
    /// Sets the size of the flash in bytes, which determines the JEDEC ID.
    pub(in crate::chip) fn set_flash_size(&mut self, bytes: usize) {
        self.capacity = bytes.next_power_of_two().trailing_zeros();
    }

    /// Returns the SSI after its reset; the state of the flash is retained.
    pub(in crate::chip) fn after_reset(&self) -> Self {
        Self { capacity: self.capacity, ..Self::default() }
    }

    /// Returns whether the SSI is enabled for reads with an address, as in the XIP windows.
    pub(in crate::chip) fn is_in_xip_mode(&self) -> bool {
        let control = self.registers[CTRLR0 as usize / 4];
        let mode = control >> CTRLR0_TMOD_LSB & 3;
        self.registers[SSIENR as usize / 4] & 1 != 0 && mode == CTRLR0_TMOD_VALUE_EEPROM_READ
    }

    /// Returns the divider of the clock with which the flash is read in place; `None` while it is
    /// not.
    pub(in crate::chip) fn xip_divider(&self) -> Option<u32> {
        let divider = self.registers[BAUDR as usize / 4] & 0xFFFE;
        (self.is_in_xip_mode() && divider != 0).then_some(divider)
    }

    /// Sets the cycle of the next accesses.
    pub(in crate::chip) fn set_cycle(&mut self, cycle: u64) {
        self.cycle = cycle;
    }

    /// Sets whether chip select is forced low. When it no longer is, a command ends.
    pub(in crate::chip) fn select(&mut self, forced_low: bool) {
        if self.selected && !forced_low {
            self.command = None;
        }
        self.selected = forced_low;
    }

    /// Returns whether a bulk read was started.
    pub(in crate::chip) fn wants_flash(&self) -> bool {
        self.wanted.is_some()
    }

    /// Returns the bulk read that was started, once.
    pub(in crate::chip) fn take_wanted(&mut self) -> Option<BulkRead> {
        self.wanted.take()
    }

    /// Stores the words of a bulk read that began in `cycle`, in the order of the receive FIFO: the
    /// first byte of the flash in the highest bits.
    pub(in crate::chip) fn deliver(&mut self, words: VecDeque<u32>, cycle: u64) {
        // Eight clocks a word on four wires.
        let period = 8 * u64::from(self.registers[BAUDR as usize / 4] & 0xFFFE).max(2);
        self.bulk = Bulk { words, next_at: cycle + period, period };
    }

    /// Returns the cycles in which a line of the XIP cache of `bytes` bytes is read from the flash:
    /// instruction, address and mode bits, wait cycles and data, at the divided clock (datasheet
    /// 4.10.13: CTRLR0, BAUDR, SPI_CTRLR0).
    pub(in crate::chip) fn line_cycles(&self, bytes: u32) -> u64 {
        let register = |offset: u32| self.registers[offset as usize / 4];
        let lanes = 1 << (register(CTRLR0) >> CTRLR0_SPI_FRF_LSB & 3).min(2);
        let format = register(SPI_CTRLR0);
        let instruction = [0, 4, 8, 16][(format >> SPI_CTRLR0_INST_L_LSB & 3) as usize];
        let address = 4 * (format >> SPI_CTRLR0_ADDR_L_LSB & 15);
        let wait = format >> SPI_CTRLR0_WAIT_CYCLES_LSB & 31;
        // TRANS_TYPE: on how many lanes the instruction and the address are sent.
        let (of_instruction, of_address) = match format & 3 {
            0 => (1, 1),
            1 => (1, lanes),
            _ => (lanes, lanes),
        };
        let clocks = instruction / of_instruction + address / of_address + wait + 8 * bytes / lanes;
        u64::from(clocks) * u64::from(register(BAUDR) & 0xFFFE).max(2)
    }

    /// Sets up the SSI for serial commands as the boot ROM does: a byte a frame, in both
    /// directions.
    pub(in crate::chip) fn enter_serial_mode(&mut self) {
        self.registers[CTRLR0 as usize / 4] = CTRLR0_SERIAL;
        self.write(SSIENR, 0);
        self.write(SSIENR, 1);
    }

    /// Returns whether DREQ_XIP_SSIRX is active.
    pub(in crate::chip) fn requests(&self) -> bool {
        self.next() <= self.cycle
    }

    /// Returns the cycle in which the DMA can read the next word; `u64::MAX` if none is coming.
    pub(in crate::chip) fn next(&self) -> u64 {
        let listens = self.registers[DMACR as usize / 4] & DMACR_RDMAE != 0;
        if listens && !self.bulk.words.is_empty() { self.bulk.next_at } else { u64::MAX }
    }

    fn received(&self) -> u32 {
        match self.answers.len() {
            0 if self.bulk.words.is_empty() || self.bulk.next_at > self.cycle => 0,
            0 => 1,
            length => length as u32,
        }
    }

    pub(in crate::chip) fn read(&mut self, offset: u32) -> Option<u32> {
        if self.listens && matches!(offset, SR | RXFLR | DR0..=DR35) {
            self.listen();
        }
        Some(match offset {
            SR => {
                let busy = if self.bulk.words.is_empty() { 0 } else { SR_BUSY };
                IDLE | busy | if self.received() == 0 { 0 } else { SR_RFNE }
            }
            RXFLR => self.received(),
            TXFLR => 0,
            IDR => IDR_RESET,
            SSI_VERSION_ID => SSI_VERSION_ID_RESET,
            DR0..=DR35 => self.take(),
            _ => *self.registers.get(offset as usize / 4)?,
        })
    }

    /// Receives as many frames as NDF says, after the command that was written.
    fn listen(&mut self) {
        self.listens = false;
        for _ in 0..=self.registers[CTRLR1 as usize / 4] & CTRLR1_NDF {
            let answer = self.exchange(0);
            self.answers.push_back(answer);
        }
    }

    fn take(&mut self) -> u32 {
        if let Some(answer) = self.answers.pop_front() {
            if self.answers.is_empty() && !self.selected {
                self.command = None;
            }
            return answer;
        }
        if self.received() == 0 {
            return 0;
        }
        self.bulk.next_at += self.bulk.period;
        self.bulk.words.pop_front().unwrap_or_default()
    }

    /// Writes a register; `None` if there is none at `offset`.
    pub(in crate::chip) fn write(&mut self, offset: u32, value: u32) -> Option<()> {
        if !(DR0..=DR35).contains(&offset) {
            *self.registers.get_mut(offset as usize / 4)? = value;
            if offset == SSIENR && value & 1 == 0 {
                self.command = None;
                self.listens = false;
                self.answers.clear();
                self.bulk = Bulk::default();
            }
            return Some(());
        }
        if self.reads_in_bulk() {
            let words = (self.registers[CTRLR1 as usize / 4] & CTRLR1_NDF) + 1;
            self.wanted = Some(BulkRead { offset: value >> 8, words });
            return Some(());
        }
        let answer = self.exchange(value);
        if self.mode() == CTRLR0_TMOD_VALUE_EEPROM_READ {
            // Nothing is received during the command.
            self.listens = true;
        } else {
            self.answers.push_back(answer);
            // No access reads more than the FIFO can hold.
            self.answers.truncate(16);
        }
        Some(())
    }

    /// Sends a byte to the flash, and returns its answer.
    fn exchange(&mut self, value: u32) -> u32 {
        let (command, place) = self.command.unwrap_or((value & 0xFF, 0));
        self.command = Some((command, place + 1));
        match (command, place) {
            (_, 0) => 0,
            (READ_STATUS_2, _) => QUAD_ENABLE,
            (READ_JEDEC_ID, 3) => self.capacity,
            (READ_JEDEC_ID, place) => JEDEC_ID.get(place - 1).copied().unwrap_or(0),
            (READ_UNIQUE_ID, place) => {
                let byte = place.checked_sub(UNIQUE_ID_AT).and_then(|at| UNIQUE_ID.get(at));
                byte.copied().unwrap_or(0).into()
            }
            // Status register 1, among others: not busy.
            _ => 0,
        }
    }

    /// Returns TMOD.
    fn mode(&self) -> u32 {
        self.registers[CTRLR0 as usize / 4] >> CTRLR0_TMOD_LSB & 3
    }

    /// Returns whether a write to the data register starts a read of words at an address: an
    /// enhanced format without an instruction, with its data after address and mode bits.
    fn reads_in_bulk(&self) -> bool {
        let control = self.registers[CTRLR0 as usize / 4];
        let instruction = self.registers[SPI_CTRLR0 as usize / 4] >> SPI_CTRLR0_INST_L_LSB & 3;
        self.mode() == CTRLR0_TMOD_VALUE_EEPROM_READ
            && control >> CTRLR0_SPI_FRF_LSB & 3 != 0
            && instruction == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Forces chip select low, sends bytes as the SDK does, reading each answer immediately, and
    /// checks the last answers.
    #[track_caller]
    fn check(command: u32, length: usize, answers: &[u32]) {
        check_flash(2 * 1024 * 1024, command, length, answers);
    }

    /// As [`check`], with a flash of this size.
    #[track_caller]
    fn check_flash(bytes: usize, command: u32, length: usize, answers: &[u32]) {
        let mut ssi = Ssi::default();
        ssi.set_flash_size(bytes);
        ssi.select(true);
        let mut received = vec![];
        for place in 0..length {
            assert_eq!(ssi.write(DR0, if place == 0 { command } else { 0x9F }), Some(()));
            assert_eq!(ssi.read(SR), Some(IDLE | SR_RFNE));
            received.extend(ssi.read(DR0));
        }
        assert!(received.ends_with(answers), "{received:x?}");
        assert_eq!(ssi.read(SR), Some(IDLE));
        // The next command starts over.
        ssi.select(false);
        ssi.write(DR0, READ_STATUS_2);
        ssi.write(DR0, 0);
        ssi.read(DR0);
        assert_eq!(ssi.read(DR0), Some(QUAD_ENABLE));
    }

    #[test]
    fn the_flash_is_idle_and_has_its_quad_mode_on() {
        check(0x05, 2, &[0, 0]);
        check(0x35, 2, &[0, 2]);
    }

    #[test]
    fn the_flash_reports_maker_capacity_and_unique_id() {
        check(0x9F, 4, &[0, 0xEF, 0x40, 0x15]);
        check(0x4B, 13, &[0, 0, 0, 0, 0, 0xE6, 0x60, 0x58, 0x38, 0x83, 0, 0, 1]);
    }

    #[test]
    fn the_reported_capacity_is_the_flash_size() {
        for (kib, power) in [(64, 16), (512, 19), (1024, 20), (4096, 22), (8192, 23), (16384, 24)] {
            check_flash(kib * 1024, 0x9F, 4, &[0, 0xEF, 0x40, power]);
        }
        // A size that is no power of two is stored in a flash of the next larger one.
        check_flash(3 * 1024 * 1024, 0x9F, 4, &[0, 0xEF, 0x40, 22]);
    }

    #[test]
    fn an_unforced_command_ends_with_its_last_answer() {
        let mut ssi = Ssi::default();
        for byte in [0x35, 0x35] {
            ssi.write(DR0, byte);
        }
        assert_eq!([ssi.read(DR0), ssi.read(DR0)], [Some(0), Some(2)]);
        ssi.write(DR0, 0x05);
        ssi.write(DR0, 0);
        assert_eq!([ssi.read(DR0), ssi.read(DR0)], [Some(0), Some(0)]);
    }

    /// Reads the flash's numbers as rp2040-flash and embassy-rp do.
    #[test]
    fn an_eeprom_read_answers_only_after_the_command() {
        let mut ssi = Ssi::default();
        ssi.set_flash_size(2 * 1024 * 1024);
        for (command, dummies, expected) in [
            (0x9F, 0, &[0xEF, 0x40, 0x15][..]),
            (0x4B, 4, &[0xE6, 0x60, 0x58, 0x38, 0x83, 0, 0, 1]),
        ] {
            ssi.write(SSIENR, 0);
            ssi.write(CTRLR0, CTRLR0_SERIAL | 3 << CTRLR0_TMOD_LSB);
            ssi.write(CTRLR1, dummies + expected.len() as u32 - 1);
            ssi.write(SSIENR, 1);
            ssi.write(DR0, command);
            let mut received = vec![];
            while ssi.read(SR) == Some(IDLE | SR_RFNE) {
                received.extend(ssi.read(DR0));
            }
            assert_eq!(received[dummies as usize..], *expected, "{command:#x}");
        }
    }

    #[test]
    fn a_bulk_read_delivers_a_word_every_eight_clocks_of_the_flash() {
        let mut ssi = Ssi::default();
        for (offset, value) in [
            (CTRLR0, 2 << CTRLR0_SPI_FRF_LSB | 31 << 16 | 3 << CTRLR0_TMOD_LSB),
            (SPI_CTRLR0, 0),
            (BAUDR, 2),
            (CTRLR1, 1),
            (DMACR, DMACR_RDMAE),
            (DR0, 0x1234 << 8 | 0xA0),
        ] {
            ssi.write(offset, value);
        }
        assert_eq!(ssi.take_wanted(), Some(BulkRead { offset: 0x1234, words: 2 }));
        ssi.deliver([7, 8].into(), 100);
        ssi.set_cycle(115);
        assert!(!ssi.requests());
        ssi.set_cycle(116);
        assert!(ssi.requests());
        assert_eq!(ssi.read(DR0), Some(7));
        assert_eq!(ssi.next(), 132);
        assert_eq!(ssi.read(SR), Some(IDLE | SR_BUSY));
        ssi.write(SSIENR, 0);
        assert_eq!(ssi.read(SR), Some(IDLE));
    }

    #[test]
    fn identification_registers_follow_the_datasheet() {
        let mut ssi = Ssi::default();
        assert_eq!(ssi.read(IDR).map(u32::to_be_bytes), Some(*b"QSPI"));
        assert_eq!(ssi.read(SSI_VERSION_ID), Some(0x3430_312A));
    }
}
