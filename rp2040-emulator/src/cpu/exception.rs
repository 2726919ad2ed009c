//! Exceptions by their numbers (section B1.5 of the architecture manual).

use std::fmt;

/// An exception, by its number in IPSR.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Exception(u8);

impl Exception {
    /// The non-maskable interrupt.
    pub const NMI: Self = Self(2);
    /// The only fault of ARMv6-M.
    pub const HARD_FAULT: Self = Self(3);
    /// A supervisor call.
    pub const SVCALL: Self = Self(11);
    /// The system service, which software makes pending.
    pub const PENDSV: Self = Self(14);
    /// The core's own timer.
    pub const SYSTICK: Self = Self(15);

    /// Returns exception `number`, 2 to 47; `None` for thread mode and other numbers.
    pub fn new(number: u8) -> Option<Self> {
        (2..48).contains(&number).then_some(Self(number))
    }

    /// The number in IPSR: 16 is interrupt 0.
    pub const fn number(self) -> u8 {
        self.0
    }
}

impl fmt::Display for Exception {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NMI => f.write_str("NMI"),
            Self::HARD_FAULT => f.write_str("HardFault"),
            Self::SVCALL => f.write_str("SVCall"),
            Self::PENDSV => f.write_str("PendSV"),
            Self::SYSTICK => f.write_str("SysTick"),
            Self(number @ 16..) => write!(f, "interrupt {}", number - 16),
            Self(number) => write!(f, "exception {number}"),
        }
    }
}

impl fmt::Debug for Exception {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
