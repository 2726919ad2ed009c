//! The SSI, which fetches from the flash: as much of it as a second-stage boot loader touches
//! (datasheet section 4.10).
//!
//! The flash itself is read through [`Memory`](crate::memory::Memory) whatever is set here; the registers
//! hold their values, and a serial command is answered as a W25Q does that is idle and has its
//! quad mode on.

use std::collections::VecDeque;

const SR: u32 = 0x28;
const RX_LEVEL: u32 = 0x24;
const DR: std::ops::RangeInclusive<u32> = 0x60..=0xEC;
/// Always ready, nothing left to send.
const IDLE: u32 = 1 << 1 | 1 << 2;
const RECEIVED: u32 = 1 << 3;

const READ_STATUS_2: u32 = 0x35;
const QUAD_ENABLE: u32 = 1 << 1;

#[derive(Clone, Debug)]
pub(in crate::chip) struct Ssi {
    registers: [u32; 64],
    /// The command whose answers are being read.
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
            SR => IDLE | RECEIVED,
            RX_LEVEL => self.answers.len() as u32,
            0x20 => 0,
            // IDR and version.
            0x58 => 0x5143_5049,
            0x5C => 0x3430_312A,
            offset if DR.contains(&offset) => {
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
        if !DR.contains(&offset) {
            *self.registers.get_mut(offset as usize / 4)? = value;
            return Some(());
        }
        let answer = match self.command {
            None => {
                self.command = Some(value);
                0
            }
            Some(READ_STATUS_2) => QUAD_ENABLE,
            // Status register 1 among them: not busy.
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
            assert_eq!(ssi.write(0x60, byte), Some(()));
        }
        assert_eq!(ssi.read(SR), Some(IDLE | RECEIVED));
        ssi.read(0x60);
        assert_eq!(ssi.read(0x60), Some(answer));
        assert_eq!(ssi.read(SR), Some(IDLE));
    }

    #[test]
    fn the_flash_is_idle_and_has_its_quad_mode_on() {
        check(0x05, 0);
        check(0x35, 2);
    }
}
