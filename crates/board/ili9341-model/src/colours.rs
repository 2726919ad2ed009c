//! Colours that the panel shows otherwise than the program has written them: red and blue exchanged,
//! or the negative. The module's filter and glass are those of its table.

use core::fmt;

use panel_tables::Family;

use crate::Ili9341;
use crate::registers::BGR;

/// A setting of the program that does not suit the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColourSetting {
    /// The bit BGR of MADCTL differs from the order of the filter.
    Order {
        /// Title of the controller.
        title: &'static str,
        madctl: u8,
        /// Whether the filter has the order blue, green, red.
        is_bgr: bool,
    },
    /// The glass shows the negative.
    Inversion {
        /// Title of the controller.
        title: &'static str,
        /// Whether the program has sent INVON; if not, the module needs it.
        is_sent: bool,
    },
}

impl fmt::Display for ColourSetting {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Order { title, madctl, is_bgr } => {
                let (order, bit) = if *is_bgr { ("BGR", 1) } else { ("RGB", 0) };
                let other = if *is_bgr { "rgb" } else { "bgr" };
                write!(
                    out,
                    "red and blue are exchanged if the pixels are RGB: MADCTL is {madctl:02X}h, and the \
                     filter of most modules with the {title} is {order}, which needs {bit} in its bit BGR; \
                     mend the program, or state the filter of your module: `subpixels = \"{other}\"`, or \
                     `\"{}\"` if the program is right",
                    order.to_lowercase()
                )
            }
            Self::Inversion { title, is_sent: false } => write!(
                out,
                "the display shows the negative: the program never sends INVON (21h), which most modules \
                 with the {title} need; mend the program, or use a copy of the panel's table without \
                 `inverted = true`"
            ),
            Self::Inversion { title, is_sent: true } => write!(
                out,
                "the display shows the negative: the program sends INVON (21h), which most modules with the \
                 {title} do not need; mend the program, or use a copy of the panel's table with \
                 `inverted = true`"
            ),
        }
    }
}

impl Ili9341 {
    /// Returns the settings by which the module shows other colours than the program has written, if
    /// it shows a picture. A program that changes the inversion again and again does it on purpose.
    pub fn colour_settings(&self) -> Vec<ColourSetting> {
        let (registers, module) = (&self.registers, self.module());
        let table = registers.table;
        let is_picture = table.family == Family::Dcs && self.memory.written_area().is_some();
        let settings = registers.display_settings(true).filter(|_| self.powered && is_picture);
        let Some(settings) = settings else { return Vec::new() };
        let title = &*table.title;
        let (madctl, is_bgr) = (registers.orientation(), module.is_bgr);
        debug_assert_eq!(settings.colours_match, (madctl & BGR != 0) == is_bgr);
        let order = ColourSetting::Order { title, madctl, is_bgr };
        let is_sent = registers.inverted;
        let inversion = ColourSetting::Inversion { title, is_sent };
        let is_exchanged = !settings.colours_match && !self.is_filter_known;
        let is_negative = settings.inverted
            && registers.inversions <= 1
            && registers.inverted != module.is_inverted;
        let found = [(is_exchanged, order), (is_negative, inversion)];
        found.into_iter().filter_map(|(is, setting)| is.then_some(setting)).collect()
    }
}
