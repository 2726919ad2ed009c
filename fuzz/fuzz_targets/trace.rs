//! The trace parser and writer: see `analysis::fuzz::targets::trace`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| analysis::fuzz::targets::trace(input));
