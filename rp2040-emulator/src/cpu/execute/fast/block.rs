//! One block of the fast loop: executes its operations until it is left.

use super::outside::{Outside, Place, Stored};
use super::{Guarded, Land, Region};
use crate::cpu::blocks::{Blocks, Op, Passed, passed};
use crate::cpu::bus::Width;
use crate::cpu::execute::TAKEN;
use crate::cpu::execute::transfer::DEVICES;
use crate::cpu::flags::Flags;
use crate::cpu::instruction::{Branch, Register};
use crate::cpu::memory::execution::Ways;
use crate::cpu::memory::{Fixed, Ram};

mod access;
mod arithmetic;

use access::load_words;

/// The state of a core during the fast loop.
pub(super) struct Core<'a, G> {
    pub(super) registers: &'a mut [u32; 16],
    pub(super) flags: Flags,
    pub(super) ram: Ram<'a>,
    pub(super) fixed: Fixed<'a>,
    pub(super) guard: G,
    /// The record, if there is one, and the operation with which the way to be noted next begins.
    pub(super) record: Option<(Ways<'a>, usize)>,
}

/// How a block was left.
pub(super) struct Left {
    /// Instructions and cycles since the block was entered.
    pub(super) passed: Passed,
    /// Slot of the next instruction.
    pub(super) next: usize,
    /// Reason why the next instruction is not executed, if there is one.
    pub(super) undone: Option<Land>,
    /// Index after the last operation that has been executed.
    pub(super) behind: usize,
}

impl Left {
    /// Returns the state before the operation with this index.
    #[inline(always)]
    fn before(blocks: &Blocks, index: usize, omitted: Passed, undone: Option<Land>) -> Self {
        let mark = blocks.mark(index);
        Self {
            passed: mark.passed.wrapping_sub(omitted),
            next: mark.slot as usize,
            undone,
            behind: index,
        }
    }
}

impl<G: Guarded> Core<'_, G> {
    /// Executes the operations from the index `first` on, up to a branch that is taken or an
    /// instruction that the loop cannot execute, and at most to the end of `ops`. With `LINKED` it
    /// continues in linked blocks if each ends within `room` cycles. Ways that end at a direct
    /// branch or at the end of a block are recorded.
    #[inline(always)]
    pub(super) fn block<const LINKED: bool>(
        &mut self,
        blocks: &Blocks,
        ops: &[Op],
        (first, since): (usize, Passed),
        region: Region,
        room: u32,
        outside: &mut impl Outside,
    ) -> Left {
        // The part of the marks that has not passed here.
        let mut omitted = since;
        let mut rest = ops.get(first..).unwrap_or_default().iter();
        // The index after the current operation.
        macro_rules! behind {
            () => {
                ops.len() - rest.len()
            };
        }
        macro_rules! undone {
            ($land:expr) => {
                return Left::before(blocks, behind!() - 1, omitted, Some($land))
            };
        }
        // The other loop handles accesses outside of RAM, flash and ROM.
        macro_rules! outside {
            ($address:expr) => {
                undone!(if $address >= DEVICES { Land::Device } else { Land::Step })
            };
        }
        macro_rules! load {
            ($t:expr, $loaded:expr) => {
                match $loaded {
                    Ok(value) => self.set($t, value),
                    Err(address) => outside!(address),
                }
            };
        }
        macro_rules! store {
            ($store:ident, $width:ident, $t:expr, $address:expr) => {{
                let (address, value) = ($address, self.get($t));
                if self.guard.contains(address) || self.ram.$store(address, value).is_none() {
                    let mark = blocks.mark(behind!() - 1);
                    let cycles = mark.passed.wrapping_sub(omitted) as u32;
                    let place = Place { slot: mark.slot, left: room.wrapping_sub(cycles) };
                    match outside.store(address, Width::$width, value, place) {
                        Stored::No => outside!(address),
                        Stored::Refused => undone!(Land::Refused(address)),
                        Stored::Yes { refund, goes_on } => {
                            omitted = omitted.wrapping_add(passed(0, refund));
                            if !goes_on {
                                let land = Some(Land::Deadline);
                                return Left::before(blocks, behind!(), omitted, land);
                            }
                        }
                    }
                }
            }};
        }
        macro_rules! leave {
            ($ended:expr) => {{
                let behind = behind!();
                let exit = blocks.exit(behind - 1);
                if let Some((ways, since)) = &mut self.record {
                    ways.note(blocks, *since, $ended, exit.next as usize);
                    *since = if LINKED { exit.linked as usize } else { usize::MAX };
                }
                let so_far = exit.passed.wrapping_sub(omitted);
                let in_time = (so_far as u32).wrapping_add(exit.before_last) < room;
                if LINKED && exit.linked != 0 && in_time {
                    if let Some(ops) = ops.get(exit.linked as usize..) {
                        rest = ops.iter();
                        omitted = omitted.wrapping_add(exit.ahead);
                        continue;
                    }
                }
                if let Some((_, since)) = &mut self.record {
                    *since = usize::MAX;
                }
                let next = exit.next;
                let passed = so_far;
                return Left { passed, next: next as usize, undone: None, behind };
            }};
        }
        macro_rules! branch {
            ($taken:expr) => {
                if $taken {
                    leave!(behind!());
                }
            };
        }
        macro_rules! jump {
            ($target:expr, $cycles:expr) => {
                match region.slot($target) {
                    Some(next) => {
                        let behind = behind!();
                        let before = blocks.mark(behind - 1).passed.wrapping_sub(omitted);
                        let passed = before + passed(1, $cycles);
                        Left { passed, next, undone: None, behind }
                    }
                    None => undone!(Land::Step),
                }
            };
        }
        while let Some(op) = rest.next() {
            match *op {
                Op::MovsRegister { d, m } => self.result(d, self.get(m)),
                Op::LslsImmediate { d, m, shift } => self.shifted_left(d, self.get(m), shift),
                Op::LsrsImmediate { d, m, shift } => self.shifted_right(d, self.get(m), shift),
                Op::AsrsImmediate { d, m, shift } => self.shifted_signed(d, self.get(m), shift),
                Op::AddsRegister { d, n, m } => self.add(d, self.get(n), self.get(m)),
                Op::SubsRegister { d, n, m } => self.subtract(d, self.get(n), self.get(m)),
                Op::AddsImmediate { d, n, value } => self.add(d, self.get(n), value.into()),
                Op::SubsImmediate { d, n, value } => self.subtract(d, self.get(n), value.into()),
                Op::MovsImmediate { d, value } => self.result(d, value.into()),
                Op::CmpImmediate { n, value } => self.compare(self.get(n), value.into()),
                Op::Ands { d, m } => self.result(d, self.get(d) & self.get(m)),
                Op::Eors { d, m } => self.result(d, self.get(d) ^ self.get(m)),
                Op::LslsRegister { d, m } => {
                    self.shift_left(d, self.get(d), self.get(m) as u8);
                }
                Op::LsrsRegister { d, m } => {
                    self.shift_right(d, self.get(d), self.get(m) as u8);
                }
                Op::AsrsRegister { d, m } => {
                    self.shift_signed(d, self.get(d), self.get(m) as u8);
                }
                Op::Adcs { d, m } => self.add_with_carry(d, self.get(d), self.get(m)),
                Op::Sbcs { d, m } => self.add_with_carry(d, self.get(d), !self.get(m)),
                Op::RorsRegister { d, m } => self.rotate(d, self.get(d), self.get(m) as u8),
                Op::Tst { n, m } => self.flags.set_result(self.get(n) & self.get(m)),
                Op::Rsbs { d, n } => self.subtract(d, 0, self.get(n)),
                Op::Cmp { n, m } => self.compare(self.get(n), self.get(m)),
                Op::Cmn { n, m } => {
                    self.sum(self.get(n), self.get(m));
                }
                Op::Orrs { d, m } => self.result(d, self.get(d) | self.get(m)),
                Op::Muls { d, m } => self.result(d, self.get(d).wrapping_mul(self.get(m))),
                Op::Bics { d, m } => self.result(d, self.get(d) & !self.get(m)),
                Op::Mvns { d, m } => self.result(d, !self.get(m)),

                Op::Add { d, m } => self.set(d, self.get(d).wrapping_add(self.get(m))),
                Op::Mov { d, m } => self.set(d, self.get(m)),
                Op::AddToSp { m } => self.add_to_sp(self.get(m)),
                Op::MovToSp { m } => self.set(Register::SP, self.get(m) & !3),
                Op::AddSp { d, offset } => {
                    self.set(d, self.get(Register::SP).wrapping_add(offset.into()));
                }
                Op::AdjustSp { offset } => self.add_to_sp(i32::from(offset) as u32),
                Op::Constant { d, value } => self.set(d, value),

                Op::LdrConstant { t, address } => load!(t, self.load32(address)),
                Op::StrRegister { t, n, m } => store!(store32, Word, t, self.at(n, m)),
                Op::StrhRegister { t, n, m } => store!(store16, Half, t, self.at(n, m)),
                Op::StrbRegister { t, n, m } => store!(store8, Byte, t, self.at(n, m)),
                Op::LdrsbRegister { t, n, m } => {
                    load!(t, self.load8(self.at(n, m)).map(|value| value as i8 as u32));
                }
                Op::LdrRegister { t, n, m } => load!(t, self.load32(self.at(n, m))),
                Op::LdrhRegister { t, n, m } => load!(t, self.load16(self.at(n, m))),
                Op::LdrbRegister { t, n, m } => load!(t, self.load8(self.at(n, m))),
                Op::LdrshRegister { t, n, m } => {
                    load!(t, self.load16(self.at(n, m)).map(|value| value as i16 as u32));
                }
                Op::StrImmediate { t, n, offset } => {
                    store!(store32, Word, t, self.plus(n, offset));
                }
                Op::LdrImmediate { t, n, offset } => load!(t, self.load32(self.plus(n, offset))),
                Op::StrbImmediate { t, n, offset } => {
                    store!(store8, Byte, t, self.plus(n, offset));
                }
                Op::LdrbImmediate { t, n, offset } => load!(t, self.load8(self.plus(n, offset))),
                Op::StrhImmediate { t, n, offset } => {
                    store!(store16, Half, t, self.plus(n, offset));
                }
                Op::LdrhImmediate { t, n, offset } => load!(t, self.load16(self.plus(n, offset))),
                Op::Push { list, count } => {
                    let bottom = self.get(Register::SP).wrapping_sub(4 * u32::from(count));
                    if self.store_list(bottom, list, count).is_none() {
                        undone!(Land::Step);
                    }
                    self.set(Register::SP, bottom);
                }
                Op::PushTwo { a, b } => {
                    let bottom = self.get(Register::SP).wrapping_sub(8);
                    let (a, b) = (self.get(a), self.get(b));
                    let Some([low, high]) =
                        self.guard.unless_any(bottom, 2, self.ram.words_mut(bottom, 2))
                    else {
                        undone!(Land::Step)
                    };
                    (*low, *high) = (a, b);
                    self.set(Register::SP, bottom);
                }
                Op::Pop { list, count } => {
                    let bottom = self.get(Register::SP);
                    if self.load_list(bottom, list, count).is_none() {
                        undone!(Land::Step);
                    }
                    self.set(Register::SP, bottom.wrapping_add(4 * u32::from(count)));
                }
                Op::PopPcAnd { a } => {
                    let bottom = self.get(Register::SP);
                    let Some(&[value, target]) =
                        self.guard.unless_any(bottom, 2, self.ram.words(bottom, 2))
                    else {
                        undone!(Land::Step)
                    };
                    let left = jump!(target, 5);
                    self.set(a, value);
                    self.set(Register::SP, bottom.wrapping_add(8));
                    return left;
                }
                Op::PopPc { list, count } => {
                    let bottom = self.get(Register::SP);
                    let Some([words @ .., target]) =
                        self.guard.unless_any(bottom, count + 1, self.ram.words(bottom, count + 1))
                    else {
                        undone!(Land::Step)
                    };
                    let left = jump!(*target, 4 + u32::from(count));
                    load_words(self.registers, words, list);
                    self.set(Register::SP, bottom.wrapping_add(4 * u32::from(count) + 4));
                    return left;
                }
                Op::Stm { n, list, count } => {
                    let first = self.get(n);
                    if self.store_list(first, list.into(), count).is_none() {
                        undone!(Land::Step);
                    }
                    self.set(n, first.wrapping_add(4 * u32::from(count)));
                }
                Op::Ldm { n, list, count } => {
                    let first = self.get(n);
                    if self.load_list(first, list.into(), count).is_none() {
                        undone!(Land::Step);
                    }
                    // The base is written back unless it was loaded.
                    if list >> (n.index() & 7) & 1 == 0 {
                        self.set(n, first.wrapping_add(4 * u32::from(count)));
                    }
                }

                Op::Sxth { d, m } => self.set(d, self.get(m) as i16 as u32),
                Op::Sxtb { d, m } => self.set(d, self.get(m) as i8 as u32),
                Op::Uxth { d, m } => self.set(d, self.get(m) & 0xFFFF),
                Op::Uxtb { d, m } => self.set(d, self.get(m) & 0xFF),
                Op::Rev { d, m } => self.set(d, self.get(m).swap_bytes()),
                Op::Rev16 { d, m } => self.set(d, self.get(m).swap_bytes().rotate_right(16)),
                Op::Revsh { d, m } => {
                    self.set(d, (self.get(m) as u16).swap_bytes() as i16 as u32);
                }

                Op::Beq { .. } => branch!(self.flags.zero()),
                Op::Bne { .. } => branch!(!self.flags.zero()),
                Op::Bcs { .. } => branch!(self.flags.carry),
                Op::Bcc { .. } => branch!(!self.flags.carry),
                Op::Bmi { .. } => branch!(self.flags.negative()),
                Op::Bpl { .. } => branch!(!self.flags.negative()),
                Op::Bhi { .. } => branch!(self.flags.higher()),
                Op::Bls { .. } => branch!(!self.flags.higher()),
                Op::Bge { .. } => branch!(!self.flags.less()),
                Op::Blt { .. } => branch!(self.flags.less()),
                Op::BranchIf { branch } => branch!(self.taken(branch)),
                Op::SubsImmediateThenBne { d, value, .. } => {
                    self.subtract(d, self.get(d), value.into());
                    branch!(!self.flags.zero());
                }
                Op::SubsImmediateThen { d, value, branch } => {
                    self.subtract(d, self.get(d), value.into());
                    branch!(self.taken(branch));
                }
                Op::CmpImmediateThenBeq { n, value, .. } => {
                    self.compare(self.get(n), value.into());
                    branch!(self.flags.zero());
                }
                Op::CmpImmediateThenBne { n, value, .. } => {
                    self.compare(self.get(n), value.into());
                    branch!(!self.flags.zero());
                }
                Op::CmpImmediateThenBcs { n, value, .. } => {
                    self.compare(self.get(n), value.into());
                    branch!(self.flags.carry);
                }
                Op::CmpImmediateThenBcc { n, value, .. } => {
                    self.compare(self.get(n), value.into());
                    branch!(!self.flags.carry);
                }
                Op::CmpImmediateThenBhi { n, value, .. } => {
                    self.compare(self.get(n), value.into());
                    branch!(self.flags.higher());
                }
                Op::CmpImmediateThenBls { n, value, .. } => {
                    self.compare(self.get(n), value.into());
                    branch!(!self.flags.higher());
                }
                Op::CmpImmediateThenBge { n, value, .. } => {
                    self.compare(self.get(n), value.into());
                    branch!(!self.flags.less());
                }
                Op::CmpImmediateThenBlt { n, value, .. } => {
                    self.compare(self.get(n), value.into());
                    branch!(self.flags.less());
                }
                Op::CmpImmediateThen { n, value, branch } => {
                    self.compare(self.get(n), value.into());
                    branch!(self.taken(branch));
                }
                Op::CmpThenBeq { n, m, .. } => {
                    self.compare(self.get(n), self.get(m));
                    branch!(self.flags.zero());
                }
                Op::CmpThenBne { n, m, .. } => {
                    self.compare(self.get(n), self.get(m));
                    branch!(!self.flags.zero());
                }
                Op::CmpThenBcs { n, m, .. } => {
                    self.compare(self.get(n), self.get(m));
                    branch!(self.flags.carry);
                }
                Op::CmpThenBcc { n, m, .. } => {
                    self.compare(self.get(n), self.get(m));
                    branch!(!self.flags.carry);
                }
                Op::CmpThenBhi { n, m, .. } => {
                    self.compare(self.get(n), self.get(m));
                    branch!(self.flags.higher());
                }
                Op::CmpThenBls { n, m, .. } => {
                    self.compare(self.get(n), self.get(m));
                    branch!(!self.flags.higher());
                }
                Op::CmpThenBge { n, m, .. } => {
                    self.compare(self.get(n), self.get(m));
                    branch!(!self.flags.less());
                }
                Op::CmpThenBlt { n, m, .. } => {
                    self.compare(self.get(n), self.get(m));
                    branch!(self.flags.less());
                }
                Op::CmpThen { n, m, branch } => {
                    self.compare(self.get(n), self.get(m));
                    branch!(self.taken(branch));
                }
                Op::TstThenBeq { n, m, .. } => {
                    self.flags.set_result(self.get(n) & self.get(m));
                    branch!(self.flags.zero());
                }
                Op::TstThenBne { n, m, .. } => {
                    self.flags.set_result(self.get(n) & self.get(m));
                    branch!(!self.flags.zero());
                }
                Op::TstThen { n, m, branch } => {
                    self.flags.set_result(self.get(n) & self.get(m));
                    branch!(self.taken(branch));
                }
                Op::LslsImmediateThenBmi { dm, shift, .. } => {
                    let (d, m) = (Register::new(dm >> 4), Register::new(dm));
                    self.shifted_left(d, self.get(m), shift);
                    branch!(self.flags.negative());
                }
                Op::LslsImmediateThenBpl { dm, shift, .. } => {
                    let (d, m) = (Register::new(dm >> 4), Register::new(dm));
                    self.shifted_left(d, self.get(m), shift);
                    branch!(!self.flags.negative());
                }
                Op::LslsImmediateThen { dm, shift, branch } => {
                    let (d, m) = (Register::new(dm >> 4), Register::new(dm));
                    self.shifted_left(d, self.get(m), shift);
                    branch!(self.taken(branch));
                }
                Op::Jump { m, thumb } => {
                    return jump!(self.get(m) | u32::from(thumb), TAKEN);
                }
                Op::JumpWithLink { m, link } => {
                    let left = jump!(self.get(m), TAKEN);
                    self.set(Register::LR, link);
                    return left;
                }
                Op::PopPcAndReturn { a, target } => {
                    let bottom = self.get(Register::SP);
                    let Some(&[value, popped]) =
                        self.guard.unless_any(bottom, 2, self.ram.words(bottom, 2))
                    else {
                        undone!(Land::Step)
                    };
                    if popped != target {
                        let left = jump!(popped, 5);
                        self.set(a, value);
                        self.set(Register::SP, bottom.wrapping_add(8));
                        return left;
                    }
                    self.set(a, value);
                    self.set(Register::SP, bottom.wrapping_add(8));
                }
                Op::PopPcReturn { list, count, target } => {
                    let bottom = self.get(Register::SP);
                    let Some([words @ .., popped]) =
                        self.guard.unless_any(bottom, count + 1, self.ram.words(bottom, count + 1))
                    else {
                        undone!(Land::Step)
                    };
                    let elsewhere = match *popped == target {
                        true => None,
                        false => Some(jump!(*popped, 4 + u32::from(count))),
                    };
                    load_words(self.registers, words, list.into());
                    self.set(Register::SP, bottom.wrapping_add(4 * u32::from(count) + 4));
                    if let Some(left) = elsewhere {
                        return left;
                    }
                }
                Op::Return { target } => {
                    let to = self.get(Register::LR);
                    if to != target {
                        return jump!(to, TAKEN);
                    }
                }
                Op::Nothing => {}
                Op::End if LINKED => leave!(behind!() - 1),
                Op::End => return Left::before(blocks, behind!() - 1, omitted, None),
            }
        }
        Left::before(blocks, ops.len(), omitted, None)
    }

    #[inline(always)]
    fn get(&self, register: Register) -> u32 {
        self.registers[register.index()]
    }

    #[inline(always)]
    fn set(&mut self, register: Register, value: u32) {
        self.registers[register.index()] = value;
    }

    #[inline(always)]
    fn taken(&self, branch: Branch) -> bool {
        let flags = &self.flags;
        let bits = u32::from(flags.negative()) << 3
            | u32::from(flags.zero()) << 2
            | u32::from(flags.carry) << 1
            | flags.overflow >> 31;
        branch.taken >> bits & 1 != 0
    }
}
