//! The pins of UARTs, SPIs, I2Cs, PWM and CLK_GPOUT as levels, and the levels that their inputs
//! read.
//!
//! A PWM's input B reads its pins at any time; all others need an observer, a PIO that reads such a
//! pin, or a wire from or to a pin with such a function.
//!
//! Bytes and words are enough for most boards, and levels cost one event per edge. So the pins have
//! levels only once they are observed: [`Devices::observe_functions`]. From then on each edge is
//! applied at its nanosecond, before any later access. A pin of an I2C is only driven low. Edges that
//! nothing in the chip and nothing at its pins notices are applied together, before the next access.

use super::{Devices, PinChange};
use crate::chip::peripherals::clocks::Clocks;
use crate::chip::peripherals::io_bank::PIN_COUNT;

// Functions of a pin: RP2040 datasheet 2.19.2.
const FUNCSEL_SPI: u32 = 1;
const FUNCSEL_UART: u32 = 2;
const FUNCSEL_I2C: u32 = 3;
const FUNCSEL_PWM: u32 = 4;
const FUNCSEL_CLOCK: u32 = 8;

/// Pins of CLK_GPOUT0 to 3.
const CLOCK_OUTPUTS: [usize; 4] = [21, 23, 24, 25];

/// Whether the pins have levels, and the next edge.
#[derive(Clone, Debug, Default)]
pub(super) struct Functions {
    is_read: bool,
    next_ns: u64,
    /// Whether the rest has to be computed again, because a register or something outside may have
    /// changed.
    is_stale: bool,
    /// Pins with such a function.
    pins: u32,
    /// Whether nothing but the caller sees the edges, afterwards.
    is_unnoticed: bool,
}

impl Functions {
    pub(super) fn is_observed(&self) -> bool {
        self.is_read
    }

    /// Returns the nanosecond of the next edge.
    pub(super) fn next(&self) -> u64 {
        if self.is_read { self.next_ns } else { u64::MAX }
    }

    /// Returns the nanosecond of the next edge that must be applied at its time.
    pub(super) fn next_noticed(&self) -> u64 {
        if self.is_unnoticed && !self.is_stale { u64::MAX } else { self.next() }
    }

    /// Notes that a register or something outside may have changed.
    pub(super) fn expire(&mut self) {
        self.is_stale = true;
    }
}

/// Returns the level of a clock of `hz` at `ns`, and the nanosecond of its next edge.
fn clock_at(hz: u64, ns: u64) -> (bool, u64) {
    const NS: u128 = 1_000_000_000;
    let halves = 2 * u128::from(hz);
    // Number of half-periods that have begun: the first at 0 ns.
    let begun = u128::from(ns) * halves / NS;
    let next = ((begun + 1) * NS).div_ceil(halves.max(1));
    (begun.is_multiple_of(2), u64::try_from(next).unwrap_or(u64::MAX))
}

/// Returns the level of CLK_GPOUT on `pin` at `ns`, and the nanosecond of its next edge.
fn clock_output(clocks: &Clocks, pin: usize, ns: u64) -> Option<(bool, u64)> {
    let number = CLOCK_OUTPUTS.iter().position(|output| *output == pin)?;
    Some(clock_at(clocks.output_hz(number as u32)?, ns))
}

impl Devices {
    /// Gives the pins of the functions levels from now on, also after every reset.
    pub(in crate::chip) fn observe_functions(&mut self, cycle: u64) {
        if !self.functions.is_read {
            self.functions.is_read = true;
            self.functions.expire();
            let ns = self.now(cycle);
            self.update_functions(ns);
            self.touch();
        }
    }

    /// Gives the pins of the functions levels from now on if a PIO reads one of them. The caller
    /// then calls [`update_functions`](Self::update_functions).
    pub(super) fn observe_for_pios(&mut self) {
        if !self.functions.is_read {
            let pins = self.pios.read_pins();
            self.functions.is_read = pins != 0 && pins & self.function_outputs() != 0;
            self.functions.expire();
        }
    }

    /// Gives the pins of the functions levels from now on if there are wires, and a pin that is
    /// connected to another has such a function, for output or for input. The caller then calls
    /// [`update_functions`](Self::update_functions).
    pub(in crate::chip) fn observe_for_wires(&mut self) {
        let wired = self.bank.wired();
        if !self.functions.is_read && wired != 0 {
            let is_wired = |pin: &usize| wired >> pin & 1 != 0;
            self.functions.is_read = (0..PIN_COUNT).filter(is_wired).any(|pin| self.has_edges(pin));
            self.functions.expire();
        }
    }

    /// Returns whether the pins of the functions have levels.
    #[cfg(test)]
    pub(in crate::chip) fn has_observed_functions(&self) -> bool {
        self.functions.is_observed()
    }

    /// Returns whether the function of a pin has edges that only an observer needs.
    fn has_edges(&self, pin: usize) -> bool {
        matches!(
            self.bank.function(pin),
            Some(FUNCSEL_SPI | FUNCSEL_UART | FUNCSEL_I2C | FUNCSEL_PWM | FUNCSEL_CLOCK)
        )
    }

    /// Returns the pins that a function drives once they have levels.
    fn function_outputs(&self) -> u32 {
        let takes_input = self.pwm.input_slices();
        let is_output = |pin: &usize| match self.bank.function(*pin) {
            Some(FUNCSEL_SPI) => !pin.is_multiple_of(4),
            Some(FUNCSEL_UART) => pin.is_multiple_of(4),
            Some(FUNCSEL_I2C) => true,
            Some(FUNCSEL_PWM) => pin.is_multiple_of(2) || takes_input >> (pin / 2 % 8) & 1 == 0,
            Some(FUNCSEL_CLOCK) => CLOCK_OUTPUTS.contains(pin),
            _ => false,
        };
        (0..PIN_COUNT).filter(is_output).fold(0, |pins, pin| pins | 1 << pin)
    }

    /// Returns the pins that the chip drives.
    pub(in crate::chip) fn driven(&self) -> u32 {
        let i2cs = (0..PIN_COUNT).filter(|pin| self.bank.function(*pin) == Some(FUNCSEL_I2C));
        let i2cs = i2cs.fold(0, |pins, pin| pins | 1 << pin);
        self.bank.driven(self.sio.outputs(), self.function_outputs() & !i2cs)
    }

    /// Calls `change`, by which the caller drives the pins differently from `cycle` on.
    pub(in crate::chip) fn change_pins(&mut self, cycle: u64, change: impl FnOnce(&mut Self)) {
        let ns = self.now(cycle);
        self.advance_functions(ns);
        self.catch_up(cycle);
        change(self);
        self.functions.expire();
        self.settle();
        self.update_functions(ns);
        self.touch();
    }

    /// Applies the edges up to `ns`.
    #[inline]
    pub(in crate::chip) fn advance_functions(&mut self, ns: u64) {
        if self.functions.is_read && self.functions.next_ns <= ns {
            self.apply_edges(ns);
        }
    }

    #[cold]
    fn apply_edges(&mut self, ns: u64) {
        while self.functions.is_read && self.functions.next_ns <= ns {
            let edge = self.functions.next_ns;
            self.catch_up(self.time.cycle(edge));
            if self.functions.is_unnoticed {
                self.advance_outputs(edge);
            } else {
                self.advance_devices(edge);
            }
            self.update_functions(edge);
        }
    }

    /// Finds the pins with edges, and whether anything notices them.
    #[cold]
    fn find_pins(&mut self) {
        let pins = (0..PIN_COUNT).filter(|pin| self.has_edges(*pin));
        let pins = pins.fold(0, |pins, pin| pins | 1 << pin);
        let has_i2c = (0..PIN_COUNT).any(|pin| self.bank.function(pin) == Some(FUNCSEL_I2C));
        let is_noticed = has_i2c
            || self.has_targets
            || self.spi_devices
            || self.pwm.input_slices() != 0
            || (self.bank.connected() | self.changes.stops() | self.pios.read_pins()) & pins != 0
            || self.bank.interrupt_cores(pins)
            || self.clocks.sys_is_stopped();
        let functions = &mut self.functions;
        (functions.pins, functions.is_unnoticed) = (pins, !is_noticed);
        functions.is_stale = false;
    }

    /// Applies the edges up to `cycle` that nothing has noticed.
    #[inline]
    pub(in crate::chip) fn apply_unnoticed(&mut self, cycle: u64) {
        if self.functions.is_read && self.functions.is_unnoticed {
            let ns = self.now(cycle);
            self.advance_functions(ns);
        }
    }

    /// Sets the pins to their levels at `ns`, to which the devices have been advanced, and computes
    /// the next edge.
    pub(super) fn update_functions(&mut self, ns: u64) {
        if !self.functions.is_read {
            return;
        }
        if self.functions.is_stale {
            self.find_pins();
        }
        let mut next = u64::MAX;
        let (mut levels, mut enables, mut slices) = (0, 0, 0);
        let mut of_spis = [None; 2];
        let pwm = self.pwm.levels(ns);
        let takes_input = self.pwm.input_slices();
        let mut pins = self.functions.pins;
        while pins != 0 {
            let pin = pins.trailing_zeros() as usize;
            pins &= pins - 1;
            let output = match (self.bank.function(pin), pin % 4) {
                (Some(FUNCSEL_SPI), 1..) => {
                    let number = pin / 8 % 2;
                    let of_spi = || self.spis[number].outputs(ns);
                    let (outputs, edge) = *of_spis[number].get_or_insert_with(of_spi);
                    let level = match pin % 4 {
                        1 => outputs.select,
                        2 => outputs.clock,
                        _ => outputs.transmit,
                    };
                    Some((level, edge))
                }
                (Some(FUNCSEL_UART), 0) => Some(self.uarts[(pin + 4) / 8 % 2].transmits(ns)),
                (Some(FUNCSEL_I2C), _) => {
                    let (pulls, edge) = self.i2cs[pin / 2 % 2].pulls();
                    next = next.min(edge);
                    let low = if pin.is_multiple_of(2) { pulls.sda } else { pulls.scl };
                    low.then_some((false, edge))
                }
                (Some(FUNCSEL_PWM), _) if pin % 2 == 1 && takes_input >> (pin / 2 % 8) & 1 != 0 => {
                    None
                }
                (Some(FUNCSEL_PWM), _) => {
                    slices |= 1 << (pin / 2 % 8);
                    Some((pwm >> (pin % 16) & 1 != 0, u64::MAX))
                }
                (Some(FUNCSEL_CLOCK), _) => clock_output(&self.clocks, pin, ns),
                _ => None,
            };
            if let Some((level, edge)) = output {
                levels |= u32::from(level) << pin;
                enables |= 1 << pin;
                next = next.min(edge);
            }
        }
        next = next.min(self.pwm.next_edge(slices));
        self.bank.set_functions((levels, enables));
        let before = self.bank.levels();
        if self.bank.settle(self.sio.outputs()) {
            self.changes.note(before, PinChange { ns, levels: self.bank.levels() });
            self.pios.set_inputs(self.bank.inputs());
            if !self.functions.is_unnoticed {
                self.check_stop();
                self.touched = true;
                self.move_targets();
            }
        }
        if self.functions.is_unnoticed {
            self.functions.next_ns = next.max(ns.saturating_add(1));
            return;
        }
        next = next.min(self.sense_inputs(ns));
        if self.sense_i2cs(ns) {
            next = 0;
        }
        if self.sense_pwm(ns) {
            // A slice that has counted may have changed outputs.
            next = 0;
        }
        self.functions.next_ns = next.max(ns.saturating_add(1));
    }

    /// Passes the levels of inputs B at `ns` to the slices of the PWM. Returns true if one has
    /// changed.
    pub(super) fn sense_pwm(&mut self, ns: u64) -> bool {
        let changed = self.pwm.input_slices() != 0 && self.pwm.sense(self.bank.pwm_inputs(), ns);
        self.touched |= changed;
        changed
    }

    /// Passes the levels of their wires to the I2C controllers. Returns true if a controller pulls
    /// different wires than before, or has just been given its pins.
    fn sense_i2cs(&mut self, ns: u64) -> bool {
        let (connected, inputs) = (self.bank.connected(), self.bank.inputs());
        let mut changed = false;
        for (number, i2c) in self.i2cs.iter_mut().enumerate() {
            let function = |pin: &usize| self.bank.function(*pin) == Some(FUNCSEL_I2C);
            let [sda, scl] =
                [0, 1].map(|wire| (2 * number + wire..PIN_COUNT).step_by(4).find(function));
            i2c.set_pins(sda.is_some() && scl.is_some());
            // A pin to which nothing is connected has the level that the controller gives it.
            let level = |pin: Option<usize>, low: bool| match pin {
                Some(pin) if connected >> pin & 1 != 0 => inputs >> pin & 1 != 0,
                _ => !low,
            };
            let (pulls, _) = i2c.pulls();
            changed |= i2c.sense(level(sda, pulls.sda), level(scl, pulls.scl), ns);
        }
        changed
    }

    /// Passes the pins that have their function to the I2C controllers with devices at certain
    /// pins. Every change of the pins' control registers calls it.
    pub(in crate::chip) fn route_i2cs(&mut self) {
        for (number, i2c) in self.i2cs.iter_mut().enumerate().filter(|(_, i2c)| i2c.needs_pins()) {
            let of_controller = (2 * number..PIN_COUNT).step_by(4).flat_map(|sda| [sda, sda + 1]);
            let routed = of_controller.filter(|pin| self.bank.function(*pin) == Some(FUNCSEL_I2C));
            i2c.route(routed.fold(0, |pins, pin| pins | 1 << pin));
        }
    }

    /// Passes the levels of the pins that something drives to the inputs of UARTs and SPIs. Returns
    /// when a UART needs the next sample.
    fn sense_inputs(&mut self, ns: u64) -> u64 {
        let (connected, inputs) = (self.bank.connected(), self.bank.inputs());
        let mut next = u64::MAX;
        for pin in (0..PIN_COUNT).filter(|pin| connected >> pin & 1 != 0) {
            let level = inputs >> pin & 1 != 0;
            match (self.bank.function(pin), pin % 4) {
                (Some(FUNCSEL_SPI), 0) => self.spis[pin / 8 % 2].sense(level, ns),
                (Some(FUNCSEL_UART), 1) => {
                    next = next.min(self.uarts[(pin + 4) / 8 % 2].sense(level, ns));
                }
                _ => {}
            }
        }
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_has_an_edge_every_half_period() {
        assert_eq!(clock_at(1_000_000, 0), (true, 500));
        assert_eq!(clock_at(1_000_000, 499), (true, 500));
        assert_eq!(clock_at(1_000_000, 500), (false, 1_000));
        assert_eq!(clock_at(3, 0), (true, 166_666_667));
    }
}
