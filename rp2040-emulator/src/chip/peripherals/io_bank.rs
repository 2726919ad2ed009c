//! The pins: bank 0's function selects, overrides and interrupts, and its pads (datasheet
//! sections 2.19.1 to 2.19.6).
//!
//! A pin that nobody drives follows its pull; without one it reads low. SIO and the PIOs drive the
//! pins of their functions; no other function drives any.

mod masks;

use super::pio::Outputs;
use masks::{Masks, Sources};

/// GPIO 0 to 29.
pub const PIN_COUNT: usize = 30;

/// Pads after reset: input on, Schmitt trigger, pull-down, 4 mA.
const PAD_RESET: u32 = 0x56;
const PULL_DOWN: u32 = 1 << 2;
const PULL_UP: u32 = 1 << 3;
const INPUT_ENABLE: u32 = 1 << 6;
const OUTPUT_DISABLE: u32 = 1 << 7;
/// The two edges of each of a register's eight pins: they stay raised until they are cleared.
const EDGES: u32 = 0xCCCC_CCCC;

/// What drives a pin from outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Drive {
    /// Nothing: an open contact.
    #[default]
    Open,
    /// Tied to ground.
    Low,
    /// Tied to the supply.
    High,
}

#[derive(Clone, Debug)]
pub(in crate::chip) struct IoBank {
    control: [u32; PIN_COUNT],
    pads: [u32; PIN_COUNT],
    voltage: u32,
    drives: [Drive; PIN_COUNT],
    /// What the registers and drives above come to.
    masks: Masks,
    /// What the PIOs drive.
    pios: [Outputs; 2],
    /// The pads' levels, bit n is GPIO n.
    levels: u32,
    /// What the core reads: levels with input enables and overrides.
    inputs: u32,
    /// Latched edges, four registers of eight pins.
    raised: [u32; 4],
    /// For core 0, core 1 and the wake from dormant: enables and forces.
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
            control: [0x1F; PIN_COUNT],
            pads: [PAD_RESET; PIN_COUNT],
            voltage: 0,
            drives,
            masks: Masks::default(),
            pios: [Outputs::default(); 2],
            levels: 0,
            inputs: 0,
            raised: [0; 4],
            enabled: [[0; 4]; 3],
            forced: [[0; 4]; 3],
        };
        for pin in 0..PIN_COUNT {
            bank.note(pin);
        }
        bank
    }

    /// The same pins after a reset: what drives them stays.
    pub(in crate::chip) fn after_reset(&self) -> Self {
        Self { pios: self.pios, ..Self::new(self.drives) }
    }

    /// A pin's registers or its drive have changed.
    fn note(&mut self, pin: usize) {
        self.masks.set(pin, self.control[pin], self.pads[pin], self.drives[pin]);
    }

    pub(in crate::chip) fn drive(&mut self, pin: usize, drive: Drive) {
        if let Some(slot) = self.drives.get_mut(pin) {
            *slot = drive;
            self.note(pin);
        }
    }

    /// The PIOs drive this from the next [`settle`](Self::settle) on.
    pub(in crate::chip) fn set_pios(&mut self, outputs: [Outputs; 2]) {
        self.pios = outputs;
    }

    /// Whether a pin that a PIO can drive may interrupt a core.
    pub(in crate::chip) fn listens_to_pios(&self) -> bool {
        let pins = self.masks.of_pios();
        let listens = |register: usize| {
            let enabled = self.enabled[0][register] | self.enabled[1][register];
            (0..8).any(|n| enabled >> (n * 4) & 0xF != 0 && pins >> (register * 8 + n) & 1 != 0)
        };
        pins != 0 && (0..4).any(listens)
    }

    /// The pads' levels, bit n is GPIO n.
    pub(in crate::chip) fn levels(&self) -> u32 {
        self.levels
    }

    /// FUNCSEL of a pin.
    pub(in crate::chip) fn function(&self, pin: usize) -> Option<u32> {
        self.control.get(pin).map(|control| control & 0x1F)
    }

    /// What GPIO_IN reads.
    pub(in crate::chip) fn inputs(&self) -> u32 {
        self.inputs
    }

    /// Computes the levels anew from what SIO and the PIOs drive; latches edges. True if a level
    /// changed.
    pub(in crate::chip) fn settle(&mut self, sio: (u32, u32)) -> bool {
        let before = (self.levels, self.inputs);
        let pios = self.pios.map(|outputs| (outputs.levels, outputs.enables));
        (self.levels, self.inputs) = self.masks.levels(&Sources { sio, pios });
        let (fallen, risen) = (before.1 & !self.inputs, !before.1 & self.inputs);
        let mut moved = fallen | risen;
        while moved != 0 {
            let pin = moved.trailing_zeros() as usize;
            moved &= moved - 1;
            let edges = (fallen >> pin & 1) << 2 | (risen >> pin & 1) << 3;
            self.raised[pin / 8] |= edges << (pin % 8 * 4);
        }
        before.0 != self.levels
    }

    /// The four conditions of each pin of a register: level low, level high, the two edges.
    fn status(&self, register: usize) -> u32 {
        let levels = (0..8).filter(|n| register * 8 + n < PIN_COUNT).fold(0, |status, n| {
            let high = self.inputs >> (register * 8 + n) & 1;
            status | (1 << high) << (n * 4)
        });
        self.raised[register] | levels
    }

    /// IO_IRQ_BANK0 of a core.
    pub(in crate::chip) fn interrupt(&self, core: u8) -> bool {
        let core = usize::from(core & 1);
        (0..4).any(|register| {
            let (enabled, forced) = (self.enabled[core][register], self.forced[core][register]);
            enabled | forced != 0 && self.status(register) & enabled | forced != 0
        })
    }

    pub(in crate::chip) fn read(&self, offset: u32) -> Option<u32> {
        let register = offset as usize / 4;
        Some(match offset {
            0x00..=0xEC => {
                let pin = register / 2;
                match register % 2 {
                    // The level to the pad, and the level from it before and behind the override.
                    0 => {
                        let level = self.levels >> pin & 1;
                        let seen = self.inputs >> pin & 1;
                        level << 9 | level << 17 | seen << 19
                    }
                    _ => self.control[pin],
                }
            }
            0xF0..=0xFC => self.status(register - 0x3C),
            0x100..=0x18C => {
                let (who, what, n) = split(register - 0x40);
                match what {
                    0 => self.enabled[who][n],
                    1 => self.forced[who][n],
                    _ => self.status(n) & self.enabled[who][n] | self.forced[who][n],
                }
            }
            _ => return None,
        })
    }

    pub(in crate::chip) fn write(&mut self, offset: u32, value: u32) -> Option<()> {
        let register = offset as usize / 4;
        match offset {
            0x00..=0xEC if register.is_multiple_of(2) => {}
            0x00..=0xEC => {
                self.control[register / 2] = value & 0x3003_331F;
                self.note(register / 2);
            }
            0xF0..=0xFC => self.raised[register - 0x3C] &= !(value & EDGES),
            0x100..=0x18C => {
                let (who, what, n) = split(register - 0x40);
                match what {
                    0 => self.enabled[who][n] = value,
                    1 => self.forced[who][n] = value,
                    _ => {}
                }
            }
            _ => return None,
        }
        Some(())
    }

    pub(in crate::chip) fn read_pads(&self, offset: u32) -> Option<u32> {
        match offset {
            0 => Some(self.voltage),
            // SWCLK and SWD stand behind the pins.
            0x7C | 0x80 => Some(0xDA),
            _ => self.pads.get(offset as usize / 4 - 1).copied(),
        }
    }

    pub(in crate::chip) fn write_pads(&mut self, offset: u32, value: u32) -> Option<()> {
        match offset {
            0 => self.voltage = value & 1,
            0x7C | 0x80 => {}
            _ => {
                let pin = offset as usize / 4 - 1;
                *self.pads.get_mut(pin)? = value & 0xFF;
                self.note(pin);
            }
        }
        Some(())
    }
}

/// Whose interrupt register it is, whether enables, forces or status, and of which eight pins.
fn split(register: usize) -> (usize, usize, usize) {
    (register / 12, register % 12 / 4, register % 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PIN: usize = 9;
    const CONTROL: u32 = 8 * PIN as u32 + 4;
    const PAD: u32 = 4 + 4 * PIN as u32;

    /// Sets the pin's control and pad, then compares its level and what is read of it.
    #[track_caller]
    fn check(control: u32, pad: u32, drive: Drive, sio: (u32, u32), level: bool, input: bool) {
        let mut bank = IoBank::default();
        bank.write(CONTROL, control);
        bank.write_pads(PAD, pad);
        bank.drive(PIN, drive);
        bank.settle((sio.0 << PIN, sio.1 << PIN));
        assert_eq!(bank.levels() >> PIN & 1 != 0, level, "level");
        assert_eq!(bank.inputs() >> PIN & 1 != 0, input, "input");
    }

    #[test]
    fn an_open_pin_follows_its_pull_and_a_contact_pulls_harder() {
        check(5, INPUT_ENABLE | PULL_UP, Drive::Open, (0, 0), true, true);
        check(5, INPUT_ENABLE | PULL_DOWN, Drive::Open, (0, 0), false, false);
        check(5, INPUT_ENABLE | PULL_UP, Drive::Low, (0, 0), false, false);
        check(5, PULL_UP, Drive::Open, (0, 0), true, false);
    }

    #[test]
    fn an_output_needs_its_function_and_its_enable() {
        check(5, INPUT_ENABLE, Drive::Open, (1, 1), true, true);
        check(5, INPUT_ENABLE, Drive::Open, (1, 0), false, false);
        check(31, INPUT_ENABLE, Drive::Open, (1, 1), false, false);
        check(5, INPUT_ENABLE | OUTPUT_DISABLE, Drive::Open, (1, 1), false, false);
    }

    #[test]
    fn overrides_invert_and_force() {
        check(5 | 1 << 8, INPUT_ENABLE, Drive::Open, (1, 1), false, false);
        check(5 | 3 << 8 | 3 << 12, INPUT_ENABLE, Drive::Open, (0, 0), true, true);
        check(5 | 1 << 16, INPUT_ENABLE, Drive::Low, (0, 0), false, true);
    }

    #[test]
    fn a_pin_belongs_to_the_pio_of_its_function() {
        for (function, level) in [(5, false), (6, true), (7, false)] {
            let mut bank = IoBank::default();
            bank.write(CONTROL, function);
            let pin = 1 << PIN;
            let first = Outputs { levels: pin, enables: pin };
            bank.set_pios([first, Outputs { levels: 0, enables: pin }]);
            bank.settle((0, pin));
            assert_eq!(bank.levels() & pin != 0, level, "function {function}");
        }
    }

    #[test]
    fn an_edge_interrupts_the_core_that_wants_it_until_it_is_cleared() {
        let mut bank = IoBank::default();
        bank.settle((0, 0));
        bank.write(0x104, 8 << 4); // core 0, GPIO 9: rising
        assert_eq!(bank.read(0x104), Some(8 << 4));
        bank.drive(PIN, Drive::High);
        bank.settle((0, 0));
        assert!(bank.interrupt(0));
        assert!(!bank.interrupt(1));
        assert_eq!(bank.read(0x124), Some(8 << 4));
        bank.write(0xF4, 8 << 4);
        assert!(!bank.interrupt(0));
    }

    #[test]
    fn a_level_interrupts_while_it_lasts() {
        let mut bank = IoBank::default();
        bank.settle((0, 0));
        bank.write(0x134, 1 << 4); // core 1, GPIO 9: low
        assert!(bank.interrupt(1));
        bank.drive(PIN, Drive::High);
        bank.settle((0, 0));
        assert!(!bank.interrupt(1));
    }
}
