//! The board's chip with its power, flash and time.

use std::sync::Arc;

use rp2040_emulator::chip::{BootError, Chip, Drive, Halt, PinChange, SpiWord};
use rp2040_emulator::memory::FLASH_BASE;
use rp2040_emulator::program::{FLASH_SIZE, Program};

use crate::setup::{BenchError, BoardSetup};
use crate::wires::Wires;

/// LCD reset pin. The LCD module's own pull-up holds RESX high until the program drives it.
const LCD_RESET: usize = 21;

/// SPI controller that the LCD is connected to.
const SPI: usize = 0;

/// Time by which the board runs ahead of a slice's end. The probe may be inside a ROM function when
/// the slice ends; the longest of them takes this time.
pub(crate) const AHEAD_NS: u64 = 20_000;

/// Interval between copies of the board while nothing acts on it. A copy costs as much as
/// simulating some hundred µs of the chip; going back costs simulating from the last copy.
const COPY_EVERY_NS: u64 = 10_000_000;

/// A board with power: a chip that runs ahead of the bench's time, and earlier copies from which it
/// can be run again.
pub(crate) struct Board {
    /// The board at a time that the probe has passed. Nothing has acted on the board since.
    past: Running,
    /// A copy and its time, which the probe may not have passed yet. It replaces `past` when the
    /// probe has.
    next: Option<(u64, Running)>,
    ahead: Running,
    /// End of the last LCD word that was reported.
    reported_ns: u64,
}

impl Board {
    /// Creates a board whose current state is `now`.
    pub(crate) fn new(now: Running) -> Self {
        Self { ahead: now.clone(), past: now, next: None, reported_ns: 0 }
    }

    /// Runs ahead of `until_ns` by [`AHEAD_NS`] and returns the changes on the wires since the last
    /// call. The probe must have run to `passed_ns` without moving an output.
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

    /// Goes back to `at_ns`, which must not be earlier than the time that the probe has passed;
    /// [`Self::past`] is then the board at that time. If the caller changes the board, it must call
    /// [`Self::run_ahead_again`] afterwards.
    pub(crate) fn go_back(&mut self, at_ns: u64) {
        self.next = None;
        self.past.run_to(at_ns);
    }

    /// Returns the board at a time that the probe has passed: right after [`Self::go_back`], the
    /// board at the time given there.
    pub(crate) fn past(&self) -> &Running {
        &self.past
    }

    /// As [`Self::past`], for the caller to act on the board after [`Self::go_back`].
    pub(crate) fn past_mut(&mut self) -> &mut Running {
        &mut self.past
    }

    /// Runs ahead of `at_ns` again, from the time that [`Self::go_back`] went back to, and returns
    /// the changes on the wires. Everything reported earlier for the time after `at_ns` is void.
    pub(crate) fn run_ahead_again(&mut self, at_ns: u64) -> Vec<PinChange> {
        self.ahead = self.past.clone();
        // `ahead` is a copy that contains these words and reports them.
        self.past.chip.take_spi_sent(SPI);
        self.reported_ns = self.reported_ns.min(at_ns);
        self.ahead.run_to(at_ns + AHEAD_NS)
    }

    /// Returns the words sent to the LCD since the last call.
    pub(crate) fn take_words(&mut self) -> Vec<SpiWord> {
        let since_ns = self.ahead.since_ns;
        let (mut words, _) = self.ahead.chip.take_spi_sent(SPI);
        for word in &mut words {
            word.start_ns += since_ns;
            word.ns += since_ns;
        }
        // A copy can contain words that were reported after it was made.
        words.retain(|word| word.ns > self.reported_ns);
        self.reported_ns = words.last().map_or(self.reported_ns, |word| word.ns);
        words
    }
}

/// The board's chip and its offset on the bench's time axis.
#[derive(Clone)]
pub(crate) struct Running {
    pub(crate) chip: Chip,
    /// The bench's time at the chip's time 0, in nanoseconds.
    pub(crate) since_ns: u64,
    /// Whether the chip has stopped executing.
    pub(crate) halted: bool,
}

/// Runs a chip to `until_ns` of its own time. Returns false if it has stopped permanently.
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
    /// Switches a board on at `now_ns`. `flash` is its whole flash; without it, the flash has the
    /// program and the storage.
    pub(crate) fn start(
        program: &Arc<Program>,
        setup: &BoardSetup,
        flash: Option<&[u8]>,
        wires: &Wires,
        now_ns: u64,
    ) -> Result<Self, BenchError> {
        let mut chip = Chip::new(FLASH_SIZE);
        chip.load(program.image()).map_err(BenchError::Board)?;
        let storage = FLASH_BASE + (FLASH_SIZE - setup.storage.len()) as u32;
        chip.memory_mut().load(storage, &setup.storage).map_err(|_| BenchError::Storage)?;
        if let Some(flash) = flash {
            chip.memory_mut().load(FLASH_BASE, flash).map_err(|_| BenchError::Storage)?;
        }
        chip.set_random_bits(setup.random_bits);
        let mut running = Self { chip, since_ns: now_ns, halted: false };
        running.boot()?;
        running.chip.observe_functions();
        running.chip.drive(LCD_RESET, Drive::High);
        let watched = wires.readings.iter().fold(0, |pins, reading| pins | 1 << reading.board);
        running.chip.watch(watched);
        Ok(running)
    }

    /// Resets the chip. Without a program it waits in its USB boot loader (RP2040 datasheet 2.7)
    /// and moves no pin.
    pub(crate) fn boot(&mut self) -> Result<(), BenchError> {
        self.halted = match self.chip.power_on() {
            Ok(()) => false,
            Err(BootError::Boot2Checksum(..)) => true,
            Err(error @ BootError::FlashTooSmall(..)) => return Err(BenchError::Board(error)),
        };
        Ok(())
    }

    /// Continues at `now_ns` with a chip that a debugger has changed: it may execute again.
    pub(crate) fn wake(&mut self, now_ns: u64) {
        if std::mem::take(&mut self.halted) {
            self.since_ns = now_ns.saturating_sub(self.chip.now_ns());
        }
    }

    /// Returns the last `length` bytes of the flash, as the program has left them.
    pub(crate) fn storage(&self, length: usize) -> Vec<u8> {
        let begin = FLASH_BASE + (FLASH_SIZE - length) as u32;
        let byte = |offset| self.chip.memory().byte(begin + offset as u32).unwrap_or(0xFF);
        (0..length).map(byte).collect()
    }

    /// Returns the bench's time up to which the chip has run.
    pub(crate) fn now_ns(&self) -> u64 {
        self.since_ns + self.chip.now_ns()
    }

    /// Runs to `until_ns` of the bench's time and returns the changes on the wires in that time.
    pub(crate) fn run_to(&mut self, until_ns: u64) -> Vec<PinChange> {
        if !self.halted {
            self.halted = !run(&mut self.chip, until_ns.saturating_sub(self.since_ns));
        }
        if self.halted {
            // Time also passes for a halted chip; its pins retain their levels.
            return vec![];
        }
        let mut changes = self.chip.take_changes();
        for change in &mut changes {
            change.ns += self.since_ns;
        }
        changes
    }
}
