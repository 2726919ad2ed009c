//! The chip as a target of `gdbstub`: one thread per core, registers, memory, and ways to resume.

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;

use gdbstub::common::{Signal, Tid};
use gdbstub::target::ext::base::BaseOps;
use gdbstub::target::ext::base::multithread::{
    MultiThreadBase, MultiThreadResume, MultiThreadResumeOps, MultiThreadSchedulerLocking,
    MultiThreadSchedulerLockingOps, MultiThreadSingleStep, MultiThreadSingleStepOps,
};
use gdbstub::target::ext::base::reverse_exec::{
    ReverseCont, ReverseContOps, ReverseStep, ReverseStepOps,
};
use gdbstub::target::ext::breakpoints::BreakpointsOps;
use gdbstub::target::ext::monitor_cmd::MonitorCmdOps;
use gdbstub::target::ext::thread_extra_info::{ThreadExtraInfo, ThreadExtraInfoOps};
use gdbstub::target::{Target, TargetError, TargetResult};
use rp2040_emulator::bus::Width;
use rp2040_emulator::chip::Chip;
use rp2040_emulator::program::Program;
use virtual_time::Instant;

use super::registers::{CoreRegisters, CortexM0};
use super::timeline::Timeline;
use super::watch::Watchpoint;
use crate::host::Host;

/// Way in which the debugger resumes the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResumeMode {
    /// Run forward until a stop; with `step`, until a step of that core at the latest.
    Forward { step: Option<usize> },
    /// Go back to before the last step of this core.
    BackOne { core: usize },
    /// Go back to the last breakpoint or watchpoint.
    Back,
}

/// A chip with a debugger.
pub struct Debugged<'a, H: ?Sized> {
    pub timeline: Timeline,
    pub breakpoints: BTreeSet<u32>,
    pub watchpoints: Vec<Watchpoint>,
    pub resume_mode: ResumeMode,
    /// Number of the step at which a watchpoint has already stopped; it does not stop there again.
    pub watchpoint_passed_at: Option<u64>,
    /// Core that has stopped at a BKPT of the program, if that was the last stop.
    pub at_breakpoint: Option<usize>,
    /// Core that stopped last.
    pub stopped: usize,
    pub program: Arc<Program>,
    /// `None` if the chip is lent for each slice: its owner takes its outputs.
    host: Option<&'a mut H>,
}

impl<'a, H: Host + ?Sized> Debugged<'a, H> {
    pub fn new(timeline: Timeline, program: Arc<Program>, host: Option<&'a mut H>) -> Self {
        let (breakpoints, watchpoints) = (BTreeSet::new(), vec![]);
        let resume_mode = ResumeMode::Forward { step: None };
        Self {
            timeline,
            breakpoints,
            watchpoints,
            resume_mode,
            watchpoint_passed_at: None,
            at_breakpoint: None,
            stopped: 0,
            program,
            host,
        }
    }

    /// Passes the chip's outputs since the last call to the host.
    pub fn send_to_host(&mut self) -> io::Result<()> {
        let Some(host) = &mut self.host else { return Ok(()) };
        let Some(chip) = self.timeline.outputs() else { return Ok(()) };
        host.take(chip)?;
        let now = Instant(chip.now_ns());
        // The debugger ends the session, not the host, so the host's request is ignored.
        host.wait(now).map(drop)
    }

    /// Passes a byte that has arrived by now to the chip, unless these steps are repeated.
    pub fn receive_from_host(&mut self) {
        if self.timeline.is_new()
            && let Some(host) = &mut self.host
            && let Some((uart, byte)) = host.give(self.timeline.chip())
        {
            self.timeline.send(uart, byte);
        }
    }
}

/// Returns the thread of `core`. GDB counts threads from 1.
pub fn thread(core: usize) -> Tid {
    Tid::MIN.saturating_add(core)
}

pub fn core(thread: Tid) -> usize {
    (thread.get() - 1) & 1
}

impl<H: Host + ?Sized> Target for Debugged<'_, H> {
    type Arch = CortexM0;
    type Error = io::Error;

    fn base_ops(&mut self) -> BaseOps<'_, CortexM0, io::Error> {
        BaseOps::MultiThread(self)
    }

    fn support_breakpoints(&mut self) -> Option<BreakpointsOps<'_, Self>> {
        Some(self)
    }

    fn support_monitor_cmd(&mut self) -> Option<MonitorCmdOps<'_, Self>> {
        Some(self)
    }
}

impl<H: Host + ?Sized> MultiThreadBase for Debugged<'_, H> {
    fn read_registers(
        &mut self,
        registers: &mut CoreRegisters,
        tid: Tid,
    ) -> TargetResult<(), Self> {
        *registers = CoreRegisters::of(self.timeline.chip().core(core(tid)));
        Ok(())
    }

    fn write_registers(&mut self, registers: &CoreRegisters, tid: Tid) -> TargetResult<(), Self> {
        let before = CoreRegisters::of(self.timeline.chip().core(core(tid)));
        if !before.can_change_to(registers) {
            return Err(TargetError::NonFatal);
        }
        if before != *registers {
            self.timeline.change(|chip| registers.put(chip.core_mut(core(tid))));
        }
        Ok(())
    }

    /// Reads memory. Registers of devices are read without the side effects of a load.
    fn read_addrs(&mut self, start: u32, data: &mut [u8], tid: Tid) -> TargetResult<usize, Self> {
        let chip = self.timeline.chip();
        let mut register: Option<(u32, [u8; 4])> = None;
        let mut read = 0;
        for (at, byte) in (0..).zip(data.iter_mut()) {
            let address = start.wrapping_add(at);
            let value = chip.memory().byte(address).or_else(|| {
                let aligned = address & !3;
                if register.is_none_or(|(known, _)| known != aligned) {
                    let word = chip.peek(core(tid), aligned)?;
                    register = Some((aligned, word.to_le_bytes()));
                }
                register.map(|(_, bytes)| bytes[(address & 3) as usize])
            });
            match value {
                Some(value) => *byte = value,
                None => break,
            }
            read += 1;
        }
        if read == 0 { Err(TargetError::NonFatal) } else { Ok(read) }
    }

    /// Writes memory. A register of a device is written as the program would: in words, halfwords
    /// and bytes.
    fn write_addrs(&mut self, start: u32, data: &[u8], tid: Tid) -> TargetResult<(), Self> {
        let mut written = false;
        if self.timeline.chip().memory().byte(start).is_some() {
            self.timeline.change(|chip| written = chip.memory_mut().load(start, data).is_ok());
        } else {
            self.timeline.change(|chip| written = poke(chip, core(tid), start, data));
        }
        if written { Ok(()) } else { Err(TargetError::NonFatal) }
    }

    /// Lists the core that stopped last first, because `gdbstub` takes the first thread where the
    /// debugger means any, for a step back too; that is the core that the debugger has just seen
    /// stop.
    fn list_active_threads(&mut self, active: &mut dyn FnMut(Tid)) -> io::Result<()> {
        [self.stopped, 1 - self.stopped].into_iter().for_each(|core| active(thread(core)));
        Ok(())
    }

    fn support_resume(&mut self) -> Option<MultiThreadResumeOps<'_, Self>> {
        Some(self)
    }

    fn support_thread_extra_info(&mut self) -> Option<ThreadExtraInfoOps<'_, Self>> {
        Some(self)
    }
}

/// Writes `data` to registers from `start` on. Returns false if an address is not aligned, or no
/// device has it.
fn poke(chip: &mut Chip, core: usize, start: u32, data: &[u8]) -> bool {
    let value =
        |bytes: &[u8]| bytes.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte));
    let width = match data.len() {
        1 => Width::Byte,
        2 => Width::Half,
        _ => Width::Word,
    };
    let mut words = (start..).step_by(4).zip(data.chunks(4));
    words.all(|(address, bytes)| {
        (width != Width::Word || bytes.len() == 4) && chip.poke(core, address, width, value(bytes))
    })
}

impl<H: Host + ?Sized> ThreadExtraInfo for Debugged<'_, H> {
    fn thread_extra_info(&self, tid: Tid, out: &mut [u8]) -> io::Result<usize> {
        let number = core(tid);
        let cpu = self.timeline.chip().core(number);
        let state = match (cpu.fault().is_some(), cpu.asleep()) {
            (true, _) => ", in a fault",
            (false, true) => ", asleep",
            (false, false) => "",
        };
        let text = format!("core {number}{state}");
        let length = text.len().min(out.len());
        out[..length].copy_from_slice(&text.as_bytes()[..length]);
        Ok(length)
    }
}

impl<H: Host + ?Sized> MultiThreadResume for Debugged<'_, H> {
    /// Resumes the program. A core that has stopped at a BKPT continues after it, as with other
    /// probes.
    fn resume(&mut self) -> io::Result<()> {
        if matches!(self.resume_mode, ResumeMode::Forward { .. })
            && let Some(core) = self.at_breakpoint.take()
        {
            self.timeline.pass_breakpoint(core);
        }
        Ok(())
    }

    fn clear_resume_actions(&mut self) -> io::Result<()> {
        self.resume_mode = ResumeMode::Forward { step: None };
        Ok(())
    }

    fn set_resume_action_continue(&mut self, _: Tid, _: Option<Signal>) -> io::Result<()> {
        Ok(())
    }

    fn support_single_step(&mut self) -> Option<MultiThreadSingleStepOps<'_, Self>> {
        Some(self)
    }

    fn support_reverse_step(&mut self) -> Option<ReverseStepOps<'_, Tid, Self>> {
        (!self.timeline.is_lent()).then_some(self)
    }

    fn support_reverse_cont(&mut self) -> Option<ReverseContOps<'_, Tid, Self>> {
        (!self.timeline.is_lent()).then_some(self)
    }

    fn support_scheduler_locking(&mut self) -> Option<MultiThreadSchedulerLockingOps<'_, Self>> {
        Some(self)
    }
}

impl<H: Host + ?Sized> MultiThreadSingleStep for Debugged<'_, H> {
    fn set_resume_action_step(&mut self, tid: Tid, _: Option<Signal>) -> io::Result<()> {
        self.resume_mode = ResumeMode::Forward { step: Some(core(tid)) };
        Ok(())
    }
}

/// Scheduler locking, without effect: neither core can be stopped while the other runs, because
/// both have one clock and such a run could not be repeated. The other core runs as well.
impl<H: Host + ?Sized> MultiThreadSchedulerLocking for Debugged<'_, H> {
    fn set_resume_action_scheduler_lock(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<H: Host + ?Sized> ReverseStep<Tid> for Debugged<'_, H> {
    fn reverse_step(&mut self, tid: Tid) -> io::Result<()> {
        self.resume_mode = ResumeMode::BackOne { core: core(tid) };
        Ok(())
    }
}

impl<H: Host + ?Sized> ReverseCont<Tid> for Debugged<'_, H> {
    fn reverse_cont(&mut self) -> io::Result<()> {
        self.resume_mode = ResumeMode::Back;
        Ok(())
    }
}
