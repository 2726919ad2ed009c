#!/bin/sh
# `make test`: all checks that must pass before a change is merged. Stops at the first failure.
#   scripts/test.sh          one part of the longest tests, which the commit determines
#   scripts/test.sh whole    all tests: `make long`
#
# docs/testing.md names the tests with parts. NUDGE_PART=K/4 selects the part by hand.
#
# All steps use one profile and one set of features, so `cargo test` compiles everything once, and
# the traces are replayed with the `nudge` that the tests have run.
set -eu
cd "$(dirname "$0")/.."

# Tests with other programs are for Linux: X11, and qemu, gdb, sigrok, lcov and a browser as
# packaged by Debian. On other systems they are skipped.
programs=
features=
steps=13
if [ "$(uname)" = Linux ]; then
    programs="xvfb qemu gdb sigrok lcov browser firefox python"
    features=--all-features
    steps=17
fi

target=${CARGO_TARGET_DIR:-target}
nudge=$target/debug/nudge
firmware=$target/firmware/nudge-pico.elf
artifacts=$target/trace-artifacts

# The same commit has the same part, here and in CI; without a commit it is the first.
case ${1:-part} in
    whole)
        who="make long" engine=scripts/page.sh
        # Takes several hours of processor time: the board and the probe, each on an emulated chip.
        export NUDGE_PROBE_TRACES=all
        ;;
    part)
        who="make test" engine="scripts/page.sh quick"
        commit=$(git rev-parse HEAD 2>/dev/null || echo 0)
        hash=$((0x$(printf '%.6s' "$commit")))
        export NUDGE_PART="${NUDGE_PART:-$((hash % 4 + 1))/4}"
        # Thirteen parts: a board is started for each fault of a wire.
        export NUDGE_WIRING_PART="${NUDGE_WIRING_PART:-$((hash % 13 + 1))/13}"
        # Eight parts: the emulated Pico takes longest.
        shard=$((hash % 8 + 1))/8
        echo "make test: part $NUDGE_PART of the long tests, $shard of the traces on the Pico's binary; \`make long\` runs all"
        ;;
    *)
        echo "test.sh: \`$1\` is none of its arguments: give whole, or nothing." >&2
        exit 2
        ;;
esac
[ "$who" = "make test" ] || unset NUDGE_PART NUDGE_WIRING_PART
logs=$target/steps
. scripts/steps.sh

# The page is built before the rest, so its requirements are not installed in parallel.
scripts/need.sh cargo cc pkg-config sdl2 node
component fmt rustfmt
component clippy clippy

# lock_files: checks that each lock file fits its manifest. Every other step checks the workspace's
# own.
lock_files() {
    for manifest in firmware-pico firmware-probe fuzz rp2040-emulator/on-target rp2040-emulator/on-target-runner rp2040-emulator/on-target-embassy tests/mutants; do
        cargo metadata --locked --format-version 1 --manifest-path $manifest/Cargo.toml >/dev/null ||
            return 1
    done
}

# chip: builds everything for the RP2040: the Pico's binary and the probe's, with lints, and the
# emulator's own programs. Then tests the rewriter of `make mutants`, which is not part of the
# workspace either.
chip() {
    scripts/firmware.sh && scripts/firmware.sh lint && scripts/firmware.sh probe &&
        scripts/firmware.sh probe lint && scripts/on-target.sh && rewriter
}

# rewriter: tests the rewriter, built in the folder in which scripts/mutants.sh expects it.
rewriter() {
    cargo test --quiet --locked --manifest-path tests/mutants/Cargo.toml --target-dir "$target/tools/build"
}

# on_pico: replays the traces on the Pico's binary; in a part, those of the list and every eighth.
on_pico() {
    set -- --board "pico=$firmware" --artifacts "$artifacts-pico"
    if [ "$who" = "make long" ]; then
        behind "$nudge" replay tests/traces "$@"
        return
    fi
    # shellcheck disable=SC2046 # a path a word
    behind "$nudge" replay $(sed '/^#/d; s|^|tests/traces/|' tests/pico-traces.txt) "$@" &&
        behind "$nudge" replay tests/traces --shard "$shard" "$@"
}

# compile_tests: compiles all tests, including those that `cargo test` runs only by name.
compile_tests() {
    # shellcheck disable=SC2086 # there may be no features
    cargo test --locked --workspace $features --no-run || return
    [ -z "$programs" ] || cargo test --locked --workspace $features --no-run --test window --test probe_port --test same
}

# named_tests NAME [ARG…]: runs tests that `cargo test` runs only by name.
named_tests() {
    name=$1
    shift
    # shellcheck disable=SC2086 # there may be no features
    cargo test --locked --workspace $features --no-fail-fast --test "$name" "$@"
}

# in_browser: tests the page in the browsers, and compares its machine with that of this computer.
in_browser() {
    behind scripts/page.sh test && behind scripts/page-same.sh
}

# The window tests simulate a person: a press whose effect takes longer than a second looks like one
# without an effect. So the commands that run in parallel have a lower priority.
behind() {
    nice -n 5 "$@"
}

# Both cores are always busy if a parallel command fills the idle time of each step: a link at the
# end of a build, one long test, an installation. Parallel commands do not compile into the same
# folder, and their output is shown in their own step.
uninterrupted=programs # An interrupted installation would be left half done.
# shellcheck disable=SC2086 # the programs are separate words
{
    # A password is requested here if it is needed.
    [ "$(id -u)" -eq 0 ] || sudo -n true 2>/dev/null || scripts/need.sh $programs
    beside programs scripts/need.sh $programs
}
beside chip chip

step "formatting" cargo fmt --all --check
step "lock files" lock_files
# Built before everything that contains it. Its machine is the library half, compiled for a platform
# without files, clock and threads.
# shellcheck disable=SC2086 # a verb is a word of its own
step "the page" $engine
step "lints" cargo clippy --locked --workspace --all-targets --all-features -- -D warnings
# CI jobs that replay traces build without SDL2. The features are those of the step before, so that
# only the command itself is checked again.
step "the command without its window" \
    cargo clippy --locked -p simulator --no-default-features \
    --features rp2040-emulator/on-target,rp2040-emulator/qemu-test --bin nudge -- -D warnings
step "documentation" scripts/doc.sh
step "compiling the tests" compile_tests
joined "programs for the RP2040, and the rewriter of mutants" chip
joined "programs that tests run beside" programs
beside traces on_pico
if [ -n "$programs" ]; then
    # The window tests wait for the clock most of the time, and start their own X server, so they
    # need no display.
    beside window named_tests window
    beside browser in_browser
fi
# A single run reports all failures.
# shellcheck disable=SC2086 # there may be no features
step "tests" behind cargo test --locked --workspace $features --no-fail-fast
[ -z "$programs" ] || step "pytest-nudge" scripts/pytest.sh
step "layout of traces" "$nudge" trace fmt --check tests/traces
step "traces" "$nudge" replay tests/traces --artifacts "$artifacts"
[ -z "$programs" ] || joined "the page in a browser" browser
[ -z "$programs" ] || joined "the window" window
joined "traces on the Pico's binary" traces
# A probe runs at wall time: a press that reaches it late is an error, so nothing runs in parallel.
# Its tests wait for the clock most of the time, so eight run at once; the one with both chips takes
# the longest.
[ -z "$programs" ] || step "a probe behind a port" named_tests probe_port -- --test-threads 8
passed
