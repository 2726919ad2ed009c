#!/bin/sh
# `make firmware`: builds the Pico's binary and the probe's as ELF and UF2 in target/firmware, and
# checks their budgets.
#   scripts/firmware.sh               the Pico's: build, convert, check the budgets
#   scripts/firmware.sh elf           the Pico's as ELF only, without the tool that converts it
#   scripts/firmware.sh lint          its formatting and lints
#   scripts/firmware.sh probe [lint]  the same for the probe's
#
# scripts/thumb.sh finds the Rust that builds it.
set -eu
cd "$(dirname "$0")/.."

out=${CARGO_TARGET_DIR:-$PWD/target}/firmware

# Budgets in bytes; see docs/budgets-pico.md and docs/budgets-probe.md.
if [ "${1:-}" = probe ]; then
    shift
    name=probe
    flash_budget=$((64 * 1024))
    ram_budget=$((248 * 1024))
else
    name=pico
    flash_budget=$((256 * 1024))
    ram_budget=$((64 * 1024))
fi
manifest=firmware-$name/Cargo.toml

who="make firmware"
. scripts/thumb.sh

if [ "${1:-}" = lint ]; then
    lint
    exit 0
fi

only_elf=
[ "${1:-}" != elf ] || only_elf=yes

build build --release
program=$built/nudge-$name
mkdir -p "$out"
elf=$out/nudge-$name.elf
uf2=$out/nudge-$name.uf2

if [ -n "$only_elf" ]; then
    if ! cmp -s "$program" "$elf"; then
        rm -f "$uf2"
        cp "$program" "$elf"
    fi
elif ! cmp -s "$program" "$elf" || ! [ -e "$uf2" ]; then
    uf2 "$program" "$uf2"
    cp "$program" "$elf"
fi

# The DMA must not read the flash: a read that misses the XIP cache takes 112 cycles in which no other
# channel reads (firmware-probe/src/sampler.rs). The probe's program runs from RAM: nothing but the
# second boot stage, the vectors that the boot ROM reads and the reset handler is in the flash. The
# Pico's program names no register of the DMA (0x50000000 to 0x50000FFF), so it has no DMA.
if [ "$name" = probe ]; then
    in_flash=$(readelf -sW "$elf" | awk '
        $2 ~ /^10/ && ($4 == "FUNC" || $4 == "OBJECT") { print $8 }' | grep -vE \
        '^(Reset|__pre_init|DefaultPreInit|HardFault_?|__RESET_VECTOR|__EXCEPTIONS|__INTERRUPTS|_ZN11nudge_probe5BOOT217h.*|_ZN11nudge_probe11binary_info.*|__Thumbv6MABSLongThunk_main)$' || true)
    [ -z "$in_flash" ] || stop "these parts of the probe's program are in the flash, not in RAM: $(echo $in_flash)"
else
    dma=$(readelf -x .text -x .rodata "$elf" | grep -cE ' [0-9a-f]{2}0[0-9a-f]0050 ' || true)
    [ "$dma" -eq 0 ] || stop "the Pico's program names a register of the DMA: what the DMA reads must not be in the flash."
fi

# picotool looks for the header of the binary information in the first 256 bytes after boot2.
info=$(readelf -x .boot_info "$elf" | sed -n 's/^ *0x\(100001[0-9a-f]*\) f2eb8871.*/\1/p')
[ -n "$info" ] || stop "picotool would not find the binary information of $elf."

# Prints the sizes of the sections in flash (contents, at run time or before it) and in RAM (by their
# addresses). The guard below the stack contains nothing.
readelf -SW "$elf" | sed -n 's/^ *\[ *[0-9]*\] *//p' | awk '
    function number(hex,    value, digit) {
        value = 0
        for (digit = 1; digit <= length(hex); digit++)
            value = 16 * value + index("0123456789abcdef", substr(hex, digit, 1)) - 1
        return value
    }
    # Name Type Addr Off Size ES Flg: loaded sections always have a name and flags.
    $7 ~ /A/ {
        if ($2 != "NOBITS") flash += number($5)
        if ($3 ~ /^2/ && $1 != ".stack_guard") ram += number($5)
    }
    END { print flash, ram }' >"$out/sizes-$name"
read -r flash ram <"$out/sizes-$name"

# within NAME BYTES BUDGET: checks a size against its budget.
within() {
    echo "$1: $2 bytes of $3 ($((100 * $2 / $3)) %)"
    [ "$2" -gt 0 ] || stop "no $1 was found in $elf."
    [ "$2" -le "$3" ] || stop "$1 is $(($2 - $3)) bytes over its budget (docs/budgets-$name.md)."
}
echo "$elf"
[ -n "$only_elf" ] || echo "$uf2"
within "flash" "$flash" $flash_budget
within "static RAM" "$ram" $ram_budget
