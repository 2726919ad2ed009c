//! The display that the terminal shows, of a board with several. This module knows no terminal.

use std::sync::Arc;

use ili9341_model::Frame;
use live::PartReadings;

/// The display that is shown, and the last frame of the first one.
#[derive(Clone, Debug)]
pub struct ShownDisplay {
    /// Number of the display, 0 for the first one.
    number: usize,
    first: Arc<Frame>,
}

impl ShownDisplay {
    /// Shows the first display, with this frame.
    pub fn first(frame: Arc<Frame>) -> Self {
        Self { number: 0, first: frame }
    }

    /// Takes the frame of the first display. Returns whether it is a new one.
    pub fn take(&mut self, frame: &Arc<Frame>) -> bool {
        let is_new = !Arc::ptr_eq(&self.first, frame);
        self.first = Arc::clone(frame);
        is_new
    }

    /// Returns the frame of the display that is shown.
    pub fn frame(&self, parts: &PartReadings) -> Arc<Frame> {
        let further = self.number.checked_sub(1).and_then(|index| parts.displays.get(index));
        Arc::clone(further.map_or(&self.first, |(_, frame)| frame))
    }

    /// Shows the next display, after the last one the first. Returns the message for the user.
    pub fn next(&mut self, parts: &PartReadings) -> String {
        let count = 1 + parts.displays.len();
        self.number = (self.number + 1) % count;
        let further = self.number.checked_sub(1).and_then(|index| parts.displays.get(index));
        match further {
            Some((name, _)) => format!("display {name}, {} of {count}", self.number + 1),
            None if count > 1 => format!("the first display of {count}"),
            None => "the board has one display".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_shows_the_displays_in_turn() {
        let frame = |colour| Arc::new(Frame::filled(2, 2, colour));
        let (front, top) = (frame(1), frame(2));
        let parts =
            PartReadings { displays: vec![("TOP", Arc::clone(&top))], ..PartReadings::default() };
        let mut shown = ShownDisplay::first(frame(0));
        assert!(shown.take(&front) && !shown.take(&front));
        assert_eq!(shown.frame(&parts), front);
        assert_eq!(shown.next(&parts), "display TOP, 2 of 2");
        assert_eq!(shown.frame(&parts), top);
        assert!(shown.take(&frame(3)));
        assert_eq!(shown.frame(&parts), top);
        assert_eq!(shown.next(&parts), "the first display of 2");
        assert_eq!(shown.frame(&parts), frame(3));
        let alone = PartReadings::default();
        assert_eq!(shown.next(&alone), "the board has one display");
        assert_eq!(shown.frame(&alone), frame(3));
    }
}
