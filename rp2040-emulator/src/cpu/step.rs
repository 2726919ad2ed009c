//! The core one step at a time, for traces and debuggers.
//!
//! [`Cpu::step`] does what [`Cpu::run`] does, in the same order and with the same counts, but
//! returns after every instruction. It adds no cost to the loop of `run`.

use super::{Cpu, State, StepOutcome, Stop};
use crate::cpu::bus::Bus;
use crate::cpu::memory::Memory;

impl Cpu {
    /// Executes one instruction, or enters one exception. A sleeping core first sleeps until an
    /// interrupt or event wakes it.
    ///
    /// # Errors
    /// The [`Stop`] that [`run`](Self::run) would have returned instead.
    pub fn step<B: Bus>(
        &mut self,
        memory: &mut Memory,
        bus: &mut B,
        deadline: u64,
    ) -> Result<StepOutcome, Stop> {
        loop {
            if self.is_ahead() {
                match self.state {
                    // As in `run`, the core continues in its own memory.
                    State::Running if self.cycles < self.change.min(deadline) => break,
                    _ => return Err(Stop::Deadline),
                }
            }
            let change = self.sample_and_serve(memory, bus, deadline);
            if bus.wants_stop() {
                return Err(Stop::Bus);
            }
            match self.state {
                State::LockedUp => return Err(Stop::Lockup),
                State::ResetRequested => return Err(Stop::ResetRequest),
                State::Running => break,
                State::Entering => {
                    self.complete_exception(memory, bus);
                    return Ok(StepOutcome::Entry);
                }
                State::Returning(_) => self.complete_exception(memory, bus),
                State::WaitingForInterrupt | State::WaitingForEvent => {
                    if self.wakes() {
                        self.state = State::Running;
                        break;
                    }
                    if self.cycles >= deadline {
                        return Err(Stop::Deadline);
                    }
                    self.idle(self.sleeps_until(change.min(deadline)) - self.cycles);
                }
            }
        }
        if !self.is_ahead() && self.preempted() {
            self.enter(memory, bus);
            if self.state == State::Entering {
                return Err(Stop::Deadline);
            }
            return Ok(StepOutcome::Entry);
        }
        if self.cycles >= deadline {
            return Err(Stop::Deadline);
        }
        let instructions = self.instructions;
        match self.execute(memory, bus, self.cycles + 1, false) {
            Some(stop) => Err(stop),
            None if self.instructions == instructions => Ok(StepOutcome::Fault),
            None => Ok(StepOutcome::Instruction),
        }
    }
}
