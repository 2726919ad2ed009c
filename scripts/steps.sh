# shellcheck shell=sh
# Sourced by `make check` and `make test`: numbered steps that stop at the first failure. Before,
# they set
#   who     their name, for what they say
#   steps   how many steps there are
#
# shellcheck disable=SC2154 # both are set by the caller

number=0
began=$(date +%s)

# step TITLE COMMAND…: says what runs, runs it, says what failed.
step() {
    number=$((number + 1))
    title=$1
    shift
    echo
    echo "== $number/$steps $title: $*"
    started=$(date +%s)
    if ! "$@"; then
        echo "== $who FAILED at $number/$steps, $title: $*" >&2
        exit 1
    fi
    echo "== $number/$steps passed in $(($(date +%s) - started)) s"
}

# passed: the last line, and a check that the steps were counted right.
passed() {
    echo
    if [ "$number" -ne "$steps" ]; then
        echo "== $who FAILED: $number steps ran, and there are $steps" >&2
        exit 1
    fi
    echo "== $who: all $steps passed in $(($(date +%s) - began)) s"
}

# component COMMAND NAME: a part of the Rust toolchain that minimal installations leave out.
component() {
    cargo "$1" --version >/dev/null 2>&1 && return
    if command -v rustup >/dev/null && rustup component add "$2"; then return; fi
    echo "$who needs $2, a component of the Rust toolchain: run \`rustup component add $2\`, then try again." >&2
    exit 1
}
