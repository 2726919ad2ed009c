//! The backlight goes out after ten minutes in which no button went down or up. The press that
//! switches it on again does nothing else: the user could not see what it would act on. In the demo
//! it stays on, because the demo is there to be watched.

use core::ops::DerefMut;

use super::state::{App, Memory};
use crate::pins::debounce::Edge;
use crate::time::{Instant, Micros};

/// Time without a press after which the backlight goes out.
pub const DARK_AFTER: Micros = Micros::from_millis(600_000);

impl<M: DerefMut<Target = Memory>> App<M> {
    /// Returns whether the backlight is to be on at `now`, once the LCD shows the whole view.
    pub fn is_lit(&self, now: Instant) -> bool {
        !self.is_off() && !self.is_resting(now)
    }

    /// Records the time of `edge`. Returns whether it only switches the backlight on.
    pub(super) fn wakes(&mut self, edge: Edge) -> bool {
        let rests = self.is_resting(edge.at);
        self.user.untouched_since = edge.at;
        rests && edge.down
    }

    /// Returns when the backlight goes out, if it is on and no button is touched.
    pub(super) fn dark_at(&self, now: Instant) -> Option<Instant> {
        let at = self.user.untouched_since.saturating_add(DARK_AFTER);
        (!self.is_off() && !self.is_demo() && now < at).then_some(at)
    }

    /// Returns whether the backlight is out although the board is on.
    fn is_resting(&self, now: Instant) -> bool {
        let at = self.user.untouched_since.saturating_add(DARK_AFTER);
        !self.is_off() && !self.is_demo() && now >= at
    }
}
