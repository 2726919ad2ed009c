//! Blocks: sequences of decoded instructions that the fast loop (`execute::fast`) executes with one
//! check of the deadline for all of them.
//!
//! A block begins at any slot. It continues after conditional branches that are not taken, at the
//! targets of direct branches and calls, and after a call where its return is expected. It ends at
//! any other jump to an address in a register, before an instruction that has no operation
//! ([`Op`]), and after [`LONGEST`] operations. Each operation has a mark, the state before it, so
//! that a block can be left anywhere and entered at any operation: for a slot within a block no
//! other block is built, unless few operations follow. Exits are linked to the next block once it
//! is built. Literals of flash and ROM are part of the operations. A change of anything that was
//! decoded discards all blocks.
//!
//! The module gets the instructions through [`Slots`] and knows neither the registers nor the bus.

use std::collections::{BTreeMap, BTreeSet};

use crate::cpu::departure::Departure;
use crate::cpu::instruction::{Instruction, Register};

mod op;

pub(crate) use op::Op;

/// Maximum number of operations of a block.
const LONGEST: usize = 32;

/// Minimum number of operations left where a block of [`LONGEST`] operations is entered.
const WORTH_ENTERING: usize = 16;

/// Number of operations after which a block ends where it reaches an operation of another block.
const WORTH_LEAVING: usize = 8;

/// Maximum number of operations of all blocks, 56 bytes each. Beyond it all blocks are discarded.
const MOST_OPS: usize = 1 << 18;

/// Size in bytes of a page in the set of literals: a sector of the flash.
const PAGE: u32 = 4096;

/// Number of slots that are allocated at once.
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
    /// Instructions and cycles since the beginning of the block: less than 2^8 instructions.
    pub(crate) passed: Passed,
    /// Slot of the operation.
    pub(crate) slot: u32,
    /// Cycles from here until the block's last instruction begins, if no branch is taken.
    pub(crate) before_last: u32,
}

/// How a block is left by a branch that is taken, or at its end.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Exit {
    /// Instructions and cycles since the beginning of the block.
    pub(crate) passed: Passed,
    /// Slot of the target.
    pub(crate) next: u32,
    /// Index of the operation at the target, of this block or of another; 0 while there is none.
    pub(crate) linked: u32,
    /// Difference of that operation's mark and `passed`, modulo 2^64.
    pub(crate) ahead: Passed,
    /// Copy of [`Mark::before_last`] of that operation.
    pub(crate) before_last: u32,
}

impl Mark {
    #[inline(always)]
    fn cycles(&self) -> u32 {
        self.passed as u32
    }
}

/// All blocks, one after the other in three arrays of equal length, which have an element for each
/// operation. Each block ends with [`Op::End`], which is no instruction.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    /// For each slot [`NOT_BUILT`], [`REFUSED`], or [`FIRST`] plus the index of the operation with
    /// which a block is entered there.
    at: Vec<u32>,
    ops: Vec<Op>,
    /// The states before the operations.
    marks: Vec<Mark>,
    /// Valid for each operation that is a branch or an end. `linked` of any other is its note
    /// ([`Blocks::note`]).
    exits: Vec<Exit>,
    /// How the operations leave their blocks, while transfers between functions are recorded; empty
    /// otherwise.
    departures: Vec<Departure>,
    /// Exits that are not linked, by the slots to which they lead.
    unlinked: BTreeMap<u32, Vec<u32>>,
    /// Slots whose instruction is in no block.
    refused: Vec<u32>,
    /// The pages with literals that are part of operations.
    literals: BTreeSet<u32>,
    /// Number of times that all blocks were discarded.
    discards: u64,
}

/// There is no block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    NotBuilt,
    Refused,
}

impl Blocks {
    /// Returns the block that is entered at `slot`: the index of the operation there, and the state
    /// before it.
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

    /// Returns the operations of all blocks, up to before the one with the index `end`.
    #[inline(always)]
    pub(crate) fn ops_to(&self, end: Option<usize>) -> &[Op] {
        match end {
            None => &self.ops,
            Some(end) => self.ops.get(..end).unwrap_or_default(),
        }
    }

    #[inline(always)]
    pub(crate) fn op(&self, index: usize) -> Option<Op> {
        self.ops.get(index).copied()
    }

    /// Returns the state before an operation.
    #[inline(always)]
    pub(crate) fn mark(&self, index: usize) -> Mark {
        self.marks[index]
    }

    /// Returns the slot of an operation, and its number of instructions.
    #[inline(always)]
    pub(crate) fn instructions_of(&self, index: usize) -> (usize, usize) {
        let (mark, behind) = (self.mark(index), self.mark(index + 1));
        (mark.slot as usize, (behind.passed.wrapping_sub(mark.passed) >> 32) as usize)
    }

    /// Returns how a branch leaves its block.
    #[inline(always)]
    pub(crate) fn exit(&self, index: usize) -> &Exit {
        &self.exits[index]
    }

    /// Returns the number that the caller has stored for an operation which is neither a branch nor
    /// an end; 0 if there is none.
    #[inline(always)]
    pub(crate) fn note(&self, index: usize) -> u32 {
        self.exits.get(index).map_or(0, |exit| exit.linked)
    }

    /// Returns how an operation leaves its block, which matters only while transfers between
    /// functions are recorded.
    #[inline(always)]
    pub(crate) fn departure(&self, index: usize) -> Departure {
        self.departures.get(index).copied().unwrap_or(Departure::Any)
    }

    /// Whether all blocks are discarded before the next one is built.
    pub(crate) fn are_full(&self) -> bool {
        self.ops.len() > MOST_OPS
    }

    /// Stores a number for an operation which is neither a branch nor an end.
    pub(crate) fn set_note(&mut self, index: usize, note: u32) {
        self.exits[index].linked = note;
    }

    /// Returns the index after the last operation of the block from `first` on that ends within
    /// `room` cycles.
    #[cold]
    #[inline(never)]
    pub(crate) fn shortened(&self, first: usize, room: u32) -> usize {
        let room = room.saturating_add(self.marks[first].cycles());
        let following = self.ops.iter().zip(&self.marks).skip(first + 1);
        let whole = |(op, mark): &(&Op, &Mark)| !matches!(op, Op::End) && mark.cycles() <= room;
        first + following.take_while(whole).count()
    }

    /// Returns the number of operations, and the number of times that all were discarded. While the
    /// latter does not change, an index belongs to the same operation.
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
        self.departures.clear();
        self.unlinked.clear();
        self.literals.clear();
    }

    /// Whether literals that may be among these bytes are part of operations.
    pub(crate) fn have_literals(&self, address: u32, length: u32) -> bool {
        let last = address.saturating_add(length);
        self.literals.range(address / PAGE..=last / PAGE).next().is_some()
    }

    /// Allocates slots up to this one.
    fn make_room(&mut self, slot: usize) {
        if slot < self.at.len() {
            return;
        }
        // The system only backs pages of new zeros that are written to.
        let mut at = vec![NOT_BUILT; (slot + 1).next_multiple_of(ROOM)];
        for slot in self.marks.iter().map(|mark| &mark.slot).chain(&self.refused) {
            if let Some(number) = self.at.get(*slot as usize) {
                at[*slot as usize] = *number;
            }
        }
        self.at = at;
    }
}

/// The operation that [`op::translate`] makes of an instruction.
#[derive(Clone, Copy, Debug)]
struct Step {
    op: Op,
    /// Cycles if the block continues.
    cycles: u32,
    /// Instructions if the block continues.
    instructions: u32,
    /// Cycles before the last instruction of the operation begins.
    before: u32,
    next: Next,
}

/// Where a block continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// This number of halfwords further.
    On(usize),
    /// At another slot.
    At(usize),
    /// The block ends with a jump.
    Nowhere,
}

/// The source of instructions for blocks.
pub(crate) trait Slots {
    /// Returns the instruction in `slot`, at `address`.
    fn decoded(&mut self, slot: usize, address: u32) -> Instruction;

    /// Returns the word at `address`, if it is constant: its owner discards blocks before changing
    /// it ([`Blocks::have_literals`]).
    fn constant(&self, address: u32) -> Option<u32>;

    /// Returns the number of the function of `slot`, if transfers between functions are recorded.
    /// Blocks then end at calls, and exits to other functions are not linked.
    fn function(&self, _slot: usize) -> Option<u32> {
        None
    }
}

impl Blocks {
    /// Builds the block that begins at slot `index`, in the region of `length` slots from `start`
    /// on. `base + 2 * slot` is the address of a slot.
    #[cold]
    pub(crate) fn build(
        &mut self,
        slots: &mut impl Slots,
        index: usize,
        (start, length): (usize, usize),
        base: u32,
    ) {
        if self.are_full() {
            self.discard();
        }
        let first = self.ops.len();
        let (mut slot, mut count) = (index, 0);
        // The slots after the calls that have not returned.
        let mut calls = Vec::new();
        let (mut counted, mut before_last) = (passed(0, 0), 0);
        let mut end = Departure::Any;
        // The exits of this block that lead to other functions.
        let mut leaving = BTreeSet::new();
        // The slot `start + length` is after the region. A region that cannot be executed has one
        // slot.
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
            // A return most likely goes back to after the block's last call.
            let step = match step.next {
                Next::Nowhere => match calls.pop() {
                    Some(call) => step.returned(call, base),
                    None => step,
                },
                _ => step,
            };
            let function = slots.function(slot);
            if matches!(instruction, Instruction::Bl { .. }) && function.is_none() {
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
            if function.is_some() {
                end = Departure::of(instruction);
                self.departures.push(end);
                let is_branch = step.op.taken(slot).is_some();
                if is_branch && slots.function(exit.next as usize) != function {
                    leaving.insert(self.ops.len());
                }
            }
            self.exits.push(exit);
            self.ops.push(step.op);
            self.marks.push(mark);
            before_last = mark.cycles() + step.before;
            counted += passed(step.instructions, step.cycles);
            (slot, count) = (next, count + 1);
            let leaves = end == Departure::Call || slots.function(slot) != function;
            if step.next == Next::Nowhere || function.is_some() && leaves {
                leaving.insert(self.ops.len());
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
        if slots.function(index).is_some() {
            self.departures.push(end);
        }
        self.marks.push(Mark { passed: counted, slot: slot as u32, before_last: 0 });
        self.exits.push(Exit { passed: counted, next: slot as u32, ..Exit::default() });
        self.link_block(first, &leaving);
    }

    /// Links the exits of the last block, which begins at `first`: to one of its own operations
    /// where that is possible, otherwise to the block of the target, now or when it is built.
    /// Those in `leaving` are not linked.
    fn link_block(&mut self, first: usize, leaving: &BTreeSet<usize>) {
        let end = self.ops.len() - 1;
        for exit in first..=end {
            let is_branch = exit == end || self.ops[exit].taken(0).is_some();
            if !is_branch || leaving.contains(&exit) {
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

    /// Links an exit to the operation that follows it.
    fn link(&mut self, exit: usize, op: usize) {
        let (mark, exit) = (self.marks[op], &mut self.exits[exit]);
        exit.linked = op as u32;
        exit.ahead = mark.passed.wrapping_sub(exit.passed);
        exit.before_last = mark.before_last;
    }
}

impl Step {
    /// Returns the step for a jump that returns from a call, after which the block continues in
    /// slot `next`.
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
