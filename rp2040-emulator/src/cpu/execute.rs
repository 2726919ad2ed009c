//! The loop that executes decoded instructions until a cycle, with one dispatch per instruction.
//!
//! The loop handles the frequent cases: the [`Runner`] follows the program by its slot in
//! [`Memory`]'s array, without updating the core's program counter. Everything else is a [`Pause`]:
//! a fault, an exception, a branch to another region. It is handled out of line, after the program
//! counter is updated.
//!
//! Cycles are those of the Cortex-M0+ manual's table with the single-cycle multiplier that the
//! RP2040 has: 1 for data processing, 2 for loads, stores and taken branches, 1 + N for
//! multiple transfers.

use super::mpu::Protection;
use super::{CoreFaultKind, Cpu, State, Stop};
use crate::cpu::bus::Bus;
use crate::cpu::instruction::{Instruction, Register};
use crate::cpu::memory::execution::{ELSEWHERE, ON};
use crate::cpu::memory::{Memory, Place};

mod alu;
mod branch;
mod fast;
mod guarded;
pub(super) mod idle;
mod pair;
mod step;
mod transfer;

use fast::outside::OnBus;
use fast::{End, Land, Region, Unguarded, fly};

/// Return values of exceptions are at the top of the address space.
const EXCEPTION_RETURN: u32 = 0xF000_0000;

/// Cycles of a taken branch.
const TAKEN: u32 = 2;

/// The most cycles that the loop counts before it adds them up; an instruction takes at least one,
/// so that neither half of the count overflows.
const MAX_BUDGET: u64 = 1 << 31;

/// Cycles to the deadline below which setting up the fast loop takes longer than it saves.
const WORTH_BLOCKS: u64 = 24;

/// Why the loop stops for handling out of line.
enum Pause {
    Fault(CoreFaultKind),
    /// A branch to an address outside the region, with its Thumb bit.
    Jump {
        target: u32,
        cycles: u32,
    },
    SupervisorCall,
    Breakpoint(u8),
    Undefined,
    Sleep(State),
    /// The slot holds no decoded instruction.
    Unknown,
    /// The instruction accesses more than the memory, or state that interrupts depend on. It has
    /// had no effect yet and is executed again with access to the bus.
    Outside,
}

/// The progress of a step of the loop: cycles in the lower half and instructions in the upper, so
/// that one addition counts both; and the slot of the next instruction.
type Done = (u64, usize);

#[inline(always)]
fn done(instructions: u32, cycles: u32, next: usize) -> Done {
    (u64::from(instructions) << 32 | u64::from(cycles), next)
}

/// Returns the progress of one instruction, as most steps are.
#[inline(always)]
fn alone(cycles: u32, next: usize) -> Done {
    done(1, cycles, next)
}

/// A core while it executes. Slot and cycle change with every instruction: they are local variables
/// of the loop, and are stored here and in the core only while the loop pauses.
struct Runner<'a, B: Bus> {
    cpu: &'a mut Cpu,
    memory: &'a mut Memory,
    bus: &'a mut B,
    /// Slot of the instruction at which the loop is paused.
    index: usize,
    start: usize,
    length: usize,
    /// Base address: `base + 2 * slot` is the address of the instruction in a slot.
    base: u32,
    /// The cycle at which the loop ends.
    until: u64,
    /// Nothing that it depends on changes before the loop ends.
    protection: Protection,
    /// Reason why an instruction of a loop that may wait could not be executed.
    paused: Option<Pause>,
}

impl Cpu {
    /// Executes until cycle `until`, or until an access that interrupts may depend on: block by
    /// block or instruction by instruction.
    pub(super) fn execute<B: Bus>(
        &mut self,
        memory: &mut Memory,
        bus: &mut B,
        until: u64,
        block_wise: bool,
    ) -> Option<Stop> {
        let records = memory.records_execution();
        // Two cores take turns of few cycles, and a busy DMA interrupts after few. Both are too
        // short for blocks.
        let block_wise = block_wise
            && until.saturating_sub(self.cycles) >= WORTH_BLOCKS
            && (self.horizon == u64::MAX || !self.was_ahead);
        let (index, start, length, base) = (0, 0, 0, 0);
        let (protection, paused) = (self.protection(), None);
        let mut runner = Runner {
            cpu: self,
            memory,
            bus,
            index,
            start,
            length,
            base,
            until,
            protection,
            paused,
        };
        runner.go_to(runner.cpu.registers[15]);
        let recorded = if runner.cpu.records() { runner.record() } else { None };
        let stop = match (block_wise, records) {
            _ if recorded.is_some() => recorded,
            (true, false) => runner.run_blocks::<false>(),
            (true, true) => runner.run_blocks::<true>(),
            (false, false) => runner.run::<false>(),
            (false, true) => runner.run::<true>(),
        };
        runner.cpu.registers[15] = runner.address(runner.index);
        if runner.until == 0 {
            runner.cpu.change = 0;
        }
        stop
    }
}

impl<B: Bus> Runner<'_, B> {
    /// Executes instructions in a loop. With `RECORD` the memory notes what is executed.
    #[inline(never)]
    fn run<const RECORD: bool>(&mut self) -> Option<Stop> {
        while self.cpu.cycles < self.until {
            if self.protection != Protection::Off
                || self.bus.watches_memory()
                || self.memory.is_watched()
            {
                if let Some(stop) = self.step_protected::<RECORD>() {
                    return Some(stop);
                }
                continue;
            }
            let budget = (self.until - self.cpu.cycles).min(MAX_BUDGET) as u32;
            let mut index = self.index;
            let mut progress = 0u64;
            let pause = loop {
                if progress as u32 >= budget {
                    break None;
                }
                match self.step::<false>(index, budget - progress as u32) {
                    Ok((passed, next)) => {
                        if RECORD {
                            self.note(index, passed, next);
                            self.count(passed);
                        }
                        progress += passed;
                        index = next;
                    }
                    Err(pause) => break Some(pause),
                }
            };
            self.index = index;
            // A transfer has its cycle, so that a record counts each instruction at once.
            if !RECORD {
                self.count(progress);
            }
            if let Some(stop) = pause.and_then(|pause| self.pause(pause)) {
                return Some(stop);
            }
        }
        None
    }

    /// Executes as [`run`](Self::run) does, block by block where that is possible.
    #[inline(never)]
    fn run_blocks<const RECORD: bool>(&mut self) -> Option<Stop> {
        while self.cpu.cycles < self.until {
            if self.checks_each() {
                if let Some(stop) = self.step_guarded() {
                    return Some(stop);
                }
                continue;
            }
            let (land, op) = self.fly::<RECORD>();
            let stop = match land {
                Land::Deadline => None,
                Land::Device => match self.round_at(op) {
                    Some(round) if self.is_alone() => self.poll::<RECORD>(round),
                    _ => self.outside(),
                },
                Land::Step if self.protection != Protection::Off => self.step_guarded(),
                Land::Step => self.run_one::<RECORD>(),
                Land::Refused(address) => {
                    self.pause(Pause::Fault(CoreFaultKind::Store { address }))
                }
            };
            if stop.is_some() {
                return stop;
            }
        }
        None
    }

    /// Executes blocks up to the deadline, which has not been reached, or up to an operation that
    /// they cannot execute. Returns the reason, and the index of that operation.
    fn fly<const RECORD: bool>(&mut self) -> (Land, usize) {
        let (start, length, base) = (self.start, self.length, self.base);
        while self.cpu.cycles < self.until {
            let budget = (self.until - self.cpu.cycles).min(MAX_BUDGET) as u32;
            if RECORD {
                self.memory.begin_flight(self.cpu.number, self.cpu.awake(), base);
            }
            let Some(parts) = self.memory.parts() else { return (Land::Step, 0) };
            let (registers, flags) = (&mut self.cpu.registers, &mut self.cpu.flags);
            let region = Region { start, length, base };
            let end = self.cpu.cycles + u64::from(budget);
            let (bus, core, until) = (&mut *self.bus, self.cpu.number, self.until);
            let horizon = self.cpu.horizon;
            let mut outside = OnBus { bus, core, end, horizon, until, base };
            let (index, bus) = (self.index, &mut outside);
            let flight = match self.protection {
                Protection::Guard(guard) => {
                    fly::<RECORD, _>(registers, flags, parts, region, index, budget, bus, guard)
                }
                _ => {
                    fly::<RECORD, _>(registers, flags, parts, region, index, budget, bus, Unguarded)
                }
            };
            self.until = outside.until;
            self.index = flight.index;
            self.count(flight.progress);
            match flight.end {
                End::Landed(land) => return (land, flight.op),
                End::NotBuilt => {
                    self.memory.build_block(Place { index: self.index, start, length, base });
                    // The block may be in the guard, from which nothing may be fetched.
                    if self.has_code_in_guard() {
                        return (Land::Step, 0);
                    }
                }
            }
        }
        (Land::Deadline, 0)
    }

    /// Executes one step of [`run`](Self::run), before the deadline.
    #[inline(never)]
    fn run_one<const RECORD: bool>(&mut self) -> Option<Stop> {
        let room = (self.until - self.cpu.cycles).min(MAX_BUDGET) as u32;
        match self.step::<false>(self.index, room) {
            Ok((passed, next)) => {
                if RECORD {
                    self.note(self.index, passed, next);
                }
                let cycle = self.cpu.cycles;
                self.count(passed);
                self.index = next;
                self.report_overwritten(cycle);
                None
            }
            Err(pause) => self.pause(pause),
        }
    }

    /// Reports a store in `cycle` to a watched part of the memory, if there was one. The loop then
    /// ends.
    #[inline]
    fn report_overwritten(&mut self, cycle: u64) {
        if self.memory.take_overwritten() {
            self.bus.source_changed(cycle);
            self.until = 0;
        }
    }

    fn count(&mut self, progress: u64) {
        self.cpu.cycles += progress & 0xFFFF_FFFF;
        self.cpu.instructions += progress >> 32;
    }

    /// Notes a step from slot `index` to `next`: an instruction, or a comparison and its branch.
    #[inline(always)]
    fn note(&mut self, index: usize, passed: u64, next: usize) {
        let last = index + (passed >> 32) as usize - 1;
        if last != index {
            self.memory.note(index, ON);
        }
        self.memory.note(last, if next == last + 1 { ON } else { ELSEWHERE });
        if self.memory.records_execution() {
            self.record_step(index, passed, next);
        }
    }

    /// Counts a step, and records a transfer to another function.
    #[inline(never)]
    fn record_step(&mut self, index: usize, passed: u64, next: usize) {
        let last = index + (passed >> 32) as usize - 1;
        self.note_arrival(index);
        if last != index {
            self.memory.count(index);
        }
        self.memory.count(last);
        // The second instruction of a pair is a branch.
        let (instruction, to) = (self.memory.instruction(index), self.address(next));
        self.note_departure(instruction, self.address(last), to, passed as u32);
    }

    /// Records a transfer to another function by the instruction at `pc`, which takes these
    /// cycles, if it is one.
    fn note_departure(&mut self, instruction: Instruction, pc: u32, to: u32, cycles: u32) {
        let (stack, awake) = (self.get(Register::SP), self.cpu.awake() + u64::from(cycles));
        self.memory.note_departure(self.cpu.number, (instruction, pc), to, stack, awake);
    }

    /// Records that the core is at slot `index`, if it has come there from another function by
    /// blocks that have ended.
    fn note_arrival(&mut self, index: usize) {
        let (core, awake) = (self.cpu.number, self.cpu.awake());
        self.memory.note_arrival(core, self.address(index), self.get(Register::SP), awake);
    }

    /// Records the jump by the instruction at `pc`, after which the core is where it has gone.
    #[cold]
    fn note_jump(&mut self, instruction: Instruction, pc: u32) {
        // A return from an exception that waits for the other core has not been made yet.
        if self.cpu.state == State::Running {
            self.note_departure(instruction, pc, self.address(self.index), 0);
        }
    }

    /// Whether no other core takes turns with this one. Turns are too short for skipping rounds
    /// within them: `chip::waits` skips turns.
    #[inline(always)]
    fn is_alone(&self) -> bool {
        self.cpu.horizon == u64::MAX
    }

    /// Ends the loop when interrupts must be sampled after an access to the bus.
    fn note_change(&mut self) {
        let change = self.bus.next_change(self.cpu.number);
        self.until = self.until.min(change);
        self.cpu.change = self.cpu.change.min(change);
    }

    /// The address of the instruction in a slot.
    #[inline(always)]
    fn address(&self, index: usize) -> u32 {
        self.base.wrapping_add(index as u32 * 2)
    }

    /// The value of the program counter in that instruction: its address plus four.
    #[inline(always)]
    fn pc(&self, index: usize) -> u32 {
        self.address(index).wrapping_add(4)
    }

    #[inline(always)]
    fn get(&self, register: Register) -> u32 {
        self.cpu.registers[register.index()]
    }

    #[inline(always)]
    fn set(&mut self, register: Register, value: u32) {
        self.cpu.registers[register.index()] = value;
    }

    /// Continues at `address`, in any region.
    fn go_to(&mut self, address: u32) {
        let place = match self.memory.place(address) {
            Some(place) if self.cpu.thumb => place,
            Some(_) => self.memory.no_place(address, Instruction::NotThumb),
            None => self.memory.no_place(address, Instruction::Unfetchable),
        };
        let Place { index, start, length, base } = place;
        (self.index, self.start, self.length, self.base) = (index, start, length, base);
    }

    #[cold]
    #[inline(never)]
    fn pause(&mut self, pause: Pause) -> Option<Stop> {
        let pc = self.address(self.index);
        match pause {
            // The instruction has not been executed yet.
            Pause::Outside | Pause::Unknown => {}
            Pause::Jump { .. } => self.memory.note(self.index, ELSEWHERE),
            _ => self.memory.note(self.index, ON),
        }
        match pause {
            Pause::Outside => self.outside(),
            Pause::Jump { target, cycles } => {
                self.note_arrival(self.index);
                self.pass(cycles);
                self.memory.count(self.index);
                let instruction = self.memory.instruction(self.index);
                if self.cpu.handling != 0 && target >= EXCEPTION_RETURN {
                    self.cpu.exception_return(self.memory, self.bus, target, pc);
                    self.until = 0;
                    self.go_to(self.cpu.registers[15]);
                } else {
                    self.cpu.thumb = target & 1 != 0;
                    self.go_to(target & !1);
                }
                if self.memory.records_execution() {
                    self.note_jump(instruction, pc);
                }
                None
            }
            Pause::Unknown => match self.memory.instruction(self.index) {
                Instruction::Undecoded => {
                    self.memory.decode(self.index, pc);
                    None
                }
                Instruction::NotThumb => self.fault(CoreFaultKind::NotThumb, pc),
                // After the last halfword of a region another region may follow.
                Instruction::End => {
                    self.go_to(pc);
                    None
                }
                _ => self.fault(CoreFaultKind::Fetch, pc),
            },
            Pause::Undefined => match self.memory.instruction(self.index) {
                Instruction::Udf { number } if pc < self.cpu.native_calls_below => {
                    Some(Stop::NativeCall(number))
                }
                _ => self.fault(CoreFaultKind::Undefined, pc),
            },
            Pause::Breakpoint(number) if self.cpu.debugged => Some(Stop::Breakpoint(number)),
            Pause::Breakpoint(number) => self.fault(CoreFaultKind::Breakpoint { number }, pc),
            Pause::Fault(kind) => self.fault(kind, pc),
            Pause::SupervisorCall => {
                self.pass(1);
                self.memory.count(self.index);
                self.cpu.supervisor_call(self.memory, pc);
                self.index += 1;
                self.until = 0;
                None
            }
            // The other core may set the event register before.
            Pause::Sleep(State::WaitingForEvent) if self.cpu.is_ahead() => Some(Stop::Deadline),
            Pause::Sleep(state) => {
                self.pass(2);
                self.memory.count(self.index);
                if state == State::WaitingForInterrupt || !std::mem::take(&mut self.cpu.event) {
                    self.cpu.state = state;
                }
                self.index += 1;
                self.until = 0;
                None
            }
        }
    }

    /// Executes the instruction at which the program is paused with access to the bus, or skips
    /// rounds of the loop that waits there.
    fn outside(&mut self) -> Option<Stop> {
        if let Some(stop) = self.cpu.yields() {
            return Some(stop);
        }
        let skipped = self.is_alone() && self.skip_wait();
        if let Some(pause) = self.paused.take() {
            return self.pause(pause);
        }
        if skipped {
            return None;
        }
        self.step_on_bus()
    }

    /// Executes the instruction at which the program is paused with access to the bus.
    #[inline(always)]
    fn step_on_bus(&mut self) -> Option<Stop> {
        let done = self.load_outside().unwrap_or_else(|| self.step_outside());
        match done {
            Ok((passed, next)) => {
                self.note(self.index, passed, next);
                self.pass(passed as u32);
                self.index = next;
                None
            }
            Err(pause) => self.pause(pause),
        }
    }

    /// Counts an instruction that was executed out of line.
    fn pass(&mut self, cycles: u32) {
        self.cpu.cycles = self.cpu.cycles.wrapping_add(cycles.into());
        self.cpu.instructions += 1;
    }

    /// Executes the instruction with access to the bus.
    #[inline(never)]
    fn step_outside(&mut self) -> Result<Done, Pause> {
        self.step::<true>(self.index, 1)
    }

    /// Executes an instruction of a loop that may wait. Returns `None` if it cannot be executed
    /// here. The reason is then in `paused`: the instruction must not be executed again, as the bus
    /// may have seen its access.
    fn step_or_pause(&mut self) -> Option<Done> {
        match self.step_outside() {
            Ok(done) => Some(done),
            Err(pause) => {
                self.paused = Some(pause);
                None
            }
        }
    }

    fn fault(&mut self, kind: CoreFaultKind, pc: u32) -> Option<Stop> {
        self.cpu.take_fault(self.memory, kind, pc);
        // The program continues at `pc` after the handler.
        self.go_to(self.cpu.registers[15]);
        self.until = 0;
        None
    }
}
