#!/bin/sh
# `make test-page`: the page in Chromium and Firefox; the machine in it beside the one of this computer, over all traces.
# Linux only.
set -eu
cd "$(dirname "$0")/.."

who="make test-page"
steps=5
. scripts/steps.sh
. scripts/features.sh
scripts/need.sh cargo cc pkg-config sdl2 node browser firefox

# tests: those of the page in a report, and of the machine in the page.
tests() {
    # shellcheck disable=SC2086 # the features are separate words
    cargo test --locked --workspace $all_features --no-fail-fast --test runner_browser --test same
}

step "the bundle is current" scripts/page.sh current
step "the Pico's binary" scripts/firmware.sh elf
step "the machine of the bundle" scripts/page.sh unpack
step "the page in reports, and its machine" tests
step "the page in browsers" scripts/page.sh test
passed
