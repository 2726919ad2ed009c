//! The firmware's steps under any presses and power cuts: see `fuzz::targets::step`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| fuzz::targets::step(input));
