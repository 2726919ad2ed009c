//! The readers of VCD, CSV and Wokwi scenarios: see `simulator::fuzz::targets::formats`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| simulator::fuzz::targets::formats(input));
