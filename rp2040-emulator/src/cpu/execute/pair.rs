//! A comparison and the branch after it, in one step of the loop.
//!
//! The pair can still be interrupted in between: with no time left for the branch, and where it
//! leaves the region, the first instruction is executed alone; the second has its own slot.

use super::{Done, Runner, alone, done};
use crate::cpu::bus::Bus;
use crate::cpu::instruction::Branch;

impl<B: Bus> Runner<'_, B> {
    /// Executes the branch after the instruction in slot `index`, which took a cycle and has set
    /// the flags. `room` is the number of cycles that were left before that instruction.
    #[inline(always)]
    pub(super) fn then(&self, index: usize, room: u32, branch: Branch) -> Done {
        let flags = &self.cpu.flags;
        let bits = u32::from(flags.negative()) << 3
            | u32::from(flags.zero()) << 2
            | u32::from(flags.carry) << 1
            | flags.overflow >> 31;
        self.then_if(index, room, branch.taken >> bits & 1 != 0, branch.offset)
    }

    /// Executes the branch as [`then`](Self::then) does, with its condition evaluated.
    #[inline(always)]
    pub(super) fn then_if(&self, index: usize, room: u32, taken: bool, offset: i8) -> Done {
        // `offset` is in halfwords from the branch's address plus four.
        let target = index.wrapping_add_signed(isize::from(offset) + 3);
        if room <= 1 {
            alone(1, index + 1)
        } else if !taken {
            done(2, 2, index + 2)
        } else if target.wrapping_sub(self.start) < self.length {
            done(2, 3, target)
        } else {
            alone(1, index + 1)
        }
    }
}
