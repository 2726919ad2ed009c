//! Skips the rounds of polling loops whose operations alone say that they repeat ([`Round`]): the load, a comparison,
//! a branch back. A loop that waits for a byte of an SPI has four or five rounds, too few for the search of
//! [`wait`](super::repeat), which compares the core with what it was.

use super::repeat::Effect;
use super::turn::turn;
use crate::cpu::Stop;
use crate::cpu::blocks::Round;
use crate::cpu::bus::Bus;
use crate::cpu::execute::Runner;
use crate::cpu::execute::fast::{Region, go_round};
use crate::cpu::instruction::Instruction;

impl<B: Bus> Runner<'_, B> {
    /// The round that begins with an operation, the current instruction, if it is to be looked at.
    #[inline(always)]
    pub(in crate::cpu::execute) fn round_at(&self, op: usize) -> Option<Round> {
        let round = self.memory.round(op)?;
        (self.cpu.waiting.unfit != self.address(self.index)).then_some(round)
    }

    /// Executes the load of a round and, if there is time for it, what follows. If the loop then goes round, skips
    /// the rounds in which it loads the same, and executes the next, until it goes on elsewhere. What it executes is recorded of rounds
    /// that are [`brief`](Round::is_brief).
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
            // A fault, or the end of the time.
            let is_behind = self.address(self.index) == pc.wrapping_add(2);
            if stop.is_some() || !is_behind || !self.has_time_for(round) {
                return stop;
            }
            let (registers, flags) = (&mut self.cpu.registers, &mut self.cpu.flags);
            let (passed, next, taken) = match turn(registers, flags, self.memory.blocks(), round) {
                Some(turned) => turned,
                None => {
                    let (start, length, base) = (self.start, self.length, self.base);
                    let region = Region { start, length, base };
                    go_round(registers, flags, self.memory.parts()?, region, round)
                }
            };
            self.count(passed);
            self.index = next;
            if RECORD {
                self.memory.note_round(round, next);
            }
            if !taken {
                return None;
            }
            let steady_until =
                if self.loads_from(load) == Some(address) { self.steady_until(address) } else { 0 };
            // Whole periods of a loop that waits for a counter are skipped by the other way.
            if steady_until == 0 || self.bus.count_cycles(self.cpu.number, address).is_some() {
                self.cpu.waiting.unfit = pc;
                return None;
            }
            let cycles = self.cpu.cycles - cycles;
            let instructions = self.cpu.instructions - instructions;
            // A round that begins before the register changes loads what it was; of the time, a whole round is left.
            let change = steady_until.saturating_sub(self.cpu.cycles);
            let end = self.until.saturating_sub(self.cpu.cycles);
            let rounds = match change.saturating_add(cycles) <= end {
                true => change.div_ceil(cycles),
                false => end / cycles,
            };
            if rounds != 0 {
                self.cpu.skip(rounds * cycles, rounds * instructions);
                self.bus.waited(self.cpu.number, self.cpu.cycles);
            }
            if self.cpu.cycles >= self.until {
                return None;
            }
        }
    }

    /// What an instruction loads from, if it is a load.
    #[inline(always)]
    fn loads_from(&self, instruction: Instruction) -> Option<u32> {
        if let Instruction::LdrImmediate { n, offset, .. } = instruction {
            return Some(self.displaced(n, offset));
        }
        match self.effect_of(instruction) {
            Effect::Load(address) => Some(address),
            _ => None,
        }
    }

    /// Whether every instruction behind the load of a round begins before the deadline.
    fn has_time_for(&self, round: Round) -> bool {
        self.cpu.cycles + u64::from(round.cycles) <= self.until
    }
}
