//! Core 0: halts it, transfers its registers, and calls functions in it (ARMv6-M ARM C1).

use super::error::SwdError;
use super::port::DebugPort;

// ARMv6-M ARM C1.6.
pub(super) const DHCSR: u32 = 0xE000_EDF0; // debug halting control and status
const DCRSR: u32 = 0xE000_EDF4; // core register selector
const DCRDR: u32 = 0xE000_EDF8; // core register data
pub(super) const DEMCR: u32 = 0xE000_EDFC; // exception and monitor control

const DBGKEY: u32 = 0xA05F_0000;
const C_DEBUGEN: u32 = 1 << 0;
const C_HALT: u32 = 1 << 1;
const S_REGRDY: u32 = 1 << 16;
pub(super) const S_HALT: u32 = 1 << 17;
const REGWNR: u32 = 1 << 16;

/// DHCSR with the debugger enabled, and the core running or halted.
pub(super) const RUN: u32 = DBGKEY | C_DEBUGEN;
const HALT: u32 = DBGKEY | C_DEBUGEN | C_HALT;
/// DHCSR without a debugger.
pub(super) const LEAVE: u32 = DBGKEY;

/// Numbers of registers in DCRSR (ARMv6-M ARM C1.6.4).
const SP: u32 = 13;
const LR: u32 = 14;
const PC: u32 = 15;
const XPSR: u32 = 16;
const CONTROL_PRIMASK: u32 = 20;
const XPSR_THUMB: u32 = 1 << 24;
/// CONTROL 0, PRIMASK 1: the main stack, and no interrupt.
const NO_INTERRUPTS: u32 = 1;

/// Limit of the time in which a core halts.
const HALT_MS: u64 = 100;
/// Number of polls of S_REGRDY.
const READY_POLLS: u32 = 10;

/// A function call in core 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// Address of the function.
    pub function: u32,
    /// R0 to R3.
    pub arguments: [u32; 4],
    /// Address of a BKPT instruction, to which the function returns.
    pub breakpoint: u32,
    pub stack: u32,
    /// Limit of its time in milliseconds.
    pub limit_ms: u64,
}

impl DebugPort<'_> {
    /// Halts core 0.
    ///
    /// # Errors
    /// Returns an error if it does not halt.
    pub fn halt(&mut self) -> Result<(), SwdError> {
        self.write_word(DHCSR, HALT)?;
        match self.wait_for_halt(HALT_MS)? {
            true => Ok(()),
            false => Err(SwdError::NotHalted(HALT_MS)),
        }
    }

    /// Lets core 0 run on, without a debugger.
    ///
    /// # Errors
    /// Returns an error if the port fails.
    pub fn leave(&mut self) -> Result<(), SwdError> {
        self.write_each(&[(DEMCR, 0), (DHCSR, LEAVE)])
    }

    /// Waits until core 0 is halted. Returns false if it is not within `limit_ms`.
    pub(super) fn wait_for_halt(&mut self, limit_ms: u64) -> Result<bool, SwdError> {
        let until = self.now_ns().saturating_add(limit_ms * 1_000_000);
        loop {
            // Read before the time: a halt before the limit is seen.
            let late = self.now_ns() >= until;
            if self.read_word(DHCSR)? & S_HALT != 0 {
                return Ok(true);
            }
            if late {
                return Ok(false);
            }
        }
    }

    /// Reads a register of the halted core by its number in DCRSR.
    ///
    /// # Errors
    /// Returns an error if the port fails.
    pub fn read_register(&mut self, number: u32) -> Result<u32, SwdError> {
        self.write_word(DCRSR, number)?;
        for _ in 0..READY_POLLS {
            let words = self.read_words(DHCSR, 3)?;
            if let [status, _, data] = words[..]
                && status & S_REGRDY != 0
            {
                return Ok(data);
            }
        }
        Err(SwdError::Busy)
    }

    /// Calls a function in the halted core, with interrupts disabled, and returns R0.
    ///
    /// # Errors
    /// Returns an error if it does not return in time.
    pub fn call(&mut self, call: &Call) -> Result<u32, SwdError> {
        let [r0, r1, r2, r3] = call.arguments;
        let registers = [
            (0, r0),
            (1, r1),
            (2, r2),
            (3, r3),
            (CONTROL_PRIMASK, NO_INTERRUPTS),
            (SP, call.stack),
            (LR, call.breakpoint | 1),
            (XPSR, XPSR_THUMB),
            (PC, call.function & !1),
        ];
        let mut pairs: Vec<(u32, u32)> = registers
            .into_iter()
            .flat_map(|(number, value)| [(DCRDR, value), (DCRSR, REGWNR | number)])
            .collect();
        pairs.push((DHCSR, RUN));
        self.write_each(&pairs)?;
        let returned = self.wait_for_halt(call.limit_ms)?;
        if !returned {
            self.halt()?;
        }
        let pc = self.read_register(PC)?;
        if !returned || pc != call.breakpoint & !1 {
            return Err(SwdError::NotReturned { pc, ms: call.limit_ms });
        }
        self.read_register(0)
    }
}
