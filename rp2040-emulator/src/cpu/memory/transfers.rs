//! The record of the transfers between functions: calls, jumps, returns and exceptions, each with
//! its cycle. A profile is computed from it.
//!
//! [`Memory::record_transfers`] gets the functions and switches the record on,
//! [`Memory::take_transfers`] takes it. While it is on, blocks end at calls and where another
//! function begins, so that a core within a function costs no more than without the record.

use std::ops::Range;

use super::{FLASH_BASE, Memory};
use crate::cpu::departure::Departure;
use crate::cpu::instruction::Instruction;

/// Number of transfers at which the chip ends its run early, so that the caller takes them: 40 MB.
const MANY: usize = 1 << 20;

/// The most cycles of a turn that is recorded, so that the record is bounded.
const LONGEST_TURN: u64 = 1 << 20;

/// The number of the ROM as a function; 0 is code outside of all functions.
const ROM: u32 = 1;
/// The number of the first function.
const FIRST: u32 = 2;

/// A core has left its function, or a function has called or returned to itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// Number of the core.
    pub core: u8,
    /// Cycles during which the core was awake, up to here.
    pub awake: u64,
    /// Address of the next instruction.
    pub to: u32,
    /// Stack pointer there.
    pub stack: u32,
    pub kind: TransferKind,
}

/// The kind of a [`Transfer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransferKind {
    /// A call by BL or BLX, or the entry of an exception.
    Call { return_address: u32 },
    /// A jump, or a return.
    Jump,
    /// The chip has reset itself.
    Reset,
    /// A waiting loop's last round of this number of cycles, with this number of transfers before
    /// this one, has been repeated. The core is where the round began.
    Repeat { rounds: u64, cycles: u64, transfers: u32 },
}

/// The record.
#[derive(Clone, Debug, Default)]
pub(crate) struct Transfers {
    /// Number of the function of each slot.
    functions: Vec<u32>,
    /// Number of the function in which each core is.
    current: [u32; 2],
    log: Vec<Transfer>,
    /// Number of transfers before the current round of a waiting loop.
    round: usize,
    /// The core that executes blocks, the cycles that it was awake before them, and the address of
    /// slot 0.
    flight: (u8, u64, u32),
}

impl Transfers {
    /// Returns the number of the function of a slot.
    #[inline(always)]
    pub(crate) fn function(&self, slot: usize) -> u32 {
        self.functions.get(slot).copied().unwrap_or_default()
    }

    /// Notes that the core of the flight is at `slot`, by a branch, if that is in another function.
    #[inline(always)]
    pub(crate) fn arrive(&mut self, slot: usize, cycles: u32, stack: u32) {
        let core = usize::from(self.flight.0 & 1);
        if self.function(slot) != self.current[core] {
            self.depart(slot, cycles, stack, TransferKind::Jump);
        }
    }

    /// Notes that the core of the flight goes to `slot` after these cycles of it.
    #[inline(never)]
    pub(crate) fn depart(&mut self, slot: usize, cycles: u32, stack: u32, kind: TransferKind) {
        let (core, awake, base) = self.flight;
        self.current[usize::from(core & 1)] = self.function(slot);
        let (awake, to) = (awake + u64::from(cycles), base.wrapping_add(slot as u32 * 2));
        self.log.push(Transfer { core, awake, to, stack, kind });
    }

    /// Returns the address of a slot of the flight.
    pub(crate) fn address(&self, slot: usize) -> u32 {
        self.flight.2.wrapping_add(slot as u32 * 2)
    }

    pub(super) fn begin_round(&mut self) {
        self.round = self.log.len();
    }

    pub(super) fn repeat_round(&mut self, core: u8, rounds: u64, cycles: u64, awake: u64) {
        let transfers = (self.log.len() - self.round.min(self.log.len())) as u32;
        if transfers == 0 || rounds == 0 {
            return;
        }
        let Some(last) = self.log.last().copied() else { return };
        let kind = TransferKind::Repeat { rounds, cycles, transfers };
        self.log.push(Transfer { core, awake, kind, ..last });
    }
}

impl Memory {
    /// Records from now on how the cores go from one of these functions to another. A function is
    /// the range of its addresses; the ROM is one as well.
    pub fn record_transfers(&mut self, functions: impl IntoIterator<Item = Range<u32>>) {
        let [_, (rom, rom_length, _), (flash, length, _)] = self.regions();
        let mut numbers = vec![0; flash + length];
        numbers[rom..rom + rom_length].fill(ROM);
        for (number, range) in (FIRST..).zip(functions) {
            let first = self.region_of(range.start).filter(|_| range.start >= FLASH_BASE);
            let Some(first) = first else { continue };
            let end = first.start + first.length;
            let halfwords = (range.end.saturating_sub(range.start) as usize).div_ceil(2);
            numbers[first.index..(first.index + halfwords).min(end)].fill(number);
        }
        self.settle_counts();
        self.blocks.discard();
        let current = [u32::MAX; 2];
        let transfers = Transfers { functions: numbers, current, ..Transfers::default() };
        self.transfers = Some(Box::new(transfers));
        self.records = true;
    }

    /// Returns the transfers since the last call, in the order in which the cores have made them.
    pub fn take_transfers(&mut self) -> Vec<Transfer> {
        self.transfers
            .as_mut()
            .map(|transfers| std::mem::take(&mut transfers.log))
            .unwrap_or_default()
    }

    /// Whether so many transfers have been recorded that they must be taken.
    pub fn is_record_full(&self) -> bool {
        self.transfer_count() >= MANY
    }

    /// Returns the cycle up to which a turn that begins at `cycle` may last.
    pub(crate) fn turn_end(&self, cycle: u64) -> u64 {
        if self.transfers.is_some() { cycle + LONGEST_TURN } else { u64::MAX }
    }

    /// Number of transfers that have been recorded and not taken.
    pub(crate) fn transfer_count(&self) -> usize {
        self.transfers.as_ref().map_or(0, |transfers| transfers.log.len())
    }

    /// Begins the execution of blocks by a core that was awake for these cycles.
    #[inline(always)]
    pub(crate) fn begin_flight(&mut self, core: u8, awake: u64, base: u32) {
        if let Some(transfers) = &mut self.transfers {
            transfers.flight = (core, awake, base);
        }
    }

    /// Notes that a core is at `address`, if it has come there from another function without a
    /// note.
    pub(crate) fn note_arrival(&mut self, core: u8, address: u32, stack: u32, awake: u64) {
        let Some(transfers) = &self.transfers else { return };
        let slot = self.region_of(address).map_or(0, |place| place.index);
        if transfers.function(slot) != transfers.current[usize::from(core & 1)] {
            self.note_transfer(core, address, stack, awake, TransferKind::Jump);
        }
    }

    /// Notes that a core goes to `to`.
    pub(crate) fn note_transfer(
        &mut self,
        core: u8,
        to: u32,
        stack: u32,
        awake: u64,
        kind: TransferKind,
    ) {
        let slot = self.region_of(to).map_or(0, |place| place.index);
        if let Some(transfers) = &mut self.transfers {
            transfers.current[usize::from(core & 1)] = transfers.function(slot);
            transfers.log.push(Transfer { core, awake, to, stack, kind });
        }
    }

    /// Notes that a core has executed `instruction` at `pc` and continues at `to`.
    pub(crate) fn note_departure(
        &mut self,
        core: u8,
        (instruction, pc): (Instruction, u32),
        to: u32,
        stack: u32,
        awake: u64,
    ) {
        match Departure::of(instruction) {
            Departure::Any => self.note_arrival(core, to, stack, awake),
            Departure::Indirect => self.note_transfer(core, to, stack, awake, TransferKind::Jump),
            Departure::Call => {
                let return_address = pc.wrapping_add(instruction.size());
                let kind = TransferKind::Call { return_address };
                self.note_transfer(core, to, stack, awake, kind);
            }
        }
    }
}
