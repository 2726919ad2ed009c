//! What all sessions of a board share: how its machines are built, and who reads its LCD.

use std::rc::Rc;

use hal_mock::{Machine, setup::SetupError};
use reading::text::Reader;
use trace::Trace;
use virtual_time::Nanos;

/// Builds a fresh machine (its clock at 0, its power off) for a trace's header.
pub type Maker = Rc<dyn Fn(&Trace) -> Result<Box<dyn Machine>, SetupError>>;

/// What all sessions of a board share.
#[derive(Clone)]
pub struct Setup {
    /// Builds its machines.
    pub maker: Maker,
    /// Reads text on its LCD.
    pub reader: Rc<Reader>,
    /// Whether frames are noted while a trace is replayed for the first time. Otherwise that is done when
    /// they are asked for, by running once more: it takes longer than the rest of a fast machine's replay.
    pub sees_frames: bool,
    /// The time between two copies of a machine, from which moments far behind are reached. A copy takes about
    /// 0.5 MB, and at most 96 are kept.
    pub copied_every: Nanos,
}
