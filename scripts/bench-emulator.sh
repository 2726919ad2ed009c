#!/bin/bash
# The emulator beside rp2040js and qemu: the same ELF files, one machine at a time on one core.
#   scripts/bench-emulator.sh
#
# The programs run from RAM at the same addresses on all of them and end with SYS_EXIT; qemu's
# machine is the micro:bit, a Cortex-M0 with the same instructions, because it has no RP2040. The
# times are processor time, the least of three runs, without what one round takes.
# rp2040js gets a tenth of the rounds. qemu counts no cycles.
# bash and not sh: its `time` tells the processor time of one command.
set -eu
cd "$(dirname "$0")/.."

scripts/need.sh cargo cc

rp2040js=1.4.1
repeats=3
millions=300

target=${CARGO_TARGET_DIR:-$PWD/target}
out=$target/bench-emulator
mkdir -p "$out/full" "$out/tenth" "$out/once"

cargo build --release --locked --quiet -p rp2040-emulator --example busy
busy=$target/release/examples/busy
names=$("$busy" write "$out/full" $millions)
"$busy" write "$out/tenth" $((millions / 10)) >/dev/null
"$busy" write "$out/once" 0 >/dev/null

one_core=
! command -v taskset >/dev/null || one_core="taskset -c 0"

# seconds COMMAND…: the least processor time, user and system, of a few runs.
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

js() { seconds node rp2040-emulator/benches/rp2040js/run.mjs "$out/npm" "$@"; }
qemu() {
    seconds qemu-system-arm -M microbit -display none -monitor none -serial none \
        -semihosting-config enable=on,target=native -device "loader,cpu-num=0,file=$1"
}

echo "Million instructions a second; behind them, how many times as fast as a chip at 125 MHz."
printf '%-10s %16s %16s %10s %12s %12s\n' program "this chip" rp2040js qemu "/ rp2040js" "/ qemu"
for name in $names; do
    ours=$(seconds "$busy" run "$out/full/$name.elf")
    read -r instructions cycles <"$out/said"
    ours_once=$(seconds "$busy" run "$out/once/$name.elf")
    js=0 js_once=0 tenth=0 qemu=0 qemu_once=0
    if [ -n "$have_js" ]; then
        js=$(js "$out/tenth/$name.elf")
        tenth=$(cat "$out/said")
        js_once=$(js "$out/once/$name.elf")
    fi
    if [ -n "$have_qemu" ]; then
        qemu=$(qemu "$out/full/$name.elf")
        qemu_once=$(qemu "$out/once/$name.elf")
    fi
    awk -v name="$name" -v n="$instructions" -v cycles="$cycles" -v tenth="$tenth" \
        -v ours="$ours" -v ours_once="$ours_once" -v js="$js" -v js_once="$js_once" \
        -v qemu="$qemu" -v qemu_once="$qemu_once" '
        function speed(count, all, once) { return all > once ? count / (all - once) / 1e6 : 0 }
        function ratio(a, b) { return b > 0 ? sprintf("%.2f", a / b) : "-" }
        BEGIN {
            a = speed(n, ours, ours_once); b = speed(tenth, js, js_once)
            c = speed(n, qemu, qemu_once); real = cycles / n / 125
            printf "%-10s %8.0f (%4.1f) %9.1f (%4.2f) %10.0f %12s %12s\n",
                name, a, a * real, b, b * real, c, ratio(a, b), ratio(a, c)
        }'
done

echo
echo "The whole chip, as times its own clock of 125 MHz:"
# real NAME MILLISECONDS COMMAND…
real() {
    awk -v name="$1" -v ms="$2" -v s="$(seconds "${@:3}")" \
        'BEGIN { printf "%-52s %5.1f\n", name, ms / 1000 / s }'
}
real "a busy core, and DMA to SPI at 31.25 MHz" 1000 "$busy" dma 1000
elf=$target/firmware/nudge-pico.elf
if [ -e "$elf" ]; then
    real "nudge-pico.elf: its start and first picture, 300 ms" 300 "$busy" run "$elf" 300
else
    echo "nudge-pico.elf is left out: run \`make firmware\`."
fi
