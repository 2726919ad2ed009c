#!/bin/sh
# Tests MicroPython in the emulator: starts its UF2 file with a pseudo-terminal at its USB serial
# port, and types a script, a blinking LED, a file in its flash, a reset, and the file again.
#   scripts/micropython.sh FILE.uf2
#
# The file is MicroPython's own for the Raspberry Pi Pico, from https://micropython.org. It is not
# part of the project. NUDGE names the command, by default target/debug/nudge.
set -eu
cd "$(dirname "$0")/.."

uf2=${1:?scripts/micropython.sh FILE.uf2}
nudge=${NUDGE:-${CARGO_TARGET_DIR:-$PWD/target}/debug/nudge}
folder=$(mktemp -d)
emulator=
reader=
trap 'kill $emulator $reader 2>/dev/null || true; rm -rf "$folder"' EXIT

fail() {
    echo "scripts/micropython.sh: $1" >&2
    cat "$folder/err" >&2
    cat "$folder/said" >&2 2>/dev/null || true
    exit 1
}

# Waits until the file $1 contains $2, for at most two minutes.
await() {
    tries=0
    until grep -q -- "$2" "$folder/$1" 2>/dev/null; do
        tries=$((tries + 1))
        [ "$tries" -lt 1200 ] || fail "no \"$2\""
        kill -0 "$emulator" 2>/dev/null || fail "the emulator has ended before \"$2\""
        sleep 0.1
    done
}

type_line() {
    printf '%s\r' "$1" >&3
}

"$nudge" emulate "$uf2" --pty --vcd "$folder/pins.vcd" >"$folder/out" 2>"$folder/err" &
emulator=$!
await err "USB serial port 0 is "
exec 3<>"$(sed -n 's/.*USB serial port 0 is //p' "$folder/err" | head -n 1)"
cat <&3 >"$folder/said" 2>/dev/null &
reader=$!

type_line ''
await said '>>> '
type_line 'import sys, os, time, machine'
type_line 'print("it", "is", sys.implementation.name, os.uname().release)'
await said 'it is micropython'
type_line 'print("sum", sum(n * n for n in range(1000)))'
await said 'sum 332833500'
type_line 'led = machine.Pin(25, machine.Pin.OUT)'
type_line '[(led.toggle(), time.sleep_ms(10)) and None for n in range(20)]; print("blinked", 20)'
await said 'blinked 20'
type_line 'file = open("kept.txt", "w"); file.write("over a " + "reset"); file.close()'
type_line 'print("written", os.listdir())'
await said "written .*kept.txt"
type_line 'machine.reset()'
await err 'the USB device is gone'
# The device connects again.
tries=0
until [ "$(grep -c 'nudge: USB device' "$folder/err")" -ge 2 ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 1200 ] || fail "the device does not come back"
    sleep 0.1
done
type_line ''
type_line 'print("found", open("kept.txt").read())'
await said 'found over a reset'

kill -INT "$emulator"
wait "$emulator" || fail "nudge ended with code $?"
emulator=
changes=$(awk '/\$var .* gpio25 /{ id = $4 } id != "" && $0 ~ "^[01]" && substr($0, 2) == id { n++ } END { print n + 0 }' "$folder/pins.vcd")
[ "$changes" -ge 20 ] || fail "GP25 has changed $changes times"
sed -n 's/^it is //p; s/^MicroPython.*/&/p' "$folder/said" | tr -d '\r' | sort -u
echo "GP25 has changed $changes times; the file is there after the reset"
