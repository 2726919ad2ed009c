#!/bin/sh
# What programs for the RP2040 do in `nudge emulate`, as a table for docs/emulator.md.
#   scripts/emulate-programs.sh FOLDER [SECONDS]
# FOLDER is searched for ELF files; each runs for so many seconds of virtual time (3), without anything on
# its pins. scripts/emulate-programs.txt says what a program is to do, a text that its output is to have, and
# the options of `nudge emulate` that it needs: wires that its source asks for, or more time. Programs that
# it does not name are in the table too. The build of the programs is not ours: for the
# Pico SDK's examples see their own README, with PICO_BOARD=pico.
#
# NUDGE is the command to run, by default the one that cargo has built. Code 1 if a text is missing.
set -eu
folder=${1:?"scripts/emulate-programs.sh FOLDER [SECONDS]"}
seconds=${2:-3}
cd "$(dirname "$0")/.."
list=$PWD/scripts/emulate-programs.txt
nudge=${NUDGE:-${CARGO_TARGET_DIR:-$PWD/target}/debug/nudge}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A cell of the table: one line without control characters and column marks, 90 characters at most.
cell() {
    tr '\n\r\t' '   ' | tr -d '\000-\037\177' | tr -s ' ' | sed 's/|/¦/g; s/`/'"'"'/g; s/^ //; s/ $//' | cut -c1-90
}

echo "| program | is to | its output | its end |"
echo "|---|---|---|---|"
missing=0
find "$folder" -name '*.elf' -type f ! -path '*CMakeFiles*' ! -name 'bs2_default.elf' | sort > "$work/files"
while read -r file; do
    name=$(basename "$file" .elf)
    entry=$(grep "^$name|" "$list" || true)
    purpose=$(printf '%s' "$entry" | cut -d'|' -f2)
    text=$(printf '%s' "$entry" | cut -d'|' -f3)
    options=$(printf '%s' "$entry" | cut -d'|' -f4)
    case $options in
        *--until*) set -- ;;
        *) set -- --until "${seconds}s" ;;
    esac
    # Words without quotes: options and their values.
    # shellcheck disable=SC2086
    set -- "$@" $options
    [ -z "$text" ] || set -- "$@" --expect "$text"
    code=0
    "$nudge" emulate "$file" "$@" > "$work/out" 2> "$work/err" < /dev/null || code=$?
    # The last words say more than the first ones, but a text that is expected says most.
    if [ -z "$text" ]; then
        mark=
        words=$(tail -c 200 "$work/out" | cell)
    elif grep -aqF -- "$text" "$work/out"; then
        mark=
        words=$(grep -aF -m1 -- "$text" "$work/out" | cell)
    else
        mark='**missing:** '
        missing=$((missing + 1))
        words=$(tail -c 200 "$work/out" | cell)
    fi
    end=$(grep -am1 '^nudge: ' "$work/err" | sed 's/^nudge: //; s/0x[0-9a-f]* //' | cell)
    more=$(grep -aoE 'polled the [A-Za-z0-9_]+( register)? 0x[0-9a-f]+|^  [A-Za-z0-9_]+( [a-z]+)* is not modelled' "$work/err" |
        sort -u | sed 's/^  //' | head -4 | paste -sd ';' - | sed 's/;/; /g')
    [ -z "$more" ] || end="$end; $more"
    [ -z "$words" ] || words="\`$words\`"
    [ -z "$options" ] || purpose="$purpose (\`$options\`)"
    echo "| \`$name\` | $purpose | $mark$words | $code: $end |"
done < "$work/files"
[ "$missing" -eq 0 ] || { echo "$missing programs did not send what they are to send" >&2; exit 1; }
