#!/usr/bin/env bash
# Makes the parts of a release in target/package:
#   scripts/package.sh check TAG        checks that the tag is v and the version in Cargo.toml
#   scripts/package.sh command SYSTEM   nudge-VERSION-SYSTEM.tar.gz: the command, and its documents
#   scripts/package.sh image ARCH       linux-ARCH/nudge without a window, for .ci/Containerfile
#   scripts/package.sh firmware         nudge-pico-VERSION.elf and .uf2, nudge-probe-VERSION.elf and .uf2
#   scripts/package.sh sums             SHA256SUMS of all files
# Needs bash, which the Windows runners have.
set -euo pipefail
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-$PWD/target}
out=$target/package
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
mkdir -p "$out"

# stop SENTENCE: prints the sentence, and ends the script.
stop() {
    echo "package.sh: $1" >&2
    exit 1
}

# nudge ARGUMENTS…: compiles the command; stores its path in $nudge.
nudge() {
    # The command contains the page.
    scripts/page.sh
    cargo build --locked --release -p simulator --bin nudge "$@"
    nudge=$target/release/nudge
    [ -f "$nudge" ] || nudge+=.exe
}

case ${1:-} in
    check)
        [ "${2:?the tag}" = "v$version" ] ||
            stop "the tag is $2 and Cargo.toml says $version: the tag must be v$version."
        ;;
    command)
        name=nudge-$version-${2:?the name of the system}
        nudge
        rm -rf "${out:?}/$name"
        mkdir "$out/$name"
        cp "$nudge" README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT "$out/$name/"
        tar -czf "$out/$name.tar.gz" -C "$out" "$name"
        rm -rf "${out:?}/$name"
        echo "$out/$name.tar.gz"
        ;;
    image)
        nudge --no-default-features
        mkdir -p "$out/linux-${2:?amd64 or arm64}"
        cp "$nudge" "$out/linux-$2/nudge"
        echo "$out/linux-$2/nudge"
        ;;
    firmware)
        scripts/firmware.sh
        scripts/firmware.sh probe
        for file in nudge-pico.elf nudge-pico.uf2 nudge-probe.elf nudge-probe.uf2; do
            packed=$out/${file%.*}-$version.${file##*.}
            cp "$target/firmware/$file" "$packed"
            echo "$packed"
        done
        ;;
    sums)
        cd "$out"
        rm -f SHA256SUMS
        files=(nudge-*)
        [ -e "${files[0]}" ] || stop "there is nothing in $out."
        sha256sum "${files[@]}" >SHA256SUMS
        cat SHA256SUMS
        ;;
    *) stop "give check, command, image, firmware or sums." ;;
esac
