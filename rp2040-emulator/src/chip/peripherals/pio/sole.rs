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
        &self,
        requests: u32,
        look: u64,
    ) -> Option<(u64, Option<SoleAhead>)> {
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
        Some(pio.next_of_sole(number, requests, look, self))
    }

    /// Adopts the machine that was executed ahead.
    pub(super) fn adopt_sole(&mut self, ahead: SoleAhead, world: &mut impl World) {
        let SoleAhead { block, cycle, machine, outputs, ticks, drives } = ahead;
        let mut all: [Outputs; PIO_COUNT] = self.outputs();
        for drive in drives {
            match drive {
                // Some may have been executed already.
                Drive::Outputs(cycle, outputs) if cycle > self.cycle => {
                    all[block] = outputs;
                    let levels = world.drive(cycle, all);
                    self.take_inputs(cycle, levels);
                }
                Drive::Outputs(..) => {}
                Drive::Burst(burst) => {
                    all[block] = burst.after(all[block]);
                    let inputs =
                        if burst.cycle > self.cycle && world.takes_burst(block, burst.pins()) {
                            world.burst(&burst, all)
                        } else {
                            drive_edges(world, &burst, all, self.cycle, self.inputs.latest())
                        };
                    self.take_burst(&burst, inputs);
                }
            }
        }
        self.pass(cycle);
        self.blocks[block].replace_sole(machine, cycle, outputs, ticks);
    }
}

impl Pio {
    fn next_of_sole(
        &self,
        block: usize,
        requests: u32,
        look: u64,
        pios: &Pios,
    ) -> (u64, Option<SoleAhead>) {
        let number = self.sole();
        let mut machine = self.machines()[number].clone();
        // The requests and interrupts of this machine that anything waits for.
        let (transmit, receive) = (requests >> number & 1, requests >> (4 + number) & 1);
        let awaited =
            machine.interrupt_bits(transmit != 0, receive != 0) | self.enabled() >> number;
        let before = machine.interrupts() & awaited;
        let mut outputs: Outputs = self.outputs();
        let mut drives = Vec::with_capacity(4);
        let mut is_adoptable = true;
        let (mut cycle, mut done, mut ticks) = (self.due(), pios.cycle, 0);
        while cycle != u64::MAX && ticks < look {
            if let Some(shift) = machine.shift(cycle, u64::MAX, self.memory(), outputs, |_| true) {
                let burst = Burst::new(block, cycle, outputs, shift);
                outputs = burst.after(outputs);
                ticks += 2 * u64::from(shift.count);
                done = cycle + shift.duration();
                cycle = machine.due(done);
                drives.push(Drive::Burst(burst));
                is_adoptable &= drives.len() < MAX_DRIVES;
                drives.truncate(MAX_DRIVES);
                continue;
            }
            let view = self.view(cycle, pios.inputs());
            let mut shared = Shared { outputs, raised: 0, cleared: 0, ticks: 0 };
            let last = machine.run(view, cycle.saturating_add(look - ticks), &mut shared);
            ticks += shared.ticks.max(1);
            done = last + 1;
            if shared.outputs != outputs {
                outputs = shared.outputs;
                drives.push(Drive::Outputs(done, outputs));
            }
            drives.truncate(MAX_DRIVES);
            let has_flags = shared.raised | shared.cleared != 0;
            is_adoptable &= !has_flags && !machine.holds() && drives.len() < MAX_DRIVES;
            cycle = machine.due(done);
            if has_flags || machine.interrupts() & awaited != before {
                cycle = done;
                break;
            }
        }
        let ahead = SoleAhead { block, cycle: done, machine, outputs, ticks, drives };
        (cycle, is_adoptable.then_some(ahead))
    }

    /// Replaces the only machine that runs by its state after all cycles before `cycle`, `ticks`
    /// ticks later and with these outputs.
    fn replace_sole(&mut self, machine: Machine, cycle: u64, outputs: Outputs, ticks: u64) {
        let number = self.sole();
        *self.parts(number).1 = machine;
        self.note_machine(number);
        self.shifted(number, cycle, outputs, ticks);
    }
}
