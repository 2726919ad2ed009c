//! The prediction of the next change of requests and lines while only one machine runs, and reads no
//! pin: a copy of the machine is enough, because nothing else can have an effect on it.
//!
//! If nothing else happens up to that cycle, the copy becomes the machine, so that each word that the
//! DMA passes to a transmitter is shifted out once.

use super::block::Pio;
use super::burst::{Burst, drive_edges};
use super::machine::{Machine, Shared};
use super::{Outputs, PIO_COUNT, Pios, World};

/// Number of changes of outputs that are too many to be recorded.
const MAX_DRIVES: usize = 32;

/// A machine after all cycles before `cycle`, and what it does to the pins until then.
#[derive(Clone, Debug)]
pub(super) struct SoleAhead {
    block: usize,
    pub(super) cycle: u64,
    machine: Machine,
    outputs: Outputs,
    ticks: u64,
    drives: Vec<Drive>,
}

impl Default for SoleAhead {
    fn default() -> Self {
        Self {
            block: 0,
            cycle: 0,
            machine: Machine::new(0),
            outputs: Outputs::default(),
            ticks: 0,
            drives: Vec::new(),
        }
    }
}

impl SoleAhead {
    pub(super) fn block(&self) -> usize {
        self.block
    }

    pub(super) fn machine(&self) -> &Machine {
        &self.machine
    }

    pub(super) fn outputs(&self) -> Outputs {
        self.outputs
    }

    /// Records a change of outputs, which were these before. Returns false if there are too many.
    fn note(&mut self, before: Outputs, drive: Drive) -> bool {
        let changes = match drive {
            Drive::Outputs(_, outputs) => outputs != before,
            Drive::Burst(_) => true,
        };
        if changes && self.drives.len() < MAX_DRIVES {
            self.drives.push(drive);
        }
        self.drives.len() < MAX_DRIVES
    }
}

/// A change of the outputs of a block.
#[derive(Clone, Copy, Debug)]
enum Drive {
    /// The outputs from a cycle on.
    Outputs(u64, Outputs),
    Burst(Burst),
}

impl Pios {
    /// Returns the cycle by which one of `requests` or an interrupt line may have changed, after at
    /// most `look` ticks, and the machine then; `None` if that does not depend on one machine only.
    pub(super) fn next_of_sole(
        &mut self,
        requests: u32,
        look: u64,
    ) -> Option<(u64, Option<Box<SoleAhead>>)> {
        let number = usize::from(self.blocks[1].due() < self.blocks[0].due());
        let (pio, other) = (&self.blocks[number], &self.blocks[1 - number]);
        let is_sole = pio.running().is_power_of_two()
            && pio.is_settled()
            && !pio.reads_pins()
            && other.running() == 0
            && other.due() == u64::MAX;
        if !is_sole {
            return None;
        }
        let requests = requests >> (8 * number) & 0xFF;
        let mut ahead = self.spare.take().unwrap_or_default();
        ahead.block = number;
        let pio = &self.blocks[number];
        let (cycle, is_adoptable) = pio.look_ahead(requests, look, self, &mut ahead);
        if is_adoptable {
            return Some((cycle, Some(ahead)));
        }
        self.spare = Some(ahead);
        Some((cycle, None))
    }

    /// Adopts the machine that was executed ahead.
    pub(super) fn adopt_sole(&mut self, mut ahead: Box<SoleAhead>, world: &mut impl World) {
        let block = ahead.block % PIO_COUNT;
        let mut all: [Outputs; PIO_COUNT] = self.outputs();
        for drive in &ahead.drives {
            match drive {
                // Some may have been executed already.
                Drive::Outputs(cycle, outputs) if *cycle > self.cycle => {
                    all[block] = *outputs;
                    let levels = world.drive(*cycle, all);
                    self.take_inputs(*cycle, levels);
                }
                Drive::Outputs(..) => {}
                Drive::Burst(burst) => {
                    all[block] = burst.after(all[block]);
                    let is_whole = burst.cycle > self.cycle;
                    let inputs = if is_whole && world.takes_burst(block, burst.pins()) {
                        world.burst(burst, all)
                    } else {
                        drive_edges(world, burst, all, self.cycle, self.inputs.latest())
                    };
                    self.take_burst(burst, inputs);
                }
            }
        }
        self.pass(ahead.cycle);
        self.blocks[block].replace_sole(&mut ahead);
        self.spare = Some(ahead);
    }
}

impl Pio {
    /// Executes a copy of the only machine that runs up to the cycle by which one of `requests` or an
    /// interrupt line may have changed, or for `look` ticks. Returns that cycle, and whether the copy
    /// can become the machine.
    fn look_ahead(
        &self,
        requests: u32,
        look: u64,
        pios: &Pios,
        ahead: &mut SoleAhead,
    ) -> (u64, bool) {
        let number = self.sole();
        ahead.machine.clone_from(&self.machines()[number]);
        (ahead.cycle, ahead.ticks, ahead.outputs) = (pios.cycle, 0, self.outputs());
        ahead.drives.clear();
        // The requests and interrupts of this machine that anything waits for.
        let (transmit, receive) = (requests >> number & 1, requests >> (4 + number) & 1);
        let awaited =
            ahead.machine.interrupt_bits(transmit != 0, receive != 0) | self.enabled() >> number;
        let before = ahead.machine.interrupts() & awaited;
        let mut is_adoptable = true;
        let mut cycle = self.due();
        while cycle != u64::MAX && ahead.ticks < look {
            let outputs = ahead.outputs;
            let drive;
            if let Some(shift) =
                ahead.machine.shift(cycle, u64::MAX, self.memory(), outputs, |_| true)
            {
                let burst = Burst::new(ahead.block, cycle, outputs, shift);
                ahead.outputs = burst.after(outputs);
                ahead.ticks += 2 * u64::from(shift.count);
                ahead.cycle = cycle + shift.duration();
                drive = Drive::Burst(burst);
            } else {
                let view = self.view(cycle, pios.inputs());
                let mut shared = Shared { outputs, raised: 0, cleared: 0, ticks: 0 };
                let end = cycle.saturating_add(look - ahead.ticks);
                ahead.cycle = ahead.machine.run(view, end, &mut shared) + 1;
                ahead.ticks += shared.ticks.max(1);
                ahead.outputs = shared.outputs;
                drive = Drive::Outputs(ahead.cycle, shared.outputs);
                let has_flags = shared.raised | shared.cleared != 0;
                is_adoptable &= !has_flags && !ahead.machine.holds();
                if has_flags || ahead.machine.interrupts() & awaited != before {
                    is_adoptable &= ahead.note(outputs, drive);
                    return (ahead.cycle, is_adoptable);
                }
            }
            is_adoptable &= ahead.note(outputs, drive);
            cycle = ahead.machine.due(ahead.cycle);
        }
        (cycle, is_adoptable)
    }

    /// Replaces the only machine that runs by one that was executed ahead.
    fn replace_sole(&mut self, ahead: &mut SoleAhead) {
        let number = self.sole();
        std::mem::swap(self.parts(number).1, &mut ahead.machine);
        self.note_machine(number);
        self.shifted(number, ahead.cycle, ahead.outputs, ahead.ticks);
    }
}
