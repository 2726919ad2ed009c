//! Branches and their conditions.

use super::{Done, Pause, Runner, TAKEN, alone};
use crate::cpu::bus::Bus;
use crate::cpu::instruction::Register;

/// Cycles of a branch with link.
const LINKED: u32 = 3;

impl<B: Bus> Runner<'_, B> {
    #[inline(always)]
    pub(super) fn branch_if(
        &mut self,
        index: usize,
        condition: bool,
        offset: i32,
    ) -> Result<Done, Pause> {
        if condition { self.branch(index, offset, TAKEN) } else { Ok(alone(1, index + 1)) }
    }

    /// Branches by `offset` bytes, counted from the address plus four of the instruction in slot
    /// `index`.
    #[inline(always)]
    pub(super) fn branch(&mut self, index: usize, offset: i32, cycles: u32) -> Result<Done, Pause> {
        let target = index.wrapping_add_signed((offset >> 1) as isize + 2);
        if target.wrapping_sub(self.start) < self.length {
            Ok(alone(cycles, target))
        } else {
            Err(Pause::Jump { target: self.pc(index).wrapping_add_signed(offset) | 1, cycles })
        }
    }

    #[inline(always)]
    pub(super) fn branch_with_link(&mut self, index: usize, offset: i32) -> Result<Done, Pause> {
        self.set(Register::LR, self.pc(index) | 1);
        self.branch(index, offset, LINKED)
    }

    /// Jumps to an address from a register or the stack, whose bit 0 is the Thumb bit.
    #[inline(always)]
    pub(super) fn jump(&mut self, target: u32, cycles: u32) -> Result<Done, Pause> {
        // The base is even, so the lowest bit of the difference is the target's.
        let halfwords = target.wrapping_sub(self.base);
        let index = (halfwords / 2) as usize;
        if halfwords & 1 != 0 && index.wrapping_sub(self.start) < self.length {
            Ok(alone(cycles, index))
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
