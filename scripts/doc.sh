#!/bin/sh
# `make doc`: builds the API documentation in target/doc. A warning, for example a broken link, is
# an error.
set -eu
cd "$(dirname "$0")/.."

scripts/need.sh cargo cc pkg-config sdl2
RUSTDOCFLAGS="${RUSTDOCFLAGS:-} -D warnings" cargo doc --locked --workspace --all-features --no-deps
echo "${CARGO_TARGET_DIR:-$PWD/target}/doc"
