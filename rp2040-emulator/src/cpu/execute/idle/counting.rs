//! Loops that wait for a counter ([`waiting`](super::state)) whose registers follow it: `now - start` is another number in each
//! microsecond, so that no round is like the one before.
//!
//! But as a counter goes up by one every so many cycles, some number of rounds takes a whole number of counts: a
//! period. If registers are then other ones by some differences, and these differences come out again when the
//! next period is followed instruction by instruction ([`Slopes`]), every further period does the same with
//! registers that have changed by as much again, until a flag would come out differently. These periods are
//! added without executing them; the core is then exactly where it would have been.

use super::repeat::Effect;
use super::slopes::Slopes;
use crate::cpu::bus::Bus;
use crate::cpu::execute::Runner;
use crate::cpu::instruction::Instruction;

/// A load is looked at when the program has come to it so often.
const VISITS: u32 = 16;
/// With fewer cycles to go there is too little to skip.
const WORTH_IT: u64 = 10_000;
/// The most instructions of a period. A loop of 20 needs 2,500 at 125 cycles for a count.
const LONGEST: u32 = 6_000;
/// After a look in vain there is none for so many cycles, and after each further one for twice as many, so often: a
/// wait may just have ended, and other loops read devices for as long as the program runs.
const REFUSED_FOR: u64 = 4_096;
const MOST_REFUSALS: u32 = 8;

/// A period that has been executed.
struct Period {
    cycles: u64,
    instructions: u64,
    /// No device that it reads changes before this cycle, but for the counter.
    steady_until: u64,
}

/// Why a period is not known.
enum Ended {
    /// The time is over.
    Time,
    /// The loop does more than wait, or for something else.
    Refused,
}

impl<B: Bus> Runner<'_, B> {
    /// Whether [`skip_counting`](Self::skip_counting) would look for a counter.
    pub(super) fn is_counting_due(&self) -> bool {
        let (cycle, waiting) = (self.cpu.cycles, &self.cpu.waiting);
        self.until.saturating_sub(cycle) >= WORTH_IT
            && waiting.visits >= VISITS - 1
            && cycle >= waiting.uncounted_until
    }

    /// The program is at a load from a device, at which it has been before. If it is in a loop that waits for a
    /// counter, executes two periods, and skips those that are like them. True if it has executed anything.
    #[inline]
    pub(super) fn skip_counting(&mut self) -> bool {
        let (begin, waiting) = (self.cpu.cycles, &mut self.cpu.waiting);
        if self.until.saturating_sub(begin) < WORTH_IT {
            return false;
        }
        waiting.visits = waiting.visits.saturating_add(1);
        if waiting.visits < VISITS || begin < waiting.uncounted_until {
            return false;
        }
        waiting.visits = 0;
        let periods = self.periods();
        let waiting = &mut self.cpu.waiting;
        match periods {
            // What is left of its time is less than a period.
            Ok(period) => {
                (waiting.refusals, waiting.uncounted_until) = (0, self.cpu.cycles + period);
            }
            Err(Ended::Time) => {}
            Err(Ended::Refused) => {
                waiting.uncounted_until = self.cpu.cycles + (REFUSED_FOR << waiting.refusals);
                waiting.refusals = (waiting.refusals + 1).min(MOST_REFUSALS);
            }
        }
        // What was known of the loop is of before.
        self.cpu.waiting.seen = None;
        self.cpu.cycles != begin
    }

    /// Executes two periods and skips the others. Returns the cycles of one.
    fn periods(&mut self) -> Result<u64, Ended> {
        let before = self.seen();
        let first = self.period(None)?;
        let between = self.seen();
        let hypothesis = Slopes::between(&before.registers, &between.registers);
        let mut slopes = hypothesis.clone();
        let second = self.period(Some((&mut slopes, first.cycles)))?;
        let behind = self.seen();
        let is_linear = slopes.registers == hypothesis.registers
            && Slopes::between(&between.registers, &behind.registers) == hypothesis
            && (first.cycles, first.instructions) == (second.cycles, second.instructions)
            && (before.apsr, between.apsr) == (between.apsr, behind.apsr);
        if !is_linear {
            return Err(Ended::Refused);
        }
        let time = self.until.min(second.steady_until).saturating_sub(self.cpu.cycles);
        let periods = (time / second.cycles).min(slopes.periods);
        self.cpu.skip(periods * second.cycles, periods * second.instructions);
        for (register, slope) in self.cpu.registers.iter_mut().zip(hypothesis.registers) {
            *register = register.wrapping_add((slope as u32).wrapping_mul(periods as u32));
        }
        Ok(second.cycles)
    }

    /// Executes instructions to where the program is now, until as many cycles have passed as some counts
    /// take. With `follows` these are so many cycles, and the slopes are followed.
    fn period(&mut self, mut follows: Option<(&mut Slopes, u64)>) -> Result<Period, Ended> {
        let (pc, apsr) = (self.address(self.index), self.cpu.flags.apsr());
        let (cycles, instructions) = (self.cpu.cycles, self.cpu.instructions);
        let (mut count, mut steady_until) = (None, u64::MAX);
        for _ in 0..LONGEST {
            if self.cpu.cycles >= self.until {
                return Err(Ended::Time);
            }
            if *self.memory.slot(self.index) == Instruction::Undecoded {
                self.memory.decode(self.index, self.address(self.index));
            }
            let instruction = *self.memory.slot(self.index);
            let effect = self.effect();
            if let (Some((slopes, _)), Effect::Registers) = (&mut follows, &effect) {
                let carry = self.cpu.flags.carry;
                let known = slopes.follow(instruction, &self.cpu.registers, carry);
                known.map_err(|_| Ended::Refused)?;
            }
            let loaded = match (&follows, &effect) {
                (_, Effect::Other) => return Err(Ended::Refused),
                (Some((slopes, _)), Effect::Load(_)) => {
                    Some(slopes.load(instruction).map_err(|_| Ended::Refused)?)
                }
                _ => None,
            };
            let (passed, next) = self.step_or_pause().ok_or(Ended::Refused)?;
            self.note(self.index, passed, next);
            self.count(passed);
            self.index = next;
            if let Effect::Load(address) = effect {
                let (mut counts, mut steady) = (None, u64::MAX);
                if self.memory.load8(address).is_none() {
                    counts = self.bus.count_cycles(self.cpu.number, address);
                    steady = self.steady_until(address);
                }
                if steady == 0 || counts.is_some() && counts != *count.get_or_insert(counts) {
                    return Err(Ended::Refused);
                }
                if counts.is_none() {
                    steady_until = steady_until.min(steady);
                }
                if let (Some((slopes, period)), Some(t)) = (&mut follows, loaded) {
                    let slope = counts.map_or(0, |counts| *period / counts);
                    let slope = i32::try_from(slope).map_err(|_| Ended::Refused)?;
                    // Of a part of a word it is not known what it counts.
                    let is_word = matches!(
                        instruction,
                        Instruction::LdrImmediate { .. } | Instruction::LdrRegister { .. }
                    );
                    if slope != 0 && !is_word {
                        return Err(Ended::Refused);
                    }
                    let known = slopes.loaded(t, self.get(t), slope);
                    known.map_err(|_| Ended::Refused)?;
                }
            }
            if self.address(self.index) != pc {
                continue;
            }
            let (cycles, instructions) =
                (self.cpu.cycles - cycles, self.cpu.instructions - instructions);
            let is_over = match (&follows, count.flatten()) {
                // A round without a counter.
                (_, None) => return Err(Ended::Refused),
                (Some((_, period)), _) => cycles >= *period,
                (None, Some(counts)) => {
                    cycles.is_multiple_of(counts) && self.cpu.flags.apsr() == apsr
                }
            };
            if is_over {
                return Ok(Period { cycles, instructions, steady_until });
            }
        }
        Err(Ended::Refused)
    }
}
