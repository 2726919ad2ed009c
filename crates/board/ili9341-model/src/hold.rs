//! The picture at a moment, in the middle of a frame: what the glass shows once the last transfer
//! is over that ends by then. The host may go on: the picture is put aside before the first later event.
//!
//! It knows nothing of frames. [`Ili9341::frame_at`] shows complete ones, of any moment that is not long ago.

use super::Ili9341;
use super::frame::Frame;
use super::view::{Glass, render};
use virtual_time::Instant;

/// The moment, and the cells and the glass as they were then once something came later.
#[derive(Clone)]
pub(super) struct Hold {
    at: Instant,
    held: Option<(Vec<u32>, Option<Glass>)>,
}

impl Ili9341 {
    /// Keeps the picture as it is once all is over that ends by `at`, from now on and instead of
    /// another.
    pub fn hold_picture(&mut self, at: Instant) {
        self.hold = Some(Hold { at, held: None });
    }

    /// That picture; as long as nothing came later, or nothing is held, the present one.
    pub fn held_picture(&self) -> Frame {
        match self.hold.as_ref().and_then(|hold| hold.held.as_ref()) {
            Some((cells, glass)) => render(cells, glass.as_ref()),
            None => self.picture(),
        }
    }

    /// Something happens that is over at `end`.
    #[inline]
    pub(super) fn hold_before(&mut self, end: Instant) {
        if self.hold.as_ref().is_some_and(|hold| hold.held.is_none() && hold.at < end) {
            self.put_picture_aside();
        }
    }

    #[cold]
    fn put_picture_aside(&mut self) {
        if let Some(hold) = &mut self.hold {
            hold.held = Some((self.memory.cells().to_vec(), self.registers.glass(self.lit)));
        }
    }
}
