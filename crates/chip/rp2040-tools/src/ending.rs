//! Determines whether a program that stopped at a BKPT requested to end, and with which exit code.
//!
//! A program requests it by semihosting (ARM's "Semihosting for AArch32 and AArch64", SYS_EXIT and
//! SYS_EXIT_EXTENDED), or by `_exit` of the Pico SDK ([`sdk_exit`]). Any other BKPT is that of a
//! panic or of an interrupt without a handler.

use rp2040_emulator::chip::Chip;
use rp2040_emulator::image::Symbols;
use rp2040_emulator::program::sdk_exit;

use crate::semihosting::{SEMIHOSTING, SYS_EXIT, SYS_EXIT_EXTENDED};

/// ADP_Stopped_ApplicationExit.
const APPLICATION_EXIT: u32 = 0x2_0026;

/// Returns the exit code that the program requested at BKPT `number` of `core`; `None` if it did
/// not request to end.
pub fn requested(chip: &Chip, symbols: &Symbols, core: u8, number: u8) -> Option<u8> {
    if number != SEMIHOSTING {
        return sdk_exit(chip, symbols, core).map(code);
    }
    let core = chip.core(core.into());
    let [operation, argument] = [core.register(0), core.register(1)];
    match operation {
        SYS_EXIT if argument == APPLICATION_EXIT => Some(0),
        SYS_EXIT => Some(1),
        SYS_EXIT_EXTENDED => {
            let word = |at: u32| chip.memory().word(argument.wrapping_add(at));
            match (word(0)?, word(4)?) {
                (APPLICATION_EXIT, status) => Some(code(status)),
                _ => Some(1),
            }
        }
        _ => None,
    }
}

/// Converts a status to the eight bits of a shell's exit code. A status that does not fit is a
/// failure.
fn code(status: u32) -> u8 {
    u8::try_from(status).unwrap_or(1)
}
