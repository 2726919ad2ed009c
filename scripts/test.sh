#!/bin/sh
# `make test`: everything that must hold before a change goes in. Stops at the first failure.
set -eu
cd "$(dirname "$0")/.."

artifacts=target/trace-artifacts
nudge=${CARGO_TARGET_DIR:-target}/release/nudge
firmware=${CARGO_TARGET_DIR:-target}/firmware/nudge-pico.elf
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

scripts/need.sh cargo cc pkg-config sdl2
component fmt rustfmt
component clippy clippy

# What talks to other programs is for Linux: X11, and qemu, gdb, sigrok and a browser as Debian has them.
linux=
if [ "$(uname)" = Linux ]; then linux=yes; fi
steps=12
[ -n "$linux" ] || steps=11

step "formatting" cargo fmt --all --check
step "lints" cargo clippy --locked --workspace --all-targets -- -D warnings
step "tests" cargo test --locked --workspace
# What CI jobs build to replay traces needs no SDL2.
step "the command without its window" cargo check --locked -p simulator --no-default-features
step "lints of everything" \
    cargo clippy --locked --workspace --all-targets --all-features -- -D warnings
step "the command" cargo build --locked --release --workspace --bin nudge
step "traces" "$nudge" replay tests/traces --artifacts "$artifacts"
step "the Pico's binary" scripts/firmware.sh
step "its lints" scripts/firmware.sh lint
step "programs for the emulator" scripts/on-target.sh
step "traces on the Pico's binary" "$nudge" \
    replay tests/traces --board "pico=$firmware" --artifacts "$artifacts-pico"
if [ -n "$linux" ]; then
    scripts/need.sh xvfb qemu gdb sigrok browser
    # The window starts an X server of its own, so it needs no display.
    step "beside other programs" cargo test --locked --workspace \
        --features "simulator/window-test simulator/gdb-test simulator/sigrok-test" \
        --features "simulator/browser-test simulator/pico-test nudge-tests/pico-test" \
        --features "rp2040-emulator/qemu-test rp2040-emulator/on-target" \
        --test window --test emulate_cli --test formats_sigrok --test runner_browser \
        --test pico_crash --test pico_misread --test pico_traces --test pico_budgets --test timing_cli \
        --test qemu --test on_target
fi
echo
echo "== make test: all $steps passed"
