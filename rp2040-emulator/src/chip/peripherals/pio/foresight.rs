//! When a line or a request of the PIOs changes: what a core that runs on, or the DMA, has to be told in its cycle.
//!
//! A copy is executed up to there. Nothing comes between most often, so its state is kept and taken when
//! that cycle has come; the changes of outputs on the way are repeated for the pins.

use super::block::Pio;
use super::{Outputs, PIO_COUNT, Pios, World};

/// How much [`Pios::next`] looks ahead, at first and at most, in instructions of machines.
const FIRST_LOOK: u64 = 64;
const LONGEST_LOOK: u64 = 1 << 12;

/// These requests and interrupts do not change before this cycle, unless the PIOs are accessed.
#[derive(Clone, Debug)]
pub(super) struct Foreseen {
    requests: u32,
    pins: bool,
    cycle: u64,
    ahead: Option<Ahead>,
}

/// The PIOs at the end of a look.
#[derive(Clone, Debug)]
struct Ahead {
    pios: Box<Pios>,
    /// What they drove on the way.
    drives: Vec<Driven>,
}

/// From this cycle on the PIOs drive these outputs, and the pins have these levels.
#[derive(Clone, Copy, Debug)]
struct Driven {
    cycle: u64,
    outputs: [Outputs; PIO_COUNT],
    levels: u32,
}

/// A copy of the pins, and what happened to them.
struct Recorder<W> {
    world: W,
    drives: Vec<Driven>,
}

impl<W: World> World for Recorder<W> {
    fn drive(&mut self, cycle: u64, outputs: [Outputs; PIO_COUNT]) -> u32 {
        let levels = self.world.drive(cycle, outputs);
        self.drives.push(Driven { cycle, outputs, levels });
        levels
    }

    fn pins_interrupt(&self) -> bool {
        self.world.pins_interrupt()
    }

    fn next_arrival(&self) -> u64 {
        self.world.next_arrival()
    }

    fn arrive(&mut self) -> u32 {
        self.world.arrive()
    }
}

impl Pios {
    /// The cycle by which an interrupt line, one of `requests`, or, if `pins`, an interrupt of the
    /// pins may have changed. `world` creates a copy of the pins for looking ahead.
    pub(in crate::chip) fn next<W: World>(
        &mut self,
        requests: u32,
        pins: bool,
        world: impl FnOnce() -> W,
    ) -> u64 {
        let lines = self.blocks.iter().any(Pio::may_interrupt);
        if requests == 0 && !pins && !lines {
            return u64::MAX;
        }
        if let Some(foreseen) = &self.foreseen
            && (foreseen.requests, foreseen.pins) == (requests, pins)
            && foreseen.cycle > self.cycle
        {
            return foreseen.cycle;
        }
        let disturbed = self.foreseen.is_none();
        self.look = if disturbed { FIRST_LOOK } else { (self.look * 2).min(LONGEST_LOOK) };
        self.foreseen = None;
        let mut ahead = Box::new(self.clone());
        let mut world = Recorder { world: world(), drives: Vec::new() };
        let seen = |pios: &Self, world: &Recorder<W>| {
            (pios.interrupts(), pios.requests() & requests, pins && world.pins_interrupt())
        };
        let before = seen(&ahead, &world);
        let executed = |pios: &Self| pios.blocks.iter().map(Pio::ticks).sum::<u64>();
        let (mut left, mut arrives, mut quiet) = (self.look, false, false);
        while left > 0 && seen(&ahead, &world) == before {
            let (due, arrival) = (ahead.due(), world.next_arrival());
            quiet = due == u64::MAX && arrival == u64::MAX;
            if quiet {
                break;
            }
            if due >= arrival {
                ahead.cycle = ahead.cycle.max(arrival);
                let levels = world.arrive();
                ahead.take_inputs(ahead.cycle, levels);
                arrives = true;
                left -= 1;
            } else {
                let ticks = executed(&ahead);
                ahead.run(arrival.min(due.saturating_add(left)), &mut world);
                // Without a tick it wrote held pins.
                left -= (executed(&ahead) - ticks).clamp(1, left);
            }
        }
        let cycle = if quiet { u64::MAX } else { ahead.cycle };
        // Levels arrive at the caller's pins too.
        let ahead = (!arrives).then_some(Ahead { pios: ahead, drives: world.drives });
        self.foreseen = Some(Foreseen { requests, pins, cycle, ahead });
        cycle
    }

    /// If a copy has been executed that is not ahead of `cycle`, it becomes the PIOs.
    #[inline]
    pub(super) fn adopt(&mut self, cycle: u64, world: &mut impl World) {
        if let Some(foreseen) = &mut self.foreseen
            && let Some(ahead) = foreseen.ahead.take_if(|ahead| ahead.pios.cycle <= cycle)
        {
            self.become_one(ahead, world);
        }
    }

    fn become_one(&mut self, ahead: Ahead, world: &mut impl World) {
        // Some may have been executed already.
        for driven in ahead.drives.iter().filter(|driven| driven.cycle > self.cycle) {
            let levels = world.drive(driven.cycle, driven.outputs);
            debug_assert_eq!(levels, driven.levels, "the pins follow the PIOs as foreseen");
        }
        self.pass(ahead.pios.cycle);
        self.inputs = ahead.pios.inputs.clone();
        self.blocks = ahead.pios.blocks;
    }

    /// Whether the state at the end of the look is still to be taken.
    #[cfg(test)]
    pub(super) fn is_ahead(&self) -> bool {
        self.foreseen.as_ref().is_some_and(|foreseen| foreseen.ahead.is_some())
    }

    /// The pins have changed, or whether outputs reach them. The cycle that was foreseen stands if no level
    /// has changed.
    pub(super) fn forget_ahead(&mut self) {
        if let Some(foreseen) = &mut self.foreseen {
            foreseen.ahead = None;
        }
    }
}
