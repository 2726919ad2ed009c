//! How long one function of the program takes, call by call, and how deep the main stack grows.
//!
//! Where the function begins, and where it comes back to, the instruction in the flash is replaced
//! by BKPT, as debuggers do it: the program runs at full speed, and takes exactly the cycles that it
//! takes unwatched. The stack is painted at power-on. It knows no firmware; the function is called
//! by the main program of core 0 and does not call itself.

use std::ops::Range;

use hal_mock::Nanos;
use rp2040_emulator::chip::{Chip, Halt, Happened, Step, Turns};
use rp2040_emulator::cpu::StepOutcome;
use rp2040_emulator::memory::FLASH_BASE;

/// Where the vector table stands behind the second-stage boot loader: it begins with the stack's top.
const VECTORS: u32 = FLASH_BASE + 0x100;
/// Bytes below the top that are painted: what is deeper is not seen.
const PAINTED: u32 = 64 * 1024;
/// BKPT with the number of the meter's own.
const BKPT: u16 = 0xBE00 | NUMBER as u16;
const NUMBER: u8 = 0x6D;
/// The link register.
const LINK: usize = 14;

/// A call that has come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// When it was called.
    pub began: Nanos,
    /// When it came back.
    pub ended: Nanos,
}

impl Call {
    /// How long it took.
    pub fn lasted(&self) -> Nanos {
        Nanos(self.ended.0 - self.began.0)
    }
}

/// An instruction, and where it was before BKPT took its place.
#[derive(Clone, Copy, Debug)]
struct Replaced {
    address: u32,
    instruction: [u8; 2],
}

impl Replaced {
    fn put(chip: &mut Chip, address: u32) -> Option<Self> {
        let instruction = chip.memory().bytes(address)?;
        chip.memory_mut().load(address, &BKPT.to_le_bytes()).ok()?;
        Some(Self { address, instruction })
    }

    fn take_back(self, chip: &mut Chip) {
        // It was read from there.
        let _ = chip.memory_mut().load(self.address, &self.instruction);
    }
}

/// What has been measured, over all power-ons.
#[derive(Debug)]
pub(super) struct Meter {
    entry: u32,
    replaced: Option<Replaced>,
    /// The call in progress: since when, and where it comes back to.
    under_way: Option<(Nanos, Replaced)>,
    powered_at: Nanos,
    calls: Vec<Call>,
    /// Bytes of stack at most, before the last power-on.
    deepest: u32,
}

impl Meter {
    pub(super) fn of(entry: u32) -> Self {
        Self {
            entry,
            replaced: None,
            under_way: None,
            powered_at: Nanos::ZERO,
            calls: vec![],
            deepest: 0,
        }
    }

    /// The calls that have come back since this was last asked, in order.
    pub(super) fn take_calls(&mut self) -> Vec<Call> {
        std::mem::take(&mut self.calls)
    }

    /// A chip has been switched on and has not run yet.
    pub(super) fn attach(&mut self, chip: &mut Chip, powered_at: Nanos) {
        chip.set_debugged(true);
        for address in painted(chip).step_by(4) {
            if chip.memory().word(address) == Some(0) {
                let _ = chip.memory_mut().load(address, &paint(address).to_le_bytes());
            }
        }
        self.powered_at = powered_at;
        self.under_way = None;
        self.replaced = Replaced::put(chip, self.entry);
    }

    /// A chip is about to lose its power.
    pub(super) fn detach(&mut self, chip: &Chip) {
        self.deepest = self.deepest(Some(chip));
    }

    /// Bytes of stack at most until now, on this chip if it has power.
    pub(super) fn deepest(&self, chip: Option<&Chip>) -> u32 {
        let Some(chip) = chip else { return self.deepest };
        let painted = painted(chip);
        let top = painted.end;
        let written = |address: &u32| chip.memory().word(*address) != Some(paint(*address));
        let lowest = painted.step_by(4).find(written).unwrap_or(top);
        self.deepest.max(top - lowest)
    }

    /// As [`Chip::run`]; what is measured does not end the run.
    pub(super) fn run(&mut self, chip: &mut Chip, until_ns: u64) -> Halt {
        loop {
            let halt = chip.run(until_ns);
            if halt != Halt::Breakpoint(0, NUMBER) {
                return halt;
            }
            if let Some(halt) = self.stands(chip, until_ns) {
                return halt;
            }
        }
    }

    /// The core stands on one of the two; `Some` if the run is over.
    fn stands(&mut self, chip: &mut Chip, until_ns: u64) -> Option<Halt> {
        let now = self.powered_at + Nanos(chip.now_ns());
        let pc = chip.core(0).pc();
        if let Some((began, back)) = self.under_way.take_if(|(_, back)| back.address == pc) {
            back.take_back(chip);
            self.calls.push(Call { began, ended: now });
            return None;
        }
        let back = chip.core(0).register(LINK) & !1;
        let Some(replaced) = self.replaced.take().filter(|entry| entry.address == pc) else {
            return Some(Halt::Breakpoint(0, NUMBER));
        };
        replaced.take_back(chip);
        let step = chip.step(&mut Turns::default(), until_ns);
        self.replaced = Replaced::put(chip, self.entry);
        match step {
            Ok(Step { core: 0, happened: Happened::Core(StepOutcome::Instruction), .. }) => {
                self.under_way = Replaced::put(chip, back).map(|back| (now, back));
                None
            }
            // Something else came first: the core will stand here again.
            Ok(_) => None,
            Err(halt) => Some(halt),
        }
    }
}

/// The addresses that are painted.
fn painted(chip: &Chip) -> Range<u32> {
    let top = chip.memory().word(VECTORS).unwrap_or_default() & !3;
    top.saturating_sub(PAINTED)..top
}

/// No value that a program is likely to write there.
const fn paint(address: u32) -> u32 {
    address ^ 0xA5C3_5A3C
}
