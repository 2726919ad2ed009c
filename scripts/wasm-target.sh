# shellcheck shell=sh
# Sourced by the scripts that compile for WebAssembly: finds a Rust for it. The caller sets
#   who   its name, for messages
# This script defines `wasm VERB ARGUMENTS…`, which runs cargo for that target; $target, its name;
# and $sysroot, the folder with that Rust's standard library sources.
#
# The Rust is a toolchain with the target wasm32-unknown-unknown, which rustup fetches. If rustup
# cannot, it is Debian's own Rust, which compiles the standard library from source (-Zbuild-std).
# NUDGE_RUST=rustup or NUDGE_RUST=debian selects one of them.
#
# shellcheck disable=SC2154,SC2034 # who is set by the caller, sysroot is for it

target=wasm32-unknown-unknown
scripts/need.sh cargo cc
. scripts/debian-rust.sh

has_wasm() {
    command -v rustc >/dev/null && [ -d "$(rustc --print sysroot)/lib/rustlib/$target/lib" ]
}

fetch_wasm() {
    command -v rustup >/dev/null || return 1
    echo "Installing the $target target (rustup)"
    rustup --quiet target add $target </dev/null
}

case ${NUDGE_RUST:-} in
    rustup) has_wasm || fetch_wasm || way=none ;;
    debian) has_debian || fetch_debian || way=none ;;
    *) has_wasm || has_debian || fetch_wasm || fetch_debian || way=none ;;
esac
[ "${way:-}" != none ] || no_rust $target
if [ "${NUDGE_RUST:-}" != debian ] && has_wasm; then way=rustup; else way=debian; fi

if [ $way = rustup ]; then
    sysroot=$(rustc --print sysroot)
else
    sysroot=$("$debian_bin/rustc" --print sysroot)
    if ! wasm_linker=$(linker wasm-ld); then
        packages lld || true
        wasm_linker=$(linker wasm-ld) || {
            echo "$who: there is no LLVM linker: run \`sudo apt-get install lld\`, then try again." >&2
            exit 1
        }
    fi
fi

# wasm VERB ARGUMENTS…: runs cargo for that target with the selected Rust.
wasm() {
    verb=$1
    shift
    if [ $way = rustup ]; then
        cargo "$verb" --locked --target $target "$@"
    else
        # -Zbuild-std is for nightly compilers only, unless this variable is set.
        env -u RUSTUP_TOOLCHAIN PATH="/usr/bin:$PATH" RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 \
            CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER="$wasm_linker" \
            /usr/bin/cargo "$verb" --locked --target $target -Zbuild-std=std,panic_abort "$@"
    fi
}
