//! Predicts the cycle in which an interrupt line or a request of the PIOs changes, so that a
//! running core or the DMA can be notified in that cycle.
//!
//! A copy is executed up to there. Usually no access comes in between, so its state is cached and
//! adopted when that cycle is reached; the changes of outputs on the way are repeated for the pins.

use super::block::Pio;
use super::burst::{Burst, drive_edges};
use super::sole::SoleAhead;
use super::{Outputs, PIO_COUNT, Pios, Words, World};

/// Initial limit of [`Pios::next`]'s look ahead, in instructions of machines; `LONGEST_LOOK` is the
/// largest.
const FIRST_LOOK: u64 = 64;
const LONGEST_LOOK: u64 = 1 << 12;

/// A prediction: these requests and interrupts do not change before this cycle, unless the PIOs are
/// accessed.
#[derive(Clone, Debug)]
pub(super) struct Predicted {
    requests: u32,
    pins: bool,
    cycle: u64,
    ahead: Option<Ahead>,
    sole: Option<Box<SoleAhead>>,
}

/// The PIOs at the end of a look ahead.
#[derive(Clone, Debug)]
struct Ahead {
    pios: Box<Pios>,
    /// Outputs that were driven on the way.
    drives: Vec<Drive>,
}

/// A change of outputs, or a burst of changes with the outputs after it.
#[derive(Clone, Copy, Debug)]
enum Drive {
    Outputs(Driven),
    Burst(Burst, [Outputs; PIO_COUNT]),
}

/// Outputs of the PIOs from a cycle on, and the resulting levels of the pins.
#[derive(Clone, Copy, Debug)]
struct Driven {
    cycle: u64,
    outputs: [Outputs; PIO_COUNT],
    levels: u32,
}

/// A copy of the pins that records the changes of outputs.
struct Recorder<W> {
    world: W,
    drives: Vec<Drive>,
}

impl<W: World> World for Recorder<W> {
    fn drive(&mut self, cycle: u64, outputs: [Outputs; PIO_COUNT]) -> u32 {
        let levels = self.world.drive(cycle, outputs);
        self.drives.push(Drive::Outputs(Driven { cycle, outputs, levels }));
        levels
    }

    fn takes_burst(&self, block: usize, pins: u32) -> bool {
        self.world.takes_burst(block, pins)
    }

    fn burst(&mut self, burst: &Burst, outputs: [Outputs; PIO_COUNT]) -> [u32; 3] {
        self.drives.push(Drive::Burst(*burst, outputs));
        self.world.burst(burst, outputs)
    }

    fn words(&mut self, words: Words, outputs: [Outputs; PIO_COUNT]) -> [u32; 3] {
        // A look ahead executes no words.
        self.world.words(words, outputs)
    }

    fn pins_interrupt(&self) -> bool {
        self.world.pins_interrupt()
    }

    fn stops(&self) -> u32 {
        self.world.stops()
    }

    fn next_arrival(&self) -> u64 {
        self.world.next_arrival()
    }

    fn arrive(&mut self) -> u32 {
        self.world.arrive()
    }
}

impl Pios {
    /// Returns the cycle by which an interrupt line, one of `requests`, or, if `pins`, an interrupt
    /// of the pins or a pin at which a run ends may have changed. `world` creates a copy of the pins for the look ahead.
    pub(in crate::chip) fn next<W: World>(
        &mut self,
        requests: u32,
        pins: bool,
        world: impl FnOnce() -> W,
    ) -> u64 {
        let lines = self.may_interrupt();
        if requests == 0 && !pins && !lines {
            return u64::MAX;
        }
        if let Some(foreseen) = &self.predicted
            && (foreseen.requests, foreseen.pins) == (requests, pins)
            && foreseen.cycle > self.cycle
        {
            return foreseen.cycle;
        }
        let disturbed = self.predicted.is_none();
        self.look = match std::mem::take(&mut self.looks_far) {
            true => LONGEST_LOOK,
            false if disturbed => FIRST_LOOK,
            false => (self.look * 2).min(LONGEST_LOOK),
        };
        self.predicted = None;
        if !pins && let Some((cycle, sole)) = self.next_of_sole(requests, self.look) {
            self.predicted = Some(Predicted { requests, pins, cycle, ahead: None, sole });
            return cycle;
        }
        let mut ahead = Box::new(self.clone());
        let mut world = Recorder { world: world(), drives: Vec::new() };
        let seen = |pios: &Self, world: &Recorder<W>| {
            let pins_interrupt = pins && world.pins_interrupt();
            (pios.interrupts(), pios.requests() & requests, pins_interrupt, world.stops())
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
                // A cycle without a tick has written held pins.
                left -= (executed(&ahead) - ticks).clamp(1, left);
            }
        }
        let cycle = if quiet { u64::MAX } else { ahead.cycle };
        // Levels that arrive must reach the caller's pins too.
        let ahead = (!arrives).then_some(Ahead { pios: ahead, drives: world.drives });
        self.predicted = Some(Predicted { requests, pins, cycle, ahead, sole: None });
        cycle
    }

    /// Returns the machine that was executed ahead, if only one runs.
    pub(super) fn sole_ahead(&self) -> Option<&SoleAhead> {
        self.predicted.as_ref()?.sole.as_deref()
    }

    /// Adopts the executed copy as the state of the PIOs, if it is not ahead of `cycle`.
    #[inline]
    pub(super) fn adopt(&mut self, cycle: u64, world: &mut impl World) {
        let Some(foreseen) = &mut self.predicted else { return };
        if let Some(sole) = foreseen.sole.take_if(|sole| sole.cycle <= cycle) {
            self.adopt_sole(sole, world);
        } else if let Some(ahead) = foreseen.ahead.take_if(|ahead| ahead.pios.cycle <= cycle) {
            self.become_one(ahead, world);
        }
    }

    fn become_one(&mut self, ahead: Ahead, world: &mut impl World) {
        // Some drives may have been executed already.
        for drive in &ahead.drives {
            match drive {
                Drive::Outputs(driven) if driven.cycle > self.cycle => {
                    let levels = world.drive(driven.cycle, driven.outputs);
                    debug_assert_eq!(levels, driven.levels, "the pins follow the PIOs as foreseen");
                }
                Drive::Outputs(_) => {}
                Drive::Burst(burst, outputs) if burst.cycle > self.cycle => {
                    world.burst(burst, *outputs);
                }
                Drive::Burst(burst, outputs) => {
                    drive_edges(world, burst, *outputs, self.cycle, 0);
                }
            }
        }
        self.pass(ahead.pios.cycle);
        self.inputs = ahead.pios.inputs.clone();
        self.blocks = ahead.pios.blocks;
    }

    /// Returns whether the state at the end of the look ahead can still be adopted.
    #[cfg(test)]
    pub(super) fn is_ahead(&self) -> bool {
        self.predicted.as_ref().is_some_and(|it| it.ahead.is_some() || it.sole.is_some())
    }

    /// Discards the cached copy after a change of the pins, or of whether outputs reach them. The
    /// predicted cycle remains valid if no level has changed.
    pub(super) fn discard_ahead(&mut self) {
        if let Some(foreseen) = &mut self.predicted {
            (foreseen.ahead, foreseen.sole) = (None, None);
        }
    }
}
