#!/bin/sh
# Makes sure that the programs in its arguments are installed: cargo cc pkg-config sdl2 xvfb qemu
# gdb sigrok lcov browser firefox time node python. Packages of apt are installed (as root, or with
# sudo). For anything else, a message names the package to install, and the exit code is 1.
set -eu

missing=
for need in "$@"; do
    case $need in
        cargo | cc | pkg-config) command -v "$need" >/dev/null || missing="$missing $need" ;;
        sdl2) pkg-config --exists sdl2 2>/dev/null || missing="$missing $need" ;;
        xvfb) { command -v Xvfb && command -v xvfb-run && command -v xauth; } >/dev/null ||
            missing="$missing $need" ;;
        qemu) command -v qemu-system-arm >/dev/null || missing="$missing $need" ;;
        gdb) command -v gdb-multiarch >/dev/null || missing="$missing $need" ;;
        sigrok) { command -v sigrok-cli && command -v vcd2fst; } >/dev/null ||
            missing="$missing $need" ;;
        lcov) command -v genhtml >/dev/null || missing="$missing $need" ;;
        time) [ -x /usr/bin/time ] || missing="$missing $need" ;;
        browser) { command -v chromium || command -v google-chrome; } >/dev/null ||
            missing="$missing $need" ;;
        firefox) { command -v firefox-esr || command -v firefox; } >/dev/null ||
            missing="$missing $need" ;;
        node) { command -v node && command -v npm; } >/dev/null || missing="$missing $need" ;;
        # The system's own Python, because its packages can be installed; another one may come first
        # in the path.
        python) /usr/bin/python3 -c 'import pytest, setuptools, venv, wheel' 2>/dev/null ||
            missing="$missing $need" ;;
        *) echo "need.sh: unknown: $need" >&2; exit 2 ;;
    esac
done
[ -n "$missing" ] || exit 0

case " $missing " in *" cargo "*)
    echo "nudge needs Rust 1.88 or newer, and there is no cargo: install Rust with rustup, then try again." >&2
    exit 1 ;;
esac

# packages SYSTEM: prints the names of the missing packages on that system.
packages() {
    for need in $missing; do
        case $1:$need in
            apt:cc) echo gcc libc6-dev ;;
            apt:pkg-config) echo pkg-config ;;
            apt:sdl2) echo libsdl2-dev ;;
            apt:xvfb) echo xvfb xauth ;;
            apt:time) echo time ;;
            apt:qemu) echo qemu-system-arm ;;
            apt:gdb) echo gdb-multiarch ;;
            apt:sigrok) echo sigrok-cli gtkwave ;;
            apt:lcov) echo lcov ;;
            apt:browser) echo chromium ;;
            # Debian has the former, Ubuntu the latter.
            apt:firefox) if grep -q '^ID=debian' /etc/os-release; then echo firefox-esr; else echo firefox; fi ;;
            apt:node) echo nodejs npm ;;
            apt:python) echo python3-pytest python3-setuptools python3-wheel ;;
            dnf:cc) echo gcc ;;
            dnf:pkg-config) echo pkgconf-pkg-config ;;
            dnf:sdl2) echo SDL2-devel ;;
            dnf:xvfb) echo xorg-x11-server-Xvfb xauth ;;
            dnf:time) echo time ;;
            dnf:qemu) echo qemu-system-arm ;;
            dnf:gdb) echo gdb ;;
            dnf:sigrok) echo sigrok-cli gtkwave ;;
            dnf:lcov) echo lcov ;;
            dnf:browser) echo chromium ;;
            dnf:firefox) echo firefox ;;
            dnf:node) echo nodejs npm ;;
            dnf:python) echo python3-pytest python3-setuptools python3-wheel ;;
            pacman:cc) echo gcc ;;
            pacman:pkg-config) echo pkgconf ;;
            pacman:sdl2) echo sdl2-compat ;;
            pacman:xvfb) echo xorg-server-xvfb xorg-xauth ;;
            pacman:time) echo time ;;
            pacman:qemu) echo qemu-system-arm ;;
            pacman:gdb) echo arm-none-eabi-gdb ;;
            pacman:sigrok) echo sigrok-cli gtkwave ;;
            pacman:lcov) echo lcov ;;
            pacman:browser) echo chromium ;;
            pacman:firefox) echo firefox ;;
            pacman:node) echo nodejs npm ;;
            pacman:python) echo python-pytest python-setuptools python-wheel ;;
            brew:pkg-config) echo pkgconf ;;
            brew:sdl2) echo sdl2 ;;
            brew:cc) echo gcc ;;
            brew:xvfb) echo xquartz ;;
            brew:time) echo gnu-time ;;
            brew:qemu) echo qemu ;;
            brew:gdb) echo gdb ;;
            brew:sigrok) echo sigrok-cli gtkwave ;;
            brew:lcov) echo lcov ;;
            brew:browser) echo --cask google-chrome ;;
            brew:firefox) echo --cask firefox ;;
            brew:node) echo node ;;
        esac
    done | tr '\n' ' ' | sed 's/ $//'
}

# stop COMMAND: prints the command that installs the missing packages, and ends the script.
stop() {
    echo "nudge needs$missing, which this machine lacks: run \`$1\`, then try again." >&2
    exit 1
}

if ! command -v apt-get >/dev/null; then
    if command -v dnf >/dev/null; then stop "sudo dnf install $(packages dnf)"
    elif command -v pacman >/dev/null; then stop "sudo pacman -S $(packages pacman)"
    elif command -v brew >/dev/null; then stop "brew install $(packages brew)"
    fi
    echo "nudge needs$missing, which this machine lacks, and there is no apt to install it with." >&2
    echo "On Fedora that is $(packages dnf), on Arch $(packages pacman), with Homebrew $(packages brew)." >&2
    exit 1
fi

wanted=$(packages apt)
if [ "$(id -u)" -eq 0 ]; then as_root=
elif command -v sudo >/dev/null; then
    # Without a terminal no password can be typed, so the script fails instead of waiting for one.
    if [ -t 0 ]; then as_root=sudo; else as_root="sudo -n"; fi
else
    stop "apt-get install $wanted\` as root, or \`su -c 'apt-get install $wanted'"
fi

# apt COMMAND…: runs apt-get without questions; waits up to two minutes for another apt.
apt() {
    $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -qq -y -o DPkg::Lock::Timeout=120 "$@" </dev/null
}

echo "Installing $wanted (apt-get)"
# Package lists may be absent or too old to name files that still exist.
# shellcheck disable=SC2086 # the packages are separate words
apt install --no-install-recommends $wanted >/dev/null 2>&1 ||
    { apt update && apt install --no-install-recommends $wanted; } ||
    stop "sudo apt-get update && sudo apt-get install $wanted"
