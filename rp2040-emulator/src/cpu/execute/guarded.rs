//! Execution while the memory protection unit is on, or while the bus watches the memory:
//! instruction by instruction, each access checked and reported before it takes place.
//!
//! Instructions are fetched by words, each once while the program goes straight on, and again after
//! a branch. Words that the core would fetch ahead of a branch and discard are not reported.

use super::transfer::DEVICES;
use super::{Pause, Runner};
use crate::cpu::bus::Bus;
use crate::cpu::instruction::{Instruction, Register};
use crate::cpu::memory::RAM_BASE;
use crate::cpu::mpu::Intent;
use crate::cpu::{CoreFaultKind, Stop};

/// The access of an instruction: its first address, its number of bytes, and whether it stores.
type Touched = (u32, u32, bool);

impl<B: Bus> Runner<'_, B> {
    /// Executes one instruction, or takes the fault of one that is not permitted.
    #[cold]
    #[inline(never)]
    pub(super) fn step_guarded(&mut self) -> Option<Stop> {
        // An instruction that is not decoded yet has not begun.
        if matches!(self.memory.slot(self.index), Instruction::Undecoded | Instruction::End) {
            return self.pause(Pause::Unknown);
        }
        let pc = self.address(self.index);
        let watched = self.bus.watches_memory();
        if !self.cpu.permits(pc, Intent::Fetch) {
            return self.fault(CoreFaultKind::Protected { address: pc }, pc);
        }
        let instruction = self.memory.disassemble(pc);
        if let Some(instruction) = instruction.filter(|_| watched) {
            for word in self.cpu.fetches.words(pc, instruction.size()) {
                self.bus.accessed_memory(word);
            }
        }
        let touched = instruction.and_then(|instruction| self.touched(instruction));
        if let Some((address, bytes, stores)) = touched {
            let intent = if stores { Intent::Store } else { Intent::Load };
            // Alignment is checked first, as without the unit.
            let words = (0..bytes).step_by(4).map(|offset| address.wrapping_add(offset));
            let refused = words.into_iter().find(|address| !self.cpu.permits(*address, intent));
            let aligned = address.is_multiple_of(bytes.clamp(1, 4));
            if let Some(address) = refused.filter(|_| aligned) {
                return self.fault(CoreFaultKind::Protected { address }, pc);
            }
            // The bus sees all others itself.
            let in_memory = if stores { RAM_BASE..DEVICES } else { 0..DEVICES };
            for offset in (0..bytes).step_by(4).filter(|_| watched && aligned) {
                let address = address.wrapping_add(offset);
                if in_memory.contains(&address) && self.memory.load8(address).is_some() {
                    self.bus.accessed_memory(address);
                }
            }
        }
        self.pause(Pause::Outside)
    }

    fn touched(&self, instruction: Instruction) -> Option<Touched> {
        use Instruction as I;
        let words = |list: u16| 4 * list.count_ones();
        let stack = self.get(Register::SP);
        Some(match instruction {
            I::LdrLiteral { offset, .. } => (self.literal(self.index, offset), 4, false),
            I::LdrRegister { n, m, .. } => (self.sum(n, m), 4, false),
            I::LdrhRegister { n, m, .. } | I::LdrshRegister { n, m, .. } => {
                (self.sum(n, m), 2, false)
            }
            I::LdrbRegister { n, m, .. } | I::LdrsbRegister { n, m, .. } => {
                (self.sum(n, m), 1, false)
            }
            I::StrRegister { n, m, .. } => (self.sum(n, m), 4, true),
            I::StrhRegister { n, m, .. } => (self.sum(n, m), 2, true),
            I::StrbRegister { n, m, .. } => (self.sum(n, m), 1, true),
            I::LdrImmediate { n, offset, .. } => (self.displaced(n, offset), 4, false),
            I::LdrhImmediate { n, offset, .. } => (self.displaced(n, offset), 2, false),
            I::LdrbImmediate { n, offset, .. } => (self.displaced(n, offset), 1, false),
            I::StrImmediate { n, offset, .. } => (self.displaced(n, offset), 4, true),
            I::StrhImmediate { n, offset, .. } => (self.displaced(n, offset), 2, true),
            I::StrbImmediate { n, offset, .. } => (self.displaced(n, offset), 1, true),
            I::Push { list } => (stack.wrapping_sub(words(list)), words(list), true),
            I::Pop { list } => (stack, words(list), false),
            I::PopPc { list } => (stack, words(list) + 4, false),
            I::Stm { n, list } => (self.get(n), words(list), true),
            I::Ldm { n, list } => (self.get(n), words(list), false),
            _ => return None,
        })
    }
}
