//! Pixels on the wire and in the memory: two or three bytes, and 18 bits.

/// Mask of the six bits of each colour that the memory has.
pub(super) const SIX_BITS: u32 = 0x00FC_FCFC;

/// Expansion of two bytes to 18 bits: IFCTL's EPF (8.3.28). Green already has six bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Expansion {
    /// Mask of red's and blue's lowest bits, if they repeat the highest bits.
    repeat: u32,
    /// Red's and blue's lowest bits, if they are always 1.
    ones: u32,
}

impl Expansion {
    const LOWEST: u32 = 0x0004_0004;

    pub(super) fn new(epf: u8) -> Self {
        match epf {
            0b01 => Self { repeat: 0, ones: 0 },
            0b10 => Self { repeat: 0, ones: Self::LOWEST },
            _ => Self { repeat: Self::LOWEST, ones: 0 },
        }
    }

    /// Expands without a branch or a table: many pixels are decoded at once.
    #[inline(always)]
    pub(super) fn cell(self, pixel: [u8; 2]) -> u32 {
        let pixel = u32::from(u16::from_be_bytes(pixel));
        let red_and_blue = ((pixel << 8) & 0x00F8_0000) | ((pixel << 3) & 0x0000_00F8);
        let green = (pixel << 5) & 0x0000_FC00;
        red_and_blue | green | ((red_and_blue >> 5) & self.repeat) | self.ones
    }
}

/// The pixel formats of the serial interface (8.2.33).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PixelFormat {
    /// Two pixels in three bytes.
    Bits12,
    Bits16(Expansion),
    Bits18,
}

impl PixelFormat {
    /// Returns the numbers of the first bytes of `count` that complete a pixel, and of the last;
    /// `partial` bytes of it have come before, or the first half of a byte if `has_half`. `None` if
    /// no pixel is completed.
    #[inline]
    pub(super) fn completed(
        self,
        count: usize,
        partial: usize,
        has_half: bool,
    ) -> Option<(usize, usize)> {
        let size = match self {
            Self::Bits16(_) => 2,
            Self::Bits18 => 3,
            Self::Bits12 => return twelve_bits_completed(count, partial, has_half),
        };
        let first = size - partial;
        (count >= first).then(|| (first, count - (count - first) % size))
    }
}

/// Does [`PixelFormat::completed`] for pairs of pixels: after the second and the third byte of
/// three.
#[cold]
fn twelve_bits_completed(count: usize, partial: usize, has_half: bool) -> Option<(usize, usize)> {
    let before = if has_half { 2 } else { partial };
    let is_end = |byte: &usize| (before + byte) % 3 != 1;
    let first = (1..=count).find(is_end)?;
    Some((first, (1..=count).rev().find(is_end)?))
}
