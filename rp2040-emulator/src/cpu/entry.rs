//! Exception entry with its stack frame, late arrival, return, tail-chaining (section B1.5 of the
//! architecture manual).

use super::mpu::Intent;
use super::registers::SCR_SLEEPONEXIT;
use super::{CoreFaultKind, Cpu, Exception, State};
use crate::cpu::bus::Bus;
use crate::cpu::memory::Memory;
use crate::cpu::memory::transfers::TransferKind;

/// EXC_RETURN: to handler mode.
const TO_HANDLER: u32 = 0xFFFF_FFF1;
/// EXC_RETURN: to thread mode on the main stack.
const TO_THREAD_MAIN: u32 = 0xFFFF_FFF9;
/// EXC_RETURN: to thread mode on the process stack.
const TO_THREAD_PROCESS: u32 = 0xFFFF_FFFD;

/// Cycles from the interrupt to the handler's first instruction, with memory that does not wait
/// (Cortex-M0+ TRM, "interrupt latency").
const ENTRY_CYCLES: u64 = 15;
/// Cycles of the return. The manual gives no number; eight words are read and the pipeline is
/// filled.
const RETURN_CYCLES: u64 = 10;
/// Cycles until a handler that follows another one begins. The manual gives no number; the vector
/// is read and the pipeline is filled.
const TAIL_CHAIN_CYCLES: u64 = 6;

const FRAME_SIZE: u32 = 32;
const STACK_WAS_UNALIGNED: u32 = 1 << 9;

impl Cpu {
    /// Stacks the current context and starts the handler of the first pending exception.
    pub(super) fn enter<B: Bus>(&mut self, memory: &mut Memory, bus: &mut B) {
        let return_address = self.registers[15];
        memory.note_arrival(self.number, return_address, self.registers[13], self.awake());
        let stack = self.registers[13];
        let frame = stack.wrapping_sub(FRAME_SIZE) & !4;
        let unaligned = if stack & 4 != 0 { STACK_WAS_UNALIGNED } else { 0 };
        let [r0, r1, r2, r3] = [0, 1, 2, 3].map(|number| self.registers[number]);
        let (r12, lr) = (self.registers[12], self.registers[14]);
        let words = [r0, r1, r2, r3, r12, lr, return_address, self.xpsr() | unaligned];
        let mut failed = None;
        for (offset, word) in (0..).step_by(4).zip(words) {
            let address = frame.wrapping_add(offset);
            let permitted = !self.mpu.is_on() || self.permits(address, Intent::Store);
            let written = permitted
                && self.write_for_exception(memory, bus, address, word, return_address).is_ok();
            if !written {
                failed.get_or_insert(address);
            }
        }
        if memory.take_overwritten() {
            bus.source_changed(self.cycles);
        }
        self.registers[13] = frame;
        self.registers[14] = match (self.handling, self.process_stack) {
            (1.., _) => TO_HANDLER,
            (0, false) => TO_THREAD_MAIN,
            (0, true) => TO_THREAD_PROCESS,
        };
        if self.process_stack {
            std::mem::swap(&mut self.registers[13], &mut self.other_sp);
            self.process_stack = false;
        }
        self.cycles += ENTRY_CYCLES;
        if let Some(address) = failed {
            self.take_derived_fault(memory, address, return_address);
            if self.state == State::LockedUp {
                return;
            }
        }
        if self.is_ahead() {
            self.state = State::Entering;
            return;
        }
        // Late arrival: an exception of higher priority that became pending meanwhile uses the
        // frame.
        self.sample(bus);
        self.start_handler(memory, bus);
        self.note_entry(memory, return_address);
    }

    /// Records that the core has entered a handler.
    fn note_entry(&self, memory: &mut Memory, return_address: u32) {
        let (to, stack) = (self.registers[15], self.registers[13]);
        let kind = TransferKind::Call { return_address };
        memory.note_transfer(self.number, to, stack, self.awake(), kind);
    }

    /// Completes the entry or return that had to wait for the other core. Interrupts have been
    /// sampled.
    pub(super) fn complete_exception<B: Bus>(&mut self, memory: &mut Memory, bus: &mut B) {
        match std::mem::replace(&mut self.state, State::Running) {
            State::Entering => {
                let return_address = self.registers[15];
                self.start_handler(memory, bus);
                self.note_entry(memory, return_address);
            }
            State::Returning(link) => {
                let awake = self.awake();
                self.exception_return(memory, bus, link, self.registers[15]);
                let (to, stack) = (self.registers[15], self.registers[13]);
                memory.note_transfer(self.number, to, stack, awake, TransferKind::Jump);
            }
            other => self.state = other,
        }
    }

    /// Takes the fault of an exception's entry that could not write the frame at `address`. The
    /// stack pointer has been lowered, and the other words have been written.
    ///
    /// The fault counts with the priority of the preempted program: it locks the core up only in
    /// HardFault or NMI. The entry of HardFault itself continues, with an incomplete frame: a core
    /// locks up by a fault in that handler, or by one that unstacks the PSR (Cortex-M0+ Devices
    /// Generic User Guide, 2.4.1). The report is then that of the first fault.
    fn take_derived_fault(&mut self, memory: &Memory, address: u32, return_address: u32) {
        let enters_hard_fault = self.nvic.first() == Some(Exception::HARD_FAULT);
        match self.fault.as_deref_mut() {
            Some(first) if enters_hard_fault => first.lost_frame = Some(address),
            _ => {
                let kind = CoreFaultKind::Stacking { address };
                self.take_fault(memory, kind, return_address);
            }
        }
    }

    /// Fetches the vector of the first pending exception and activates it.
    fn start_handler<B: Bus>(&mut self, memory: &mut Memory, bus: &mut B) {
        let Some(exception) = self.nvic.first() else { return };
        let vector = self.vector_table.wrapping_add(4 * u32::from(exception.number()));
        self.nvic.activate(exception);
        self.handling = exception.number();
        self.event = true;
        match self.read_for_exception(memory, bus, vector, self.registers[15]) {
            Ok(entry) => {
                self.thumb = entry & 1 != 0;
                self.registers[15] = entry & !1;
            }
            Err(_) => {
                self.state = State::LockedUp;
                let kind = CoreFaultKind::Vector { address: vector };
                self.record_fault(memory, kind, self.registers[15]);
            }
        }
    }

    /// Returns from the exception being handled, according to the EXC_RETURN value `link` of the
    /// branch at `pc`.
    pub(super) fn exception_return<B: Bus>(
        &mut self,
        memory: &mut Memory,
        bus: &mut B,
        link: u32,
        pc: u32,
    ) {
        if self.is_ahead() {
            (self.state, self.registers[15]) = (State::Returning(link), pc);
            return;
        }
        let to_thread = link != TO_HANDLER;
        let known = matches!(link, TO_HANDLER | TO_THREAD_MAIN | TO_THREAD_PROCESS);
        let Some(exception) = Exception::new(self.handling)
            .filter(|active| self.nvic.is_active(*active))
            .filter(|_| known && to_thread == (self.nvic.nesting() == 1))
        else {
            return self.take_fault(memory, CoreFaultKind::ExceptionReturn { value: link }, pc);
        };
        self.nvic.deactivate(exception);
        self.end_fault(exception);
        self.event = true;
        self.sample(bus);
        if self.nvic.preempts(self.primask) {
            // Tail-chaining: the frame remains for the next handler.
            self.registers[14] = link;
            self.cycles += TAIL_CHAIN_CYCLES;
            return self.start_handler(memory, bus);
        }
        if link == TO_THREAD_PROCESS {
            std::mem::swap(&mut self.registers[13], &mut self.other_sp);
            self.process_stack = true;
        }
        self.handling = 0;
        let frame = self.registers[13];
        let mut words = [0; 8];
        for (offset, word) in (0..).step_by(4).zip(&mut words) {
            let address = frame.wrapping_add(offset);
            let permitted = !self.mpu.is_on() || self.permits(address, Intent::Load);
            match self.read_for_exception(memory, bus, address, pc).ok().filter(|_| permitted) {
                Some(value) => *word = value,
                None => {
                    return self.take_fault(memory, CoreFaultKind::Unstacking { address }, pc);
                }
            }
        }
        let [r0, r1, r2, r3, r12, lr, address, psr] = words;
        self.registers[..4].copy_from_slice(&[r0, r1, r2, r3]);
        self.registers[12] = r12;
        self.registers[14] = lr;
        self.registers[15] = address & !1;
        let unaligned = if psr & STACK_WAS_UNALIGNED != 0 { 4 } else { 0 };
        self.registers[13] = frame.wrapping_add(FRAME_SIZE) | unaligned;
        self.flags.set_apsr(psr);
        self.thumb = psr & 1 << 24 != 0;
        self.handling = psr as u8 & 0x3F;
        self.cycles += RETURN_CYCLES;
        if to_thread != (self.handling == 0) {
            self.handling = if to_thread { 0 } else { exception.number() };
            return self.take_fault(memory, CoreFaultKind::ExceptionReturn { value: link }, pc);
        }
        if to_thread && self.system_control & SCR_SLEEPONEXIT != 0 {
            self.state = State::WaitingForInterrupt;
        }
    }

    /// Executes SVC at `pc`. Where the priority forbids its handler it causes a HardFault, which
    /// returns to the instruction after the SVC.
    pub(super) fn supervisor_call(&mut self, memory: &Memory, pc: u32) {
        self.registers[15] = pc.wrapping_add(2);
        let current = self.nvic.execution_priority(self.primask);
        if self.nvic.priority(Exception::SVCALL) < current {
            self.nvic.pend(Exception::SVCALL);
        } else {
            self.take_fault(memory, CoreFaultKind::SupervisorCall, pc);
            self.registers[15] = pc.wrapping_add(2);
        }
    }
}
