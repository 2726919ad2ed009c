#!/bin/sh
# Measures the maximum stack depth of the Pico's binary from power-on until it sleeps, by painting
# the stack in the emulator; fails above the budget. Needs the output of `make firmware`.
#   scripts/firmware-stack.sh [NUDGE]    NUDGE: the `nudge` that emulates, default: built by cargo
set -eu
cd "$(dirname "$0")/.."

# Budget in bytes; see docs/budgets-pico.md.
stack_budget=$((24 * 1024))
elf=${CARGO_TARGET_DIR:-$PWD/target}/firmware/nudge-pico.elf

# stop SENTENCE: reports what the user has to do, and ends the script.
stop() {
    echo "the stack: $1" >&2
    exit 1
}

[ -f "$elf" ] || stop "there is no $elf: run \`make firmware\`, then try again."

# The first frame is sent 0.4 s after power-on.
emulate() {
    if [ $# -gt 0 ]; then
        "$1" emulate "$elf" --until 2s
    else
        cargo run --locked --release --quiet -p simulator --no-default-features --bin nudge -- emulate "$elf" --until 2s
    fi
}

report=$(emulate "$@" 2>&1) || stop "the program does not run: $report"
depth=$(printf '%s\n' "$report" | sed -n 's/^ *stack  *\([0-9]*\) of .*/\1/p')
[ -n "$depth" ] || stop "\`nudge emulate\` does not say how deep it is: $report"
echo "stack: $depth bytes of $stack_budget ($((100 * depth / stack_budget)) %)"
[ "$depth" -le "$stack_budget" ] ||
    stop "it is $((depth - stack_budget)) bytes over its budget (docs/budgets-pico.md)."
