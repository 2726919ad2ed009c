//! Skips periods of loops whose registers follow a counter: `now - start` is another number in each
//! microsecond, so that no round is like the one before.
//!
//! A counter counts once in a fixed number of cycles, so that some number of rounds takes a whole
//! number of counts: a period. Two periods are executed. If the second changes the registers by the
//! same differences as the first, and following its instructions gives these differences again
//! ([`Slopes`]), every further period does the same, until a flag would differ.

use super::slopes::Slopes;
use super::{Ended, Rounds, Runner};
use crate::cpu::bus::Bus;

/// Visits of a load before its loop is examined.
const VISITS: u32 = 16;
/// Cycles to the deadline below which a period is not worth looking for.
const WORTH_IT: u64 = 10_000;
/// The most instructions of a period. A loop of 20 needs 2,500 at 125 cycles for a count.
const LONGEST: u32 = 6_000;
/// Cycles without a search after one without success, doubled after each further one, at most
/// [`MOST_REFUSALS`] times: a wait may just have ended, and other loops read devices for as long as
/// the program runs.
const REFUSED_FOR: u64 = 4_096;
const MOST_REFUSALS: u32 = 8;

/// The state of the search.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Search {
    /// Visits of the load at which a round may begin, since the last search.
    visits: u32,
    /// The cycle before which there is no search.
    not_before: u64,
    /// Searches in turn without success.
    refusals: u32,
}

impl Search {
    pub(super) fn visit(&mut self) {
        self.visits = self.visits.saturating_add(1);
    }

    pub(super) fn forget_visits(&mut self) {
        self.visits = 0;
    }
}

impl<B: Bus> Runner<'_, B> {
    /// Whether [`skip_counting`](Self::skip_counting) would search at this visit.
    #[inline(always)]
    pub(super) fn is_counting_due(&self) -> bool {
        let (cycle, search) = (self.cpu.cycles, &self.cpu.waiting.counting);
        self.until.saturating_sub(cycle) >= WORTH_IT
            && search.visits >= VISITS - 1
            && cycle >= search.not_before
    }

    /// Executes two periods from the current load on and skips those that are like them, if it is
    /// in a loop that waits for a counter. Returns true if it has executed anything.
    #[inline]
    pub(super) fn skip_counting(&mut self) -> bool {
        let begin = self.cpu.cycles;
        if self.until.saturating_sub(begin) < WORTH_IT {
            return false;
        }
        let is_due = self.is_counting_due();
        self.cpu.waiting.counting.visit();
        if !is_due {
            return false;
        }
        self.cpu.waiting.counting.forget_visits();
        let periods = self.periods();
        let search = &mut self.cpu.waiting.counting;
        match periods {
            // Less than a period is left until the deadline.
            Ok(period) => {
                (search.refusals, search.not_before) = (0, self.cpu.cycles + period);
            }
            Err(Ended::Deadline) => {}
            Err(Ended::Refused) => {
                search.not_before = self.cpu.cycles + (REFUSED_FOR << search.refusals);
                search.refusals = (search.refusals + 1).min(MOST_REFUSALS);
            }
        }
        self.forget_seen();
        self.cpu.cycles != begin
    }

    /// Executes two periods and skips the others. Returns the cycles of one.
    fn periods(&mut self) -> Result<u64, Ended> {
        let before = self.seen();
        let first = self.period(None)?;
        let between = self.seen();
        let hypothesis = Slopes::between(&before.registers, &between.registers);
        let mut slopes = hypothesis.clone();
        self.memory.begin_round();
        let second = self.period(Some((&mut slopes, first.cycles)))?;
        let after = self.seen();
        let is_linear = slopes.registers == hypothesis.registers
            && Slopes::between(&between.registers, &after.registers) == hypothesis
            && (first.cycles, first.instructions) == (second.cycles, second.instructions)
            && (before.apsr, between.apsr) == (between.apsr, after.apsr);
        if !is_linear {
            return Err(Ended::Refused);
        }
        let time = self.until.min(second.steady_until).saturating_sub(self.cpu.cycles);
        let periods = (time / second.cycles).min(slopes.periods);
        self.cpu.skip(periods * second.cycles, periods * second.instructions);
        self.repeat_round(periods, second.cycles);
        for (register, slope) in self.cpu.registers.iter_mut().zip(hypothesis.registers) {
            *register = register.wrapping_add((slope as u32).wrapping_mul(periods as u32));
        }
        Ok(second.cycles)
    }

    /// Executes rounds until they have taken whole counts and left the flags as they were. With
    /// `follows`, slopes and the cycles of a period, until these cycles have passed.
    fn period(&mut self, mut follows: Option<(&mut Slopes, u64)>) -> Result<Rounds, Ended> {
        let apsr = self.cpu.flags.apsr();
        let mut period = Rounds::new(LONGEST);
        loop {
            let follows = follows.as_mut().map(|(slopes, cycles)| (&mut **slopes, *cycles));
            let followed = follows.as_ref().map(|(_, cycles)| *cycles);
            self.go_round::<true>(&mut period, follows)?;
            let Some(counts) = period.counts else { return Err(Ended::Refused) };
            let is_over = match followed {
                Some(cycles) => period.cycles >= cycles,
                None => period.cycles.is_multiple_of(counts) && self.cpu.flags.apsr() == apsr,
            };
            if is_over {
                return Ok(period);
            }
        }
    }
}
