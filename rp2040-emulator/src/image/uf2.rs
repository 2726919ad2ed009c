//! UF2 files: blocks of 512 bytes, each with an address and up to 476 bytes for it.
//!
//! The format is the one that the RP2040's boot ROM accepts over USB: it skips blocks of other
//! families and those that are not for the flash, and starts nothing while a block is missing. A
//! program in RAM alone starts at its lowest address. Blocks without a family flag are accepted.

use std::collections::{HashMap, HashSet};

use super::error::{ImageError, Uf2Error};
use super::segment::Segment;

const BLOCK_SIZE: usize = 512;
const MAX_PAYLOAD: usize = 476;
const BLOCKS_MAX: u32 = 1 << 16;
const MAGIC_START: [u32; 2] = [0x0A32_4655, 0x9E5D_5157];
const MAGIC_END: u32 = 0x0AB1_6F30;
const NOT_MAIN_FLASH: u32 = 1;
const HAS_FAMILY: u32 = 0x2000;
const RP2040: u32 = 0xE48B_FF56;

fn word(block: &[u8], number: usize) -> u32 {
    block
        .get(4 * number..)
        .and_then(|rest| rest.first_chunk())
        .map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

/// Returns whether a file begins as a UF2 file does.
pub(super) fn recognises(file: &[u8]) -> bool {
    word(file, 0) == MAGIC_START[0] && word(file, 1) == MAGIC_START[1]
}

/// Returns the segments for the flash. Blocks with consecutive addresses are one segment.
pub(super) fn parse(file: &[u8]) -> Result<Vec<Segment>, ImageError> {
    let mut segments: Vec<Segment> = vec![];
    // The numbers of the blocks, by the number of blocks that they belong to.
    let mut numbers: HashMap<u32, HashSet<u32>> = HashMap::new();
    let mut other_family = None;
    for (number, block) in file.chunks(BLOCK_SIZE).enumerate() {
        let broken = |why| Err(ImageError::BrokenUf2(number, why));
        if block.len() != BLOCK_SIZE {
            return broken(Uf2Error::Short);
        }
        if !recognises(block) || word(block, 127) != MAGIC_END {
            return broken(Uf2Error::NoMagic);
        }
        let (flags, address, size) = (word(block, 2), word(block, 3), word(block, 4) as usize);
        if flags & HAS_FAMILY != 0 && flags & NOT_MAIN_FLASH == 0 && word(block, 7) != RP2040 {
            other_family = Some(word(block, 7));
            continue;
        }
        numbers.entry(word(block, 6)).or_default().insert(word(block, 5));
        if flags & NOT_MAIN_FLASH != 0 {
            continue;
        }
        let Some(payload) = block[32..].get(..size).filter(|_| size <= MAX_PAYLOAD) else {
            return broken(Uf2Error::TooLong);
        };
        match segments.last_mut() {
            Some(last) if last.address.wrapping_add(last.bytes.len() as u32) == address => {
                last.bytes.extend(payload);
            }
            _ => segments.push(Segment { address, bytes: payload.to_vec() }),
        }
    }
    if let (true, Some(family)) = (segments.is_empty(), other_family) {
        return Err(ImageError::OtherFamily(family));
    }
    for (count, numbers) in numbers {
        // At most as many blocks as the largest flash has pages.
        let missing = (0..count.min(BLOCKS_MAX)).find(|number| !numbers.contains(number));
        if let Some(number) = missing {
            return Err(ImageError::MissingBlock { number, count });
        }
    }
    Ok(segments)
}
