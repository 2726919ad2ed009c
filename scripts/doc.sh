#!/bin/sh
# `make doc`: the API documentation in target/doc. A warning is an error: a link that leads nowhere,
# for instance.
set -eu
cd "$(dirname "$0")/.."

scripts/need.sh cargo cc pkg-config sdl2
RUSTDOCFLAGS="${RUSTDOCFLAGS:-} -D warnings" cargo doc --locked --workspace --all-features --no-deps
echo "${CARGO_TARGET_DIR:-$PWD/target}/doc"
