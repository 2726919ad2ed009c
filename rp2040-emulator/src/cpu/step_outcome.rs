//! The outcome of one step of a core.

/// The outcome of one step of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepOutcome {
    /// Executed the instruction at the program counter.
    Instruction,
    /// The instruction faulted: HardFault is pending, or the core has locked up.
    Fault,
    /// Stacked the registers and entered the handler of an exception.
    Entry,
}
