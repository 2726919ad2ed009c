#!/bin/sh
# `make demo`: the board as one HTML file, docs/demo.html, which plays a game until a button is pressed.
# The page is not committed: it has a megabyte, and each change of the firmware changes it.
set -eu
cd "$(dirname "$0")/.."

scripts/page.sh
cargo run --release --locked --quiet -p simulator --no-default-features --bin nudge -- \
    export docs/demo.html --trace tests/traces/demo.trace --force
