//! Measures the duration of each call of one function of the program, and the depth of the main
//! stack.
//!
//! BKPT replaces the instruction at the function's entry and at its return address, as in a
//! debugger: the program runs at full speed and takes exactly as many cycles as without the meter.
//! The stack is filled with a pattern at power-on. This module does not know the firmware. The
//! function must be called by the main program of core 0 and must not call itself.

use std::ops::Range;

use rp2040_emulator::chip::{Chip, Halt, Step, StepEvent, Turns};
use rp2040_emulator::cpu::StepOutcome;
use rp2040_emulator::memory::FLASH_BASE;
use virtual_time::{Instant, Nanos};

/// Address of the vector table, after the second-stage boot loader. Its first word is the top of
/// the stack.
const VECTORS: u32 = FLASH_BASE + 0x100;
/// Number of bytes below the top that are filled with the pattern. A deeper stack is not measured.
const PAINTED: u32 = 64 * 1024;
/// BKPT with a number that only this meter uses.
const BKPT: u16 = 0xBE00 | NUMBER as u16;
const NUMBER: u8 = 0x6D;
/// Number of the link register.
const LINK: usize = 14;

/// A call that has returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// Time of the call.
    pub began: Instant,
    /// Time of the return.
    pub ended: Instant,
}

impl Call {
    /// Returns the duration of the call.
    pub fn lasted(&self) -> Nanos {
        Nanos(self.ended.0 - self.began.0)
    }
}

/// An instruction that BKPT has replaced, and its address.
#[derive(Clone, Copy, Debug)]
struct Replaced {
    address: u32,
    instruction: [u8; 2],
}

impl Replaced {
    fn replace(chip: &mut Chip, address: u32) -> Option<Self> {
        let instruction = chip.memory().bytes(address)?;
        chip.memory_mut().load(address, &BKPT.to_le_bytes()).ok()?;
        Some(Self { address, instruction })
    }

    fn restore(self, chip: &mut Chip) {
        // The instruction was read from this address, so it can be written there.
        let _ = chip.memory_mut().load(self.address, &self.instruction);
    }
}

/// Measurements since the meter was created, over all power-ons.
#[derive(Clone, Debug)]
pub(super) struct Meter {
    entry: u32,
    replaced: Option<Replaced>,
    /// Call in progress: its time, and the replaced instruction at its return address.
    in_progress: Option<(Instant, Replaced)>,
    powered_at: Instant,
    calls: Vec<Call>,
    /// Maximum number of bytes of stack before the last power-on.
    deepest: u32,
}

impl Meter {
    pub(super) fn of(entry: u32) -> Self {
        Self {
            entry,
            replaced: None,
            in_progress: None,
            powered_at: Instant::START,
            calls: vec![],
            deepest: 0,
        }
    }

    /// Returns the calls that have returned since the last call of this function, in order of time.
    pub(super) fn take_calls(&mut self) -> Vec<Call> {
        std::mem::take(&mut self.calls)
    }

    /// Prepares a chip that has been powered on and has not run yet.
    pub(super) fn attach(&mut self, chip: &mut Chip, powered_at: Instant) {
        chip.set_debugged(true);
        for address in painted(chip).step_by(4) {
            if chip.memory().word(address) == Some(0) {
                let _ = chip.memory_mut().load(address, &paint(address).to_le_bytes());
            }
        }
        self.powered_at = powered_at;
        self.in_progress = None;
        self.replaced = Replaced::replace(chip, self.entry);
    }

    /// Records the stack of a chip that is about to lose its power.
    pub(super) fn detach(&mut self, chip: &Chip) {
        self.deepest = self.deepest(Some(chip));
    }

    /// Returns the maximum number of bytes of stack so far. `chip` is the current one, if the board
    /// has power.
    pub(super) fn deepest(&self, chip: Option<&Chip>) -> u32 {
        let Some(chip) = chip else { return self.deepest };
        let painted = painted(chip);
        let top = painted.end;
        let written = |address: &u32| chip.memory().word(*address) != Some(paint(*address));
        let lowest = painted.step_by(4).find(written).unwrap_or(top);
        self.deepest.max(top - lowest)
    }

    /// Like [`Chip::run`], except that a BKPT of the meter does not end the run.
    pub(super) fn run(&mut self, chip: &mut Chip, until_ns: u64) -> Halt {
        loop {
            let halt = chip.run(until_ns);
            if halt != Halt::Breakpoint(0, NUMBER) {
                return halt;
            }
            if let Some(halt) = self.at_breakpoint(chip, until_ns) {
                return halt;
            }
        }
    }

    /// Handles a BKPT at the entry or at the return address. Returns `Some` if it is at neither.
    fn at_breakpoint(&mut self, chip: &mut Chip, until_ns: u64) -> Option<Halt> {
        let now = self.powered_at.saturating_add(Nanos(chip.now_ns()));
        let pc = chip.core(0).pc();
        if let Some((began, back)) = self.in_progress.take_if(|(_, back)| back.address == pc) {
            back.restore(chip);
            self.calls.push(Call { began, ended: now });
            return None;
        }
        let back = chip.core(0).register(LINK) & !1;
        let Some(replaced) = self.replaced.take().filter(|entry| entry.address == pc) else {
            return Some(Halt::Breakpoint(0, NUMBER));
        };
        replaced.restore(chip);
        let step = chip.step(&mut Turns::default(), until_ns);
        self.replaced = Replaced::replace(chip, self.entry);
        match step {
            Ok(Step { core: 0, happened: StepEvent::Core(StepOutcome::Instruction), .. }) => {
                self.in_progress = Replaced::replace(chip, back).map(|back| (now, back));
                None
            }
            // Another event came first; the core returns to this BKPT later.
            Ok(_) => None,
            Err(halt) => Some(halt),
        }
    }
}

/// Returns the addresses that are filled with the pattern.
fn painted(chip: &Chip) -> Range<u32> {
    let top = chip.memory().word(VECTORS).unwrap_or_default() & !3;
    top.saturating_sub(PAINTED)..top
}

/// Returns the pattern: a value that a program is unlikely to write to this address.
const fn paint(address: u32) -> u32 {
    address ^ 0xA5C3_5A3C
}
