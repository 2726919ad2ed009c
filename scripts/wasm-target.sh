# shellcheck shell=sh
# Sourced by the scripts that compile for WebAssembly: sets $target, and fetches a Rust for it with
# rustup if there is none. Before, they set
#   who   their name, for what they say
#
# shellcheck disable=SC2154 # who is set by the caller

target=wasm32-unknown-unknown
scripts/need.sh cargo cc
if ! [ -d "$(rustc --print sysroot)/lib/rustlib/$target/lib" ]; then
    echo "Installing the $target target (rustup)"
    { command -v rustup >/dev/null && rustup --quiet target add $target </dev/null; } || {
        echo "$who: there is no Rust for $target: run \`rustup target add $target\`, then try again." >&2
        exit 1
    }
fi
