//! Breakpoints and watchpoints of the debugger. Both cores stop at them. They do not change the
//! memory, and their number is not limited.

use gdbstub::target::TargetResult;
use gdbstub::target::ext::breakpoints::{
    Breakpoints, HwBreakpoint, HwBreakpointOps, HwWatchpoint, HwWatchpointOps, SwBreakpoint,
    SwBreakpointOps, WatchKind,
};
use gdbstub_arch::arm::ArmBreakpointKind;

use super::target::Debugged;
use super::watch::Watchpoint;
use crate::host::Host;

impl<H: Host + ?Sized> Breakpoints for Debugged<'_, H> {
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

/// Same as a hardware breakpoint: no BKPT is written into memory.
impl<H: Host + ?Sized> SwBreakpoint for Debugged<'_, H> {
    fn add_sw_breakpoint(&mut self, at: u32, _: ArmBreakpointKind) -> TargetResult<bool, Self> {
        Ok(self.breakpoints.insert(at & !1))
    }

    fn remove_sw_breakpoint(&mut self, at: u32, _: ArmBreakpointKind) -> TargetResult<bool, Self> {
        Ok(self.breakpoints.remove(&(at & !1)))
    }
}

impl<H: Host + ?Sized> HwBreakpoint for Debugged<'_, H> {
    fn add_hw_breakpoint(&mut self, at: u32, _: ArmBreakpointKind) -> TargetResult<bool, Self> {
        Ok(self.breakpoints.insert(at & !1))
    }

    fn remove_hw_breakpoint(&mut self, at: u32, _: ArmBreakpointKind) -> TargetResult<bool, Self> {
        Ok(self.breakpoints.remove(&(at & !1)))
    }
}

impl<H: Host + ?Sized> HwWatchpoint for Debugged<'_, H> {
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
