//! The fields of a state machine's configuration: EXECCTRL, SHIFTCTRL and PINCTRL (datasheet
//! section 3.7).

use super::pins::{PinWrite, ones};

/// A field of a register: its lowest bit, and how many bits it has.
type Field = (u32, u32);

// Fields of SM0_EXECCTRL and its like, RP2040 datasheet 3.7.
const EXECCTRL_SIDE_EN: u32 = 30;
const EXECCTRL_SIDE_PINDIR: u32 = 29;
const EXECCTRL_JMP_PIN: Field = (24, 5);
const EXECCTRL_OUT_EN_SEL: Field = (19, 5);
const EXECCTRL_INLINE_OUT_EN: u32 = 18;
const EXECCTRL_OUT_STICKY: u32 = 17;
const EXECCTRL_WRAP_TOP: Field = (12, 5);
const EXECCTRL_WRAP_BOTTOM: Field = (7, 5);
const EXECCTRL_STATUS_SEL: u32 = 4;
const EXECCTRL_STATUS_N: Field = (0, 4);
/// The bits that can be written; bit 31, EXEC_STALLED, is read-only.
const EXECCTRL_WRITABLE: u32 = 0x7FFF_FF9F;
const EXECCTRL_RESET: u32 = 0x1F << EXECCTRL_WRAP_TOP.0;

// Fields of SM0_SHIFTCTRL and its like, RP2040 datasheet 3.7.
const SHIFTCTRL_FJOIN_RX: u32 = 31;
const SHIFTCTRL_FJOIN_TX: u32 = 30;
const SHIFTCTRL_PULL_THRESH: Field = (25, 5);
const SHIFTCTRL_PUSH_THRESH: Field = (20, 5);
const SHIFTCTRL_OUT_SHIFTDIR: u32 = 19;
const SHIFTCTRL_IN_SHIFTDIR: u32 = 18;
const SHIFTCTRL_AUTOPULL: u32 = 17;
const SHIFTCTRL_AUTOPUSH: u32 = 16;
const SHIFTCTRL_BITS: u32 = 0xFFFF_0000;
const SHIFTCTRL_RESET: u32 = 1 << SHIFTCTRL_OUT_SHIFTDIR | 1 << SHIFTCTRL_IN_SHIFTDIR;
const SHIFTCTRL_FJOIN: u32 = 1 << SHIFTCTRL_FJOIN_RX | 1 << SHIFTCTRL_FJOIN_TX;

// Fields of SM0_PINCTRL and its like, RP2040 datasheet 3.7.
const PINCTRL_SIDESET_COUNT: Field = (29, 3);
const PINCTRL_SET_COUNT: Field = (26, 3);
const PINCTRL_OUT_COUNT: Field = (20, 6);
const PINCTRL_IN_BASE: Field = (15, 5);
const PINCTRL_SIDESET_BASE: Field = (10, 5);
const PINCTRL_SET_BASE: Field = (5, 5);
const PINCTRL_OUT_BASE: Field = (0, 5);
const PINCTRL_RESET: u32 = 5 << PINCTRL_SET_COUNT.0;

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
        Self { exec: EXECCTRL_RESET, shift: SHIFTCTRL_RESET, pins: PINCTRL_RESET }
    }
}

fn field(register: u32, (lowest, bits): Field) -> u32 {
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
        self.exec = value & EXECCTRL_WRITABLE;
    }

    pub(super) fn shift(&self) -> u32 {
        self.shift
    }

    /// True if the FIFOs are joined otherwise than before.
    pub(super) fn set_shift(&mut self, value: u32) -> bool {
        let joined = (self.shift ^ value) & SHIFTCTRL_FJOIN != 0;
        self.shift = value & SHIFTCTRL_BITS;
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
        field(self.exec, EXECCTRL_JMP_PIN)
    }

    /// The bit of OUT's data that enables its write, if one does.
    pub(super) fn inline_enable(&self) -> Option<u32> {
        flag(self.exec, EXECCTRL_INLINE_OUT_EN).then(|| field(self.exec, EXECCTRL_OUT_EN_SEL))
    }

    pub(super) fn is_sticky(&self) -> bool {
        flag(self.exec, EXECCTRL_OUT_STICKY)
    }

    pub(super) fn wrap_top(&self) -> u32 {
        field(self.exec, EXECCTRL_WRAP_TOP)
    }

    pub(super) fn wrap_bottom(&self) -> u32 {
        field(self.exec, EXECCTRL_WRAP_BOTTOM)
    }

    /// Whether MOV's STATUS looks at the receive FIFO, and below which level it is all ones.
    pub(super) fn status(&self) -> (bool, usize) {
        (flag(self.exec, EXECCTRL_STATUS_SEL), field(self.exec, EXECCTRL_STATUS_N) as usize)
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
        (
            depth(SHIFTCTRL_FJOIN_TX, SHIFTCTRL_FJOIN_RX),
            depth(SHIFTCTRL_FJOIN_RX, SHIFTCTRL_FJOIN_TX),
        )
    }

    pub(super) fn pull_threshold(&self) -> u32 {
        threshold(field(self.shift, SHIFTCTRL_PULL_THRESH))
    }

    pub(super) fn push_threshold(&self) -> u32 {
        threshold(field(self.shift, SHIFTCTRL_PUSH_THRESH))
    }

    pub(super) fn shifts_out_right(&self) -> bool {
        flag(self.shift, SHIFTCTRL_OUT_SHIFTDIR)
    }

    pub(super) fn shifts_in_right(&self) -> bool {
        flag(self.shift, SHIFTCTRL_IN_SHIFTDIR)
    }

    pub(super) fn pulls(&self) -> bool {
        flag(self.shift, SHIFTCTRL_AUTOPULL)
    }

    pub(super) fn pushes(&self) -> bool {
        flag(self.shift, SHIFTCTRL_AUTOPUSH)
    }
}

/// PINCTRL
impl Control {
    pub(super) fn in_base(&self) -> u32 {
        field(self.pins, PINCTRL_IN_BASE)
    }

    pub(super) fn out_pins(&self, values: u32) -> PinWrite {
        PinWrite::new(
            field(self.pins, PINCTRL_OUT_BASE),
            field(self.pins, PINCTRL_OUT_COUNT),
            values,
        )
    }

    pub(super) fn set_pins_to(&self, values: u32) -> PinWrite {
        PinWrite::new(
            field(self.pins, PINCTRL_SET_BASE),
            field(self.pins, PINCTRL_SET_COUNT),
            values,
        )
    }

    /// What an instruction's upper five bits mean: the delay, and what side-set writes, with
    /// whether that goes to the output enables.
    pub(super) fn delay_and_side(&self, bits: u32) -> (u32, Option<(PinWrite, bool)>) {
        // More than five bits would be more than there are.
        let side_bits = field(self.pins, PINCTRL_SIDESET_COUNT).min(DELAY_BITS);
        let delay = bits & ones(DELAY_BITS - side_bits);
        let side = bits >> (DELAY_BITS - side_bits);
        let optional = flag(self.exec, EXECCTRL_SIDE_EN) && side_bits != 0;
        let count = side_bits - u32::from(optional);
        if count == 0 || optional && side >> count & 1 == 0 {
            return (delay, None);
        }
        let write = PinWrite::new(field(self.pins, PINCTRL_SIDESET_BASE), count, side);
        (delay, Some((write, flag(self.exec, EXECCTRL_SIDE_PINDIR))))
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
