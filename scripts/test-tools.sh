#!/bin/sh
# `make test-tools`: what talks to other programs: qemu, GDB, sigrok, lcov; the emulator's own programs, built from
# source; a probe behind a port; pytest-nudge; the grammar of editors; the rewriter of `make mutants`. Linux only.
set -eu
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-target}
who="make test-tools"
steps=8
. scripts/steps.sh
. scripts/features.sh
[ -n "${NUDGE_PROBE_TRACES:-}" ] || . scripts/part.sh
scripts/need.sh cargo cc pkg-config sdl2 qemu gdb sigrok lcov python node

# programs: everything that is built for the RP2040. Those of examples/own-boards are compared with the stored ones.
programs() {
    scripts/firmware.sh && scripts/firmware.sh probe && scripts/on-target.sh && scripts/own-boards.sh check
}

step "programs for the RP2040" programs
# shellcheck disable=SC2086 # the features are separate words
step "the command with other programs" \
    cargo test --locked --workspace $all_features --no-fail-fast --test qemu --test on_target --test cli --test emulated_probe
# `make test` replays a part of these.
# shellcheck disable=SC2046 # a path a word
step "traces on the Pico's binary" "$target/debug/nudge" replay $(sed '/^#/d; s|^|tests/traces/|' tests/pico-traces.txt) \
    --board "pico=$target/firmware/nudge-pico.elf" --artifacts "$target/trace-artifacts-pico"
# shellcheck disable=SC2086 # the features are separate words
step "traces on two emulated chips, board and probe" \
    cargo test --locked --workspace $all_features --no-fail-fast --test probe --test cli -- --ignored
# A probe follows the clock of this computer: a press that reaches it late is an error, so nothing runs beside it. Its
# tests wait for the clock most of the time: eight run at once, of which one that has both chips takes the longest.
# shellcheck disable=SC2086 # the features are separate words
step "a probe behind a port" \
    cargo test --locked --workspace $all_features --no-fail-fast --test probe_port -- --test-threads 8
step "pytest-nudge" scripts/pytest.sh
step "the grammar of traces in an editor" scripts/editors.sh check
# Built where scripts/mutants.sh looks for it.
step "the rewriter of mutants" cargo test --quiet --locked --manifest-path tests/mutants/Cargo.toml --target-dir "$target/tools/build"
passed
