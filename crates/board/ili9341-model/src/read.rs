//! Answers of the controller: identification, status, and the memory's pixels.
//!
//! The host sends a read command and then clocks the answer out, in one transfer or many. Answers
//! of one byte begin at once; longer ones, and pixels, begin with a dummy byte (7.1.10 and each
//! command's table). Pixels come as three bytes, six bits a colour each in the upper bits, for any
//! pixel format. Reading changes only the address counter.

use super::Ili9341;
use super::answer::{LONGEST, Source};
use super::command;
use super::registers::Registers;

/// ID1 to ID3 at delivery (8.2.46 to 8.2.48), and ID4 (8.3.23).
const ID: [u8; 3] = [0x00, 0x80, 0x00];
const ID4: [u8; 3] = [0x00, 0x93, 0x41];
/// Value of a dummy byte; the datasheet does not specify one.
const DUMMY: u8 = 0x00;

impl Ili9341 {
    pub(super) fn answer_register(&mut self, code: u8) {
        let registers = &self.registers;
        let one = |byte| [byte, 0, 0, 0, 0];
        let three = |[a, b, c]: [u8; 3]| [DUMMY, a, b, c, 0];
        let bytes = match code {
            command::RDDID => three(ID),
            command::RDDST => {
                let [a, b, c, d] = registers.status().to_be_bytes();
                [DUMMY, a, b, c, d]
            }
            command::RDDPM => one(registers.power_mode()),
            command::RDDMADCTL => one(registers.madctl),
            command::RDDCOLMOD => one(registers.pixel_format),
            command::RDDSM => one(registers.tearing.map_or(0, |mode| 0x80 | mode << 6)),
            // Registers loaded and functions present, after SLPOUT has tested both (8.2.10).
            command::RDDSDR => one(if registers.awake { 0xC0 } else { 0x00 }),
            command::RDDISBV => one(registers.brightness),
            command::RDCTRLD => one(registers.display_control),
            command::RDCABC => one(registers.adaptive_brightness),
            command::RDCABCMB => one(registers.least_brightness),
            command::RDID1 => one(ID[0]),
            command::RDID2 => one(ID[1]),
            command::RDID3 => one(ID[2]),
            command::RDID4 => three(ID4),
            // The image format has no bit that this model sets; scan line and NV memory are
            // not modelled and read as zeros.
            _ => [0; LONGEST],
        };
        let next = core::mem::take(&mut self.answer.index);
        self.answer.bytes = bytes;
        (self.answer.source, self.answer.next) = (Source::Register, next);
    }

    pub(super) fn answer_memory(&mut self) {
        (self.answer.source, self.answer.next) = (Source::Memory { gone: 0 }, 0);
    }

    /// Fills `bytes` with the next bytes of the answer, and with zeros after its end.
    pub(super) fn answer_into(&mut self, bytes: &mut [u8]) {
        for byte in bytes {
            *byte = match self.answer.source {
                Source::Memory { .. } if self.answer.next == 0 => DUMMY,
                Source::Memory { gone } => self.answer_pixel_byte(gone),
                Source::Register => self.answer.bytes.get(self.answer.next).copied().unwrap_or(0),
            };
            self.answer.next = self.answer.next.saturating_add(1);
        }
    }

    fn answer_pixel_byte(&mut self, gone: usize) -> u8 {
        if gone == 0 {
            let [_, red, green, blue] = self.memory.read().unwrap_or(0).to_be_bytes();
            self.answer.bytes[..3].copy_from_slice(&[red, green, blue]);
        }
        self.answer.source = Source::Memory { gone: (gone + 1) % 3 };
        self.answer.bytes[gone]
    }
}

impl Registers {
    /// Returns RDDST (8.2.4): D31 to D0. There is one gamma curve, GC0, so D8 to D6 are 0.
    fn status(&self) -> u32 {
        let bit = |at: u32, set: bool| u32::from(set) << at;
        bit(31, self.awake)
            | u32::from(self.madctl >> 2) << 25
            | u32::from(self.pixel_format & 0x07) << 20
            | bit(19, self.idle)
            | bit(18, self.partial)
            | bit(17, self.awake)
            | bit(16, !self.partial)
            | bit(10, self.display_on)
            | bit(9, self.tearing.is_some())
            | bit(5, self.tearing == Some(1))
    }

    /// Returns RDDPM (8.2.5).
    fn power_mode(&self) -> u8 {
        let bit = |at: u32, set: bool| u8::from(set) << at;
        bit(7, self.awake)
            | bit(6, self.idle)
            | bit(5, self.partial)
            | bit(4, self.awake)
            | bit(3, !self.partial)
            | bit(2, self.display_on)
    }
}
