//! The limits of faults, as the parser checks them and errors state them.

use virtual_time::Nanos;

/// Longest bounce of a contact: ten times that of a bad switch.
pub const LONGEST_BOUNCE: Nanos = Nanos::from_millis(50);
/// Lowest rate of flipped bits, and of lost or garbled bytes: one in this number.
pub const RAREST_FLIP: u32 = 1_000_000_000;
