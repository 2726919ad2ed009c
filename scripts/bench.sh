#!/bin/sh
# `make bench`: the benchmarks, under the name of the machine that ran them.
set -eu
cd "$(dirname "$0")/.."

scripts/need.sh cargo cc pkg-config sdl2

cpu=$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
[ -n "$cpu" ] || cpu=$(sysctl -n machdep.cpu.brand_string 2>/dev/null || uname -m)
cores=$(getconf _NPROCESSORS_ONLN)
echo "On $(uname -n): $cpu, $cores cores, $(uname -sr), $(rustc --version)"
echo
cargo bench --locked -p benches
echo
exec scripts/bench-emulator.sh
