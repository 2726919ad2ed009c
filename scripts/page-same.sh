#!/bin/sh
# The machine for a page does what this computer does: every trace of tests/ in the WebAssembly module under
# node, beside the same on this computer. On `pico` it needs what `make firmware` builds.
set -eu
cd "$(dirname "$0")/.."

command -v node >/dev/null || {
    echo "page-same.sh: there is no node: install it (Debian: \`sudo apt-get install nodejs\`), then try again." >&2
    exit 1
}
scripts/page.sh engine
# All features, as in `make test`, so that nothing is compiled twice.
cargo test --locked --workspace --all-features --test same
