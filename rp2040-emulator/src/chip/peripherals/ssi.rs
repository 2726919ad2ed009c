//! The SSI, which fetches from the flash: the part that a second-stage boot loader uses
//! (datasheet section 4.10).
//!
//! The flash itself is read through [`Memory`](crate::cpu::memory::Memory), independent of these
//! registers. The registers hold their values, and a serial command is answered as by an idle W25Q
//! with quad mode enabled.

use std::collections::VecDeque;

// Registers: RP2040 datasheet 4.10.13.
const TXFLR: u32 = 0x20; // words in the transmit FIFO, 4.10.13
const RXFLR: u32 = 0x24; // words in the receive FIFO, 4.10.13
const SR: u32 = 0x28; // status, 4.10.13
const IDR: u32 = 0x58; // identification, 4.10.13
const SSI_VERSION_ID: u32 = 0x5C; // version, 4.10.13
const DR0: u32 = 0x60; // first of 36 names of the data register, 4.10.13
const DR35: u32 = 0xEC; // last name of the data register, 4.10.13

const SR_TFNF: u32 = 1 << 1;
const SR_TFE: u32 = 1 << 2;
const SR_RFNE: u32 = 1 << 3;
/// Always ready, transmit FIFO empty.
const IDLE: u32 = SR_TFNF | SR_TFE;
const IDR_RESET: u32 = 0x5153_5049;
const SSI_VERSION_ID_RESET: u32 = 0x3430_312A;

/// Commands and a status bit of the W25Q.
const READ_STATUS_2: u32 = 0x35;
const QUAD_ENABLE: u32 = 1 << 1;

#[derive(Clone, Debug)]
pub(in crate::chip) struct Ssi {
    registers: [u32; 64],
    /// The command in progress.
    command: Option<u32>,
    answers: VecDeque<u32>,
}

impl Default for Ssi {
    fn default() -> Self {
        Self { registers: [0; 64], command: None, answers: VecDeque::new() }
    }
}

impl Ssi {
    pub(in crate::chip) fn read(&mut self, offset: u32) -> Option<u32> {
        Some(match offset {
            SR if self.answers.is_empty() => IDLE,
            SR => IDLE | SR_RFNE,
            RXFLR => self.answers.len() as u32,
            TXFLR => 0,
            IDR => IDR_RESET,
            SSI_VERSION_ID => SSI_VERSION_ID_RESET,
            DR0..=DR35 => {
                let answer = self.answers.pop_front().unwrap_or_default();
                if self.answers.is_empty() {
                    self.command = None;
                }
                answer
            }
            _ => *self.registers.get(offset as usize / 4)?,
        })
    }

    pub(in crate::chip) fn write(&mut self, offset: u32, value: u32) -> Option<()> {
        if !(DR0..=DR35).contains(&offset) {
            *self.registers.get_mut(offset as usize / 4)? = value;
            return Some(());
        }
        let answer = match self.command {
            None => {
                self.command = Some(value);
                0
            }
            Some(READ_STATUS_2) => QUAD_ENABLE,
            // Status register 1, among others: not busy.
            Some(_) => 0,
        };
        self.answers.push_back(answer);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sends a command and one byte more, and reads what came back.
    #[track_caller]
    fn check(command: u32, answer: u32) {
        let mut ssi = Ssi::default();
        for byte in [command, command] {
            assert_eq!(ssi.write(DR0, byte), Some(()));
        }
        assert_eq!(ssi.read(SR), Some(IDLE | SR_RFNE));
        ssi.read(DR0);
        assert_eq!(ssi.read(DR0), Some(answer));
        assert_eq!(ssi.read(SR), Some(IDLE));
    }

    #[test]
    fn the_flash_is_idle_and_has_its_quad_mode_on() {
        check(0x05, 0);
        check(0x35, 2);
    }

    #[test]
    fn it_identifies_itself_as_the_datasheet_has_it() {
        let mut ssi = Ssi::default();
        assert_eq!(ssi.read(IDR).map(u32::to_be_bytes), Some(*b"QSPI"));
        assert_eq!(ssi.read(SSI_VERSION_ID), Some(0x3430_312A));
    }
}
