//! The prediction of the next change of requests and lines while only one machine runs, and reads no
//! pin: a copy of the machine is enough, because nothing else can have an effect on it.

use super::block::Pio;
use super::machine::Shared;
use super::{Outputs, Pios};

impl Pios {
    /// Returns the cycle by which one of `requests` or an interrupt line may have changed, after at
    /// most `look` ticks; `None` if that does not depend on one machine only.
    pub(super) fn next_of_sole(&self, requests: u32, look: u64) -> Option<u64> {
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
        Some(pio.next_of_sole(requests, look, self))
    }
}

impl Pio {
    fn next_of_sole(&self, requests: u32, look: u64, pios: &Pios) -> u64 {
        let number = self.sole();
        let mut machine = self.machines()[number].clone();
        // The requests and interrupts of this machine that anything waits for.
        let (transmit, receive) = (requests >> number & 1, requests >> (4 + number) & 1);
        let awaited =
            machine.interrupt_bits(transmit != 0, receive != 0) | self.enabled() >> number;
        let before = machine.interrupts() & awaited;
        let mut outputs: Outputs = self.outputs();
        let mut cycle = self.due();
        let mut left = look;
        while cycle != u64::MAX && left > 0 {
            if let Some(shift) = machine.shift(cycle, u64::MAX, self.memory(), outputs, |_| true) {
                let last = if shift.bit(shift.count - 1) { shift.data } else { 0 };
                outputs.levels = shift.levels[1] | last;
                left = left.saturating_sub(2 * u64::from(shift.count));
                cycle = machine.due(cycle + shift.duration());
                continue;
            }
            let view = self.view(cycle, pios.inputs());
            let mut shared = Shared { outputs, raised: 0, cleared: 0, ticks: 0 };
            let last = machine.run(view, cycle.saturating_add(left), &mut shared);
            outputs = shared.outputs;
            left = left.saturating_sub(shared.ticks.max(1));
            if shared.raised | shared.cleared != 0 || machine.interrupts() & awaited != before {
                return last + 1;
            }
            cycle = machine.due(last + 1);
        }
        cycle
    }
}
