//! The firmware's steps under any presses and power cuts: see `simulator::fuzz::targets::step`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| simulator::fuzz::targets::step(input));
