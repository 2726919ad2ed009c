//! The single-cycle I/O block: GPIO, the FIFOs between the cores, spinlocks, the dividers
//! and the interpolators
//! (datasheet section 2.3.1).

use std::collections::VecDeque;

use super::interpolator::Interpolators;

const FIFO_DEPTH: usize = 8;
/// The pins of bank 0.
const PINS: u32 = 0x3FFF_FFFF;

const VALID: u32 = 1;
const READY: u32 = 2;
const WRITE_ON_FULL: u32 = 4;
const READ_ON_EMPTY: u32 = 8;

/// What a core sees of the block as its own.
#[derive(Clone, Debug, Default)]
struct Side {
    /// What this core is to read.
    fifo: VecDeque<u32>,
    /// WOF and ROE.
    errors: u32,
    divider: Divider,
    interpolators: Interpolators,
}

#[derive(Clone, Debug, Default)]
struct Divider {
    dividend: u32,
    divisor: u32,
    quotient: u32,
    remainder: u32,
    dirty: bool,
}

impl Divider {
    /// The result is there at once; a program waits eight cycles for it anyway.
    fn divide(&mut self, signed: bool) {
        let (a, b) = (self.dividend, self.divisor);
        (self.quotient, self.remainder) = match (signed, b) {
            // By zero: as the datasheet's table has it.
            (false, 0) => (u32::MAX, a),
            (true, 0) => (if (a as i32) < 0 { 1 } else { u32::MAX }, a),
            (false, _) => (a / b, a % b),
            (true, _) => {
                let (a, b) = (a as i32, b as i32);
                (a.wrapping_div(b) as u32, a.wrapping_rem(b) as u32)
            }
        };
        self.dirty = true;
    }
}

#[derive(Clone, Debug, Default)]
pub(in crate::chip) struct Sio {
    sides: [Side; 2],
    spinlocks: u32,
    output: u32,
    output_enable: u32,
}

impl Sio {
    /// The levels that it would drive, and which pins it drives; bit n is GPIO n.
    pub(in crate::chip) fn outputs(&self) -> (u32, u32) {
        (self.output, self.output_enable)
    }

    /// Lines 15 and 16, SIO_IRQ_PROC0 and 1, as bits 0 and 1: something to read, or an error.
    pub(in crate::chip) fn interrupt(&self, core: u8) -> bool {
        let side = &self.sides[usize::from(core & 1)];
        !side.fifo.is_empty() || side.errors != 0
    }

    /// What core 1 is to read while it waits in the boot ROM to be launched.
    pub(in crate::chip) fn take_for_core_1(&mut self) -> Option<u32> {
        self.sides[1].fifo.pop_front()
    }

    /// What core 1 answers from the boot ROM.
    pub(in crate::chip) fn push_for_core_0(&mut self, value: u32) {
        if self.sides[0].fifo.len() < FIFO_DEPTH {
            self.sides[0].fifo.push_back(value);
        }
    }

    /// `inputs` are the levels of the pins.
    pub(in crate::chip) fn read(&mut self, core: u8, offset: u32, inputs: u32) -> Option<u32> {
        let [own, other] = match core {
            0 => self.sides.each_mut(),
            _ => {
                let [zero, one] = self.sides.each_mut();
                [one, zero]
            }
        };
        Some(match offset {
            0x00 => core.into(),
            0x04 => inputs,
            // The flash's pins idle high, but for the clock.
            0x08 => 0x3E,
            0x10 => self.output,
            0x20 => self.output_enable,
            // Set, clear and xor are write-only.
            0x14..=0x1C | 0x24..=0x2C => 0,
            0x50 => {
                let valid = if own.fifo.is_empty() { 0 } else { VALID };
                let ready = if other.fifo.len() < FIFO_DEPTH { READY } else { 0 };
                own.errors | valid | ready
            }
            0x58 => match own.fifo.pop_front() {
                Some(value) => value,
                None => {
                    own.errors |= READ_ON_EMPTY;
                    0
                }
            },
            0x5C => self.spinlocks,
            0x60 | 0x68 => own.divider.dividend,
            0x64 | 0x6C => own.divider.divisor,
            0x70 => {
                own.divider.dirty = false;
                own.divider.quotient
            }
            0x74 => own.divider.remainder,
            0x78 => 1 | u32::from(own.divider.dirty) << 1,
            0x80..=0xFC => own.interpolators.read(offset - 0x80)?,
            0x100..=0x17C => {
                let lock = 1 << ((offset - 0x100) / 4);
                let claimed = lock & !self.spinlocks;
                self.spinlocks |= lock;
                claimed
            }
            _ => return None,
        })
    }

    pub(in crate::chip) fn write(&mut self, core: u8, offset: u32, value: u32) -> Option<()> {
        let [own, other] = match core {
            0 => self.sides.each_mut(),
            _ => {
                let [zero, one] = self.sides.each_mut();
                [one, zero]
            }
        };
        let pins = value & PINS;
        match offset {
            0x10 => self.output = pins,
            0x14 => self.output |= pins,
            0x18 => self.output &= !pins,
            0x1C => self.output ^= pins,
            0x20 => self.output_enable = pins,
            0x24 => self.output_enable |= pins,
            0x28 => self.output_enable &= !pins,
            0x2C => self.output_enable ^= pins,
            0x50 => own.errors = 0,
            0x54 if other.fifo.len() < FIFO_DEPTH => other.fifo.push_back(value),
            0x54 => own.errors |= WRITE_ON_FULL,
            0x60..=0x6C => {
                let signed = offset >= 0x68;
                match offset & 4 {
                    0 => own.divider.dividend = value,
                    _ => own.divider.divisor = value,
                }
                own.divider.divide(signed);
            }
            0x70 => {
                own.divider.quotient = value;
                own.divider.dirty = true;
            }
            0x74 => {
                own.divider.remainder = value;
                own.divider.dirty = true;
            }
            0x80..=0xFC => own.interpolators.write(offset - 0x80, value)?,
            0x100..=0x17C => self.spinlocks &= !(1 << ((offset - 0x100) / 4)),
            // Read-only.
            0x00 | 0x04 | 0x08 | 0x58 | 0x5C | 0x78 => {}
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Divides and compares quotient and remainder.
    #[track_caller]
    fn check(signed: bool, dividend: i64, divisor: i64, quotient: i64, remainder: i64) {
        let mut sio = Sio::default();
        let first = if signed { 0x68 } else { 0x60 };
        sio.write(0, first, dividend as u32);
        sio.write(0, first + 4, divisor as u32);
        assert_eq!(sio.read(0, 0x78, 0), Some(3), "ready and dirty");
        assert_eq!(sio.read(0, 0x74, 0), Some(remainder as u32));
        assert_eq!(sio.read(0, 0x70, 0), Some(quotient as u32));
        assert_eq!(sio.read(0, 0x78, 0), Some(1), "reading the quotient is the end of it");
    }

    #[test]
    fn division_rounds_towards_zero() {
        check(false, 100, 7, 14, 2);
        check(true, -100, 7, -14, -2);
        check(true, 100, -7, -14, 2);
    }

    #[test]
    fn division_by_zero_and_overflow_give_the_chips_answers() {
        check(false, 5, 0, -1, 5);
        check(true, 5, 0, -1, 5);
        check(true, -5, 0, 1, -5);
        check(true, i64::from(i32::MIN), -1, i64::from(i32::MIN), 0);
    }

    #[test]
    fn each_core_has_its_own_divider() {
        let mut sio = Sio::default();
        sio.write(0, 0x60, 8);
        sio.write(0, 0x64, 2);
        sio.write(1, 0x60, 9);
        sio.write(1, 0x64, 3);
        assert_eq!(sio.read(0, 0x70, 0), Some(4));
        assert_eq!(sio.read(1, 0x70, 0), Some(3));
    }

    #[test]
    fn a_fifo_holds_eight_words_and_says_when_it_overflows() {
        let mut sio = Sio::default();
        for value in 0..8 {
            assert_eq!(sio.read(0, 0x50, 0), Some(READY));
            sio.write(0, 0x54, value);
        }
        assert_eq!(sio.read(0, 0x50, 0), Some(0));
        sio.write(0, 0x54, 8);
        assert_eq!(sio.read(0, 0x50, 0), Some(WRITE_ON_FULL));
        assert!(sio.interrupt(1));
        for value in 0..8 {
            assert_eq!(sio.read(1, 0x58, 0), Some(value));
        }
        assert!(!sio.interrupt(1));
        sio.read(1, 0x58, 0);
        assert_eq!(sio.read(1, 0x50, 0), Some(READ_ON_EMPTY | READY));
    }

    #[test]
    fn a_spinlock_is_claimed_once() {
        let mut sio = Sio::default();
        assert_eq!(sio.read(0, 0x108, 0), Some(4));
        assert_eq!(sio.read(1, 0x108, 0), Some(0));
        sio.write(0, 0x108, 1);
        assert_eq!(sio.read(1, 0x108, 0), Some(4));
    }
}
