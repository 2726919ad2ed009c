#!/bin/sh
# `make test-window`: the window under Xvfb: its keys, mouse, sound and pictures. Linux only.
set -eu
cd "$(dirname "$0")/.."

who="make test-window"
steps=2
. scripts/steps.sh
. scripts/features.sh
scripts/need.sh cargo cc pkg-config sdl2 xvfb

step "the Pico's binary" scripts/firmware.sh
# The window waits for the clock most of the time, and the tests start an X server of their own.
# shellcheck disable=SC2086 # the features are separate words
step "the window" cargo test --locked --workspace $all_features --no-fail-fast --test window --test bad_firmware
passed
