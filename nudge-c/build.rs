//! Compiles the boundary, and the firmware of the tests.

fn main() {
    println!("cargo::rerun-if-changed=include/nudge.h");
    println!("cargo::rerun-if-changed=src/boundary.c");
    println!("cargo::rerun-if-changed=tests/firmware.c");
    println!("cargo::rerun-if-changed=tests/lamp.cpp");
    let mut boundary = cc::Build::new();
    boundary.include("include").warnings(true).file("src/boundary.c").compile("nudge_boundary");
    // Only the tests link it.
    let mut tests = cc::Build::new();
    tests.include("include").warnings(true).file("tests/firmware.c").cargo_metadata(false);
    for object in tests.compile_intermediates() {
        println!("cargo::rustc-link-arg-tests={}", object.display());
    }
    // In C++, if there is a compiler for it: an application in C needs none. Without exceptions and
    // run-time types, as on a chip, nothing of the C++ library is linked.
    println!("cargo::rustc-check-cfg=cfg(has_cpp)");
    let mut lamp = cc::Build::new();
    lamp.cpp(true).cpp_link_stdlib(None).include("include").warnings(true).file("tests/lamp.cpp");
    lamp.std("c++11").flag_if_supported("-fno-exceptions").flag_if_supported("-fno-rtti");
    if let Ok(objects) = lamp.cargo_metadata(false).try_compile_intermediates() {
        println!("cargo::rustc-cfg=has_cpp");
        for object in objects {
            println!("cargo::rustc-link-arg-tests={}", object.display());
        }
    }
    // For the build scripts of firmware: `DEP_NUDGE_INCLUDE`.
    let folder = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    println!("cargo::metadata=include={folder}/include");
}
