//! Finds loops that only wait ([`waiting`](super::state)) and skips their rounds.
//!
//! At a load from a device in the same place as before, with at most a few others between, the core is compared with what it was. If
//! nothing has changed, a round is executed. That a loop only waits is so seen on the instructions that
//! it executes, not guessed from its code.

use super::state::{Seen, Wait};
use crate::cpu::bus::Bus;
use crate::cpu::execute::Runner;
use crate::cpu::instruction::Instruction;

/// The most instructions of a round. Longer loops do more than wait.
const LONGEST: usize = 32;
/// The most accesses to devices in a round.
const MOST_ACCESSES: u32 = 8;
/// For so many cycles a load that is in no such loop is not looked at again.
const REFUSED_FOR: u64 = 100_000;

/// What an instruction may do.
pub(super) enum Effect {
    /// It changes registers and flags of the core, or branches.
    Registers,
    /// It loads from this address.
    Load(u32),
    /// Anything else.
    Other,
}

impl<B: Bus> Runner<'_, B> {
    /// The instruction in the current slot needs the bus. If it is a load in a loop that only waits,
    /// executes a round, and skips those that are like it. True if it has executed anything.
    #[inline(always)]
    pub(in crate::cpu::execute) fn skip_wait(&mut self) -> bool {
        let pc = self.address(self.index);
        // Most accesses are not those of a loop that waits, and are told from them by their place.
        let waiting = &mut self.cpu.waiting;
        let again = std::mem::replace(&mut waiting.last, pc) == pc;
        if waiting.anchor != pc {
            waiting.others += 1;
            if !again && waiting.others < MOST_ACCESSES {
                return false;
            }
            waiting.anchor = pc;
            waiting.visits = 0;
            waiting.seen = None;
        }
        waiting.others = 0;
        let (refused, until) = waiting.refused;
        let is_refused = pc == refused && self.cpu.cycles < until;
        if is_refused && !self.is_counting_due() {
            let visits = &mut self.cpu.waiting.visits;
            *visits = visits.saturating_add(1);
            return false;
        }
        self.skip_wait_at(pc, is_refused)
    }

    /// The same, at the load with which a round may begin.
    #[inline(never)]
    fn skip_wait_at(&mut self, pc: u32, is_refused: bool) -> bool {
        if !matches!(self.effect(), Effect::Load(_)) {
            return false;
        }
        if self.skip_counting() {
            return true;
        }
        if is_refused {
            return false;
        }
        let mut here = self.seen();
        if self.cpu.waiting.seen != Some(here) {
            self.cpu.waiting.seen = Some(here);
            return false;
        }
        // What it waits for has changed in the first round, or not at all.
        for _ in 0..2 {
            match self.round(here) {
                Some(Ok(wait)) => {
                    let rounds = wait.rounds(self.cpu.cycles, self.until);
                    self.cpu.skip(rounds * wait.cycles, rounds * wait.instructions);
                    if rounds != 0 {
                        self.bus.waited(self.cpu.number, self.cpu.cycles);
                    }
                    self.cpu.waiting.waited_at = pc;
                    return true;
                }
                // The end of a wait is no reason to take the loop for another.
                Some(Err(())) if self.cpu.waiting.waited_at != pc => {
                    self.cpu.waiting.refused = (pc, self.cpu.cycles + REFUSED_FOR);
                    return true;
                }
                Some(Err(())) => return true,
                None if self.address(self.index) != pc => return true,
                None => {
                    here = self.seen();
                    self.cpu.waiting.seen = Some(here);
                }
            }
        }
        true
    }

    pub(super) fn seen(&self) -> Seen {
        self.cpu.seen(self.address(self.index))
    }

    /// Executes a round from `begin` on. `None` if the time is over before its end, or the core is not
    /// what it was; an error if the loop does more than wait.
    fn round(&mut self, begin: Seen) -> Option<Result<Wait, ()>> {
        let (cycles, instructions) = (self.cpu.cycles, self.cpu.instructions);
        let mut steady_until = u64::MAX;
        for _ in 0..LONGEST {
            if self.cpu.cycles >= self.until {
                return None;
            }
            // The second of a pair may not be decoded yet.
            if *self.memory.slot(self.index) == Instruction::Undecoded {
                self.memory.decode(self.index, self.address(self.index));
            }
            let effect = self.effect();
            if matches!(effect, Effect::Other) {
                return Some(Err(()));
            }
            let Some((passed, next)) = self.step_or_pause() else { return Some(Err(())) };
            self.note(self.index, passed, next);
            self.cpu.cycles = self.cpu.cycles.wrapping_add(passed & 0xFFFF_FFFF);
            self.cpu.instructions += passed >> 32;
            self.index = next;
            if let Effect::Load(address) = effect
                && self.memory.load8(address).is_none()
            {
                let steady = self.steady_until(address);
                if steady == 0 {
                    return Some(Err(()));
                }
                steady_until = steady_until.min(steady);
            }
            if self.address(self.index) == begin.pc {
                if self.seen() != begin {
                    return None;
                }
                let cycles = self.cpu.cycles - cycles;
                let instructions = self.cpu.instructions - instructions;
                return Some(Ok(Wait { cycles, instructions, steady_until }));
            }
        }
        Some(Err(()))
    }

    /// [`Bus::steady_until`], also of the core's own registers, which are not on the bus.
    pub(super) fn steady_until(&self, address: u32) -> u64 {
        self.cpu
            .steady_until(address)
            .unwrap_or_else(|| self.bus.steady_until(self.cpu.number, address))
    }

    /// What the instruction in the current slot does.
    pub(super) fn effect(&self) -> Effect {
        self.effect_of(*self.memory.slot(self.index))
    }

    /// What an instruction does, in the current slot if it loads a literal.
    pub(super) fn effect_of(&self, instruction: Instruction) -> Effect {
        use Instruction as I;
        match instruction {
            I::LdrRegister { n, m, .. }
            | I::LdrhRegister { n, m, .. }
            | I::LdrbRegister { n, m, .. }
            | I::LdrsbRegister { n, m, .. }
            | I::LdrshRegister { n, m, .. } => Effect::Load(self.sum(n, m)),
            I::LdrImmediate { n, offset, .. }
            | I::LdrbImmediate { n, offset, .. }
            | I::LdrhImmediate { n, offset, .. } => Effect::Load(self.displaced(n, offset)),
            I::LdrLiteral { offset, .. } => Effect::Load(self.literal(self.index, offset)),
            I::StrRegister { .. }
            | I::StrhRegister { .. }
            | I::StrbRegister { .. }
            | I::StrImmediate { .. }
            | I::StrbImmediate { .. }
            | I::StrhImmediate { .. }
            | I::Push { .. }
            | I::Pop { .. }
            | I::PopPc { .. }
            | I::Stm { .. }
            | I::Ldm { .. }
            | I::Svc { .. }
            | I::Bkpt { .. }
            | I::Udf { .. }
            | I::Undefined { .. }
            | I::Cps { .. }
            | I::Msr { .. }
            | I::Mrs { .. }
            | I::Wfe
            | I::Wfi
            | I::Sev
            | I::Undecoded
            | I::End
            | I::Unfetchable
            | I::NotThumb => Effect::Other,
            _ => Effect::Registers,
        }
    }
}
