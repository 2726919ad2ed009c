//! Pixels and other bytes after the line of a message.

use std::io::Read;

use ili9341_model::Frame;

use super::{BYTES_MAX, PIXEL};
use crate::process_error::MessageError;

/// Maximum width and height of a display, in pixels: twice those of the largest memory.
const SIDE_MAX: usize = 1_024;

/// Returns the size of a frame, if it is not beyond those of displays.
pub(super) fn checked(size: [usize; 2]) -> Result<[usize; 2], MessageError> {
    let is_fit = size.iter().all(|side| (1..=SIDE_MAX).contains(side));
    if is_fit { Ok(size) } else { Err(MessageError::Value) }
}

pub(super) fn put_pixels(bytes: &mut Vec<u8>, frame: &Frame) {
    bytes.reserve(frame.pixels().len() * PIXEL);
    for rgb in frame.pixels() {
        bytes.extend_from_slice(&rgb.to_le_bytes()[..PIXEL]);
    }
}

pub(super) fn take_pixels(
    from: &mut dyn Read,
    width: usize,
    height: usize,
) -> Result<Frame, MessageError> {
    let [width, height] = checked([width, height])?;
    let bytes = take(from, width * height * PIXEL)?;
    let pixel = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0]);
    Ok(Frame::from_pixels(width, height, bytes.chunks_exact(PIXEL).map(pixel).collect()))
}

pub(super) fn take(from: &mut dyn Read, length: usize) -> Result<Vec<u8>, MessageError> {
    if length > BYTES_MAX {
        return Err(MessageError::TooLong);
    }
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes)?;
    Ok(bytes)
}
