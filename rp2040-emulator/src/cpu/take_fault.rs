//! Taking a fault: HardFault becomes pending, or the core locks up.

use super::{CoreFault, CoreFaultKind, Cpu, Exception, State};
use crate::cpu::memory::Memory;

impl Cpu {
    /// Makes HardFault pending for the instruction at `pc`, or locks up where HardFault
    /// cannot preempt.
    pub(super) fn take_fault(&mut self, memory: &Memory, kind: CoreFaultKind, pc: u32) {
        self.registers[15] = pc;
        if self.nvic.execution_priority(false) < 0 {
            self.state = State::LockedUp;
        } else {
            self.nvic.pend(Exception::HARD_FAULT);
        }
        self.record_fault(memory, kind, pc);
    }

    pub(super) fn record_fault(&mut self, memory: &Memory, kind: CoreFaultKind, pc: u32) {
        let mut registers = self.registers;
        registers[15] = pc;
        let lockup = self.state == State::LockedUp;
        let cause = self.fault.take().filter(|earlier| lockup && !earlier.lockup);
        self.fault = Some(Box::new(CoreFault {
            kind,
            pc,
            instruction: memory.disassemble(pc),
            registers,
            xpsr: self.xpsr(),
            core: self.number,
            cycle: self.cycles,
            lockup,
            lost_frame: None,
            cause,
        }));
    }
}
