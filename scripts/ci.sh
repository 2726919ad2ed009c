#!/bin/sh
# `make ci`: everything that must hold before a change goes in: `make test`, then the lints, the documentation, the page in
# browsers, the window, and what talks to other programs. Stops at the first failure.
#   scripts/ci.sh          of what takes longest one part, which the commit chooses
#   scripts/ci.sh rest     the same after `make test`
#   scripts/ci.sh whole    all of it: `make long`
set -eu
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-target}
tests=${1:-part}
case $tests in
    whole)
        who="make long"
        export NUDGE_PROBE_TRACES=all
        ;;
    part | rest) who="make ci" ;;
    *)
        echo "ci.sh: \`$1\` is none of its arguments: give rest, whole, or nothing." >&2
        exit 2
        ;;
esac
logs=$target/steps
. scripts/steps.sh
. scripts/features.sh

# What the tests of the page, the window and other programs need is for Linux.
linux=
[ "$(uname)" != Linux ] || linux=yes
steps=2
[ -z "$linux" ] || steps=7
[ "$tests" = rest ] || steps=$((steps + 1))

# compile: the tests of the steps below, once.
compile() {
    # shellcheck disable=SC2086 # the features are separate words
    cargo test --locked --workspace $all_features --no-run --test window --test probe_port --test same --test runner_browser \
        --test qemu --test on_target --test cli --test emulated_probe --test probe
}

# programs: what is built for the RP2040, and other programs. An interrupted installation would be left half done.
uninterrupted=programs
programs() {
    scripts/need.sh xvfb qemu gdb sigrok lcov browser firefox python node && scripts/firmware.sh &&
        scripts/firmware.sh probe && scripts/on-target.sh
}

[ "$tests" = rest ] || step "make test" scripts/test.sh "$tests"
# What runs beside others compiles nothing into the same folder.
[ -z "$linux" ] || beside programs programs
step "make lint" scripts/lint.sh
step "make doc" scripts/doc.sh
if [ -n "$linux" ]; then
    step "compiling the tests with other programs" compile
    joined "programs for the RP2040, and other programs" programs
    # The window waits for the clock most of the time: the page is tested beside it, and comes second.
    beside page nice -n 5 scripts/test-page.sh
    step "make test-window" scripts/test-window.sh
    joined "make test-page" page
    step "make test-tools" scripts/test-tools.sh
fi
passed
