//! The trace parser and writer: see `simulator::fuzz::targets::trace`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| simulator::fuzz::targets::trace(input));
