#!/bin/sh
# Installs the command `nudge` of a release, after a check of its SHA-256 sum:
#   curl -fsSL https://github.com/OWNER/nudge/releases/latest/download/install.sh | sh
# The release's own copy names its repository and version; these variables change that:
#   NUDGE_REPOSITORY  OWNER/nudge               NUDGE_BIN       the folder of the command [~/.local/bin]
#   NUDGE_VERSION     0.1.0                     NUDGE_HEADLESS  `yes`: without a window, and without SDL2
#   NUDGE_RELEASES    the address of a folder with the release's files, instead of GitHub's
# Exit codes: 1 a sum differs, or a file cannot be written; 2 wrong use; 3 there is no such release or no network;
# 4 the command does not start on this system.
set -eu

# stop CODE SENTENCE: prints the sentence, and ends the script.
stop() {
    echo "install.sh: $2" >&2
    exit "$1"
}

# get FILE: downloads a file of the release into $room; fails if it is not there.
get() {
    if command -v curl >/dev/null; then
        curl --fail --silent --show-error --location --retry 2 --connect-timeout 20 --max-time 300 \
            --output "$room/$1" "$releases/$1"
    elif command -v wget >/dev/null; then
        wget --quiet --tries 2 --timeout 20 --output-document "$room/$1" "$releases/$1"
    else
        stop 2 "neither curl nor wget is installed; one of them downloads the release."
    fi
}

# sum FILE: prints the SHA-256 sum of a file.
sum() {
    if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

# unpack NAME: downloads NAME.tar.gz, checks it and unpacks it; stores the path of the command in $nudge.
unpack() {
    expected=$(awk -v file="$1.tar.gz" '$2 == file || $2 == "*" file { print $1; exit }' "$room/SHA256SUMS")
    [ -n "$expected" ] || stop 3 "$releases has no $1.tar.gz for this system; build nudge with cargo instead."
    get "$1.tar.gz" || stop 3 "$releases/$1.tar.gz cannot be downloaded; a proxy is named by https_proxy."
    actual=$(sum "$room/$1.tar.gz")
    [ "$actual" = "$expected" ] ||
        stop 1 "$1.tar.gz has the SHA-256 sum $actual, and SHA256SUMS says $expected: it is damaged or not the release's. Nothing was installed."
    tar -xzf "$room/$1.tar.gz" -C "$room"
    nudge=$room/$1/nudge
    [ -f "$nudge" ] || nudge=$nudge.exe
}

# The shell reads all of the script before it begins: one that was cut off does nothing.
main() {
    repository=${NUDGE_REPOSITORY:-@REPOSITORY@}
    version=${NUDGE_VERSION:-@VERSION@}
    version=${version#v}
    case "${NUDGE_RELEASES:-$repository} $version" in
        *@*) stop 2 "this copy is of no release: set NUDGE_REPOSITORY=OWNER/nudge and NUDGE_VERSION=0.1.0." ;;
    esac
    releases=${NUDGE_RELEASES:-https://github.com/$repository/releases/download/v$version}
    bin=${NUDGE_BIN:-${HOME:?}/.local/bin}
    case "$(uname -s)-$(uname -m)" in
        Linux-x86_64) system=linux-x86_64 ;;
        Linux-aarch64 | Linux-arm64) system=linux-arm64 ;;
        Darwin-arm64) system=macos-arm64 ;;
        MINGW*-x86_64 | MSYS*-x86_64) system=windows-x86_64 ;;
        *) stop 3 "there is no release for $(uname -s) on $(uname -m); build nudge with cargo instead." ;;
    esac

    room=$(mktemp -d)
    trap 'rm -rf "$room"' EXIT
    get SHA256SUMS || stop 3 "$releases/SHA256SUMS cannot be downloaded: there is no such release, or no network; a proxy is named by https_proxy."

    name=nudge-$version-$system
    without=''
    case "$system ${NUDGE_HEADLESS:-}" in linux-*" yes") without=yes ;; esac
    unpack "$name${without:+-headless}"
    if ! said=$("$nudge" --version 2>&1); then
        case "$system $without" in
            "linux-"*" yes" | macos-* | windows-*) ;;
            *)
                echo "install.sh: without a window, because it does not start: $said" >&2
                echo "install.sh: install SDL2 (Debian, Ubuntu: libsdl2-2.0-0), then this again." >&2
                unpack "$name-headless"
                ;;
        esac
        said=$("$nudge" --version 2>&1) ||
            stop 4 "the command of the release does not start on this system: $said. Build nudge with cargo instead. Nothing was installed."
    fi

    # The old command may be running: it is replaced as a whole.
    mkdir -p "$bin" 2>/dev/null || stop 1 "the folder $bin cannot be made; NUDGE_BIN names another."
    new=$bin/.nudge.$$
    cp "$nudge" "$new" 2>/dev/null || stop 1 "$bin cannot be written; NUDGE_BIN names another folder."
    chmod 755 "$new"
    mv -f "$new" "$bin/$(basename "$nudge")"
    echo "installed $bin/$(basename "$nudge"): $said"
    first=$(command -v nudge || true)
    case $first in
        "$bin"/*) ;;
        '') echo "$bin is not in PATH; add it there." ;;
        *) echo "another nudge comes first in PATH: $first" ;;
    esac
}

main
