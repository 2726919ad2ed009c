//! The pictures of a display: complete frames, their times, and saved pictures.

use ili9341_model::{CachedFrame, Frame, Tiles};
use virtual_time::{Instant, Nanos};

use super::VirtualBoard;

impl VirtualBoard {
    /// Saves the picture as it is after the last transfer that ends by `at`, and discards a
    /// previously saved one; see [`Ili9341::save_picture_at`](super::Ili9341::save_picture_at).
    pub fn hold_picture(&self, at: Instant) {
        self.0.borrow_mut().lcd_mut(self.1).save_picture_at(at);
    }

    /// Returns the picture that [`hold_picture`](Self::hold_picture) saved; see
    /// [`Ili9341::saved_picture`](super::Ili9341::saved_picture).
    pub fn held_picture(&self) -> Frame {
        self.0.borrow().lcd(self.1).saved_picture()
    }

    /// Returns the current contents of the LCD's memory, as a viewer sees them; a frame may be half
    /// drawn. See [`Ili9341::picture`](super::Ili9341::picture).
    pub fn picture(&self) -> Frame {
        self.0.borrow().lcd(self.1).picture()
    }

    /// Returns the last complete frame as of now, as a viewer sees it: black while backlight,
    /// display or power is off.
    pub fn frame(&self) -> Frame {
        let circuit = self.0.borrow();
        circuit.lcd(self.1).frame_at(circuit.now)
    }

    /// Returns the last complete frame as of `at`, without anything drawn after `at`. Exact if `at`
    /// is not before the firmware's last step, and that step was shorter than
    /// [`FRAME_IDLE`](super::FRAME_IDLE).
    pub fn frame_at(&self, at: Instant) -> Frame {
        self.0.borrow().lcd(self.1).frame_at(at)
    }

    /// Updates `kept` to the result of [`frame_at`](Self::frame_at), with less work; see
    /// [`Ili9341::update_frame_at`](super::Ili9341::update_frame_at).
    pub fn update_frame_at(&self, at: Instant, kept: &mut CachedFrame) -> Tiles {
        self.0.borrow().lcd(self.1).update_frame_at(at, kept)
    }

    /// Returns the number of frames that were complete at `at`; exact under the same condition as
    /// [`frame_at`](Self::frame_at).
    pub fn frame_count_at(&self, at: Instant) -> u64 {
        self.0.borrow().lcd(self.1).frame_count_at(at)
    }

    /// Returns the start and the end of drawing of the last frame that was complete at `at`; see
    /// [`Ili9341::frame_span_at`](super::Ili9341::frame_span_at).
    pub fn frame_span_at(&self, at: Instant) -> Option<(Instant, Instant)> {
        self.0.borrow().lcd(self.1).frame_span_at(at)
    }

    /// Returns when the frame in progress will be complete if nothing more is drawn; `None` if no
    /// frame is in progress.
    pub fn frame_due(&self) -> Option<Instant> {
        let circuit = self.0.borrow();
        circuit.lcd(self.1).frame_due(circuit.now)
    }

    /// Returns the first time in (`before`, `after`] at which more than `seen` frames were
    /// complete; exact under the same condition as [`frame_at`](Self::frame_at). At `after` there
    /// must be more.
    pub fn first_frame_between(
        &self,
        mut before: Instant,
        mut after: Instant,
        seen: u64,
    ) -> Instant {
        // At most 64 rounds: each halves the span.
        while after.saturating_since(before) > Nanos(1) {
            let middle = before.saturating_add(Nanos(after.saturating_since(before).0 / 2));
            if self.frame_count_at(middle) > seen {
                after = middle;
            } else {
                before = middle;
            }
        }
        after
    }
}
