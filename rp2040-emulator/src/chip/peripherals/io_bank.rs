//! The pins: bank 0's function selects, overrides and interrupts, and its pads (datasheet
//! sections 2.19.1 to 2.19.6).
//!
//! An undriven pin follows its pull; without a pull it reads low. SIO and the PIOs drive the pins
//! of their functions; the other functions drive theirs while the pins are observed
//! (`devices::functions`). Pins can be wired together.

mod drive;
mod masks;
mod nets;
pub(in crate::chip) mod registers;

use super::array::index;
use super::pio::{Burst, Outputs, Words};
use super::pwm::SLICE_COUNT;
pub use drive::Drive;
use masks::{Masks, Sources};
pub use nets::Diode;
use registers::{
    DORMANT_WAKE_INTS3, EDGE_HIGH, EDGE_LOW, EDGES, GPIO_CTRL_BITS, GPIO_CTRL_FUNCSEL,
    GPIO_CTRL_FUNCSEL_NULL, GPIO_CTRL_FUNCSEL_PWM, GPIO_STATUS_INFROMPAD_LSB,
    GPIO_STATUS_INTOPERI_LSB, GPIO_STATUS_OEFROMPERI_LSB, GPIO_STATUS_OETOPAD_LSB,
    GPIO_STATUS_OUTFROMPERI_LSB, GPIO_STATUS_OUTTOPAD_LSB, GPIO0_STATUS, GPIO29_CTRL, INTR0, INTR3,
    LEVEL_LOW, PADS_BITS, PADS_GPIO0, PADS_RESET, PROC0_INTE0, SWCLK, SWCLK_RESET, SWD, SWD_RESET,
    VOLTAGE_SELECT, VOLTAGE_SELECT_BITS,
};

/// Number of pins: GPIO 0 to 29.
pub const PIN_COUNT: usize = 30;

/// Index of the wake from dormant among the enables.
const DORMANT_WAKE: usize = 2;

#[derive(Clone, Debug)]
pub(in crate::chip) struct IoBank {
    control: [u32; PIN_COUNT],
    pads: [u32; PIN_COUNT],
    voltage: u32,
    drives: [Drive; PIN_COUNT],
    /// The registers and drives above as masks over all pins.
    masks: Masks,
    /// Outputs of the PIOs, and levels and enables of SIO at the last [`settle`](Self::settle).
    pios: [Outputs; 2],
    sio: (u32, u32),
    /// Levels and enables of the other functions, if the pins are observed.
    functions: (u32, u32),
    /// Levels of the pads; bit n is GPIO n.
    levels: u32,
    /// Levels that the core reads, after input enables and overrides.
    inputs: u32,
    /// Pins of nets whose outputs have had different levels.
    short_circuits: u32,
    /// Latched edges, four registers of eight pins.
    raised: [u32; 4],
    /// Enables of core 0, core 1 and the wake from dormant; `forced` has their forces.
    enabled: [[u32; 4]; 3],
    forced: [[u32; 4]; 3],
}

impl Default for IoBank {
    fn default() -> Self {
        Self::new([Drive::Open; PIN_COUNT])
    }
}

impl IoBank {
    fn new(drives: [Drive; PIN_COUNT]) -> Self {
        let mut bank = Self {
            control: [GPIO_CTRL_FUNCSEL_NULL; PIN_COUNT],
            pads: [PADS_RESET; PIN_COUNT],
            voltage: 0,
            drives,
            masks: Masks::default(),
            pios: [Outputs::default(); 2],
            sio: (0, 0),
            functions: (0, 0),
            levels: 0,
            inputs: 0,
            short_circuits: 0,
            raised: [0; 4],
            enabled: [[0; 4]; 3],
            forced: [[0; 4]; 3],
        };
        for pin in 0..PIN_COUNT {
            bank.note(pin);
        }
        bank
    }

    /// Returns the pins after a reset; the external drives are retained.
    pub(in crate::chip) fn after_reset(&self) -> Self {
        let mut bank = Self { pios: self.pios, sio: self.sio, ..Self::new(self.drives) };
        bank.masks.keep_nets(&self.masks);
        bank
    }

    /// Updates the masks after a change of a pin's registers or drive.
    fn note(&mut self, pin: usize) {
        self.masks.set(pin, self.control[pin], self.pads[pin], self.drives[pin]);
    }

    pub(in crate::chip) fn drive(&mut self, pin: usize, drive: Drive) {
        if let Some(slot) = self.drives.get_mut(pin) {
            *slot = drive;
            self.note(pin);
        }
    }

    /// Sets the outputs of the PIOs, effective from the next [`settle`](Self::settle) on.
    pub(in crate::chip) fn set_pios(&mut self, outputs: [Outputs; 2]) {
        self.pios = outputs;
    }

    /// Sets levels and enables of the pins of the other functions, effective from the next
    /// [`settle`](Self::settle) on.
    pub(in crate::chip) fn set_functions(&mut self, functions: (u32, u32)) {
        self.functions = functions;
    }

    /// Wires two pins together, which every reset retains. Returns false if a pin does not exist or
    /// there are too many wires.
    pub(in crate::chip) fn join(&mut self, pins: [usize; 2]) -> bool {
        pins.iter().all(|pin| *pin < PIN_COUNT)
            && self.masks.nets().wire(1 << pins[0] | 1 << pins[1])
    }

    /// Replaces the closed contacts and the diodes between pins, which every reset retains.
    pub(in crate::chip) fn connect(&mut self, contacts: &[[usize; 2]], diodes: &[Diode]) {
        self.masks.nets().connect(contacts, diodes);
    }

    /// Returns the pins of nets whose outputs have had different levels since the last call.
    pub(in crate::chip) fn take_short_circuits(&mut self) -> u32 {
        std::mem::take(&mut self.short_circuits)
    }

    /// Returns the pins that wires, contacts and diodes connect to others, if there are wires.
    pub(in crate::chip) fn wired(&self) -> u32 {
        self.masks.wired()
    }

    /// Returns the pins that are driven from outside: by another pin, or by the caller.
    pub(in crate::chip) fn connected(&self) -> u32 {
        self.masks.connected()
    }

    /// Returns whether a pin that a PIO can drive may interrupt a core.
    pub(in crate::chip) fn listens_to_pios(&self) -> bool {
        let pins = self.masks.of_pios();
        let listens = |register: usize| {
            let enabled = self.enabled[0][register] | self.enabled[1][register];
            (0..8).any(|n| enabled >> (n * 4) & 0xF != 0 && pins >> (register * 8 + n) & 1 != 0)
        };
        pins != 0 && (0..4).any(listens)
    }

    /// Returns the levels of the pads; bit n is GPIO n.
    pub(in crate::chip) fn levels(&self) -> u32 {
        self.levels
    }

    /// Returns FUNCSEL of a pin.
    pub(in crate::chip) fn function(&self, pin: usize) -> Option<u32> {
        self.control.get(pin).map(|control| control & GPIO_CTRL_FUNCSEL)
    }

    /// Returns the levels at the inputs B of the PWM's slices; bit n is slice n's. If two pins have
    /// the function, their levels are ORed (datasheet section 4.5.2).
    pub(in crate::chip) fn pwm_inputs(&self) -> u32 {
        (1..PIN_COUNT)
            .step_by(2)
            .filter(|pin| self.inputs >> pin & 1 != 0)
            .filter(|pin| self.function(*pin) == Some(GPIO_CTRL_FUNCSEL_PWM))
            .fold(0, |levels, pin| levels | 1 << (pin / 2 % SLICE_COUNT))
    }

    /// Returns the value of GPIO_IN.
    pub(in crate::chip) fn inputs(&self) -> u32 {
        self.inputs
    }

    /// Returns the pins whose output is enabled. `functions` are the pins that functions other than
    /// SIO and the PIOs drive.
    pub(in crate::chip) fn driven(&self, sio: (u32, u32), functions: u32) -> u32 {
        let sources = Sources { functions: (0, functions), ..self.sources(sio) };
        self.masks.driven(&sources)
    }

    /// Recomputes the levels from the outputs of SIO and PIOs, and latches edges. Returns true if a
    /// level changed.
    pub(in crate::chip) fn settle(&mut self, sio: (u32, u32)) -> bool {
        let before = (self.levels, self.inputs);
        let sources = self.sources(sio);
        self.sio = sio;
        (self.levels, self.inputs) = self.masks.levels(&sources);
        self.short_circuits |= self.masks.short_circuits(&sources);
        let (fallen, risen) = (before.1 & !self.inputs, !before.1 & self.inputs);
        let mut moved = fallen | risen;
        while moved != 0 {
            let pin = moved.trailing_zeros() as usize;
            moved &= moved - 1;
            let edges = ((fallen >> pin & 1) * EDGE_LOW) | ((risen >> pin & 1) * EDGE_HIGH);
            self.raised[pin / 8] |= edges << (pin % 8 * 4);
        }
        before.0 != self.levels
    }

    /// Returns whether these pins follow the outputs of a PIO and nothing else, and interrupt no core.
    pub(in crate::chip) fn follows_pio(&self, block: usize, pins: u32) -> bool {
        let enables = self.pios.get(block).map_or(0, |outputs| outputs.enables);
        enables & pins == pins && self.masks.follow_pio(block, pins) && !self.interrupt_cores(pins)
    }

    /// Returns whether an interrupt of one of these pins is enabled, or its wake from dormant.
    pub(in crate::chip) fn interrupt_cores(&self, mut pins: u32) -> bool {
        while pins != 0 {
            let pin = pins.trailing_zeros() as usize;
            pins &= pins - 1;
            let enables = |enabled: &[u32; 4]| enabled[pin / 8] >> (pin % 8 * 4) & 0xF != 0;
            if self.enabled.iter().any(enables) {
                return true;
            }
        }
        false
    }

    /// Applies a burst of a PIO to pins that [follow](Self::follows_pio) it. Returns the levels that
    /// are read at its last three edges.
    ///
    /// Edges are latched once, so only iterations that can latch another one are applied.
    pub(in crate::chip) fn burst(
        &mut self,
        burst: &Burst,
        mut outputs: [Outputs; 2],
        sio: (u32, u32),
    ) -> [u32; 3] {
        let is_latched = self.has_latched(burst.pins());
        if is_latched {
            return self.burst_without_edges(burst, outputs);
        }
        let mut turns = [false; 2];
        let mut inputs = [0; 3];
        let shift = &burst.shift;
        for iteration in 0..shift.count {
            let bit = shift.bit(iteration);
            let turned = iteration > 0 && bit != shift.bit(iteration - 1);
            let is_new = turned && !std::mem::replace(&mut turns[usize::from(bit)], true);
            let is_first = iteration < 2;
            if !is_first && !is_new && iteration + 2 < shift.count {
                continue;
            }
            for part in 0..2 {
                outputs[burst.block].levels = burst.edge(2 * iteration + part).1;
                self.set_pios(outputs);
                self.settle(sio);
                inputs = [inputs[1], inputs[2], self.inputs];
            }
        }
        inputs
    }

    /// Applies a burst to pins whose edges are latched already, so that it changes only levels.
    fn burst_without_edges(&mut self, burst: &Burst, mut outputs: [Outputs; 2]) -> [u32; 3] {
        let (pins, last) = (burst.pins(), burst.edge_count() - 1);
        let others = self.levels & !pins;
        let inputs = [2, 1, 0].map(|earlier| {
            self.levels = others | burst.levels(last - earlier) & pins;
            self.masks.inputs(self.levels)
        });
        outputs[burst.block].levels = burst.levels(last);
        self.pios = outputs;
        self.inputs = inputs[2];
        inputs
    }

    /// Applies words of a PIO to pins that [follow](Self::follows_pio) it. Returns the levels that
    /// are read at the last three edges.
    pub(in crate::chip) fn shift_words(
        &mut self,
        words: &Words,
        mut outputs: [Outputs; 2],
        sio: (u32, u32),
    ) -> [u32; 3] {
        let Words { block, path, .. } = words;
        let latches = !self.has_latched(path.sides)
            || !self.has_latched(path.data) && !path.is_constant(&words.words, words.before);
        if latches {
            let mut inputs = [0; 3];
            for (_, levels) in words.edges() {
                outputs[*block].levels = levels;
                self.set_pios(outputs);
                self.settle(sio);
                inputs = [inputs[1], inputs[2], self.inputs];
            }
            return inputs;
        }
        let pins = path.pins();
        let others = self.levels & !pins;
        let inputs = words.last_levels().map(|levels| {
            self.levels = others | levels & pins;
            self.masks.inputs(self.levels)
        });
        self.pios = outputs;
        self.inputs = inputs[2];
        inputs
    }

    /// Returns whether both edges of all these pins are latched.
    fn has_latched(&self, pins: u32) -> bool {
        let both = EDGE_LOW | EDGE_HIGH;
        let mut rest = pins;
        while rest != 0 {
            let pin = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            if self.raised[pin / 8 % 4] >> (pin % 8 * 4) & both != both {
                return false;
            }
        }
        true
    }

    /// Returns the four conditions of each pin of a register: level low, level high, the two edges.
    fn status(&self, register: usize) -> u32 {
        let levels = (0..8).filter(|n| register * 8 + n < PIN_COUNT).fold(0, |status, n| {
            let high = self.inputs >> (register * 8 + n) & 1;
            status | (LEVEL_LOW << high) << (n * 4)
        });
        self.raised[register] | levels
    }

    /// Returns the line IO_IRQ_BANK0 of a core.
    pub(in crate::chip) fn interrupt(&self, core: u8) -> bool {
        self.interrupts(usize::from(core & 1))
    }

    /// Returns whether a pin wakes the oscillators from dormant.
    pub(in crate::chip) fn wakes(&self) -> bool {
        self.interrupts(DORMANT_WAKE)
    }

    fn interrupts(&self, core: usize) -> bool {
        (0..4).any(|register| {
            let (enabled, forced) = (self.enabled[core][register], self.forced[core][register]);
            enabled | forced != 0 && self.status(register) & enabled | forced != 0
        })
    }

    pub(in crate::chip) fn read(&self, offset: u32) -> Option<u32> {
        Some(match offset {
            GPIO0_STATUS..=GPIO29_CTRL => {
                let register = index(offset, GPIO0_STATUS);
                let pin = register / 2;
                match register % 2 {
                    0 => self.pin_status(pin),
                    _ => self.control[pin],
                }
            }
            INTR0..=INTR3 => self.status(index(offset, INTR0)),
            PROC0_INTE0..=DORMANT_WAKE_INTS3 => {
                let (who, what, n) = split(index(offset, PROC0_INTE0));
                match what {
                    INTE => self.enabled[who][n],
                    INTF => self.forced[who][n],
                    _ => self.status(n) & self.enabled[who][n] | self.forced[who][n],
                }
            }
            _ => return None,
        })
    }

    /// Returns GPIO_STATUS of a pin without the two bits of its interrupts: level and enable of the
    /// output before and after their overrides, and the level from the pad before and after its own.
    fn pin_status(&self, pin: usize) -> u32 {
        let from = self.masks.function_outputs(&self.sources(self.sio));
        let to = self.masks.overridden(from);
        let bits = [
            (from.0, GPIO_STATUS_OUTFROMPERI_LSB),
            (to.0, GPIO_STATUS_OUTTOPAD_LSB),
            (from.1, GPIO_STATUS_OEFROMPERI_LSB),
            (to.1, GPIO_STATUS_OETOPAD_LSB),
            (self.masks.pad_inputs(self.levels), GPIO_STATUS_INFROMPAD_LSB),
            (self.inputs, GPIO_STATUS_INTOPERI_LSB),
        ];
        bits.into_iter().fold(0, |status, (pins, lsb)| status | (pins >> pin & 1) << lsb)
    }

    fn sources(&self, sio: (u32, u32)) -> Sources {
        let pios = self.pios.map(|outputs| (outputs.levels, outputs.enables));
        Sources { sio, pios, functions: self.functions }
    }

    pub(in crate::chip) fn write(&mut self, offset: u32, value: u32) -> Option<()> {
        match offset {
            GPIO0_STATUS..=GPIO29_CTRL => {
                let register = index(offset, GPIO0_STATUS);
                // Status registers are read-only.
                if register % 2 == 1 {
                    self.control[register / 2] = value & GPIO_CTRL_BITS;
                    self.note(register / 2);
                }
            }
            INTR0..=INTR3 => self.raised[index(offset, INTR0)] &= !(value & EDGES),
            PROC0_INTE0..=DORMANT_WAKE_INTS3 => {
                let (who, what, n) = split(index(offset, PROC0_INTE0));
                match what {
                    INTE => self.enabled[who][n] = value & bits_of(n),
                    INTF => self.forced[who][n] = value & bits_of(n),
                    _ => {}
                }
            }
            _ => return None,
        }
        Some(())
    }

    pub(in crate::chip) fn read_pads(&self, offset: u32) -> Option<u32> {
        match offset {
            VOLTAGE_SELECT => Some(self.voltage),
            SWCLK => Some(SWCLK_RESET),
            SWD => Some(SWD_RESET),
            _ => self.pads.get(index(offset, PADS_GPIO0)).copied(),
        }
    }

    pub(in crate::chip) fn write_pads(&mut self, offset: u32, value: u32) -> Option<()> {
        match offset {
            VOLTAGE_SELECT => self.voltage = value & VOLTAGE_SELECT_BITS,
            SWCLK | SWD => {}
            _ => {
                let pin = index(offset, PADS_GPIO0);
                *self.pads.get_mut(pin)? = value & PADS_BITS;
                self.note(pin);
            }
        }
        Some(())
    }
}

/// Number of the group of four registers of a core with PROC0_INTE; PROC0_INTF and PROC0_INTS
/// follow.
const INTE: usize = 0;
const INTF: usize = 1;

/// Returns the bits of the interrupt registers for pins from `8 * n` on: the last ones have six pins.
fn bits_of(n: usize) -> u32 {
    if n == PIN_COUNT / 8 { (1 << (4 * (PIN_COUNT % 8))) - 1 } else { u32::MAX }
}

/// Splits the number of an interrupt register into the core, the group (INTE, INTF, INTS), and the
/// group of eight pins.
fn split(register: usize) -> (usize, usize, usize) {
    (register / 12, register % 12 / 4, register % 4)
}

#[cfg(test)]
mod tests {
    use super::registers::{GPIO0_CTRL, PADS_IE, PADS_OD, PADS_PDE, PADS_PUE};
    use super::*;

    const PIN: usize = 9;
    const GPIO9_CTRL: u32 = GPIO0_CTRL + 8 * PIN as u32;
    const PADS_GPIO9: u32 = PADS_GPIO0 + 4 * PIN as u32;
    const PROC0_INTE1: u32 = PROC0_INTE0 + 4;
    const PROC0_INTS1: u32 = PROC0_INTE1 + 0x20;
    const PROC1_INTE1: u32 = PROC0_INTE1 + 0x30;
    const INTR1: u32 = INTR0 + 4;

    /// Sets the pin's control and pad, then checks its level and the level read from it.
    #[track_caller]
    fn check(control: u32, pad: u32, drive: Drive, sio: (u32, u32), level: bool, input: bool) {
        let mut bank = IoBank::default();
        bank.write(GPIO9_CTRL, control);
        bank.write_pads(PADS_GPIO9, pad);
        bank.drive(PIN, drive);
        bank.settle((sio.0 << PIN, sio.1 << PIN));
        assert_eq!(bank.levels() >> PIN & 1 != 0, level, "level");
        assert_eq!(bank.inputs() >> PIN & 1 != 0, input, "input");
    }

    #[test]
    fn an_open_pin_follows_its_pull_and_a_contact_overrides_it() {
        check(5, PADS_IE | PADS_PUE, Drive::Open, (0, 0), true, true);
        check(5, PADS_IE | PADS_PDE, Drive::Open, (0, 0), false, false);
        check(5, PADS_IE | PADS_PUE, Drive::Low, (0, 0), false, false);
        check(5, PADS_PUE, Drive::Open, (0, 0), true, false);
    }

    #[test]
    fn an_output_needs_its_function_and_its_enable() {
        check(5, PADS_IE, Drive::Open, (1, 1), true, true);
        check(5, PADS_IE, Drive::Open, (1, 0), false, false);
        check(31, PADS_IE, Drive::Open, (1, 1), false, false);
        check(5, PADS_IE | PADS_OD, Drive::Open, (1, 1), false, false);
    }

    #[test]
    fn overrides_invert_and_force() {
        check(5 | 1 << 8, PADS_IE, Drive::Open, (1, 1), false, false);
        check(5 | 3 << 8 | 3 << 12, PADS_IE, Drive::Open, (0, 0), true, true);
        check(5 | 1 << 16, PADS_IE, Drive::Low, (0, 0), false, true);
    }

    /// Checks GPIO_STATUS of the pin, which SIO drives, for its control and pad.
    #[track_caller]
    fn check_status(control: u32, pad: u32, sio: (u32, u32), expected: &[u32]) {
        let mut bank = IoBank::default();
        bank.write(GPIO9_CTRL, control);
        bank.write_pads(PADS_GPIO9, pad);
        bank.settle((sio.0 << PIN, sio.1 << PIN));
        let expected = expected.iter().fold(0, |status, lsb| status | 1 << lsb);
        assert_eq!(bank.read(GPIO9_CTRL - 4), Some(expected));
    }

    #[test]
    fn the_status_has_levels_and_enables_before_and_after_the_overrides() {
        use super::registers::{
            GPIO_STATUS_INFROMPAD_LSB as IN_FROM, GPIO_STATUS_INTOPERI_LSB as IN_TO,
            GPIO_STATUS_OEFROMPERI_LSB as OE_FROM, GPIO_STATUS_OETOPAD_LSB as OE_TO,
            GPIO_STATUS_OUTFROMPERI_LSB as OUT_FROM, GPIO_STATUS_OUTTOPAD_LSB as OUT_TO,
        };
        check_status(5, PADS_IE, (1, 1), &[OUT_FROM, OUT_TO, OE_FROM, OE_TO, IN_FROM, IN_TO]);
        check_status(5, PADS_IE, (0, 1), &[OE_FROM, OE_TO]);
        // A pull-up is no output, and a pad without input enable is low.
        check_status(5, PADS_IE | PADS_PUE, (0, 0), &[IN_FROM, IN_TO]);
        check_status(5, PADS_PUE, (0, 0), &[]);
        check_status(31, PADS_IE, (1, 1), &[]);
        // Each override changes the second of its two bits; OD of the pad none.
        check_status(5 | 1 << 8, PADS_IE, (0, 1), &[OUT_TO, OE_FROM, OE_TO, IN_FROM, IN_TO]);
        check_status(5 | 2 << 12, PADS_IE, (1, 1), &[OUT_FROM, OUT_TO, OE_FROM]);
        check_status(5 | 3 << 16, PADS_IE, (0, 1), &[OE_FROM, OE_TO, IN_TO]);
        check_status(5, PADS_IE | PADS_OD, (1, 1), &[OUT_FROM, OUT_TO, OE_FROM, OE_TO]);
    }

    #[test]
    fn a_pin_belongs_to_the_pio_of_its_function() {
        for (function, level) in [(5, false), (6, true), (7, false)] {
            let mut bank = IoBank::default();
            bank.write(GPIO9_CTRL, function);
            let pin = 1 << PIN;
            let first = Outputs { levels: pin, enables: pin };
            bank.set_pios([first, Outputs { levels: 0, enables: pin }]);
            bank.settle((0, pin));
            assert_eq!(bank.levels() & pin != 0, level, "function {function}");
        }
    }

    #[test]
    fn an_edge_interrupts_the_enabled_core_until_it_is_cleared() {
        let mut bank = IoBank::default();
        bank.settle((0, 0));
        bank.write(PROC0_INTE1, 8 << 4); // core 0, GPIO 9: rising
        assert_eq!(bank.read(PROC0_INTE1), Some(8 << 4));
        bank.drive(PIN, Drive::High);
        bank.settle((0, 0));
        assert!(bank.interrupt(0));
        assert!(!bank.interrupt(1));
        assert_eq!(bank.read(PROC0_INTS1), Some(8 << 4));
        bank.write(INTR1, 8 << 4);
        assert!(!bank.interrupt(0));
    }

    #[test]
    fn a_level_interrupts_while_it_lasts() {
        let mut bank = IoBank::default();
        bank.settle((0, 0));
        bank.write(PROC1_INTE1, 1 << 4); // core 1, GPIO 9: low
        assert!(bank.interrupt(1));
        bank.drive(PIN, Drive::High);
        bank.settle((0, 0));
        assert!(!bank.interrupt(1));
    }
}
