//! Touch panels.

use crate::table::value::{Name, Pin, Whole};
use crate::table::{table, words};

/// Largest raw value of a controller with 12 bits.
const RAW_MAX: u32 = 4_095;

table! {
    /// A touch panel on a display.
    Touch, "a touch panel" {
        /// Name in traces: `touch PAD at 120,40`; needed if there are several.
        name: Name = optional;
        /// Name of the display under it; needed if there are several displays.
        display: Name = optional;
        /// The controller.
        controller: TouchController = required;
        /// Clock; for `xpt2046`.
        sck: Pin = optional;
        /// Data to the controller, DIN; for `xpt2046`.
        mosi: Pin = optional;
        /// Data from the controller, DOUT; for `xpt2046`.
        miso: Pin = optional;
        /// Chip select, active low; for `xpt2046`.
        cs: Pin = optional;
        /// Data; for `ft6206` and `ft6236`.
        sda: Pin = optional;
        /// Clock; for `ft6206` and `ft6236`.
        scl: Pin = optional;
        /// PENIRQ or INT, an output of the controller that is low while the panel is touched, or has
        /// a low pulse for each report (docs/boards.md); left out, it is not connected.
        irq: Pin = optional;
        /// Values of the X channel at the left and at the right edge of the unrotated glass; left
        /// out, `[200, 3900]` for `xpt2046`, and the pixels for the others.
        x: Vec<Whole<0, RAW_MAX>> = list;
        /// Values of the Y channel at the top and at the bottom of the unrotated glass; left out
        /// like `x`.
        y: Vec<Whole<0, RAW_MAX>> = list;
        /// Whether the channels are exchanged: X is then along the height of the unrotated glass,
        /// and `x` has its values at the top and at the bottom.
        swap: bool = default(false);
    }
}

words! {
    /// Controller of a touch panel.
    TouchController {
        /// Resistive, on SPI.
        Xpt2046 = "xpt2046",
        /// Capacitive, on I2C at the address 0x38.
        Ft6206 = "ft6206",
        /// Capacitive, on I2C at the address 0x38.
        Ft6236 = "ft6236",
    }
}

/// Address of the capacitive controllers.
pub(crate) const TOUCH_ADDRESS: u32 = 0x38;

impl TouchController {
    /// Returns whether the controller is on an SPI bus; the others are on I2C.
    pub fn is_spi(self) -> bool {
        self == Self::Xpt2046
    }
}

impl Touch {
    /// Returns the address on an I2C bus.
    pub fn i2c_address(&self) -> u32 {
        TOUCH_ADDRESS
    }

    /// Returns the raw values at the edges: of the X channel, and of the Y channel. `width` and
    /// `height` are those of the unrotated glass in pixels.
    pub fn raw_edges(&self, width: u32, height: u32) -> [[u16; 2]; 2] {
        let (along_x, along_y) = if self.swap { (height, width) } else { (width, height) };
        let edges = |given: &[Whole<0, RAW_MAX>], pixels: u32| match given {
            // Both are at most 4,095.
            [first, second] => [first.value as u16, second.value as u16],
            _ if self.controller.is_spi() => [200, 3_900],
            _ => [0, u16::try_from(pixels.saturating_sub(1)).unwrap_or(u16::MAX)],
        };
        [edges(&self.x, along_x), edges(&self.y, along_y)]
    }
}
