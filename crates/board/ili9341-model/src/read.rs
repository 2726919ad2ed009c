//! Answers of the controller: identification, status, and the memory's pixels.
//!
//! The host sends a read command and then clocks the answer out, in one transfer or many. Answers
//! of one byte begin at once; longer ones, and pixels, begin with a dummy byte (7.1.10 and each
//! command's table). A table lists the bytes of each answer. Pixels come as three bytes, six bits a
//! colour each in the upper bits, for any pixel format. Reading changes only the address counter.

use panel_tables::{Answer as Part, Command, Status};

use super::Ili9341;
use super::answer::{LONGEST, Source};
use super::registers::Registers;

/// Value of a dummy byte; the datasheet does not specify one.
const DUMMY: u8 = 0x00;

impl Ili9341 {
    pub(super) fn answer_register(&mut self, command: &Command) {
        let mut bytes = [0; LONGEST];
        let parts = command.answer.iter().flat_map(|part| {
            let (part, length) = self.registers.part(*part);
            part.into_iter().take(length)
        });
        for (place, byte) in bytes.iter_mut().zip(parts) {
            *place = byte;
        }
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
    /// Returns the bytes of a part of an answer, and their number.
    fn part(&self, part: Part) -> ([u8; 4], usize) {
        let one = |byte| ([byte, 0, 0, 0], 1);
        match part {
            Part::Byte(byte) => one(byte),
            Part::Status(status) => match status {
                Status::Display => (self.status().to_be_bytes(), 4),
                Status::PowerMode => one(self.power_mode()),
                Status::MemoryAccess => one(self.madctl),
                Status::PixelFormat => one(self.pixel_format),
                Status::Signal => one(self.tearing.map_or(0, |mode| 0x80 | mode << 6)),
                // Registers loaded and functions present, after SLPOUT has tested both (8.2.10).
                Status::SelfDiagnostic => one(if self.awake { 0xC0 } else { 0x00 }),
                Status::Brightness => one(self.brightness),
                Status::DisplayControl => one(self.display_control),
                Status::AdaptiveBrightness => one(self.adaptive_brightness),
                Status::LeastBrightness => one(self.least_brightness),
            },
        }
    }

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
