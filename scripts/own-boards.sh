#!/bin/sh
# Builds the programs of examples/own-boards, which are stored beside their board files.
#   scripts/own-boards.sh         build
#   scripts/own-boards.sh lint    formatting and lints
#
# scripts/thumb.sh finds the Rust that builds them.
set -eu
cd "$(dirname "$0")/.."

folder=examples/own-boards
manifest=$folder/Cargo.toml
who="scripts/own-boards.sh"
. scripts/thumb.sh

if [ "${1:-}" = lint ]; then
    lint
    exit
fi
build build --release
for name in album handheld badge dial oled pio; do
    cp "$built/$name" "$folder/$name.elf"
done
