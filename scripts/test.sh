#!/bin/sh
# `make test`: everything that must hold before a change goes in. Stops at the first failure.
set -eu
cd "$(dirname "$0")/.."

artifacts=target/trace-artifacts
number=0

# step TITLE COMMAND…: says what runs, runs it, says what failed.
step() {
    number=$((number + 1))
    title=$1
    shift
    echo
    echo "== $number/$steps $title: $*"
    started=$(date +%s)
    if ! "$@"; then
        echo "== make test FAILED at $number/$steps, $title: $*" >&2
        exit 1
    fi
    echo "== $number/$steps passed in $(($(date +%s) - started)) s"
}

# component NAME: a part of the Rust toolchain that minimal installations leave out.
component() {
    cargo "$1" --version >/dev/null 2>&1 && return
    if command -v rustup >/dev/null && rustup component add "$2"; then return; fi
    echo "make test needs $2, a component of the Rust toolchain: run \`rustup component add $2\`, then try again." >&2
    exit 1
}

scripts/need.sh cargo cc
component fmt rustfmt
component clippy clippy

# The window's tests talk X11 to a screen of their own; elsewhere they have to be run by hand.
steps=6
[ "$(uname)" = Linux ] || steps=5

step "formatting" cargo fmt --all --check
# Neither of these may need SDL2: it is installed only after they have passed.
step "lints" cargo clippy --locked --workspace --all-targets -- -D warnings
step "tests" cargo test --locked --workspace
scripts/need.sh pkg-config sdl2
step "lints with the window" \
    cargo clippy --locked --workspace --all-targets --all-features -- -D warnings
if [ "$(uname)" = Linux ]; then
    scripts/need.sh xvfb
    # It starts an X server of its own, so it needs no display.
    step "the window" cargo test --locked -p simulator --features window-test --test window
fi
step "traces" cargo run --locked --release --quiet -p simulator --bin nudge -- \
    replay tests/traces --artifacts "$artifacts"
echo
echo "== make test: all $steps passed"
