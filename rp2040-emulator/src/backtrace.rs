//! The likely return addresses on a stack, with names.
//!
//! Programs for the Cortex-M0+ have no chain of frames, so the stack is searched: a word counts as
//! a return address if its Thumb bit is set and the instruction before it is a call. This finds
//! every caller, and sometimes one that has already returned.

use std::fmt::Write as _;

use crate::cpu::CoreFault;
use crate::cpu::instruction::Instruction;
use crate::cpu::memory::Memory;
use crate::image::Symbols;

/// Number of words of the stack that are searched.
const SEARCHED: u32 = 512;
/// Largest number of callers listed.
const MAX_CALLERS: usize = 16;

/// Describes addresses of a program: [`Symbols`] name the function, a
/// [`Program`](crate::program::Program) also the line of source.
pub trait Names {
    /// Returns `address` and its description, on one line.
    fn describe(&self, address: u32) -> String;
}

impl Names for Symbols {
    fn describe(&self, address: u32) -> String {
        self.describe(address).to_string()
    }
}

/// Returns the likely return addresses, innermost first: that of the link register, then those on
/// the stack.
pub fn callers(memory: &Memory, stack: u32, link: u32) -> Vec<u32> {
    let stacked = (0..SEARCHED).map_while(|n| memory.word(stack.wrapping_add(4 * n)));
    let mut callers: Vec<u32> = std::iter::once(link)
        .chain(stacked)
        .filter(|word| follows_a_call(memory, *word))
        .map(|word| word & !1)
        .take(MAX_CALLERS)
        .collect();
    // A function that has saved the link register has it on the stack as well.
    callers.dedup();
    callers
}

fn follows_a_call(memory: &Memory, word: u32) -> bool {
    let call = |size| memory.disassemble((word & !1).wrapping_sub(size));
    word & 1 != 0
        && (matches!(call(4), Some(Instruction::Bl { .. }))
            || matches!(call(2), Some(Instruction::Blx { .. })))
}

/// Returns a report of a fault: reason, instruction, registers, callers by name. For a lockup, it
/// also has the fault that led to it, first.
pub fn report(fault: &CoreFault, memory: &Memory, names: &dyn Names) -> String {
    let mut text = String::new();
    if let Some(cause) = &fault.cause {
        text = format!("{}\nand then ", report(cause, memory, names));
    }
    write!(text, "{fault}\n  in {}", names.describe(fault.pc)).expect("a string takes all");
    for caller in callers(memory, fault.registers[13], fault.registers[14]) {
        // The address of the call: the address after it may be in the next function.
        let call = caller.wrapping_sub(2);
        write!(text, "\n  called from {}", names.describe(call)).expect("a string takes all");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::memory::{FLASH_BASE, RAM_BASE};

    #[test]
    fn callers_are_thumb_addresses_after_calls() {
        let mut memory = Memory::new(0, 4096);
        // bl …; blx r0; nop
        let code = [0xF000u16, 0xF800, 0x4780, 0xBF00];
        let bytes: Vec<u8> = code.iter().flat_map(|halfword| halfword.to_le_bytes()).collect();
        memory.load(FLASH_BASE, &bytes).unwrap();
        let stack = [7, FLASH_BASE + 5, FLASH_BASE + 4, FLASH_BASE + 9, FLASH_BASE + 7];
        for (at, word) in (RAM_BASE..).step_by(4).zip(stack) {
            memory.load(at, &u32::to_le_bytes(word)).unwrap();
        }
        let found = callers(&memory, RAM_BASE, FLASH_BASE + 5);
        assert_eq!(found, [FLASH_BASE + 4, FLASH_BASE + 6]);
    }
}
