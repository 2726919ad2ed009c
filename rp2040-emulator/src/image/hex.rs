//! Intel HEX: lines of bytes with addresses, read with the crate `ihex`.

use ihex::{Reader, Record};

use super::error::{HexError, ImageError};
use super::segment::Segment;

/// Largest number of data bytes in a file: those of the largest flash.
const BYTES_MAX: usize = 16 << 20;

/// Returns whether a file begins as one of this format does.
pub(super) fn recognises(file: &[u8]) -> bool {
    file.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(file).starts_with(b":")
}

/// Returns the bytes with their addresses; adjacent bytes are one segment.
pub(super) fn parse(file: &[u8]) -> Result<Vec<Segment>, ImageError> {
    let text = std::str::from_utf8(file).map_err(|_| ImageError::BrokenHex(1, HexError::NoText))?;
    let text = text.trim_start_matches('\u{FEFF}');
    let (mut segments, mut base, mut total) = (Vec::<Segment>::new(), 0u32, 0);
    let mut ended = false;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    for (number, line) in lines {
        let wrong = |error| ImageError::BrokenHex(number + 1, error);
        if ended {
            return Err(wrong(HexError::AfterEnd));
        }
        let record = Reader::new(line.trim()).next().ok_or_else(|| wrong(HexError::NoRecord))?;
        match record.map_err(|error| wrong(HexError::Record(error)))? {
            Record::Data { offset, value } => {
                total += value.len();
                if total > BYTES_MAX {
                    return Err(wrong(HexError::TooLong));
                }
                let address = base.wrapping_add(offset.into());
                match segments.last_mut() {
                    Some(last) if last.address.wrapping_add(last.bytes.len() as u32) == address => {
                        last.bytes.extend(value);
                    }
                    _ => segments.push(Segment { address, bytes: value }),
                }
            }
            Record::ExtendedLinearAddress(upper) => base = u32::from(upper) << 16,
            Record::ExtendedSegmentAddress(segment) => base = u32::from(segment) << 4,
            Record::EndOfFile => ended = true,
            // The chip starts at its second stage.
            Record::StartLinearAddress(_) | Record::StartSegmentAddress { .. } => {}
        }
    }
    if ended { Ok(segments) } else { Err(ImageError::BrokenHex(0, HexError::NoEnd)) }
}
