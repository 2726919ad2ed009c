//! The findings of a chip: the first break of each rule at each place, and the number of breaks.

use super::{Actor, Detail, Finding, Rule};
use crate::cpu::bus::Access;

/// Largest number of places that are stored; this bounds the memory for a program that breaks rules
/// everywhere.
pub const MAX_FINDINGS: usize = 64;

#[derive(Clone, Debug, Default)]
pub(in crate::chip) struct Findings {
    all: Vec<Finding>,
    left_out: u64,
}

impl Findings {
    /// Notes that the instruction of `access` breaks `rule`. An access without a program counter is
    /// the DMA's.
    #[cold]
    #[inline(never)]
    pub(in crate::chip) fn add(&mut self, rule: Rule, access: Access, detail: Option<Detail>) {
        let Access { core, cycle, pc, .. } = access;
        let known = self.all.iter_mut().find(|finding| (finding.rule, finding.pc) == (rule, pc));
        if let Some(finding) = known {
            finding.count += 1;
        } else if self.all.len() < MAX_FINDINGS {
            let actor = if pc == 0 { Actor::Dma } else { Actor::Core(core) };
            self.all.push(Finding { rule, actor, pc, cycle, detail, count: 1 });
        } else {
            self.left_out += 1;
        }
    }

    pub(in crate::chip) fn all(&self) -> &[Finding] {
        &self.all
    }

    /// Number of breaks at places that are not stored.
    pub(in crate::chip) fn left_out(&self) -> u64 {
        self.left_out
    }
}
