# shellcheck shell=sh
# Sourced by the scripts that compile for a target whose library rustup may be unable to fetch: Debian's own
# Rust, which compiles it from source (-Zbuild-std). After it there are `has_debian`, `packages`, `linker`,
# and `fetch_debian`. $debian_rust has the names of Debian's packages.

# Debian's Rust is taken from this version on: the workspace's rust-version.
oldest_minor=88
# shellcheck disable=SC2034 # for the caller
debian_rust="rustc-web cargo-web rust-web-src"

# Debian's compiler, new enough, with the sources of `core`.
has_debian() {
    [ -x /usr/bin/cargo ] && [ -x /usr/bin/rustc ] || return 1
    minor=$(/usr/bin/rustc --version | sed -n 's/^rustc 1\.\([0-9]*\)\..*/\1/p')
    [ "${minor:-0}" -ge $oldest_minor ] || return 1
    [ -f "$(/usr/bin/rustc --print sysroot)/lib/rustlib/src/rust/library/core/Cargo.toml" ]
}

# packages PACKAGE…: installs them with apt-get, as root or with sudo.
packages() {
    command -v apt-get >/dev/null || return 1
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || return 1
        # Without a terminal no password can be typed: fail instead of waiting for one.
        if [ -t 0 ]; then as_root=sudo; else as_root="sudo -n"; fi
    fi
    echo "Installing $* (apt-get)"
    $as_root apt-get -qq -o DPkg::Lock::Timeout=120 update </dev/null || true
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o DPkg::Lock::Timeout=120 \
        install --no-install-recommends "$@" </dev/null
}

# Whether Debian's Rust is there after it was asked for.
fetch_debian() {
    # shellcheck disable=SC2086 # the packages are separate words
    packages $debian_rust && has_debian
}

# linker NAME: the linker that comes with a Rust toolchain, or LLVM's from the system, by its name there.
linker() {
    for rustc in rustc /usr/bin/rustc; do
        command -v $rustc >/dev/null || continue
        for lld in "$($rustc --print sysroot)"/lib/rustlib/*/bin/rust-lld; do
            if [ -x "$lld" ]; then echo "$lld"; return; fi
        done
    done
    command -v "$1" || return 1
}
