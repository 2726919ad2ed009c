//! Branches and their conditions.

use super::{Pause, Runner};
use crate::bus::Bus;
use crate::instruction::Register;

/// Cycles of a taken branch.
pub(super) const TAKEN: u64 = 2;
const LINKED: u64 = 3;

impl<B: Bus> Runner<'_, B> {
    #[inline(always)]
    pub(super) fn branch_if(&mut self, condition: bool, offset: i32) -> Result<u64, Pause> {
        if condition { self.branch(offset, TAKEN) } else { Ok(1) }
    }

    /// `offset` counts from the instruction's address plus four.
    #[inline(always)]
    pub(super) fn branch(&mut self, offset: i32, cycles: u64) -> Result<u64, Pause> {
        let target = self.index.wrapping_add_signed((offset >> 1) as isize + 1);
        if target.wrapping_sub(self.start) < self.length {
            self.index = target;
            Ok(cycles)
        } else {
            Err(Pause::Jump { target: self.pc().wrapping_add_signed(offset) | 1, cycles })
        }
    }

    #[inline(always)]
    pub(super) fn branch_with_link(&mut self, offset: i32) -> Result<u64, Pause> {
        self.set(Register::LR, self.pc() | 1);
        self.branch(offset, LINKED)
    }

    /// To an address in a register or from the stack, whose bit 0 says Thumb.
    #[inline(always)]
    pub(super) fn jump(&mut self, target: u32, cycles: u64) -> Result<u64, Pause> {
        // The base is even, so the lowest bit of the sum is the target's.
        let halfwords = target.wrapping_sub(self.base);
        let index = (halfwords / 2) as usize;
        if halfwords & 1 != 0 && index.wrapping_sub(self.start) < self.length {
            self.index = index;
            Ok(cycles)
        } else {
            Err(Pause::Jump { target, cycles })
        }
    }

    #[inline(always)]
    pub(super) fn higher(&self) -> bool {
        self.cpu.flags.carry & !self.cpu.flags.zero()
    }

    #[inline(always)]
    pub(super) fn greater_or_equal(&self) -> bool {
        self.cpu.flags.negative() == self.cpu.flags.overflowed()
    }

    #[inline(always)]
    pub(super) fn greater(&self) -> bool {
        !self.cpu.flags.zero() & self.greater_or_equal()
    }
}
