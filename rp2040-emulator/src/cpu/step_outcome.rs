//! What one step of a core does.

/// What a core has done in one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Did {
    /// Executed the instruction that the program counter stood on.
    Instruction,
    /// Failed at that instruction: HardFault is pending, or the core has locked up.
    Fault,
    /// Stacked its registers and gone to the handler of an exception.
    Entry,
}
