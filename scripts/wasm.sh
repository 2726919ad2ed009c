#!/bin/sh
# Compiles the library half of nudge for wasm32-unknown-unknown, where there is no file, no clock
# and no thread: a page in a browser needs it. Fetches the target with rustup if it is missing.
set -eu
cd "$(dirname "$0")/.."

# What a page needs: the firmware, the board, the chip, captures, replay, reports, and why a pixel is lit.
crates="firmware-core ili9341-model hal-mock rp2040-emulator captures boards runner analysis timeline"

who=wasm.sh
. scripts/wasm-target.sh

packages=
for crate in $crates; do packages="$packages -p $crate"; done
# shellcheck disable=SC2086 # the packages are separate words
wasm check --lib $packages
