//! Compiles the firmware.

fn main() {
    println!("cargo::rerun-if-changed=c");
    let header = std::env::var("DEP_NUDGE_INCLUDE").unwrap_or_default();
    let mut firmware = cc::Build::new();
    firmware
        .include(header)
        .warnings(true)
        .files(["c/stopwatch.c", "c/picture.c"])
        .compile("stopwatch");
}
