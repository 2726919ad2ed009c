# shellcheck shell=sh
# Sourced by the scripts that compile for a target whose library rustup may be unable to fetch. It
# finds Debian's own Rust, which compiles the library from source (-Zbuild-std). It defines
# `has_debian`, `packages`, `linker`, `fetch_debian` and `no_rust`. $debian_rust has the names of
# Debian's packages.
#
# shellcheck disable=SC2154 # who is set by the caller

# The minimum version of Debian's Rust: the workspace's rust-version.
oldest_minor=$(sed -n 's/^rust-version = "1\.\([0-9]*\).*/\1/p' Cargo.toml)
# Debian's folder of it; a test uses another one.
debian_bin=${NUDGE_DEBIAN_BIN:-/usr/bin}
# shellcheck disable=SC2034 # for the caller
debian_rust="rustc-web cargo-web rust-web-src"

# Prints the second number of the version of Debian's compiler; nothing if there is none.
debian_minor() {
    [ -x "$debian_bin/cargo" ] && [ -x "$debian_bin/rustc" ] || return 0
    "$debian_bin/rustc" --version | sed -n 's/^rustc 1\.\([0-9]*\)\..*/\1/p'
}

# Checks for Debian's compiler in a sufficient version, with the sources of `core`.
has_debian() {
    minor=$(debian_minor)
    [ "${minor:-0}" -ge "$oldest_minor" ] || return 1
    [ -f "$("$debian_bin/rustc" --print sysroot)/lib/rustlib/src/rust/library/core/Cargo.toml" ]
}

# no_rust TARGET: reports why there is no Rust for TARGET, with the next step, and ends the script.
no_rust() {
    fetch="run \`rustup target add $1\`, or on Debian 12 \`sudo apt-get install $debian_rust\`, then try again."
    minor=$(debian_minor)
    if [ -n "$minor" ] && [ "$minor" -lt "$oldest_minor" ]; then
        echo "$who: there is no Rust for $1: that of this Debian is 1.$minor, and nudge needs 1.$oldest_minor or newer: $fetch" >&2
    else
        echo "$who: there is no Rust for $1: $fetch" >&2
    fi
    exit 1
}

# packages PACKAGE…: installs the packages with apt-get, as root or with sudo.
packages() {
    command -v apt-get >/dev/null || return 1
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || return 1
        # Without a terminal no password can be typed, so the script fails instead of waiting for
        # one.
        if [ -t 0 ]; then as_root=sudo; else as_root="sudo -n"; fi
    fi
    echo "Installing $* (apt-get)"
    $as_root apt-get -qq -o DPkg::Lock::Timeout=120 update </dev/null || true
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o DPkg::Lock::Timeout=120 \
        install --no-install-recommends "$@" </dev/null
}

# Installs Debian's Rust; succeeds if it can be used afterwards.
fetch_debian() {
    # shellcheck disable=SC2086 # the packages are separate words
    packages $debian_rust && has_debian
}

# linker NAME: prints the linker of a Rust toolchain, or LLVM's linker NAME of the system.
linker() {
    for rustc in rustc /usr/bin/rustc; do
        command -v $rustc >/dev/null || continue
        for lld in "$($rustc --print sysroot)"/lib/rustlib/*/bin/rust-lld; do
            if [ -x "$lld" ]; then echo "$lld"; return; fi
        done
    done
    command -v "$1" || return 1
}
