#!/bin/sh
# `make lint`: formatting, lock files, stored programs, lints of the workspace and of the programs for the RP2040. Stops at the first failure.
set -eu
cd "$(dirname "$0")/.."

who="make lint"
steps=7
. scripts/steps.sh

scripts/need.sh cargo cc pkg-config sdl2
component fmt rustfmt
component clippy clippy

# lock_files: checks that each fits its manifests. Every other step checks the workspace's own.
lock_files() {
    for manifest in firmware-pico firmware-probe fuzz rp2040-emulator/on-target rp2040-emulator/on-target-runner rp2040-emulator/on-target-embassy examples/own-boards tests/mutants; do
        cargo metadata --locked --format-version 1 --manifest-path $manifest/Cargo.toml >/dev/null ||
            return 1
    done
}

# chip: the lints of the Pico's binary and the probe's.
chip() {
    scripts/firmware.sh lint && scripts/firmware.sh probe lint
}

# named_tests: the test programs that cargo compiles only if they are named (`test = false`), as arguments.
named_tests() {
    awk '/^\[/ { kind = $0; name = "" }
        kind == "[[test]]" && /^name = / { split($0, part, "\""); name = part[2] }
        kind == "[[test]]" && /^test = false/ { print "--test " name }' simulator/Cargo.toml rp2040-emulator/Cargo.toml web/Cargo.toml crates/*/*/Cargo.toml
}

step "formatting" cargo fmt --all --check
step "lock files" lock_files
step "stored programs of described boards" scripts/own-boards.sh current
step "lints" cargo clippy --locked --workspace --all-targets --all-features -- -D warnings
# shellcheck disable=SC2046 # separate arguments
step "lints of named tests" cargo clippy --locked --workspace $(named_tests) --all-features -- -D warnings
# CI jobs that only replay traces build the command without SDL2.
step "the command without its window" \
    cargo clippy --locked -p simulator --no-default-features --bin nudge -- -D warnings
step "programs for the RP2040" chip
passed
