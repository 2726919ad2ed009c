#!/bin/sh
# What programs for the RP2040 do in `nudge emulate`, as a table for docs/emulator.md.
#   scripts/emulate-programs.sh FOLDER [SECONDS]
# FOLDER is searched for ELF files; each runs for so many seconds of virtual time (3), without anything on
# its pins. scripts/emulate-programs.txt has a line for a program, with these parts between `|`:
#   what it is to do
#   a text that its output is to have
#   the options of `nudge emulate` that it needs: wires that its source asks for, or more time
#   what else shows that it did so: `pin NAME COUNT`, so many changes of a pin; or `says TEXT`, in the report
# Programs that it does not name are in the table too. The build of the programs is not ours: for the
# Pico SDK's examples see their own README, with PICO_BOARD=pico.
#
# LIST is another such list: with scripts/emulate-programs-hal.txt, FOLDER has rp2040-hal's examples, each
# copied from cargo's folder as NAME.elf.
#
# NUDGE is the command to run, by default the one that cargo has built. Code 1 if a text is missing.
set -eu
folder=${1:?"scripts/emulate-programs.sh FOLDER [SECONDS]"}
seconds=${2:-3}
cd "$(dirname "$0")/.."
list=${LIST:-$PWD/scripts/emulate-programs.txt}
nudge=${NUDGE:-${CARGO_TARGET_DIR:-$PWD/target}/debug/nudge}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A cell of the table: one line without control characters and column marks, 90 characters at most.
cell() {
    tr '\n\r\t' '   ' | tr -d '\000-\037\177' | tr -s ' ' | sed 's/|/¦/g; s/`/'"'"'/g; s/^ //; s/ $//' | cut -c1-90
}

# How often the variable $1 of the waveform $2 changes after its first level.
changes() {
    awk -v name="$1" '
        $1 == "$var" && $5 == name { id = $4 }
        id != "" && /^[01xz]/ && substr($0, 2) == id { count++ }
        END { print (count > 1 ? count - 1 : 0) }' "$2"
}

# How the run ended, in few words.
ending() {
    if grep -aq '^nudge: its time is over' "$work/err"; then
        echo "goes on"
    elif grep -aq 'asked to end with code' "$work/err"; then
        grep -aom1 'code [0-9]*$' "$work/err"
    else
        grep -a '^nudge: ' "$work/err" | grep -avm1 'USB device' | sed 's/^nudge: //; s/0x[0-9a-f]* //' | cell
    fi
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
    shown=$(printf '%s' "$entry" | cut -d'|' -f5)
    pin=
    case $shown in
        pin\ *)
            pin=${shown#pin }
            least=${pin#* }
            pin=${pin%% *}
            ;;
    esac
    case $options in
        *--until*) set -- ;;
        *) set -- --until "${seconds}s" ;;
    esac
    # Words without quotes: options and their values.
    # shellcheck disable=SC2086
    set -- "$@" $options
    [ -z "$text" ] || set -- "$@" --expect "$text"
    [ -z "$pin" ] || set -- "$@" --vcd "$work/pins.vcd" --force
    code=0
    "$nudge" emulate "$file" "$@" > "$work/out" 2> "$work/err" < /dev/null || code=$?
    # The last words say more than the first ones, but a text that is expected says most.
    mark=
    words=$(tail -c 200 "$work/out" | cell)
    if [ -n "$text" ]; then
        if grep -aqF -- "$text" "$work/out"; then
            words=$(grep -aF -m1 -- "$text" "$work/out" | cell)
        else
            mark='**missing:** '
        fi
    fi
    [ -z "$words" ] || words="\`$words\`"
    if [ -n "$pin" ]; then
        changes=$(changes "$pin" "$work/pins.vcd")
        [ "$changes" -ge "$least" ] || mark='**missing:** '
        words="$words${words:+, }$changes changes of $pin"
    elif [ -n "$shown" ]; then
        grep -aqF -- "${shown#says }" "$work/err" || mark='**missing:** '
        words="$words${words:+, }\`$(grep -aF -m1 -- "${shown#says }" "$work/err" | sed 's/^nudge: //; s/0x[0-9a-f]*, cycle [0-9]*/…/' | cell)\`"
    fi
    [ -z "$mark" ] || missing=$((missing + 1))
    end=$(ending)
    more=$(grep -aoE 'polled ([A-Z0-9_]+\.[A-Z0-9_]+|the [A-Za-z0-9_]+( register)? 0x[0-9a-f]+)|^  [A-Za-z0-9_]+( [a-z]+)* is not modelled' "$work/err" |
        sort -u | sed 's/^  //' | head -4 | paste -sd ';' - | sed 's/;/; /g')
    [ -z "$more" ] || end="$end; $more"
    [ -z "$options" ] || purpose="$purpose (\`$options\`)"
    echo "| \`$name\` | $purpose | $mark$words | $end |"
done < "$work/files"
[ "$missing" -eq 0 ] || { echo "$missing programs did not send what they are to send" >&2; exit 1; }
