//! Whether a program has the driver of a CYW43439, the radio of the Pico W.
//!
//! A program of the Pico SDK names its board in the binary information (`pico/binary_info/structure.h`).
//! Every driver loads the firmware of the radio, whose text has the name of the chip.

use super::exit::{HEADER, HEADER_PLACES, HEADER_RANGE};
use crate::image::{Image, Segment};

/// The chip's name in its firmware.
const FIRMWARE_NAME: &[u8] = b"43439a0-roml";
/// Beginning of the names of the boards: `pico_w`, `pico_w_…`.
const BOARD: &[u8] = b"pico_w";
/// Type and tag of an entry that is an identity and a string, `RP`.
const ENTRY_KIND: u32 = 0x5052_0006;
const ID_OF_BOARD: u32 = 0xB63C_FFBB;
/// Maximum number of entries.
const ENTRIES_MAX: u32 = 1_024;

/// Returns whether the program has the driver of a CYW43439.
pub(super) fn has_cyw43(image: &Image) -> bool {
    let has_firmware = |segment: &Segment| {
        segment.bytes.windows(FIRMWARE_NAME.len()).any(|bytes| bytes == FIRMWARE_NAME)
    };
    is_for_pico_w(image).unwrap_or(false) || image.segments.iter().any(has_firmware)
}

/// Returns whether the binary information names a Pico W; `None` if there is none.
fn is_for_pico_w(image: &Image) -> Option<bool> {
    let mut places =
        HEADER_PLACES.into_iter().flat_map(|begin| (begin..begin + HEADER_RANGE).step_by(4));
    let header = places.find(|address| word(image, *address) == Some(HEADER))?;
    let (begin, end) = (word(image, header + 4)?, word(image, header + 8)?);
    let entries = (begin..end).step_by(4).take(ENTRIES_MAX as usize);
    let is_board = |entry: &u32| {
        word(image, *entry) == Some(ENTRY_KIND)
            && word(image, entry.wrapping_add(4)) == Some(ID_OF_BOARD)
    };
    let entry = entries.filter_map(|address| word(image, address)).find(is_board)?;
    let name = bytes(image, word(image, entry.wrapping_add(8))?, BOARD.len())?;
    Some(name == BOARD)
}

fn word(image: &Image, address: u32) -> Option<u32> {
    bytes(image, address, 4)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

fn bytes(image: &Image, address: u32, length: usize) -> Option<&[u8]> {
    image.segments.iter().find_map(|segment| {
        let begin = address.checked_sub(segment.address)? as usize;
        segment.bytes.get(begin..begin.checked_add(length)?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: u32 = 0x1000_0000;

    /// Returns an image with the binary information of a board.
    fn image(board: &str) -> Image {
        let mut bytes = vec![0; 0x400];
        let mut put = |at: usize, words: &[u32]| {
            for (place, word) in bytes[at..].chunks_mut(4).zip(words) {
                place.copy_from_slice(&word.to_le_bytes());
            }
        };
        put(0x1D4, &[HEADER, BASE + 0x300, BASE + 0x304, 0, 0xE71A_A390]);
        put(0x300, &[BASE + 0x310, 0, 0, 0, ENTRY_KIND, ID_OF_BOARD, BASE + 0x320]);
        bytes[0x320..0x320 + board.len()].copy_from_slice(board.as_bytes());
        let segments = vec![Segment { address: BASE, bytes }];
        Image { segments, ..Image::default() }
    }

    #[test]
    fn the_driver_is_known_by_the_board_or_by_the_firmware_of_the_radio() {
        assert!(has_cyw43(&image("pico_w")));
        assert!(!has_cyw43(&image("pico")));
        let mut image = image("pico");
        image.segments[0].bytes.extend(b"\0\x0043439a0-roml/sdio-g\0");
        assert!(has_cyw43(&image));
        assert!(!has_cyw43(&Image::default()));
    }
}
