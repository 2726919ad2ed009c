//! Golden frames: a frame compared with a kept one on decoded pixels, the picture of what
//! differs, and PNG files in and out.
//!
//! It knows no trace and no folder layout: which file belongs to which expectation, and
//! whether a golden may be written, is the business of whoever runs the replay.

use core::fmt;
use std::fs;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use png::{BitDepth, ColorType, Compression, Decoder, DecodingError, Encoder, Transformations};

use crate::Frame;

/// The widest and the highest picture that is read, in pixels: a file that claims more is
/// refused before any memory is set aside for it.
pub const MAX_SIDE: u32 = 4096;

/// The colour of differing pixels in [`difference_frame`], `0x00RRGGBB`.
pub const DIFFERENCE_COLOUR: u32 = 0x00FF_2080;

/// Where two frames of one size differ. The rectangle includes its edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Column and row of the first differing pixel, row by row from the top left.
    pub first: (usize, usize),
    /// How many pixels differ.
    pub count: usize,
    /// The leftmost differing column.
    pub left: usize,
    /// The topmost differing row.
    pub top: usize,
    /// The rightmost differing column.
    pub right: usize,
    /// The lowest differing row.
    pub bottom: usize,
    /// What was to be at `first`, `0x00RRGGBB`.
    pub expected: u32,
    /// What is at `first`, `0x00RRGGBB`.
    pub actual: u32,
}

impl fmt::Display for Difference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (x, y) = self.first;
        let (count, left, top) = (self.count, self.left, self.top);
        let (width, height) = (self.right - left + 1, self.bottom - top + 1);
        let (pixels, differ) = if count == 1 { ("pixel", "differs") } else { ("pixels", "differ") };
        write!(
            out,
            "{count} {pixels} {differ}, in the rectangle x={left} y={top} {width}x{height}; the \
             first is x={x} y={y}: #{:06x}, expected #{:06x}",
            self.actual, self.expected
        )
    }
}

/// Why a frame is not the expected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// Another size, as width and height.
    Size {
        /// Of the frame.
        actual: (usize, usize),
        /// Of the golden.
        expected: (usize, usize),
    },
    /// The same size, other pixels.
    Pixels(Difference),
}

impl fmt::Display for Mismatch {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { actual, expected } => write!(
                out,
                "the frame is {}x{}, the golden {}x{}",
                actual.0, actual.1, expected.0, expected.1
            ),
            Self::Pixels(difference) => difference.fmt(out),
        }
    }
}

impl std::error::Error for Mismatch {}

/// Compares every pixel.
///
/// # Errors
/// What differs, if anything does.
pub fn compare(actual: &Frame, expected: &Frame) -> Result<(), Mismatch> {
    if size(actual) != size(expected) {
        return Err(Mismatch::Size { actual: size(actual), expected: size(expected) });
    }
    let mut found: Option<Difference> = None;
    for (at, (&is, &should)) in actual.pixels().iter().zip(expected.pixels()).enumerate() {
        if is == should {
            continue;
        }
        let (x, y) = (at % actual.width(), at / actual.width());
        let difference = found.get_or_insert(Difference {
            first: (x, y),
            count: 0,
            left: x,
            top: y,
            right: x,
            bottom: y,
            expected: should,
            actual: is,
        });
        difference.count += 1;
        difference.left = difference.left.min(x);
        difference.right = difference.right.max(x);
        difference.bottom = y;
    }
    found.map_or(Ok(()), |difference| Err(Mismatch::Pixels(difference)))
}

/// The expected frame in dim grey, with the pixels that differ in [`DIFFERENCE_COLOUR`]. As
/// large as the larger of the two; a pixel that only one of them has differs.
pub fn difference_frame(actual: &Frame, expected: &Frame) -> Frame {
    let width = actual.width().max(expected.width());
    let height = actual.height().max(expected.height());
    let pixels = (0..height)
        .flat_map(|y| (0..width).map(move |x| (x, y)))
        .map(|(x, y)| match (actual.pixel(x, y), expected.pixel(x, y)) {
            (Some(is), Some(should)) if is == should => dimmed(should),
            _ => DIFFERENCE_COLOUR,
        })
        .collect();
    Frame::from_pixels(width, height, pixels)
}

/// A third of the pixel's brightness, by the weights of ITU-R BT.601, without its colour.
fn dimmed(rgb: u32) -> u32 {
    let [_, red, green, blue] = rgb.to_be_bytes().map(u32::from);
    let grey = (red * 299 + green * 587 + blue * 114) / 3000;
    grey << 16 | grey << 8 | grey
}

fn size(frame: &Frame) -> (usize, usize) {
    (frame.width(), frame.height())
}

/// A PNG file that could not be read or written, and why.
#[derive(Debug)]
pub struct PngError {
    /// The file.
    pub path: PathBuf,
    /// A sentence without its full stop.
    pub message: String,
}

impl fmt::Display for PngError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.path.display(), self.message)
    }
}

impl std::error::Error for PngError {}

/// Reads a PNG file: grey, palette or colour, of up to [`MAX_SIDE`] pixels a side. Of 16-bit
/// channels the upper 8 bits count.
///
/// # Errors
/// If the file cannot be read, is no whole PNG, is too large, or has transparent pixels: a
/// panel has none.
pub fn read_png(path: impl AsRef<Path>) -> Result<Frame, PngError> {
    let path = path.as_ref();
    let fail = |message| PngError { path: path.to_owned(), message };
    let file = fs::File::open(path).map_err(|error| fail(format!("cannot be read: {error}")))?;
    decode_png(BufReader::new(file)).map_err(fail)
}

/// [`read_png`] for a picture that is no file, or not yet one.
///
/// # Errors
/// As [`read_png`]; a sentence without its full stop, whose subject is the picture.
pub fn decode_png(bytes: impl io::BufRead + io::Seek) -> Result<Frame, String> {
    let mut decoder = Decoder::new(bytes);
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let header = decoder.read_header_info().map_err(|error| sentence(&error))?;
    let (width, height) = (header.width, header.height);
    if width > MAX_SIDE || height > MAX_SIDE {
        return Err(format!("is {width}x{height} pixels; at most {MAX_SIDE}x{MAX_SIDE} are read"));
    }
    let mut reader = decoder.read_info().map_err(|error| sentence(&error))?;
    let length = reader.output_buffer_size().ok_or("is too large")?;
    let mut samples = vec![0; length];
    let output = reader.next_frame(&mut samples).map_err(|error| sentence(&error))?;
    samples.truncate(output.buffer_size());

    let channels = output.color_type.samples();
    let (colour, alpha) = match output.color_type {
        ColorType::Grayscale => (1, None),
        ColorType::GrayscaleAlpha => (1, Some(1)),
        ColorType::Rgb => (3, None),
        ColorType::Rgba => (3, Some(3)),
        ColorType::Indexed => return Err("has a palette that is missing".into()),
    };
    let pixels = samples.chunks_exact(channels).map(|pixel| {
        if alpha.is_some_and(|alpha| pixel[alpha] != 255) {
            return Err("has transparent pixels, which no panel has; save it without".into());
        }
        let [red, green, blue] = [0, 1, 2].map(|channel| pixel[channel % colour]);
        Ok(u32::from_be_bytes([0, red, green, blue]))
    });
    let pixels = pixels.collect::<Result<Vec<u32>, String>>()?;
    Ok(Frame::from_pixels(width as usize, height as usize, pixels))
}

fn sentence(error: &DecodingError) -> String {
    match error {
        DecodingError::IoError(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            "is no whole PNG: it ends too early".into()
        }
        DecodingError::IoError(error) => format!("cannot be read: {error}"),
        // The decoder's sentences end in a full stop; more may follow here.
        other => format!("is no PNG that can be read: {}", other.to_string().trim_end_matches('.')),
    }
}

/// Writes an 8-bit RGB PNG. The file is there whole or not at all: it is written beside its
/// place and then moved there.
///
/// # Errors
/// If the file cannot be written, or the frame has no pixels (PNG has no such picture).
pub fn write_png(path: impl AsRef<Path>, frame: &Frame) -> Result<(), PngError> {
    let path = path.as_ref();
    let fail = |message| PngError { path: path.to_owned(), message };
    if frame.pixels().is_empty() {
        return Err(fail("a picture without pixels cannot be written".into()));
    }
    write_whole(path, &encode_png(frame))
        .map_err(|error| fail(format!("cannot be written: {error}")))
}

/// The frame as an 8-bit RGB PNG; equal frames give equal bytes.
///
/// # Panics
/// If the frame has no pixels: PNG has no such picture.
pub fn encode_png(frame: &Frame) -> Vec<u8> {
    assert!(!frame.pixels().is_empty(), "a frame with pixels");
    let samples: Vec<u8> =
        frame.pixels().iter().flat_map(|pixel| pixel.to_be_bytes().into_iter().skip(1)).collect();
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, frame.width() as u32, frame.height() as u32);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Balanced);
    encoder
        .write_header()
        .and_then(|mut writer| {
            writer.write_image_data(&samples)?;
            writer.finish()
        })
        .expect("a picture with pixels, into memory");
    bytes
}

/// Writes `bytes` to a new file in the same folder, then renames it to `path`.
fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().ok_or_else(|| io::Error::other("the path names no file"))?;
    let mut beside = std::ffi::OsString::from(".");
    beside.push(name);
    beside.push(format!(".{}.part", std::process::id()));
    let beside = path.with_file_name(beside);
    let written = fs::File::create(&beside)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // The error that matters is the one above.
        let _ = fs::remove_file(&beside);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn checks(width: usize, height: usize) -> Frame {
        let pixels = (0..width * height).map(|at| (at as u32).wrapping_mul(0x0001_2345) >> 8);
        Frame::from_pixels(width, height, pixels.map(|pixel| pixel & 0x00FF_FFFF).collect())
    }

    #[track_caller]
    fn check_refused(bytes: &[u8], because: &str) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("golden.png");
        fs::write(&path, bytes).unwrap();
        let message = read_png(&path).unwrap_err().to_string();
        assert!(message.starts_with(&path.display().to_string()), "{message}");
        assert!(message.contains(because), "{message}");
    }

    fn encoded(colour: ColorType, depth: BitDepth, palette: &[u8], samples: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, 2, 1);
        encoder.set_color(colour);
        encoder.set_depth(depth);
        if !palette.is_empty() {
            encoder.set_palette(palette.to_vec());
        }
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(samples).unwrap();
        writer.finish().unwrap();
        bytes
    }

    #[test]
    fn a_difference_names_first_pixel_count_and_rectangle() {
        let expected = Frame::filled(320, 240, 0x00FF_FFFF);
        let mut actual = expected.clone();
        assert_eq!(compare(&actual, &expected), Ok(()));
        for (x, y) in [(30, 10), (12, 11), (31, 14)] {
            actual.pixels_mut()[y * 320 + x] = 0x0010_2030;
        }
        let Err(mismatch) = compare(&actual, &expected) else { panic!("they differ") };
        assert_eq!(
            mismatch.to_string(),
            "3 pixels differ, in the rectangle x=12 y=10 20x5; the first is x=30 y=10: #102030, \
             expected #ffffff"
        );
    }

    #[test]
    fn frames_of_other_sizes_are_told_apart_by_size() {
        let mismatch = compare(&checks(320, 240), &checks(240, 320)).unwrap_err();
        assert_eq!(mismatch.to_string(), "the frame is 320x240, the golden 240x320");
        let picture = difference_frame(&checks(3, 1), &checks(1, 2));
        assert_eq!(size(&picture), (3, 2));
        assert_eq!(picture.pixel(2, 0), Some(DIFFERENCE_COLOUR));
        assert_eq!(picture.pixel(2, 1), Some(DIFFERENCE_COLOUR));
    }

    #[test]
    fn the_difference_picture_dims_what_is_equal() {
        let expected = Frame::from_pixels(2, 1, vec![0x00FF_FFFF, 0]);
        let actual = Frame::from_pixels(2, 1, vec![0x00FF_FFFF, 1]);
        let picture = difference_frame(&actual, &expected);
        assert_eq!(picture.pixels(), [0x0055_5555, DIFFERENCE_COLOUR]);
    }

    #[test]
    fn grey_palette_and_opaque_alpha_are_read_as_colours() {
        use BitDepth::{Eight, One, Sixteen};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("golden.png");
        for (bytes, pixels) in [
            (encoded(ColorType::Grayscale, Eight, &[], &[9, 200]), [0x0009_0909, 0x00C8_C8C8]),
            (encoded(ColorType::Grayscale, One, &[], &[0x40]), [0, 0x00FF_FFFF]),
            (
                encoded(ColorType::Grayscale, Sixteen, &[], &[9, 1, 200, 2]),
                [0x0009_0909, 0x00C8_C8C8],
            ),
            (
                encoded(ColorType::GrayscaleAlpha, Eight, &[], &[9, 255, 7, 255]),
                [0x0009_0909, 0x0007_0707],
            ),
            (
                encoded(ColorType::Indexed, Eight, &[1, 2, 3, 4, 5, 6], &[1, 0]),
                [0x0004_0506, 0x0001_0203],
            ),
            (
                encoded(ColorType::Rgba, Eight, &[], &[1, 2, 3, 255, 4, 5, 6, 255]),
                [0x0001_0203, 0x0004_0506],
            ),
        ] {
            fs::write(&path, bytes).unwrap();
            assert_eq!(read_png(&path).unwrap().pixels(), pixels);
        }
    }

    #[test]
    fn what_is_no_golden_is_refused_with_its_name_and_why() {
        let whole = encode_png(&checks(320, 240));
        check_refused(b"", "ends too early");
        check_refused(b"not a picture at all", "is no PNG");
        check_refused(&whole[..whole.len() / 2], "ends too early");
        let mut flipped = whole.clone();
        flipped[whole.len() / 2] ^= 0x10;
        check_refused(&flipped, "is no PNG");
        let glass = encoded(ColorType::Rgba, BitDepth::Eight, &[], &[1, 2, 3, 254, 4, 5, 6, 255]);
        check_refused(&glass, "transparent");
        let missing = read_png("no/such/golden.png").unwrap_err().to_string();
        assert!(missing.starts_with("no/such/golden.png: cannot be read: "), "{missing}");
    }

    #[test]
    fn a_picture_that_claims_to_be_huge_is_refused_by_its_header() {
        let mut bytes = Vec::new();
        let writer = Encoder::new(&mut bytes, 4097, 1).write_header().unwrap();
        drop(writer);
        check_refused(&bytes, "is 4097x1 pixels; at most 4096x4096");
    }

    #[test]
    fn a_written_picture_replaces_the_old_one_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("golden.png");
        write_png(&path, &checks(4, 3)).unwrap();
        write_png(&path, &checks(3, 4)).unwrap();
        assert_eq!(read_png(&path).unwrap(), checks(3, 4));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);

        let nowhere = folder.path().join("missing/golden.png");
        let message = write_png(&nowhere, &checks(3, 4)).unwrap_err().to_string();
        assert!(message.contains("missing/golden.png: cannot be written: "), "{message}");
        assert!(write_png(&path, &Frame::filled(0, 4, 0)).is_err());
        assert_eq!(read_png(&path).unwrap(), checks(3, 4), "the old one stays");
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back_to_the_pixel(width in 1..40_usize, height in 1..40_usize) {
            let bytes = encode_png(&checks(width, height));
            prop_assert_eq!(decode_png(io::Cursor::new(bytes)).unwrap(), checks(width, height));
        }

        #[test]
        fn damaged_pictures_never_panic(at in 0..200_usize, with: u8) {
            let mut bytes = encode_png(&checks(9, 9));
            let at = at % bytes.len();
            bytes[at] = with;
            let _ = decode_png(io::Cursor::new(bytes));
        }
    }
}
