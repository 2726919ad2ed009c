//! A panel that counts how often each pixel is written, and the bytes on the wire.

use super::*;

/// A colour that no screen draws: a pixel with this colour was never written.
const NEVER_DRAWN: u32 = 0x00FF_00FF;

/// A panel that counts the writes of each pixel and the bytes on the wire.
pub(super) struct Paper {
    pub(super) frame: Frame,
    writes: Vec<u8>,
    /// Number of bytes of the last change.
    pub(super) bytes: u32,
}

pub(super) fn new_presenter() -> Presenter<Box<Canvas>, View> {
    Presenter::new(Box::new(Canvas::new()))
}

impl Paper {
    /// Creates a panel on which nothing has been drawn.
    pub(super) fn new(size: Size) -> Self {
        let (width, height) = (size.width as usize, size.height as usize);
        let frame = Frame::filled(width, height, NEVER_DRAWN);
        Self { frame, writes: vec![0; width * height], bytes: 0 }
    }

    /// Draws everything that `view` shows on a panel of `size`.
    pub(super) fn drawn(view: &View, size: Size) -> Self {
        let mut paper = Self::new(size);
        paper.show(&mut new_presenter(), view);
        let left = paper.frame.pixels().iter().position(|pixel| *pixel == NEVER_DRAWN);
        assert_eq!(left, None, "a pixel of {view:?} is left out on {size}");
        paper
    }

    /// Lets `presenter` draw `view`; returns the bytes on the wire.
    pub(super) fn show(
        &mut self,
        presenter: &mut Presenter<Box<Canvas>, View>,
        view: &View,
    ) -> u32 {
        let size = self.size();
        self.bytes = 0;
        self.writes.fill(0);
        for _ in 0..1_000 {
            let mut budget = Budget::new(BYTES_A_STEP);
            let Ok(done) = presenter.step(view, size, self, &mut budget);
            if done {
                assert!(self.writes.iter().all(|writes| *writes <= 1), "{view:?} on {size}");
                return self.bytes;
            }
        }
        panic!("{view:?} is never done on {size}");
    }
}

impl OriginDimensions for Paper {
    fn size(&self) -> Size {
        Size::new(self.frame.width() as u32, self.frame.height() as u32)
    }
}

impl DrawTarget for Paper {
    type Color = Rgb565;
    type Error = core::convert::Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb565>>>(
        &mut self,
        pixels: I,
    ) -> Result<(), Self::Error> {
        self.bytes += WINDOW_BYTES;
        let width = self.frame.width();
        for Pixel(point, colour) in pixels {
            assert!(self.bounding_box().contains(point), "{point} is beside the panel");
            let at = point.y as usize * width + point.x as usize;
            self.frame.pixels_mut()[at] = seen(colour);
            self.writes[at] += 1;
            self.bytes += PIXEL_BYTES;
        }
        Ok(())
    }
}
