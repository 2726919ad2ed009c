//! The core as its debug registers see it: transfers of registers, sleep and lockup (ARMv6-M ARM
//! C1.6). The module knows no debug port.

use super::{Cpu, State};

/// DCRSR.REGSEL: the program counter, xPSR, both stack pointers, and
/// CONTROL with PRIMASK (ARMv6-M ARM C1.6.4).
const REGSEL_PC: u32 = 15;
const REGSEL_XPSR: u32 = 16;
const REGSEL_MSP: u32 = 17;
const REGSEL_PSP: u32 = 18;
const REGSEL_CONTROL: u32 = 20;
/// Numbers of CONTROL and PRIMASK in MRS (ARMv6-M ARM B5.2.2).
const CONTROL: u8 = 20;
const PRIMASK: u8 = 16;
const CONTROL_LSB: u32 = 24;
const XPSR_T: u32 = 1 << 24;

impl Cpu {
    /// Returns the register of DCRSR.REGSEL `number`; `None` if there is none.
    pub(crate) fn debug_register(&self, number: u32) -> Option<u32> {
        Some(match number {
            0..=REGSEL_PC => self.register(number as usize),
            REGSEL_XPSR => self.xpsr(),
            REGSEL_MSP => self.stack_pointer(false),
            REGSEL_PSP => self.stack_pointer(true),
            REGSEL_CONTROL => self.read_special(CONTROL) << CONTROL_LSB | u32::from(self.primask),
            _ => return None,
        })
    }

    /// Sets the register of DCRSR.REGSEL `number`; the exception number of xPSR does not change. A
    /// new program counter ends a lockup. Returns false if there is no such register.
    pub(crate) fn set_debug_register(&mut self, number: u32, value: u32) -> bool {
        match number {
            0..=REGSEL_PC => {
                self.set_register(number as usize, value);
                if number == REGSEL_PC && self.is_locked_up() {
                    self.state = State::Running;
                }
            }
            REGSEL_XPSR => {
                self.flags.set_apsr(value);
                self.thumb = value & XPSR_T != 0;
            }
            REGSEL_MSP => self.set_stack_pointer(false, value),
            REGSEL_PSP => self.set_stack_pointer(true, value),
            REGSEL_CONTROL => {
                self.write_special(CONTROL, value >> CONTROL_LSB);
                self.write_special(PRIMASK, value);
            }
            _ => return false,
        }
        true
    }

    /// Ends a sleep, as the entry to the debug state does (ARMv6-M ARM C1.3.2).
    pub(crate) fn wake_for_debug(&mut self) {
        if self.asleep() {
            self.state = State::Running;
        }
    }

    /// Returns whether the core has locked up.
    pub(crate) fn is_locked_up(&self) -> bool {
        self.state == State::LockedUp
    }
}
