//! Faults: the reason, and the state of the core.
//!
//! ARMv6-M has one fault, HardFault, and gives the program no reason. The emulator records the
//! reason in a [`CoreFault`] for reports.

use std::fmt;

use super::exception::Exception;
use crate::cpu::disassemble::{disassemble, name};
use crate::cpu::instruction::{Instruction, Register};

/// Why the core took a HardFault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoreFaultKind {
    /// A load or store that is not aligned to its width.
    Unaligned { address: u32 },
    /// A load from an address without a device, or with the wrong width or privilege.
    Load { address: u32 },
    /// A store to an address without a device, or with the wrong width or privilege.
    Store { address: u32 },
    /// An access that the memory protection unit does not permit.
    Protected { address: u32 },
    /// The address of the next instruction is not in memory.
    Fetch,
    /// An encoding that ARMv6-M leaves undefined or unpredictable.
    Undefined,
    /// A branch to an address with the Thumb bit clear.
    NotThumb,
    /// BKPT without a debugger.
    Breakpoint { number: u8 },
    /// SVC at a priority that forbids the SVCall handler.
    SupervisorCall,
    /// A return from an exception that is not the one being handled.
    ExceptionReturn { value: u32 },
    /// An exception's frame could not be written to the stack.
    Stacking { address: u32 },
    /// An exception's frame could not be read back.
    Unstacking { address: u32 },
    /// The vector table could not be read.
    Vector { address: u32 },
}

impl fmt::Display for CoreFaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unaligned { address } => write!(f, "unaligned access to 0x{address:08x}"),
            Self::Load { address } => write!(f, "bus error reading 0x{address:08x}"),
            Self::Store { address } => write!(f, "bus error writing 0x{address:08x}"),
            Self::Protected { address } => {
                write!(f, "access to 0x{address:08x}, which the MPU protects")
            }
            Self::Fetch => f.write_str("no memory to execute from"),
            Self::Undefined => f.write_str("undefined instruction"),
            Self::NotThumb => f.write_str("branch to an even address, which is not Thumb code"),
            Self::Breakpoint { number } => write!(f, "BKPT #{number} without a debugger"),
            Self::SupervisorCall => f.write_str("SVC at a priority that forbids its handler"),
            Self::ExceptionReturn { value } => {
                write!(f, "return from an exception with the wrong value 0x{value:08x}")
            }
            Self::Stacking { address } => {
                write!(f, "bus error writing an exception's frame to 0x{address:08x}")
            }
            Self::Unstacking { address } => {
                write!(f, "bus error reading an exception's frame from 0x{address:08x}")
            }
            Self::Vector { address } => write!(f, "no vector at 0x{address:08x}"),
        }
    }
}

/// A fault with the state of the core at that time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoreFault {
    pub kind: CoreFaultKind,
    /// Address of the instruction.
    pub pc: u32,
    /// The instruction, if there is memory at its address.
    pub instruction: Option<Instruction>,
    /// R0 to R14, and `pc` as R15.
    pub registers: [u32; 16],
    /// Flags, Thumb bit, exception number.
    pub xpsr: u32,
    /// Number of the core.
    pub core: u8,
    /// The core's cycle count.
    pub cycle: u64,
    /// Whether the fault occurred in HardFault or NMI, so that the core locked up.
    pub lockup: bool,
    /// For a HardFault whose frame could not be written to the stack, the first address that was
    /// refused. The handler finds an incomplete frame.
    pub lost_frame: Option<u32>,
    /// For a lockup, the HardFault in whose handler the fault occurred.
    pub cause: Option<Box<CoreFault>>,
}

impl CoreFault {
    /// Returns the cycle at which it began: for a lockup, that of the fault that led to it.
    pub fn began(&self) -> u64 {
        self.cause.as_deref().map_or(self.cycle, Self::began)
    }
}

impl fmt::Display for CoreFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, pc, core, cycle, .. } = self;
        let what = if self.lockup { "lockup" } else { "HardFault" };
        writeln!(f, "{what} on core {core} at 0x{pc:08x}, cycle {cycle}: {kind}")?;
        if let Some(instruction) = self.instruction {
            writeln!(f, "  0x{pc:08x}  {}", disassemble(instruction, *pc))?;
        }
        for (row, values) in (0..).step_by(4).zip(self.registers.chunks(4)) {
            for (number, value) in (row..).zip(values) {
                write!(f, "  {:>3} {value:08x}", name(Register::new(number)))?;
            }
            writeln!(f)?;
        }
        if let Some(address) = self.lost_frame {
            writeln!(f, "  the stack has no room for the fault's frame: 0x{address:08x}")?;
        }
        let flags: String = "NZCV"
            .chars()
            .enumerate()
            .map(|(bit, flag)| if self.xpsr << bit >> 31 != 0 { flag } else { '-' })
            .collect();
        match Exception::new(self.xpsr as u8 & 0x3F) {
            Some(exception) => write!(f, "  flags {flags}, in {exception}"),
            None => write!(f, "  flags {flags}, in thread mode"),
        }
    }
}
