//! The panel seen from above or below: the effect of the viewing angle on a twisted nematic panel.
//!
//! The crystal of such a panel rotates in one plane. Seen along that plane, its voltages act as if
//! they were different: from one side everything becomes lighter and contrast is lost, from the
//! other side everything becomes darker, and black transmits light again, so that it is lighter
//! than dark grey. To the left and the right there is little effect, and none is modelled.
//!
//! The model is an S-curve for each colour: the transmitted light is shifted along a logistic curve
//! by [`STEEPNESS`] per degree, and from below, black leaks up to [`LEAK`] of the light. With these
//! constants contrast falls to a tenth at about 30°, as in data sheets of such modules; they are
//! not measured on a module. The module knows no controller and no time.

use core::str::FromStr;

use super::frame::Frame;

/// Largest angle to either side, in degrees.
pub const ANGLE_MAX: i8 = 60;
/// Shift of a colour on the logistic curve per degree.
const STEEPNESS: f64 = 0.055;
/// Light through black at the largest angle from below, as a share of white.
const LEAK: f64 = 0.12;
/// Contrast along the axis: white's light divided by black's.
const CONTRAST: f64 = 500.0;
/// Exponent of the light of a colour as a function of its value.
const GAMMA: f64 = 2.2;

/// Viewing angle in degrees: 0 along the panel's axis, positive from above, negative from below.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ViewingAngle(i8);

/// The error of a text that is not a viewing angle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AngleError;

impl core::fmt::Display for AngleError {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(out, "an angle is a whole number of degrees from -{ANGLE_MAX} to {ANGLE_MAX}")
    }
}

impl core::error::Error for AngleError {}

impl FromStr for ViewingAngle {
    type Err = AngleError;

    fn from_str(text: &str) -> Result<Self, AngleError> {
        text.parse().ok().and_then(Self::new).ok_or(AngleError)
    }
}

impl ViewingAngle {
    /// Creates an angle of `degrees` from above; `None` beyond [`ANGLE_MAX`] to either side.
    pub const fn new(degrees: i8) -> Option<Self> {
        if degrees < -ANGLE_MAX || degrees > ANGLE_MAX { None } else { Some(Self(degrees)) }
    }

    /// Returns the angle in degrees.
    pub const fn degrees(self) -> i8 {
        self.0
    }

    /// Returns the visible value of each value of a colour.
    pub fn curve(self) -> [u8; 256] {
        core::array::from_fn(|value| self.seen(value as u8))
    }

    fn seen(self, value: u8) -> u8 {
        if self.0 == 0 {
            return value;
        }
        let floor = 1.0 / CONTRAST;
        let light = floor + (1.0 - floor) * (f64::from(value) / 255.0).powf(GAMMA);
        // White is not at the curve's end, where a shift would have no effect.
        let on_curve = (light * 0.97 / (1.0 - light * 0.97)).ln();
        let moved = on_curve + STEEPNESS * f64::from(self.0);
        let passed = 1.0 / (1.0 + (-moved).exp());
        let below = f64::from(-self.0).max(0.0) / f64::from(ANGLE_MAX);
        let leak = LEAK * below * (1.0 - light).powi(12);
        // Normalized like the adaptation of an eye or a camera: white along the axis is white.
        let shown = ((passed + leak) / 0.97).min(1.0);
        let dark = if shown <= floor { 0.0 } else { (shown - floor) / (1.0 - floor) };
        (255.0 * dark.powf(1.0 / GAMMA)).round() as u8
    }
}

/// Returns the picture as seen through `curve`, the curve of an angle.
#[must_use]
pub fn seen_through(frame: &Frame, curve: &[u8; 256]) -> Frame {
    let colour = |rgb: u32, shift: u32| u32::from(curve[(rgb >> shift & 0xFF) as usize]) << shift;
    let pixels =
        frame.pixels().iter().map(|rgb| colour(*rgb, 16) | colour(*rgb, 8) | colour(*rgb, 0));
    Frame::from_pixels(frame.width(), frame.height(), pixels.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(degrees: i8) -> [u8; 256] {
        ViewingAngle::new(degrees).unwrap().curve()
    }

    /// Returns white's light divided by black's.
    fn contrast(degrees: i8) -> f64 {
        let light = |value: u8| 1.0 / CONTRAST + (f64::from(value) / 255.0).powf(GAMMA);
        let curve = curve(degrees);
        light(curve[255]) / light(curve[0])
    }

    #[test]
    fn along_the_axis_nothing_changes() {
        assert!(curve(0).iter().enumerate().all(|(value, seen)| value == usize::from(*seen)));
    }

    #[test]
    fn from_above_colours_are_lighter_in_the_same_order() {
        for degrees in [10, 30, 60] {
            let (curve, before) = (curve(degrees), curve(degrees - 10));
            assert!(curve.is_sorted(), "{degrees}");
            assert!((1..255).all(|value| curve[value] >= before[value]), "{degrees}");
            assert!(curve[64] > before[64] && contrast(degrees) < contrast(degrees - 10));
        }
    }

    #[test]
    fn from_below_colours_are_darker_but_black_leaks_light() {
        for degrees in [-20, -40, -60] {
            let curve = curve(degrees);
            assert!((80..=255).all(|value| usize::from(curve[value]) < value), "{degrees}");
            assert!(curve[0] > curve[60], "{degrees}: {curve:?}");
            assert!(contrast(degrees) < contrast(degrees + 20));
        }
    }

    #[test]
    fn contrast_falls_to_about_a_tenth_at_thirty_degrees() {
        let share = contrast(30) / contrast(0);
        assert!((0.05..0.2).contains(&share), "{share}");
    }

    #[test]
    fn each_colour_of_a_picture_goes_through_the_curve() {
        let frame = Frame::from_pixels(2, 1, vec![0x00_40FF, 0x12_3456]);
        let curve = curve(40);
        let [a, b, c] = [0x00, 0x40, 0xFF].map(|at: usize| u32::from(curve[at]));
        assert_eq!(seen_through(&frame, &curve).pixels()[0], a << 16 | b << 8 | c);
    }

    #[test]
    fn an_angle_is_a_number_of_degrees_within_the_bounds() {
        assert_eq!("-60".parse(), Ok(ViewingAngle(-60)));
        for wrong in ["61", "-61", "1.5", "", "30deg", "999"] {
            assert_eq!(wrong.parse::<ViewingAngle>(), Err(AngleError), "{wrong}");
        }
        assert!(AngleError.to_string().contains("-60 to 60"));
    }
}
