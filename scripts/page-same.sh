#!/bin/sh
# Checks that the machine for a page behaves like this computer: runs every trace of tests/ in the
# WebAssembly module under node, and on this computer. Needs the output of `make page` and `make
# firmware`.
set -eu
cd "$(dirname "$0")/.."

command -v node >/dev/null || {
    echo "page-same.sh: there is no node: install it (Debian: \`sudo apt-get install nodejs\`), then try again." >&2
    exit 1
}
# All features, as in `make test`, so that nothing is compiled twice.
cargo test --locked --workspace --all-features --test same
