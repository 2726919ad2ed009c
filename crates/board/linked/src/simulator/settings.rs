//! The settings of the output. The window of `nudge run` has scale and spacing, the glass of the
//! board file the colours; a theme is compared with the glass.

use embedded_graphics::pixelcolor::{Rgb888, RgbColor as _};

/// Settings of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputSettings {
    /// Window pixels for each pixel of the panel. Without effect: `nudge run --scale` sets it.
    pub scale: u32,
    /// Space between pixels. Without effect: the key `gap` of the board file sets it.
    pub pixel_spacing: u32,
    /// Colours of the glass.
    pub theme: BinaryColorTheme,
}

impl Default for OutputSettings {
    fn default() -> Self {
        OutputSettingsBuilder::new().build()
    }
}

/// Builds [`OutputSettings`].
#[derive(Clone, Copy, Debug, Default)]
pub struct OutputSettingsBuilder {
    scale: Option<u32>,
    pixel_spacing: Option<u32>,
    theme: BinaryColorTheme,
}

impl OutputSettingsBuilder {
    /// Returns the default settings.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the scale.
    #[must_use]
    pub fn scale(self, scale: u32) -> Self {
        Self { scale: Some(scale), ..self }
    }

    /// Sets the space between pixels.
    #[must_use]
    pub fn pixel_spacing(self, pixel_spacing: u32) -> Self {
        Self { pixel_spacing: Some(pixel_spacing), ..self }
    }

    /// Sets the colours of the glass.
    #[must_use]
    pub fn theme(self, theme: BinaryColorTheme) -> Self {
        let (scale, pixel_spacing) = (self.scale.or(Some(3)), self.pixel_spacing.or(Some(1)));
        Self { scale, pixel_spacing, theme }
    }

    /// Returns the settings.
    pub fn build(self) -> OutputSettings {
        OutputSettings {
            scale: self.scale.unwrap_or(1),
            pixel_spacing: self.pixel_spacing.unwrap_or(0),
            theme: self.theme,
        }
    }
}

/// Colours of a glass of one bit a pixel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BinaryColorTheme {
    /// The glass of the board file.
    #[default]
    Default,
    /// Black on white.
    Inverted,
    /// Dark grey on nearly white.
    LcdWhite,
    /// Dark grey on green.
    LcdGreen,
    /// Light blue on blue.
    LcdBlue,
    /// White on nearly black.
    OledWhite,
    /// Light blue on dark blue.
    OledBlue,
    /// Other colours.
    Custom {
        /// Colour of pixels that are off.
        color_off: Rgb888,
        /// Colour of pixels that are on.
        color_on: Rgb888,
    },
}

impl BinaryColorTheme {
    /// Returns the colours of pixels that are off and on; `None` for those of the board file.
    pub(super) fn colours(self) -> Option<(u32, u32)> {
        Some(match self {
            Self::Default => return None,
            Self::Inverted => (0xFF_FFFF, 0x00_0000),
            Self::LcdWhite => (0xF5_F5F5, 0x20_2020),
            Self::LcdGreen => (0x78_B932, 0x20_2020),
            Self::LcdBlue => (0x46_50E6, 0xE6_E6FF),
            Self::OledWhite => (0x14_1414, 0xFF_FFFF),
            Self::OledBlue => (0x00_1428, 0x00_D2FF),
            Self::Custom { color_off, color_on } => (rgb(color_off), rgb(color_on)),
        })
    }
}

fn rgb(colour: Rgb888) -> u32 {
    u32::from_be_bytes([0, colour.r(), colour.g(), colour.b()])
}
