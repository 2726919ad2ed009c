//! How an instruction of a state machine ends.

/// How an instruction has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InstructionOutcome {
    /// The next one follows.
    Done,
    /// Another one follows than the next.
    Jump(u32),
    /// It has not ended, and is tried again in the next tick.
    Stalled(Stall),
}

/// What may end a stall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stall {
    /// The machine itself.
    Briefly,
    /// Only the bus or another machine.
    OnOthers,
    /// Only this pin.
    OnPin(u32),
}
