#!/bin/sh
# Builds the programs of examples/own-boards, which are stored beside their board files.
#   scripts/own-boards.sh           build
#   scripts/own-boards.sh current   checks by hashes that they were built from the sources as they are
#   scripts/own-boards.sh check     builds them and compares them with the stored ones, byte for byte
#   scripts/own-boards.sh lint      formatting and lints
#
# scripts/thumb.sh finds the Rust that builds them.
set -eu
cd "$(dirname "$0")/.."

folder=examples/own-boards
manifest=$folder/Cargo.toml
who="scripts/own-boards.sh"
# The compiler of the stored programs, the hash of their sources, and that of each program.
record=$folder/programs.sha256
names=$(for source in "$folder"/src/bin/*.rs; do basename "$source" .rs; done)

# sources: one hash of what the programs are compiled from, besides the compiler.
sources() {
    git ls-files --cached --others --exclude-standard -- \
        $folder/src $folder/build.rs $folder/Cargo.toml $folder/Cargo.lock $folder/memory.x scripts/thumb.sh |
        LC_ALL=C sort | while read -r file; do
        [ ! -f "$file" ] || sha256sum "$file"
    done | sha256sum | cut -d' ' -f1
}

# recorded KEY: the value of a line of the record.
recorded() {
    sed -n "s/^$1 //p" "$record" 2>/dev/null
}

hash_of() {
    sha256sum "$1" 2>/dev/null | cut -d' ' -f1
}

# current: fails if a stored program is older than the sources, or is not the one that was built.
current() {
    code=0
    if [ "$(sources)" != "$(recorded sources)" ]; then
        echo "the programs of $folder are older than their sources: run \`$who\`, and commit the result." >&2
        code=1
    fi
    for name in $names; do
        if [ ! -f "$folder/$name.elf" ] || [ "$(hash_of "$folder/$name.elf")" != "$(recorded "$name.elf")" ]; then
            echo "$folder/$name.elf is not the program that \`$who\` has built: run it, and commit the result." >&2
            code=1
        fi
    done
    [ "$code" -ne 0 ] || echo "the programs of $folder are current"
    return "$code"
}

if [ "${1:-}" = current ]; then
    current
    exit
fi

. scripts/thumb.sh

# compiler: the Rust that builds the programs.
compiler() {
    if [ "$way" = rustup ]; then rustc --version; else echo "debian $(/usr/bin/rustc --version)"; fi
}

# check: fails if a build gives other bytes than the stored programs. Another compiler gives other bytes, so with one
# only the sources are checked.
check() {
    current || return 1
    if [ "$(compiler)" != "$(recorded compiler)" ]; then
        echo "not compared: the stored programs were built by $(recorded compiler), and this is $(compiler)"
        return
    fi
    build build --release
    for name in $names; do
        cmp "$built/$name" "$folder/$name.elf" || stop "$name.elf is not what its sources give: run \`$who\`, and commit the result."
    done
    echo "the programs of $folder are what their sources give"
}

case ${1:-} in
    check) check ;;
    lint) lint ;;
    '')
        build build --release
        for name in $names; do
            cmp -s "$built/$name" "$folder/$name.elf" || cp "$built/$name" "$folder/$name.elf"
        done
        {
            echo "compiler $(compiler)"
            echo "sources $(sources)"
            for name in $names; do echo "$name.elf $(hash_of "$folder/$name.elf")"; done
        } >"$record"
        ;;
    *) stop "there is no \`$1\`; known are current, check and lint." ;;
esac
