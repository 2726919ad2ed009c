#!/bin/sh
# Compiles the library half of nudge for wasm32-unknown-unknown, where there is no file, no clock
# and no thread: a page in a browser needs it. Fetches the target with rustup if it is missing.
set -eu
cd "$(dirname "$0")/.."

target=wasm32-unknown-unknown
# What a page needs: the firmware, the board, the chip, captures, replay, reports, and why a pixel is lit.
crates="firmware-core ili9341-model hal-mock rp2040-emulator captures boards runner analysis"

scripts/need.sh cargo cc
if ! [ -d "$(rustc --print sysroot)/lib/rustlib/$target/lib" ]; then
    echo "Installing the $target target (rustup)"
    { command -v rustup >/dev/null && rustup --quiet target add $target </dev/null; } || {
        echo "wasm.sh: there is no Rust for $target: run \`rustup target add $target\`, then try again." >&2
        exit 1
    }
fi

packages=
for crate in $crates; do packages="$packages -p $crate"; done
# shellcheck disable=SC2086 # the packages are separate words
cargo check --locked --lib --target $target $packages
