//! Displays.

use crate::bus::Bus;
use crate::panels::Panel;
use crate::quantity::{Percent, PixelOffset, PixelSize};
use crate::table::place::Place;
use crate::table::value::{Colour, Name, Pin, Whole};
use crate::table::{table, words};

use super::Level;

table! {
    /// A display.
    Display, "a display" {
        /// Name of the display; needed if there are several.
        name: Name = optional;
        /// The panel's controller.
        panel: Panel = required;
        /// The bus between chip and panel.
        bus: Bus = required;
        /// Size of the visible glass, unrotated; left out, the usual size of the panel.
        size: PixelSize = optional;
        /// Place of the glass's first pixel in the memory of the panel.
        offset: PixelOffset = default("0,0 px");
        /// How far the glass is turned clockwise on the face of the board.
        rotation: Rotation = default("0 deg");
        /// Whether the picture is mirrored, before it is turned.
        mirror: Mirror = default("none");
        /// Order of the colours in the glass's filter; left out, the usual one of the panel.
        subpixels: Subpixels = optional;
        /// Colour of pixels that are off, in the window; for panels of one bit a pixel. Traces and
        /// golden pictures have black.
        unlit: Colour = default("#000000");
        /// Colour of all other pixels, in the window; for panels of one bit a pixel. Traces and golden
        /// pictures have white.
        lit: Colour = default("#ffffff");
        /// Space between two pixels as a share of their distance, in the window from three window
        /// pixels a pixel on.
        gap: Percent<0, 50> = default("0 %");
        /// Clock; for `spi4` and `spi3`.
        sck: Pin = optional;
        /// Data to the panel; for `spi4` and `spi3`.
        mosi: Pin = optional;
        /// Data from the panel; for `spi4`, if it is connected.
        miso: Pin = optional;
        /// Chip select, active low; left out, it is connected to ground.
        cs: Pin = optional;
        /// Data or command, also called RS or A0; for `spi4` and `parallel8`.
        dc: Pin = optional;
        /// Reset, active low; left out, the panel is reset at power-on only.
        rst: Pin = optional;
        /// Switches or dims the backlight; left out, it is always on.
        backlight: Pin = optional;
        /// Level with which the backlight is on.
        backlight_active: Level = default("high");
        /// Tearing effect: an output of the panel.
        te: Pin = optional;
        /// Clock; for `i2c`.
        scl: Pin = optional;
        /// Data; for `i2c`.
        sda: Pin = optional;
        /// Address on the bus, without the bit for reading; for `i2c`, where it is 0x3C if left
        /// out.
        address: Whole<8, 0x77> = optional;
        /// Write strobe; for `parallel8`.
        wr: Pin = optional;
        /// Read strobe; for `parallel8`, if it is connected.
        rd: Pin = optional;
        /// Data lines D0 to D7, in this order; for `parallel8`.
        data: Vec<Pin> = list;
        /// Place on the face; left out, it is laid out automatically.
        place: Place = optional;
    }
}

words! {
    /// Rotation of a display on the face, clockwise.
    Rotation {
        /// Upright.
        None = "0 deg",
        /// The top edge is on the right.
        Right = "90 deg",
        /// Upside down.
        Half = "180 deg",
        /// The top edge is on the left.
        Left = "270 deg",
    }
}

words! {
    /// Mirrored mounting of a display.
    Mirror {
        /// Not mirrored.
        None = "none",
        /// Left and right are exchanged.
        Horizontal = "horizontal",
        /// Top and bottom are exchanged.
        Vertical = "vertical",
    }
}

words! {
    /// Order of the colours in a glass's filter.
    Subpixels {
        /// Red, green, blue.
        Rgb = "rgb",
        /// Blue, green, red: a driver sets the bit BGR of MADCTL.
        Bgr = "bgr",
    }
}
