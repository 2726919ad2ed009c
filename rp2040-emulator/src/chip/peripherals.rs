//! The RP2040's peripherals, one module each: registers, state and behaviour, without addresses.
//!
//! [`devices`](super::devices) assigns the addresses and connects the peripherals.

pub(in crate::chip) mod adc;
mod array;
pub(in crate::chip) mod bus_control;
pub(in crate::chip) mod clocks;
pub(in crate::chip) mod dma;
pub(in crate::chip) mod dreq;
pub(in crate::chip) mod frequency_counter;
pub(in crate::chip) mod i2c;
mod interpolator;
pub(in crate::chip) mod io_bank;
pub(in crate::chip) mod pio;
pub(in crate::chip) mod psm;
pub(in crate::chip) mod pwm;
pub(in crate::chip) mod qspi_pins;
pub(in crate::chip) mod resets;
pub(in crate::chip) mod rtc;
pub(in crate::chip) mod sio;
pub(in crate::chip) mod spi;
pub(in crate::chip) mod ssi;
pub(in crate::chip) mod syscfg;
pub(in crate::chip) mod sysinfo;
pub(in crate::chip) mod tbman;
pub(in crate::chip) mod timer;
pub(in crate::chip) mod uart;
pub(in crate::chip) mod usb;
pub(in crate::chip) mod vreg;
pub(in crate::chip) mod watchdog;
pub(in crate::chip) mod xip;
