//! Results and flags of the fast loop's operations.

use super::{Core, Guarded};
use crate::cpu::instruction::Register;

impl<G: Guarded> Core<'_, G> {
    #[inline(always)]
    pub(super) fn result(&mut self, d: Register, result: u32) {
        self.set(d, result);
        self.flags.set_result(result);
    }

    #[inline(always)]
    pub(super) fn add_to_sp(&mut self, value: u32) {
        self.set(Register::SP, self.get(Register::SP).wrapping_add(value) & !3);
    }

    /// Sets all flags as an addition does.
    #[inline(always)]
    pub(super) fn sum(&mut self, a: u32, b: u32) -> u32 {
        let (sum, carry) = a.overflowing_add(b);
        self.flags.carry = carry;
        self.flags.overflow = (a ^ sum) & (b ^ sum);
        self.flags.set_result(sum);
        sum
    }

    #[inline(always)]
    pub(super) fn add(&mut self, d: Register, a: u32, b: u32) {
        let sum = self.sum(a, b);
        self.set(d, sum);
    }

    /// Compares and sets all flags. Carry means that nothing was borrowed.
    #[inline(always)]
    pub(super) fn compare(&mut self, a: u32, b: u32) {
        let difference = a.wrapping_sub(b);
        self.flags.carry = a >= b;
        self.flags.overflow = (a ^ b) & (a ^ difference);
        self.flags.set_result(difference);
    }

    #[inline(always)]
    pub(super) fn subtract(&mut self, d: Register, a: u32, b: u32) {
        self.compare(a, b);
        self.set(d, a.wrapping_sub(b));
    }

    #[inline(always)]
    pub(super) fn add_with_carry(&mut self, d: Register, a: u32, b: u32) {
        let wide = u64::from(a) + u64::from(b) + u64::from(self.flags.carry);
        let sum = wide as u32;
        self.flags.carry = wide >> 32 != 0;
        self.flags.overflow = (a ^ sum) & (b ^ sum);
        self.result(d, sum);
    }

    /// Shifts by 1 to 31 bits. The last bit shifted out is the carry.
    #[inline(always)]
    pub(super) fn shifted_left(&mut self, d: Register, value: u32, by: u8) {
        let wide = u64::from(value) << (by & 31);
        self.flags.carry = wide >> 32 & 1 != 0;
        self.result(d, wide as u32);
    }

    /// Shifts by 1 to 32 bits. The last bit shifted out is the carry.
    #[inline(always)]
    pub(super) fn shifted_right(&mut self, d: Register, value: u32, by: u8) {
        let wide = u64::from(value) << 1 >> (by & 63);
        self.flags.carry = wide & 1 != 0;
        self.result(d, (wide >> 1) as u32);
    }

    /// Shifts by 1 to 32 bits. The last bit shifted out is the carry.
    #[inline(always)]
    pub(super) fn shifted_signed(&mut self, d: Register, value: u32, by: u8) {
        let wide = i64::from(value as i32) << 1 >> (by & 63);
        self.flags.carry = wide & 1 != 0;
        self.result(d, (wide >> 1) as u32);
    }

    /// Shifts by 0 to 255 bits. The last bit shifted out is the carry, which a shift by 0 does not
    /// change.
    #[inline(always)]
    pub(super) fn shift_left(&mut self, d: Register, value: u32, by: u8) {
        let wide = u64::from(value) << by.min(33);
        if by != 0 {
            self.flags.carry = wide >> 32 & 1 != 0;
        }
        self.result(d, wide as u32);
    }

    /// Shifts as [`shift_left`](Self::shift_left) does. An additional bit below holds the last bit
    /// shifted out.
    #[inline(always)]
    pub(super) fn shift_right(&mut self, d: Register, value: u32, by: u8) {
        let wide = u64::from(value) << 1 >> by.min(33);
        if by != 0 {
            self.flags.carry = wide & 1 != 0;
        }
        self.result(d, (wide >> 1) as u32);
    }

    #[inline(always)]
    pub(super) fn shift_signed(&mut self, d: Register, value: u32, by: u8) {
        let wide = i64::from(value as i32) << 1 >> by.min(33);
        if by != 0 {
            self.flags.carry = wide & 1 != 0;
        }
        self.result(d, (wide >> 1) as u32);
    }

    #[inline(always)]
    pub(super) fn rotate(&mut self, d: Register, value: u32, by: u8) {
        let rotated = value.rotate_right(u32::from(by) & 31);
        if by != 0 {
            self.flags.carry = rotated >> 31 != 0;
        }
        self.result(d, rotated);
    }
}
