//! Slopes: by how much the registers change from one period of a loop to the next, and for how many
//! periods the loop takes the same branches.
//!
//! [`Slopes::follow`] knows what adding, subtracting, moving and comparing make of a register that
//! changes. The result of any other instruction is known only if its operands do not change. The
//! module does not know the bus: the caller reports what a load gives.

use std::cell::Cell;

use super::Loaded;
use crate::cpu::instruction::{Instruction, Register};

/// Nothing is known about what an instruction does in the next period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Unknown;

/// Half the range of 32 bits. A value's sign changes at each multiple, the carry at each second
/// one.
const HALF: i64 = 1 << 31;

/// The registers' slopes before some instruction of a period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Slopes {
    /// The difference of each register in the next period.
    pub(super) registers: [i32; 15],
    /// Number of further periods in which all flags are as in this one.
    pub(super) periods: u64,
    /// Mask of the registers that must be set before they are used.
    tainted: u16,
    /// Whether an instruction was followed of which nothing is known, or a tainted register was
    /// used.
    unknown: Cell<bool>,
}

/// A value and its difference in the next period.
#[derive(Clone, Copy, Debug)]
struct Line {
    value: i64,
    slope: i64,
}

impl Line {
    /// Number of further periods in which the value keeps its sign, its carry, and whether it is
    /// zero.
    fn stays(self) -> u64 {
        let Self { value, slope } = self;
        let into = value.rem_euclid(HALF);
        // Zero and the half have flags of their own.
        let room = match (into, slope) {
            (_, 0) => return u64::MAX,
            (0, _) => return 0,
            (_, 1..) => HALF - 1 - into,
            _ => into - 1,
        };
        room.unsigned_abs() / slope.unsigned_abs()
    }
}

impl Slopes {
    /// Returns the slopes of registers that were `before` a period and are `now` after it.
    pub(super) fn between(before: &[u32; 15], now: &[u32; 15]) -> Self {
        Self::new(std::array::from_fn(|n| now[n].wrapping_sub(before[n]) as i32), 0)
    }

    /// Returns the slopes of a round in which only loaded values change. The registers of the mask
    /// `tainted` must not be used before they are set.
    pub(super) fn of_a_round(tainted: u16) -> Self {
        Self::new([0; 15], tainted)
    }

    fn new(registers: [i32; 15], tainted: u16) -> Self {
        Self { registers, periods: u64::MAX, tainted, unknown: Cell::new(false) }
    }

    /// Mask of the registers that change: bit n is register n.
    pub(super) fn changing(&self) -> u16 {
        self.registers.iter().rev().fold(0, |mask, slope| mask << 1 | u16::from(*slope != 0))
    }

    /// Whether the slopes do not say what the next period does.
    pub(super) fn is_unknown(&self) -> bool {
        self.unknown.get()
    }

    fn of(&self, register: Register) -> i32 {
        if self.tainted >> register.index() & 1 != 0 {
            self.unknown.set(true);
        }
        self.registers.get(register.index()).copied().unwrap_or_default()
    }

    fn set(&mut self, register: Register, slope: i32) -> Result<(), Unknown> {
        // The stack pointer loses its lowest bits.
        if register == Register::SP && slope != 0 {
            return Err(Unknown);
        }
        self.tainted &= !(1 << register.index());
        if let Some(known) = self.registers.get_mut(register.index()) {
            *known = slope;
        }
        Ok(())
    }

    fn line(&self, values: &[u32; 16], register: Register) -> Line {
        Line { value: values[register.index()].into(), slope: self.of(register).into() }
    }

    /// Limits the periods to those in which this value has the same flags.
    fn limit(&mut self, line: Line) {
        self.periods = self.periods.min(line.stays());
    }

    /// Follows a load after it, whose value is `slope` more in the next period.
    pub(super) fn loaded(&mut self, loaded: &Loaded, values: &[u32; 16], slope: u64) {
        let known = self.step_loaded(loaded.instruction, values, slope);
        self.unknown.set(self.is_unknown() | known.is_err());
    }

    fn step_loaded(
        &mut self,
        instruction: Instruction,
        values: &[u32; 16],
        slope: u64,
    ) -> Result<(), Unknown> {
        use Instruction as I;
        let slope = i32::try_from(slope).map_err(|_| Unknown)?;
        let t = match instruction {
            I::LdrRegister { t, .. } | I::LdrImmediate { t, .. } | I::LdrLiteral { t, .. } => t,
            I::LdrhRegister { t, .. }
            | I::LdrbRegister { t, .. }
            | I::LdrsbRegister { t, .. }
            | I::LdrshRegister { t, .. }
            | I::LdrbImmediate { t, .. }
            | I::LdrhImmediate { t, .. }
                if slope == 0 =>
            {
                t
            }
            // What a part of a word counts is not known.
            _ => return Err(Unknown),
        };
        self.limit(Line { value: values[t.index()].into(), slope: slope.into() });
        self.set(t, slope)
    }

    /// Limits the periods to those in which `a`, `b` and `a + sign * b` keep their flags. Returns
    /// the slope of the sum.
    fn sum(&mut self, a: Line, b: Line, sign: i64, carry: i64) -> Result<i32, Unknown> {
        let value = a.value + sign * b.value + carry;
        let result = Line { value, slope: a.slope + sign * b.slope };
        for line in [a, b, result] {
            self.limit(line);
        }
        i32::try_from(result.slope).map_err(|_| Unknown)
    }

    /// Succeeds if all these registers have the same value in each period.
    fn constant(&self, registers: &[Register]) -> Result<(), Unknown> {
        registers.iter().all(|register| self.of(*register) == 0).then_some(()).ok_or(Unknown)
    }

    /// Follows an instruction, before which the registers are `values` and the carry is `carry`. A
    /// load is also to be reported to [`loaded`](Self::loaded) after it.
    pub(super) fn follow(&mut self, instruction: Instruction, values: &[u32; 16], carry: bool) {
        let known = self.step(instruction, values, carry);
        self.unknown.set(self.is_unknown() | known.is_err());
    }

    /// # Errors
    /// [`Unknown`] if the instruction does more than to change registers and flags or to load, if
    /// the address of the load changes, or if it makes something else than a sum of a value that
    /// changes.
    fn step(
        &mut self,
        instruction: Instruction,
        values: &[u32; 16],
        carry: bool,
    ) -> Result<(), Unknown> {
        use Instruction as I;
        let immediate = |value: u8| Line { value: value.into(), slope: 0 };
        let carry = i64::from(carry);
        match instruction {
            I::MovsRegister { d, m } => {
                self.limit(self.line(values, m));
                self.set(d, self.of(m))
            }
            I::Mov { d, m } => self.set(d, self.of(m)),
            I::AddsRegister { d, n, m } => {
                let slope = self.sum(self.line(values, n), self.line(values, m), 1, 0)?;
                self.set(d, slope)
            }
            I::SubsRegister { d, n, m } => {
                let slope = self.sum(self.line(values, n), self.line(values, m), -1, 0)?;
                self.set(d, slope)
            }
            I::Adcs { d, m } => {
                let slope = self.sum(self.line(values, d), self.line(values, m), 1, carry)?;
                self.set(d, slope)
            }
            I::Sbcs { d, m } => {
                let slope = self.sum(self.line(values, d), self.line(values, m), -1, carry - 1)?;
                self.set(d, slope)
            }
            I::AddsImmediate { d, n, value } => {
                let slope = self.sum(self.line(values, n), immediate(value), 1, 0)?;
                self.set(d, slope)
            }
            I::SubsImmediate { d, n, value } => {
                let slope = self.sum(self.line(values, n), immediate(value), -1, 0)?;
                self.set(d, slope)
            }
            I::SubsImmediateThen { d, value, .. } | I::SubsImmediateThenBne { d, value, .. } => {
                let slope = self.sum(self.line(values, d), immediate(value), -1, 0)?;
                self.set(d, slope)
            }
            I::CmpImmediate { n, value } | I::CmpImmediateThen { n, value, .. } => {
                self.sum(self.line(values, n), immediate(value), -1, 0).map(drop)
            }
            I::Cmp { n, m } | I::CmpThen { n, m, .. } => {
                self.sum(self.line(values, n), self.line(values, m), -1, 0).map(drop)
            }
            I::Cmn { n, m } => self.sum(self.line(values, n), self.line(values, m), 1, 0).map(drop),
            // These do not set flags.
            I::Add { d, m } => self.set(d, self.of(d).checked_add(self.of(m)).ok_or(Unknown)?),
            I::MovsImmediate { d, .. } | I::Adr { d, .. } | I::MovFromPc { d } => self.set(d, 0),
            I::AddPcTo { d } => self.set(d, self.of(d)),
            I::AdjustSp { .. } => Ok(()),
            I::AddSp { d, .. } => self.set(d, 0),
            // These make a constant of constants.
            I::LslsImmediate { d, m, .. }
            | I::LsrsImmediate { d, m, .. }
            | I::AsrsImmediate { d, m, .. }
            | I::Mvns { d, m }
            | I::Rsbs { d, n: m }
            | I::Sxth { d, m }
            | I::Sxtb { d, m }
            | I::Uxth { d, m }
            | I::Uxtb { d, m }
            | I::Rev { d, m }
            | I::Rev16 { d, m }
            | I::Revsh { d, m } => {
                self.constant(&[m])?;
                self.set(d, 0)
            }
            I::LslsImmediateThen { dm, .. } => {
                self.constant(&[Register::new(dm)])?;
                self.set(Register::new(dm >> 4), 0)
            }
            I::Ands { d, m }
            | I::Eors { d, m }
            | I::LslsRegister { d, m }
            | I::LsrsRegister { d, m }
            | I::AsrsRegister { d, m }
            | I::RorsRegister { d, m }
            | I::Orrs { d, m }
            | I::Muls { d, m }
            | I::Bics { d, m } => self.constant(&[d, m]),
            I::Tst { n, m } | I::TstThen { n, m, .. } => self.constant(&[n, m]),
            // The flags are as in this period.
            I::Beq { .. }
            | I::Bne { .. }
            | I::Bcs { .. }
            | I::Bcc { .. }
            | I::Bmi { .. }
            | I::Bpl { .. }
            | I::Bvs { .. }
            | I::Bvc { .. }
            | I::Bhi { .. }
            | I::Bls { .. }
            | I::Bge { .. }
            | I::Blt { .. }
            | I::Bgt { .. }
            | I::Ble { .. }
            | I::B { .. }
            | I::Nop
            | I::Yield => Ok(()),
            I::Bl { .. } => self.set(Register::LR, 0),
            I::Bx { m } | I::MovToPc { m } | I::AddToPc { m } => self.constant(&[m]),
            I::Blx { m } => {
                self.constant(&[m])?;
                self.set(Register::LR, 0)
            }
            I::LdrLiteral { .. } => Ok(()),
            I::LdrRegister { n, m, .. }
            | I::LdrhRegister { n, m, .. }
            | I::LdrbRegister { n, m, .. }
            | I::LdrsbRegister { n, m, .. }
            | I::LdrshRegister { n, m, .. } => self.constant(&[n, m]),
            I::LdrImmediate { n, .. } | I::LdrbImmediate { n, .. } | I::LdrhImmediate { n, .. } => {
                self.constant(&[n])
            }
            _ => Err(Unknown),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const R1: Register = Register::new(1);
    const R2: Register = Register::new(2);

    /// The flags of a subtraction: N, Z, C and V.
    fn flags(a: u32, b: u32) -> (bool, bool, bool, bool) {
        let (result, borrow) = a.overflowing_sub(b);
        let (_, overflow) = (a as i32).overflowing_sub(b as i32);
        ((result as i32) < 0, result == 0, !borrow, overflow)
    }

    #[test]
    fn flags_stay_the_same_for_the_number_of_periods_given() {
        let (mut state, mut long) = (0x5EED_u32, 0);
        for _ in 0..20_000 {
            let mut random = |range: i32| {
                state ^= state << 13;
                state ^= state >> 17;
                state ^= state << 5;
                (state >> 4) as i32 % range
            };
            // Near the values at which flags change.
            let place = |n: i32, random: i32| ((n % 4) as u32) << 30 ^ (random - 500) as u32;
            let (a, b) = (place(random(9), random(1000)), place(random(9), random(1000)));
            let (da, db) = (random(9) - 4, random(9) - 4);
            let mut registers = [0; 15];
            (registers[1], registers[2]) = (da, db);
            let mut slopes = Slopes::new(registers, 0);
            let mut values = [0; 16];
            (values[1], values[2]) = (a, b);
            slopes.follow(Instruction::Cmp { n: R1, m: R2 }, &values, false);
            assert!(!slopes.is_unknown());
            for n in 0..=slopes.periods.min(2_000) as i32 {
                let at = |value: u32, slope: i32| value.wrapping_add_signed(slope * n);
                assert_eq!(flags(at(a, da), at(b, db)), flags(a, b), "{a:x} {da} {b:x} {db} {n}");
            }
            long += u32::from(slopes.periods != u64::MAX && slopes.periods > 10);
        }
        assert!(long > 1_000, "{long}");
    }

    #[test]
    fn only_sums_of_a_changing_value_are_known() {
        let mut registers = [0; 15];
        registers[1] = 5;
        let slopes = Slopes::new(registers, 0);
        let values = [1 << 20; 16];
        let after = |instruction| {
            let mut slopes = slopes.clone();
            slopes.step(instruction, &values, true).map(|()| slopes.registers[2])
        };
        use Instruction as I;
        assert_eq!(after(I::AddsRegister { d: R2, n: R1, m: R1 }), Ok(10));
        assert_eq!(after(I::SubsRegister { d: R2, n: R2, m: R1 }), Ok(-5));
        assert_eq!(after(I::Mov { d: R2, m: R1 }), Ok(5));
        assert_eq!(after(I::LslsImmediate { d: R2, m: R1, shift: 1 }), Err(Unknown));
        assert_eq!(after(I::Ands { d: R2, m: R1 }), Err(Unknown));
        assert_eq!(after(I::Bx { m: R1 }), Err(Unknown));
        assert_eq!(after(I::Mov { d: Register::SP, m: R1 }), Err(Unknown));
        assert_eq!(after(I::StrImmediate { t: R1, n: R2, offset: 0 }), Err(Unknown));
    }
}
