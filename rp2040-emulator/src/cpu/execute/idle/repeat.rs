//! Skips rounds that end with the registers and flags that they began with.
//!
//! At a load from a device at the same address as before, with few other accesses between, the core
//! is compared with its state at the last visit. If nothing has changed, one round is executed; it
//! shows whether the loop only waits. If so, every round until a loaded register changes is the
//! same.

use super::{Ended, Rounds, Runner, Seen};
use crate::cpu::bus::Bus;

/// The most instructions of a round. Longer loops do more than wait.
const LONGEST: u32 = 32;
/// The most accesses to devices in a round.
const MOST_ACCESSES: u32 = 8;
/// Cycles for which a load outside a waiting loop is not examined again.
const REFUSED_FOR: u64 = 100_000;

/// The state of the search.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Search {
    /// Address of the last instruction that accessed a device.
    last: u32,
    /// Address of the access with which a round begins: one that came twice in a row, or one of
    /// several in a loop, which compilers make of one by unrolling it.
    anchor: u32,
    /// Accesses elsewhere since the last one at `anchor`.
    others: u32,
    /// The core at the last visit of the anchor.
    seen: Option<Seen>,
    /// Address of the load at which the core waited last.
    waited_at: u32,
    /// Address of a load outside a waiting loop, and the cycle before which it is not examined
    /// again.
    refused: (u32, u64),
}

impl<B: Bus> Runner<'_, B> {
    /// Whether a round may begin with the access to a device at `pc`. Its address alone excludes
    /// most accesses.
    #[inline(always)]
    pub(super) fn may_begin_round(&mut self, pc: u32) -> bool {
        let waiting = &mut self.cpu.waiting;
        let search = &mut waiting.repeat;
        let again = std::mem::replace(&mut search.last, pc) == pc;
        if search.anchor != pc {
            search.others += 1;
            if !again && search.others < MOST_ACCESSES {
                return false;
            }
            search.anchor = pc;
            search.seen = None;
            waiting.counting.forget_visits();
        }
        waiting.repeat.others = 0;
        true
    }

    /// Whether the load at `pc` is not to be examined.
    #[inline(always)]
    pub(super) fn is_refused(&self, pc: u32) -> bool {
        let (refused, until) = self.cpu.waiting.repeat.refused;
        pc == refused && self.cpu.cycles < until
    }

    /// Forgets the state at the last visit of the anchor.
    pub(super) fn forget_seen(&mut self) {
        self.cpu.waiting.repeat.seen = None;
    }

    /// Executes a round from the load at `pc` on and skips those that are like it. Returns true if
    /// it has executed anything.
    pub(super) fn skip_repeats(&mut self, pc: u32) -> bool {
        let mut here = self.seen();
        if self.cpu.waiting.repeat.seen != Some(here) {
            self.cpu.waiting.repeat.seen = Some(here);
            return false;
        }
        // The awaited value may have changed in the first round; then the second shows the loop.
        for _ in 0..2 {
            let mut round = Rounds::new(LONGEST);
            self.memory.begin_round();
            match self.go_round::<false>(&mut round, None) {
                Ok(()) if self.seen() == here => {
                    let until = self.until.min(round.steady_until);
                    let rounds = until.saturating_sub(self.cpu.cycles) / round.cycles;
                    self.skip_rounds(rounds, round.cycles, round.instructions);
                    self.repeat_round(rounds, round.cycles);
                    self.cpu.waiting.repeat.waited_at = pc;
                    return true;
                }
                Err(Ended::Refused) => {
                    // The end of a wait does not make the loop another one.
                    if self.cpu.waiting.repeat.waited_at != pc {
                        self.cpu.waiting.repeat.refused = (pc, self.cpu.cycles + REFUSED_FOR);
                    }
                    return true;
                }
                Err(Ended::Deadline) if self.address(self.index) != pc => return true,
                Ok(()) | Err(Ended::Deadline) => {
                    here = self.seen();
                    self.cpu.waiting.repeat.seen = Some(here);
                }
            }
        }
        true
    }
}
