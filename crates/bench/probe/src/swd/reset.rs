//! Resets of the board's chip through its debug port.

use super::core::{DEMCR, DHCSR, LEAVE, RUN};
use super::error::SwdError;
use super::port::DebugPort;

/// Selects what the watchdog resets: everything but the oscillators (RP2040 datasheet 2.13.5, as
/// the SDK's `watchdog_reboot`).
const PSM_WDSEL: u32 = 0x4001_0008;
const PSM_WDSEL_ALL: u32 = 0x0001_FFFC;
/// Watchdog control, whose bit 31 resets at once (RP2040 datasheet 4.7.6).
const WATCHDOG_CTRL: u32 = 0x4005_8000;
const WATCHDOG_CTRL_TRIGGER: u32 = 1 << 31;
/// The boot ROM starts a program at an address if this register has its magic word (2.8.1.1).
const WATCHDOG_SCRATCH4: u32 = 0x4005_801C;
/// DEMCR: a reset halts the core (ARMv6-M ARM C1.6.2).
const VC_CORERESET: u32 = 1;
/// Limit of the time from a reset to the halt that it causes.
const CATCH_MS: u64 = 50;

impl DebugPort<'_> {
    /// Resets the chip, as its watchdog does: the program starts from the flash.
    ///
    /// # Errors
    /// Returns an error if the port fails.
    pub fn reset(&mut self) -> Result<(), SwdError> {
        self.write_each(&[
            (DEMCR, 0),
            (DHCSR, LEAVE),
            (WATCHDOG_SCRATCH4, 0),
            (PSM_WDSEL, PSM_WDSEL_ALL),
        ])?;
        self.write_last(WATCHDOG_CTRL, WATCHDOG_CTRL_TRIGGER)
    }

    /// Resets the chip and halts core 0 before its first instruction, or, if the reset is not
    /// caught, as soon as the port answers. Core 1 then waits in the boot ROM.
    ///
    /// # Errors
    /// Returns an error if the core does not halt.
    pub fn reset_and_halt(&mut self) -> Result<(), SwdError> {
        self.write_each(&[
            (DHCSR, RUN),
            (DEMCR, VC_CORERESET),
            (WATCHDOG_SCRATCH4, 0),
            (PSM_WDSEL, PSM_WDSEL_ALL),
        ])?;
        self.write_last(WATCHDOG_CTRL, WATCHDOG_CTRL_TRIGGER)?;
        self.reconnect()?;
        if !self.wait_for_halt(CATCH_MS)? {
            self.halt()?;
        }
        self.write_word(DEMCR, 0)
    }
}
