//! The chip as `gdbstub` asks for it: registers, memory, breakpoints, ways to go on.

use std::collections::BTreeSet;
use std::io;

use gdbstub::common::Signal;
use gdbstub::target::ext::base::BaseOps;
use gdbstub::target::ext::base::reverse_exec::{
    ReverseCont, ReverseContOps, ReverseStep, ReverseStepOps,
};
use gdbstub::target::ext::base::singlethread::{
    SingleThreadBase, SingleThreadResume, SingleThreadResumeOps, SingleThreadSingleStep,
    SingleThreadSingleStepOps,
};
use gdbstub::target::ext::breakpoints::{
    Breakpoints, BreakpointsOps, HwBreakpoint, HwBreakpointOps, HwWatchpoint, HwWatchpointOps,
    SwBreakpoint, SwBreakpointOps, WatchKind,
};
use gdbstub::target::{Target, TargetError, TargetResult};
use gdbstub_arch::arm::reg::ArmCoreRegs;
use gdbstub_arch::arm::{ArmBreakpointKind, Armv4t};
use rp2040_emulator::chip::Chip;

use super::timeline::Timeline;
use super::watch::Watchpoint;

/// The Thumb bit where GDB looks for it, in the CPSR of larger cores.
const CPSR_THUMB: u32 = 1 << 5;

/// How the debugger has told the program to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Going {
    Forward { one: bool },
    Back { steps_only: bool },
}

/// A chip with a debugger.
pub struct Debugged<'a> {
    pub timeline: Timeline,
    pub breakpoints: BTreeSet<u32>,
    pub watchpoints: Vec<Watchpoint>,
    pub going: Going,
    outside: &'a mut dyn FnMut(&mut Chip) -> io::Result<()>,
}

impl<'a> Debugged<'a> {
    pub fn new(
        timeline: Timeline,
        outside: &'a mut dyn FnMut(&mut Chip) -> io::Result<()>,
    ) -> Self {
        let (breakpoints, watchpoints) = (BTreeSet::new(), vec![]);
        Self { timeline, breakpoints, watchpoints, going: Going::Forward { one: false }, outside }
    }

    pub fn serve_outside(&mut self) -> io::Result<()> {
        match self.timeline.outputs() {
            Some(chip) => (self.outside)(chip),
            None => Ok(()),
        }
    }
}

impl Target for Debugged<'_> {
    type Arch = Armv4t;
    type Error = io::Error;

    fn base_ops(&mut self) -> BaseOps<'_, Armv4t, io::Error> {
        BaseOps::SingleThread(self)
    }

    fn support_breakpoints(&mut self) -> Option<BreakpointsOps<'_, Self>> {
        Some(self)
    }
}

impl SingleThreadBase for Debugged<'_> {
    fn read_registers(&mut self, registers: &mut ArmCoreRegs) -> TargetResult<(), Self> {
        let core = self.timeline.chip().core(0);
        registers.r = std::array::from_fn(|number| core.register(number));
        (registers.sp, registers.lr, registers.pc) =
            (core.register(13), core.register(14), core.pc());
        registers.cpsr = core.xpsr() & 0xF000_0000 | CPSR_THUMB;
        Ok(())
    }

    fn write_registers(&mut self, registers: &ArmCoreRegs) -> TargetResult<(), Self> {
        self.timeline.change(|chip| {
            let core = chip.core_mut(0);
            for (number, value) in registers.r.iter().enumerate() {
                core.set_register(number, *value);
            }
            core.set_register(13, registers.sp);
            core.set_register(14, registers.lr);
            core.set_register(15, registers.pc);
        });
        Ok(())
    }

    /// Devices are not read: that could change them.
    fn read_addrs(&mut self, start: u32, data: &mut [u8]) -> TargetResult<usize, Self> {
        let memory = self.timeline.chip().memory();
        let mut read = 0;
        for (at, byte) in (0..).zip(data.iter_mut()) {
            match memory.byte(start.wrapping_add(at)) {
                Some(value) => *byte = value,
                None => break,
            }
            read += 1;
        }
        if read == 0 { Err(TargetError::NonFatal) } else { Ok(read) }
    }

    fn write_addrs(&mut self, start: u32, data: &[u8]) -> TargetResult<(), Self> {
        let mut written = false;
        if self.timeline.chip().memory().byte(start).is_some() {
            self.timeline.change(|chip| written = chip.memory_mut().load(start, data).is_ok());
        }
        if written { Ok(()) } else { Err(TargetError::NonFatal) }
    }

    fn support_resume(&mut self) -> Option<SingleThreadResumeOps<'_, Self>> {
        Some(self)
    }
}

impl SingleThreadResume for Debugged<'_> {
    fn resume(&mut self, _: Option<Signal>) -> io::Result<()> {
        self.going = Going::Forward { one: false };
        Ok(())
    }

    fn support_single_step(&mut self) -> Option<SingleThreadSingleStepOps<'_, Self>> {
        Some(self)
    }

    fn support_reverse_step(&mut self) -> Option<ReverseStepOps<'_, (), Self>> {
        Some(self)
    }

    fn support_reverse_cont(&mut self) -> Option<ReverseContOps<'_, (), Self>> {
        Some(self)
    }
}

impl SingleThreadSingleStep for Debugged<'_> {
    fn step(&mut self, _: Option<Signal>) -> io::Result<()> {
        self.going = Going::Forward { one: true };
        Ok(())
    }
}

impl ReverseStep<()> for Debugged<'_> {
    fn reverse_step(&mut self, (): ()) -> io::Result<()> {
        self.going = Going::Back { steps_only: true };
        Ok(())
    }
}

impl ReverseCont<()> for Debugged<'_> {
    fn reverse_cont(&mut self) -> io::Result<()> {
        self.going = Going::Back { steps_only: false };
        Ok(())
    }
}

impl Breakpoints for Debugged<'_> {
    fn support_sw_breakpoint(&mut self) -> Option<SwBreakpointOps<'_, Self>> {
        Some(self)
    }

    fn support_hw_breakpoint(&mut self) -> Option<HwBreakpointOps<'_, Self>> {
        Some(self)
    }

    fn support_hw_watchpoint(&mut self) -> Option<HwWatchpointOps<'_, Self>> {
        Some(self)
    }
}

/// Not a BKPT in memory: the same as a breakpoint of the hardware, of which there are as many as
/// one likes.
impl SwBreakpoint for Debugged<'_> {
    fn add_sw_breakpoint(&mut self, at: u32, _: ArmBreakpointKind) -> TargetResult<bool, Self> {
        Ok(self.breakpoints.insert(at & !1))
    }

    fn remove_sw_breakpoint(&mut self, at: u32, _: ArmBreakpointKind) -> TargetResult<bool, Self> {
        Ok(self.breakpoints.remove(&(at & !1)))
    }
}

impl HwBreakpoint for Debugged<'_> {
    fn add_hw_breakpoint(&mut self, at: u32, _: ArmBreakpointKind) -> TargetResult<bool, Self> {
        Ok(self.breakpoints.insert(at & !1))
    }

    fn remove_hw_breakpoint(&mut self, at: u32, _: ArmBreakpointKind) -> TargetResult<bool, Self> {
        Ok(self.breakpoints.remove(&(at & !1)))
    }
}

impl HwWatchpoint for Debugged<'_> {
    fn add_hw_watchpoint(
        &mut self,
        address: u32,
        length: u32,
        kind: WatchKind,
    ) -> TargetResult<bool, Self> {
        self.watchpoints.push(Watchpoint { address, length, kind });
        Ok(true)
    }

    fn remove_hw_watchpoint(
        &mut self,
        address: u32,
        length: u32,
        kind: WatchKind,
    ) -> TargetResult<bool, Self> {
        let gone = Watchpoint { address, length, kind };
        let before = self.watchpoints.len();
        self.watchpoints.retain(|watchpoint| *watchpoint != gone);
        Ok(self.watchpoints.len() < before)
    }
}
