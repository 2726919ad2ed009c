#!/usr/bin/env bash
# Makes the parts of a release in target/package:
#   scripts/package.sh check TAG        checks that the tag is v and the version in Cargo.toml
#   scripts/package.sh command SYSTEM   nudge-VERSION-SYSTEM.tar.gz: the command, and its documents
#   scripts/package.sh image ARCH       linux-ARCH/nudge without a window, for .ci/Containerfile, and the same as an
#                                       archive nudge-VERSION-SYSTEM-headless.tar.gz; ARCH is amd64 or arm64
#   scripts/package.sh wheel            pytest_nudge-VERSION-….whl: the command without a window, and the fixtures
#   scripts/package.sh deb ARCH         nudge_VERSION_ARCH.deb: the command with its window; for the Linux that makes it
#   scripts/package.sh installer REPO   install.sh for OWNER/nudge
#   scripts/package.sh firmware         nudge-pico-VERSION.elf and .uf2, nudge-probe-VERSION.elf and .uf2
#   scripts/package.sh sums             SHA256SUMS of all files
# NUDGE_BUILT names a command that is built already. Needs bash, which the Windows runners have.
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
    if [ -n "${NUDGE_BUILT:-}" ]; then
        nudge=$NUDGE_BUILT
        return
    fi
    # The command contains the page.
    scripts/page.sh
    cargo build --locked --release -p simulator --bin nudge "$@"
    nudge=$target/release/nudge
    [ -f "$nudge" ] || nudge+=.exe
}

# pack NAME: makes NAME.tar.gz of the command in $nudge and its documents.
pack() {
    rm -rf "${out:?}/$1"
    mkdir "$out/$1"
    cp "$nudge" README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT "$out/$1/"
    tar -czf "$out/$1.tar.gz" -C "$out" "$1"
    rm -rf "${out:?}/$1"
    echo "$out/$1.tar.gz"
}

# python: NUDGE_PYTHON, or the Python of the system, as in scripts/need.sh; it needs setuptools and wheel.
python() {
    "${NUDGE_PYTHON:-/usr/bin/python3}" "$@"
}

# platform FILE: prints the platform of a wheel with this program.
platform() {
    case "$(uname -s)-$(uname -m)" in
        Linux-*)
            # The newest version of the C library that the program asks for.
            local libc
            libc=$(grep --text --only-matching 'GLIBC_2\.[0-9]*' "$1" | sort --version-sort | tail -n 1)
            libc=${libc#GLIBC_2.}
            echo "manylinux_2_${libc:?the program names no C library}_$(uname -m)"
            ;;
        Darwin-arm64) echo macosx_11_0_arm64 ;;
        MINGW* | MSYS*) echo win_amd64 ;;
        *) stop "there is no name for wheels of $(uname -s) on $(uname -m)." ;;
    esac
}

case ${1:-} in
    check)
        [ "${2:?the tag}" = "v$version" ] ||
            stop "the tag is $2 and Cargo.toml says $version: the tag must be v$version."
        ;;
    command)
        name=nudge-$version-${2:?the name of the system}
        nudge
        pack "$name"
        ;;
    image)
        nudge --no-default-features
        mkdir -p "$out/linux-${2:?amd64 or arm64}"
        cp "$nudge" "$out/linux-$2/nudge"
        echo "$out/linux-$2/nudge"
        case $2 in amd64) system=linux-x86_64 ;; *) system=linux-$2 ;; esac
        pack "nudge-$version-$system-headless"
        ;;
    wheel)
        nudge --no-default-features
        room=$out/wheel
        rm -rf "$room"
        mkdir -p "$room"
        # setuptools builds in the folder of the sources, so it gets a copy.
        cp -R python/pytest-nudge "$room/source"
        (cd "$room/source" && python -c 'import setuptools.build_meta as build
build.build_wheel("..")') >"$room/log" 2>&1 || { cat "$room/log" >&2; exit 1; }
        python -m wheel unpack --dest "$room/open" "$room"/pytest_nudge-*.whl >/dev/null
        for folder in "$room"/open/pytest_nudge-*; do
            name=$(basename "$folder")
            [ "$name" = "pytest_nudge-$version" ] ||
                stop "python/pytest-nudge/pyproject.toml has the version ${name#pytest_nudge-}, and Cargo.toml $version: make them equal."
            mkdir -p "$folder/$name.data/scripts"
            cp "$nudge" "$folder/$name.data/scripts/"
            chmod 755 "$folder/$name.data/scripts/"*
            tag=py3-none-$(platform "$nudge")
            sed -i.old -e "s/^Tag: .*/Tag: $tag/" -e 's/^Root-Is-Purelib: .*/Root-Is-Purelib: false/' \
                "$folder/$name.dist-info/WHEEL"
            rm "$folder/$name.dist-info/WHEEL.old"
            python -m wheel pack --dest-dir "$out" "$folder" >/dev/null
            echo "$out/$name-$tag.whl"
        done
        rm -rf "$room"
        ;;
    deb)
        nudge
        room=$out/deb
        rm -rf "$room"
        mkdir -p "$room/debian" "$room/root/DEBIAN" "$room/root/usr/bin" "$room/root/usr/share/doc/nudge"
        install -m 755 "$nudge" "$room/root/usr/bin/nudge"
        install -m 644 README.md "$room/root/usr/share/doc/nudge/"
        gzip --no-name -9 <CHANGELOG.md >"$room/root/usr/share/doc/nudge/changelog.gz"
        {
            printf 'nudge is distributed under the terms of either of the following licences, at your choice.\n\n'
            cat LICENSE-MIT
            printf '\n\n'
            cat LICENSE-APACHE
        } >"$room/root/usr/share/doc/nudge/copyright"
        # Names the packages of the libraries that the program links.
        printf 'Source: nudge\n\nPackage: nudge\nArchitecture: any\n' >"$room/debian/control"
        depends=$(cd "$room" && dpkg-shlibdeps -O root/usr/bin/nudge 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
        cat >"$room/root/DEBIAN/control" <<CONTROL
Package: nudge
Version: $version
Architecture: ${2:?amd64 or arm64}
Maintainer: ${NUDGE_MAINTAINER:-The authors of nudge <nudge@localhost>}
Section: electronics
Priority: optional
Depends: ${depends:?dpkg-shlibdeps found no library}
Installed-Size: $(du -sk "$room/root/usr" | cut -f 1)
Description: simulator of Raspberry Pi Pico boards with LCDs
 Runs a firmware on a virtual board, records button presses as traces, replays
 them and compares what the LCD shows.
CONTROL
        dpkg-deb --root-owner-group --build "$room/root" "$out/nudge_${version}_$2.deb" >/dev/null
        rm -rf "$room"
        echo "$out/nudge_${version}_$2.deb"
        ;;
    installer)
        case ${2:?OWNER/nudge} in */*) ;; *) stop "the repository is OWNER/nudge, not $2." ;; esac
        sed -e "s|@REPOSITORY@|$2|" -e "s|@VERSION@|$version|" scripts/install.sh >"$out/install.sh"
        chmod 755 "$out/install.sh"
        echo "$out/install.sh"
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
        files=()
        for file in nudge-* nudge_*.deb pytest_nudge-*.whl install.sh; do
            [ ! -f "$file" ] || files+=("$file")
        done
        [ "${#files[@]}" -gt 0 ] || stop "there is nothing in $out."
        sha256sum "${files[@]}" >SHA256SUMS
        cat SHA256SUMS
        ;;
    *) stop "give check, command, image, wheel, deb, installer, firmware or sums." ;;
esac
