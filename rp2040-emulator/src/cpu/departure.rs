//! The ways in which a core leaves a block, as far as they tell functions apart.

use super::instruction::Instruction;

/// How an operation leaves its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Departure {
    /// To another operation, or to another function by a branch.
    Any,
    /// By a call.
    Call,
    /// To an address in a register or on the stack.
    Indirect,
}

impl Departure {
    /// Returns how a core leaves `instruction`, which does not end its flow otherwise.
    pub(crate) fn of(instruction: Instruction) -> Self {
        use Instruction as I;
        match instruction {
            I::Bl { .. } | I::Blx { .. } => Self::Call,
            I::Bx { .. } | I::PopPc { .. } | I::MovToPc { .. } | I::AddToPc { .. } => {
                Self::Indirect
            }
            _ => Self::Any,
        }
    }
}
