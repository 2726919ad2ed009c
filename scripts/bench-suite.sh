#!/bin/sh
# Measures how the time of `nudge replay` grows with its suite: whole two-player games in all four
# systems.
#   scripts/bench-suite.sh [COUNT…]     without counts: 10 100 1000 10000
# Prints wall time, processor time and peak memory. The games are generated in each run.
set -eu
cd "$(dirname "$0")/.."

scripts/need.sh cargo cc pkg-config sdl2 time
[ $# -gt 0 ] || set -- 10 100 1000 10000

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
target=${CARGO_TARGET_DIR:-target}
cargo build --locked --release --quiet --workspace --bin nudge --bin suite

# GNU time measures the peak memory of the command itself.
echo "traces  seconds  user seconds  peak kB"
for count in "$@"; do
    "$target/release/suite" "$count" "$folder/$count"
    /usr/bin/time -f "$count %e %U %M" -o "$folder/measured" \
        "$target/release/nudge" replay --no-cache --quiet "$folder/$count" >"$folder/said" ||
        { cat "$folder/said" >&2; exit 1; }
    read -r count seconds user peak <"$folder/measured"
    printf '%6s %8s %13s %8s\n' "$count" "$seconds" "$user" "$peak"
    rm -rf "${folder:?}/$count"
done
