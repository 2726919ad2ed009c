//! Extracts the printable ASCII characters of the screens' fonts: more than half of each font
//! consists of characters that no screen uses, and they would take space in flash.
//! `interface/screen/theme.rs` makes fonts of the files written here, one image per size.
//!
//! Also hashes the firmware's sources; `lib.rs` contains the hash, so that a binary states what it
//! was built from.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use embedded_graphics::geometry::{Dimensions as _, Point, Size};
use embedded_graphics::image::GetPixel as _;
use embedded_graphics::mono_font::MonoFont;
use embedded_graphics::mono_font::ascii::{FONT_7X14, FONT_7X14_BOLD};
use embedded_graphics::pixelcolor::BinaryColor;
use profont::{PROFONT_14_POINT, PROFONT_18_POINT, PROFONT_24_POINT};

/// Fonts by the name of their file: their cell in pixels, or their size in points.
const FONTS: [(&str, MonoFont<'static>); 5] = [
    ("7x14-bold", FONT_7X14_BOLD),
    ("7x14", FONT_7X14),
    ("14", PROFONT_14_POINT),
    ("18", PROFONT_18_POINT),
    ("24", PROFONT_24_POINT),
];

/// Stroke added to the zero of the bold narrow font, in which zero and O look the same; the other
/// fonts have one. Columns and rows of its cell.
const ZERO_STROKE: (&str, [(i32, i32); 4]) = ("7x14-bold", [(3, 5), (3, 6), (2, 7), (2, 8)]);

/// Number of characters next to each other in an image: a row of pixels is then four times as many
/// whole bytes as a character is wide in pixels.
const A_ROW: u32 = 32;
/// Number of rows of characters up to the last one of ASCII.
const ROWS: u32 = 3;

/// Sources of the firmware: files, and folders with everything in them. The Pico's binary is next
/// to this crate, and absent if this crate is built alone.
const SOURCES: [&str; 7] = [
    "build.rs",
    "Cargo.toml",
    "src",
    "../firmware-pico/build.rs",
    "../firmware-pico/Cargo.toml",
    "../firmware-pico/memory.x",
    "../firmware-pico/src",
];

fn main() -> io::Result<()> {
    let mut hash = SourceHash::new();
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
        hash.add(Path::new(source))?;
    }
    println!("cargo::rustc-env=NUDGE_FIRMWARE_SOURCES={:016x}", hash.0);
    // Cargo sets it for every build script.
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap());
    for (name, font) in FONTS {
        fs::write(out.join(format!("{name}.raw")), ascii(name, &font))?;
    }
    Ok(())
}

/// Returns the printable characters of a font as an image, eight pixels a byte.
fn ascii(name: &str, font: &MonoFont<'_>) -> Vec<u8> {
    let cell = font.character_size;
    let (width, height) = (A_ROW * cell.width, ROWS * cell.height);
    let in_a_row = font.image.bounding_box().size.width / cell.width;
    // Returns the pixel of the whole font for a position in the image; after the last character
    // there is none.
    let lit = |x: u32, y: u32| {
        let nth = y / cell.height * A_ROW + x / cell.width;
        let character = u8::try_from(nth).map_or(' ', |nth| char::from(b' ' + nth));
        let index = font.glyph_mapping.index(character) as u32;
        let corner = Size::new(index % in_a_row, index / in_a_row).component_mul(cell);
        let inside = Point::new((x % cell.width) as i32, (y % cell.height) as i32);
        let stroke = (name, character) == (ZERO_STROKE.0, '0')
            && ZERO_STROKE.1.contains(&(inside.x, inside.y));
        let ink = font.image.pixel(Point::zero() + corner + inside) == Some(BinaryColor::On);
        character <= '~' && (ink || stroke)
    };
    let mut bytes = Vec::new();
    for y in 0..height {
        for left in (0..width).step_by(8) {
            bytes.push((left..left + 8).fold(0, |byte, x| byte << 1 | u8::from(lit(x, y))));
        }
    }
    bytes
}

/// FNV-1a with 64 bits, over names and contents: the same on every computer. It distinguishes
/// versions and protects against nothing.
struct SourceHash(u64);

impl SourceHash {
    fn new() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }

    /// Adds a file, or a folder with everything in it in the order of the names.
    fn add(&mut self, path: &Path) -> io::Result<()> {
        if path.is_dir() {
            let entries = fs::read_dir(path)?.map(|entry| Ok(entry?.path()));
            let mut entries = entries.collect::<io::Result<Vec<_>>>()?;
            entries.sort();
            return entries.iter().try_for_each(|entry| self.add(entry));
        }
        if !path.exists() {
            return Ok(());
        }
        let name: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
        self.bytes(name.join("/").as_bytes());
        self.bytes(&[0]);
        // Git may check out text with other line endings.
        let content = fs::read(path)?;
        content.split(|byte| *byte == b'\r').for_each(|piece| self.bytes(piece));
        self.bytes(&[0]);
        Ok(())
    }
}
