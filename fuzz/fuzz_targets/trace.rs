//! The trace parser and writer: see `fuzz::targets::trace`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| fuzz::targets::trace(input, |trace| {
    // Settings may be refused.
    let _ = firmware_board::header::board(trace, None);
}));
