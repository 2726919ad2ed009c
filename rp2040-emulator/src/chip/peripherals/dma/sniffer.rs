//! The sniffer: a checksum over the data of one channel (datasheet section 2.5.5.2).

use super::transfer::swapped;
use crate::cpu::bus::Width;

// Registers: RP2040 datasheet 2.5.7.
pub(super) const SNIFF_CTRL: u32 = 0x434; // sniffer control, 2.5.7
pub(super) const SNIFF_DATA: u32 = 0x438; // checksum, 2.5.7

const SNIFF_CTRL_EN: u32 = 1;
const SNIFF_CTRL_DMACH_LSB: u32 = 1;
const SNIFF_CTRL_CALC_LSB: u32 = 5;
const SNIFF_CTRL_BSWAP: u32 = 1 << 9;
const SNIFF_CTRL_OUT_REV: u32 = 1 << 10;
const SNIFF_CTRL_OUT_INV: u32 = 1 << 11;
const SNIFF_CTRL_BITS: u32 = 0xFFF;

const CRC32: u32 = 0x04C1_1DB7;
const CRC16: u32 = 0x1021;

#[derive(Clone, Debug, Default)]
pub(super) struct Sniffer {
    control: u32,
    sum: u32,
}

impl Sniffer {
    pub(super) fn read(&self, offset: u32) -> u32 {
        if offset == SNIFF_CTRL {
            return self.control;
        }
        let sum =
            if self.control & SNIFF_CTRL_OUT_REV != 0 { self.sum.reverse_bits() } else { self.sum };
        if self.control & SNIFF_CTRL_OUT_INV != 0 { !sum } else { sum }
    }

    pub(super) fn write(&mut self, offset: u32, value: u32) {
        match offset {
            SNIFF_CTRL => self.control = value & SNIFF_CTRL_BITS,
            _ => self.sum = value,
        }
    }

    /// Adds `value`, transferred by `channel`, to the checksum.
    pub(super) fn take(&mut self, channel: usize, value: u32, width: Width) {
        if self.control & SNIFF_CTRL_EN == 0
            || self.control >> SNIFF_CTRL_DMACH_LSB & 15 != channel as u32
        {
            return;
        }
        let value = value & width.mask();
        let value =
            if self.control & SNIFF_CTRL_BSWAP != 0 { swapped(value, width) } else { value };
        let bits = width.bytes() * 8;
        // The first bit of the data is the highest.
        let (forward, backward) = (value << (32 - bits), value.reverse_bits());
        match self.control >> SNIFF_CTRL_CALC_LSB & 15 {
            0 => self.divide(CRC32, 32, forward, bits),
            1 => self.divide(CRC32, 32, backward, bits),
            2 => self.divide(CRC16, 16, forward, bits),
            3 => self.divide(CRC16, 16, backward, bits),
            14 => self.sum ^= value.count_ones() & 1,
            15 => self.sum = self.sum.wrapping_add(value),
            // Reserved: nothing is computed.
            _ => {}
        }
    }

    /// Continues the division by a polynomial of this degree, highest bits of `data` first.
    fn divide(&mut self, polynomial: u32, degree: u32, data: u32, bits: u32) {
        for bit in 0..bits {
            let out = self.sum >> (degree - 1) ^ data >> (31 - bit);
            self.sum = self.sum << 1 ^ if out & 1 != 0 { polynomial } else { 0 };
        }
        self.sum &= u32::MAX >> (32 - degree);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHECK: &[u8; 9] = b"123456789";

    /// Checks the checksum of the digits 1 to 9, which the CRC catalogue uses, byte by byte.
    #[track_caller]
    fn check(calculation: u32, more: u32, seed: u32, sum: u32) {
        let mut sniffer = Sniffer::default();
        sniffer.write(SNIFF_CTRL, SNIFF_CTRL_EN | 3 << 1 | calculation << 5 | more);
        sniffer.write(SNIFF_DATA, seed);
        for byte in CHECK {
            sniffer.take(2, 0xFF, Width::Byte); // on another channel
            sniffer.take(3, (*byte).into(), Width::Byte);
        }
        assert_eq!(sniffer.read(SNIFF_DATA), sum, "{:#x}", sniffer.read(SNIFF_DATA));
    }

    #[test]
    fn checksums_have_the_values_of_the_catalogue() {
        check(0, 0, u32::MAX, 0x0376_E6E7); // CRC-32/MPEG-2
        check(1, SNIFF_CTRL_OUT_REV | SNIFF_CTRL_OUT_INV, u32::MAX, 0xCBF4_3926); // CRC-32 of Ethernet
        check(2, 0, 0xFFFF, 0x29B1); // CRC-16/IBM-3740
        check(3, SNIFF_CTRL_OUT_REV | SNIFF_CTRL_OUT_INV, 0xFFFF, 0x906E_FFFF); // CRC-16/IBM-SDLC, in the upper half
        check(15, 0, 0, 477);
        check(14, 0, 0, 1);
    }

    #[test]
    fn words_are_sniffed_like_their_bytes() {
        for (calculation, swap) in [(1, 0), (0, SNIFF_CTRL_BSWAP), (3, 0), (2, SNIFF_CTRL_BSWAP)] {
            let [mut bytes, mut words] = [Sniffer::default(), Sniffer::default()];
            bytes.write(SNIFF_CTRL, SNIFF_CTRL_EN | calculation << 5);
            words.write(SNIFF_CTRL, SNIFF_CTRL_EN | calculation << 5 | swap);
            for byte in *b"mill" {
                bytes.take(0, byte.into(), Width::Byte);
            }
            words.take(0, u32::from_le_bytes(*b"mill"), Width::Word);
            assert_eq!(bytes.read(SNIFF_DATA), words.read(SNIFF_DATA), "calculation {calculation}");
        }
    }
}
