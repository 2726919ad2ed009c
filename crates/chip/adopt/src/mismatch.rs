//! The difference between the pins of a board's display and those that a program uses, as one
//! sentence.

use std::fmt;

use crate::finding::{Bus, Certainty, Findings, Signal};

/// Pins of a display on an SPI bus, as a board connects them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DisplayPins {
    pub sck: u8,
    pub mosi: u8,
    pub chip_select: Option<u8>,
    pub dc: Option<u8>,
}

/// A role of a pin that a program uses otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    role: &'static str,
    /// Pin of the board.
    pin: u8,
    /// Whether the program drives that pin at all.
    is_driven: bool,
    /// Pin that the program uses, with the evidence.
    used: Signal,
    /// Whether the program uses the pins of D/C and chip select of the board in exchanged roles.
    is_exchanged: bool,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { role, pin, used, .. } = self;
        if self.is_exchanged {
            return write!(
                out,
                "GP{pin} ({role}) and GP{} are exchanged: the program uses GP{} as {role}; is the board file right?",
                used.pin, used.pin
            );
        }
        if self.is_driven {
            write!(out, "GP{pin} ({role}) is not used as {role}")?;
        } else {
            write!(out, "GP{pin} ({role}) is never driven")?;
        }
        let article = if *role == "SCK" { "an" } else { "a" };
        write!(
            out,
            "; the program toggles GP{} like {article} {role} line: is the board file right?",
            used.pin
        )
    }
}

/// Returns the first pin of `pins` that the program uses otherwise, if a display was found. Pins
/// that the program has driven (`driven` is their mask) differ only if the finding is sure.
pub fn mismatch(findings: &Findings, pins: DisplayPins, driven: u32) -> Option<Mismatch> {
    let Bus::Spi { sck, mosi, chip_select, dc, .. } = &findings.display.as_ref()?.bus else {
        return None;
    };
    let roles = [
        ("DC", pins.dc, Some(dc)),
        ("SCK", Some(pins.sck), Some(sck)),
        ("MOSI", Some(pins.mosi), Some(mosi)),
        ("CS", pins.chip_select, chip_select.as_ref()),
    ];
    roles.into_iter().find_map(|(role, pin, used)| {
        let (pin, used) = (pin?, used?);
        let is_driven = driven >> pin & 1 != 0;
        let is_certain = match used.certainty {
            Certainty::Sure => true,
            Certainty::Likely => !is_driven,
            Certainty::Unsure => false,
        };
        (pin != used.pin && is_certain).then(|| Mismatch {
            role,
            pin,
            is_driven,
            used: used.clone(),
            is_exchanged: role == "DC"
                && pins.chip_select == Some(used.pin)
                && chip_select.as_ref().is_some_and(|select| select.pin == pin),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Display, Geometry, Panel};

    fn found(sck: u8, mosi: u8, chip_select: u8, dc: u8, certainty: Certainty) -> Findings {
        let signal = |pin| Signal { pin, certainty, evidence: String::new() };
        let display = Display {
            bus: Bus::Spi {
                sck: signal(sck),
                mosi: signal(mosi),
                miso: None,
                chip_select: Some(signal(chip_select)),
                dc: signal(dc),
            },
            panel: Panel { name: "st7789", certainty: Certainty::Sure, evidence: String::new() },
            geometry: Geometry::default(),
            reset: None,
            backlight: None,
            candidates: Vec::new(),
            tearing_effect: None,
            wants_tearing_effect: false,
        };
        Findings { display: Some(display), ..Findings::default() }
    }

    #[track_caller]
    fn check(findings: &Findings, driven: u32, sentence: Option<&str>) {
        let pins = DisplayPins { sck: 18, mosi: 19, chip_select: Some(17), dc: Some(20) };
        let mismatch = mismatch(findings, pins, driven).map(|mismatch| mismatch.to_string());
        assert_eq!(mismatch.as_deref(), sentence);
    }

    #[test]
    fn the_first_pin_that_differs_is_named() {
        use Certainty::{Likely, Sure, Unsure};
        check(&found(18, 19, 17, 20, Sure), 0, None);
        check(
            &found(18, 19, 11, 12, Likely),
            0,
            Some(
                "GP20 (DC) is never driven; the program toggles GP12 like a DC line: is the board \
                 file right?",
            ),
        );
        check(
            &found(10, 11, 17, 20, Sure),
            1 << 18,
            Some(
                "GP18 (SCK) is not used as SCK; the program toggles GP10 like an SCK line: is the \
                 board file right?",
            ),
        );
        check(
            &found(18, 19, 20, 17, Sure),
            1 << 17 | 1 << 20,
            Some(
                "GP20 (DC) and GP17 are exchanged: the program uses GP17 as DC; is the board file \
                 right?",
            ),
        );
        check(&found(18, 19, 11, 12, Unsure), 0, None);
        check(&found(18, 19, 11, 12, Likely), 1 << 17 | 1 << 20, None);
        check(&Findings::default(), 0, None);
    }
}
