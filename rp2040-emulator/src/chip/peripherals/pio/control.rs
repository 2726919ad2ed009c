//! The fields of a state machine's configuration: EXECCTRL, SHIFTCTRL and PINCTRL (datasheet
//! section 3.7).

use super::pins::{PinWrite, ones};

/// The bits of EXECCTRL that can be written; bit 31 says whether an instruction is stalled.
const EXEC_WRITABLE: u32 = 0x7FFF_FF9F;
const SHIFT_WRITABLE: u32 = 0xFFFF_0000;
/// FJOIN_RX and FJOIN_TX.
const JOIN: u32 = 3 << 30;
/// Bits of an instruction that delay and side-set share.
const DELAY_BITS: u32 = 5;

#[derive(Clone, Debug)]
pub(super) struct Control {
    exec: u32,
    shift: u32,
    pins: u32,
}

impl Default for Control {
    fn default() -> Self {
        Self { exec: 0x1F << 12, shift: 3 << 18, pins: 5 << 26 }
    }
}

fn field(register: u32, lowest: u32, bits: u32) -> u32 {
    register >> lowest & ones(bits)
}

fn flag(register: u32, bit: u32) -> bool {
    register >> bit & 1 != 0
}

/// A threshold of zero is 32.
fn threshold(field: u32) -> u32 {
    if field == 0 { 32 } else { field }
}

/// The registers.
impl Control {
    pub(super) fn exec(&self) -> u32 {
        self.exec
    }

    pub(super) fn set_exec(&mut self, value: u32) {
        self.exec = value & EXEC_WRITABLE;
    }

    pub(super) fn shift(&self) -> u32 {
        self.shift
    }

    /// True if the FIFOs are joined otherwise than before.
    pub(super) fn set_shift(&mut self, value: u32) -> bool {
        let joined = (self.shift ^ value) & JOIN != 0;
        self.shift = value & SHIFT_WRITABLE;
        joined
    }

    pub(super) fn pins(&self) -> u32 {
        self.pins
    }

    pub(super) fn set_pins(&mut self, value: u32) {
        self.pins = value;
    }
}

/// EXECCTRL
impl Control {
    pub(super) fn jump_pin(&self) -> u32 {
        field(self.exec, 24, 5)
    }

    /// The bit of OUT's data that enables its write, if one does.
    pub(super) fn inline_enable(&self) -> Option<u32> {
        flag(self.exec, 18).then(|| field(self.exec, 19, 5))
    }

    pub(super) fn is_sticky(&self) -> bool {
        flag(self.exec, 17)
    }

    pub(super) fn wrap_top(&self) -> u32 {
        field(self.exec, 12, 5)
    }

    pub(super) fn wrap_bottom(&self) -> u32 {
        field(self.exec, 7, 5)
    }

    /// Whether MOV's STATUS looks at the receive FIFO, and below which level it is all ones.
    pub(super) fn status(&self) -> (bool, usize) {
        (flag(self.exec, 4), field(self.exec, 0, 4) as usize)
    }
}

/// SHIFTCTRL
impl Control {
    /// Words of the transmit and of the receive FIFO. Each partner that is joined to the other has
    /// none; joined both ways, neither has.
    pub(super) fn depths(&self, depth: usize) -> (usize, usize) {
        let depth = |own: u32, other: u32| match (flag(self.shift, own), flag(self.shift, other)) {
            (_, true) => 0,
            (true, false) => 2 * depth,
            (false, false) => depth,
        };
        (depth(30, 31), depth(31, 30))
    }

    pub(super) fn pull_threshold(&self) -> u32 {
        threshold(field(self.shift, 25, 5))
    }

    pub(super) fn push_threshold(&self) -> u32 {
        threshold(field(self.shift, 20, 5))
    }

    pub(super) fn shifts_out_right(&self) -> bool {
        flag(self.shift, 19)
    }

    pub(super) fn shifts_in_right(&self) -> bool {
        flag(self.shift, 18)
    }

    pub(super) fn pulls(&self) -> bool {
        flag(self.shift, 17)
    }

    pub(super) fn pushes(&self) -> bool {
        flag(self.shift, 16)
    }
}

/// PINCTRL
impl Control {
    pub(super) fn in_base(&self) -> u32 {
        field(self.pins, 15, 5)
    }

    pub(super) fn out_pins(&self, values: u32) -> PinWrite {
        PinWrite::new(field(self.pins, 0, 5), field(self.pins, 20, 6), values)
    }

    pub(super) fn set_pins_to(&self, values: u32) -> PinWrite {
        PinWrite::new(field(self.pins, 5, 5), field(self.pins, 26, 3), values)
    }

    /// What an instruction's upper five bits mean: the delay, and what side-set writes, with
    /// whether that goes to the output enables.
    pub(super) fn delay_and_side(&self, bits: u32) -> (u32, Option<(PinWrite, bool)>) {
        // More than five bits would be more than there are.
        let side_bits = field(self.pins, 29, 3).min(DELAY_BITS);
        let delay = bits & ones(DELAY_BITS - side_bits);
        let side = bits >> (DELAY_BITS - side_bits);
        let optional = flag(self.exec, 30) && side_bits != 0;
        let count = side_bits - u32::from(optional);
        if count == 0 || optional && side >> count & 1 == 0 {
            return (delay, None);
        }
        let write = PinWrite::new(field(self.pins, 10, 5), count, side);
        (delay, Some((write, flag(self.exec, 29))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine whose side-set has so many bits from GPIO 4 on.
    fn side_set(bits: u32, exec: u32) -> Control {
        Control { pins: bits << 29 | 4 << 10, exec, ..Control::default() }
    }

    #[test]
    fn side_set_takes_the_upper_bits_of_the_delay() {
        let write = |count, values| Some((PinWrite::new(4, count, values), false));
        assert_eq!(side_set(0, 0).delay_and_side(0b11011), (0b11011, None));
        assert_eq!(side_set(2, 0).delay_and_side(0b10011), (0b011, write(2, 0b10)));
        assert_eq!(side_set(5, 0).delay_and_side(0b10011), (0, write(5, 0b10011)));
        assert_eq!(side_set(7, 0).delay_and_side(0b10011), (0, write(5, 0b10011)));
    }

    #[test]
    fn optional_side_set_has_a_bit_that_enables_it() {
        let optional = side_set(2, 1 << 30);
        let write = PinWrite::new(4, 1, 1);
        assert_eq!(optional.delay_and_side(0b11_101), (0b101, Some((write, false))));
        assert_eq!(optional.delay_and_side(0b01_101), (0b101, None));
        // With its only bit for the enable there is no pin; without any bit, no enable.
        assert_eq!(side_set(1, 1 << 30).delay_and_side(0b1_0011), (0b0011, None));
        assert_eq!(side_set(0, 1 << 30).delay_and_side(0b1_0011), (0b10011, None));
        let enables = side_set(2, 3 << 29);
        assert_eq!(enables.delay_and_side(0b11_101), (0b101, Some((write, true))));
    }

    #[test]
    fn a_fifo_has_its_partners_words_if_they_are_joined() {
        let depths = |join: u32| {
            let mut control = Control::default();
            control.set_shift(join << 30);
            control.depths(4)
        };
        assert_eq!([0, 1, 2, 3].map(depths), [(4, 4), (8, 0), (0, 8), (0, 0)]);
    }
}
