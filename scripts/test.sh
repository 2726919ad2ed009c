#!/bin/sh
# `make test`: everything that must hold before a change goes in. Stops at the first failure.
#
# One profile and one set of features for all of it: what `cargo test` compiles is compiled once,
# and the traces are replayed with the `nudge` that the tests have run.
set -eu
cd "$(dirname "$0")/.."

# What talks to other programs is for Linux: X11, and qemu, gdb, sigrok and a browser as Debian has them.
linux=
if [ "$(uname)" = Linux ]; then linux=yes; fi

who="make test"
steps=16
[ -n "$linux" ] || steps=15
. scripts/steps.sh

target=${CARGO_TARGET_DIR:-target}
nudge=$target/debug/nudge
firmware=$target/firmware/nudge-pico.elf
artifacts=target/trace-artifacts

scripts/need.sh cargo cc pkg-config sdl2
component fmt rustfmt
component clippy clippy

# The tests of the last steps run beside other programs. They are installed while cargo compiles,
# if that needs no password.
programs="xvfb qemu gdb sigrok browser node"
installing=
# shellcheck disable=SC2086 # the programs are separate words
if [ -n "$linux" ] && { [ "$(id -u)" -eq 0 ] || sudo -n true 2>/dev/null; }; then
    mkdir -p "$target"
    scripts/need.sh $programs >"$target/programs.log" 2>&1 &
    installing=$!
    # An interrupted installation would be left half done.
    trap 'wait "$installing" || true' EXIT
elif [ -n "$linux" ]; then
    scripts/need.sh $programs
fi

# wait_for_programs: until they are installed.
wait_for_programs() {
    [ -n "$installing" ] || return 0
    pid=$installing
    installing=
    trap - EXIT
    wait "$pid" || {
        cat "$target/programs.log" >&2
        return 1
    }
    cat "$target/programs.log"
}

# lock_files: whether each fits its manifests. The workspace's own is checked by every other step.
lock_files() {
    for manifest in firmware-pico fuzz rp2040-emulator/on-target; do
        cargo metadata --locked --format-version 1 --manifest-path $manifest/Cargo.toml >/dev/null ||
            return 1
    done
}

# Outside Linux the tests that need other programs are left out.
features=
[ -z "$linux" ] || features=--all-features

step "formatting" cargo fmt --all --check
step "lock files" lock_files
# Before anything is compiled that it goes into.
step "the page" scripts/page.sh
step "lints" cargo clippy --locked --workspace --all-targets --all-features -- -D warnings
# What CI jobs build to replay traces needs no SDL2.
step "the command without its window" \
    cargo clippy --locked -p simulator --no-default-features --bin nudge -- -D warnings
step "the library half for wasm32" scripts/wasm.sh
step "documentation" scripts/doc.sh
step "the Pico's binary" scripts/firmware.sh
step "its lints" scripts/firmware.sh lint
step "programs for the emulator" scripts/on-target.sh
step "programs that tests run beside" wait_for_programs
# The window's test starts an X server of its own, so it needs no display.
# One run names all that fails.
step "tests" cargo test --locked --workspace $features --no-fail-fast
[ -z "$linux" ] || step "the page in a browser" scripts/page.sh test
step "layout of traces" "$nudge" trace fmt --check tests/traces
step "traces" "$nudge" replay tests/traces --artifacts "$artifacts"
step "traces on the Pico's binary" "$nudge" \
    replay tests/traces --board "pico=$firmware" --artifacts "$artifacts-pico"
passed
