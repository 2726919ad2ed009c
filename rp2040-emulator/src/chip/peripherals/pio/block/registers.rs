//! The registers of a PIO (datasheet section 3.7).

use super::{MACHINE_COUNT, Pio};
use crate::chip::peripherals::pio::machine::Machine;

const CTRL: u32 = 0x000;
const FSTAT: u32 = 0x004;
const FDEBUG: u32 = 0x008;
const FLEVEL: u32 = 0x00C;
const TXF: u32 = 0x010;
const TXF_LAST: u32 = 0x01C;
const RXF: u32 = 0x020;
const RXF_LAST: u32 = 0x02C;
const IRQ: u32 = 0x030;
const IRQ_FORCE: u32 = 0x034;
const INPUT_SYNC_BYPASS: u32 = 0x038;
const DBG_PADOUT: u32 = 0x03C;
const DBG_PADOE: u32 = 0x040;
const DBG_CFGINFO: u32 = 0x044;
const INSTR_MEM: u32 = 0x048;
const INSTR_MEM_LAST: u32 = 0x0C4;
const FIRST_MACHINE: u32 = 0x0C8;
const LAST_OF_MACHINES: u32 = 0x124;
const INTR: u32 = 0x128;
const FIRST_INTERRUPT: u32 = 0x12C;
const LAST_INTERRUPT: u32 = 0x140;
/// Bytes of a machine's registers, and of an interrupt line's.
const MACHINE_STRIDE: u32 = 0x18;
const LINE_STRIDE: u32 = 0xC;

/// 32 instructions, four machines, FIFOs of four words.
const CONFIGURATION: u32 = 32 << 16 | 4 << 8 | 4;
/// The interrupts that there are: four flags, room in four FIFOs, words in four.
const INTERRUPTS: u32 = 0xFFF;

/// Whether reading a register changes anything: a word leaves its FIFO.
pub(in crate::chip::peripherals::pio) fn is_disturbed_by_reading(offset: u32) -> bool {
    (RXF..=RXF_LAST).contains(&offset)
}

fn number(offset: u32, first: u32) -> usize {
    (offset - first) as usize / 4
}

impl Pio {
    /// Reads a register in `cycle`; `None` where there is none.
    pub(in crate::chip::peripherals::pio) fn read(
        &mut self,
        offset: u32,
        cycle: u64,
    ) -> Option<u32> {
        Some(match offset {
            CTRL => self.gather(|machine| u32::from(machine.enabled)),
            FSTAT => self.gather(|machine| {
                u32::from(machine.transmit.is_empty()) << 24
                    | u32::from(machine.transmit.is_full()) << 16
                    | u32::from(machine.receive.is_empty()) << 8
                    | u32::from(machine.receive.is_full())
            }),
            FDEBUG => self.gather(Machine::debug),
            FLEVEL => self.machines.iter().rev().fold(0, |levels, machine| {
                levels << 8 | (machine.receive.level() << 4 | machine.transmit.level()) as u32
            }),
            RXF..=RXF_LAST => {
                let word = self.machines[number(offset, RXF)].receive();
                self.touched(cycle);
                word
            }
            IRQ => self.flags.into(),
            INPUT_SYNC_BYPASS => self.bypass,
            DBG_PADOUT => self.outputs.levels,
            DBG_PADOE => self.outputs.enables,
            DBG_CFGINFO => CONFIGURATION,
            // Only to be written.
            TXF..=TXF_LAST | IRQ_FORCE | INSTR_MEM..=INSTR_MEM_LAST => 0,
            FIRST_MACHINE..=LAST_OF_MACHINES => {
                let machine = &self.machines[((offset - FIRST_MACHINE) / MACHINE_STRIDE) as usize];
                match (offset - FIRST_MACHINE) % MACHINE_STRIDE {
                    0x00 => machine.divider.register(),
                    0x04 => machine.exec_control(),
                    0x08 => machine.control.shift(),
                    0x0C => machine.pc(),
                    0x10 => machine.instruction(&self.memory).into(),
                    _ => machine.control.pins(),
                }
            }
            INTR => self.raw_interrupts(),
            FIRST_INTERRUPT..=LAST_INTERRUPT => {
                let line = ((offset - FIRST_INTERRUPT) / LINE_STRIDE) as usize;
                match (offset - FIRST_INTERRUPT) % LINE_STRIDE {
                    0 => self.enabled[line],
                    4 => self.forced[line],
                    _ => self.interrupts(line),
                }
            }
            _ => return None,
        })
    }

    /// Writes a register in `cycle`; `None` where there is none.
    pub(in crate::chip::peripherals::pio) fn write(
        &mut self,
        offset: u32,
        value: u32,
        cycle: u64,
    ) -> Option<()> {
        match offset {
            CTRL => self.control(value, cycle),
            FDEBUG => {
                for (number, machine) in self.machines.iter_mut().enumerate() {
                    machine.clear_debug(value >> number);
                }
            }
            TXF..=TXF_LAST => self.machines[number(offset, TXF)].send(value),
            IRQ => self.flags &= !(value as u8),
            IRQ_FORCE => self.flags |= value as u8,
            INPUT_SYNC_BYPASS => self.bypass = value,
            INSTR_MEM..=INSTR_MEM_LAST => self.memory[number(offset, INSTR_MEM)] = value as u16,
            FIRST_MACHINE..=LAST_OF_MACHINES => {
                let number = ((offset - FIRST_MACHINE) / MACHINE_STRIDE) as usize;
                let machine = &mut self.machines[number];
                match (offset - FIRST_MACHINE) % MACHINE_STRIDE {
                    0x00 => {
                        // Up to now it has run with the old one.
                        machine.divider.next(cycle);
                        machine.divider.set(value);
                    }
                    0x04 => machine.control.set_exec(value),
                    0x08 => machine.set_shift_control(value),
                    0x0C => {}
                    0x10 => machine.force(value as u16),
                    _ => machine.control.set_pins(value),
                }
            }
            FIRST_INTERRUPT..=LAST_INTERRUPT => {
                let line = ((offset - FIRST_INTERRUPT) / LINE_STRIDE) as usize;
                match (offset - FIRST_INTERRUPT) % LINE_STRIDE {
                    0 => self.enabled[line] = value & INTERRUPTS,
                    4 => self.forced[line] = value & INTERRUPTS,
                    _ => {}
                }
            }
            // Only to be read.
            FSTAT | FLEVEL | RXF..=RXF_LAST | DBG_PADOUT..=DBG_CFGINFO | INTR => {}
            _ => return None,
        }
        self.touched(cycle);
        Some(())
    }

    /// The interrupts of line 0 or 1.
    pub(in crate::chip::peripherals::pio) fn interrupts(&self, line: usize) -> u32 {
        self.raw_interrupts() & self.enabled[line] | self.forced[line]
    }

    /// Whether any interrupt can reach a core by itself.
    pub(in crate::chip::peripherals::pio) fn may_interrupt(&self) -> bool {
        self.enabled != [0; 2]
    }

    /// The DMA's requests: four to transmit, four to receive.
    pub(in crate::chip::peripherals::pio) fn requests(&self) -> u32 {
        let raw = self.raw_interrupts();
        raw >> 4 & 0xF | (raw & 0xF) << 4
    }

    /// INTR: words in the receive FIFOs, room in the transmit FIFOs, the lower four flags.
    fn raw_interrupts(&self) -> u32 {
        let fifos = self.gather(|machine| {
            u32::from(!machine.receive.is_empty()) | u32::from(!machine.transmit.is_full()) << 4
        });
        fifos | u32::from(self.flags & 0xF) << 8
    }

    /// CTRL is written.
    fn control(&mut self, value: u32, cycle: u64) {
        for (number, machine) in self.machines.iter_mut().enumerate() {
            machine.enabled = value >> number & 1 != 0;
            if value >> (number + 4) & 1 != 0 {
                machine.restart();
            }
            if value >> (number + 8) & 1 != 0 {
                machine.divider.restart(cycle);
            }
        }
    }

    /// Puts bits of all machines side by side: `bits` has them for machine 0.
    fn gather(&self, bits: impl Fn(&Machine) -> u32) -> u32 {
        let machines = self.machines.iter().take(MACHINE_COUNT).enumerate();
        machines.fold(0, |all, (number, machine)| all | bits(machine) << number)
    }
}
