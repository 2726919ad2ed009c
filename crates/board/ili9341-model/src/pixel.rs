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
    Bits16(Expansion),
    Bits18,
}

impl PixelFormat {
    /// Returns the number of bytes of a pixel on the wire.
    pub(super) fn bytes(self) -> usize {
        match self {
            Self::Bits16(_) => 2,
            Self::Bits18 => 3,
        }
    }
}
