//! The two PIOs: eight small state machines that work on pins by themselves (datasheet chapter 3).
//!
//! They are computed when somebody asks, and then to the cycle: [`Pios::advance`] goes from cycle
//! to cycle in which some machine has something to do, and asks its caller what the pins become
//! whenever a machine drives them otherwise. A machine that is disabled, or that has stalled until
//! somebody else does something, costs nothing. [`Pios::next`] looks ahead, on a copy, for the
//! cycle in which a line or a request changes.
//!
//! A write in cycle n counts before what the machines do in cycle n; what a machine drives in
//! cycle n is on the pins from n + 1 on. The PIOs know no pad and no function select.

mod block;
mod control;
mod divider;
mod fifo;
mod inputs;
mod machine;
mod pins;
mod registers;

use block::Pio;
use inputs::Inputs;
pub(in crate::chip) use pins::Outputs;
use registers::is_disturbed_by_reading;

pub(in crate::chip) const PIO_COUNT: usize = 2;
/// How many steps [`Pios::next`] looks ahead at first, and at most.
const FIRST_LOOK: u32 = 64;
const LONGEST_LOOK: u32 = 1 << 12;

/// What the world outside of the PIOs answers and wants to know.
pub(in crate::chip) trait World {
    /// From `cycle` on the PIOs drive this. Gives the levels of all inputs then.
    fn drive(&mut self, cycle: u64, outputs: [Outputs; PIO_COUNT]) -> u32;

    /// Whether the pins now interrupt a core.
    fn pins_interrupt(&self) -> bool;
}

#[derive(Clone, Debug, Default)]
pub(in crate::chip) struct Pios {
    blocks: [Pio; PIO_COUNT],
    inputs: Inputs,
    /// Everything before this cycle has been done.
    cycle: u64,
    /// What [`next`](Self::next) has last found, and how far it looks when it finds nothing.
    foreseen: Option<Foreseen>,
    look: u32,
}

/// Nothing changes for these listeners before this cycle, if nobody disturbs the PIOs.
#[derive(Clone, Copy, Debug)]
struct Foreseen {
    requests: u32,
    pins: bool,
    cycle: u64,
}

impl Pios {
    /// Lets the machines do everything that they do before `cycle`.
    pub(in crate::chip) fn advance(&mut self, cycle: u64, world: &mut impl World) {
        while self.due() < cycle {
            self.step(world);
        }
        self.cycle = self.cycle.max(cycle);
    }

    /// Whether nothing will happen before somebody does something.
    pub(in crate::chip) fn is_quiet(&self) -> bool {
        self.due() == u64::MAX
    }

    /// Whether nothing is left to be done before `cycle`.
    pub(in crate::chip) fn is_done(&self, cycle: u64) -> bool {
        self.due() >= cycle
    }

    /// What both drive, whether or not the pins are theirs.
    pub(in crate::chip) fn outputs(&self) -> [Outputs; PIO_COUNT] {
        [self.blocks[0].outputs(), self.blocks[1].outputs()]
    }

    /// The pins have been changed by others, up to where the machines have come.
    pub(in crate::chip) fn set_inputs(&mut self, levels: u32) {
        if self.take_inputs(self.cycle, levels) {
            self.foreseen = None;
        }
    }

    /// RESETS holds a PIO: it forgets everything.
    pub(in crate::chip) fn reset(&mut self, number: usize) {
        self.blocks[number] = Pio::default();
        self.foreseen = None;
    }

    pub(in crate::chip) fn read(&mut self, number: usize, offset: u32) -> Option<u32> {
        if is_disturbed_by_reading(offset) {
            self.foreseen = None;
        }
        self.blocks[number].read(offset, self.cycle)
    }

    /// What a write through an alias starts from. A PIO changes its registers itself, so that no
    /// word leaves a FIFO for it.
    pub(in crate::chip) fn before_change(&mut self, number: usize, offset: u32) -> Option<u32> {
        if is_disturbed_by_reading(offset) { Some(0) } else { self.read(number, offset) }
    }

    pub(in crate::chip) fn write(&mut self, number: usize, offset: u32, value: u32) -> Option<()> {
        self.foreseen = None;
        self.blocks[number].write(offset, value, self.cycle)
    }

    /// The DMA's requests 0 to 15.
    pub(in crate::chip) fn requests(&self) -> u32 {
        self.blocks[0].requests() | self.blocks[1].requests() << 8
    }

    /// The lines PIO0_IRQ_0 to PIO1_IRQ_1: bit 0 is the first one.
    pub(in crate::chip) fn interrupts(&self) -> u32 {
        let lines = self.blocks.iter().flat_map(|pio| [pio.interrupts(0), pio.interrupts(1)]);
        lines.enumerate().fold(0, |all, (line, raised)| all | u32::from(raised != 0) << line)
    }

    /// The cycle by which the lines, the `requests` that somebody waits for, or, if `pins`, the
    /// interrupts of the pins may have changed. `world` makes a copy that may be spoilt.
    pub(in crate::chip) fn next<W: World>(
        &mut self,
        requests: u32,
        pins: bool,
        world: impl FnOnce() -> W,
    ) -> u64 {
        let lines = self.blocks.iter().any(Pio::may_interrupt);
        if self.is_quiet() || requests == 0 && !pins && !lines {
            return u64::MAX;
        }
        if let Some(foreseen) = self.foreseen
            && (foreseen.requests, foreseen.pins) == (requests, pins)
            && foreseen.cycle > self.cycle
        {
            return foreseen.cycle;
        }
        let disturbed = self.foreseen.is_none();
        self.look = if disturbed { FIRST_LOOK } else { (self.look * 2).min(LONGEST_LOOK) };
        let (mut ahead, mut world) = (self.clone(), world());
        let seen = |pios: &Self, world: &W| {
            (pios.interrupts(), pios.requests() & requests, pins && world.pins_interrupt())
        };
        let before = seen(&ahead, &world);
        for _ in 0..self.look {
            if ahead.is_quiet() {
                ahead.cycle = u64::MAX;
                break;
            }
            ahead.step(&mut world);
            if seen(&ahead, &world) != before {
                break;
            }
        }
        self.foreseen = Some(Foreseen { requests, pins, cycle: ahead.cycle });
        ahead.cycle
    }

    fn due(&self) -> u64 {
        self.blocks[0].due().min(self.blocks[1].due())
    }

    /// The next cycle in which something is due.
    fn step(&mut self, world: &mut impl World) {
        let cycle = self.due();
        let mut changed = false;
        for pio in &mut self.blocks {
            if pio.due() == cycle {
                changed |= pio.step(cycle, &self.inputs);
            }
        }
        self.cycle = cycle + 1;
        if changed {
            let levels = world.drive(self.cycle, self.outputs());
            self.take_inputs(self.cycle, levels);
        }
    }

    /// True if some level has changed.
    fn take_inputs(&mut self, cycle: u64, levels: u32) -> bool {
        let changed = self.inputs.set(cycle, levels);
        if changed != 0 {
            for pio in &mut self.blocks {
                pio.wake_for_pins(changed, cycle);
            }
        }
        changed != 0
    }
}

#[cfg(test)]
mod tests;
