//! Compiles the boundary, and the firmware of the tests.

fn main() {
    println!("cargo::rerun-if-changed=include/nudge.h");
    println!("cargo::rerun-if-changed=src/boundary.c");
    println!("cargo::rerun-if-changed=tests/firmware.c");
    let mut boundary = cc::Build::new();
    boundary.include("include").warnings(true).file("src/boundary.c").compile("nudge_boundary");
    // Only the tests link it.
    let mut tests = cc::Build::new();
    tests.include("include").warnings(true).file("tests/firmware.c").cargo_metadata(false);
    for object in tests.compile_intermediates() {
        println!("cargo::rustc-link-arg-tests={}", object.display());
    }
    // For the build scripts of firmware: `DEP_NUDGE_INCLUDE`.
    let folder = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    println!("cargo::metadata=include={folder}/include");
}
