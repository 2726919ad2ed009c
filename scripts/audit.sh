#!/bin/sh
# `make audit`: the dependencies, their licences, and the spelling.
#   scripts/audit.sh [deny|advisories|machete|typos]…     without arguments: all of them
# deny        licences, sources and doubled versions in every lock file (deny.toml)
# advisories  known vulnerabilities; fetches the RustSec database
# machete     dependencies that no code uses
# typos       spelling (_typos.toml)
# Missing tools are installed into target/tools with cargo.
set -eu
cd "$(dirname "$0")/.."

scripts/need.sh cargo cc
[ $# -gt 0 ] || set -- deny advisories machete typos

tools=${CARGO_TARGET_DIR:-$PWD/target}/tools
PATH=$PATH:$tools/bin
manifests="Cargo.toml firmware-pico/Cargo.toml firmware-probe/Cargo.toml fuzz/Cargo.toml rp2040-emulator/on-target/Cargo.toml rp2040-emulator/on-target-runner/Cargo.toml rp2040-emulator/on-target-embassy/Cargo.toml examples/own-boards/Cargo.toml tests/mutants/Cargo.toml"

# tool COMMAND PACKAGE
tool() {
    command -v "$1" >/dev/null && return
    echo "Installing $2 (cargo)"
    cargo install --quiet --locked --root "$tools" --target-dir "$tools/build" "$2"
}

# deny CHECK…: runs the checks on every lock file.
deny() {
    tool cargo-deny cargo-deny
    for manifest in $manifests; do
        echo "$manifest"
        cargo deny --locked --manifest-path "$manifest" --config "$PWD/deny.toml" check "$@"
    done
}

for what in "$@"; do
    echo "== $what"
    case $what in
        deny) deny bans licenses sources ;;
        advisories) deny advisories ;;
        machete)
            tool cargo-machete cargo-machete
            cargo machete --with-metadata
            ;;
        typos)
            tool typos typos-cli
            typos
            ;;
        *)
            echo "audit.sh: there is no \`$what\`: give deny, advisories, machete or typos." >&2
            exit 2
            ;;
    esac
done
