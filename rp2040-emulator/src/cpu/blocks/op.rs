//! The operations of the fast loop, and what each instruction becomes.
//!
//! Instructions that need more than registers and memory have no operation: those that interrupts
//! depend on, barriers, sleep, and everything that faults.

use super::{Next, Passed, Step, passed};
use crate::cpu::instruction::{Branch, Instruction, Register};

/// An operation of eight bytes. Names and operands are those of [`Instruction`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[rustfmt::skip] // a line a variant, as a table
pub(crate) enum Op {
    MovsRegister { d: Register, m: Register },
    LslsImmediate { d: Register, m: Register, shift: u8 },
    LsrsImmediate { d: Register, m: Register, shift: u8 },
    AsrsImmediate { d: Register, m: Register, shift: u8 },
    AddsRegister { d: Register, n: Register, m: Register },
    SubsRegister { d: Register, n: Register, m: Register },
    AddsImmediate { d: Register, n: Register, value: u8 },
    SubsImmediate { d: Register, n: Register, value: u8 },
    MovsImmediate { d: Register, value: u8 },
    CmpImmediate { n: Register, value: u8 },

    Ands { d: Register, m: Register },
    Eors { d: Register, m: Register },
    LslsRegister { d: Register, m: Register },
    LsrsRegister { d: Register, m: Register },
    AsrsRegister { d: Register, m: Register },
    Adcs { d: Register, m: Register },
    Sbcs { d: Register, m: Register },
    RorsRegister { d: Register, m: Register },
    Tst { n: Register, m: Register },
    Rsbs { d: Register, n: Register },
    Cmp { n: Register, m: Register },
    Cmn { n: Register, m: Register },
    Orrs { d: Register, m: Register },
    Muls { d: Register, m: Register },
    Bics { d: Register, m: Register },
    Mvns { d: Register, m: Register },

    Add { d: Register, m: Register },
    Mov { d: Register, m: Register },
    /// Writes the stack pointer, whose low bits stay zero.
    AddToSp { m: Register },
    MovToSp { m: Register },
    AddSp { d: Register, offset: u16 },
    AdjustSp { offset: i16 },
    /// Writes a known value: an address, or a literal in flash.
    Constant { d: Register, value: u32 },

    LdrConstant { t: Register, address: u32 },
    StrRegister { t: Register, n: Register, m: Register },
    StrhRegister { t: Register, n: Register, m: Register },
    StrbRegister { t: Register, n: Register, m: Register },
    LdrsbRegister { t: Register, n: Register, m: Register },
    LdrRegister { t: Register, n: Register, m: Register },
    LdrhRegister { t: Register, n: Register, m: Register },
    LdrbRegister { t: Register, n: Register, m: Register },
    LdrshRegister { t: Register, n: Register, m: Register },
    StrImmediate { t: Register, n: Register, offset: u16 },
    LdrImmediate { t: Register, n: Register, offset: u16 },
    StrbImmediate { t: Register, n: Register, offset: u16 },
    LdrbImmediate { t: Register, n: Register, offset: u16 },
    StrhImmediate { t: Register, n: Register, offset: u16 },
    LdrhImmediate { t: Register, n: Register, offset: u16 },
    /// Transfers a list of registers, with its count.
    Push { list: u16, count: u8 },
    /// Pushes two registers, `a` to the lower address.
    PushTwo { a: Register, b: Register },
    Pop { list: u16, count: u8 },
    PopPc { list: u16, count: u8 },
    /// Pops one register and the program counter.
    PopPcAnd { a: Register },
    Stm { n: Register, list: u8, count: u8 },
    Ldm { n: Register, list: u8, count: u8 },

    Sxth { d: Register, m: Register },
    Sxtb { d: Register, m: Register },
    Uxth { d: Register, m: Register },
    Uxtb { d: Register, m: Register },
    Rev { d: Register, m: Register },
    Rev16 { d: Register, m: Register },
    Revsh { d: Register, m: Register },

    /// Conditional branches to their own slot plus two plus `offset` halfwords.
    Beq { offset: i8 },
    Bne { offset: i8 },
    Bcs { offset: i8 },
    Bcc { offset: i8 },
    Bmi { offset: i8 },
    Bpl { offset: i8 },
    Bhi { offset: i8 },
    Bls { offset: i8 },
    Bge { offset: i8 },
    Blt { offset: i8 },
    BranchIf { branch: Branch },
    /// A comparison and the branch after it.
    SubsImmediateThenBne { d: Register, value: u8, offset: i8 },
    SubsImmediateThen { d: Register, value: u8, branch: Branch },
    CmpImmediateThenBeq { n: Register, value: u8, offset: i8 },
    CmpImmediateThenBne { n: Register, value: u8, offset: i8 },
    CmpImmediateThenBcs { n: Register, value: u8, offset: i8 },
    CmpImmediateThenBcc { n: Register, value: u8, offset: i8 },
    CmpImmediateThenBhi { n: Register, value: u8, offset: i8 },
    CmpImmediateThenBls { n: Register, value: u8, offset: i8 },
    CmpImmediateThenBge { n: Register, value: u8, offset: i8 },
    CmpImmediateThenBlt { n: Register, value: u8, offset: i8 },
    CmpImmediateThen { n: Register, value: u8, branch: Branch },
    CmpThenBeq { n: Register, m: Register, offset: i8 },
    CmpThenBne { n: Register, m: Register, offset: i8 },
    CmpThenBcs { n: Register, m: Register, offset: i8 },
    CmpThenBcc { n: Register, m: Register, offset: i8 },
    CmpThenBhi { n: Register, m: Register, offset: i8 },
    CmpThenBls { n: Register, m: Register, offset: i8 },
    CmpThenBge { n: Register, m: Register, offset: i8 },
    CmpThenBlt { n: Register, m: Register, offset: i8 },
    CmpThen { n: Register, m: Register, branch: Branch },
    TstThenBeq { n: Register, m: Register, offset: i8 },
    TstThenBne { n: Register, m: Register, offset: i8 },
    TstThen { n: Register, m: Register, branch: Branch },
    LslsImmediateThenBmi { dm: u8, shift: u8, offset: i8 },
    LslsImmediateThenBpl { dm: u8, shift: u8, offset: i8 },
    LslsImmediateThen { dm: u8, shift: u8, branch: Branch },
    /// Jumps to an address in a register. `thumb` sets its bit 0.
    Jump { m: Register, thumb: bool },
    /// Jumps, and sets the link register to the next address.
    JumpWithLink { m: Register, link: u32 },

    /// Returns of a call: [`PopPc`](Self::PopPc), [`PopPcAnd`](Self::PopPcAnd) and
    /// [`Jump`](Self::Jump) to LR. The block continues at `target`, which has bit 0 set.
    PopPcReturn { list: u8, count: u8, target: u32 },
    PopPcAndReturn { a: Register, target: u32 },
    Return { target: u32 },

    /// No effect: a NOP, or a branch whose target follows in the block.
    Nothing,
    /// The end of a block.
    End,
}

const _: () = assert!(size_of::<Op>() == 8);

impl Op {
    pub(crate) fn is_branch(self) -> bool {
        self.taken(0).is_some()
    }

    /// Returns the slot of the target and what has passed if this is a branch in `slot` and is
    /// taken.
    pub(super) fn taken(self, slot: usize) -> Option<(usize, Passed)> {
        let (offset, first) = match self {
            Self::Beq { offset }
            | Self::Bne { offset }
            | Self::Bcs { offset }
            | Self::Bcc { offset }
            | Self::Bmi { offset }
            | Self::Bpl { offset }
            | Self::Bhi { offset }
            | Self::Bls { offset }
            | Self::Bge { offset }
            | Self::Blt { offset } => (offset, 0),
            Self::BranchIf { branch } => (branch.offset, 0),
            Self::SubsImmediateThenBne { offset, .. }
            | Self::CmpImmediateThenBeq { offset, .. }
            | Self::CmpImmediateThenBne { offset, .. }
            | Self::CmpImmediateThenBcs { offset, .. }
            | Self::CmpImmediateThenBcc { offset, .. }
            | Self::CmpImmediateThenBhi { offset, .. }
            | Self::CmpImmediateThenBls { offset, .. }
            | Self::CmpImmediateThenBge { offset, .. }
            | Self::CmpImmediateThenBlt { offset, .. }
            | Self::CmpThenBeq { offset, .. }
            | Self::CmpThenBne { offset, .. }
            | Self::CmpThenBcs { offset, .. }
            | Self::CmpThenBcc { offset, .. }
            | Self::CmpThenBhi { offset, .. }
            | Self::CmpThenBls { offset, .. }
            | Self::CmpThenBge { offset, .. }
            | Self::CmpThenBlt { offset, .. }
            | Self::TstThenBeq { offset, .. }
            | Self::TstThenBne { offset, .. }
            | Self::LslsImmediateThenBmi { offset, .. }
            | Self::LslsImmediateThenBpl { offset, .. } => (offset, 1),
            Self::SubsImmediateThen { branch, .. }
            | Self::CmpImmediateThen { branch, .. }
            | Self::CmpThen { branch, .. }
            | Self::TstThen { branch, .. }
            | Self::LslsImmediateThen { branch, .. } => (branch.offset, 1),
            _ => return None,
        };
        // The first instruction of a pair takes one cycle and one halfword; a taken branch takes
        // two cycles.
        let target = slot.wrapping_add_signed(isize::from(offset) + 2 + first as isize);
        Some((target, passed(1 + first, 2 + first)))
    }
}

fn one(op: Op, cycles: u32) -> Option<Step> {
    Some(Step { op, cycles, instructions: 1, before: 0, next: Next::On(1) })
}

/// Returns the step of a pair, whose second instruction begins a cycle later.
fn two(op: Op) -> Option<Step> {
    Some(Step { op, cycles: 2, instructions: 2, before: 1, next: Next::On(2) })
}

/// Returns the step of the last operation of a block, which computes itself where the core
/// continues.
fn last(op: Op) -> Option<Step> {
    Some(Step { op, cycles: 0, instructions: 0, before: 0, next: Next::Nowhere })
}

/// Returns the address of a literal of the instruction at `address`.
pub(super) fn literal(address: u32, offset: u16) -> u32 {
    (address.wrapping_add(4) & !3).wrapping_add(offset.into())
}

/// Returns the step for the instruction in `slot`, at `address`; `None` if the fast loop does not
/// execute it.
pub(super) fn translate(
    constant: impl Fn(u32) -> Option<u32>,
    instruction: Instruction,
    slot: usize,
    address: u32,
) -> Option<Step> {
    use Instruction as I;
    let pc = address.wrapping_add(4);
    let literal = |offset: u16| literal(address, offset);
    let target = |offset: i32| slot.wrapping_add_signed((offset >> 1) as isize + 2);
    let op = match instruction {
        I::MovsRegister { d, m } => Op::MovsRegister { d, m },
        I::LslsImmediate { d, m, shift } => Op::LslsImmediate { d, m, shift },
        I::LsrsImmediate { d, m, shift } => Op::LsrsImmediate { d, m, shift },
        I::AsrsImmediate { d, m, shift } => Op::AsrsImmediate { d, m, shift },
        I::AddsRegister { d, n, m } => Op::AddsRegister { d, n, m },
        I::SubsRegister { d, n, m } => Op::SubsRegister { d, n, m },
        I::AddsImmediate { d, n, value } => Op::AddsImmediate { d, n, value },
        I::SubsImmediate { d, n, value } => Op::SubsImmediate { d, n, value },
        I::MovsImmediate { d, value } => Op::MovsImmediate { d, value },
        I::CmpImmediate { n, value } => Op::CmpImmediate { n, value },
        I::Ands { d, m } => Op::Ands { d, m },
        I::Eors { d, m } => Op::Eors { d, m },
        I::LslsRegister { d, m } => Op::LslsRegister { d, m },
        I::LsrsRegister { d, m } => Op::LsrsRegister { d, m },
        I::AsrsRegister { d, m } => Op::AsrsRegister { d, m },
        I::Adcs { d, m } => Op::Adcs { d, m },
        I::Sbcs { d, m } => Op::Sbcs { d, m },
        I::RorsRegister { d, m } => Op::RorsRegister { d, m },
        I::Tst { n, m } => Op::Tst { n, m },
        I::Rsbs { d, n } => Op::Rsbs { d, n },
        I::Cmp { n, m } => Op::Cmp { n, m },
        I::Cmn { n, m } => Op::Cmn { n, m },
        I::Orrs { d, m } => Op::Orrs { d, m },
        I::Muls { d, m } => Op::Muls { d, m },
        I::Bics { d, m } => Op::Bics { d, m },
        I::Mvns { d, m } => Op::Mvns { d, m },

        I::Add { d: Register::SP, m } => Op::AddToSp { m },
        I::Mov { d: Register::SP, m } => Op::MovToSp { m },
        I::Add { d, m } => Op::Add { d, m },
        I::Mov { d, m } => Op::Mov { d, m },
        I::MovFromPc { d } if d != Register::SP => Op::Constant { d, value: pc },
        I::Adr { d, offset } => Op::Constant { d, value: literal(offset) },
        I::AddSp { d, offset } => Op::AddSp { d, offset },
        I::AdjustSp { offset } => Op::AdjustSp { offset },

        I::LdrLiteral { t, offset } => {
            let address = literal(offset);
            let op = match constant(address) {
                Some(value) => Op::Constant { d: t, value },
                None => Op::LdrConstant { t, address },
            };
            return one(op, 2);
        }
        I::StrRegister { t, n, m } => return one(Op::StrRegister { t, n, m }, 2),
        I::StrhRegister { t, n, m } => return one(Op::StrhRegister { t, n, m }, 2),
        I::StrbRegister { t, n, m } => return one(Op::StrbRegister { t, n, m }, 2),
        I::LdrsbRegister { t, n, m } => return one(Op::LdrsbRegister { t, n, m }, 2),
        I::LdrRegister { t, n, m } => return one(Op::LdrRegister { t, n, m }, 2),
        I::LdrhRegister { t, n, m } => return one(Op::LdrhRegister { t, n, m }, 2),
        I::LdrbRegister { t, n, m } => return one(Op::LdrbRegister { t, n, m }, 2),
        I::LdrshRegister { t, n, m } => return one(Op::LdrshRegister { t, n, m }, 2),
        I::StrImmediate { t, n, offset } => return one(Op::StrImmediate { t, n, offset }, 2),
        I::LdrImmediate { t, n, offset } => return one(Op::LdrImmediate { t, n, offset }, 2),
        I::StrbImmediate { t, n, offset } => return one(Op::StrbImmediate { t, n, offset }, 2),
        I::LdrbImmediate { t, n, offset } => return one(Op::LdrbImmediate { t, n, offset }, 2),
        I::StrhImmediate { t, n, offset } => return one(Op::StrhImmediate { t, n, offset }, 2),
        I::LdrhImmediate { t, n, offset } => return one(Op::LdrhImmediate { t, n, offset }, 2),
        I::Push { list } => {
            let count = list.count_ones();
            let register = |number: u32| Register::new(number as u8);
            let op = match count {
                2 => Op::PushTwo { a: register(list.trailing_zeros()), b: register(list.ilog2()) },
                _ => Op::Push { list, count: count as u8 },
            };
            return one(op, 1 + count);
        }
        I::Pop { list } => {
            let count = list.count_ones();
            return one(Op::Pop { list, count: count as u8 }, 1 + count);
        }
        I::PopPc { list } if list.is_power_of_two() => {
            return last(Op::PopPcAnd { a: Register::new(list.trailing_zeros() as u8) });
        }
        I::PopPc { list } => return last(Op::PopPc { list, count: list.count_ones() as u8 }),
        I::Stm { n, list } => {
            let count = list.count_ones();
            return one(Op::Stm { n, list: list as u8, count: count as u8 }, 1 + count);
        }
        I::Ldm { n, list } => {
            let count = list.count_ones();
            return one(Op::Ldm { n, list: list as u8, count: count as u8 }, 1 + count);
        }

        I::Sxth { d, m } => Op::Sxth { d, m },
        I::Sxtb { d, m } => Op::Sxtb { d, m },
        I::Uxth { d, m } => Op::Uxth { d, m },
        I::Uxtb { d, m } => Op::Uxtb { d, m },
        I::Rev { d, m } => Op::Rev { d, m },
        I::Rev16 { d, m } => Op::Rev16 { d, m },
        I::Revsh { d, m } => Op::Revsh { d, m },

        I::Beq { offset } => Op::Beq { offset: (offset / 2) as i8 },
        I::Bne { offset } => Op::Bne { offset: (offset / 2) as i8 },
        I::B { offset } => {
            let next = Next::At(target(offset));
            return Some(Step { op: Op::Nothing, cycles: 2, instructions: 1, before: 0, next });
        }
        I::Bl { offset } => {
            let op = Op::Constant { d: Register::LR, value: pc | 1 };
            let next = Next::At(target(offset));
            return Some(Step { op, cycles: 3, instructions: 1, before: 0, next });
        }
        I::SubsImmediateThenBne { d, value, offset } => {
            return two(Op::SubsImmediateThenBne { d, value, offset });
        }
        I::SubsImmediateThen { d, value, branch } => {
            return two(Op::SubsImmediateThen { d, value, branch });
        }
        I::CmpImmediateThen { n, value, branch } => {
            let Branch { taken, offset } = branch;
            return two(match taken {
                Branch::EQUAL => Op::CmpImmediateThenBeq { n, value, offset },
                Branch::NOT_EQUAL => Op::CmpImmediateThenBne { n, value, offset },
                Branch::CARRY => Op::CmpImmediateThenBcs { n, value, offset },
                Branch::NO_CARRY => Op::CmpImmediateThenBcc { n, value, offset },
                Branch::HIGHER => Op::CmpImmediateThenBhi { n, value, offset },
                Branch::LOWER_OR_SAME => Op::CmpImmediateThenBls { n, value, offset },
                Branch::GREATER_OR_EQUAL => Op::CmpImmediateThenBge { n, value, offset },
                Branch::LESS => Op::CmpImmediateThenBlt { n, value, offset },
                _ => Op::CmpImmediateThen { n, value, branch },
            });
        }
        I::CmpThen { n, m, branch } => {
            let Branch { taken, offset } = branch;
            return two(match taken {
                Branch::EQUAL => Op::CmpThenBeq { n, m, offset },
                Branch::NOT_EQUAL => Op::CmpThenBne { n, m, offset },
                Branch::CARRY => Op::CmpThenBcs { n, m, offset },
                Branch::NO_CARRY => Op::CmpThenBcc { n, m, offset },
                Branch::HIGHER => Op::CmpThenBhi { n, m, offset },
                Branch::LOWER_OR_SAME => Op::CmpThenBls { n, m, offset },
                Branch::GREATER_OR_EQUAL => Op::CmpThenBge { n, m, offset },
                Branch::LESS => Op::CmpThenBlt { n, m, offset },
                _ => Op::CmpThen { n, m, branch },
            });
        }
        I::TstThen { n, m, branch } => {
            let Branch { taken, offset } = branch;
            return two(match taken {
                Branch::EQUAL => Op::TstThenBeq { n, m, offset },
                Branch::NOT_EQUAL => Op::TstThenBne { n, m, offset },
                _ => Op::TstThen { n, m, branch },
            });
        }
        I::LslsImmediateThen { dm, shift, branch } => {
            let Branch { taken, offset } = branch;
            return two(match taken {
                Branch::NEGATIVE => Op::LslsImmediateThenBmi { dm, shift, offset },
                Branch::NOT_NEGATIVE => Op::LslsImmediateThenBpl { dm, shift, offset },
                _ => Op::LslsImmediateThen { dm, shift, branch },
            });
        }
        I::Bx { m } => return last(Op::Jump { m, thumb: false }),
        I::MovToPc { m } => return last(Op::Jump { m, thumb: true }),
        I::Blx { m } => {
            return last(Op::JumpWithLink { m, link: address.wrapping_add(2) | 1 });
        }
        I::Nop | I::Yield => Op::Nothing,
        other => {
            let branch = crate::cpu::decode::branch(other)?;
            let Branch { taken, offset } = branch;
            match taken {
                Branch::CARRY => Op::Bcs { offset },
                Branch::NO_CARRY => Op::Bcc { offset },
                Branch::NEGATIVE => Op::Bmi { offset },
                Branch::NOT_NEGATIVE => Op::Bpl { offset },
                Branch::HIGHER => Op::Bhi { offset },
                Branch::LOWER_OR_SAME => Op::Bls { offset },
                Branch::GREATER_OR_EQUAL => Op::Bge { offset },
                Branch::LESS => Op::Blt { offset },
                _ => Op::BranchIf { branch },
            }
        }
    };
    one(op, 1)
}
