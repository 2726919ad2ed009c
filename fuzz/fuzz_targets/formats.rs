//! The readers of VCD, CSV and Wokwi scenarios: see `analysis::fuzz::targets::formats`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| analysis::fuzz::targets::formats(input));
