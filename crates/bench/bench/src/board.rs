//! The board's chip: its power, its flash, its time.

use std::sync::Arc;

use rp2040_emulator::chip::{BootError, Chip, Drive, Halt, PinChange, SpiWord};
use rp2040_emulator::memory::FLASH_BASE;
use rp2040_emulator::program::{FLASH_SIZE, Program};

use crate::setup::{BenchError, BoardSetup};
use crate::wires::Wires;

/// The module's own pull-up: RESX is high until the program drives it.
const LCD_RESET: usize = 21;

/// The board's SPI controller of the LCD.
const SPI: usize = 0;

/// The board is looked ahead so far: the probe may be in a function of its ROM when a slice ends, which takes so long at most.
pub(crate) const AHEAD_NS: u64 = 20_000;

/// The board is copied so often while nothing is done to it. A copy takes as long as some hundred µs of the chip's time; going back
/// takes the way from the last copy.
const COPY_EVERY_NS: u64 = 10_000_000;

/// A board with power, ahead of the bench's time, and as it was at a moment from which it can be looked at again.
pub(crate) struct Board {
    /// At a moment that the probe has passed. Nothing was done to the board since.
    past: Running,
    /// At a moment that the probe may not have passed yet: it takes the place of `past` when it has.
    next: Option<(u64, Running)>,
    ahead: Running,
    /// When the last word was over that was told of.
    told_ns: u64,
}

impl Board {
    /// A board at `now`.
    pub(crate) fn new(now: Running) -> Self {
        Self { ahead: now.clone(), past: now, next: None, told_ns: 0 }
    }

    /// Runs ahead of `until_ns` as far as it should be, if the probe has run to `passed_ns` and moved nothing; what has changed on the
    /// wires since the last look ahead.
    pub(crate) fn run_ahead(&mut self, passed_ns: u64, until_ns: u64) -> Vec<PinChange> {
        if let Some((_, next)) = self.next.take_if(|(ns, _)| *ns <= passed_ns) {
            self.past = next;
        }
        let mut changes = vec![];
        if self.ahead.now_ns() <= until_ns {
            changes = self.ahead.run_to(until_ns);
            if self.next.is_none() && until_ns >= self.past.now_ns() + COPY_EVERY_NS {
                self.next = Some((until_ns, self.ahead.clone()));
            }
        }
        changes.extend(self.ahead.run_to(until_ns + AHEAD_NS));
        changes
    }

    /// Goes back to `at_ns`, which is no earlier than what the probe has passed: [`Self::past`] is the board at that moment. Once
    /// something was done to it, [`Self::look_ahead`] has to follow.
    pub(crate) fn go_back(&mut self, at_ns: u64) {
        self.next = None;
        self.past.run_to(at_ns);
    }

    /// The board where it went back to last, or at some moment since.
    pub(crate) fn past(&self) -> &Running {
        &self.past
    }

    /// The same, for something to be done to it where it went back to.
    pub(crate) fn past_mut(&mut self) -> &mut Running {
        &mut self.past
    }

    /// Looks ahead of `at_ns` anew, from where it went back to; what changes on the wires. What was told of the time behind it was not so.
    pub(crate) fn look_ahead(&mut self, at_ns: u64) -> Vec<PinChange> {
        self.ahead = self.past.clone();
        // They are in the copy, which tells of them.
        self.past.chip.take_spi_sent(SPI);
        self.told_ns = self.told_ns.min(at_ns);
        self.ahead.run_to(at_ns + AHEAD_NS)
    }

    /// What was sent to the LCD since the last call.
    pub(crate) fn take_words(&mut self) -> Vec<SpiWord> {
        let since_ns = self.ahead.since_ns;
        let (mut words, _) = self.ahead.chip.take_spi_sent(SPI);
        for word in &mut words {
            word.start_ns += since_ns;
            word.ns += since_ns;
        }
        // A copy may have those that were told of since it was made.
        words.retain(|word| word.ns > self.told_ns);
        self.told_ns = words.last().map_or(self.told_ns, |word| word.ns);
        words
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
