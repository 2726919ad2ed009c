//! The firmware's steps under any presses and power cuts: see `fuzz::targets::step`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let machine = firmware_board::native::build(&trace::Trace::default(), None);
    fuzz::targets::step(input, machine.expect("a header without keys").as_mut());
});
