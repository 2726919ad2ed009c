//! A Cortex-M0+ core: ARMv6-M with its exceptions, its system registers and its cycle counts.
//!
//! [`Cpu::run`] executes from [`Memory`] until a given cycle. A [`Bus`] handles every access that
//! is neither to memory nor to the core's own registers. Time is the core's count of cycles. The
//! core is a value: a clone continues exactly as the original does.
//!
//! The core does not depend on a chip: the bus defines interrupt numbers, device addresses and the
//! duration of a cycle. The one exception is the address of the single-cycle I/O port, because
//! the timing of loads and stores depends on it.

use crate::cpu::bus::Bus;
use crate::cpu::memory::Memory;

mod access;
mod blocks;
pub mod bus;
mod debug;
pub mod decode;
mod departure;
pub mod disassemble;
mod entry;
mod exception;
mod execute;
mod fault;
mod fetches;
mod flags;
mod horizon;
pub mod instruction;
pub mod memory;
mod mpu;
mod nvic;
mod registers;
mod special;
mod step;
mod step_outcome;
mod survived;
mod system;
mod systick;
mod take_fault;

pub use exception::Exception;
pub(crate) use execute::idle::rhythm;
use execute::idle::{Recording, Waiting};
pub use fault::{CoreFault, CoreFaultKind};
use fetches::Fetches;
use flags::Flags;
use mpu::{Guard, Mpu};
use nvic::Nvic;
use registers::SCR_SEVONPEND;
pub use step_outcome::StepOutcome;
pub use survived::SurvivedFaults;
use systick::SysTick;

/// Reason why [`Cpu::run`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The requested cycle has been reached.
    Deadline,
    /// A BKPT with this number; the program counter is still at it. Occurs only with
    /// [`Cpu::set_debugged`].
    Breakpoint(u8),
    /// A UDF with this number in the range of [`Cpu::set_native_calls`]; the program counter is
    /// still at it.
    NativeCall(u16),
    /// The bus has requested it ([`Bus::wants_stop`]).
    Bus,
    /// The program has requested a reset (SYSRESETREQ).
    ResetRequest,
    /// A fault inside HardFault or NMI has stopped the core until a reset. [`Cpu::fault`] has the
    /// reason.
    Lockup,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Running,
    /// Between the stacking of an exception's frame and the choice of the handler.
    Entering,
    /// Before the return from an exception by this EXC_RETURN value; the program counter is at the
    /// branch.
    Returning(u32),
    /// In WFI, until an interrupt that would preempt if PRIMASK were clear.
    WaitingForInterrupt,
    /// In WFE, until such an interrupt or an event.
    WaitingForEvent,
    ResetRequested,
    LockedUp,
}

/// One core.
#[derive(Clone, Debug)]
pub struct Cpu {
    /// R0 to R15. R13 is the stack pointer in use. R15 is the next instruction's address, and is up
    /// to date only while the core is not executing.
    registers: [u32; 16],
    flags: Flags,
    /// The stack pointer that is not in use.
    other_sp: u32,
    /// CONTROL.SPSEL, which does not change in handler mode.
    process_stack: bool,
    /// CONTROL.nPRIV.
    unprivileged: bool,
    primask: bool,
    /// EPSR.T.
    thumb: bool,
    /// IPSR: the number of the exception being handled, 0 in thread mode.
    handling: u8,
    state: State,
    /// The event register of WFE.
    event: bool,
    cycles: u64,
    instructions: u64,
    slept: u64,
    nvic: Nvic,
    mpu: Mpu,
    /// A guard of the MPU from which no instruction was decoded while this number of pages of the
    /// RAM had decoded instructions.
    no_code_in_guard: (Guard, usize),
    systick: SysTick,
    /// Whether a line that is the NMI was high when it was last sampled.
    nmi_line: bool,
    vector_table: u32,
    /// SCR: SLEEPONEXIT, SLEEPDEEP, SEVONPEND.
    system_control: u32,
    number: u8,
    debugged: bool,
    /// Address below which UDF is a call of the host and not a fault.
    native_calls_below: u32,
    /// Latest cycle at which it may access the bus: [`set_horizon`](Self::set_horizon).
    horizon: u64,
    /// Cycle at which it must sample the bus, which is in the past if the last instruction demands
    /// it.
    change: u64,
    /// Whether the last turn ended early, because the other core had to catch up: then turns are
    /// too short for blocks.
    was_ahead: bool,
    waiting: Waiting,
    /// Recording of the loop in which the core waits, in progress or complete.
    recording: Option<Recording>,
    fetches: Fetches,
    /// Whether [`run`](Self::run) executes whole blocks.
    block_wise: bool,
    fault: Option<Box<CoreFault>>,
    /// Faults whose handlers have returned.
    survived: Option<Box<SurvivedFaults>>,
}

impl Cpu {
    /// Creates a core in its reset state. It has not yet fetched its vectors:
    /// [`reset`](Self::reset) does.
    pub fn new(number: u8) -> Self {
        Self {
            registers: [0; 16],
            flags: Flags::default(),
            other_sp: 0,
            process_stack: false,
            unprivileged: false,
            primask: false,
            thumb: true,
            handling: 0,
            state: State::Running,
            event: false,
            cycles: 0,
            instructions: 0,
            slept: 0,
            nvic: Nvic::default(),
            mpu: Mpu::default(),
            no_code_in_guard: (Guard::default(), 0),
            systick: SysTick::default(),
            nmi_line: false,
            vector_table: 0,
            system_control: 0,
            number,
            debugged: false,
            native_calls_below: 0,
            horizon: u64::MAX,
            change: 0,
            was_ahead: false,
            waiting: Waiting::default(),
            recording: None,
            fetches: Fetches::default(),
            block_wise: true,
            fault: None,
            survived: None,
        }
    }

    /// Resets the core and starts it from the vector table at `vectors`: main stack pointer in the
    /// first word, entry in the second. The counts of cycles and instructions continue.
    pub fn reset(&mut self, memory: &Memory, vectors: u32) {
        let stack = memory.word(vectors).unwrap_or_default();
        let entry = memory.word(vectors.wrapping_add(4)).unwrap_or_default();
        self.begin(vectors, stack, entry);
    }

    /// Resets the core and starts it at `entry` (bit 0 set: Thumb) with `stack` as its main stack
    /// pointer and the vector table at `vectors`, as a boot loader starts a program.
    pub fn begin(&mut self, vectors: u32, stack: u32, entry: u32) {
        *self = Self {
            cycles: self.cycles,
            instructions: self.instructions,
            slept: self.slept,
            debugged: self.debugged,
            native_calls_below: self.native_calls_below,
            horizon: self.horizon,
            block_wise: self.block_wise,
            waiting: self.waiting.after_reset(),
            survived: self.survived.take(),
            vector_table: vectors & !0xFF,
            thumb: entry & 1 != 0,
            ..Self::new(self.number)
        };
        self.registers[13] = stack & !3;
        self.registers[14] = 0xFFFF_FFFF;
        self.registers[15] = entry & !1;
    }

    /// Returns the value of register `number`, 0 to 15; 13 is the stack pointer in use and 15 the
    /// address of the next instruction.
    pub fn register(&self, number: usize) -> u32 {
        self.registers[number & 15]
    }

    /// Sets register `number`, numbered as for [`register`](Self::register). Stack pointers stay
    /// aligned to words, the program counter to halfwords.
    pub fn set_register(&mut self, number: usize, value: u32) {
        self.registers[number & 15] = match number & 15 {
            13 => value & !3,
            15 => value & !1,
            _ => value,
        };
    }

    /// Returns the address of the next instruction.
    pub fn pc(&self) -> u32 {
        self.registers[15]
    }

    /// Returns the combined program status register: flags, Thumb bit, exception number.
    pub fn xpsr(&self) -> u32 {
        self.flags.apsr() | u32::from(self.thumb) << 24 | u32::from(self.handling)
    }

    /// Returns the exception being handled, if any.
    pub fn exception(&self) -> Option<Exception> {
        Exception::new(self.handling)
    }

    /// Returns the clock cycles since the core was created.
    pub fn cycles(&self) -> u64 {
        self.cycles
    }

    /// Returns the number of instructions executed since the core was created.
    pub fn instructions(&self) -> u64 {
        self.instructions
    }

    /// Returns the cycles of sleep since the core was created.
    pub fn slept(&self) -> u64 {
        self.slept
    }

    /// Returns the cycles during which the core was awake since it was created.
    #[inline(always)]
    pub(crate) fn awake(&self) -> u64 {
        self.cycles - self.slept
    }

    /// Advances the cycle count without an instruction: for a native call, a core held in reset, or
    /// sleep.
    pub fn idle(&mut self, cycles: u64) {
        self.cycles += cycles;
        if self.asleep() {
            self.slept += cycles;
        }
    }

    /// Returns whether the core sleeps in WFI or WFE.
    pub fn asleep(&self) -> bool {
        matches!(self.state, State::WaitingForInterrupt | State::WaitingForEvent)
    }

    /// Returns whether an interrupt, a tick or an event may wake the core.
    pub(crate) fn can_be_woken(&self) -> bool {
        let wakes = self.nvic.enabled_interrupts() != 0 || self.next_tick() != u64::MAX;
        wakes || self.event
    }

    /// Returns the cycle at which SysTick next interrupts.
    pub(crate) fn next_tick(&self) -> u64 {
        self.systick.next(self.cycles)
    }

    /// Returns the fault that holds the core: in its handler, or locked up. A fault whose handler
    /// has returned is one of [`survived_faults`](Self::survived_faults).
    pub fn fault(&self) -> Option<&CoreFault> {
        self.fault.as_deref()
    }

    /// Sets the event register, as SEV of another core does.
    pub fn set_event(&mut self) {
        self.event = true;
    }

    /// Sets whether a debugger is attached. Then BKPT stops the core instead of causing a
    /// HardFault.
    pub fn set_debugged(&mut self, debugged: bool) {
        self.debugged = debugged;
    }

    /// Makes UDF below address `end` a call of the host, [`Stop::NativeCall`].
    pub fn set_native_calls(&mut self, end: u32) {
        self.native_calls_below = end;
    }

    /// Sets whether [`run`](Self::run) executes whole blocks of instructions at once, the default,
    /// or one instruction at a time. Both give the same state at every deadline; tests compare
    /// them.
    pub fn set_block_wise(&mut self, block_wise: bool) {
        self.block_wise = block_wise;
    }

    /// Sets the number of core cycles for one tick of SysTick's external reference.
    pub fn set_systick_reference(&mut self, cycles: u32) {
        self.systick.set_reference(self.cycles, cycles);
    }

    /// Executes until the core's cycle count is at least `deadline`. A sleeping core sleeps until
    /// then or until an interrupt or event wakes it.
    pub fn run<B: Bus>(&mut self, memory: &mut Memory, bus: &mut B, deadline: u64) -> Stop {
        let stop = self.run_turn(memory, bus, deadline);
        self.was_ahead = self.cycles < deadline;
        stop
    }

    fn run_turn<B: Bus>(&mut self, memory: &mut Memory, bus: &mut B, deadline: u64) -> Stop {
        loop {
            if self.is_ahead() {
                return Stop::Deadline;
            }
            let change = self.sample_and_serve(memory, bus, deadline);
            if bus.wants_stop() {
                return Stop::Bus;
            }
            match self.state {
                State::LockedUp => return Stop::Lockup,
                State::ResetRequested => return Stop::ResetRequest,
                State::Running => {}
                State::Entering | State::Returning(_) => {
                    self.complete_exception(memory, bus);
                    continue;
                }
                State::WaitingForInterrupt | State::WaitingForEvent => {
                    if self.wakes() {
                        self.state = State::Running;
                    } else if self.cycles >= deadline {
                        return Stop::Deadline;
                    } else {
                        self.idle(self.sleeps_until(change.min(deadline)) - self.cycles);
                        continue;
                    }
                }
            }
            if self.preempted() {
                self.enter(memory, bus);
                continue;
            }
            if self.cycles >= deadline {
                return Stop::Deadline;
            }
            if let Some(stop) = self.execute(memory, bus, deadline.min(change), self.block_wise) {
                return stop;
            }
        }
    }

    /// Samples as [`sample`](Self::sample) does, after the work that the bus can do before the
    /// deadline.
    fn sample_and_serve<B: Bus>(&mut self, memory: &mut Memory, bus: &mut B, deadline: u64) -> u64 {
        loop {
            let change = self.sample(bus);
            if !bus.wants_stop() || self.cycles >= deadline || !bus.serve(memory, self.cycles) {
                return change;
            }
        }
    }

    /// Samples the interrupt lines and SysTick. Returns the cycle at which either may change.
    fn sample<B: Bus>(&mut self, bus: &mut B) -> u64 {
        let lines = bus.interrupts(self.number, self.cycles);
        let mut news = self.nvic.set_lines(lines);
        let nmi = lines & bus.nmi_mask(self.number) != 0;
        // A line that rises makes the NMI pending.
        if std::mem::replace(&mut self.nmi_line, nmi) != nmi && nmi {
            news |= self.nvic.pend(Exception::NMI);
        }
        if self.systick.expired(self.cycles) {
            news |= self.nvic.pend(Exception::SYSTICK);
        }
        if news && self.system_control & SCR_SEVONPEND != 0 {
            self.event = true;
        }
        let change = bus.next_change(self.number).min(self.systick.next(self.cycles));
        self.change = change.max(self.cycles + 1);
        self.change
    }

    /// Returns whether a sleeping core wakes. WFE consumes the event that woke it.
    fn wakes(&mut self) -> bool {
        let event = self.state == State::WaitingForEvent && std::mem::take(&mut self.event);
        event || self.nvic.would_preempt_without_primask()
    }

    /// Samples the interrupts, and returns the address and the word of the vector of the exception
    /// that this core takes next, if one is due.
    pub(crate) fn due_handler<B: Bus>(
        &mut self,
        memory: &Memory,
        bus: &mut B,
    ) -> Option<(u32, u32)> {
        self.sample(bus);
        let first = self.nvic.first().filter(|_| self.preempted())?;
        let vector = self.vector_table.wrapping_add(4 * u32::from(first.number()));
        Some((vector, memory.word(vector)?))
    }

    fn preempted(&self) -> bool {
        self.nvic.preempts(self.primask)
    }
}

#[cfg(test)]
mod tests;
