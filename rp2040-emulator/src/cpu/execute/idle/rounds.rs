//! Finds the rounds of polling loops that repeat while their load gives the same value.
//!
//! A round begins with a load, continues with operations that only compute, and ends with a branch
//! that leads back to the load. If no operation uses what a later one sets, the registers and flags
//! after a round depend on the loaded value and on what the round does not change. Then a second
//! round with the same address and value changes nothing and need not be executed. The operations
//! of a block show this; whether the load gives the same value again is for the caller to find out.

use crate::cpu::blocks::{Blocks, Op};
use crate::cpu::instruction::Register;

/// A round, by the indices of its operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cpu::execute) struct Round {
    pub(super) load: usize,
    /// The branch that is taken.
    pub(super) branch: usize,
    /// The target of the branch: the load, or the first of some operations before it.
    pub(super) begin: usize,
    /// Cycles of the round without its load.
    pub(super) cycles: u32,
}

impl Round {
    /// The round from this load to this branch, which leads to an operation of the same block.
    #[inline(always)]
    pub(super) fn new(blocks: &Blocks, load: usize, branch: usize) -> Self {
        let exit = blocks.exit(branch);
        let begin = exit.linked as usize;
        let since = |index: usize| blocks.mark(index).passed as u32;
        let cycles = exit.passed as u32 - since(load + 1) + since(load) - since(begin);
        Self { load, branch, begin, cycles }
    }

    /// Whether the round is the load and one more operation.
    #[inline(always)]
    pub(in crate::cpu::execute) fn is_brief(self) -> bool {
        (self.begin, self.branch) == (self.load, self.load + 1)
    }
}

/// Returns the branch that ends a round which begins with operation `load`, if there is one.
pub(super) fn find(blocks: &Blocks, load: usize) -> Option<usize> {
    let ops = blocks.ops_to(None);
    let is_in_block = |op: &&Op| !matches!(op, Op::End);
    let end = load + ops.get(load..)?.iter().take_while(is_in_block).count();
    (load + 1..end).find(|branch| {
        // A block links a branch to the first of its own operations that is the target. Between two
        // blocks is an `Op::End`, which no round has.
        let begin = blocks.exit(*branch).linked as usize;
        ops[*branch].is_branch() && begin <= load && repeats(ops, load, *branch, begin)
    })
}

/// The registers and flags that an operation uses and sets: bits 0 to 15 are the registers, the
/// bits above are the flags below.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Uses {
    used: u32,
    set: u32,
}

/// N and Z, which all results set together.
const NZ: u32 = 1 << 16;
const C: u32 = 1 << 17;
const V: u32 = 1 << 18;
const FLAGS: u32 = NZ | C | V;

/// Whether a second round with the same value, loaded from the same address, changes nothing.
fn repeats(ops: &[Op], at: usize, branch: usize, begin: usize) -> bool {
    let Some(target) = ops.get(at).and_then(|op| load(*op)) else { return false };
    let computed = ops[at + 1..=branch].iter().chain(&ops[begin..at]);
    let Some(computed) = computed.map(|op| uses(*op)).collect::<Option<Vec<_>>>() else {
        return false;
    };
    let mut set = bit(target);
    let all = computed.iter().fold(set, |all, uses| all | uses.set);
    computed.iter().all(|uses| {
        let before = uses.used & all & !set;
        set |= uses.set;
        before == 0
    })
}

/// The register that a load sets.
fn load(op: Op) -> Option<Register> {
    match op {
        Op::LdrsbRegister { t, .. }
        | Op::LdrRegister { t, .. }
        | Op::LdrhRegister { t, .. }
        | Op::LdrbRegister { t, .. }
        | Op::LdrshRegister { t, .. }
        | Op::LdrImmediate { t, .. }
        | Op::LdrbImmediate { t, .. }
        | Op::LdrhImmediate { t, .. } => Some(t),
        _ => None,
    }
}

fn bit(register: Register) -> u32 {
    1 << register.index()
}

/// The registers and flags of an operation that only computes or branches; `None` for any other.
fn uses(op: Op) -> Option<Uses> {
    let (used, set) = match op {
        Op::MovsRegister { d, m } | Op::Mvns { d, m } => (bit(m), bit(d) | NZ),
        Op::LslsImmediate { d, m, .. }
        | Op::LsrsImmediate { d, m, .. }
        | Op::AsrsImmediate { d, m, .. } => (bit(m), bit(d) | NZ | C),
        Op::AddsRegister { d, n, m } | Op::SubsRegister { d, n, m } => {
            (bit(n) | bit(m), bit(d) | FLAGS)
        }
        Op::AddsImmediate { d, n, .. } | Op::SubsImmediate { d, n, .. } | Op::Rsbs { d, n } => {
            (bit(n), bit(d) | FLAGS)
        }
        Op::MovsImmediate { d, .. } => (0, bit(d) | NZ),
        Op::CmpImmediate { n, .. } => (bit(n), FLAGS),
        Op::Ands { d, m }
        | Op::Eors { d, m }
        | Op::Orrs { d, m }
        | Op::Muls { d, m }
        | Op::Bics { d, m } => (bit(d) | bit(m), bit(d) | NZ),
        // A shift by 0 leaves the carry unchanged.
        Op::LslsRegister { d, m }
        | Op::LsrsRegister { d, m }
        | Op::AsrsRegister { d, m }
        | Op::RorsRegister { d, m } => (bit(d) | bit(m) | C, bit(d) | NZ | C),
        Op::Adcs { d, m } | Op::Sbcs { d, m } => (bit(d) | bit(m) | C, bit(d) | FLAGS),
        Op::Tst { n, m } | Op::TstThenBeq { n, m, .. } | Op::TstThenBne { n, m, .. } => {
            (bit(n) | bit(m), NZ)
        }
        Op::TstThen { n, m, .. } => (bit(n) | bit(m) | C | V, NZ),
        Op::Cmp { n, m }
        | Op::Cmn { n, m }
        | Op::CmpThenBeq { n, m, .. }
        | Op::CmpThenBne { n, m, .. }
        | Op::CmpThenBcs { n, m, .. }
        | Op::CmpThenBcc { n, m, .. }
        | Op::CmpThenBhi { n, m, .. }
        | Op::CmpThenBls { n, m, .. }
        | Op::CmpThenBge { n, m, .. }
        | Op::CmpThenBlt { n, m, .. }
        | Op::CmpThen { n, m, .. } => (bit(n) | bit(m), FLAGS),
        Op::CmpImmediateThenBeq { n, .. }
        | Op::CmpImmediateThenBne { n, .. }
        | Op::CmpImmediateThenBcs { n, .. }
        | Op::CmpImmediateThenBcc { n, .. }
        | Op::CmpImmediateThenBhi { n, .. }
        | Op::CmpImmediateThenBls { n, .. }
        | Op::CmpImmediateThenBge { n, .. }
        | Op::CmpImmediateThenBlt { n, .. }
        | Op::CmpImmediateThen { n, .. } => (bit(n), FLAGS),
        Op::SubsImmediateThenBne { d, .. } | Op::SubsImmediateThen { d, .. } => {
            (bit(d), bit(d) | FLAGS)
        }
        Op::LslsImmediateThenBmi { dm, .. } | Op::LslsImmediateThenBpl { dm, .. } => {
            (bit(Register::new(dm)), bit(Register::new(dm >> 4)) | NZ | C)
        }
        Op::LslsImmediateThen { dm, .. } => {
            (bit(Register::new(dm)) | V, bit(Register::new(dm >> 4)) | NZ | C)
        }
        Op::Add { d, m } => (bit(d) | bit(m), bit(d)),
        Op::Mov { d, m }
        | Op::Sxth { d, m }
        | Op::Sxtb { d, m }
        | Op::Uxth { d, m }
        | Op::Uxtb { d, m }
        | Op::Rev { d, m }
        | Op::Rev16 { d, m }
        | Op::Revsh { d, m } => (bit(m), bit(d)),
        Op::AddSp { d, .. } => (bit(Register::SP), bit(d)),
        Op::Constant { d, .. } => (0, bit(d)),
        Op::Beq { .. } | Op::Bne { .. } | Op::Bmi { .. } | Op::Bpl { .. } => (NZ, 0),
        Op::Bcs { .. } | Op::Bcc { .. } => (C, 0),
        Op::Bhi { .. } | Op::Bls { .. } => (NZ | C, 0),
        Op::Bge { .. } | Op::Blt { .. } => (NZ | V, 0),
        Op::BranchIf { .. } => (FLAGS, 0),
        Op::Nothing => (0, 0),
        _ => return None,
    };
    Some(Uses { used, set })
}

#[cfg(test)]
mod tests {
    use super::*;

    const R: [Register; 4] =
        [Register::new(0), Register::new(1), Register::new(2), Register::new(3)];
    const BACK: Op = Op::Bne { offset: -4 };

    /// Checks whether a round of a load to R0 through R1, `computed` and a branch back repeats.
    #[track_caller]
    fn check(computed: &[Op], repeated: bool) {
        let load = Op::LdrImmediate { t: R[0], n: R[1], offset: 4 };
        let ops: Vec<Op> =
            [load].into_iter().chain(computed.iter().copied()).chain([BACK]).collect();
        assert_eq!(repeats(&ops, 0, ops.len() - 1, 0), repeated, "{computed:?}");
    }

    #[test]
    fn a_round_repeats_if_it_uses_only_what_it_has_set_or_never_sets() {
        check(&[Op::LslsImmediate { d: R[0], m: R[0], shift: 3 }], true);
        check(&[Op::Tst { n: R[0], m: R[2] }], true);
        check(&[Op::Mov { d: R[2], m: R[0] }, Op::Cmp { n: R[2], m: R[3] }], true);
        check(&[Op::Constant { d: R[2], value: 7 }, Op::Ands { d: R[0], m: R[2] }], true);
    }

    #[test]
    fn a_round_that_counts_or_keeps_the_last_value_does_not_repeat() {
        check(&[Op::AddsImmediate { d: R[2], n: R[2], value: 1 }], false);
        check(&[Op::Eors { d: R[0], m: R[2] }, Op::Mov { d: R[2], m: R[0] }], false);
        check(&[Op::Adcs { d: R[0], m: R[2] }], false);
        check(&[Op::LslsRegister { d: R[0], m: R[2] }], false);
    }

    #[test]
    fn a_round_that_stores_or_loads_more_does_not_repeat() {
        check(&[Op::StrImmediate { t: R[0], n: R[2], offset: 0 }], false);
        check(&[Op::LdrImmediate { t: R[2], n: R[3], offset: 0 }], false);
    }

    #[test]
    fn flags_that_a_branch_uses_are_set_in_the_round() {
        // Without a comparison the branch depends on flags from before the round.
        check(&[], true);
        check(&[Op::MovsRegister { d: R[2], m: R[0] }], true);
        check(&[Op::Bcs { offset: 9 }, Op::LsrsImmediate { d: R[0], m: R[0], shift: 1 }], false);
    }
}
