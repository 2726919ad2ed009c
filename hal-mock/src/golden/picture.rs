//! PNG files in and out, as frames. A file is read with bounded memory, whatever it claims.

use core::fmt;
use std::fs;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use png::{BitDepth, ColorType, Compression, Decoder, DecodingError, Encoder, Transformations};

use super::MAX_SIDE;
use crate::Frame;

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
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
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
