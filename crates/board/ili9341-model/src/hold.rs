//! The picture at a given time, possibly in the middle of a frame: what the panel shows after the
//! last transfer that ends by then. The host may continue: the picture is saved before the first
//! later event.
//!
//! The module knows nothing of frames. [`Ili9341::frame_at`] returns complete ones, for any recent
//! time.

use super::Ili9341;
use super::frame::Frame;
use super::view::{DisplaySettings, render};
use virtual_time::Instant;

/// The time, and once something happened later, the cells and the display settings at that time.
#[derive(Clone)]
pub(super) struct Snapshot {
    at: Instant,
    held: Option<(Vec<u32>, Option<DisplaySettings>)>,
}

impl Ili9341 {
    /// Saves the picture after everything that ends by `at`, and discards a previously saved one.
    pub fn save_picture_at(&mut self, at: Instant) {
        self.hold = Some(Snapshot { at, held: None });
    }

    /// Returns the saved picture; the current one if nothing happened after the given time, or none
    /// was requested.
    pub fn saved_picture(&self) -> Frame {
        match self.hold.as_ref().and_then(|hold| hold.held.as_ref()) {
            Some((cells, glass)) => render(cells, glass.as_ref(), &self.registers.layout),
            None => self.picture(),
        }
    }

    /// Saves the picture if an event that ends at `end` is later than the given time.
    #[inline]
    pub(super) fn save_picture_before(&mut self, end: Instant) {
        if self.hold.as_ref().is_some_and(|hold| hold.held.is_none() && hold.at < end) {
            self.save_picture();
        }
    }

    #[cold]
    fn save_picture(&mut self) {
        if let Some(hold) = &mut self.hold {
            hold.held = Some((
                self.memory.cells().to_vec(),
                self.registers.display_settings(self.backlight_on),
            ));
        }
    }
}
