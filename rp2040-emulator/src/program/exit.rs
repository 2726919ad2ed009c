//! The end of a program of the Pico SDK: `_exit`, which stops at a BKPT for ever, with its code in
//! R0. A file without symbols is searched for that function's instructions, so that the end does
//! not depend on the file's format.

use crate::chip::Chip;
use crate::cpu::memory::{FLASH_BASE, RAM_BASE};
use crate::image::Symbols;

/// Function of the SDK in which a program ends.
const SDK_EXIT: &str = "_exit";
/// `bkpt #0`, and the branch back to it.
const BKPT_0: u32 = 0xBE00;
const B_TO_IT: u32 = 0xE7FD;
/// First and last word of the header of the SDK's binary information, their distance, and the
/// places of the first one: in 256 bytes after the second stage, or at the beginning of the RAM
/// (`pico/binary_info/defs.h`).
pub(super) const HEADER: u32 = 0x7188_EBF2;
const HEADER_END: u32 = 0xE71A_A390;
const HEADER_BYTES: u32 = 16;
pub(super) const HEADER_PLACES: [u32; 2] = [FLASH_BASE + 0x100, RAM_BASE];
pub(super) const HEADER_RANGE: u32 = 256;

/// Returns the code with which `core` has ended at its BKPT in `_exit` of the Pico SDK; `None` if it
/// stopped for another reason.
pub fn sdk_exit(chip: &Chip, symbols: &Symbols, core: u8) -> Option<u32> {
    let core = chip.core(core.into());
    let is_exit = match symbols.names().next() {
        Some(_) => symbols.find(core.pc()).is_some_and(|(function, _)| function == SDK_EXIT),
        None => core.exception().is_none() && stops_for_ever(chip, core.pc()) && is_of_sdk(chip),
    };
    is_exit.then(|| core.register(0))
}

fn stops_for_ever(chip: &Chip, pc: u32) -> bool {
    let halfword = |address| chip.memory().load16(address);
    halfword(pc) == Some(BKPT_0) && halfword(pc.wrapping_add(2)) == Some(B_TO_IT)
}

/// Returns whether the program has the SDK's binary information.
fn is_of_sdk(chip: &Chip) -> bool {
    let word = |address| chip.memory().word(address);
    HEADER_PLACES.into_iter().any(|begin| {
        (begin..begin + HEADER_RANGE).step_by(4).any(|address| {
            word(address) == Some(HEADER) && word(address + HEADER_BYTES) == Some(HEADER_END)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chip::Halt;

    const CODE: u32 = FLASH_BASE + 0x1000;

    /// Runs `movs r0, #5; bkpt #0`, followed by `next`, with `header` as the first word of the
    /// binary information and without symbols. Returns the exit code.
    fn ends(header: u32, next: u16) -> Option<u32> {
        let mut chip = Chip::new(64 * 1024);
        let memory = chip.memory_mut();
        let words = [header, 0, 0, 0, HEADER_END].map(u32::to_le_bytes).concat();
        memory.load(FLASH_BASE + 0x1D4, &words).unwrap();
        let code = [0x2005, 0xBE00, next].map(u16::to_le_bytes).concat();
        memory.load(CODE, &code).unwrap();
        chip.set_debugged(true);
        chip.core_mut(0).begin(FLASH_BASE, RAM_BASE + 0x1000, CODE | 1);
        assert_eq!(chip.run(1_000_000), Halt::Breakpoint(0, 0));
        sdk_exit(&chip, &Symbols::default(), 0)
    }

    #[test]
    fn an_exit_of_the_sdk_is_found_without_symbols() {
        assert_eq!(ends(HEADER, 0xE7FD), Some(5));
        assert_eq!(ends(0, 0xE7FD), None, "any program may stop so");
        assert_eq!(ends(HEADER, 0xBE00), None, "a handler of an interrupt that has none");
    }
}
