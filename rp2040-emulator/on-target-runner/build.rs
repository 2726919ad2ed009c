//! Passes the board's memory map and the scripts of cortex-m-rt, defmt and embedded-test to the
//! linker, so that no cargo configuration is needed for it.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::write(out.join("memory.x"), include_bytes!("memory.x")).expect("OUT_DIR can be written");
    println!("cargo:rustc-link-search={}", out.display());
    println!("cargo:rustc-link-arg-bins=-Tlink.x");
    // Segments are stored at their addresses in the file, without padding to host pages.
    println!("cargo:rustc-link-arg-bins=--nmagic");
    for program in ["logs", "tests"] {
        println!("cargo:rustc-link-arg-bin={program}=-Tdefmt.x");
    }
    println!("cargo:rustc-link-arg-bin=tests=-Tembedded-test.x");
    // Without it only errors are compiled in.
    println!("cargo:rustc-env=DEFMT_LOG=trace");
    // The macro of embedded-test uses this cfg.
    println!("cargo:rustc-check-cfg=cfg(rust_analyzer)");
    println!("cargo:rerun-if-changed=memory.x");
}
