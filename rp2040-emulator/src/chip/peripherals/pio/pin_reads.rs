//! The pins that the machines read: the chip then gives these pins levels if they have other
//! functions.
//!
//! All machines of a block share its 32 instructions, so each is assumed to execute all of them.
//! The result can contain too many pins, but never misses one, except for an instruction that OUT
//! or MOV creates from data.

use super::Pios;
use super::block::Pio;
use super::machine::Machine;

const ALL: u32 = u32::MAX;

impl Pios {
    /// Returns the pins that enabled machines may read.
    pub(in crate::chip) fn read_pins(&self) -> u32 {
        self.blocks.iter().fold(0, |pins, pio| pins | pio.read_pins())
    }
}

impl Pio {
    /// Returns the pins that machines that run may read.
    pub(super) fn read_pins(&self) -> u32 {
        let enabled = self.machines().iter().filter(|machine| machine.runs());
        enabled.fold(0, |pins, machine| {
            let all = self.memory().iter().copied().chain(machine.forced());
            all.fold(pins, |pins, instruction| pins | reads_in(machine, instruction))
        })
    }
}

/// Returns the pins that `machine` reads in `instruction` (datasheet section 3.4).
fn reads_in(machine: &Machine, instruction: u16) -> u32 {
    let (base, argument) = (machine.control.in_base(), u32::from(instruction));
    match (instruction >> 13, instruction >> 5 & 7) {
        // JMP PIN
        (0b000, 6) => 1 << machine.control.jump_pin(),
        // WAIT GPIO, with either polarity
        (0b001, 0 | 4) => 1 << (argument & 0x1F),
        // WAIT PIN
        (0b001, 1 | 5) => 1 << ((base + (argument & 0x1F)) % 32),
        // IN PINS; a count of 0 is 32
        (0b010, 0) => match argument & 0x1F {
            0 => ALL,
            count => ((1_u32 << count) - 1).rotate_left(base),
        },
        // MOV from PINS
        (0b101, _) if argument & 7 == 0 => ALL,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CTRL: u32 = 0;
    const INSTR_MEM3: u32 = 0x54;
    const SM1_EXECCTRL: u32 = 0xE4;
    const SM1_PINCTRL: u32 = 0xF4;

    /// Checks that machine 1, whose inputs begin at pin 28 and whose JMP PIN is 9, may read `pins`
    /// if the program has `instruction`.
    #[track_caller]
    fn check(instruction: u32, pins: u32) {
        let mut pios = Pios::default();
        pios.write(1, INSTR_MEM3, instruction);
        pios.write(1, SM1_EXECCTRL, 9 << 24);
        pios.write(1, SM1_PINCTRL, 28 << 15);
        assert_eq!(pios.read_pins(), 0, "no machine is enabled");
        pios.write(1, CTRL, 1 << 1);
        assert_eq!(pios.read_pins(), pins, "{instruction:#06x}");
    }

    #[test]
    fn a_machine_reads_the_pins_of_its_instructions() {
        check(0x00C5, 1 << 9); // jmp pin, 5
        check(0x0045, 0); // jmp x--, 5
        check(0x2091, 1 << 17); // wait 1 gpio, 17
        check(0x2011, 1 << 17); // wait 0 gpio, 17
        check(0x20A5, 1 << 1); // wait 1 pin, 5
        check(0x20C5, 0); // wait 1 irq, 5
        check(0x4006, 0xF000_0003); // in pins, 6
        check(0x4000, ALL); // in pins, 32
        check(0x4026, 0); // in x, 6
        check(0xA020, ALL); // mov x, pins
        check(0xA022, 0); // mov x, y
        check(0x6006, 0); // out pins, 6
    }
}
