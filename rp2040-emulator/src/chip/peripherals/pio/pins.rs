//! Writes of state machines to pins: runs of pins that wrap around from 31 to 0 (datasheet section
//! 3.5.6).

/// Outputs of a block, for all pins; bit n is GPIO n.
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
    /// Combines both writes; where they overlap, `later` wins.
    pub(super) fn then(self, later: Self) -> Self {
        Self { mask: self.mask | later.mask, values: later.apply(self.values) }
    }

    /// Returns the pins that are written.
    pub(super) fn pins(self) -> u32 {
        self.mask
    }

    /// Returns the pins after the write.
    pub(super) fn apply(self, pins: u32) -> u32 {
        pins & !self.mask | self.values
    }
}

/// A run of pins that are written together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PinRun {
    base: u32,
    mask: u32,
}

impl PinRun {
    /// Creates a run of `count` pins from `base` on.
    pub(super) fn new(base: u32, count: u32) -> Self {
        Self { base, mask: ones(count).rotate_left(base) }
    }

    /// Returns a write of the lowest bit of `values` to the first pin, and of the next bits to the
    /// pins above.
    #[inline]
    pub(super) fn write(self, values: u32) -> PinWrite {
        PinWrite { mask: self.mask, values: values.rotate_left(self.base) & self.mask }
    }

    pub(super) fn is_empty(self) -> bool {
        self.mask == 0
    }
}

/// A write to levels and one to output enables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PinWrites {
    pub(super) levels: PinWrite,
    pub(super) enables: PinWrite,
}

impl PinWrites {
    /// Combines both writes; where they overlap, `later` wins.
    #[inline]
    pub(super) fn then(self, later: Self) -> Self {
        Self { levels: self.levels.then(later.levels), enables: self.enables.then(later.enables) }
    }

    /// Returns the pins after the writes.
    pub(super) fn apply(self, pins: Outputs) -> Outputs {
        Outputs {
            levels: self.levels.apply(pins.levels),
            enables: self.enables.apply(pins.enables),
        }
    }

    /// Returns whether it writes no pin.
    pub(super) fn is_empty(self) -> bool {
        self.levels.mask | self.enables.mask == 0
    }
}

/// Returns a mask of the lowest `count` bits; all bits from 32 on.
pub(super) fn ones(count: u32) -> u32 {
    1u32.checked_shl(count).map_or(!0, |bit| bit - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_of_pins_wraps_around() {
        let write = PinRun::new(30, 4).write(0b1011);
        assert_eq!(write.apply(0x0000_00F2), 0xC000_00F2);
        assert_eq!(PinRun::new(7, 32).write(1).apply(!0), 1 << 7);
        assert_eq!(PinRun::new(7, 0).write(!0).apply(5), 5);
    }

    #[test]
    fn the_later_of_two_writes_wins_where_they_overlap() {
        let both = PinRun::new(0, 4).write(0b1111).then(PinRun::new(2, 4).write(0b0100));
        assert_eq!(both.apply(0x80), 0x93);
    }
}
