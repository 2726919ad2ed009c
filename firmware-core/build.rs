//! Cuts the printable ASCII characters out of the fonts of the screens: more than half of
//! each is of characters that no screen uses, and they would take their place in flash.
//! `interface/screen/theme.rs` makes fonts of what is written here, one image a size.

use std::path::PathBuf;
use std::{env, fs, io};

use embedded_graphics::geometry::Point;
use embedded_graphics::image::GetPixel as _;
use embedded_graphics::mono_font::MonoFont;
use embedded_graphics::pixelcolor::BinaryColor;
use profont::{
    PROFONT_10_POINT, PROFONT_12_POINT, PROFONT_14_POINT, PROFONT_18_POINT, PROFONT_24_POINT,
};

/// The fonts by the name of their file: their size in points.
const FONTS: [(&str, MonoFont<'static>); 5] = [
    ("10", PROFONT_10_POINT),
    ("12", PROFONT_12_POINT),
    ("14", PROFONT_14_POINT),
    ("18", PROFONT_18_POINT),
    ("24", PROFONT_24_POINT),
];

/// Characters beside each other in an image, as in the whole fonts: a row of pixels is then
/// so many whole bytes as a character is wide, four times.
const A_ROW: u32 = 32;
/// Rows of characters up to the last of ASCII.
const ROWS: u32 = 3;

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    // Cargo sets it for every build script.
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap());
    for (name, font) in FONTS {
        fs::write(out.join(format!("{name}.raw")), ascii(&font))?;
    }
    Ok(())
}

/// The first rows of a font's image, eight pixels a byte.
fn ascii(font: &MonoFont<'_>) -> Vec<u8> {
    let (width, height) = (A_ROW * font.character_size.width, ROWS * font.character_size.height);
    let mut bytes = Vec::new();
    for y in 0..height as i32 {
        for left in (0..width as i32).step_by(8) {
            bytes.push((left..left + 8).fold(0, |byte, x| {
                let lit = font.image.pixel(Point::new(x, y)) == Some(BinaryColor::On);
                byte << 1 | u8::from(lit)
            }));
        }
    }
    bytes
}
