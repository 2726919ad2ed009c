//! Writes of state machines to pins: runs of pins that wrap around from 31 to 0 (datasheet section
//! 3.5.6).

/// The outputs of a block, for all pins: bit n is GPIO n.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::chip) struct Outputs {
    pub(in crate::chip) levels: u32,
    pub(in crate::chip) enables: u32,
}

/// New values for the pins of a mask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PinWrite {
    mask: u32,
    values: u32,
}

impl PinWrite {
    /// The lowest bit of `values` for pin `base`, the next ones for the pins above.
    pub(super) fn new(base: u32, count: u32, values: u32) -> Self {
        let mask = ones(count).rotate_left(base);
        Self { mask, values: values.rotate_left(base) & mask }
    }

    /// Both; where they overlap, `later` stands.
    pub(super) fn then(self, later: Self) -> Self {
        Self { mask: self.mask | later.mask, values: later.apply(self.values) }
    }

    /// The pins after the write.
    pub(super) fn apply(self, pins: u32) -> u32 {
        pins & !self.mask | self.values
    }
}

/// A write to levels and one to output enables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PinWrites {
    pub(super) levels: PinWrite,
    pub(super) enables: PinWrite,
}

impl PinWrites {
    /// Both; where they overlap, `later` stands.
    pub(super) fn then(self, later: Self) -> Self {
        Self { levels: self.levels.then(later.levels), enables: self.enables.then(later.enables) }
    }

    /// Pins after the writes.
    pub(super) fn apply(self, pins: Outputs) -> Outputs {
        Outputs {
            levels: self.levels.apply(pins.levels),
            enables: self.enables.apply(pins.enables),
        }
    }

    /// Whether it writes no pin.
    pub(super) fn is_empty(self) -> bool {
        self.levels.mask | self.enables.mask == 0
    }
}

/// The lowest `count` bits; all from 32 on.
pub(super) fn ones(count: u32) -> u32 {
    1u32.checked_shl(count).map_or(!0, |bit| bit - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_of_pins_wraps_around() {
        let write = PinWrite::new(30, 4, 0b1011);
        assert_eq!(write.apply(0x0000_00F2), 0xC000_00F2);
        assert_eq!(PinWrite::new(7, 32, 1).apply(!0), 1 << 7);
        assert_eq!(PinWrite::new(7, 0, !0).apply(5), 5);
    }

    #[test]
    fn the_later_of_two_writes_stands_where_they_overlap() {
        let both = PinWrite::new(0, 4, 0b1111).then(PinWrite::new(2, 4, 0b0100));
        assert_eq!(both.apply(0x80), 0x93);
    }
}
