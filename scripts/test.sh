#!/bin/sh
# `make test`: everything that must hold before a change goes in. Stops at the first failure.
#   scripts/test.sh          of what takes longest one part, which the commit chooses
#   scripts/test.sh whole    all of it: `make long`
#
# docs/testing.md says which tests have parts. NUDGE_PART=K/4 chooses the part by hand.
#
# One profile and one set of features for all of it: what `cargo test` compiles is compiled once,
# and the traces are replayed with the `nudge` that the tests have run.
set -eu
cd "$(dirname "$0")/.."

# What talks to other programs is for Linux: X11, and qemu, gdb, sigrok, lcov and a browser as Debian has
# them. Elsewhere the tests that need them are left out.
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

# The same commit has the same part, here and in CI; without one it is the first.
case ${1:-part} in
    whole)
        who="make long" engine=scripts/page.sh
        # Some hours of a processor: the board and the probe, each on an emulated chip.
        export NUDGE_PROBE_TRACES=all
        ;;
    part)
        who="make test" engine="scripts/page.sh quick"
        commit=$(git rev-parse HEAD 2>/dev/null || echo 0)
        hash=$((0x$(printf '%.6s' "$commit")))
        export NUDGE_PART="${NUDGE_PART:-$((hash % 4 + 1))/4}"
        # Thirteen: a board is started for each fault of a wire.
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

# The page is built before the rest; what it needs is not installed beside anything.
scripts/need.sh cargo cc pkg-config sdl2 node
component fmt rustfmt
component clippy clippy

# lock_files: whether each fits its manifests. The workspace's own is checked by every other step.
lock_files() {
    for manifest in firmware-pico firmware-probe fuzz rp2040-emulator/on-target rp2040-emulator/on-target-runner rp2040-emulator/on-target-embassy tests/mutants; do
        cargo metadata --locked --format-version 1 --manifest-path $manifest/Cargo.toml >/dev/null ||
            return 1
    done
}

# chip: what is built for the RP2040: the Pico's binary and the probe's, their lints, the emulator's own programs.
# Then the tests of what rewrites sources for `make mutants`, which is no part of the workspace either.
chip() {
    scripts/firmware.sh && scripts/firmware.sh lint && scripts/firmware.sh probe &&
        scripts/firmware.sh probe lint && scripts/on-target.sh && rewriter
}

# rewriter: built where scripts/mutants.sh looks for it.
rewriter() {
    cargo test --quiet --locked --manifest-path tests/mutants/Cargo.toml --target-dir "$target/tools/build"
}

# on_pico: the traces on the Pico's binary; of a part those of the list, and every eighth.
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

# compile_tests: also those that `cargo test` runs only if they are named.
compile_tests() {
    # shellcheck disable=SC2086 # there may be no features
    cargo test --locked --workspace $features --no-run || return
    [ -z "$programs" ] || cargo test --locked --workspace $features --no-run --test window --test probe_port --test same
}

# named_tests NAME [ARG…]: those that `cargo test` runs only if they are named.
named_tests() {
    name=$1
    shift
    # shellcheck disable=SC2086 # there may be no features
    cargo test --locked --workspace $features --no-fail-fast --test "$name" "$@"
}

# in_browser: the page in the browsers, and the machine in it beside the one of this computer.
in_browser() {
    behind scripts/page.sh test && behind scripts/page-same.sh
}

# A person waits for a window, and so do its tests: a press that takes longer than a second to be seen looks like one that
# does nothing. What runs beside them comes second.
behind() {
    nice -n 5 "$@"
}

# Two cores are busy all the time if something waits beside each step that leaves one idle: a link
# at the end of a build, one long test, an installation. What runs beside others compiles nothing
# into the same folder, and shows what it wrote when its own step comes.
uninterrupted=programs # An interrupted installation would be left half done.
# shellcheck disable=SC2086 # the programs are separate words
{
    # If a password has to be typed, it is asked for here.
    [ "$(id -u)" -eq 0 ] || sudo -n true 2>/dev/null || scripts/need.sh $programs
    beside programs scripts/need.sh $programs
}
beside chip chip

step "formatting" cargo fmt --all --check
step "lock files" lock_files
# Before anything is compiled that it goes into.
# Its machine is the library half, compiled for a place without files, clock and threads.
# shellcheck disable=SC2086 # a verb is a word of its own
step "the page" $engine
step "lints" cargo clippy --locked --workspace --all-targets --all-features -- -D warnings
# What CI jobs build to replay traces needs no SDL2. The features are those of the step before, so that only
# the command itself is checked again.
step "the command without its window" \
    cargo clippy --locked -p simulator --no-default-features \
    --features rp2040-emulator/on-target,rp2040-emulator/qemu-test --bin nudge -- -D warnings
step "documentation" scripts/doc.sh
step "compiling the tests" compile_tests
joined "programs for the RP2040, and the rewriter of mutants" chip
joined "programs that tests run beside" programs
beside traces on_pico
if [ -n "$programs" ]; then
    # It waits for the clock most of the time, and starts an X server of its own, so it needs no display.
    beside window named_tests window
    beside browser in_browser
fi
# One run names all that fails.
# shellcheck disable=SC2086 # there may be no features
step "tests" behind cargo test --locked --workspace $features --no-fail-fast
[ -z "$programs" ] || step "pytest-nudge" scripts/pytest.sh
step "layout of traces" "$nudge" trace fmt --check tests/traces
step "traces" "$nudge" replay tests/traces --artifacts "$artifacts"
[ -z "$programs" ] || joined "the page in a browser" browser
[ -z "$programs" ] || joined "the window" window
joined "traces on the Pico's binary" traces
# A probe keeps to the clock of this computer: a press that reaches it late is an error, so nothing runs beside it.
# Its tests wait for the clock most of the time: eight at once, of which one that has both chips takes the longest.
[ -z "$programs" ] || step "a probe behind a port" named_tests probe_port -- --test-threads 8
passed
