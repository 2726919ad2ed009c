//! Detects registers that a core polls without result: it reads one, or a few in turn, for a
//! second, and they always have the same value.
//!
//! This is a report, because a program may wait in this way for an input that never comes. The
//! module does not know why the register does not change. It sees every read that is executed; for
//! skipped rounds of a waiting loop (`cpu::execute::idle`) it is given their duration.

use std::fmt;

use crate::cpu::bus::Access;
use crate::registers::register_name;

/// Time without a change after which a register is reported.
const PATIENCE_NS: u64 = 1_000_000_000;
/// Time without a read after which a core is not polling.
const PAUSE_NS: u64 = 1_000_000;
/// Largest number of registers that a loop polls in turn.
const LOOP: usize = 4;
/// Largest number of reports that are stored.
const MAX_POLLED: usize = 16;

/// A register that a core has polled without result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Polled {
    /// Name of the block.
    pub what: &'static str,
    /// The read at which a second had passed, or the last one executed before.
    pub access: Access,
    /// Value of the register.
    pub value: u32,
    /// Time for which it has not changed, in nanoseconds of virtual time.
    pub lasted_ns: u64,
}

/// Uses the datasheet's name of the register, or that of its block if it has none.
impl fmt::Display for Polled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Access { core, address, pc, .. } = self.access;
        write!(f, "core {core} polled ")?;
        match register_name(address) {
            Some(register) => write!(f, "{register} (0x{address:08x})")?,
            None => write!(f, "the {} 0x{address:08x}", self.what)?,
        }
        write!(
            f,
            ", which stayed 0x{:x} for {:.1} s, at 0x{pc:08x}",
            self.value,
            self.lasted_ns as f64 / 1e9
        )
    }
}

/// A read of a register.
#[derive(Clone, Copy, Debug)]
struct Read {
    what: &'static str,
    access: Access,
    value: u32,
}

/// The current loop of a core.
#[derive(Clone, Copy, Debug, Default)]
struct Poll {
    /// Addresses and values, of which the first `length` are used.
    seen: [(u32, u32); LOOP],
    length: usize,
    since_ns: u64,
    last_ns: u64,
    last: Option<Read>,
    /// Index of the report of this loop.
    report: Option<usize>,
}

impl Poll {
    /// Returns whether this read continues the loop.
    fn goes_on(&mut self, address: u32, value: u32, ns: u64) -> bool {
        let seen = &self.seen[..self.length];
        if ns.saturating_sub(self.last_ns) > PAUSE_NS {
            return false;
        }
        match seen.iter().find(|(known, _)| *known == address) {
            Some((_, before)) => *before == value,
            None if self.length < LOOP => {
                self.seen[self.length] = (address, value);
                self.length += 1;
                true
            }
            None => false,
        }
    }
}

/// The loops of both cores, and the reports.
#[derive(Clone, Debug, Default)]
pub(super) struct Polls {
    loops: [Poll; 2],
    found: Vec<Polled>,
}

impl Polls {
    /// Records that a core has read this value from a register of `what`.
    pub(super) fn read(&mut self, what: &'static str, access: Access, value: u32, ns: u64) {
        let poll = &mut self.loops[usize::from(access.core & 1)];
        if !poll.goes_on(access.address, value, ns) {
            (poll.length, poll.since_ns, poll.report) = (1, ns, None);
            poll.seen[0] = (access.address, value);
        }
        poll.last_ns = ns;
        poll.last = Some(Read { what, access, value });
        self.look_at(access.core);
    }

    /// Records that a core has waited until `ns` in a loop whose reads were skipped because their
    /// values do not change.
    pub(super) fn waited(&mut self, core: u8, ns: u64) {
        let poll = &mut self.loops[usize::from(core & 1)];
        if poll.last.is_some() {
            poll.last_ns = poll.last_ns.max(ns);
            self.look_at(core);
        }
    }

    /// Reports the loop of a core if it has lasted long enough.
    #[inline]
    fn look_at(&mut self, core: u8) {
        let poll = &self.loops[usize::from(core & 1)];
        let lasted_ns = poll.last_ns.saturating_sub(poll.since_ns);
        if lasted_ns >= PATIENCE_NS {
            self.report(core, lasted_ns);
        }
    }

    #[cold]
    fn report(&mut self, core: u8, lasted_ns: u64) {
        let poll = &mut self.loops[usize::from(core & 1)];
        let Some(Read { what, access, value }) = poll.last else { return };
        match poll.report {
            Some(number) => self.found[number].lasted_ns = lasted_ns,
            None => {
                let same = |polled: &Polled| {
                    (polled.access.address, polled.access.pc) == (access.address, access.pc)
                };
                poll.report = self.found.iter().position(same);
                if poll.report.is_none() && self.found.len() < MAX_POLLED {
                    poll.report = Some(self.found.len());
                    self.found.push(Polled { what, access, value, lasted_ns });
                }
            }
        }
    }

    /// Records that a core has written to a register, which ends its loop.
    pub(super) fn written(&mut self, core: u8) {
        let poll = &mut self.loops[usize::from(core & 1)];
        (poll.length, poll.last_ns, poll.last) = (0, 0, None);
    }

    pub(super) fn all(&self) -> &[Polled] {
        &self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::bus::Width;

    const STATUS: u32 = 0x4000_0004;

    /// Reads registers with their values in turn, one every `every_ns`, for `until_ns`, and checks
    /// the number of reports.
    #[track_caller]
    fn check(values: impl Fn(u64) -> (u32, u32), every_ns: u64, until_ns: u64, reported: usize) {
        let mut polls = Polls::default();
        for (count, ns) in (0..until_ns).step_by(every_ns as usize).enumerate() {
            let (address, value) = values(count as u64);
            let access = Access { core: 1, address, width: Width::Word, cycle: 0, pc: 0x1000_0200 };
            polls.read("block", access, value, 5_000_000 + ns);
        }
        assert_eq!(polls.all().len(), reported, "{:?}", polls.all());
    }

    #[test]
    fn a_register_that_stays_the_same_for_a_second_is_reported_once() {
        check(|_| (STATUS, 7), 10_000, 999_000_000, 0);
        check(|_| (STATUS, 7), 10_000, 3_000_000_000, 1);
    }

    #[test]
    fn registers_of_a_loop_count_together_until_one_changes() {
        check(|count| (STATUS + 4 * (count % 2) as u32, 7), 10_000, 2_000_000_000, 1);
        check(|count| (STATUS, (count / 50_000) as u32), 10_000, 3_000_000_000, 0);
    }

    #[test]
    fn occasional_reads_are_not_polling() {
        check(|_| (STATUS, 7), 10_000_000, 3_000_000_000, 0);
    }

    #[test]
    fn skipped_iterations_count_until_a_write() {
        let access =
            Access { core: 1, address: STATUS, width: Width::Word, cycle: 0, pc: 0x1000_0200 };
        let mut polls = Polls::default();
        polls.waited(1, 2_000_000_000);
        polls.read("block", access, 7, 2_000_000_000);
        polls.written(1);
        polls.waited(1, 4_000_000_000);
        assert!(polls.all().is_empty(), "it reads nothing");
        polls.read("block", access, 7, 4_000_000_000);
        polls.waited(0, 6_000_000_000);
        polls.waited(1, 4_999_999_999);
        polls.read("block", access, 7, 4_999_999_999);
        assert!(polls.all().is_empty(), "{:?}", polls.all());
        polls.waited(1, 7_500_000_000);
        polls.read("block", access, 7, 8_000_000_000);
        let lasted = polls.all().iter().map(|polled| polled.lasted_ns).collect::<Vec<_>>();
        assert_eq!(lasted, [3_500_000_000]);
    }

    #[test]
    fn a_report_names_register_value_time_and_place() {
        for (address, named) in [
            (STATUS, "SYSINFO.PLATFORM (0x40000004)"),
            (STATUS + 4, "the SYSINFO register 0x40000008"),
        ] {
            let mut polls = Polls::default();
            for ms in 0..=1500 {
                let access =
                    Access { core: 0, address, width: Width::Word, cycle: 0, pc: 0x1000_0200 };
                polls.read("SYSINFO register", access, 0x90, ms * 1_000_000);
            }
            assert_eq!(
                polls.all()[0].to_string(),
                format!("core 0 polled {named}, which stayed 0x90 for 1.5 s, at 0x10000200")
            );
        }
    }
}
