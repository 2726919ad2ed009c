//! Skips time up to the next change while both cores wait.
//!
//! A core that waits alone skips iterations within its run (`cpu::execute::idle`). With two cores,
//! a run is a turn of a few cycles, so turns have to be skipped as well. After some turns in which
//! no core has changed anything, iterations of both are recorded ([`Rhythm`]). If both have a
//! rhythm, or one sleeps, the turns up to the next change are skipped: only the cycle at which each
//! ends is computed.

use super::{Chip, Launch};
use crate::cpu::bus::Bus;
use crate::cpu::rhythm::{Position, Rhythm};
use crate::cpu::{Cpu, Stop};

/// Number of turns without a change after which both cores may be waiting; `RECORDED` is the
/// largest number of turns that are recorded.
const QUIET: u32 = 4;
const RECORDED: u32 = 128;
/// Number of turns after which recording is tried again after a failure. It doubles with each
/// further failure, `MOST_FAILURES` times.
const PATIENCE: u32 = 16;
const MOST_FAILURES: u32 = 4;

/// The turns since which only the cores have changed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct IdleTurns {
    /// Number of turns.
    turns: u32,
    /// Number of the turn with which the next recording begins, or the current one has begun.
    from: u32,
    recording: bool,
    /// Number of failed recordings.
    failures: u32,
    /// Cycle before which no recording is tried, because the cores have already been skipped up to
    /// it.
    until: u64,
}

impl IdleTurns {
    fn end(&mut self, cores: &mut [Cpu; 2]) {
        if self.recording {
            cores.iter_mut().for_each(Cpu::end_recording);
        }
        *self = Self { failures: self.failures, from: QUIET, ..Self::default() };
    }
}

/// The way in which a core spends the time.
#[derive(Clone, Copy)]
enum Pace<'a> {
    Asleep,
    Waits(&'a Rhythm),
}

impl<'a> Pace<'a> {
    /// Returns the pace of a core; `None` if it is not known yet, and an error if the core does
    /// something else.
    fn of(core: &'a Cpu) -> Option<Result<Self, ()>> {
        match core.asleep() {
            true => Some(Ok(Self::Asleep)),
            false => Some(core.rhythm()?.map(Self::Waits)),
        }
    }

    fn position(self, core: &Cpu) -> Option<Position> {
        match self {
            Self::Asleep => Some(Position { cycle: core.cycles(), beat: 0 }),
            Self::Waits(rhythm) => rhythm.position(core.pc(), core.cycles()),
        }
    }

    /// Returns the position at which a turn up to `deadline` ends, with the bus up to `horizon`.
    fn reach(self, from: Position, deadline: u64, horizon: u64) -> Position {
        match self {
            Self::Asleep => Position { cycle: deadline.min(horizon + 1), ..from },
            Self::Waits(rhythm) => rhythm.reach(from, deadline, horizon),
        }
    }

    /// Returns the cycle before which the core's reads have the same outcome, and the number of
    /// cycles of an iteration.
    fn steady_until(self) -> (u64, u64) {
        match self {
            Self::Asleep => (u64::MAX, 0),
            Self::Waits(rhythm) => (rhythm.steady_until, rhythm.cycles),
        }
    }
}

impl Chip {
    /// Handles the end of a turn of core `core`, during which the devices' activity count was
    /// `activity` at first. If both cores may be waiting, skips turns up to `until` or the next
    /// change.
    #[inline]
    pub(super) fn skip_waits(
        &mut self,
        calm: &mut IdleTurns,
        core: usize,
        stop: Stop,
        activity: u64,
        until: u64,
    ) {
        let quiet = stop == Stop::Deadline
            && self.devices.activity == activity
            && self.devices.launch == Launch::Running
            && self.in_rom == [0; 2];
        if !quiet {
            calm.end(&mut self.cores);
            return;
        }
        calm.turns += 1;
        if calm.turns >= calm.from && self.cores[core].cycles() >= calm.until {
            self.look_for_rhythms(calm, until);
        }
    }

    /// Begins a recording, or ends it if it is complete.
    #[cold]
    fn look_for_rhythms(&mut self, calm: &mut IdleTurns, until: u64) {
        if !calm.recording {
            if self.cores.iter().all(Cpu::asleep) {
                return;
            }
            (calm.recording, calm.from) = (true, calm.turns);
            for core in &mut self.cores {
                if !core.asleep() {
                    core.begin_recording();
                }
            }
            return;
        }
        let plan = match self.cores.each_ref().map(Pace::of) {
            [Some(Ok(first)), Some(Ok(second))] => self.plan([first, second], until),
            [Some(Err(())), _] | [_, Some(Err(()))] => None,
            _ if calm.turns - calm.from < RECORDED => return,
            _ => None,
        };
        if let Some(plan) = &plan {
            self.carry_out(plan);
        }
        calm.end(&mut self.cores);
        match plan {
            Some(plan) => (calm.failures, calm.until) = (0, plan.change),
            None => {
                calm.from = PATIENCE << calm.failures;
                calm.failures = (calm.failures + 1).min(MOST_FAILURES);
            }
        }
    }

    /// Computes turns up to the next change; returns `None` if there are none.
    fn plan(&self, paces: [Pace<'_>; 2], until: u64) -> Option<Plan> {
        let steady = paces.map(Pace::steady_until);
        let change = steady.into_iter().map(|(cycle, _)| cycle).fold(until, u64::min);
        let change = change.min(self.devices.next_change(0));
        let change = self.cores.iter().map(Cpu::next_tick).fold(change, u64::min);
        // After the last turn each core executes at least one whole iteration before the change:
        // then its registers are exact, whatever counter they follow.
        let longest = steady[0].1.max(steady[1].1);
        let end = change.saturating_sub(2 * longest + 4 * self.lead);
        let [first, second] = [0, 1].map(|number| paces[number].position(&self.cores[number]));
        let from = [first?, second?];
        let mut to = from;
        // Turns repeat: `mark` is an earlier position to compare with, and `turns` counts the
        // turns.
        let (mut mark, mut turns) = (from, 0_u32);
        loop {
            let core = usize::from(to[1].cycle < to[0].cycle);
            let other = to[1 - core].cycle;
            let horizon = Self::horizon(core, other);
            let next = paces[core].reach(to[core], other + self.lead, horizon);
            if next.cycle > end {
                break;
            }
            to[core] = next;
            turns += 1;
            if repeats(mark, to) {
                let period = to[0].cycle - mark[0].cycle;
                let latest = to[0].cycle.max(to[1].cycle);
                let periods = (end - latest) / period;
                to.iter_mut().for_each(|position| position.cycle += periods * period);
                mark = to;
            } else if turns.is_power_of_two() {
                mark = to;
            }
        }
        (to != from).then_some(Plan { from, to, change })
    }

    fn carry_out(&mut self, plan: &Plan) {
        // The end of a turn is an access to the devices.
        self.devices.now(plan.to[0].cycle.max(plan.to[1].cycle));
        for (number, core) in self.cores.iter_mut().enumerate() {
            // A register that counts is not polled without result.
            let polls = matches!(core.rhythm(), Some(Ok(rhythm)) if !rhythm.counts);
            core.count_rounds(&mut self.memory, plan.from[number], plan.to[number]);
            core.go_on(plan.from[number], plan.to[number]);
            if polls && !core.asleep() {
                self.devices.waited(number as u8, core.cycles());
            }
        }
    }
}

/// Turns that are skipped.
#[derive(Clone, Copy, Debug)]
struct Plan {
    from: [Position; 2],
    to: [Position; 2],
    /// Cycle of the next change.
    change: u64,
}

/// Returns whether the cores are at the same positions as before, both later by the same time.
fn repeats(earlier: [Position; 2], now: [Position; 2]) -> bool {
    let passed = [0, 1].map(|core| now[core].cycle - earlier[core].cycle);
    let beats = |positions: [Position; 2]| positions.map(|position| position.beat);
    passed[0] != 0 && passed[0] == passed[1] && beats(earlier) == beats(now)
}
