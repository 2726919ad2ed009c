//! Execution while the memory protection unit must be consulted for every access, or while the bus
//! watches the memory: instruction by instruction, each access checked and reported before it takes
//! place.
//!
//! With a guard ([`Protection::Guard`]) only the instructions that access it are executed here: the
//! loops leave them. Fetches from a guard need no check in the loops while nothing was decoded from
//! it; once something was, every instruction is executed here.
//!
//! Instructions are fetched by words, each once while the program goes straight on, and again after
//! a branch. Words that the core would fetch ahead of a branch and discard are not reported.

use super::transfer::DEVICES;
use super::{Pause, Runner};
use crate::cpu::bus::Bus;
use crate::cpu::instruction::{Instruction, Register};
use crate::cpu::memory::RAM_BASE;
use crate::cpu::mpu::{Intent, Protection};
use crate::cpu::{CoreFaultKind, Stop};

/// The access of an instruction: its first address, its number of bytes, and whether it stores.
type Touched = (u32, u32, bool);

impl<B: Bus> Runner<'_, B> {
    /// Whether each instruction must be executed by [`step_guarded`](Self::step_guarded).
    #[inline(always)]
    pub(super) fn checks_each(&mut self) -> bool {
        let is_full = match self.protection {
            Protection::Off => false,
            Protection::Guard(_) => self.has_code_in_guard(),
            Protection::Full => true,
        };
        is_full || self.bus.watches_memory()
    }

    /// Whether an instruction has been decoded from the guard. The core remembers that there was
    /// none.
    #[inline(always)]
    pub(super) fn has_code_in_guard(&mut self) -> bool {
        let Protection::Guard(guard) = self.protection else { return false };
        let decoded = (guard, self.memory.decoded_page_count());
        if self.cpu.no_code_in_guard == decoded {
            return false;
        }
        let has_code = self.memory.has_decoded(guard.first, guard.size);
        if !has_code {
            self.cpu.no_code_in_guard = decoded;
        }
        has_code
    }

    /// Executes one instruction, or a pair that accesses no memory, with the checks that it needs.
    pub(super) fn step_protected<const RECORD: bool>(&mut self) -> Option<Stop> {
        let needs_check = self.checks_each()
            || match self.protection {
                Protection::Guard(guard) => {
                    let touched = self.touched(self.memory.instruction(self.index));
                    touched.is_some_and(|(address, bytes, _)| {
                        guard.contains_any(address, bytes.div_ceil(4))
                    })
                }
                _ => false,
            };
        if needs_check { self.step_guarded() } else { self.run_one::<RECORD>() }
    }

    /// Whether the instruction at which the loop is paused may be executed without a fault by the
    /// memory protection unit. `loads` is the address from which it loads a register.
    pub(super) fn is_permitted(&self, loads: Option<u32>) -> bool {
        self.protection == Protection::Off
            || self.cpu.permits(self.address(self.index), Intent::Fetch)
                && loads.is_none_or(|address| self.cpu.permits(address, Intent::Load))
    }

    /// Executes one instruction, or takes the fault of one that is not permitted.
    #[cold]
    #[inline(never)]
    pub(super) fn step_guarded(&mut self) -> Option<Stop> {
        if let Some(stop) = self.cpu.yields() {
            return Some(stop);
        }
        // An instruction that is not decoded yet has not begun, and one that is not Thumb code is
        // not fetched.
        use Instruction as I;
        if matches!(self.memory.slot(self.index), I::Undecoded | I::End | I::NotThumb) {
            return self.pause(Pause::Unknown);
        }
        let pc = self.address(self.index);
        let watched = self.bus.watches_memory();
        let instruction = self.memory.disassemble(pc);
        let size = instruction.map_or(2, |instruction| instruction.size());
        let halfwords = [pc, pc.wrapping_add(size - 2)];
        if let Some(address) =
            halfwords.into_iter().find(|at| !self.cpu.permits(*at, Intent::Fetch))
        {
            return self.fault(CoreFaultKind::Protected { address }, pc);
        }
        if let Some(instruction) = instruction.filter(|_| watched) {
            for word in self.cpu.fetches.words(pc, instruction.size()) {
                self.bus.accessed_memory(self.cpu.memory_access(word, pc));
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
                    self.bus.accessed_memory(self.cpu.memory_access(address, pc));
                }
            }
        }
        let cycle = self.cpu.cycles;
        let stop = self.pause(Pause::Outside);
        self.report_overwritten(cycle);
        stop
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
