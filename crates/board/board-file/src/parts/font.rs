//! Fonts with which text is read off the displays.

use crate::quantity::PixelSize;
use crate::table::value::{FilePath, Whole};
use crate::table::{table, words};

words! {
    /// A font that many programs draw with; a name that is only a size is one of embedded-graphics.
    BuiltInFont {
        /// Cells of 4x6 px.
        Mono4x6 = "4x6",
        /// Cells of 5x7 px.
        Mono5x7 = "5x7",
        /// Cells of 5x8 px.
        Mono5x8 = "5x8",
        /// Cells of 6x9 px.
        Mono6x9 = "6x9",
        /// Cells of 6x10 px.
        Mono6x10 = "6x10",
        /// Cells of 6x12 px.
        Mono6x12 = "6x12",
        /// Cells of 6x13 px.
        Mono6x13 = "6x13",
        /// Cells of 6x13 px, bold.
        Mono6x13Bold = "6x13-bold",
        /// Cells of 7x13 px.
        Mono7x13 = "7x13",
        /// Cells of 7x13 px, bold.
        Mono7x13Bold = "7x13-bold",
        /// Cells of 7x14 px.
        Mono7x14 = "7x14",
        /// Cells of 8x13 px.
        Mono8x13 = "8x13",
        /// Cells of 9x15 px.
        Mono9x15 = "9x15",
        /// Cells of 9x18 px.
        Mono9x18 = "9x18",
        /// Cells of 10x20 px.
        Mono10x20 = "10x20",
        /// The default font of embedded-graphics 0.6; cells of 6x8 px.
        Vintage6x8 = "vintage-6x8",
        /// A font of embedded-graphics 0.6; cells of 6x12 px.
        Vintage6x12 = "vintage-6x12",
        /// A font of embedded-graphics 0.6; cells of 8x16 px.
        Vintage8x16 = "vintage-8x16",
        /// ProFont, 7 point.
        Profont7 = "profont-7",
        /// ProFont, 9 point.
        Profont9 = "profont-9",
        /// ProFont, 10 point.
        Profont10 = "profont-10",
        /// ProFont, 12 point.
        Profont12 = "profont-12",
        /// ProFont, 14 point.
        Profont14 = "profont-14",
        /// The font of Adafruit GFX without `setFont`; cells of 6x8 px.
        Adafruit5x7 = "adafruit-5x7",
        /// The font8x8 of Daniel Hepper; cells of 8x8 px.
        Font8x8 = "font8x8",
        /// The thin font of IBM's colour graphics adapter; cells of 8x8 px.
        Ibm8x8 = "ibm437-8x8",
        /// The thick font of IBM's colour graphics adapter, its default; cells of 8x8 px.
        Ibm8x8Bold = "ibm437-8x8-bold",
    }
}

table! {
    /// A font with which text is read off the displays.
    Font, "a font" {
        /// The file: BDF, PSF, a GFXfont header (.h), or a sheet of glyphs (.png).
        file: FilePath = optional;
        /// A font that many programs draw with, in place of a file.
        built_in: BuiltInFont = optional;
        /// Size of a glyph; only for a sheet of glyphs.
        size: PixelSize = optional;
        /// Code point of the first glyph; only for a sheet of glyphs.
        first: Whole<0, 0x10_FFFF> = default(32);
    }
}
