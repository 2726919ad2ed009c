//! The readers of VCD, CSV and Wokwi scenarios: see `fuzz::targets::formats`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| fuzz::targets::formats(input));
