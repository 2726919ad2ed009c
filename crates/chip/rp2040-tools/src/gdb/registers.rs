//! Registers of a Cortex-M0+ in GDB's layout: with the M profile's status register and both stack
//! pointers, so that GDB can unwind exceptions.
//!
//! `gdbstub_arch` has the registers of larger cores only: their CPSR has other bits, and their
//! exceptions stack nothing.

use gdbstub::arch::{Arch, Registers};
use gdbstub_arch::arm::ArmBreakpointKind;
use rp2040_emulator::cpu::Cpu;

/// Number of registers: R0 to R15, xPSR, MSP and PSP.
const COUNT: usize = 19;
const XPSR: usize = 16;
const PC: usize = 15;
const MSP: usize = 17;
const PSP: usize = 18;

/// GDB's description of an ARMv6-M core.
pub enum CortexM0 {}

impl Arch for CortexM0 {
    type Usize = u32;
    type Registers = CoreRegisters;
    type RegId = ();
    type BreakpointKind = ArmBreakpointKind;

    /// Returns the features as GDB defines them (manual, G.5.3); 25 is the number that it gives to
    /// xPSR.
    fn target_description_xml() -> Option<&'static str> {
        Some(
            r#"<?xml version="1.0"?><!DOCTYPE target SYSTEM "gdb-target.dtd"><target version="1.0"><architecture>armv6s-m</architecture><feature name="org.gnu.gdb.arm.m-profile"><reg name="r0" bitsize="32"/><reg name="r1" bitsize="32"/><reg name="r2" bitsize="32"/><reg name="r3" bitsize="32"/><reg name="r4" bitsize="32"/><reg name="r5" bitsize="32"/><reg name="r6" bitsize="32"/><reg name="r7" bitsize="32"/><reg name="r8" bitsize="32"/><reg name="r9" bitsize="32"/><reg name="r10" bitsize="32"/><reg name="r11" bitsize="32"/><reg name="r12" bitsize="32"/><reg name="sp" bitsize="32" type="data_ptr"/><reg name="lr" bitsize="32"/><reg name="pc" bitsize="32" type="code_ptr"/><reg name="xpsr" bitsize="32" regnum="25"/></feature><feature name="org.gnu.gdb.arm.m-system"><reg name="msp" bitsize="32" type="data_ptr"/><reg name="psp" bitsize="32" type="data_ptr"/></feature></target>"#,
        )
    }
}

/// Registers of a core, in the order of the description above.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoreRegisters([u32; COUNT]);

impl CoreRegisters {
    /// Reads the registers of `core`.
    pub fn of(core: &Cpu) -> Self {
        Self(std::array::from_fn(|number| match number {
            PC => core.pc(),
            XPSR => core.xpsr(),
            MSP => core.stack_pointer(false),
            PSP => core.stack_pointer(true),
            _ => core.register(number),
        }))
    }

    /// Returns whether a debugger may change these registers to those of `other`: xPSR must not
    /// change.
    pub fn can_change_to(&self, other: &Self) -> bool {
        self.0[XPSR] == other.0[XPSR]
    }

    /// Writes the registers that differ to `core`. SP is the same as MSP or PSP; if both were
    /// changed, SP takes precedence.
    pub fn put(&self, core: &mut Cpu) {
        let before = Self::of(core);
        let pointers = [(MSP, false), (PSP, true)];
        for (number, process) in pointers {
            if self.0[number] != before.0[number] {
                core.set_stack_pointer(process, self.0[number]);
            }
        }
        for number in 0..=PC {
            if self.0[number] != before.0[number] {
                core.set_register(number, self.0[number]);
            }
        }
    }
}

impl Registers for CoreRegisters {
    type ProgramCounter = u32;

    fn pc(&self) -> u32 {
        self.0[PC]
    }

    fn gdb_serialize(&self, mut write_byte: impl FnMut(Option<u8>)) {
        self.0.iter().flat_map(|value| value.to_le_bytes()).for_each(|byte| write_byte(Some(byte)));
    }

    fn gdb_deserialize(&mut self, bytes: &[u8]) -> Result<(), ()> {
        let (words, rest) = bytes.as_chunks::<4>();
        if words.len() != COUNT || !rest.is_empty() {
            return Err(());
        }
        for (register, word) in self.0.iter_mut().zip(words) {
            *register = u32::from_le_bytes(*word);
        }
        Ok(())
    }
}
