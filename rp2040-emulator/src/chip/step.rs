//! Execution of the chip one step at a time, for tracing, profiling and debuggers.
//!
//! [`Chip::step`] gives the same run as [`Chip::run`], to the cycle and with the same turns of both
//! cores. [`Turns`] stores the rest of the current turn and is part of the state of a chip that is
//! stepped: to copy that state, clone both.

use super::{Chip, Halt, Launch};
use crate::cpu::memory::transfers::TransferKind;
use crate::cpu::{Cpu, StepOutcome, Stop};

/// The current turn of a chip that is stepped.
#[derive(Clone, Copy, Debug, Default)]
pub struct Turns {
    /// The core, and the cycle up to which it may run.
    turn: Option<(usize, u64)>,
    /// Number of consecutive turns in which both cores slept.
    asleep: u32,
}

/// The event of one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepEvent {
    /// A step of a core.
    Core(StepOutcome),
    /// A ROM function has been executed.
    RomFunction,
    /// The chip has reset itself.
    Reboot,
}

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Number of the core.
    pub core: usize,
    /// Program counter of the core before the step.
    pub pc: u32,
    pub happened: StepEvent,
}

impl Chip {
    /// Executes one step of one core, unless `until_ns` nanoseconds since the chip was created are
    /// reached first.
    ///
    /// # Errors
    /// Returns the [`Halt`] that [`run`](Self::run) would have returned instead.
    pub fn step(&mut self, turns: &mut Turns, until_ns: u64) -> Result<Step, Halt> {
        loop {
            let (core, deadline) = match turns.turn {
                Some(turn) => turn,
                None => self.next_turn(turns, until_ns)?,
            };
            if self.is_in_rom(core) {
                self.pass_in_rom(core, self.devices.time.cycle(until_ns));
                turns.turn = None;
                continue;
            }
            turns.turn = Some((core, deadline));
            self.cores[core].complete_return(&mut self.memory, &mut self.devices);
            let pc = self.cores[core].pc();
            let step = |happened| Ok(Step { core, pc, happened });
            let did = self.cores[core].step(&mut self.memory, &mut self.devices, deadline);
            if self.devices.foresees_words() {
                self.devices.catch_up(self.cores[0].cycles());
            }
            self.devices.apply_unnoticed(self.cores[0].cycles());
            let stop = match did {
                Ok(did) => return step(StepEvent::Core(did)),
                Err(stop) => stop,
            };
            turns.turn = None;
            let both = stop == Stop::Deadline && self.cores.iter().all(Cpu::asleep);
            turns.asleep = if both { turns.asleep + 1 } else { 0 };
            match stop {
                Stop::Deadline | Stop::Bus => {}
                Stop::Breakpoint(_) if self.halts_at_breakpoint(core) => {}
                Stop::Breakpoint(number) => return Err(Halt::Breakpoint(core as u8, number)),
                Stop::Lockup if self.outlives_lockup() => self.pass_locked_up(core, deadline),
                Stop::Lockup => return Err(Halt::Lockup(core as u8)),
                Stop::ResetRequest => {
                    self.reboot(None);
                    self.note_reset(core);
                    return step(StepEvent::Reboot);
                }
                Stop::NativeCall(number) => {
                    return match self.native_call(core, number) {
                        Ok(()) => {
                            self.note_return_from_rom(core);
                            step(StepEvent::RomFunction)
                        }
                        Err(name) => Err(Halt::RomCall(core as u8, name)),
                    };
                }
            }
        }
    }

    /// Records that a core has reset the chip.
    pub(super) fn note_reset(&mut self, core: usize) {
        self.note_transfer(core, TransferKind::Reset);
    }

    /// Records that a function of the ROM has returned, before its time passes.
    pub(super) fn note_return_from_rom(&mut self, core: usize) {
        self.note_transfer(core, TransferKind::Jump);
    }

    fn note_transfer(&mut self, core: usize, kind: TransferKind) {
        let cpu = &self.cores[core];
        let (to, stack, awake) = (cpu.pc(), cpu.register(13), cpu.awake());
        self.memory.note_transfer(core as u8, to, stack, awake, kind);
    }

    /// Returns the core with the lower cycle count, and the cycle up to which its turn lasts.
    fn next_turn(&mut self, turns: &mut Turns, until_ns: u64) -> Result<(usize, u64), Halt> {
        self.serve_devices();
        while self.devices.clocks.sys_is_stopped() {
            self.pass_dormant(until_ns)?;
        }
        if std::mem::take(&mut self.devices.asked) {
            return Err(Halt::Time);
        }
        let until = self.devices.time.cycle(until_ns);
        if turns.asleep >= 2 && self.devices.launch == Launch::Running {
            self.skip(until);
            turns.asleep = 0;
        }
        let core = self.next_core(until).ok_or(Halt::Time)?;
        Ok((core, self.begin_turn(core, until)))
    }

    /// Returns core `number` (0 or 1), for changes of its registers.
    pub fn core_mut(&mut self, number: usize) -> &mut Cpu {
        &mut self.cores[number & 1]
    }
}
