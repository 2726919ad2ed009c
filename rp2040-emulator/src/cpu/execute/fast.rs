//! The fast loop: executes blocks (`cpu::blocks`) with one check of the deadline for each.
//!
//! The loop has access to registers, flags and memory, and can store to the bus ([`outside`]). It
//! does not execute an instruction that needs more: it returns with the state before that
//! instruction, which the other loop then executes. Both loops give the same registers, memory,
//! cycles, instructions and accesses at every deadline; the tests compare them.

use std::ops::Range;

use crate::cpu::blocks::{Blocks, Missing, Op, Passed};
use crate::cpu::departure::Departure;
use crate::cpu::flags::Flags;
use crate::cpu::instruction::Register;
use crate::cpu::memory::Parts;
use crate::cpu::memory::transfers::{TransferKind, Transfers};
use crate::cpu::mpu::Guard;

mod block;
pub(super) mod outside;

use block::Core;
use outside::{NoBus, Outside};

/// Why the loop returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Land {
    /// The deadline is reached.
    Deadline,
    /// The next instruction accesses a device.
    Device,
    /// The next instruction is for the other loop.
    Step,
    /// The bus has refused the next instruction's store to this address.
    Refused(u32),
}

/// How [`fly`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Landed(Land),
    /// No block has been built for the next slot.
    NotBuilt,
}

/// The state in which the loop returned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flight {
    pub(super) progress: Passed,
    /// Slot of the next instruction.
    pub(super) index: usize,
    pub(super) end: End,
    /// Index of the operation that was not executed, if there is one.
    pub(super) op: usize,
}

/// The region of memory that is executed: its slots, and its base as in the memory's `Place`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    pub(super) start: usize,
    pub(super) length: usize,
    pub(super) base: u32,
}

impl Region {
    #[inline(always)]
    fn holds(self, slot: usize) -> bool {
        slot.wrapping_sub(self.start) < self.length
    }

    /// Returns the slot of a jump's target, if it is in the region and its bit 0 is set.
    #[inline(always)]
    fn slot(self, target: u32) -> Option<usize> {
        let halfwords = target.wrapping_sub(self.base);
        let slot = (halfwords / 2) as usize;
        (halfwords & 1 != 0 && self.holds(slot)).then_some(slot)
    }
}

/// The part of the RAM that the loop must not access.
pub(super) trait Guarded: Copy {
    /// Whether `address` is in it.
    fn contains(self, address: u32) -> bool;

    /// Whether one of `count` words from `address` on is in it.
    fn contains_any(self, address: u32, count: u8) -> bool;

    /// Returns `words`, which are `count` words from `address` on, if none of them is in it.
    #[inline(always)]
    fn unless_any<T>(self, address: u32, count: u8, words: Option<T>) -> Option<T> {
        if self.contains_any(address, count) { None } else { words }
    }
}

/// The loop may access the whole RAM.
#[derive(Clone, Copy)]
pub(super) struct Unguarded;

impl Guarded for Unguarded {
    #[inline(always)]
    fn contains(self, _: u32) -> bool {
        false
    }

    #[inline(always)]
    fn contains_any(self, _: u32, _: u8) -> bool {
        false
    }
}

impl Guarded for Guard {
    #[inline(always)]
    fn contains(self, address: u32) -> bool {
        Guard::contains(self, address)
    }

    #[inline(always)]
    fn contains_any(self, address: u32, count: u8) -> bool {
        Guard::contains_any(self, address, count.into())
    }
}

/// Executes blocks from slot `index` on until `budget` cycles have passed, or until the core must
/// act on a store to a device. With `RECORD` it notes what is executed.
#[inline(never)]
#[expect(clippy::too_many_arguments, reason = "the parts of a core and its surroundings")]
pub(super) fn fly<const RECORD: bool, G: Guarded>(
    registers: &mut [u32; 16],
    flags: &mut Flags,
    parts: Parts<'_>,
    region: Region,
    mut index: usize,
    budget: u32,
    outside: &mut impl Outside,
    guard: G,
) -> Flight {
    let Parts { ram, fixed, blocks, mut ways, mut transfers } = parts;
    let mut core = Core { registers, flags: *flags, ram, fixed, guard, record: None };
    if RECORD {
        ways.begin(blocks);
        core.record = Some((ways, 0));
    }
    let mut progress: Passed = 0;
    let (mut end, mut op) = (End::Landed(Land::Deadline), 0);
    while (progress as u32) < budget {
        if RECORD && let Some(transfers) = &mut transfers {
            transfers.arrive(index, progress as u32, core.registers[Register::SP.index()]);
        }
        let (first, mark) = match blocks.find(index) {
            Ok(found) => found,
            Err(Missing::NotBuilt) => {
                end = End::NotBuilt;
                break;
            }
            Err(Missing::Refused) => {
                end = End::Landed(Land::Step);
                break;
            }
        };
        let room = budget - progress as u32;
        let mut ops = blocks.ops_to(None);
        if mark.before_last >= room {
            ops = blocks.ops_to(Some(blocks.shortened(first, room)));
            if ops.len() == first {
                end = End::Landed(Land::Step);
                break;
            }
        }
        let begin = (first, mark.passed);
        if let Some((_, since)) = &mut core.record {
            *since = first;
        }
        let left = core.block::<true>(blocks, ops, begin, region, room, outside);
        if let Some((ways, since)) = &mut core.record {
            ways.note(blocks, *since, left.behind, left.next);
        }
        // The budget is exceeded by less than a block, so that no half overflows.
        progress = progress.wrapping_add(left.passed);
        index = left.next;
        if RECORD
            && left.undone.is_none()
            && let Some(transfers) = &mut transfers
        {
            let stack = core.registers[Register::SP.index()];
            note_departure(transfers, blocks, left.behind, (index, progress as u32), stack);
        }
        if let Some(land) = left.undone {
            (end, op) = (End::Landed(land), left.behind);
            break;
        }
    }
    *flags = core.flags;
    Flight { progress, index, end, op }
}

/// Notes that the operation before `behind` was a call or an indirect jump, if it was, to this slot
/// after these cycles of the flight.
#[inline(always)]
fn note_departure(
    transfers: &mut Transfers,
    blocks: &Blocks,
    behind: usize,
    (next, cycles): (usize, u32),
    stack: u32,
) {
    let Some(last) = behind.checked_sub(1) else { return };
    let kind = match blocks.departure(last) {
        Departure::Any => return,
        Departure::Indirect => TransferKind::Jump,
        Departure::Call => {
            // A block that ends with BL is left there or at its end.
            let (call, size) = match blocks.op(last) {
                Some(Op::JumpWithLink { .. }) => (last, 1),
                Some(Op::End) => (last - 1, 2),
                _ => (last, 2),
            };
            let slot = blocks.mark(call).slot as usize + size;
            TransferKind::Call { return_address: transfers.address(slot) }
        }
    };
    transfers.depart(next, cycles, stack, kind);
}

/// Executes the first of two ranges of operations, and the second if the first ends with a taken
/// branch to where the second begins. Returns what has passed, the next slot, and whether
/// the branch was taken. With `RECORD` it notes what is executed.
#[inline(never)]
pub(super) fn run_round<const RECORD: bool>(
    registers: &mut [u32; 16],
    flags: &mut Flags,
    parts: Parts<'_>,
    region: Region,
    (first, second): (Range<usize>, Range<usize>),
) -> (Passed, usize, bool) {
    let Parts { ram, fixed, blocks, mut ways, .. } = parts;
    // A round accesses no memory.
    let guard = Unguarded;
    let mut core = Core { registers, flags: *flags, ram, fixed, guard, record: None };
    if RECORD {
        ways.begin(blocks);
    }
    let mut run = |range: Range<usize>| {
        let ops = blocks.ops_to(Some(range.end));
        let begin = (range.start, blocks.mark(range.start).passed);
        let left = core.block::<false>(blocks, ops, begin, region, 0, &mut NoBus);
        if RECORD {
            ways.note(blocks, range.start, left.behind, left.next);
        }
        left
    };
    let end = first.end;
    let left = run(first);
    let passed = left.passed;
    let taken = left.behind == end && left.next == blocks.mark(second.start).slot as usize;
    let (passed, next) = match taken {
        true if !second.is_empty() => {
            let left = run(second);
            (passed + left.passed, left.next)
        }
        _ => (passed, left.next),
    };
    *flags = core.flags;
    (passed, next, taken)
}
