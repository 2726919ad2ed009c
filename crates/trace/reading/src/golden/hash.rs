//! Hashes of frames: of their decoded pixels, the same on every computer.
//!
//! A frame's hash is computed from its tiles' hashes, so that for a frame that differs little from
//! another one only the changed tiles are hashed again. All hashes are XXH3-64 without a seed, of
//! little-endian bytes: a tile's hash covers its pixels (`0x00RRGGBB`, 32 bits each) row by row, a
//! frame's hash covers width and height (32 bits each) and its tiles' hashes row by row. Tiles have
//! 8 × 8 pixels; at the right and at the lower edge they are cut off.

use core::fmt;
use core::hash::Hasher as _;

use siphasher::sip::SipHasher13;
use twox_hash::XxHash3_64;

use ili9341_model::{TILE, Tiles, frame::Frame};

/// Number of pixels that are passed to SipHash at once.
const HASHED_AT_ONCE: usize = 1_024;

/// The hash of a frame's pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FrameHash(pub u64);

impl FrameHash {
    /// Hashes the frame's pixels.
    pub fn of(frame: &Frame) -> Self {
        TileHashes::of(frame).hash()
    }

    /// Hashes the frame's pixels as the first version of nudge did: SipHash-1-3 of width, height
    /// and pixels.
    pub fn of_first_format(frame: &Frame) -> Self {
        let mut hasher = SipHasher13::new();
        for side in [frame.width(), frame.height()] {
            hasher.write(&(side as u32).to_le_bytes());
        }
        // The hasher takes half the time for a large block that it takes for single words.
        let mut bytes = [[0; 4]; HASHED_AT_ONCE];
        for pixels in frame.pixels().chunks(HASHED_AT_ONCE) {
            let bytes = &mut bytes[..pixels.len()];
            for (place, pixel) in bytes.iter_mut().zip(pixels) {
                *place = pixel.to_le_bytes();
            }
            hasher.write(bytes.as_flattened());
        }
        Self(hasher.finish())
    }
}

impl fmt::Display for FrameHash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:016x}", self.0)
    }
}

/// Hashes of a frame's tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileHashes {
    width: usize,
    height: usize,
    /// Hashes row by row, as little-endian bytes.
    tiles: Vec<[u8; 8]>,
}

impl TileHashes {
    /// Hashes the tiles of `frame`.
    pub fn of(frame: &Frame) -> Self {
        let (width, height) = (frame.width(), frame.height());
        let mut hashes = Self { width, height, tiles: Vec::new() };
        let columns = width.div_ceil(TILE);
        hashes.tiles.resize(columns * height.div_ceil(TILE), [0; 8]);
        for row in 0..height.div_ceil(TILE) {
            hashes.renew(frame, row, 0..columns);
        }
        hashes
    }

    /// Updates the hashes to those of `frame`, which has the same size and differs from the
    /// previous frame at most in the `changed` tiles.
    pub fn update(&mut self, frame: &Frame, changed: &Tiles) {
        for (row, columns) in changed.runs() {
            self.renew(frame, row, columns);
        }
    }

    /// Returns the hash of the frame.
    pub fn hash(&self) -> FrameHash {
        let mut bytes = Vec::with_capacity(8 + 8 * self.tiles.len());
        for side in [self.width, self.height] {
            bytes.extend((side as u32).to_le_bytes());
        }
        bytes.extend_from_slice(self.tiles.as_flattened());
        FrameHash(XxHash3_64::oneshot(&bytes))
    }

    /// Hashes adjacent tiles in a row of tiles again.
    fn renew(&mut self, frame: &Frame, row: usize, columns: core::ops::Range<usize>) {
        let in_a_row = self.width.div_ceil(TILE);
        for column in columns {
            self.tiles[row * in_a_row + column] = tile(frame, column, row).to_le_bytes();
        }
    }
}

/// Returns the hash of a tile.
fn tile(frame: &Frame, column: usize, row: usize) -> u64 {
    let (pixels, width) = (frame.pixels(), frame.width());
    let (left, top) = (column * TILE, row * TILE);
    let (columns, lines) = (TILE.min(width - left), TILE.min(frame.height() - top));
    let mut bytes = [[[0; 4]; TILE]; TILE];
    if (columns, lines) == (TILE, TILE) {
        // The usual case: each line is copied at once.
        for (place, y) in bytes.iter_mut().zip(top..) {
            if let Some(line) = pixels[y * width + left..].first_chunk::<TILE>() {
                *place = line.map(u32::to_le_bytes);
            }
        }
        return XxHash3_64::oneshot(bytes.as_flattened().as_flattened());
    }
    let line = |y: usize| &pixels[y * width + left..][..columns];
    let all = (top..top + lines).flat_map(line);
    for (place, pixel) in bytes.as_flattened_mut().iter_mut().zip(all) {
        *place = pixel.to_le_bytes();
    }
    XxHash3_64::oneshot(bytes.as_flattened()[..columns * lines].as_flattened())
}
