//! CRC-32 as in IEEE 802.3 (polynomial `04C11DB7`, reflected, inverted at both ends), computed by
//! half bytes with a table of 64 bytes.

const TABLE: [u32; 16] = {
    let mut table = [0; 16];
    let mut nibble = 0;
    while nibble < table.len() {
        let mut rest = nibble as u32;
        let mut bit = 0;
        while bit < 4 {
            rest = if rest & 1 == 1 { rest >> 1 ^ 0xEDB8_8320 } else { rest >> 1 };
            bit += 1;
        }
        table[nibble] = rest;
        nibble += 1;
    }
    table
};

/// Checksum of the bytes so far.
#[derive(Clone, Copy, Debug)]
pub struct Crc(u32);

impl Crc {
    /// Checksum of no bytes.
    pub const NONE: Self = Self(!0);

    /// Returns the checksum of `bytes`.
    pub fn of(bytes: &[u8]) -> u32 {
        let mut crc = Self::NONE;
        crc.add(bytes);
        crc.sum()
    }

    /// Adds `bytes` to the checksum.
    #[inline(never)]
    pub fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            for nibble in [byte & 15, byte >> 4] {
                let index = (self.0 ^ u32::from(nibble)) & 15;
                self.0 = self.0 >> 4 ^ TABLE[index as usize];
            }
        }
    }

    /// Returns the checksum of all bytes added.
    pub const fn sum(self) -> u32 {
        !self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_matches_the_catalogued_value() {
        // The check value that CRC catalogues list for CRC-32/ISO-HDLC.
        assert_eq!(Crc::of(b"123456789"), 0xCBF4_3926);
        assert_eq!(Crc::of(b""), 0);
    }

    #[test]
    fn bytes_can_be_added_in_parts() {
        let mut crc = Crc::NONE;
        crc.add(b"1234");
        crc.add(b"56789");
        assert_eq!(crc.sum(), Crc::of(b"123456789"));
    }
}
