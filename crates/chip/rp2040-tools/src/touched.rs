//! The memory that an instruction accesses, for watchpoints and traces.
//!
//! The access is computed from the operands before the instruction is executed. Accesses by the
//! core itself, such as stacking registers for an exception, are not included, nor are those of the
//! ROM's functions.

use rp2040_emulator::chip::Chip;
use rp2040_emulator::instruction::{Instruction, Register};

/// A load or a store by an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryAccess {
    /// First address of the access.
    pub address: u32,
    /// Number of bytes.
    pub length: u32,
    /// Whether the access is a store.
    pub write: bool,
}

/// Returns the memory access of the next instruction of `core`.
pub fn next_access(chip: &Chip, core: usize) -> Option<MemoryAccess> {
    let core = chip.core(core);
    let instruction = chip.memory().disassemble(core.pc())?;
    access(instruction, core.pc(), |register| core.register(register.index()))
}

/// Returns the memory access of `instruction` at address `pc`. `get` returns the values of
/// registers.
pub fn access(
    instruction: Instruction,
    pc: u32,
    get: impl Fn(Register) -> u32,
) -> Option<MemoryAccess> {
    use Instruction as I;
    let sum = |n, m| get(n).wrapping_add(get(m));
    let displaced = |n, offset: u16| get(n).wrapping_add(offset.into());
    let count = |list: u16| 4 * list.count_ones();
    let (address, length, write) = match instruction {
        I::LdrLiteral { offset, .. } => {
            ((pc.wrapping_add(4) & !3).wrapping_add(offset.into()), 4, false)
        }
        I::StrRegister { n, m, .. } => (sum(n, m), 4, true),
        I::StrhRegister { n, m, .. } => (sum(n, m), 2, true),
        I::StrbRegister { n, m, .. } => (sum(n, m), 1, true),
        I::LdrRegister { n, m, .. } => (sum(n, m), 4, false),
        I::LdrhRegister { n, m, .. } | I::LdrshRegister { n, m, .. } => (sum(n, m), 2, false),
        I::LdrbRegister { n, m, .. } | I::LdrsbRegister { n, m, .. } => (sum(n, m), 1, false),
        I::StrImmediate { n, offset, .. } => (displaced(n, offset), 4, true),
        I::LdrImmediate { n, offset, .. } => (displaced(n, offset), 4, false),
        I::StrhImmediate { n, offset, .. } => (displaced(n, offset), 2, true),
        I::LdrhImmediate { n, offset, .. } => (displaced(n, offset), 2, false),
        I::StrbImmediate { n, offset, .. } => (displaced(n, offset), 1, true),
        I::LdrbImmediate { n, offset, .. } => (displaced(n, offset), 1, false),
        I::Push { list } => (get(Register::SP).wrapping_sub(count(list)), count(list), true),
        I::Pop { list } => (get(Register::SP), count(list), false),
        I::PopPc { list } => (get(Register::SP), count(list) + 4, false),
        I::Stm { n, list } => (get(n), count(list), true),
        I::Ldm { n, list } => (get(n), count(list), false),
        _ => return None,
    };
    Some(MemoryAccess { address, length, write })
}
