//! Reports of accesses to registers that are not modelled: the first one to each address.

use std::fmt;

use crate::cpu::bus::Access;
use crate::registers::register_name;

/// Largest number of reports that are stored; this bounds the memory for a program that accesses
/// many addresses.
pub const MAX_REPORTS: usize = 256;

/// An access to a register that is not modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotModelled {
    /// Name of the block.
    pub what: &'static str,
    /// The first access to the address.
    pub access: Access,
    /// Whether the access was a write.
    pub write: bool,
}

/// Uses the datasheet's name of the register, if it has one.
impl fmt::Display for NotModelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Access { core, address, cycle, pc, .. } = self.access;
        let verb = if self.write { "writes" } else { "reads" };
        write!(
            f,
            "{} is not modelled: core {core} {verb} 0x{address:08x} at 0x{pc:08x}, cycle {cycle}",
            self.what
        )?;
        match register_name(address) {
            Some(register) => write!(f, ", {register}"),
            None => Ok(()),
        }
    }
}

/// The reports, at most one for each address and direction.
#[derive(Clone, Debug, Default)]
pub(super) struct Reports(Vec<NotModelled>);

impl Reports {
    pub(super) fn add(&mut self, what: &'static str, access: Access, write: bool) {
        let known =
            |report: &NotModelled| report.access.address == access.address && report.write == write;
        if self.0.len() < MAX_REPORTS && !self.0.iter().any(known) {
            self.0.push(NotModelled { what, access, write });
        }
    }

    pub(super) fn all(&self) -> &[NotModelled] {
        &self.0
    }
}
