#!/bin/sh
# `make check`: the checks worth running before each commit. `make test` runs more. Stops at the
# first failure.
set -eu
cd "$(dirname "$0")/.."

who="make check"
steps=5
. scripts/steps.sh

nudge=${CARGO_TARGET_DIR:-target}/debug/nudge

scripts/need.sh cargo cc pkg-config sdl2
component fmt rustfmt
component clippy clippy

# All features, as in `make test`, so that neither recompiles what the other has compiled.
step "formatting" cargo fmt --all --check
step "lints" cargo clippy --locked --workspace --all-targets --all-features -- -D warnings
# `cargo build --bin nudge` would compile nudge again, because some crates have other features
# without the tests' dependencies. A test of the command line builds the one that the tests run.
step "unit tests" cargo test --locked --workspace --all-features --lib --bins --test command_line
step "layout of traces" "$nudge" trace fmt --check tests/traces
step "traces" "$nudge" replay tests/traces --artifacts target/trace-artifacts
passed
