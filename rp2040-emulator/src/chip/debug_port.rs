//! The debug port of an RP2040: the pins SWCLK and SWDIO, two serial wire debug ports (one for each
//! core, selected by TARGETSEL), their AHB access ports, and the cores' debug registers.
//!
//! A [`DebugPort`] is separate from its [`Chip`](super::Chip): the caller that has the wires calls
//! [`DebugPort::set_clock`] with each level of SWCLK, and a chip without such a caller spends
//! nothing on it. An access reaches the chip through [`DebugTarget`], at the caller's time. The
//! port has the state of a chip's port at power-on when it is created; a reset of the chip does not
//! change it.
//!
//! | module | subject |
//! |---|---|
//! | [`line`] | bits to packets: line reset, requests, acknowledgements, data |
//! | [`dormant`] | the selection alert that wakes the port |
//! | [`registers`] | names and bits of the registers |
//! | [`dp`] | the registers of one debug port |
//! | [`ap`] | its AHB access port |
//! | [`target`] | the chip's side: memory and the debug registers of a core |
//! | [`core_debug`] | DHCSR, DCRSR, DCRDR, DEMCR, DFSR |
//!
//! Not modelled: the rescue port, JTAG, packed transfers, C_MASKINTS, breakpoint and watchpoint
//! units. An access is done when its packet ends, so WAIT is acknowledged only if a target reports
//! that it is busy.
//!
//! Sources: RP2040 datasheet 2.3.4; ARM IHI 0031 (ADIv5.2) B2 to B5 and C2; ARM DDI 0419 (ARMv6-M)
//! C1.

mod ap;
mod core_debug;
mod dormant;
mod dp;
mod line;
mod registers;
mod target;

pub(in crate::chip) use core_debug::CoreDebug;
pub use line::DebugPort;
pub(in crate::chip) use target::HALTED;
pub use target::{DebugFault, DebugTarget};

#[cfg(test)]
mod tests;
