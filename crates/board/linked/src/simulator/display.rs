//! The picture that a program draws into.

use core::convert::Infallible;

use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{OriginDimensions, Point, Size};
use embedded_graphics::pixelcolor::{BinaryColor, PixelColor};

/// A picture in memory. [`Window::update`](super::Window::update) sends it to the panel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimulatorDisplay<C> {
    size: Size,
    pixels: Box<[C]>,
}

impl<C: PixelColor> SimulatorDisplay<C> {
    /// Creates a picture of one colour.
    pub fn with_default_color(size: Size, default_color: C) -> Self {
        let count = size.width as usize * size.height as usize;
        Self { size, pixels: vec![default_color; count].into() }
    }

    /// Returns the colour of a pixel.
    ///
    /// # Panics
    /// If `point` is outside of the display.
    pub fn get_pixel(&self, point: Point) -> C {
        match self.index(point) {
            Some(index) => self.pixels[index],
            None => panic!("no pixel of the display is at {point}; its size is {}", self.size),
        }
    }

    /// Returns the colour of a pixel, which must be in the picture.
    pub(super) fn at(&self, x: usize, y: usize) -> C {
        self.pixels[y * self.size.width as usize + x]
    }

    fn index(&self, Point { x, y }: Point) -> Option<usize> {
        let (x, y) = (u32::try_from(x).ok()?, u32::try_from(y).ok()?);
        let is_inside = x < self.size.width && y < self.size.height;
        is_inside.then(|| y as usize * self.size.width as usize + x as usize)
    }
}

impl<C: PixelColor + From<BinaryColor>> SimulatorDisplay<C> {
    /// Creates a picture whose pixels are off.
    pub fn new(size: Size) -> Self {
        Self::with_default_color(size, C::from(BinaryColor::Off))
    }
}

impl<C: PixelColor> DrawTarget for SimulatorDisplay<C> {
    type Color = C;
    type Error = Infallible;

    fn draw_iter<I>(&mut self, pixels: I) -> Result<(), Infallible>
    where
        I: IntoIterator<Item = Pixel<C>>,
    {
        for Pixel(point, colour) in pixels {
            if let Some(index) = self.index(point) {
                self.pixels[index] = colour;
            }
        }
        Ok(())
    }
}

impl<C> OriginDimensions for SimulatorDisplay<C> {
    fn size(&self) -> Size {
        self.size
    }
}
