//! Reads and writes of a PIO's registers (datasheet section 3.7).

use super::{MACHINE_COUNT, Pio};
use crate::chip::peripherals::array::index;
use crate::chip::peripherals::pio::machine::{Machine, Paths};
use crate::chip::peripherals::pio::registers::*;

impl Pio {
    /// Reads a register in `cycle`; `None` if there is none at `offset`.
    pub(in crate::chip::peripherals::pio) fn read(
        &mut self,
        offset: u32,
        cycle: u64,
    ) -> Option<u32> {
        Some(match offset {
            CTRL => self.gather(|machine| u32::from(machine.enabled)),
            FSTAT => self.gather(|machine| {
                u32::from(machine.transmit.is_empty()) << FSTAT_TXEMPTY_LSB
                    | u32::from(machine.transmit.is_full()) << FSTAT_TXFULL_LSB
                    | u32::from(machine.receive.is_empty()) << FSTAT_RXEMPTY_LSB
                    | u32::from(machine.receive.is_full()) << FSTAT_RXFULL_LSB
            }),
            FDEBUG => self.gather(Machine::debug),
            FLEVEL => self.machines.iter().rev().fold(0, |levels, machine| {
                levels << FLEVEL_STRIDE
                    | (machine.receive.level() << FLEVEL_RX0_LSB | machine.transmit.level()) as u32
            }),
            RXF0..=RXF3 => {
                let word = self.machines[index(offset, RXF0)].receive();
                self.touched(cycle);
                word
            }
            IRQ => self.flags.into(),
            INPUT_SYNC_BYPASS => self.bypass,
            DBG_PADOUT => self.outputs.levels & DBG_PAD_BITS,
            DBG_PADOE => self.outputs.enables & DBG_PAD_BITS,
            DBG_CFGINFO => DBG_CFGINFO_VALUE,
            // Write-only.
            TXF0..=TXF3 | IRQ_FORCE | INSTR_MEM0..=INSTR_MEM31 => 0,
            SM0_CLKDIV..=SM3_PINCTRL => {
                self.catch_up(cycle);
                self.schedule(cycle);
                let machine = &self.machines[((offset - SM0_CLKDIV) / SM_STRIDE) as usize];
                match (offset - SM0_CLKDIV) % SM_STRIDE {
                    SM_CLKDIV => machine.divider.register(),
                    SM_EXECCTRL => machine.exec_control(),
                    SM_SHIFTCTRL => machine.control.shift(),
                    SM_ADDR => machine.pc(),
                    SM_INSTR => machine.instruction(&self.memory).into(),
                    _ => machine.control.pins(),
                }
            }
            INTR => self.raw,
            IRQ0_INTE..=IRQ1_INTS => {
                let line = ((offset - IRQ0_INTE) / IRQ_STRIDE) as usize;
                match (offset - IRQ0_INTE) % IRQ_STRIDE {
                    IRQ_INTE => self.enabled[line],
                    IRQ_INTF => self.forced[line],
                    _ => self.interrupts(line),
                }
            }
            _ => return None,
        })
    }

    /// Writes a register in `cycle`; `None` if there is none at `offset`.
    pub(in crate::chip::peripherals::pio) fn write(
        &mut self,
        offset: u32,
        value: u32,
        cycle: u64,
    ) -> Option<()> {
        if let TXF0..=TXF3 = offset {
            self.send(index(offset, TXF0), value, cycle);
            return Some(());
        }
        // Until now the machines have run with the old values.
        self.catch_up(cycle);
        self.paths = Paths::default();
        match offset {
            CTRL => self.control(value, cycle),
            FDEBUG => {
                for (number, machine) in self.machines.iter_mut().enumerate() {
                    machine.clear_debug(value >> number);
                }
            }
            IRQ => self.flags &= !(value as u8),
            IRQ_FORCE => self.flags |= value as u8,
            INPUT_SYNC_BYPASS => self.bypass = value,
            INSTR_MEM0..=INSTR_MEM31 => self.memory[index(offset, INSTR_MEM0)] = value as u16,
            SM0_CLKDIV..=SM3_PINCTRL => {
                let number = ((offset - SM0_CLKDIV) / SM_STRIDE) as usize;
                let machine = &mut self.machines[number];
                match (offset - SM0_CLKDIV) % SM_STRIDE {
                    SM_CLKDIV => {
                        // Until now the divider has run with the old value.
                        machine.divider.next(cycle);
                        machine.divider.set(value);
                    }
                    SM_EXECCTRL => machine.control.set_exec(value),
                    SM_SHIFTCTRL => machine.set_shift_control(value),
                    SM_ADDR => {}
                    SM_INSTR => machine.force(value as u16),
                    _ => machine.control.set_pins(value),
                }
            }
            IRQ0_INTE..=IRQ1_INTS => {
                let line = ((offset - IRQ0_INTE) / IRQ_STRIDE) as usize;
                match (offset - IRQ0_INTE) % IRQ_STRIDE {
                    IRQ_INTE => self.enabled[line] = value & INTR_BITS,
                    IRQ_INTF => self.forced[line] = value & INTR_BITS,
                    _ => {}
                }
            }
            // Read-only.
            FSTAT | FLEVEL | TXF0..=RXF3 | DBG_PADOUT..=DBG_CFGINFO | INTR => {}
            _ => return None,
        }
        self.touched(cycle);
        if !(RXF0..=RXF3).contains(&offset) {
            self.note_reads();
        }
        Some(())
    }

    /// Writes a word to the transmit FIFO of a machine, which affects no other machine.
    fn send(&mut self, number: usize, word: u32, cycle: u64) {
        let machine = &mut self.machines[number % MACHINE_COUNT];
        machine.catch_up(cycle, &self.memory);
        machine.send(word);
        machine.wake(cycle, &self.memory);
        self.dues[number] = machine.due(cycle);
        self.note_machine(number);
        self.settle(cycle);
    }

    /// Returns the interrupts of line 0 or 1.
    pub(in crate::chip::peripherals::pio) fn interrupts(&self, line: usize) -> u32 {
        self.raw & self.enabled[line] | self.forced[line]
    }

    /// Returns the interrupts that are enabled for a line.
    pub(in crate::chip::peripherals::pio) fn enabled(&self) -> u32 {
        self.enabled[0] | self.enabled[1]
    }

    /// Returns whether any interrupt that the machines can raise is enabled.
    pub(in crate::chip::peripherals::pio) fn may_interrupt(&self) -> bool {
        self.enabled != [0; 2]
    }

    /// Returns the DMA's requests: four to transmit, four to receive.
    pub(in crate::chip::peripherals::pio) fn requests(&self) -> u32 {
        let transmit = self.raw >> INTR_SM0_TXNFULL_LSB & 0xF;
        let receive = self.raw >> INTR_SM0_RXNEMPTY_LSB & 0xF;
        transmit | receive << 4
    }

    /// Returns INTR: words in the receive FIFOs, room in the transmit FIFOs, the lower four flags.
    pub(super) fn raw_interrupts(&self) -> u32 {
        self.gather(Machine::interrupts) | u32::from(self.flags & 0xF) << INTR_SM0_LSB
    }

    /// Writes CTRL.
    fn control(&mut self, value: u32, cycle: u64) {
        for (number, machine) in self.machines.iter_mut().enumerate() {
            machine.enabled = value >> number & 1 != 0;
            if value >> (number + CTRL_SM_RESTART_LSB) & 1 != 0 {
                machine.restart();
            }
            if value >> (number + CTRL_CLKDIV_RESTART_LSB) & 1 != 0 {
                machine.divider.restart(cycle);
            }
        }
    }

    /// Combines bits of all machines side by side; `bits` returns them as for machine 0.
    pub(super) fn gather(&self, bits: impl Fn(&Machine) -> u32) -> u32 {
        let machines = self.machines.iter().take(MACHINE_COUNT).enumerate();
        machines.fold(0, |all, (number, machine)| all | bits(machine) << number)
    }
}
