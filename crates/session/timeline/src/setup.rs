//! The configuration that all sessions of a board share: how its machines are built, and how its
//! LCD is read.

use std::rc::Rc;

use hal_mock::{Machine, setup::SetupError};
use reading::text::Reader;
use trace::Trace;
use virtual_time::Nanos;

/// Builds a fresh machine (its clock at 0, its power off) for a trace's header.
pub type Maker = Rc<dyn Fn(&Trace) -> Result<Box<dyn Machine>, SetupError>>;

/// Settings that all sessions of a board have in common.
#[derive(Clone)]
pub struct Setup {
    pub maker: Maker,
    pub reader: Rc<Reader>,
    /// Whether frames are logged while a trace is replayed for the first time. Otherwise another
    /// run logs them when they are requested: that takes longer than the rest of a fast machine's
    /// replay.
    pub sees_frames: bool,
    /// Virtual time between two copies of a machine, from which earlier times are reached. A copy
    /// takes about 0.5 MB, and at most 96 are stored.
    pub copied_every: Nanos,
}
