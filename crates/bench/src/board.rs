//! The board's chip: its power, its flash, its time.

use std::sync::Arc;

use rp2040_emulator::chip::{BootError, Chip, Drive, Halt, PinChange};
use rp2040_emulator::memory::FLASH_BASE;
use rp2040_emulator::program::{FLASH_SIZE, Program};

use crate::setup::{BenchError, BoardSetup};
use crate::wires::Wires;

/// The module's own pull-up: RESX is high until the program drives it.
const LCD_RESET: usize = 21;

/// The board is looked ahead so far: the probe may be in a function of its ROM when a slice ends, which takes so long at most.
pub(crate) const AHEAD_NS: u64 = 20_000;

/// A board with power, at the bench's time, and ahead of it.
pub(crate) struct Board {
    pub(crate) now: Running,
    pub(crate) ahead: Running,
}

impl Board {
    /// Moves `now` to `until_ns`, and `ahead` as far ahead of it as it should be; `now` as it was, and what has changed on the wires since
    /// `ahead` was last looked at.
    pub(crate) fn run_ahead(&mut self, until_ns: u64) -> (Running, Vec<PinChange>) {
        let mut changes = vec![];
        let before = if self.ahead.now_ns() <= until_ns {
            changes = self.ahead.run_to(until_ns);
            // A copy costs as much as some µs of the chip's time: there is one a slice.
            std::mem::replace(&mut self.now, self.ahead.clone())
        } else {
            let before = self.now.clone();
            // It changes what `ahead` has told of already.
            self.now.run_to(until_ns);
            before
        };
        changes.extend(self.ahead.run_to(until_ns + AHEAD_NS));
        (before, changes)
    }
}

/// The board's chip.
#[derive(Clone)]
pub(crate) struct Running {
    pub(crate) chip: Chip,
    /// The bench's time at the chip's 0.
    pub(crate) since_ns: u64,
    /// It executes nothing any more.
    pub(crate) halted: bool,
}

/// Runs a chip to `until_ns` of its own time; false if it has stopped for good.
pub(crate) fn run(chip: &mut Chip, until_ns: u64) -> bool {
    while chip.now_ns() < until_ns {
        match chip.run(until_ns) {
            Halt::Time => {}
            Halt::Breakpoint(..) | Halt::Lockup(_) | Halt::RomCall(..) | Halt::ClockStopped => {
                return false;
            }
        }
    }
    true
}

impl Running {
    /// Switches a board on at `now_ns`.
    pub(crate) fn start(
        program: &Arc<Program>,
        setup: &BoardSetup,
        wires: &Wires,
        now_ns: u64,
    ) -> Result<Self, BenchError> {
        let mut chip = Chip::new(FLASH_SIZE);
        chip.load(program.image()).map_err(BenchError::Board)?;
        let storage = FLASH_BASE + (FLASH_SIZE - setup.storage.len()) as u32;
        chip.memory_mut().load(storage, &setup.storage).map_err(|_| BenchError::Storage)?;
        chip.set_random_bits(setup.random_bits);
        let mut running = Self { chip, since_ns: now_ns, halted: false };
        running.boot()?;
        running.chip.look_at_functions();
        running.chip.drive(LCD_RESET, Drive::High);
        let watched = wires.readings.iter().fold(0, |pins, reading| pins | 1 << reading.board);
        running.chip.watch(watched);
        Ok(running)
    }

    /// Starts the chip anew. One without a program waits in its USB boot loader (RP2040 datasheet 2.7), and moves no pin.
    pub(crate) fn boot(&mut self) -> Result<(), BenchError> {
        self.halted = match self.chip.power_on() {
            Ok(()) => false,
            Err(BootError::Boot2Checksum(..)) => true,
            Err(error @ BootError::FlashTooSmall(..)) => return Err(BenchError::Board(error)),
        };
        Ok(())
    }

    /// The storage as the program has left it.
    pub(crate) fn storage(&self, length: usize) -> Vec<u8> {
        let begin = FLASH_BASE + (FLASH_SIZE - length) as u32;
        let byte = |offset| self.chip.memory().byte(begin + offset as u32).unwrap_or(0xFF);
        (0..length).map(byte).collect()
    }

    /// The bench's time up to which it has run.
    pub(crate) fn now_ns(&self) -> u64 {
        self.since_ns + self.chip.now_ns()
    }

    /// Runs to `until_ns` of the bench's time; the changes on its wires, in that time.
    pub(crate) fn run_to(&mut self, until_ns: u64) -> Vec<PinChange> {
        if !self.halted {
            self.halted = !run(&mut self.chip, until_ns.saturating_sub(self.since_ns));
        }
        if self.halted {
            // Time passes for a chip that stands still too: its pins stay.
            return vec![];
        }
        let mut changes = self.chip.take_changes();
        for change in &mut changes {
            change.ns += self.since_ns;
        }
        changes
    }
}
