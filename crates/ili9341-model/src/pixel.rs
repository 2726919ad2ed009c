//! A pixel on the wire and in the memory: two or three bytes, and 18 bits.

/// The six bits of each colour that the memory has.
pub(super) const SIX_BITS: u32 = 0x00FC_FCFC;

/// How two bytes become 18 bits: IFCTL's EPF (8.3.28). Green has six bits already.
///
/// What each of the two bytes gives to the cell stands in a table: to decode pixels is what
/// the model does most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Expansion {
    first: &'static [u32; 256],
    second: &'static [u32; 256],
}

impl Expansion {
    const LOWEST: u32 = 0x0004_0004;
    /// Red's and blue's lowest bits are 0, or 1, or repeat the highest.
    const ZEROS: Self = Self { first: &table(8, 0, 0), second: &table(0, 0, 0) };
    const ONES: Self =
        Self { first: &table(8, 0, Self::LOWEST), second: &table(0, 0, Self::LOWEST) };
    const REPEATED: Self =
        Self { first: &table(8, Self::LOWEST, 0), second: &table(0, Self::LOWEST, 0) };

    pub(super) fn new(epf: u8) -> Self {
        match epf {
            0b01 => Self::ZEROS,
            0b10 => Self::ONES,
            _ => Self::REPEATED,
        }
    }

    #[inline(always)]
    pub(super) fn cell(self, [first, second]: [u8; 2]) -> u32 {
        self.first[usize::from(first)] | self.second[usize::from(second)]
    }
}

/// What a byte gives to a cell that stands `shift` bits above the other byte of the pixel: red
/// and blue with the lowest bits of `repeat` like the highest, and those of `ones` set.
const fn table(shift: u32, repeat: u32, ones: u32) -> [u32; 256] {
    let mut cells = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let pixel = (byte as u32) << shift;
        let red_and_blue = ((pixel << 8) & 0x00F8_0000) | ((pixel << 3) & 0x0000_00F8);
        let green = (pixel << 5) & 0x0000_FC00;
        let highest = ((pixel << 3) & 0x0004_0000) | ((pixel >> 2) & 0x0000_0004);
        cells[byte] = red_and_blue | green | (highest & repeat) | ones;
        byte += 1;
    }
    cells
}

/// The pixel formats of the serial interface (8.2.33).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PixelFormat {
    Bits16(Expansion),
    Bits18,
}

impl PixelFormat {
    /// How many bytes a pixel has on the wire.
    pub(super) fn bytes(self) -> usize {
        match self {
            Self::Bits16(_) => 2,
            Self::Bits18 => 3,
        }
    }
}
