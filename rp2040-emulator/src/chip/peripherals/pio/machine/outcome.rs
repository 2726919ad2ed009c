//! The outcome of an instruction of a state machine.

/// The outcome of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InstructionOutcome {
    /// Continue with the next instruction.
    Done,
    /// Continue at this address.
    Jump(u32),
    /// The instruction stalls and is executed again in the next tick.
    Stalled(Stall),
}

/// The event that may end a stall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stall {
    /// The next tick of the machine.
    Briefly,
    /// An access by the bus, or another machine.
    OnOthers,
    /// A change of this pin.
    OnPin(u32),
}
