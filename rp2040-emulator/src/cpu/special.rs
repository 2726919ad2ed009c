//! The special registers that MRS and MSR access, and CPS: section B5.2 of the architecture manual.

use super::Cpu;

impl Cpu {
    /// Whether the core is privileged: in a handler, or in thread mode without CONTROL.nPRIV.
    pub(super) fn privileged(&self) -> bool {
        self.handling != 0 || !self.unprivileged
    }

    /// Returns the value that MRS reads from special register `number`; zero for registers that an
    /// unprivileged program must not read, and for other numbers.
    pub(super) fn read_special(&self, number: u8) -> u32 {
        match number {
            // APSR and its combinations; EPSR always reads as zero.
            0..=3 | 5..=7 => {
                let apsr = if number & 4 == 0 { self.flags.apsr() } else { 0 };
                let ipsr = if number & 1 != 0 { u32::from(self.handling) } else { 0 };
                apsr | ipsr
            }
            8 if self.privileged() => self.stack_pointer(false),
            9 if self.privileged() => self.stack_pointer(true),
            16 if self.privileged() => self.primask.into(),
            20 => u32::from(self.process_stack) << 1 | u32::from(self.unprivileged),
            _ => 0,
        }
    }

    /// Executes MSR.
    pub(super) fn write_special(&mut self, number: u8, value: u32) {
        match number {
            0..=3 => self.flags.set_apsr(value),
            8 if self.privileged() => self.set_stack_pointer(false, value),
            9 if self.privileged() => self.set_stack_pointer(true, value),
            16 if self.privileged() => self.primask = value & 1 != 0,
            20 if self.privileged() => {
                self.unprivileged = value & 1 != 0;
                let process = value & 2 != 0;
                if self.handling == 0 && process != self.process_stack {
                    std::mem::swap(&mut self.registers[13], &mut self.other_sp);
                    self.process_stack = process;
                }
            }
            _ => {}
        }
    }

    /// Executes CPS, which has no effect in unprivileged mode.
    pub(super) fn set_primask(&mut self, primask: bool) {
        if self.privileged() {
            self.primask = primask;
        }
    }

    /// Returns the main or the process stack pointer.
    pub fn stack_pointer(&self, process: bool) -> u32 {
        if process == self.process_stack { self.registers[13] } else { self.other_sp }
    }

    /// Sets the main or the process stack pointer. It stays aligned to words.
    pub fn set_stack_pointer(&mut self, process: bool, value: u32) {
        if process == self.process_stack {
            self.registers[13] = value & !3;
        } else {
            self.other_sp = value & !3;
        }
    }
}
