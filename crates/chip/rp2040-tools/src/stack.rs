//! The depth of core 0's main stack: the stack is painted before the run and examined afterwards.
//!
//! Painting changes the RAM's content at power-on, on which no program may rely. It costs no time
//! during the run. A word that was reserved but never written is not counted. An ELF file is
//! required, because only its symbols contain the end of the program's data. The stacks of core 1
//! and of threads are not examined.

use std::ops::Range;

use rp2040_emulator::chip::Chip;
use rp2040_emulator::memory::{FLASH_BASE, RAM_BASE, RAM_SIZE};

use crate::Program;

/// Address of the vector table, after the second-stage boot loader.
const VECTORS: u32 = FLASH_BASE + 0x100;
/// Linker symbols of the first address above the stack: cortex-m-rt's and the SDK's.
const TOP: [&str; 3] = ["_stack_start", "__StackTop", "_estack"];
/// Linker symbols of the stack's lower limit.
const LIMIT: [&str; 2] = ["_stack_end", "__StackLimit"];

/// A painted stack.
#[derive(Clone, Debug)]
pub struct Stack {
    room: Range<u32>,
    /// Words of the stack before the program ran.
    before: Vec<u32>,
}

/// Usage of a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackUse {
    /// Number of bytes from the top to the lowest word written.
    pub bytes: u32,
    /// Size of the whole stack in bytes.
    pub room: u32,
    /// Address of the lowest word written.
    pub lowest: u32,
}

impl Stack {
    /// Paints the stack of `program` in `chip`, which must not have run yet. Returns `None` if the
    /// program's symbols do not locate its stack.
    pub fn paint(program: &Program, chip: &mut Chip) -> Option<Self> {
        let end_of_ram = RAM_BASE + RAM_SIZE as u32;
        let top = program.value(&TOP).or_else(|| chip.memory().word(VECTORS))? & !3;
        let data = program.end_of_data(top);
        let limit = program.value(&LIMIT).filter(|limit| (RAM_BASE..top).contains(limit));
        let bottom = (limit.unwrap_or(data).max(data)).next_multiple_of(4);
        if !(RAM_BASE + 1..=end_of_ram).contains(&top) || bottom >= top || !program.is_elf() {
            return None;
        }
        let room = bottom..top;
        // Words that the boot ROM has written for the program are left unchanged.
        for address in room.clone().step_by(4) {
            if chip.memory().word(address) == Some(0) {
                let paint = address ^ 0xA5C3_5A3C;
                chip.memory_mut().load(address, &paint.to_le_bytes()).ok()?;
            }
        }
        let before = words(&room, chip);
        Some(Self { room, before })
    }

    /// Returns the part of the stack that the program has used so far.
    pub fn used(&self, chip: &Chip) -> StackUse {
        let now = words(&self.room, chip);
        let untouched = self.before.iter().zip(&now).take_while(|(before, now)| before == now);
        let lowest = self.room.start + 4 * untouched.count() as u32;
        let room = self.room.end - self.room.start;
        StackUse { bytes: self.room.end - lowest, room, lowest }
    }
}

fn words(room: &Range<u32>, chip: &Chip) -> Vec<u32> {
    room.clone().step_by(4).map(|address| chip.memory().word(address).unwrap_or_default()).collect()
}
