//! The registers of an SD card, and its capacity (SD Physical Layer Simplified Specification 9.10,
//! chapter 5).

use super::crc::crc7;

/// Size of a sector in bytes.
pub(super) const SECTOR: u64 = 512;
/// Largest standard capacity card: 2 GiB.
const STANDARD_MAX: u64 = 2 << 30;
/// Unit of the capacity of a high capacity card (5.3.3, C_SIZE).
const HIGH_UNIT: u64 = 512 << 10;
/// Largest C_SIZE of a standard capacity card (5.3.2).
const C_SIZE_MAX: u64 = 1 << 12;

/// Command classes 0, 2, 4, 5 and 8 (5.3.2, CCC).
const CLASSES: u16 = 0x135;

/// The capacity of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Capacity {
    /// Size in bytes.
    pub(super) bytes: u64,
    /// Whether addresses count sectors (SDHC), not bytes.
    pub(super) is_high: bool,
    /// C_SIZE_MULT and READ_BL_LEN of a standard capacity card.
    multiplier: u32,
    length: u32,
}

impl Capacity {
    /// Returns the smallest capacity that a card can have for at least `bytes` bytes.
    pub(super) fn for_bytes(bytes: u64) -> Self {
        if bytes > STANDARD_MAX {
            let bytes = bytes.div_ceil(HIGH_UNIT).saturating_mul(HIGH_UNIT);
            return Self { bytes, is_high: true, multiplier: 0, length: 9 };
        }
        // The smallest unit whose number fits into C_SIZE: blocks of 512 bytes up to 1 GiB.
        let units = (0..=7).map(|multiplier| (multiplier, 9)).chain([(7, 10)]);
        let fits = |(multiplier, length): &(u32, u32)| {
            bytes.div_ceil(1 << (multiplier + 2 + length)) <= C_SIZE_MAX
        };
        let (multiplier, length) = { units }.find(fits).unwrap_or((7, 10));
        let unit = 1 << (multiplier + 2 + length);
        let bytes = bytes.div_ceil(unit).max(1) * unit;
        Self { bytes, is_high: false, multiplier, length }
    }

    /// Returns the number of sectors.
    pub(super) fn sectors(self) -> u64 {
        self.bytes / SECTOR
    }

    /// Returns the register CSD: version 2.0 for high capacity, 1.0 for standard.
    pub(super) fn csd(self) -> [u8; 16] {
        let [first, second] = CLASSES.to_be_bytes();
        // CCC has twelve bits, and READ_BL_LEN follows.
        let classes = [first << 4 | second >> 4, second << 4 | self.length as u8];
        let mut csd = [0; 16];
        // TAAC 1 ms, TRAN_SPEED 25 MHz.
        csd[1..4].copy_from_slice(&[0x0E, 0x00, 0x32]);
        csd[4..6].copy_from_slice(&classes);
        if self.is_high {
            let size = (self.bytes / HIGH_UNIT).saturating_sub(1) as u32;
            csd[0] = 0x40;
            csd[7..10].copy_from_slice(&size.to_be_bytes()[1..]);
            // ERASE_BLK_EN, SECTOR_SIZE 128 sectors.
            csd[10..13].copy_from_slice(&[0x7F, 0x80, 0x0A]);
            csd[13] = 0x40;
        } else {
            let unit = 1_u64 << (self.multiplier + 2 + self.length);
            let size = (self.bytes / unit).saturating_sub(1) as u32 & 0xFFF;
            // READ_BL_PARTIAL, and C_SIZE in bits 73 to 62.
            csd[6] = 0x80 | (size >> 10) as u8;
            csd[7] = (size >> 2) as u8;
            csd[8] = (size << 6) as u8;
            csd[9] = (self.multiplier >> 1) as u8;
            csd[10] = (self.multiplier << 7) as u8 | 0x7F;
            csd[11] = 0x80;
            // R2W_FACTOR 4, WRITE_BL_LEN like READ_BL_LEN.
            csd[12] = 2 << 2 | (self.length >> 2) as u8;
            csd[13] = (self.length << 6) as u8;
        }
        csd[15] = crc7(&csd[..15]);
        csd
    }
}

/// Returns the register CID: a card without a maker, of January 2024.
pub(super) fn cid() -> [u8; 16] {
    let mut cid = [0; 16];
    cid[1..3].copy_from_slice(b"NU");
    cid[3..8].copy_from_slice(b"NUDGE");
    cid[8] = 0x10;
    cid[12] = 1;
    cid[13..15].copy_from_slice(&[0x01, 0x81]);
    cid[15] = crc7(&cid[..15]);
    cid
}

/// The register SCR: physical layer version 3, a bus of one or four lines.
pub(super) const SCR: [u8; 8] = [0x02, 0x05, 0x80, 0, 0, 0, 0, 0];

/// Returns the register OCR: 2.7 to 3.6 V, whether the card is ready, and whether it has high
/// capacity.
pub(super) fn ocr(is_ready: bool, is_high: bool) -> [u8; 4] {
    let status = if is_ready { 0x80 | if is_high { 0x40 } else { 0 } } else { 0 };
    [status, 0xFF, 0x80, 0]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the capacity in bytes that a driver computes from a CSD.
    fn of_csd(csd: [u8; 16]) -> u64 {
        let bit = |range: std::ops::RangeInclusive<u32>| {
            range.rev().fold(0_u64, |value, bit| {
                value << 1 | u64::from(csd[15 - bit as usize / 8] >> (bit % 8) & 1)
            })
        };
        match bit(126..=127) {
            0 => (bit(62..=73) + 1) << (bit(47..=49) + 2 + bit(80..=83)),
            1 => (bit(48..=69) + 1) * (512 << 10),
            other => panic!("structure {other}"),
        }
    }

    #[test]
    fn a_driver_reads_the_capacity_from_the_csd() {
        let kib = 1 << 10;
        let mib = 1_024 * kib;
        for (bytes, capacity, is_high) in [
            (512, 2 * kib, false),
            (64 * kib, 64 * kib, false),
            (70 * kib, 70 * kib, false),
            (8 * mib, 8 * mib, false),
            (8 * mib + 512, 8 * mib + 4 * kib, false),
            (1_024 * mib, 1_024 * mib, false),
            (1_500 * mib, 1_500 * mib, false),
            (2_048 * mib, 2_048 * mib, false),
            (2_048 * mib + 1, 2_048 * mib + 512 * kib, true),
            (32_768 * mib, 32_768 * mib, true),
        ] {
            let found = Capacity::for_bytes(bytes);
            assert_eq!((found.bytes, found.is_high), (capacity, is_high), "{bytes}");
            assert_eq!(of_csd(found.csd()), capacity, "{bytes}");
        }
    }
}
