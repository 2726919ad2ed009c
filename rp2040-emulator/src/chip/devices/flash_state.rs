//! Whether the flash can be read through the XIP windows.
//!
//! It cannot while it erases or programs, nor between the ROM function `_flash_exit_xip` and the
//! return to XIP: by `_flash_enter_cmd_xip`, or by a second stage that enables the SSI for reads
//! (datasheet section 2.8.3.1.3). The flash is readable here all the same; accesses meanwhile are
//! findings. The cores then report each access to the memory.

use super::Devices;
use super::bus::is_of_flash;
use crate::chip::rules::{Detail, Rule};
use crate::cpu::bus::Access;

#[derive(Clone, Copy, Debug, Default)]
pub(in crate::chip) struct FlashState {
    /// Cycle at which an erase or a program operation ends; 0 if there is none.
    busy_until: u64,
    /// Core that has waited for it in a ROM function, until its next turn.
    caller: Option<usize>,
    /// Whether the SSI is in serial mode.
    is_serial: bool,
    /// Whether either is so: each turn of a core asks for it.
    is_watched: bool,
}

impl FlashState {
    /// Whether accesses to the memory must be reported.
    #[inline(always)]
    pub(in crate::chip) fn is_watched(&self) -> bool {
        self.is_watched
    }

    fn note(&mut self) {
        self.is_watched = self.is_serial || self.busy_until != 0;
    }

    /// Begins an operation, for which core `caller` waits until `cycle`.
    pub(in crate::chip) fn begin(&mut self, caller: usize, cycle: u64) {
        (self.caller, self.busy_until) = (Some(caller), cycle);
        self.note();
    }

    /// Returns whether an operation has not ended for both cores.
    #[inline(always)]
    pub(in crate::chip) fn is_under_way(&self) -> bool {
        self.busy_until != 0 || self.caller.is_some()
    }

    /// Ends the operation if it is over at `cycle`, which both cores have reached, at which core
    /// `number` continues. Returns whether that core has waited for it.
    pub(in crate::chip) fn end(&mut self, number: usize, cycle: u64) -> bool {
        if cycle >= self.busy_until {
            self.busy_until = 0;
        }
        self.note();
        self.caller.take_if(|caller| *caller == number).is_some()
    }

    /// Notes that the SSI is in serial mode, or in XIP mode again.
    pub(in crate::chip) fn set_serial(&mut self, is_serial: bool) {
        self.is_serial = is_serial;
        self.note();
    }

    fn is_unreadable(&self, cycle: u64) -> bool {
        self.is_serial || cycle < self.busy_until
    }
}

impl Devices {
    /// Checks an access to the memory by a core or, without a program counter, the DMA.
    pub(super) fn check_flash_access(&mut self, access: Access) {
        if is_of_flash(access.address) && self.flash.is_unreadable(access.cycle) {
            let detail = Some(Detail::Address(access.address));
            self.findings.add(Rule::FlashNotReadable, access, detail);
        }
    }
}
