//! The condition flags, stored as results of the arithmetic and converted to bits on demand.

/// N, Z, C and V.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flags {
    /// The last result in the lower half: Z is set if that is zero, N if bit 31 is set. The upper
    /// half is zero except when both flags are set at once, which no result does but MSR can:
    /// then bit 63 is N.
    result: u64,
    pub(super) carry: bool,
    /// V is bit 31; the other bits have no meaning.
    pub(super) overflow: u32,
}

impl Flags {
    #[inline(always)]
    pub(super) fn set_result(&mut self, result: u32) {
        self.result = result.into();
    }

    #[inline(always)]
    pub(super) fn negative(&self) -> bool {
        self.result & 0x8000_0000_8000_0000 != 0
    }

    #[inline(always)]
    pub(super) fn zero(&self) -> bool {
        self.result as u32 == 0
    }

    /// C is set and Z clear: after a comparison, unsigned higher.
    #[inline(always)]
    pub(super) fn higher(&self) -> bool {
        self.carry && !self.zero()
    }

    /// N and V differ: after a comparison, signed less.
    #[inline(always)]
    pub(super) fn less(&self) -> bool {
        self.negative() != self.overflowed()
    }

    #[inline(always)]
    pub(super) fn overflowed(&self) -> bool {
        self.overflow >> 31 != 0
    }

    /// Returns the flags as the top four bits of the APSR.
    pub(super) fn apsr(&self) -> u32 {
        u32::from(self.negative()) << 31
            | u32::from(self.zero()) << 30
            | u32::from(self.carry) << 29
            | u32::from(self.overflowed()) << 28
    }

    /// Sets the flags from the top four bits of the APSR.
    pub(super) fn set_apsr(&mut self, apsr: u32) {
        let negative = u64::from(apsr >> 31);
        let zero = apsr & 1 << 30 != 0;
        self.result = if zero { negative << 63 } else { negative << 31 | 1 };
        self.carry = apsr & 1 << 29 != 0;
        self.overflow = apsr << 3;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_sixteen_combinations_survive() {
        for bits in 0..16u32 {
            let mut flags = Flags::default();
            flags.set_apsr(bits << 28);
            assert_eq!(flags.apsr(), bits << 28);
        }
    }
}
