#!/bin/sh
# `make test`: the project's tests, and nothing else: unit and integration tests, the traces on `native`, a sample of
# them on the Pico's binary. Stops at the first failure. It installs nothing but SDL2.
#   scripts/test.sh          of what takes longest one part, which the commit chooses
#   scripts/test.sh whole    all of it, for `make long`
#
# docs/testing.md says which tests have parts. NUDGE_PART=K/4 chooses the part by hand.
set -eu
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-target}
nudge=$target/debug/nudge
firmware=$target/firmware/nudge-pico.elf
artifacts=$target/trace-artifacts

case ${1:-part} in
    whole)
        who="make long"
        unset NUDGE_PART NUDGE_WIRING_PART NUDGE_COMMAND_PART
        # Some hours of a processor: the board and the probe, each on an emulated chip.
        export NUDGE_PROBE_TRACES=all
        ;;
    part)
        who="make test"
        . scripts/part.sh
        # `make test-tools` runs all of these.
        export NUDGE_COMMAND_PART="${NUDGE_COMMAND_PART:-$quarter/4}"
        echo "make test: part $NUDGE_PART of the long tests, $NUDGE_COMMAND_PART of those of the command, $shard of the traces on the Pico's binary; \`make long\` runs all"
        ;;
    *)
        echo "test.sh: \`$1\` is none of its arguments: give whole, or nothing." >&2
        exit 2
        ;;
esac
steps=4
[ "$who" != "make long" ] || steps=5
logs=$target/steps
. scripts/steps.sh
. scripts/features.sh

scripts/need.sh cargo cc pkg-config sdl2

# listed: every fourth of the listed traces.
listed() {
    awk -v nth="$quarter" '!/^#/ && ++count % 4 == nth % 4 { print "tests/traces/" $0 }' tests/pico-traces.txt
}

# replays: the layout of the traces, all on `native`, and on the Pico's binary; in parts, there every fourth of the listed
# ones and every 32nd of all. The tests go first: they take longer, and some wait for a process.
replays() {
    set -- --board "pico=$firmware" --artifacts "$artifacts-pico"
    nice -n 5 "$nudge" trace fmt --check tests/traces &&
        nice -n 5 "$nudge" replay tests/traces --strict --artifacts "$artifacts" &&
        if [ "$who" = "make long" ]; then
            nice -n 5 "$nudge" replay tests/traces "$@"
        else
            # shellcheck disable=SC2046 # a path a word
            nice -n 5 "$nudge" replay $(listed) "$@" &&
                nice -n 5 "$nudge" replay tests/traces --shard "$shard" "$@"
        fi
}

# Two cores stay busy if something runs beside each step that uses only one.
beside pico scripts/firmware.sh elf
# shellcheck disable=SC2086 # the features are separate words
step "compiling the tests" cargo test --locked --workspace $test_features --no-run
joined "the Pico's binary" pico
# Some tests wait for a process or a terminal: one thread more than cores keeps the cores busy.
RUST_TEST_THREADS=${RUST_TEST_THREADS:-$(($(getconf _NPROCESSORS_ONLN) + 1))}
export RUST_TEST_THREADS
beside replays replays
# shellcheck disable=SC2086 # the features are separate words
step "tests" cargo test --locked --workspace $test_features --no-fail-fast
if [ "$who" = "make long" ]; then
    # shellcheck disable=SC2086 # the features are separate words
    step "more programs for two cores" cargo test --locked --workspace $test_features --test silicon -- --ignored
fi
joined "layout of traces, traces on native and on the Pico's binary" replays
passed
