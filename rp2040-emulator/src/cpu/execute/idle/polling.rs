//! Skips rounds of polling loops that are known from the operations of a block ([`Round`]): a load,
//! a comparison, a branch back.
//!
//! A loop that waits for a byte of an SPI has four or five rounds. To compare the core with its
//! earlier state, as [`repeat`](super::repeat) does, takes as long as all of them; here two are
//! executed.

use super::rounds::{Round, find};
use super::{Effect, Runner};
use crate::cpu::Stop;
use crate::cpu::blocks::{Op, Passed};
use crate::cpu::bus::Bus;
use crate::cpu::execute::fast::{Region, run_round};
use crate::cpu::instruction::{Instruction, Register};

/// The note at a load with which no round begins. Other notes are the index of the round's branch.
const NO_ROUND: u32 = u32::MAX;

impl<B: Bus> Runner<'_, B> {
    /// The round that begins with operation `op`, the current instruction, unless it is known to be
    /// unfit.
    #[inline(always)]
    pub(in crate::cpu::execute) fn round_at(&mut self, op: usize) -> Option<Round> {
        let branch = match self.memory.blocks().note(op) {
            0 => self.search_round(op),
            note => note,
        };
        if branch == NO_ROUND || self.cpu.waiting.unfit == self.address(self.index) {
            return None;
        }
        Some(Round::new(self.memory.blocks(), op, branch as usize))
    }

    #[cold]
    #[inline(never)]
    fn search_round(&mut self, op: usize) -> u32 {
        let blocks = self.memory.blocks_mut();
        let branch = find(blocks, op).map_or(NO_ROUND, |branch| branch as u32);
        blocks.set_note(op, branch);
        branch
    }

    /// Executes the load of a round and, if there is time for it, the rest. While the loop repeats,
    /// skips the rounds in which the load gives the same value. With `RECORD` the execution is
    /// recorded.
    pub(in crate::cpu::execute) fn poll<const RECORD: bool>(
        &mut self,
        round: Round,
    ) -> Option<Stop> {
        let pc = self.address(self.index);
        let load = self.memory.instruction(self.index);
        let Some(address) = self.loads_from(load) else { return self.outside() };
        loop {
            let (cycles, instructions) = (self.cpu.cycles, self.cpu.instructions);
            let stop = self.step_on_bus();
            // A fault, or the deadline.
            let is_loaded = self.address(self.index) == pc.wrapping_add(2);
            if stop.is_some() || !is_loaded || !self.has_time_for(round) {
                return stop;
            }
            let (passed, next, taken) = match self.run_brief(round) {
                Some((passed, next, taken)) => {
                    if RECORD {
                        self.memory.note_way(round.branch, round.branch + 1, next);
                    }
                    (passed, next, taken)
                }
                None => {
                    let (start, length, base) = (self.start, self.length, self.base);
                    let region = Region { start, length, base };
                    let (registers, flags) = (&mut self.cpu.registers, &mut self.cpu.flags);
                    let ops = (round.load + 1..round.branch + 1, round.begin..round.load);
                    run_round::<RECORD>(registers, flags, self.memory.parts()?, region, ops)
                }
            };
            self.count(passed);
            self.index = next;
            if !taken {
                return None;
            }
            let steady_until =
                if self.loads_from(load) == Some(address) { self.steady_until(address) } else { 0 };
            // Whole periods of a loop that waits for a counter are skipped by `counting`.
            if steady_until == 0 || self.bus.count_cycles(self.cpu.number, address).is_some() {
                self.cpu.waiting.unfit = pc;
                return None;
            }
            let cycles = self.cpu.cycles - cycles;
            let instructions = self.cpu.instructions - instructions;
            // A round that begins before the register changes loads the old value. A round must end
            // by the deadline.
            let change = steady_until.saturating_sub(self.cpu.cycles);
            let end = self.until.saturating_sub(self.cpu.cycles);
            let rounds = match change.saturating_add(cycles) <= end {
                true => change.div_ceil(cycles),
                false => end / cycles,
            };
            self.skip_rounds(rounds, cycles, instructions);
            if RECORD && rounds != 0 {
                self.count_rounds(round, rounds);
            }
            if self.cpu.cycles >= self.until {
                return None;
            }
        }
    }

    /// As [`run_round`], without a block, for the most frequent rounds: a test of the loaded value,
    /// and a branch back to the load.
    #[inline(always)]
    fn run_brief(&mut self, round: Round) -> Option<(Passed, usize, bool)> {
        if !round.is_brief() {
            return None;
        }
        let Round { load, branch, .. } = round;
        let (registers, flags) = (&mut self.cpu.registers, &mut self.cpu.flags);
        let mut shift = |dm: u8, by: u8| {
            let wide = u64::from(registers[Register::new(dm).index()]) << (by & 31);
            registers[Register::new(dm >> 4).index()] = wide as u32;
            flags.carry = wide >> 32 & 1 != 0;
            flags.set_result(wide as u32);
        };
        let blocks = self.memory.blocks();
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
        let (test, after) = (blocks.mark(branch), blocks.mark(branch + 1));
        let (passed, next) = match taken {
            true => (blocks.exit(branch).passed, blocks.mark(load).slot),
            false => (after.passed, after.slot),
        };
        Some((passed - test.passed, next as usize, taken))
    }

    /// Counts the executions of rounds that were skipped.
    #[inline(never)]
    fn count_rounds(&mut self, round: Round, rounds: u64) {
        self.memory.count_operations(round.load, round.branch + 1, rounds);
        if round.begin < round.load {
            self.memory.count_operations(round.begin, round.load, rounds);
        }
    }

    /// The address that an instruction loads from, if it is a load.
    #[inline(always)]
    fn loads_from(&self, instruction: Instruction) -> Option<u32> {
        if let Instruction::LdrImmediate { n, offset, .. } = instruction {
            return Some(self.displaced(n, offset));
        }
        match self.effect(instruction) {
            Effect::Load(address) => Some(address),
            _ => None,
        }
    }

    /// Whether every instruction after the load of a round begins before the deadline.
    fn has_time_for(&self, round: Round) -> bool {
        self.cpu.cycles + u64::from(round.cycles) <= self.until
    }
}
