//! A bank's registers as masks over all pins: bit n is GPIO n. Levels can change in every cycle,
//! registers rarely do.

use super::drive::Drive;
use super::nets::{Drivers, Nets};
use super::registers::{
    GPIO_CTRL_FUNCSEL, GPIO_CTRL_FUNCSEL_PIO0, GPIO_CTRL_FUNCSEL_PIO1, GPIO_CTRL_FUNCSEL_SIO,
    GPIO_CTRL_INOVER_LSB, GPIO_CTRL_OEOVER_LSB, GPIO_CTRL_OUTOVER_LSB, PADS_IE, PADS_OD, PADS_PDE,
    PADS_PUE,
};

const PIO_FUNCTIONS: [u32; 2] = [GPIO_CTRL_FUNCSEL_PIO0, GPIO_CTRL_FUNCSEL_PIO1];

/// One of the three overrides of each pin.
#[derive(Clone, Copy, Debug, Default)]
struct Override {
    inverted: u32,
    low: u32,
    high: u32,
}

impl Override {
    /// Sets the field of a pin: 0 is normal, 1 inverted, 2 low, 3 high.
    fn set(&mut self, bit: u32, field: u32) {
        put(&mut self.inverted, bit, field & 3 == 1);
        put(&mut self.low, bit, field & 3 == 2);
        put(&mut self.high, bit, field & 3 == 3);
    }

    /// Returns the pins with an override.
    fn pins(self) -> u32 {
        self.inverted | self.low | self.high
    }

    fn apply(self, levels: u32) -> u32 {
        (levels ^ self.inverted) & !self.low | self.high
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Masks {
    by_sio: u32,
    by_pio: [u32; 2],
    output: Override,
    enable: Override,
    input: Override,
    disabled: u32,
    seen: u32,
    driven_high: u32,
    driven_low: u32,
    pulled_up: u32,
    nets: Nets,
}

/// Internal sources of the pins: levels and output enables.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sources {
    pub(super) sio: (u32, u32),
    pub(super) pios: [(u32, u32); 2],
    /// Levels and enables of the other functions, for the pins that have them selected.
    pub(super) functions: (u32, u32),
}

impl Masks {
    /// Sets the registers and the external drive of a pin.
    pub(super) fn set(&mut self, pin: usize, control: u32, pad: u32, drive: Drive) {
        let bit = 1 << pin;
        put(&mut self.by_sio, bit, control & GPIO_CTRL_FUNCSEL == GPIO_CTRL_FUNCSEL_SIO);
        for (mask, function) in self.by_pio.iter_mut().zip(PIO_FUNCTIONS) {
            put(mask, bit, control & GPIO_CTRL_FUNCSEL == function);
        }
        self.output.set(bit, control >> GPIO_CTRL_OUTOVER_LSB);
        self.enable.set(bit, control >> GPIO_CTRL_OEOVER_LSB);
        self.input.set(bit, control >> GPIO_CTRL_INOVER_LSB);
        put(&mut self.disabled, bit, pad & PADS_OD != 0);
        put(&mut self.seen, bit, pad & PADS_IE != 0);
        put(&mut self.driven_high, bit, drive == Drive::High);
        put(&mut self.driven_low, bit, drive == Drive::Low);
        put(&mut self.pulled_up, bit, pad & (PADS_PUE | PADS_PDE) == PADS_PUE);
    }

    /// Returns the pins whose output is enabled.
    pub(super) fn driven(&self, sources: &Sources) -> u32 {
        self.outputs(sources).1
    }

    /// Returns the levels of the outputs, and the pins whose output is enabled.
    #[inline]
    fn outputs(&self, sources: &Sources) -> (u32, u32) {
        let (output, enable) = self.overridden(self.function_outputs(sources));
        (output, enable & !self.disabled)
    }

    /// Returns levels and enables after the overrides, as the pads get them: a pad may have its
    /// output disabled.
    #[inline]
    pub(super) fn overridden(&self, (output, enable): (u32, u32)) -> (u32, u32) {
        (self.output.apply(output), self.enable.apply(enable))
    }

    /// Returns levels and enables of the selected functions.
    #[inline]
    pub(super) fn function_outputs(&self, sources: &Sources) -> (u32, u32) {
        let mut output = sources.sio.0 & self.by_sio;
        let mut enable = sources.sio.1 & self.by_sio;
        for (mask, (levels, enables)) in self.by_pio.iter().zip(sources.pios) {
            output |= levels & mask;
            enable |= enables & mask;
        }
        output |= sources.functions.0;
        enable |= sources.functions.1;
        (output, enable)
    }

    /// Returns the levels of the pins, and the levels that are read.
    pub(super) fn levels(&self, sources: &Sources) -> (u32, u32) {
        let (output, enable) = self.outputs(sources);
        let outside = (self.driven_high | self.pulled_up) & !self.driven_low;
        let mut levels = output & enable | outside & !enable;
        if !self.nets.is_empty() {
            let (high, low, pulled_up) = (self.driven_high, self.driven_low, self.pulled_up);
            levels = self.nets.levels(levels, &Drivers { output, enable, high, low, pulled_up });
        }
        (levels, self.inputs(levels))
    }

    /// Returns the levels that are read while the pins have these levels.
    #[inline]
    pub(super) fn inputs(&self, levels: u32) -> u32 {
        self.input.apply(self.pad_inputs(levels))
    }

    /// Returns the levels before the overrides: a pad without input enable is low.
    #[inline]
    pub(super) fn pad_inputs(&self, levels: u32) -> u32 {
        levels & self.seen
    }

    /// Returns the pins of nets whose outputs have different levels.
    #[inline]
    pub(super) fn short_circuits(&self, sources: &Sources) -> u32 {
        if self.nets.is_empty() {
            return 0;
        }
        let (output, enable) = self.outputs(sources);
        self.nets.short_circuits(output, enable)
    }

    /// Returns the connections of the pins outside the chip.
    pub(super) fn nets(&mut self) -> &mut Nets {
        &mut self.nets
    }

    /// Returns the pins that wires, contacts and diodes connect to others, if there are wires.
    pub(super) fn wired(&self) -> u32 {
        if self.nets.has_wires() { self.nets.connected() } else { 0 }
    }

    /// Returns the pins that are driven from outside: by another pin, or by the caller.
    pub(super) fn connected(&self) -> u32 {
        self.nets.connected() | self.driven_high | self.driven_low
    }

    pub(super) fn keep_nets(&mut self, before: &Self) {
        self.nets = before.nets;
    }

    /// Returns whether these pins have the function of a PIO, without overrides and wires.
    pub(super) fn follow_pio(&self, block: usize, pins: u32) -> bool {
        let overridden = self.output.pins() | self.enable.pins() | self.input.pins();
        let wired = if self.nets.is_empty() { 0 } else { self.nets.connected() };
        let by_pio = self.by_pio.get(block).copied().unwrap_or_default();
        pins & !by_pio == 0 && pins & (overridden | self.disabled | wired) == 0
    }

    /// Returns the pins that a PIO can drive.
    pub(super) fn of_pios(&self) -> u32 {
        self.by_pio[0] | self.by_pio[1]
    }
}

fn put(mask: &mut u32, bit: u32, set: bool) {
    *mask = *mask & !bit | if set { bit } else { 0 };
}
