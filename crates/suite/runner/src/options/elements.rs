//! Names of screen elements, for the report of a frame that differs. The runner knows no screen: a
//! caller that does passes an [`ElementNamer`].

use core::fmt;
use std::sync::Arc;

use trace::Trace;
use virtual_time::Instant;

type Names = dyn Fn(&Trace, Instant, &[(usize, usize)]) -> Vec<String> + Send + Sync;

/// Returns the names of the elements that are drawn at these pixels of the LCD, at this time of the
/// trace, the element with most of the pixels first; none if the board's screens are not known.
#[derive(Clone)]
pub struct ElementNamer(Arc<Names>);

impl ElementNamer {
    /// Creates a namer from a function of the trace, the time, and the columns and rows of pixels.
    pub fn new(
        names: impl Fn(&Trace, Instant, &[(usize, usize)]) -> Vec<String> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(names))
    }

    pub(crate) fn names(
        &self,
        trace: &Trace,
        at: Instant,
        pixels: &[(usize, usize)],
    ) -> Vec<String> {
        (self.0)(trace, at, pixels)
    }
}

impl fmt::Debug for ElementNamer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("ElementNamer")
    }
}
