//! Arithmetic, logic, shifts and moves.

use super::Runner;
use crate::cpu::bus::Bus;
use crate::cpu::instruction::Register;

/// Operations that compute. Each returns its cycles.
impl<B: Bus> Runner<'_, B> {
    /// Writes a result and sets N and Z from it.
    #[inline(always)]
    pub(super) fn result(&mut self, d: Register, result: u32) -> u32 {
        self.set(d, result);
        self.test(result)
    }

    /// Sets N and Z.
    #[inline(always)]
    pub(super) fn test(&mut self, result: u32) -> u32 {
        self.cpu.flags.set_result(result);
        1
    }

    /// Writes a register without changing the flags. The stack pointer stays aligned.
    #[inline(always)]
    pub(super) fn move_to(&mut self, d: Register, value: u32) -> u32 {
        let kept = if d == Register::SP { !3 } else { !0 };
        self.set(d, value & kept);
        1
    }

    #[inline(always)]
    pub(super) fn add(&mut self, d: Register, a: u32, b: u32) -> u32 {
        let (sum, carry) = a.overflowing_add(b);
        self.cpu.flags.carry = carry;
        self.cpu.flags.overflow = (a ^ sum) & (b ^ sum);
        self.result(d, sum)
    }

    #[inline(always)]
    pub(super) fn compare_negative(&mut self, a: u32, b: u32) -> u32 {
        let (sum, carry) = a.overflowing_add(b);
        self.cpu.flags.carry = carry;
        self.cpu.flags.overflow = (a ^ sum) & (b ^ sum);
        self.test(sum)
    }

    #[inline(always)]
    pub(super) fn subtract(&mut self, d: Register, a: u32, b: u32) -> u32 {
        self.set(d, a.wrapping_sub(b));
        self.compare(a, b)
    }

    /// Subtracts and sets the flags. Carry means that nothing was borrowed.
    #[inline(always)]
    pub(super) fn compare(&mut self, a: u32, b: u32) -> u32 {
        let difference = a.wrapping_sub(b);
        self.cpu.flags.carry = a >= b;
        self.cpu.flags.overflow = (a ^ b) & (a ^ difference);
        self.test(difference)
    }

    /// Adds with carry. With `b` inverted it subtracts with borrow.
    #[inline(always)]
    pub(super) fn add_with_carry(&mut self, d: Register, a: u32, b: u32) -> u32 {
        let wide = u64::from(a) + u64::from(b) + u64::from(self.cpu.flags.carry);
        let sum = wide as u32;
        self.cpu.flags.carry = wide >> 32 != 0;
        self.cpu.flags.overflow = (a ^ sum) & (b ^ sum);
        self.result(d, sum)
    }

    /// Shifts by 0 to 255 bits. The last bit shifted out is the carry, which a shift by 0 does not
    /// change.
    #[inline(always)]
    pub(super) fn shift_left(&mut self, d: Register, value: u32, by: u32) -> u32 {
        let wide = u64::from(value) << by.min(33);
        if by != 0 {
            self.cpu.flags.carry = wide >> 32 & 1 != 0;
        }
        self.result(d, wide as u32)
    }

    /// Shifts as [`shift_left`](Self::shift_left) does. An additional bit below holds the last bit
    /// shifted out.
    #[inline(always)]
    pub(super) fn shift_right(&mut self, d: Register, value: u32, by: u32) -> u32 {
        let wide = u64::from(value) << 1 >> by.min(33);
        if by != 0 {
            self.cpu.flags.carry = wide & 1 != 0;
        }
        self.result(d, (wide >> 1) as u32)
    }

    /// Shifts as [`shift_right`](Self::shift_right) does, and extends the sign.
    #[inline(always)]
    pub(super) fn shift_arithmetic(&mut self, d: Register, value: u32, by: u32) -> u32 {
        let wide = i64::from(value as i32) << 1 >> by.min(33);
        if by != 0 {
            self.cpu.flags.carry = wide & 1 != 0;
        }
        self.result(d, (wide >> 1) as u32)
    }

    #[inline(always)]
    pub(super) fn rotate(&mut self, d: Register, value: u32, by: u32) -> u32 {
        let rotated = value.rotate_right(by & 31);
        if by != 0 {
            self.cpu.flags.carry = rotated >> 31 != 0;
        }
        self.result(d, rotated)
    }
}
