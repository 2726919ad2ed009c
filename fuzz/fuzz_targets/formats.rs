//! The readers of VCD, CSV, Wokwi scenarios, board files and their importers: see
//! `fuzz::targets::formats`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| fuzz::targets::formats(input));
