//! The argument of `nudge run --panel`: how the LCD looks to the user in front of it.

use core::str::FromStr;

use ili9341_model::{AngleError, ViewingAngle};

/// Angle in degrees if `angle` has no number.
const DEFAULT_ANGLE: i8 = 30;

/// The simulated look of the LCD.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PanelLook {
    pub angle: ViewingAngle,
    /// Whether lines appear one by one, in the order in which the panel scans them.
    pub tearing: bool,
}

/// Errors in the argument of `--panel`.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum PanelLookError {
    #[error("{0}, such as angle=-20")]
    Angle(#[from] AngleError),
    /// A part with an unknown name.
    #[error(
        "--panel takes angle=DEGREES and tearing, and this is `{0}`; write --panel angle=30,tearing"
    )]
    Part(String),
    /// The same part twice.
    #[error("--panel says {0} twice")]
    Twice(&'static str),
}

impl FromStr for PanelLook {
    type Err = PanelLookError;

    fn from_str(text: &str) -> Result<Self, PanelLookError> {
        let (mut angle, mut tearing) = (None, false);
        for part in text.split(',') {
            let said = match part.split_once('=') {
                None if part == "tearing" => {
                    if std::mem::replace(&mut tearing, true) {
                        return Err(PanelLookError::Twice("tearing"));
                    }
                    continue;
                }
                None if part == "angle" => ViewingAngle::new(DEFAULT_ANGLE).ok_or(AngleError)?,
                Some(("angle", degrees)) => degrees.parse()?,
                _ => return Err(PanelLookError::Part(part.to_owned())),
            };
            if angle.replace(said).is_some() {
                return Err(PanelLookError::Twice("angle"));
            }
        }
        Ok(Self { angle: angle.unwrap_or_default(), tearing })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, degrees: i8, tearing: bool) {
        let angle = ViewingAngle::new(degrees).unwrap();
        assert_eq!(text.parse(), Ok(PanelLook { angle, tearing }), "{text}");
    }

    #[test]
    fn an_angle_and_tearing_are_accepted_alone_or_together() {
        check("tearing", 0, true);
        check("angle", 30, false);
        check("angle=-45", -45, false);
        check("angle,tearing", 30, true);
        check("tearing,angle=60", 60, true);
    }

    #[test]
    fn unknown_looks_are_refused_with_the_known_ones() {
        let refused = |text: &str| text.parse::<PanelLook>().unwrap_err();
        assert_eq!(refused("angle=61"), PanelLookError::Angle(AngleError));
        assert_eq!(refused("angle="), PanelLookError::Angle(AngleError));
        assert_eq!(refused("tearing,tearing"), PanelLookError::Twice("tearing"));
        assert_eq!(refused("angle,angle=3"), PanelLookError::Twice("angle"));
        for wrong in ["", "Tearing", "angle,", "refresh=60", "tearing=1"] {
            assert!(matches!(refused(wrong), PanelLookError::Part(_)), "{wrong}");
        }
        assert!(refused("x").to_string().contains("angle=30,tearing"));
    }
}
