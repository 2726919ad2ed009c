//! Rules of the SIO: the FIFOs between the cores, the spinlocks, the divider (datasheet section
//! 2.3.1).

use crate::chip::devices::{Devices, Launch};
use crate::chip::peripherals::sio::{FIFO_RD, FIFO_WR, SPINLOCK0, SPINLOCK31};
use crate::chip::rules::{Detail, Rule};
use crate::cpu::bus::Access;

const DIV_QUOTIENT: u32 = 0x70; // 2.3.1.7
const DIV_REMAINDER: u32 = 0x74; // 2.3.1.7

/// Number of attempts of a core to claim a spinlock that it holds after which it waits for ever.
const ATTEMPTS: u32 = 1_000;

impl Devices {
    /// Checks a read of a register of the SIO before it has an effect.
    #[inline(never)]
    pub(in crate::chip::devices) fn check_sio_read(&mut self, offset: u32, access: Access) {
        let core = access.core;
        match offset {
            FIFO_RD if self.sio.is_fifo_empty(core) => {
                self.broken(Rule::FifoUnderflow, access, None);
            }
            DIV_QUOTIENT | DIV_REMAINDER if self.sio.divides(core) => {
                self.broken(Rule::DividerEarly, access, None);
            }
            SPINLOCK0..=SPINLOCK31 if self.sio.holder(offset) == Some(core) => {
                self.attempts += 1;
                if self.attempts == ATTEMPTS {
                    let lock = Detail::Number((offset - SPINLOCK0) / 4);
                    self.broken(Rule::SpinlockDeadlock, access, Some(lock));
                }
            }
            _ => {}
        }
    }

    /// Checks a write to a register of the SIO before it has an effect.
    #[inline(never)]
    pub(in crate::chip::devices) fn check_sio_write(&mut self, offset: u32, access: Access) {
        let core = access.core;
        match offset {
            FIFO_WR if self.sio.is_fifo_full_for(core) => {
                self.broken(Rule::FifoOverflow, access, None);
            }
            SPINLOCK0..=SPINLOCK31 => {
                self.attempts = 0;
                let other = self.sio.holder(offset).is_some_and(|holder| holder != core);
                if other && self.launch == Launch::Running {
                    let lock = Detail::Number((offset - SPINLOCK0) / 4);
                    self.broken(Rule::SpinlockOfOther, access, Some(lock));
                }
            }
            _ => {}
        }
    }
}
