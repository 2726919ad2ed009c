//! Kinds of vision, and the difference in lightness between two colours.
//!
//! Pixels are `0x00RRGGBB`. This module does not know screens or the meaning of a colour.

use ili9341_model::Frame;

/// A kind of colour vision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vision {
    /// Vision of all colours.
    Normal,
    /// Vision without long-wave cones.
    Protanopia,
    /// Vision without middle-wave cones.
    Deuteranopia,
    /// Vision without short-wave cones.
    Tritanopia,
    /// Lightness only, as in a black-and-white print.
    Greyscale,
}

impl Vision {
    /// All kinds of vision.
    pub const ALL: [Self; 5] =
        [Self::Normal, Self::Protanopia, Self::Deuteranopia, Self::Tritanopia, Self::Greyscale];

    /// Returns the name as used in file names.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Protanopia => "protanopia",
            Self::Deuteranopia => "deuteranopia",
            Self::Tritanopia => "tritanopia",
            Self::Greyscale => "greyscale",
        }
    }

    /// Returns the matrix for linear red, green and blue, one row each; `None` if colours are
    /// unchanged.
    pub const fn matrix(self) -> Option<[[f64; 3]; 3]> {
        match self {
            Self::Normal => None,
            Self::Protanopia => Some(PROTANOPIA),
            Self::Deuteranopia => Some(DEUTERANOPIA),
            Self::Tritanopia => Some(TRITANOPIA),
            Self::Greyscale => Some([LUMINANCE; 3]),
        }
    }

    /// Returns the colour that this vision sees in place of `pixel`.
    pub fn sees(self, pixel: u32) -> u32 {
        let linear = linear(pixel);
        let Some(matrix) = self.matrix() else { return pixel };
        let seen = matrix.map(|row| row.iter().zip(linear).map(|(part, value)| part * value).sum());
        seen.into_iter().fold(0, |pixel, value| pixel << 8 | encoded(value))
    }

    /// Returns `frame` with the colours of this vision.
    pub fn seen_by(self, frame: &Frame) -> Frame {
        let pixels = frame.pixels().iter().map(|pixel| self.sees(*pixel)).collect();
        Frame::from_pixels(frame.width(), frame.height(), pixels)
    }
}

/// Matrix from Machado, Oliveira and Fernandes, "A physiologically-based model for simulation of
/// color vision deficiency", IEEE Transactions on Visualization and Computer Graphics 15 (2009),
/// severity 1.0; for linear RGB.
const PROTANOPIA: [[f64; 3]; 3] = [
    [0.152_286, 1.052_583, -0.204_868],
    [0.114_503, 0.786_281, 0.099_216],
    [-0.003_882, -0.048_116, 1.051_998],
];
const DEUTERANOPIA: [[f64; 3]; 3] = [
    [0.367_322, 0.860_646, -0.227_968],
    [0.280_085, 0.672_501, 0.047_413],
    [-0.011_820, 0.042_940, 0.968_881],
];
const TRITANOPIA: [[f64; 3]; 3] = [
    [1.255_528, -0.076_749, -0.178_779],
    [-0.078_411, 0.930_809, 0.147_602],
    [0.004_733, 0.691_367, 0.303_900],
];
/// Luminance coefficients of Rec. 709.
const LUMINANCE: [f64; 3] = [0.2126, 0.7152, 0.0722];

/// Returns the contrast of two colours, 1 to 21 (WCAG 2.2, contrast ratio).
pub fn contrast(one: u32, other: u32) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// Returns the relative luminance, 0 to 1 (WCAG 2.2).
fn luminance(pixel: u32) -> f64 {
    linear(pixel).iter().zip(LUMINANCE).map(|(value, part)| value * part).sum()
}

/// Returns the channels of sRGB without their gamma (IEC 61966-2-1).
fn linear(pixel: u32) -> [f64; 3] {
    [16, 8, 0].map(|shift| {
        let value = f64::from(pixel >> shift & 0xFF) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    })
}

/// Encodes a linear channel as sRGB; values that no panel can show are clipped.
fn encoded(value: f64) -> u32 {
    let value = value.clamp(0.0, 1.0);
    let value =
        if value <= 0.003_130_8 { value * 12.92 } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 };
    (value * 255.0).round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_and_black_look_the_same_to_every_eye_and_differ_by_21() {
        for vision in Vision::ALL {
            assert_eq!(vision.sees(0x00FF_FFFF), 0x00FF_FFFF, "{vision:?}");
            assert_eq!(vision.sees(0), 0, "{vision:?}");
        }
        assert!((contrast(0, 0x00FF_FFFF) - 21.0).abs() < 1e-9);
        // WCAG's own example: the lightest grey with a contrast of 4.5:1 on white.
        assert!(contrast(0x0076_7676, 0x00FF_FFFF) >= 4.5);
        assert!(contrast(0x0077_7777, 0x00FF_FFFF) < 4.5);
    }

    #[test]
    fn equally_light_red_and_green_look_alike_to_a_dichromat() {
        let (red, green) = (0x00E0_5050, 0x0080_8830);
        let apart = |vision: Vision| {
            let (red, green) = (vision.sees(red), vision.sees(green));
            [16, 8, 0].map(|shift| (red >> shift & 0xFF).abs_diff(green >> shift & 0xFF))
        };
        assert!(apart(Vision::Normal)[0] > 90);
        assert!(apart(Vision::Deuteranopia)[0] < 60);
        let [red, green, blue] = apart(Vision::Greyscale);
        assert!(red == green && green == blue);
    }
}
