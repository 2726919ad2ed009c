//! The fields of a state machine's configuration: EXECCTRL, SHIFTCTRL and PINCTRL (datasheet
//! section 3.7).

use super::pins::{PinRun, PinWrite, PinWrites, ones};

/// A field of a register: its lowest bit, and its number of bits.
type Field = (u32, u32);

// Fields of SM0_EXECCTRL to SM3_EXECCTRL, RP2040 datasheet 3.7.
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
/// Bits that can be written; bit 31, EXEC_STALLED, is read-only.
const EXECCTRL_WRITABLE: u32 = 0x7FFF_FF9F;
const EXECCTRL_RESET: u32 = 0x1F << EXECCTRL_WRAP_TOP.0;

// Fields of SM0_SHIFTCTRL to SM3_SHIFTCTRL, RP2040 datasheet 3.7.
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

// Fields of SM0_PINCTRL to SM3_PINCTRL, RP2040 datasheet 3.7.
const PINCTRL_SIDESET_COUNT: Field = (29, 3);
const PINCTRL_SET_COUNT: Field = (26, 3);
const PINCTRL_OUT_COUNT: Field = (20, 6);
const PINCTRL_IN_BASE: Field = (15, 5);
const PINCTRL_SIDESET_BASE: Field = (10, 5);
const PINCTRL_SET_BASE: Field = (5, 5);
const PINCTRL_OUT_BASE: Field = (0, 5);
const PINCTRL_RESET: u32 = 5 << PINCTRL_SET_COUNT.0;

/// Number of bits of an instruction that delay and side-set share.
const DELAY_BITS: u32 = 5;

/// The registers and their fields, which are decoded when a register is written and not in each
/// tick.
#[derive(Clone, Debug)]
pub(super) struct Control {
    exec: u32,
    shift: u32,
    pins: u32,
    fields: Fields,
}

impl Default for Control {
    fn default() -> Self {
        Self::new(EXECCTRL_RESET, SHIFTCTRL_RESET, PINCTRL_RESET)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fields {
    jump_pin: u32,
    inline_enable: Option<u32>,
    is_sticky: bool,
    wrap_top: u32,
    wrap_bottom: u32,
    pull_threshold: u32,
    push_threshold: u32,
    shifts_out_right: bool,
    shifts_in_right: bool,
    pulls: bool,
    pushes: bool,
    in_base: u32,
    out: PinRun,
    set: PinRun,
    side: SideSet,
}

/// The division of an instruction's bits 12 to 8 between delay and side-set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SideSet {
    /// Mask of the delay, the lowest bits.
    delay_mask: u32,
    /// Position of the pins' values.
    lowest: u32,
    /// Bit that must be set for a side-set; 0 if there is always one.
    enable: u32,
    /// Pins of the side-set; empty if there is no side-set.
    pins: PinRun,
    to_enables: bool,
}

fn field(register: u32, (lowest, bits): Field) -> u32 {
    register >> lowest & ones(bits)
}

fn flag(register: u32, bit: u32) -> bool {
    register >> bit & 1 != 0
}

/// Returns a threshold, for which zero means 32.
fn threshold(field: u32) -> u32 {
    if field == 0 { 32 } else { field }
}

impl Fields {
    fn decode(exec: u32, shift: u32, pins: u32) -> Self {
        let run = |base, count| PinRun::new(field(pins, base), field(pins, count));
        Self {
            jump_pin: field(exec, EXECCTRL_JMP_PIN),
            inline_enable: flag(exec, EXECCTRL_INLINE_OUT_EN)
                .then(|| field(exec, EXECCTRL_OUT_EN_SEL)),
            is_sticky: flag(exec, EXECCTRL_OUT_STICKY),
            wrap_top: field(exec, EXECCTRL_WRAP_TOP),
            wrap_bottom: field(exec, EXECCTRL_WRAP_BOTTOM),
            pull_threshold: threshold(field(shift, SHIFTCTRL_PULL_THRESH)),
            push_threshold: threshold(field(shift, SHIFTCTRL_PUSH_THRESH)),
            shifts_out_right: flag(shift, SHIFTCTRL_OUT_SHIFTDIR),
            shifts_in_right: flag(shift, SHIFTCTRL_IN_SHIFTDIR),
            pulls: flag(shift, SHIFTCTRL_AUTOPULL),
            pushes: flag(shift, SHIFTCTRL_AUTOPUSH),
            in_base: field(pins, PINCTRL_IN_BASE),
            out: run(PINCTRL_OUT_BASE, PINCTRL_OUT_COUNT),
            set: run(PINCTRL_SET_BASE, PINCTRL_SET_COUNT),
            side: SideSet::decode(exec, pins),
        }
    }
}

impl SideSet {
    fn decode(exec: u32, pins: u32) -> Self {
        // There are only five bits.
        let bits = field(pins, PINCTRL_SIDESET_COUNT).min(DELAY_BITS);
        // An optional side-set is enabled by its highest bit.
        let optional = flag(exec, EXECCTRL_SIDE_EN) && bits != 0;
        Self {
            delay_mask: ones(DELAY_BITS - bits),
            lowest: DELAY_BITS - bits,
            enable: u32::from(optional) << (DELAY_BITS - 1),
            pins: PinRun::new(field(pins, PINCTRL_SIDESET_BASE), bits - u32::from(optional)),
            to_enables: flag(exec, EXECCTRL_SIDE_PINDIR),
        }
    }
}

/// Access to the registers.
impl Control {
    fn new(exec: u32, shift: u32, pins: u32) -> Self {
        Self { exec, shift, pins, fields: Fields::decode(exec, shift, pins) }
    }

    pub(super) fn exec(&self) -> u32 {
        self.exec
    }

    pub(super) fn set_exec(&mut self, value: u32) {
        *self = Self::new(value & EXECCTRL_WRITABLE, self.shift, self.pins);
    }

    pub(super) fn shift(&self) -> u32 {
        self.shift
    }

    /// Writes SHIFTCTRL. Returns true if this changes the joining of the FIFOs.
    pub(super) fn set_shift(&mut self, value: u32) -> bool {
        let joined = (self.shift ^ value) & SHIFTCTRL_FJOIN != 0;
        *self = Self::new(self.exec, value & SHIFTCTRL_BITS, self.pins);
        joined
    }

    pub(super) fn pins(&self) -> u32 {
        self.pins
    }

    pub(super) fn set_pins(&mut self, value: u32) {
        *self = Self::new(self.exec, self.shift, value);
    }
}

/// Fields of EXECCTRL.
impl Control {
    pub(super) fn jump_pin(&self) -> u32 {
        self.fields.jump_pin
    }

    /// Returns the bit of OUT's data that enables its write, if there is one.
    pub(super) fn inline_enable(&self) -> Option<u32> {
        self.fields.inline_enable
    }

    pub(super) fn is_sticky(&self) -> bool {
        self.fields.is_sticky
    }

    pub(super) fn wrap_top(&self) -> u32 {
        self.fields.wrap_top
    }

    pub(super) fn wrap_bottom(&self) -> u32 {
        self.fields.wrap_bottom
    }

    /// Returns whether MOV's STATUS tests the receive FIFO, and the level below which it is all
    /// ones.
    pub(super) fn status(&self) -> (bool, usize) {
        (flag(self.exec, EXECCTRL_STATUS_SEL), field(self.exec, EXECCTRL_STATUS_N) as usize)
    }
}

/// Fields of SHIFTCTRL.
impl Control {
    /// Returns the number of words of the transmit and of the receive FIFO. A FIFO that is joined
    /// to its partner has none; if each is joined to the other, neither has any.
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
        self.fields.pull_threshold
    }

    pub(super) fn push_threshold(&self) -> u32 {
        self.fields.push_threshold
    }

    pub(super) fn shifts_out_right(&self) -> bool {
        self.fields.shifts_out_right
    }

    pub(super) fn shifts_in_right(&self) -> bool {
        self.fields.shifts_in_right
    }

    pub(super) fn pulls(&self) -> bool {
        self.fields.pulls
    }

    pub(super) fn pushes(&self) -> bool {
        self.fields.pushes
    }
}

/// Fields of PINCTRL.
impl Control {
    pub(super) fn in_base(&self) -> u32 {
        self.fields.in_base
    }

    pub(super) fn out_pins(&self, values: u32) -> PinWrite {
        self.fields.out.write(values)
    }

    pub(super) fn set_pins_to(&self, values: u32) -> PinWrite {
        self.fields.set.write(values)
    }

    /// Decodes an instruction's bits 12 to 8: the delay, and the writes of the side-set.
    #[inline]
    pub(super) fn delay_and_side(&self, bits: u32) -> (u32, PinWrites) {
        let SideSet { delay_mask, lowest, enable, pins, to_enables } = self.fields.side;
        let mut writes = PinWrites::default();
        if !pins.is_empty() && bits & enable == enable {
            let write = pins.write(bits >> lowest);
            *(if to_enables { &mut writes.enables } else { &mut writes.levels }) = write;
        }
        (bits & delay_mask, writes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates a machine whose side-set has `bits` bits from GPIO 4 on.
    fn side_set(bits: u32, exec: u32) -> Control {
        let mut control = Control::default();
        control.set_pins(bits << 29 | 4 << 10);
        control.set_exec(exec);
        control
    }

    /// Returns a write of `values` to the `count` pins from GPIO 4 on.
    fn levels(count: u32, values: u32) -> PinWrites {
        PinWrites { levels: PinRun::new(4, count).write(values), ..PinWrites::default() }
    }

    #[test]
    fn side_set_takes_the_upper_bits_of_the_delay() {
        assert_eq!(side_set(0, 0).delay_and_side(0b11011), (0b11011, PinWrites::default()));
        assert_eq!(side_set(2, 0).delay_and_side(0b10011), (0b011, levels(2, 0b10)));
        assert_eq!(side_set(5, 0).delay_and_side(0b10011), (0, levels(5, 0b10011)));
        assert_eq!(side_set(7, 0).delay_and_side(0b10011), (0, levels(5, 0b10011)));
    }

    #[test]
    fn optional_side_set_has_a_bit_that_enables_it() {
        let optional = side_set(2, 1 << 30);
        assert_eq!(optional.delay_and_side(0b11_101), (0b101, levels(1, 1)));
        assert_eq!(optional.delay_and_side(0b01_101), (0b101, PinWrites::default()));
        // If the only bit is the enable there is no pin; without any bit there is no enable.
        assert_eq!(side_set(1, 1 << 30).delay_and_side(0b1_0011), (0b0011, PinWrites::default()));
        assert_eq!(side_set(0, 1 << 30).delay_and_side(0b1_0011), (0b10011, PinWrites::default()));
        let enables = PinWrites { enables: levels(1, 1).levels, ..PinWrites::default() };
        assert_eq!(side_set(2, 3 << 29).delay_and_side(0b11_101), (0b101, enables));
    }

    #[test]
    fn fields_do_not_depend_on_the_order_of_register_writes() {
        let [exec, shift, pins] = [0x6D9A_F3A5, 0xB5C6_0000, 0xC9F4_1CEB];
        let expected = Control::new(exec, shift, pins).fields;
        assert_ne!(expected, Control::default().fields);
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let mut control = Control::default();
            for register in order {
                match register {
                    0 => control.set_exec(exec),
                    1 => _ = control.set_shift(shift),
                    _ => control.set_pins(pins),
                }
            }
            assert_eq!(control.fields, expected, "{order:?}");
        }
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
