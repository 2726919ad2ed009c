//! The panel on the SPI bus: mipidsi's ILI9341 driver, its reset pin and its backlight, configured
//! for the board's panel.
//!
//! This module knows the mounting of the panel and the speed of the bus, but nothing about what is
//! drawn.

mod bus;
mod error;

use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::prelude::Size;
use embedded_hal::delay::DelayNs;
use embedded_hal::digital::OutputPin;
use embedded_hal::spi::SpiDevice;
use mipidsi::models::ILI9341Rgb565;
use mipidsi::options::{ColorOrder, Orientation, Rotation};
use mipidsi::{Builder, Display};

use bus::Bus;
pub use error::LcdError;
use error::pin_error;

/// Size of the visible panel in pixels. The screens compute their layout from it.
pub const PANEL: Size = Size::new(320, 240);

/// SPI clock of the reference board in Hz: the rate that a PL022 derives from 125 MHz.
pub const SPI_HZ: u32 = 31_250_000;

/// Number of bytes that a window takes before its first pixel: CASET and PASET with four parameters
/// each, and RAMWR (ILI9341 datasheet, 8.2.20 to 8.2.22).
pub const WINDOW_BYTES: u32 = 5 + 5 + 1;

/// Bytes per pixel in the 16-bit format.
pub const PIXEL_BYTES: u32 = 2;

/// The panel is mirrored in X and wired BGR, as on the common modules, and mounted in landscape:
/// MADCTL = MV | BGR (28h; datasheet 8.2.29).
const MOUNTED: Orientation = Orientation { rotation: Rotation::Deg90, mirrored: true };

/// The initialised panel.
pub struct Lcd<SPI: SpiDevice, DC: OutputPin, RST: OutputPin, BL> {
    display: Display<Bus<SPI, DC>, ILI9341Rgb565, RST>,
    backlight: BL,
}

impl<SPI, DC, RST, BL> Lcd<SPI, DC, RST, BL>
where
    SPI: SpiDevice,
    DC: OutputPin,
    RST: OutputPin,
    BL: OutputPin,
{
    /// Resets and initialises the panel; blocks for the datasheet's delays, about 265 ms. The
    /// backlight stays off because the panel's memory contains noise until the first frame is
    /// written.
    ///
    /// # Errors
    /// The bus or a pin fails.
    pub fn init(
        spi: SPI,
        dc: DC,
        reset: RST,
        mut backlight: BL,
        delay: &mut impl DelayNs,
    ) -> Result<Self, LcdError> {
        backlight.set_low().map_err(pin_error)?;
        let display = Builder::new(ILI9341Rgb565, Bus::new(spi, dc))
            .reset_pin(reset)
            .orientation(MOUNTED)
            .color_order(ColorOrder::Bgr)
            .init(delay)
            .map_err(|error| match error {
                mipidsi::InitError::Interface(error) => error,
                mipidsi::InitError::ResetPin(error) => pin_error(error),
                mipidsi::InitError::InvalidConfiguration(_) => LcdError::Configuration,
            })?;
        Ok(Self { display, backlight })
    }

    /// Returns the target for drawing.
    pub fn target(
        &mut self,
    ) -> &mut impl embedded_graphics::draw_target::DrawTarget<Color = Rgb565, Error = LcdError>
    {
        &mut self.display
    }

    /// Switches the backlight on or off.
    ///
    /// # Errors
    /// The pin fails.
    pub fn light(&mut self, on: bool) -> Result<(), LcdError> {
        let set = if on { OutputPin::set_high } else { OutputPin::set_low };
        set(&mut self.backlight).map_err(pin_error)
    }
}
