//! The most frequent rounds of polling loops, without a block.

use crate::cpu::blocks::{Blocks, Op, Passed, Round};
use crate::cpu::flags::Flags;
use crate::cpu::instruction::Register;

/// As [`go_round`](crate::cpu::execute::fast::go_round), if the round is one of the most frequent: a test of what was loaded, and a branch back to the load.
#[inline(always)]
pub(super) fn turn(
    registers: &mut [u32; 16],
    flags: &mut Flags,
    blocks: &Blocks,
    round: Round,
) -> Option<(Passed, usize, bool)> {
    if !round.is_brief() {
        return None;
    }
    let Round { load, branch, .. } = round;
    let mut shift = |dm: u8, by: u8| {
        let wide = u64::from(registers[Register::new(dm).index()]) << (by & 31);
        registers[Register::new(dm >> 4).index()] = wide as u32;
        flags.carry = wide >> 32 & 1 != 0;
        flags.set_result(wide as u32);
    };
    let taken = match blocks.op(branch)? {
        Op::LslsImmediateThenBmi { dm, shift: by, .. } => {
            shift(dm, by);
            flags.negative()
        }
        Op::LslsImmediateThenBpl { dm, shift: by, .. } => {
            shift(dm, by);
            !flags.negative()
        }
        Op::TstThenBeq { n, m, .. } => {
            flags.set_result(registers[n.index()] & registers[m.index()]);
            flags.zero()
        }
        Op::TstThenBne { n, m, .. } => {
            flags.set_result(registers[n.index()] & registers[m.index()]);
            !flags.zero()
        }
        _ => return None,
    };
    let (test, behind) = (blocks.mark(branch), blocks.mark(branch + 1));
    let (passed, next) = match taken {
        true => (blocks.exit(branch).passed, blocks.mark(load).slot),
        false => (behind.passed, behind.slot),
    };
    Some((passed - test.passed, next as usize, taken))
}
