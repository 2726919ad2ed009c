//! The firmware of the LCD board without its pins.
#![no_std]
#![forbid(unsafe_code)]
