//! Pixels as bytes, which come split anywhere: two of 12 bits in three bytes, 16 or 18 bits each.

use super::Memory;
use crate::frames::Frames;
use crate::pixel::{PixelFormat, SIX_BITS};

impl Memory {
    /// Returns the bytes of the incomplete pixel.
    pub(crate) fn partial(&self) -> &[u8] {
        &self.partial[..self.partial_bytes]
    }

    /// Returns whether the next byte is the second of a pair of pixels of twelve bits.
    pub(crate) fn has_half(&self) -> bool {
        self.half.is_some()
    }

    /// Drops the first half of the second pixel of a pair.
    pub(crate) fn forget_half(&mut self) {
        self.half = None;
    }

    pub(crate) fn forget_partial(&mut self) {
        self.half = None;
        self.partial_bytes = 0;
    }

    /// Receives pixel bytes, split anywhere.
    pub(crate) fn write(&mut self, bytes: &[u8], format: PixelFormat, frames: &mut Frames) {
        match format {
            PixelFormat::Bits16(expansion) => {
                self.write_as::<2>(bytes, frames, move |pixel| expansion.cell(pixel));
            }
            PixelFormat::Bits18 => {
                self.write_as::<3>(bytes, frames, |[red, green, blue]| {
                    u32::from_be_bytes([0, red, green, blue]) & SIX_BITS
                });
            }
            PixelFormat::Bits12 => self.write_twelve_bits(bytes, frames),
        }
    }

    #[inline(always)]
    fn write_as<const N: usize>(
        &mut self,
        mut bytes: &[u8],
        frames: &mut Frames,
        cell: impl Fn([u8; N]) -> u32 + Copy,
    ) {
        if self.partial_bytes > 0 {
            let mut pixel = [0; N];
            let held = self.partial_bytes.min(N - 1);
            let (first, missing) = pixel.split_at_mut(held);
            first.copy_from_slice(&self.partial[..held]);
            if bytes.len() < missing.len() {
                self.keep(bytes);
                return;
            }
            let (now, later) = bytes.split_at(missing.len());
            missing.copy_from_slice(now);
            self.put(&[pixel], frames, cell);
            bytes = later;
            self.partial_bytes = 0;
        }
        let (pixels, rest) = bytes.as_chunks::<N>();
        self.put(pixels, frames, cell);
        self.keep(rest);
    }

    /// Receives pixels of twelve bits: two in three bytes. The first of a pair is complete with the
    /// upper half of the second byte.
    fn write_twelve_bits(&mut self, bytes: &[u8], frames: &mut Frames) {
        for byte in bytes {
            let (upper, lower) = (byte & 0xF0, byte << 4);
            match (self.half.take(), &self.partial[..self.partial_bytes]) {
                (Some(red), _) => self.put(&[[red, upper, lower]], frames, twelve_bits),
                (None, [first]) => {
                    let pixel = [first & 0xF0, first << 4, upper];
                    self.partial_bytes = 0;
                    self.put(&[pixel], frames, twelve_bits);
                    self.half = Some(lower);
                }
                _ => self.keep(&[*byte]),
            }
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if let Some(place) = self.partial.get_mut(self.partial_bytes) {
                *place = *byte;
                self.partial_bytes += 1;
            }
        }
    }
}

/// Returns the cell of a pixel with four bits a colour in the upper halves of its bytes, which are
/// repeated.
fn twelve_bits(pixel: [u8; 3]) -> u32 {
    let [red, green, blue] = pixel.map(|colour| colour | colour >> 4);
    u32::from_be_bytes([0, red, green, blue]) & SIX_BITS
}
