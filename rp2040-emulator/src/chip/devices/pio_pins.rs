//! The connection between the PIOs and the pins.
//!
//! The PIOs are advanced lazily: every access to pins or PIOs first advances them to its cycle.

use super::arrivals::Arrivals;
use super::spi_targets::AllTargets;
use super::{Devices, PinBurst, PinChange, PinChanges, PinWords};
use crate::chip::peripherals::io_bank::IoBank;
use crate::chip::peripherals::pio::{Beginning, Burst, Outputs, PIO_COUNT, Words, World};
use crate::chip::peripherals::pwm::Pwm;
use crate::chip::time::Time;

/// The pins of the chip.
struct Pins<'a> {
    bank: &'a mut IoBank,
    sio: (u32, u32),
    time: &'a Time,
    changes: &'a mut PinChanges,
    pwm: &'a mut Pwm,
    /// Targets on SPI buses, if there are any.
    targets: Option<AllTargets<'a>>,
    /// Whether no device needs the edges of pins one by one.
    bursts: bool,
}

impl World for Pins<'_> {
    fn drive(&mut self, cycle: u64, outputs: [Outputs; PIO_COUNT]) -> u32 {
        let before = self.bank.levels();
        self.bank.set_pios(outputs);
        if self.bank.settle(self.sio) {
            let ns = self.time.ns(cycle);
            self.changes.note(before, PinChange { ns, levels: self.bank.levels() });
            if self.pwm.input_slices() != 0 {
                self.pwm.sense(self.bank.pwm_inputs(), ns);
            }
            if let Some(targets) = &mut self.targets {
                targets.change(self.bank, self.sio, self.changes, ns);
            }
        }
        self.bank.inputs()
    }

    fn takes_burst(&self, block: usize, pins: u32) -> bool {
        let clocked = self.targets.as_ref().map_or(0, AllTargets::clocked_pins);
        self.bursts
            && (self.changes.stops() | clocked) & pins == 0
            && self.bank.follows_pio(block, pins)
    }

    fn burst(&mut self, burst: &Burst, outputs: [Outputs; PIO_COUNT]) -> [u32; 3] {
        let before = self.bank.levels();
        let inputs = self.bank.burst(burst, outputs, self.sio);
        self.changes.note_burst(before, PinBurst::new(*burst, before, self.time.clone()));
        inputs
    }

    fn words(&mut self, words: Words, outputs: [Outputs; PIO_COUNT]) -> [u32; 3] {
        let before = self.bank.levels();
        let inputs = self.bank.shift_words(&words, outputs, self.sio);
        self.changes.note_words(PinWords::new(words, before, self.time.clone()));
        inputs
    }

    fn pins_interrupt(&self) -> bool {
        self.bank.interrupt(0) || self.bank.interrupt(1)
    }
}

/// A copy of the pins for looking ahead, without other accesses.
struct Foreseen<'a> {
    bank: IoBank,
    sio: (u32, u32),
    time: &'a Time,
    arrivals: &'a Arrivals,
    arrived: usize,
    /// Pins that the PIOs drive and at whose changes a run ends.
    stops: u32,
    /// Pins of which a target needs each edge.
    clocked: u32,
    bursts: bool,
}

impl World for Foreseen<'_> {
    fn drive(&mut self, _: u64, outputs: [Outputs; PIO_COUNT]) -> u32 {
        self.bank.set_pios(outputs);
        self.bank.settle(self.sio);
        self.bank.inputs()
    }

    fn takes_burst(&self, block: usize, pins: u32) -> bool {
        self.bursts && (self.stops | self.clocked) & pins == 0 && self.bank.follows_pio(block, pins)
    }

    fn burst(&mut self, burst: &Burst, outputs: [Outputs; PIO_COUNT]) -> [u32; 3] {
        self.bank.burst(burst, outputs, self.sio)
    }

    fn words(&mut self, words: Words, outputs: [Outputs; PIO_COUNT]) -> [u32; 3] {
        self.bank.shift_words(&words, outputs, self.sio)
    }

    fn pins_interrupt(&self) -> bool {
        self.bank.interrupt(0) || self.bank.interrupt(1)
    }

    fn stops(&self) -> u32 {
        self.bank.levels() & self.stops
    }

    fn next_arrival(&self) -> u64 {
        self.arrivals.get(self.arrived).map_or(u64::MAX, |arrival| self.time.cycle(arrival.ns))
    }

    fn arrive(&mut self) -> u32 {
        if let Some(arrival) = self.arrivals.get(self.arrived) {
            self.bank.drive(arrival.pin.into(), arrival.drive);
            self.bank.settle(self.sio);
            self.arrived += 1;
        }
        self.bank.inputs()
    }
}

impl Devices {
    /// Advances the PIOs to `cycle`. Every access to the pins calls this first.
    #[inline]
    pub(in crate::chip) fn catch_up(&mut self, cycle: u64) {
        if self.fed_words.are_known() {
            self.follow_words(cycle);
        }
        if self.pios.is_done(cycle) && self.arrivals.is_empty() {
            self.pios.pass(cycle);
        } else {
            self.execute_pios(cycle);
        }
    }

    /// Executes words of a PIO, of which no device needs the edges.
    pub(super) fn shift_words(&mut self, beginning: &Beginning, paths: usize, words: &[u32]) {
        let mut pins = Pins {
            bank: &mut self.bank,
            sio: self.sio.outputs(),
            time: &self.time,
            changes: &mut self.changes,
            pwm: &mut self.pwm,
            targets: None,
            bursts: true,
        };
        self.pios.follow(beginning, paths, words, &mut pins);
    }

    /// Returns whether words on these pins may be executed at once.
    pub(super) fn takes_words(&self, block: usize, pins: u32) -> bool {
        self.allow_bursts()
            && (self.changes.stops() | self.clocked_pins()) & pins == 0
            && self.bank.follows_pio(block, pins)
    }

    pub(super) fn execute_pios(&mut self, cycle: u64) {
        let sio = self.sio.outputs();
        let bursts = self.allow_bursts();
        let mut pins = Pins {
            bank: &mut self.bank,
            sio,
            time: &self.time,
            changes: &mut self.changes,
            pwm: &mut self.pwm,
            targets: self
                .has_targets
                .then_some(AllTargets { spis: &mut self.spis, loose: &mut self.loose_targets }),
            bursts,
        };
        let before = pins.bank.levels();
        while let Some(arrival) = self.arrivals.front().copied() {
            let arrives = self.time.cycle(arrival.ns);
            if arrives > cycle {
                break;
            }
            self.pios.advance(arrives, &mut pins);
            self.arrivals.pop();
            let before = pins.bank.levels();
            pins.bank.drive(arrival.pin.into(), arrival.drive);
            if pins.bank.settle(sio) {
                let change = PinChange { ns: arrival.ns, levels: pins.bank.levels() };
                pins.changes.note(before, change);
            }
            self.pios.arrived(pins.bank.inputs());
        }
        self.pios.advance(cycle, &mut pins);
        self.check_stop();
        if self.spi_devices && before != self.bank.levels() {
            self.notify_spi_devices();
        }
    }

    /// Returns the pins' levels at `cycle`, assuming no other accesses until then.
    pub(in crate::chip) fn levels_at(&self, cycle: u64) -> u32 {
        let arrives = self.arrivals.front().is_some_and(|first| self.time.cycle(first.ns) <= cycle);
        if self.pios.is_done(cycle) && !arrives {
            return self.bank.levels();
        }
        let mut ahead = self.clone();
        ahead.catch_up(cycle);
        ahead.bank.levels()
    }

    /// Returns the cycle by which the PIOs may have changed an interrupt, or a request that the DMA
    /// waits for.
    pub(super) fn next_of_pios(&mut self) -> u64 {
        if let Some(end) = self.fed_words.end() {
            return end;
        }
        if self.pios.is_quiet() && self.arrivals.is_empty() {
            return u64::MAX;
        }
        let requests = self.dma.listens() as u32 & 0xFFFF;
        let clocked = self.clocked_pins();
        let (bank, sio) = (&self.bank, self.sio.outputs());
        let (time, arrivals) = (&self.time, &self.arrivals);
        let driven = self.pios.outputs().iter().fold(0, |pins, it| pins | it.enables);
        let stops = self.changes.stops() & driven;
        let bursts = self.allow_bursts();
        let world = || Foreseen {
            bank: bank.clone(),
            sio,
            time,
            arrivals,
            arrived: 0,
            stops,
            clocked,
            bursts,
        };
        self.pios.next(requests, self.bank.listens_to_pios() || stops != 0, world)
    }

    /// Returns whether no device needs the edges that a PIO makes one by one: a PWM that counts
    /// them, or a UART, an SPI or an I2C that samples the pins.
    fn allow_bursts(&self) -> bool {
        self.bursts && self.pwm.input_slices() == 0 && !self.functions.is_observed()
    }

    /// Lets the PIOs execute each iteration of their loops one by one.
    #[cfg(test)]
    pub(in crate::chip) fn disable_bursts(&mut self) {
        self.bursts = false;
    }

    /// Applies a change of the PIOs' outputs that took no cycle.
    pub(super) fn take_pio_outputs(&mut self) {
        self.bank.set_pios(self.pios.outputs());
        self.settle();
    }
}
