#!/bin/sh
# `make fuzz`: runs the targets of fuzz/ with coverage guidance, one after the other.
#   scripts/fuzz.sh [SECONDS [TARGET…]]     default: 60 seconds each of trace, formats and step
# Needs rustup's nightly compiler and a C++ compiler; installs cargo-fuzz if it is missing.
# Starts from fuzz/corpus and from the inputs that earlier runs saved in target/fuzz/corpus. A
# failing input is saved in fuzz/artifacts, and the exit code is 1.
set -eu
cd "$(dirname "$0")/.."

# stop CODE SENTENCE: prints the sentence, and ends the script.
stop() {
    echo "fuzz.sh: $2" >&2
    exit "$1"
}

seconds=${1:-60}
case $seconds in 0 | *[!0-9]*) stop 2 "\`$seconds\` is no number of seconds; give 60 or so" ;; esac
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- trace formats step
for name in "$@"; do
    [ -f "fuzz/fuzz_targets/$name.rs" ] ||
        stop 2 "\`$name\` is no target; there are trace, formats and step"
done

scripts/need.sh cargo cc
# libFuzzer is C++, and is compiled once.
{ command -v c++ || command -v g++ || command -v clang++; } >/dev/null ||
    stop 1 "there is no C++ compiler: install g++ or clang, then try again"
cargo +nightly --version >/dev/null 2>&1 ||
    stop 1 "there is no nightly compiler: run \`rustup toolchain install nightly --profile minimal\`, then try again"
cargo fuzz --version >/dev/null 2>&1 || cargo install --locked cargo-fuzz

target=${CARGO_TARGET_DIR:-target}
case $target in /*) ;; *) target=$PWD/$target ;; esac
export CARGO_TARGET_DIR="$target/fuzz"
failed=
for name in "$@"; do
    echo "== $name: $seconds s"
    mkdir -p "$CARGO_TARGET_DIR/corpus/$name"
    # Inputs that take too much time or memory are faults as well.
    cargo +nightly fuzz run "$name" "$CARGO_TARGET_DIR/corpus/$name" "fuzz/corpus/$name" -- \
        "-max_total_time=$seconds" -timeout=10 -rss_limit_mb=512 -max_len=16384 \
        -print_final_stats=1 || failed="$failed $name"
done
[ -z "$failed" ] || stop 1 "something was found by$failed; docs/fuzzing.md says how to go on"
