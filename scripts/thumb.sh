# shellcheck shell=sh
# Sourced by the scripts that build for the Pico: finds a Rust for it. The caller sets
#   who        its name, for messages
#   manifest   the Cargo.toml of the package to build
# This script defines `build VERB ARGUMENTS…`, `lint`, `uf2 ELF UF2` and `stop SENTENCE`; cargo stores the output
# of `build build --release` in $built. All callers share one build folder, because most of the code
# that they compile is the same.
#
# The Rust is a toolchain with the target thumbv6m-none-eabi, which rustup fetches. If rustup
# cannot, it is Debian's own Rust, which compiles the target's `core` from source (-Zbuild-std).
# NUDGE_RUST=rustup or NUDGE_RUST=debian selects one of them.
#
# shellcheck disable=SC2154 # who and manifest are set by the caller

target=thumbv6m-none-eabi
. scripts/debian-rust.sh

# stop SENTENCE: reports what the user has to do, and ends the script.
stop() {
    echo "$who: $1" >&2
    exit 1
}

has_target() {
    command -v rustc >/dev/null && [ -d "$(rustc --print sysroot)/lib/rustlib/$target/lib" ]
}

fetch_target() {
    command -v rustup >/dev/null || return 1
    echo "Installing the $target target (rustup)"
    rustup --quiet target add $target </dev/null
}

# An installed Rust is preferred to one that has to be downloaded.
choose() {
    case ${NUDGE_RUST:-} in
        rustup) has_target || fetch_target || return 1; way=rustup; return ;;
        debian) has_debian || fetch_debian || return 1; way=debian; return ;;
        '') ;;
        *) stop "NUDGE_RUST is rustup or debian, not '$NUDGE_RUST'." ;;
    esac
    if has_target; then way=rustup
    elif has_debian; then way=debian
    elif fetch_target; then way=rustup
    elif fetch_debian; then way=debian
    else return 1
    fi
}

scripts/need.sh cargo cc
choose || no_rust $target

build_folder=${CARGO_TARGET_DIR:-$PWD/target}/thumb/$way
# shellcheck disable=SC2034 # for the caller
built=$build_folder/$target/release

# Panics contain their file; the paths must not depend on the folder of the sources.
registry=${CARGO_HOME:-$HOME/.cargo}/registry/src
remap() {
    printf '%s' "--remap-path-prefix=$PWD/="
    for index in "$registry"/*/; do printf '\037%s' "--remap-path-prefix=$index="; done
    printf '\037%s' "--remap-path-prefix=$1/lib/rustlib/src/rust=rust"
}

# build VERB ARGUMENTS…: runs cargo with the selected Rust.
build() {
    verb=$1
    shift
    if [ "$way" = rustup ]; then
        flags=$(remap "$(rustc --print sysroot)")
        CARGO_ENCODED_RUSTFLAGS=$flags cargo "$verb" --locked --quiet \
            --manifest-path "$manifest" --target $target --target-dir "$build_folder" "$@"
    else
        if ! lld=$(linker ld.lld); then
            packages lld || true
            lld=$(linker ld.lld) ||
                stop "there is no LLVM linker: run \`sudo apt-get install lld\`, then try again."
        fi
        flags=$(remap "$(/usr/bin/rustc --print sysroot)")
        # -Zbuild-std is for nightly compilers only, unless this variable is set. /usr/bin comes
        # first because cargo searches there for the lints' driver.
        env -u RUSTUP_TOOLCHAIN PATH="/usr/bin:$PATH" RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 \
            CARGO_TARGET_THUMBV6M_NONE_EABI_LINKER="$lld" CARGO_ENCODED_RUSTFLAGS="$flags" \
            /usr/bin/cargo "$verb" --locked --quiet \
            --manifest-path "$manifest" --target $target -Zbuild-std=core \
            --target-dir "$build_folder" "$@"
    fi
}

# lint: checks formatting and lints.
lint() {
    cargo fmt --manifest-path "$manifest" --check
    if [ "$way" = debian ] && ! [ -x /usr/bin/cargo-clippy ]; then
        packages rust-web-clippy ||
            stop "there are no lints for Debian's Rust: run \`sudo apt-get install rust-web-clippy\`, then try again."
    fi
    # In the profile of the binary, so that procedural macros are compiled only once.
    build clippy --release -- -D warnings
}

# uf2 ELF UF2: converts a program, with a tool that is installed at the first call.
uf2() {
    uf2_tools=${CARGO_TARGET_DIR:-$PWD/target}/firmware/tools
    if ! [ -x "$uf2_tools/bin/elf2uf2-rs" ]; then
        echo "Installing elf2uf2-rs (cargo)"
        cargo install --quiet --locked --debug --no-default-features --root "$uf2_tools" \
            --target-dir "$uf2_tools/build" elf2uf2-rs@2.2.0
    fi
    rm -f "$2"
    "$uf2_tools/bin/elf2uf2-rs" "$1" "$2" >/dev/null
}
