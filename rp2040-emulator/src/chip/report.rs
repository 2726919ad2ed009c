//! Reports of accesses to registers that are not modelled: the first one to each address.

use std::fmt;

use crate::cpu::bus::Access;
use crate::registers::register_name;

/// Largest number of reports that are stored; this bounds the memory for a program that accesses
/// many addresses.
pub const MAX_REPORTS: usize = 256;

/// An access to a register that is not modelled, or accesses of one instruction to registers that
/// follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotModelled {
    /// Name of the block.
    pub what: &'static str,
    /// The first access to the address.
    pub access: Access,
    /// Whether the access was a write.
    pub write: bool,
    /// Address of the last register.
    pub last: u32,
}

/// Uses the datasheet's name of the register, if it has one.
impl fmt::Display for NotModelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Access { core, address, cycle, pc, .. } = self.access;
        let verb = if self.write { "writes" } else { "reads" };
        let region = match self.last {
            last if last == address => String::new(),
            last => format!(" to 0x{last:08x}"),
        };
        write!(
            f,
            "{} is not modelled: core {core} {verb} 0x{address:08x}{region} at 0x{pc:08x}, cycle {cycle}",
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
        let address = access.address;
        let known = |report: &NotModelled| {
            (report.access.address..=report.last).contains(&address) && report.write == write
        };
        if self.0.iter().any(known) {
            return;
        }
        // A loop that clears a region is one report.
        let follows = |report: &&mut NotModelled| {
            let is_next = address.wrapping_sub(report.last) == 4;
            is_next && report.write == write && report.what == what && report.access.pc == access.pc
        };
        if let Some(report) = self.0.iter_mut().find(follows) {
            report.last = address;
        } else if self.0.len() < MAX_REPORTS {
            self.0.push(NotModelled { what, access, write, last: address });
        }
    }

    pub(super) fn all(&self) -> &[NotModelled] {
        &self.0
    }
}
