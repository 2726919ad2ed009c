#!/bin/sh
# `make check`: checks worth running before each commit; `make test` and `make ci` run more. Stops at the first
# failure.
set -eu
cd "$(dirname "$0")/.."

who="make check"
steps=5
. scripts/steps.sh
. scripts/features.sh

nudge=${CARGO_TARGET_DIR:-target}/debug/nudge

scripts/need.sh cargo cc pkg-config sdl2
component fmt rustfmt
component clippy clippy

step "formatting" cargo fmt --all --check
# Of the libraries and the command, with the features of the step below: macros and build scripts are compiled once for
# both. `make lint` also checks the tests, and all features.
# shellcheck disable=SC2086 # the features are separate words
step "lints" cargo clippy --locked --workspace $test_features -- -D warnings
# The features of `make test`, so that neither compiles again what the other has compiled. A test of the command line
# builds the `nudge` that replays the traces.
# shellcheck disable=SC2086 # the features are separate words
step "unit tests" cargo test --locked --workspace $test_features --lib --bins --test command_line
step "layout of traces" "$nudge" trace fmt --check tests/traces
step "traces" "$nudge" replay tests/traces --artifacts target/trace-artifacts
passed
