//! The single-cycle I/O block: GPIO, the FIFOs between the cores, spinlocks, the dividers and the
//! interpolators (datasheet section 2.3.1).

use std::collections::VecDeque;

use super::array::index;
use super::interpolator::Interpolators;

const FIFO_DEPTH: usize = 8;
/// Mask of the pins of bank 0.
const PINS: u32 = 0x3FFF_FFFF;

// Registers: RP2040 datasheet 2.3.1.7.
pub(in crate::chip) const CPUID: u32 = 0x000; // number of the core, 2.3.1.7
pub(in crate::chip) const GPIO_IN: u32 = 0x004; // levels of GPIO 0 to 29, 2.3.1.7
pub(in crate::chip) const GPIO_HI_IN: u32 = 0x008; // levels of the QSPI pins, 2.3.1.7
pub(in crate::chip) const GPIO_OUT: u32 = 0x010; // output levels, 2.3.1.7
const GPIO_OUT_SET: u32 = 0x014; // sets output levels, 2.3.1.7
const GPIO_OUT_CLR: u32 = 0x018; // clears output levels, 2.3.1.7
const GPIO_OUT_XOR: u32 = 0x01C; // flips output levels, 2.3.1.7
pub(in crate::chip) const GPIO_OE: u32 = 0x020; // output enables, 2.3.1.7
const GPIO_OE_SET: u32 = 0x024; // sets output enables, 2.3.1.7
const GPIO_OE_CLR: u32 = 0x028; // clears output enables, 2.3.1.7
pub(in crate::chip) const GPIO_OE_XOR: u32 = 0x02C; // flips output enables, 2.3.1.7
pub(in crate::chip) const FIFO_ST: u32 = 0x050; // status of the FIFOs between the cores, 2.3.1.7
pub(in crate::chip) const FIFO_WR: u32 = 0x054; // writes to the other core, 2.3.1.7
pub(in crate::chip) const FIFO_RD: u32 = 0x058; // reads from the other core, 2.3.1.7
const SPINLOCK_ST: u32 = 0x05C; // spinlocks that are claimed, 2.3.1.7
const DIV_UDIVIDEND: u32 = 0x060; // unsigned dividend, 2.3.1.7
const DIV_UDIVISOR: u32 = 0x064; // unsigned divisor, 2.3.1.7
const DIV_SDIVIDEND: u32 = 0x068; // signed dividend, 2.3.1.7
const DIV_SDIVISOR: u32 = 0x06C; // signed divisor, 2.3.1.7
const DIV_QUOTIENT: u32 = 0x070; // quotient, 2.3.1.7
const DIV_REMAINDER: u32 = 0x074; // remainder, 2.3.1.7
const DIV_CSR: u32 = 0x078; // divider status, 2.3.1.7
const INTERP0_ACCUM0: u32 = 0x080; // first register of the interpolators, 2.3.1.7
const INTERP1_BASE_1AND0: u32 = 0x0FC; // last register of the interpolators, 2.3.1.7
pub(in crate::chip) const SPINLOCK0: u32 = 0x100; // first of 32 spinlocks, 2.3.1.7
pub(in crate::chip) const SPINLOCK31: u32 = 0x17C; // last spinlock, 2.3.1.7

const FIFO_ST_VLD: u32 = 1;
const FIFO_ST_RDY: u32 = 1 << 1;
const FIFO_ST_WOF: u32 = 1 << 2;
const FIFO_ST_ROE: u32 = 1 << 3;
const DIV_CSR_READY: u32 = 1;
const DIV_CSR_DIRTY: u32 = 1 << 1;
/// Duration of a division in cycles (datasheet section 2.3.1.5).
const DIV_CYCLES: u64 = 8;
/// Idle levels of the flash's pins: all are high except the clock.
const GPIO_HI_IN_IDLE: u32 = 0x3E;

/// The part of the block that each core has for itself.
#[derive(Clone, Debug, Default)]
struct Side {
    /// Words that this core reads.
    fifo: VecDeque<u32>,
    /// The bits WOF and ROE.
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
    /// Cycle in which the result is ready.
    ready_at: u64,
}

impl Divider {
    /// Starts a division in `cycle`. Until it is ready, quotient and remainder are undefined on the
    /// chip; here they are the results.
    fn divide(&mut self, signed: bool, cycle: u64) {
        self.ready_at = cycle + DIV_CYCLES;
        let (a, b) = (self.dividend, self.divisor);
        (self.quotient, self.remainder) = match (signed, b) {
            // Division by zero: the results of the datasheet.
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
    /// Spinlocks that core 1 was the last to claim.
    claimed_by_core_1: u32,
    output: u32,
    output_enable: u32,
    /// Cycle of the current access.
    cycle: u64,
}

impl Sio {
    /// Sets the cycle of the next reads and writes.
    pub(in crate::chip) fn set_cycle(&mut self, cycle: u64) {
        self.cycle = cycle;
    }

    /// Returns output levels and output enables; bit n is GPIO n.
    pub(in crate::chip) fn outputs(&self) -> (u32, u32) {
        (self.output, self.output_enable)
    }

    /// Returns SIO_IRQ_PROC0 or SIO_IRQ_PROC1: the FIFO has a word, or an error flag is set.
    pub(in crate::chip) fn interrupt(&self, core: u8) -> bool {
        let side = &self.sides[usize::from(core & 1)];
        !side.fifo.is_empty() || side.errors != 0
    }

    /// Empties the FIFO of core 1 and sends a 0 to core 0, when core 1 starts waiting in the boot
    /// ROM.
    pub(in crate::chip) fn core_1_enters_rom(&mut self) {
        self.sides[1].fifo.clear();
        self.push_for_core_0(0);
    }

    /// Returns the next word for core 1 while it waits for its launch in the boot ROM.
    pub(in crate::chip) fn take_for_core_1(&mut self) -> Option<u32> {
        self.sides[1].fifo.pop_front()
    }

    /// Sends an answer of core 1 from the boot ROM.
    pub(in crate::chip) fn push_for_core_0(&mut self, value: u32) {
        if self.sides[0].fifo.len() < FIFO_DEPTH {
            self.sides[0].fifo.push_back(value);
        }
    }

    /// Returns whether the FIFO that `core` reads is empty.
    pub(in crate::chip) fn is_fifo_empty(&self, core: u8) -> bool {
        self.sides[usize::from(core & 1)].fifo.is_empty()
    }

    /// Returns whether the FIFO that `core` writes is full.
    pub(in crate::chip) fn is_fifo_full_for(&self, core: u8) -> bool {
        self.sides[usize::from(1 - (core & 1))].fifo.len() >= FIFO_DEPTH
    }

    /// Returns whether a division of `core` is not complete in the current cycle.
    pub(in crate::chip) fn divides(&self, core: u8) -> bool {
        self.sides[usize::from(core & 1)].divider.ready_at > self.cycle
    }

    /// Returns the core that has claimed the spinlock at `offset`.
    pub(in crate::chip) fn holder(&self, offset: u32) -> Option<u8> {
        let lock = index(offset, SPINLOCK0);
        (self.spinlocks >> lock & 1 != 0).then_some((self.claimed_by_core_1 >> lock & 1) as u8)
    }

    /// Reads a register; `inputs` are the levels of the pins.
    pub(in crate::chip) fn read(&mut self, core: u8, offset: u32, inputs: u32) -> Option<u32> {
        let [own, other] = match core {
            0 => self.sides.each_mut(),
            _ => {
                let [zero, one] = self.sides.each_mut();
                [one, zero]
            }
        };
        Some(match offset {
            CPUID => core.into(),
            GPIO_IN => inputs,
            GPIO_HI_IN => GPIO_HI_IN_IDLE,
            GPIO_OUT => self.output,
            GPIO_OE => self.output_enable,
            // Set, clear and xor are write-only.
            GPIO_OUT_SET..=GPIO_OUT_XOR | GPIO_OE_SET..=GPIO_OE_XOR => 0,
            FIFO_ST => {
                let valid = if own.fifo.is_empty() { 0 } else { FIFO_ST_VLD };
                let ready = if other.fifo.len() < FIFO_DEPTH { FIFO_ST_RDY } else { 0 };
                own.errors | valid | ready
            }
            FIFO_RD => match own.fifo.pop_front() {
                Some(value) => value,
                None => {
                    own.errors |= FIFO_ST_ROE;
                    0
                }
            },
            SPINLOCK_ST => self.spinlocks,
            DIV_UDIVIDEND | DIV_SDIVIDEND => own.divider.dividend,
            DIV_UDIVISOR | DIV_SDIVISOR => own.divider.divisor,
            DIV_QUOTIENT => {
                own.divider.dirty = false;
                own.divider.quotient
            }
            DIV_REMAINDER => own.divider.remainder,
            DIV_CSR => {
                let ready = if own.divider.ready_at <= self.cycle { DIV_CSR_READY } else { 0 };
                ready | if own.divider.dirty { DIV_CSR_DIRTY } else { 0 }
            }
            INTERP0_ACCUM0..=INTERP1_BASE_1AND0 => {
                own.interpolators.read(offset - INTERP0_ACCUM0)?
            }
            SPINLOCK0..=SPINLOCK31 => {
                let lock = 1 << index(offset, SPINLOCK0);
                let claimed = lock & !self.spinlocks;
                self.spinlocks |= lock;
                let by_core_1 = if core == 1 { claimed } else { 0 };
                self.claimed_by_core_1 = self.claimed_by_core_1 & !claimed | by_core_1;
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
            GPIO_OUT => self.output = pins,
            GPIO_OUT_SET => self.output |= pins,
            GPIO_OUT_CLR => self.output &= !pins,
            GPIO_OUT_XOR => self.output ^= pins,
            GPIO_OE => self.output_enable = pins,
            GPIO_OE_SET => self.output_enable |= pins,
            GPIO_OE_CLR => self.output_enable &= !pins,
            GPIO_OE_XOR => self.output_enable ^= pins,
            FIFO_ST => own.errors = 0,
            FIFO_WR if other.fifo.len() < FIFO_DEPTH => other.fifo.push_back(value),
            FIFO_WR => own.errors |= FIFO_ST_WOF,
            DIV_UDIVIDEND | DIV_SDIVIDEND => {
                own.divider.dividend = value;
                own.divider.divide(offset == DIV_SDIVIDEND, self.cycle);
            }
            DIV_UDIVISOR | DIV_SDIVISOR => {
                own.divider.divisor = value;
                own.divider.divide(offset == DIV_SDIVISOR, self.cycle);
            }
            // A written result replaces that of a division.
            DIV_QUOTIENT => {
                own.divider.quotient = value;
                (own.divider.dirty, own.divider.ready_at) = (true, 0);
            }
            DIV_REMAINDER => {
                own.divider.remainder = value;
                (own.divider.dirty, own.divider.ready_at) = (true, 0);
            }
            INTERP0_ACCUM0..=INTERP1_BASE_1AND0 => {
                own.interpolators.write(offset - INTERP0_ACCUM0, value)?;
            }
            SPINLOCK0..=SPINLOCK31 => self.spinlocks &= !(1 << index(offset, SPINLOCK0)),
            // Read-only.
            CPUID | GPIO_IN | GPIO_HI_IN | FIFO_RD | SPINLOCK_ST | DIV_CSR => {}
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPINLOCK2: u32 = SPINLOCK0 + 8;

    /// Divides and checks quotient and remainder.
    #[track_caller]
    fn check(signed: bool, dividend: i64, divisor: i64, quotient: i64, remainder: i64) {
        let mut sio = Sio::default();
        let first = if signed { DIV_SDIVIDEND } else { DIV_UDIVIDEND };
        sio.write(0, first, dividend as u32);
        sio.write(0, first + 4, divisor as u32);
        sio.set_cycle(DIV_CYCLES - 1);
        assert_eq!(sio.read(0, DIV_CSR, 0), Some(2), "dirty and not ready");
        sio.set_cycle(DIV_CYCLES);
        assert_eq!(sio.read(0, DIV_CSR, 0), Some(3), "ready and dirty");
        assert_eq!(sio.read(0, DIV_REMAINDER, 0), Some(remainder as u32));
        assert_eq!(sio.read(0, DIV_QUOTIENT, 0), Some(quotient as u32));
        assert_eq!(sio.read(0, DIV_CSR, 0), Some(1), "reading the quotient is the end of it");
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
        sio.write(0, DIV_UDIVIDEND, 8);
        sio.write(0, DIV_UDIVISOR, 2);
        sio.write(1, DIV_UDIVIDEND, 9);
        sio.write(1, DIV_UDIVISOR, 3);
        assert_eq!(sio.read(0, DIV_QUOTIENT, 0), Some(4));
        assert_eq!(sio.read(1, DIV_QUOTIENT, 0), Some(3));
    }

    #[test]
    fn a_fifo_has_eight_words_and_reports_overflow() {
        let mut sio = Sio::default();
        for value in 0..8 {
            assert_eq!(sio.read(0, FIFO_ST, 0), Some(FIFO_ST_RDY));
            sio.write(0, FIFO_WR, value);
        }
        assert_eq!(sio.read(0, FIFO_ST, 0), Some(0));
        sio.write(0, FIFO_WR, 8);
        assert_eq!(sio.read(0, FIFO_ST, 0), Some(FIFO_ST_WOF));
        assert!(sio.interrupt(1));
        for value in 0..8 {
            assert_eq!(sio.read(1, FIFO_RD, 0), Some(value));
        }
        assert!(!sio.interrupt(1));
        sio.read(1, FIFO_RD, 0);
        assert_eq!(sio.read(1, FIFO_ST, 0), Some(FIFO_ST_ROE | FIFO_ST_RDY));
    }

    #[test]
    fn a_spinlock_is_claimed_once() {
        let mut sio = Sio::default();
        assert_eq!(sio.read(0, SPINLOCK2, 0), Some(4));
        assert_eq!(sio.read(1, SPINLOCK2, 0), Some(0));
        sio.write(0, SPINLOCK2, 1);
        assert_eq!(sio.read(1, SPINLOCK2, 0), Some(4));
    }
}
