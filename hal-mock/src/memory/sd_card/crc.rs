//! The checksums of SD cards (SD Physical Layer Simplified Specification 9.10, 4.5).

/// Returns the last byte of a command or register: CRC7 and the end bit.
pub(super) fn crc7(bytes: &[u8]) -> u8 {
    let crc = bytes.iter().fold(0_u8, |crc, byte| {
        (0..8).rev().fold(crc, |crc, bit| {
            let feedback = crc >> 6 ^ byte >> bit & 1;
            (crc << 1 & 0x7F) ^ if feedback & 1 != 0 { 0x09 } else { 0 }
        })
    });
    crc << 1 | 1
}

/// Returns the CRC16 (CCITT) of a block of data.
pub(super) fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |crc: u16, byte| {
        (0..8).fold(crc ^ u16::from(*byte) << 8, |crc, _| {
            crc << 1 ^ if crc >> 15 != 0 { 0x1021 } else { 0 }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksums_are_those_of_the_specification() {
        // The examples of 4.5.
        assert_eq!(crc7(&[0x40, 0, 0, 0, 0]), 0x95);
        assert_eq!(crc7(&[0x51, 0, 0, 0, 0]), 0x55);
        assert_eq!(crc7(&[0x48, 0, 0, 1, 0xAA]), 0x87);
        assert_eq!(crc16(&[0xFF; 512]), 0x7FA1);
    }
}
