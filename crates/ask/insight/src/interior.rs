//! The state of a firmware that its wires do not carry, read from a machine that it is linked into.

use hal_mock::{Machine, setup::SetupError};
use trace::Trace;

use crate::view::Views;

/// Machines whose firmware can be looked into.
pub trait Interior: Sync {
    /// Builds the machine that a trace's header describes, with its power off. Settings that the
    /// header does not name come from `flash`.
    ///
    /// # Errors
    /// If no machine can be built for the header.
    fn machine(
        &self,
        trace: &Trace,
        flash: Option<Vec<u8>>,
    ) -> Result<Box<dyn OpenMachine>, SetupError>;

    /// Returns whether a console line reports a position, for which the firmware may consider moves.
    fn is_position(&self, line: &str) -> bool;
}

/// A machine whose firmware can be looked into.
pub trait OpenMachine: Machine {
    /// Returns the current views.
    fn views(&self) -> Views;

    /// Returns the firmware's current or last consideration; `None` if it has not considered anything
    /// since power-on.
    fn consideration(&self) -> Option<Consideration>;

    /// Returns another machine in the same state; `None` if the machine cannot be copied.
    fn open_copy(&self) -> Option<Box<dyn OpenMachine>>;
}

/// A firmware's current or last consideration: the moves that it chooses from.
#[derive(Clone, Debug, PartialEq)]
pub struct Consideration {
    /// Moves to choose from, at least one. The best according to the search so far comes first.
    pub moves: Vec<Considered>,
    /// Button of the move that is being considered; `None` after the decision.
    pub in_hand: Option<&'static str>,
    /// Button of the move that was chosen.
    pub decided: Option<&'static str>,
    /// Search depth in turns: 0 is the move alone; `None` is to the end of the game.
    pub turns: Option<u8>,
    /// Number of moves examined.
    pub examined: u32,
}

/// A move that the firmware considers.
#[derive(Clone, Debug, PartialEq)]
pub struct Considered {
    /// Button of the move, for example `T3`.
    pub button: &'static str,
    /// Value of the move; `None` if it is not known yet. The value of a move that is not the best is
    /// only an upper bound.
    pub value: Option<f32>,
}
