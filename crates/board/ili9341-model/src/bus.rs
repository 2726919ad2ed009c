//! Decoders of the buses: from the wires or the words of a bus to bytes with their D/CX level,
//! which [`Ili9341::set_dc`](crate::Ili9341::set_dc) and [`write`](crate::Ili9341::write) take.
//!
//! The decoders know no time and no controller. [`Serial`] takes bits of four wires or of three,
//! [`nine_bits`] whole words of three wires, [`I2cDisplay`] the bytes of an I²C transfer,
//! [`Parallel`] the levels of eight data lines.

/// A byte and the level of D/CX: `false` for a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BusByte {
    pub dc_high: bool,
    pub byte: u8,
}

/// A serial bus, bit by bit: most significant bit first, sampled when SCL rises (7.1.9 of the
/// ILI9341's datasheet).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Serial {
    /// Whether the first of nine bits is D/CX; otherwise D/CX is a line of its own.
    has_dc_bit: bool,
    bits: u16,
    count: u8,
}

impl Serial {
    /// Creates a bus of four lines: data, clock, chip select and D/CX.
    pub const fn four_wire() -> Self {
        Self { has_dc_bit: false, bits: 0, count: 0 }
    }

    /// Creates a bus of three lines, whose words have nine bits.
    pub const fn three_wire() -> Self {
        Self { has_dc_bit: true, bits: 0, count: 0 }
    }

    /// Receives a bit at the rising edge of SCL. `dc_high` is the level of D/CX at that time, which
    /// counts with the last bit of a byte. Returns the byte that this bit completes.
    pub fn clock(&mut self, bit: bool, dc_high: bool) -> Option<BusByte> {
        self.bits = self.bits << 1 | u16::from(bit);
        self.count += 1;
        if self.count < 8 + u8::from(self.has_dc_bit) {
            return None;
        }
        let dc_high = if self.has_dc_bit { self.bits & 0x100 != 0 } else { dc_high };
        let byte = self.bits as u8;
        (self.bits, self.count) = (0, 0);
        Some(BusByte { dc_high, byte })
    }

    /// Ends the transfer: chip select rises. Returns the number of bits of an incomplete byte,
    /// which is dropped.
    pub fn deselect(&mut self) -> u8 {
        self.bits = 0;
        core::mem::take(&mut self.count)
    }
}

/// Returns the byte of a word of nine bits, as a PIO or an SPI block shifts it.
pub const fn nine_bits(word: u16) -> BusByte {
    BusByte { dc_high: word & 0x100 != 0, byte: word as u8 }
}

/// Co of a control byte: one more byte follows, and then another control byte.
const CO: u8 = 0x80;
/// D/C# of a control byte.
const DC: u8 = 0x40;

/// A display on an I²C bus (8.1.5 of the SSD1306's datasheet): a control byte before each byte, or
/// before all that follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct I2cDisplay {
    /// Address in seven bits: 3Ch or 3Dh.
    address: u8,
    state: I2cState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum I2cState {
    /// No transfer, or one for another device.
    Idle,
    Control,
    /// One byte, and then a control byte.
    One(bool),
    /// All bytes until the end of the transfer.
    All(bool),
}

impl I2cDisplay {
    /// Creates a display with an address of seven bits.
    pub const fn new(address: u8) -> Self {
        Self { address, state: I2cState::Idle }
    }

    /// Begins a transfer: a start condition, and the address byte with R/W# in its lowest bit.
    /// Returns whether the display acknowledges it and receives the bytes.
    pub fn start(&mut self, address_byte: u8) -> bool {
        let is_written = address_byte == self.address << 1;
        self.state = if is_written { I2cState::Control } else { I2cState::Idle };
        is_written
    }

    /// Receives a byte after the address. Returns the byte for the controller, if it is not a
    /// control byte.
    pub fn byte(&mut self, byte: u8) -> Option<BusByte> {
        match self.state {
            I2cState::Idle => None,
            I2cState::Control => {
                let dc_high = byte & DC != 0;
                let one = byte & CO != 0;
                self.state = if one { I2cState::One(dc_high) } else { I2cState::All(dc_high) };
                None
            }
            I2cState::One(dc_high) => {
                self.state = I2cState::Control;
                Some(BusByte { dc_high, byte })
            }
            I2cState::All(dc_high) => Some(BusByte { dc_high, byte }),
        }
    }

    /// Ends the transfer with a stop condition.
    pub fn stop(&mut self) {
        self.state = I2cState::Idle;
    }
}

/// Eight data lines with a write strobe (8080): a byte is sampled when WRX rises while CSX is low.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parallel {
    write_high: bool,
}

impl Default for Parallel {
    fn default() -> Self {
        Self { write_high: true }
    }
}

impl Parallel {
    /// Receives the levels of all lines after one of them has changed. Returns the byte that the
    /// strobe samples.
    pub fn levels(
        &mut self,
        chip_select_high: bool,
        write_high: bool,
        dc_high: bool,
        data: u8,
    ) -> Option<BusByte> {
        let rises = write_high && !self.write_high;
        self.write_high = write_high;
        (rises && !chip_select_high).then_some(BusByte { dc_high, byte: data })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn command(byte: u8) -> BusByte {
        BusByte { dc_high: false, byte }
    }

    const fn data(byte: u8) -> BusByte {
        BusByte { dc_high: true, byte }
    }

    fn bits(count: u8, word: u16) -> impl Iterator<Item = bool> {
        (0..count).rev().map(move |bit| word >> bit & 1 == 1)
    }

    #[test]
    fn four_wires_sample_dc_with_the_eighth_bit() {
        let mut bus = Serial::four_wire();
        // D/CX rises before the last bit.
        let levels = (0..8).map(|bit| bit == 7);
        let bytes: Vec<_> =
            bits(8, 0x2C).zip(levels).filter_map(|(bit, dc)| bus.clock(bit, dc)).collect();
        assert_eq!(bytes, [data(0x2C)]);
        let bytes: Vec<_> = bits(16, 0xF800).filter_map(|bit| bus.clock(bit, false)).collect();
        assert_eq!(bytes, [command(0xF8), command(0x00)]);
    }

    #[test]
    fn three_wires_have_dc_as_the_first_of_nine_bits() {
        let mut bus = Serial::three_wire();
        let words = [0x02A, 0x101, 0x13F];
        let bytes: Vec<_> = words
            .into_iter()
            .flat_map(|word| bits(9, word))
            .filter_map(|bit| bus.clock(bit, true))
            .collect();
        assert_eq!(bytes, [command(0x2A), data(0x01), data(0x3F)]);
        assert_eq!(words.map(nine_bits), [command(0x2A), data(0x01), data(0x3F)]);
    }

    #[test]
    fn chip_select_drops_an_incomplete_byte() {
        let mut bus = Serial::four_wire();
        assert!(bits(5, 0x1F).all(|bit| bus.clock(bit, true).is_none()));
        assert_eq!((bus.deselect(), bus.deselect()), (5, 0));
        let bytes: Vec<_> = bits(8, 0x11).filter_map(|bit| bus.clock(bit, false)).collect();
        assert_eq!(bytes, [command(0x11)]);
    }

    #[test]
    fn i2c_control_bytes_select_command_or_data() {
        let mut display = I2cDisplay::new(0x3C);
        assert!(display.start(0x78));
        // Two commands with a control byte each, then data until the end.
        let sent = [0x80, 0xAE, 0x80, 0xA8, 0x40, 0x55, 0xAA, 0x80];
        let bytes: Vec<_> = sent.into_iter().filter_map(|byte| display.byte(byte)).collect();
        assert_eq!(bytes, [command(0xAE), command(0xA8), data(0x55), data(0xAA), data(0x80)]);
        display.stop();
        assert_eq!(display.byte(0x12), None, "the transfer is over");
        assert!(display.start(0x78));
        let bytes: Vec<_> =
            [0x00, 0x20, 0x00].into_iter().filter_map(|byte| display.byte(byte)).collect();
        assert_eq!(bytes, [command(0x20), command(0x00)]);
    }

    #[test]
    fn i2c_ignores_other_addresses_and_reads() {
        let mut display = I2cDisplay::new(0x3C);
        assert!(!display.start(0x7A), "3Dh");
        assert_eq!((display.byte(0x00), display.byte(0xAF)), (None, None));
        assert!(!display.start(0x79), "a read");
        assert_eq!((display.byte(0x00), display.byte(0xAF)), (None, None));
    }

    #[test]
    fn a_parallel_byte_is_sampled_at_the_rise_of_wrx() {
        let mut bus = Parallel::default();
        assert_eq!(bus.levels(false, true, false, 0x2C), None);
        assert_eq!(bus.levels(false, false, false, 0x2C), None);
        assert_eq!(bus.levels(false, true, false, 0x2C), Some(command(0x2C)));
        assert_eq!(bus.levels(false, false, true, 0xF8), None);
        assert_eq!(bus.levels(false, true, true, 0xF8), Some(data(0xF8)));
        assert_eq!(bus.levels(true, false, true, 0x11), None);
        assert_eq!(bus.levels(true, true, true, 0x11), None, "not selected");
    }
}
