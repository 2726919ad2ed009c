//! Reads and writes frames as PNG files. Reading uses bounded memory, whatever the file claims.

use std::io::{BufRead, BufReader, Seek};
use std::path::Path;

use host::output_files::Output;
use png::{BitDepth, ColorType, Compression, Decoder, Encoder, Transformations};

use super::error::{MAX_SIDE, PngError, PngFault};
use ili9341_model::Frame;
use trace::lfs::is_pointer;

/// Reads a PNG file: grey, palette or colour, of up to [`MAX_SIDE`] pixels a side. Of 16-bit
/// channels the upper 8 bits are used.
///
/// # Errors
/// If the file cannot be read, is not a complete PNG, is too large, or has transparent pixels: a
/// panel has none.
pub fn read_png(path: impl AsRef<Path>) -> Result<Frame, PngError> {
    let path = path.as_ref();
    let fail = |fault| PngError { path: path.to_owned(), fault };
    let file = host::input_files::open(path).map_err(|error| fail(PngFault::Read(error)))?;
    let mut file = BufReader::new(file);
    if is_pointer(file.fill_buf().map_err(|error| fail(PngFault::Read(error)))?) {
        return Err(fail(PngFault::LfsPointer));
    }
    decode_png(file).map_err(fail)
}

/// Source of a picture. The decoder reads it through a `dyn` reference, so that the decoding is
/// compiled once in this crate, not in each crate that uses it.
trait Source: BufRead + Seek {}

impl<S: BufRead + Seek> Source for S {}

/// Reads a picture like [`read_png`], from any source.
///
/// # Errors
/// As [`read_png`].
pub fn decode_png(mut bytes: impl BufRead + Seek) -> Result<Frame, PngFault> {
    decode(&mut bytes)
}

fn decode(bytes: &mut dyn Source) -> Result<Frame, PngFault> {
    let mut decoder = Decoder::new(bytes);
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let header = decoder.read_header_info()?;
    let (width, height) = (header.width, header.height);
    if width > MAX_SIDE || height > MAX_SIDE {
        return Err(PngFault::TooManyPixels { width, height });
    }
    let mut reader = decoder.read_info()?;
    let length = reader.output_buffer_size().ok_or(PngFault::TooLarge)?;
    let mut samples = vec![0; length];
    let output = reader.next_frame(&mut samples)?;
    samples.truncate(output.buffer_size());

    let pixels = match output.color_type {
        ColorType::Grayscale => pixels_of(&samples, |[grey]| [grey; 3]),
        ColorType::GrayscaleAlpha => {
            is_opaque::<2>(&samples)?;
            pixels_of(&samples, |[grey, _]| [grey; 3])
        }
        ColorType::Rgb => pixels_of(&samples, |colours: [u8; 3]| colours),
        ColorType::Rgba => {
            is_opaque::<4>(&samples)?;
            pixels_of(&samples, |[red, green, blue, _]| [red, green, blue])
        }
        ColorType::Indexed => return Err(PngFault::NoPalette),
    };
    Ok(Frame::from_pixels(width as usize, height as usize, pixels))
}

/// Converts `samples` to pixels of `N` samples each.
fn pixels_of<const N: usize>(samples: &[u8], colours: impl Fn([u8; N]) -> [u8; 3]) -> Vec<u32> {
    let pixel = |samples: &[u8; N]| {
        let [red, green, blue] = colours(*samples);
        u32::from_be_bytes([0, red, green, blue])
    };
    samples.as_chunks().0.iter().map(pixel).collect()
}

/// Checks that each pixel's last sample, its alpha, is the maximum.
fn is_opaque<const N: usize>(samples: &[u8]) -> Result<(), PngFault> {
    let opaque = samples.as_chunks::<N>().0.iter().all(|pixel| pixel[N - 1] == u8::MAX);
    if opaque { Ok(()) } else { Err(PngFault::Transparent) }
}

/// Writes an 8-bit RGB PNG, completely or not at all: the file is written beside its final path and
/// then moved there.
///
/// # Errors
/// If the file cannot be written, or the frame has no pixels (PNG has no such picture).
pub fn write_png(path: impl AsRef<Path>, frame: &Frame) -> Result<(), PngError> {
    let path = path.as_ref();
    let fail = |fault| PngError { path: path.to_owned(), fault };
    if frame.pixels().is_empty() {
        return Err(fail(PngFault::Empty));
    }
    let written = Output::golden(path).replace(true).write(&encode_png(frame));
    written.map_err(|error| fail(PngFault::Write(error)))
}

/// Encodes the frame as an 8-bit RGB PNG; equal frames give equal bytes.
///
/// # Panics
/// If the frame has no pixels: PNG has no such picture.
pub fn encode_png(frame: &Frame) -> Vec<u8> {
    encode(frame, None)
}

/// Encodes like [`encode_png`], with the name of the program as metadata.
///
/// # Panics
/// If the frame has no pixels, or `maker` is not ASCII.
pub fn encode_png_by(frame: &Frame, maker: &str) -> Vec<u8> {
    encode(frame, Some(maker))
}

fn encode(frame: &Frame, maker: Option<&str>) -> Vec<u8> {
    assert!(!frame.pixels().is_empty(), "a frame with pixels");
    let samples: Vec<u8> =
        frame.pixels().iter().flat_map(|pixel| pixel.to_be_bytes().into_iter().skip(1)).collect();
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, frame.width() as u32, frame.height() as u32);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Balanced);
    let marked = maker
        .map_or(Ok(()), |maker| encoder.add_text_chunk("Software".to_owned(), maker.to_owned()));
    marked
        .and_then(|()| encoder.write_header())
        .and_then(|mut writer| {
            writer.write_image_data(&samples)?;
            writer.finish()
        })
        .expect("a picture with pixels, into memory");
    bytes
}
