#!/bin/sh
# Builds the emulator's own programs (rp2040-emulator/on-target and on-target-runner) as ELF files
# in target/on-target.
#   scripts/on-target.sh         build
#   scripts/on-target.sh lint    formatting and lints
#   scripts/on-target.sh embassy the program based on embassy (rp2040-emulator/on-target-embassy), with its formatting
#                                and lints, into rp2040-emulator/tests/embassy, where it is stored: takes a minute
#   scripts/on-target.sh quiz    the quiz as a UF2 file, into crates/chip/rp2040-tools/quiz, where it is stored
# Afterwards `cargo test -p rp2040-emulator --test on_target` runs those of
# on-target, and `cargo test -p simulator --features on-target --test cli` those of
# on-target-runner.
#
# scripts/thumb.sh finds the Rust that builds them.
set -eu
cd "$(dirname "$0")/.."

out=${CARGO_TARGET_DIR:-$PWD/target}/on-target
manifest=rp2040-emulator/on-target/Cargo.toml
who="scripts/on-target.sh"
. scripts/thumb.sh

if [ "${1:-}" = embassy ]; then
    manifest=rp2040-emulator/on-target-embassy/Cargo.toml
    lint
    build build --release
    cp "$built/usb_embassy" rp2040-emulator/tests/embassy/usb_embassy.elf
    exit
fi

if [ "${1:-}" = quiz ]; then
    build build --release --bin quiz
    uf2 "$built/quiz" crates/chip/rp2040-tools/quiz/nudge-quiz.uf2
    exit
fi

for folder in on-target on-target-runner; do
    manifest=rp2040-emulator/$folder/Cargo.toml
    if [ "${1:-}" = lint ]; then
        lint
        continue
    fi
    build build --release
    mkdir -p "$out"
    # A program is a file, or a folder of files.
    for source in "rp2040-emulator/$folder"/src/bin/*.rs "rp2040-emulator/$folder"/src/bin/*/; do
        [ -e "$source" ] || continue
        name=$(basename "$source" .rs)
        cp "$built/$name" "$out/$name.elf"
    done
done
