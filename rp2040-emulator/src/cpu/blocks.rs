//! Blocks: sequences of decoded instructions that the fast loop (`execute::fast`) executes with one
//! check of the deadline for all of them.
//!
//! A block begins at any slot. It goes on behind conditional branches that are not taken, at the
//! targets of direct branches and calls, and behind the call where its return is expected; it ends at another jump to an address in a register, before an
//! instruction that it does not know ([`Op`]), and after [`LONGEST`]. Each operation has a mark, the
//! state before it, so that a block can be left anywhere, and entered at any operation: what begins within a
//! block is not built again, unless little of that is left. Exits lead to the block that follows, once that is built. Literals of flash and ROM are part of the
//! operations. A change of anything that was decoded discards all blocks.
//!
//! It gets the instructions through [`Slots`], and knows neither the registers nor the bus.

use std::collections::{BTreeMap, BTreeSet};

use crate::cpu::instruction::{Instruction, Register};

mod op;

pub(crate) use op::Op;

/// The most operations of a block.
const LONGEST: usize = 32;

/// A block that goes on behind [`LONGEST`] is entered with so many operations left, at least.
const WORTH_ENTERING: usize = 16;

/// A block ends behind so many operations, at least, where it comes to one of another block.
const WORTH_LEAVING: usize = 8;

/// The most operations of all blocks: 56 bytes each. With more, all blocks are built anew.
const MOST_OPS: usize = 1 << 18;

/// Bytes that are one page to the set of literals: a sector of the flash.
const PAGE: u32 = 4096;

/// Slots for which room is made at once.
const ROOM: usize = 1 << 18;

/// No block has been built for the slot.
const NOT_BUILT: u32 = 0;
/// The slot's instruction is in no block.
const REFUSED: u32 = 1;
/// The first block has this number.
const FIRST: u32 = 2;

/// Instructions in the upper half and cycles in the lower, so that one addition counts both.
pub(crate) type Passed = u64;

pub(crate) const fn passed(instructions: u32, cycles: u32) -> Passed {
    (instructions as u64) << 32 | cycles as u64
}

/// The state before an operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    /// Since the beginning of the block: less than 2^8 instructions.
    pub(crate) passed: Passed,
    /// The slot of the operation.
    pub(crate) slot: u32,
    /// From here on, the cycles before the block's last instruction begins, if no branch is taken.
    pub(crate) before_last: u32,
}

/// How a block is left by a branch that is taken, or at its end.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Exit {
    /// Since the beginning of the block.
    pub(crate) passed: Passed,
    /// The slot of the target.
    pub(crate) next: u32,
    /// The index of the operation there, of this block or of another; 0 while there is none.
    pub(crate) linked: u32,
    /// What that operation's mark counts more than `passed`, modulo 2^64.
    pub(crate) ahead: Passed,
    /// As in its mark.
    pub(crate) before_last: u32,
}

impl Mark {
    #[inline(always)]
    fn cycles(&self) -> u32 {
        self.passed as u32
    }
}

/// All blocks, one behind the other in three arrays of equal length. What is at an operation's index in
/// the others belongs to it. Each block ends with [`Op::End`], which is no instruction.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    /// For each slot [`NOT_BUILT`], [`REFUSED`], or the index of the operation with which a block is entered
    /// there plus [`FIRST`].
    at: Vec<u32>,
    ops: Vec<Op>,
    /// The states before the operations.
    marks: Vec<Mark>,
    /// Valid for each operation that is a branch or an end. `linked` of any other is its note ([`Blocks::note`]).
    exits: Vec<Exit>,
    /// By the slots to which they lead, the exits that are not linked.
    unlinked: BTreeMap<u32, Vec<u32>>,
    /// The slots with a refusal.
    refused: Vec<u32>,
    /// The pages with literals that are part of operations.
    literals: BTreeSet<u32>,
    /// How often all were discarded.
    discards: u64,
}

/// There is no block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    NotBuilt,
    Refused,
}

impl Blocks {
    /// The block that is entered at `slot`: the index of the operation there, and the state before it.
    ///
    /// # Errors
    /// If there is none.
    #[inline(always)]
    pub(crate) fn find(&self, slot: usize) -> Result<(usize, &Mark), Missing> {
        let number = self.at.get(slot).copied().unwrap_or(NOT_BUILT);
        let first = number.wrapping_sub(FIRST) as usize;
        match self.marks.get(first) {
            Some(mark) => Ok((first, mark)),
            None if number == REFUSED => Err(Missing::Refused),
            None => Err(Missing::NotBuilt),
        }
    }

    /// The operations of all blocks, up to before the one with the index `end`.
    #[inline(always)]
    pub(crate) fn ops_to(&self, end: Option<usize>) -> &[Op] {
        match end {
            None => &self.ops,
            Some(end) => self.ops.get(..end).unwrap_or_default(),
        }
    }

    /// An operation.
    #[inline(always)]
    pub(crate) fn op(&self, index: usize) -> Option<Op> {
        self.ops.get(index).copied()
    }

    /// The state before an operation.
    #[inline(always)]
    pub(crate) fn mark(&self, index: usize) -> Mark {
        self.marks[index]
    }

    /// How a branch leaves its block.
    #[inline(always)]
    pub(crate) fn exit(&self, index: usize) -> &Exit {
        &self.exits[index]
    }

    /// A number that the caller has stored for an operation which is neither a branch nor an end; 0 if it has
    /// stored none.
    #[inline(always)]
    pub(crate) fn note(&self, index: usize) -> u32 {
        self.exits.get(index).map_or(0, |exit| exit.linked)
    }

    /// Stores a number for an operation which is neither a branch nor an end.
    pub(crate) fn set_note(&mut self, index: usize, note: u32) {
        self.exits[index].linked = note;
    }

    /// Behind how many operations from `first` on, less than all of the block, no more than `room` cycles
    /// have passed: the index of the next.
    #[cold]
    #[inline(never)]
    pub(crate) fn shortened(&self, first: usize, room: u32) -> usize {
        let room = room.saturating_add(self.marks[first].cycles());
        let following = self.ops.iter().zip(&self.marks).skip(first + 1);
        let whole = |(op, mark): &(&Op, &Mark)| !matches!(op, Op::End) && mark.cycles() <= room;
        first + following.take_while(whole).count()
    }

    /// How many operations there are, and how often all were discarded: the same index is that of the same
    /// operation while that is the same.
    pub(crate) fn extent(&self) -> (usize, u64) {
        (self.ops.len(), self.discards)
    }

    /// Discards all blocks.
    pub(crate) fn discard(&mut self) {
        self.discards += 1;
        let slots = self.marks.iter().map(|mark| mark.slot).chain(self.refused.drain(..));
        for slot in slots {
            if let Some(number) = self.at.get_mut(slot as usize) {
                *number = NOT_BUILT;
            }
        }
        self.ops.clear();
        self.marks.clear();
        self.exits.clear();
        self.unlinked.clear();
        self.literals.clear();
    }

    /// Whether literals that may be among these bytes are part of operations.
    pub(crate) fn have_literals(&self, address: u32, length: u32) -> bool {
        let last = address.saturating_add(length);
        self.literals.range(address / PAGE..=last / PAGE).next().is_some()
    }

    /// Makes room for slots up to this one.
    fn make_room(&mut self, slot: usize) {
        if slot < self.at.len() {
            return;
        }
        // Of new zeros the system has only those in memory that something is written beside.
        let mut at = vec![NOT_BUILT; (slot + 1).next_multiple_of(ROOM)];
        for slot in self.marks.iter().map(|mark| &mark.slot).chain(&self.refused) {
            if let Some(number) = self.at.get(*slot as usize) {
                at[*slot as usize] = *number;
            }
        }
        self.at = at;
    }
}

/// What [`op::translate`] makes of an instruction.
#[derive(Clone, Copy, Debug)]
struct Step {
    op: Op,
    /// Cycles and instructions if the block goes on.
    cycles: u32,
    instructions: u32,
    /// Cycles before the last instruction of the operation begins.
    before: u32,
    next: Next,
}

/// Where a block goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// So many halfwords further.
    On(usize),
    /// In another slot.
    At(usize),
    /// The block ends with a jump.
    Nowhere,
}

/// What blocks are built from.
pub(crate) trait Slots {
    /// The instruction in `slot`, at `address`.
    fn decoded(&mut self, slot: usize, address: u32) -> Instruction;

    /// The word at `address`, if a change of it is asked for ([`Blocks::have_literals`]).
    fn constant(&self, address: u32) -> Option<u32>;
}

impl Blocks {
    /// Builds the block that begins at slot `index`, in the region of `length` slots from `start` on whose first is at
    /// `base`.
    #[cold]
    pub(crate) fn build(
        &mut self,
        slots: &mut impl Slots,
        index: usize,
        (start, length): (usize, usize),
        base: u32,
    ) {
        if self.ops.len() > MOST_OPS {
            self.discard();
        }
        let first = self.ops.len();
        let (mut slot, mut count) = (index, 0);
        // The slots behind the calls that have not returned.
        let mut calls = Vec::new();
        let (mut counted, mut before_last) = (passed(0, 0), 0);
        // The slot `start + length` is behind the region, and where nothing can be executed the
        // region has one slot.
        while count < LONGEST && slot.wrapping_sub(start) < length && length > 1 {
            if count >= WORTH_LEAVING && self.at.get(slot).is_some_and(|at| *at >= FIRST) {
                break;
            }
            let address = base.wrapping_add(slot as u32 * 2);
            let instruction = slots.decoded(slot, address);
            let constant = |address| slots.constant(address);
            let Some(step) = op::translate(constant, instruction, slot, address) else { break };
            if let (Instruction::LdrLiteral { offset, .. }, Op::Constant { .. }) =
                (instruction, step.op)
            {
                self.literals.insert(op::literal(address, offset) / PAGE);
            }
            // The return of a call that the block has goes where the call came from, most likely.
            let step = match step.next {
                Next::Nowhere => match calls.pop() {
                    Some(call) => step.returned(call, base),
                    None => step,
                },
                _ => step,
            };
            if matches!(instruction, Instruction::Bl { .. }) {
                calls.push(slot + 2);
            }
            let next = match step.next {
                Next::On(halfwords) => slot + halfwords,
                Next::At(target) if target.wrapping_sub(start) < length => target,
                Next::At(_) => break,
                Next::Nowhere => slot,
            };
            let mark = Mark { passed: counted, slot: slot as u32, before_last: 0 };
            let exit = match step.op.taken(slot) {
                Some((next, _)) if next.wrapping_sub(start) >= length => break,
                Some((next, passed)) => {
                    Exit { passed: counted + passed, next: next as u32, ..Exit::default() }
                }
                None => Exit::default(),
            };
            self.exits.push(exit);
            self.ops.push(step.op);
            self.marks.push(mark);
            before_last = mark.cycles() + step.before;
            counted += passed(step.instructions, step.cycles);
            (slot, count) = (next, count + 1);
            if step.next == Next::Nowhere {
                break;
            }
        }
        let last = self.marks.iter().skip(first).map(|mark| mark.slot as usize).max();
        self.make_room(last.unwrap_or_default().max(index));
        if count == 0 {
            self.at[index] = REFUSED;
            self.refused.push(index as u32);
            return;
        }
        let entered = if count == LONGEST { count - WORTH_ENTERING } else { count };
        let mut waiting = Vec::new();
        for (number, mark) in self.marks.iter_mut().enumerate().skip(first) {
            mark.before_last = before_last.saturating_sub(mark.cycles());
            let at = &mut self.at[mark.slot as usize];
            if number == first || number - first <= entered && *at == NOT_BUILT {
                *at = FIRST + number as u32;
                let exits = self.unlinked.remove(&mark.slot).unwrap_or_default();
                waiting.extend(exits.into_iter().map(|exit| (exit as usize, number)));
            }
        }
        waiting.into_iter().for_each(|(exit, op)| self.link(exit, op));
        self.ops.push(Op::End);
        self.marks.push(Mark { passed: counted, slot: slot as u32, before_last: 0 });
        self.exits.push(Exit { passed: counted, next: slot as u32, ..Exit::default() });
        self.link_block(first);
    }

    /// Links the exits of the last block, which begins at `first`: to one of its own operations where that is
    /// possible, else to what has been built there, or once something is.
    fn link_block(&mut self, first: usize) {
        let end = self.ops.len() - 1;
        for exit in first..=end {
            if exit != end && self.ops[exit].taken(0).is_none() {
                continue;
            }
            let next = self.exits[exit].next;
            let within = self.marks[first..end].iter().position(|mark| mark.slot == next);
            let built = || self.find(next as usize).ok().map(|(op, _)| op);
            match within.map(|within| first + within).or_else(built) {
                Some(op) => self.link(exit, op),
                None => self.unlinked.entry(next).or_default().push(exit as u32),
            }
        }
    }

    /// Behind this exit comes this operation.
    fn link(&mut self, exit: usize, op: usize) {
        let (mark, exit) = (self.marks[op], &mut self.exits[exit]);
        exit.linked = op as u32;
        exit.ahead = mark.passed.wrapping_sub(exit.passed);
        exit.before_last = mark.before_last;
    }
}

impl Step {
    /// The same, if it is a jump that returns from a call, of which the block goes on in slot `next`.
    fn returned(self, next: usize, base: u32) -> Self {
        let target = base.wrapping_add(next as u32 * 2) | 1;
        let (op, cycles) = match self.op {
            Op::PopPcAnd { a } => (Op::PopPcAndReturn { a, target }, 5),
            Op::PopPc { list, count } => {
                let list = list as u8;
                (Op::PopPcReturn { list, count, target }, 4 + u32::from(count))
            }
            Op::Jump { m: Register::LR, thumb: false } => (Op::Return { target }, 2),
            _ => return self,
        };
        Self { op, cycles, instructions: 1, before: 0, next: Next::At(next) }
    }
}

#[cfg(test)]
mod tests;
