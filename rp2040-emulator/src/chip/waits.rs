//! Both cores wait: time advances to the next change.
//!
//! A core that waits alone skips rounds within its run (`cpu::waiting`). With two, a run is a turn of
//! few cycles, so turns have to be skipped as well. As long as each core waits or sleeps, and nothing
//! that they read changes, what they do repeats itself: at some end of a turn registers, flags and
//! the distance in cycles are those of an earlier one. The time between is the period that is skipped.

use super::{Chip, LEAD, Launch};
use crate::cpu::bus::Bus;
use crate::cpu::waiting::Seen;
use crate::cpu::{Cpu, Stop};

/// After so many turns without a repetition it is not looked for before the next change.
const TURNS_MAX: u32 = 1 << 12;

/// The turns since which nothing has changed but the cores.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Calm {
    /// How many they are.
    turns: u32,
    /// The end of one of them, with which later ones are compared.
    anchor: Option<Anchor>,
}

/// A repetition is not looked for if something changes within so many cycles.
const TOO_SOON: u64 = 8 * LEAD;

/// Both cores at the end of a turn.
#[derive(Clone, Copy, Debug)]
struct Anchor {
    seen: [Seen; 2],
    cycles: [u64; 2],
    instructions: [u64; 2],
    /// How far the latest access to a device is ahead of core 0.
    ahead: u64,
    /// What the cores read does not change before this cycle.
    steady_until: u64,
}

impl Anchor {
    fn repeats(&self, earlier: &Self) -> bool {
        let apart = |anchor: &Self| anchor.cycles[0].wrapping_sub(anchor.cycles[1]);
        self.ahead == earlier.ahead && apart(self) == apart(earlier) && self.seen == earlier.seen
    }
}

impl Chip {
    /// Core `core` has had a turn, since which and `activity` both may wait: if they do, skips the
    /// turns that repeat what they did, up to `until` or the next change.
    #[inline]
    pub(super) fn skip_waits(
        &mut self,
        calm: &mut Calm,
        core: usize,
        stop: Stop,
        activity: u64,
        until: u64,
    ) {
        let waits = |core: &Cpu| match core.wait() {
            Some(wait) => !wait.reads_ram,
            None => core.asleep(),
        };
        let quiet = stop == Stop::Deadline
            && self.devices.activity == activity
            && self.devices.launch == Launch::Running
            && waits(&self.cores[core]);
        if !quiet {
            *calm = Calm::default();
            return;
        }
        calm.turns += 1;
        // Each core has had a turn that began after one of the other in which nothing changed.
        if calm.turns < 3 || calm.turns > TURNS_MAX || !self.cores.iter().all(waits) {
            return;
        }
        if self.steady_until() < self.cores[core].cycles() + TOO_SOON {
            return;
        }
        let now = self.anchor();
        match calm.anchor {
            Some(earlier) if now.repeats(&earlier) && now.cycles[0] < earlier.steady_until => {
                self.skip_periods(&earlier, &now, until);
                *calm = Calm::default();
            }
            // The turns of which the number is a power of two: a period of any length is found.
            _ if calm.anchor.is_none() || calm.turns.is_power_of_two() => calm.anchor = Some(now),
            _ => {}
        }
    }

    fn anchor(&self) -> Anchor {
        let cycles = self.cores.each_ref().map(Cpu::cycles);
        Anchor {
            seen: self.cores.each_ref().map(|core| core.seen(core.pc())),
            cycles,
            instructions: self.cores.each_ref().map(Cpu::instructions),
            ahead: self.devices.now_cycle.wrapping_sub(cycles[0]),
            steady_until: self.steady_until(),
        }
    }

    /// The cycle before which nothing changes that the cores read.
    fn steady_until(&self) -> u64 {
        let waits = self.cores.iter().filter_map(Cpu::wait);
        waits.map(|wait| wait.steady_until).fold(u64::MAX, u64::min)
    }

    /// Advances both cores by whole periods, from `earlier` to `now`, which end before anything
    /// changes.
    fn skip_periods(&mut self, earlier: &Anchor, now: &Anchor, until: u64) {
        let period = now.cycles[0] - earlier.cycles[0];
        let ticks = self.cores.iter().map(Cpu::next_tick);
        let change = until.min(self.devices.next_change(0)).min(now.steady_until);
        let quiet = ticks.fold(change, u64::min).saturating_sub(2 * LEAD);
        let latest = now.cycles[0].max(now.cycles[1]);
        let Some(periods) = quiet.saturating_sub(latest).checked_div(period) else { return };
        let skipped = periods * period;
        // The last accesses would have been so much later.
        self.devices.now_cycle += skipped;
        for (number, core) in self.cores.iter_mut().enumerate() {
            let instructions = now.instructions[number] - earlier.instructions[number];
            core.skip(skipped, periods * instructions);
            if !core.asleep() {
                self.devices.waited(number as u8, core.cycles());
            }
        }
    }
}
