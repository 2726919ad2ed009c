//! The trace parser and writer: see `fuzz::targets::trace`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| fuzz::targets::trace(input));
