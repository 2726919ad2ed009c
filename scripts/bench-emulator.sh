#!/bin/bash
# Compares the emulator with rp2040js and qemu: the same ELF files, one machine at a time on one
# core.
#   scripts/bench-emulator.sh
#   BEFORE=REV scripts/bench-emulator.sh    also the commit REV, built in a separate work tree
#   REPEATS=N MILLIONS=N POLL_MS=N          smaller numbers for a quick measurement
#
# The programs run from RAM at the same addresses on all machines and end with SYS_EXIT. qemu's
# machine is the micro:bit, a Cortex-M0 with the same instructions, because qemu has no RP2040. The
# times are processor time, the minimum of three runs, without the time of one round; the Pico's
# without the time to load its file. rp2040js runs a tenth of the rounds. qemu counts no cycles.
# Programs that wait in loops for a register do not end: rp2040js runs them for a hundredth of the
# chip's time. The script needs bash, whose `time` measures the processor time of a single command.
set -eu
cd "$(dirname "$0")/.."

scripts/need.sh cargo cc

rp2040js=1.4.1
repeats=${REPEATS:-3}
millions=${MILLIONS:-300}
# Milliseconds of the chip's time for which a polling program runs.
poll_ms=${POLL_MS:-20000}
before=${BEFORE:-}

target=${CARGO_TARGET_DIR:-$PWD/target}
out=$target/bench-emulator
mkdir -p "$out/full" "$out/tenth" "$out/once"

cargo build --release --locked --quiet -p rp2040-emulator --example busy
busy=$target/release/examples/busy
names=$("$busy" write "$out/full" $millions)
"$busy" write "$out/tenth" $((millions / 10)) >/dev/null
"$busy" write "$out/once" 0 >/dev/null

if [ -n "$before" ]; then
    tree=$out/before
    git worktree remove --force "$tree" 2>/dev/null || rm -rf "$tree"
    git worktree prune
    git worktree add --quiet --detach "$tree" "$before"
    trap 'git worktree remove --force "$tree"' EXIT
    (cd "$tree" && CARGO_TARGET_DIR=$out/target-before cargo build --release --locked --quiet \
        -p rp2040-emulator --example busy)
    busy_before=$out/target-before/release/examples/busy
    echo "before: $(git log -1 --format='%h %s' "$before")"
fi

one_core=
! command -v taskset >/dev/null || one_core="taskset -c 0"

# seconds COMMAND…: prints the minimum processor time, user and system, of several runs.
seconds() {
    local TIMEFORMAT='%U %S'
    for _ in $(seq $repeats); do
        { time $one_core "$@" </dev/null >"$out/said" 2>"$out/errors"; } 2>&1
    done | awk 'NR == 1 || $1 + $2 < least { least = $1 + $2 } END { print least }'
}

have_js=
if command -v npm >/dev/null; then
    npm install --silent --no-audit --no-fund --prefix "$out/npm" rp2040js@$rp2040js >/dev/null &&
        have_js=yes
fi
[ -n "$have_js" ] || echo "rp2040js is left out: it needs node and npm."
have_qemu=
! command -v qemu-system-arm >/dev/null || have_qemu=yes
[ -n "$have_qemu" ] || echo "qemu is left out: apt-get install qemu-system-arm."

js() { seconds node benches/rp2040js/run.mjs "$out/npm" "$@"; }
qemu() {
    seconds qemu-system-arm -M microbit -display none -monitor none -serial none \
        -semihosting-config enable=on,target=native -device "loader,cpu-num=0,file=$1"
}

echo "Million instructions a second; behind them, how many times as fast as a chip at 125 MHz."
printf '%-10s %16s %16s %10s %10s %12s %12s %10s\n' \
    program "this chip" rp2040js qemu before "/ rp2040js" "/ qemu" "/ before"
for name in $names; do
    ours=$(seconds "$busy" run "$out/full/$name.elf")
    read -r instructions cycles <"$out/said"
    ours_once=$(seconds "$busy" run "$out/once/$name.elf")
    js=0 js_once=0 tenth=0 qemu=0 qemu_once=0 old=0 old_once=0
    if [ -n "$have_js" ]; then
        js=$(js "$out/tenth/$name.elf")
        tenth=$(cat "$out/said")
        js_once=$(js "$out/once/$name.elf")
    fi
    if [ -n "$have_qemu" ]; then
        qemu=$(qemu "$out/full/$name.elf")
        qemu_once=$(qemu "$out/once/$name.elf")
    fi
    if [ -n "$before" ]; then
        old=$(seconds "$busy_before" run "$out/full/$name.elf")
        old_once=$(seconds "$busy_before" run "$out/once/$name.elf")
    fi
    awk -v name="$name" -v n="$instructions" -v cycles="$cycles" -v tenth="$tenth" \
        -v ours="$ours" -v ours_once="$ours_once" -v js="$js" -v js_once="$js_once" \
        -v qemu="$qemu" -v qemu_once="$qemu_once" -v old="$old" -v old_once="$old_once" '
        function speed(count, all, once) { return all > once ? count / (all - once) / 1e6 : 0 }
        function ratio(a, b) { return b > 0 ? sprintf("%.2f", a / b) : "-" }
        BEGIN {
            a = speed(n, ours, ours_once); b = speed(tenth, js, js_once)
            c = speed(n, qemu, qemu_once); d = speed(n, old, old_once); real = cycles / n / 125
            printf "%-10s %8.0f (%4.1f) %9.1f (%4.2f) %10.0f %10.0f %12s %12s %10s\n",
                name, a, a * real, b, b * real, c, d, ratio(a, b), ratio(a, c), ratio(a, d)
        }'
done

# The file whose loading time is subtracted, if any.
loaded=
# compare NAME MILLISECONDS [JS_SECONDS JS_MILLISECONDS] -- ARGUMENTS OF busy…
compare() {
    local name=$1 ms=$2 js=0 js_ms=1 old=0
    shift 2
    if [ "$1" != -- ]; then
        js=$1 js_ms=$2
        shift 2
    fi
    shift
    ours=$(seconds "$busy" "$@")
    if [ -n "$before" ]; then
        old=$(seconds "$busy_before" "$@")
    fi
    local load=0 load_old=0
    if [ -n "$loaded" ]; then
        load=$(seconds "$busy" run "$loaded" 0)
        [ -z "$before" ] || load_old=$(seconds "$busy_before" run "$loaded" 0)
    fi
    awk -v name="$name" -v ms="$ms" -v ours="$ours" -v js="$js" -v js_ms="$js_ms" -v old="$old" \
        -v load="$load" -v load_old="$load_old" '
        function speed(ms, s) { return s > 0 ? ms / 1000 / s : 0 }
        function ratio(a, b) { return b > 0 ? sprintf("%.1f", a / b) : "-" }
        BEGIN {
            ours -= load; old -= load_old
            # A run too short to be measured took less than a hundredth of a second.
            a = speed(ms, ours > 0 ? ours : 0.01); b = speed(js_ms, js); c = speed(ms, old)
            printf "%-52s %10.1f %10.2f %10.1f %12s %10s\n",
                name, a, b, c, ratio(a, b), ratio(a, c)
        }'
}

echo
echo "The whole chip, as times its own clock of 125 MHz:"
printf '%-52s %10s %10s %10s %12s %10s\n' program "this chip" rp2040js before "/ rp2040js" "/ before"
for name in timer gpio; do
    js="0 1"
    if [ -n "$have_js" ]; then
        js_ms=$((poll_ms / 100))
        js="$(js "$out/once/poll-$name.elf" $js_ms) $js_ms"
    fi
    # shellcheck disable=SC2086 # two words
    compare "it waits for the $name in a loop" "$poll_ms" $js -- \
        run "$out/once/poll-$name.elf" "$poll_ms"
done
compare "core 0 waits for the timer, core 1 for a pin" "$poll_ms" -- \
    run "$out/once/poll-both.elf" "$poll_ms"
compare "a busy core, and DMA to SPI at 31.25 MHz" $((poll_ms / 20)) -- dma $((poll_ms / 20))
elf=$target/firmware/nudge-pico.elf
if [ -e "$elf" ]; then
    loaded=$elf
    compare "nudge-pico.elf: its start and first picture, 300 ms" 300 -- run "$elf" 300
else
    echo "nudge-pico.elf is left out: run \`make firmware\`."
fi
