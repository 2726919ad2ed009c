//! The chip one step at a time, for tracing, profiling and debuggers.
//!
//! A run by [`Chip::step`] is the run that [`Chip::run`] would have been, to the cycle and with
//! the same turns of both cores. What a turn has left is in a [`Turns`], which belongs to the
//! chip's state as long as it is stepped: clone both, and the clones go on alike.

use super::{Chip, Halt, Launch};
use crate::cpu::{Cpu, Did, Stop};

/// Whose turn it is while a chip is stepped.
#[derive(Clone, Copy, Debug, Default)]
pub struct Turns {
    /// The core, and the cycle up to which it may go.
    turn: Option<(usize, u64)>,
    /// Turns in which both cores slept.
    asleep: u32,
}

/// What has happened in one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happened {
    /// This much, by the core itself.
    Core(Did),
    /// A function of the ROM has done its work.
    RomFunction,
    /// The chip has reset itself.
    Reboot,
}

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The core that took it.
    pub core: usize,
    /// Where its program counter stood before.
    pub pc: u32,
    /// What it did.
    pub happened: Happened,
}

impl Chip {
    /// Lets one core take one step, unless `until_ns` nanoseconds since the chip was made have
    /// passed before.
    ///
    /// # Errors
    /// The [`Halt`] with which [`run`](Self::run) would have come back instead.
    pub fn step(&mut self, turns: &mut Turns, until_ns: u64) -> Result<Step, Halt> {
        loop {
            let (core, deadline) = match turns.turn {
                Some(turn) => turn,
                None => self.next_turn(turns, until_ns).ok_or(Halt::Time)?,
            };
            turns.turn = Some((core, deadline));
            let pc = self.cores[core].pc();
            let step = |happened| Ok(Step { core, pc, happened });
            let stop = match self.cores[core].step(&mut self.memory, &mut self.devices, deadline) {
                Ok(did) => return step(Happened::Core(did)),
                Err(stop) => stop,
            };
            turns.turn = None;
            let both = stop == Stop::Deadline && self.cores.iter().all(Cpu::asleep);
            turns.asleep = if both { turns.asleep + 1 } else { 0 };
            match stop {
                Stop::Deadline | Stop::Bus => {}
                Stop::Breakpoint(number) => return Err(Halt::Breakpoint(core as u8, number)),
                Stop::Lockup => return Err(Halt::Lockup(core as u8)),
                Stop::ResetRequest => {
                    self.reboot(None);
                    return step(Happened::Reboot);
                }
                Stop::NativeCall(number) => {
                    return match self.native_call(core, number) {
                        Ok(()) => step(Happened::RomFunction),
                        Err(name) => Err(Halt::RomCall(core as u8, name)),
                    };
                }
            }
        }
    }

    /// The core that is behind, and how far it may go before the other has its turn.
    fn next_turn(&mut self, turns: &mut Turns, until_ns: u64) -> Option<(usize, u64)> {
        self.serve_devices();
        let until = self.devices.time.cycle(until_ns);
        if turns.asleep >= 2 && self.devices.launch == Launch::Running {
            self.skip(until);
            turns.asleep = 0;
        }
        let core = self.next_core(until)?;
        Some((core, self.deadline(core, until)))
    }

    /// A core, to change its registers from outside.
    pub fn core_mut(&mut self, number: usize) -> &mut Cpu {
        &mut self.cores[number & 1]
    }
}
