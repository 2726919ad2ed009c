#!/bin/sh
# Makes the table of docs/emulator.md: the behaviour of programs for the RP2040 in `nudge emulate`.
#   scripts/emulate-programs.sh FOLDER [SECONDS]
# FOLDER is searched for programs: NAME.elf, NAME.uf2, NAME.hex or NAME.bin (a raw image of the
# flash), the first of these if there are several. Each runs for SECONDS of virtual time, 3 by
# default, without anything connected to its pins. scripts/emulate-programs.txt has one line per
# program with these parts, separated by `|`:
#   its NAME
#   its expected behaviour
#   a text that its output must contain
#   the options of `nudge emulate` that it needs: wires that its source requires, typed input or presses (files
#   of scripts/emulate-programs), or more time
#   further evidence of its behaviour, separated by `;`:
#     pin NAME COUNT   COUNT changes of a pin
#     says TEXT        in the report
#     bus TEXT         in the traffic of SPI and I2C, as --log-bus writes it
# A line without a check is an error. Programs that the list does not name are in the table too. The
# programs are built elsewhere: for the Pico SDK's examples see their own README, with
# PICO_BOARD=pico.
#
# LIST names another list of the same form:
#   scripts/emulate-programs-hal.txt   rp2040-hal's examples, each copied from cargo's folder as NAME.elf
#   scripts/emulate-programs-uf2.txt   UF2 files of other projects, most of them with USB
#
# NUDGE is the command to run, by default the one that cargo has built. The exit code is 1 if a
# program does not send or do what the list expects; 2 if the list is wrong, or FOLDER has no
# program.
set -eu
folder=${1:?"scripts/emulate-programs.sh FOLDER [SECONDS]"}
seconds=${2:-3}
folder=$(cd "$folder" && pwd)
cd "$(dirname "$0")/.."
list=${LIST:-scripts/emulate-programs.txt}
nudge=${NUDGE:-${CARGO_TARGET_DIR:-$PWD/target}/debug/nudge}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

stop() {
    echo "scripts/emulate-programs.sh: $1" >&2
    exit 2
}

# Checks that every line of the list has a check, and that each check is known.
awk -F'|' '
    function wrong(what) { print "line " NR ": " what; bad = 1 }
    NF < 3 || $1 == "" { wrong("it is not NAME|PURPOSE|TEXT|OPTIONS|CHECKS"); next }
    seen[$1]++ { wrong($1 " is there twice") }
    $3 == "" && $5 == "" { wrong($1 " checks nothing: it would pass whatever it did") }
    $5 != "" {
        count = split($5, checks, ";")
        for (k = 1; k <= count; k++)
            if (checks[k] !~ /^(pin gpio[0-9]+ [1-9][0-9]*|(says|bus) .+)$/)
                wrong($1 " has the check \"" checks[k] "\"; there are: pin NAME COUNT, says TEXT, bus TEXT")
    }
    END { exit bad }' "$list" > "$work/wrong" || stop "$list, $(cat "$work/wrong")"

# Prints a cell of the table: one line without control characters and column separators, at most 90
# characters.
cell() {
    tr '\n\r\t' '   ' | tr -d '\000-\037\177' | tr -s ' ' | sed 's/|/¦/g; s/`/'"'"'/g; s/^ //; s/ $//' | cut -c1-90
}

# Prints how often the variable $1 of the waveform $2 changes after its first level.
changes() {
    awk -v name="$1" '
        $1 == "$var" && $5 == name { id = $4 }
        id != "" && /^[01xz]/ && substr($0, 2) == id { count++ }
        END { print (count > 1 ? count - 1 : 0) }' "$2"
}

# Prints the end of the run in a few words.
ending() {
    if grep -aq '^nudge: its time is over' "$work/err"; then
        echo "goes on"
    elif grep -aq 'asked to end with code' "$work/err"; then
        grep -aom1 'code [0-9]*$' "$work/err"
    else
        grep -a '^nudge: ' "$work/err" | grep -avm1 'USB device' | sed 's/^nudge: //; s/0x[0-9a-f]* //' | cell
    fi
}

# Adds a result to those of the program.
shows() {
    words="$words${words:+${1:+, }}$1"
}

# Prints the line of the file $2 that contains the text $1, as the table shows it.
line_with() {
    found=$(grep -aF -m1 -- "$1" "$2" | sed 's/^nudge: //; s/^ *[0-9]* \([SI][P2][IC]\)/\1/; s/0x[0-9a-f]*, cycle [0-9]*/…/' | cell)
    [ -z "$found" ] || found="\`$found\`"
    shows "$found"
}

# Evaluates the check $1 of a program that has run.
check() {
    case $1 in
        pin\ *)
            pin=${1#pin }
            found=$(changes "${pin% *}" "$work/pins.vcd")
            [ "$found" -ge "${pin#* }" ] || mark='**missing:** '
            shows "$found changes of ${pin% *}"
            ;;
        says\ *)
            grep -aqF -- "${1#says }" "$work/err" || mark='**missing:** '
            line_with "${1#says }" "$work/err"
            ;;
        bus\ *)
            grep -qF -- "${1#bus }" "$work/bus.txt" || mark='**missing:** '
            line_with "${1#bus }" "$work/bus.txt"
            ;;
    esac
}

# If a program has several kinds of files, the first kind in this order is used.
find "$folder" \( -name '*.elf' -o -name '*.uf2' -o -name '*.hex' -o -name '*.bin' \) -type f \
    ! -path '*CMakeFiles*' ! -name 'bs2_default*' | sort | awk '
    {
        kind = $0
        sub(/.*\./, "", kind)
        stem = substr($0, 1, length($0) - length(kind) - 1)
        rank = index("elf uf2 hex bin", kind)
        if (!(stem in best)) order[++count] = stem
        if (!(stem in best) || rank < best[stem]) { best[stem] = rank; file[stem] = $0 }
    }
    END { for (k = 1; k <= count; k++) print file[order[k]] }' > "$work/files"
[ -s "$work/files" ] || stop "there is no program in $folder"

echo "| program | is to | its output | its end |"
echo "|---|---|---|---|"
missing=0
: > "$work/names"
while read -r file; do
    name=$(basename "$file")
    name=${name%.*}
    echo "$name" >> "$work/names"
    entry=$(awk -F'|' -v name="$name" '$1 == name' "$list")
    purpose=$(printf '%s' "$entry" | cut -d'|' -f2)
    text=$(printf '%s' "$entry" | cut -d'|' -f3)
    options=$(printf '%s' "$entry" | cut -d'|' -f4)
    checks=$(printf '%s' "$entry" | cut -d'|' -f5)
    case $options in
        *--until*) set -- ;;
        *) set -- --until "${seconds}s" ;;
    esac
    # Words without quotes: options and their values.
    # shellcheck disable=SC2086
    set -- "$@" $options
    [ -z "$text" ] || set -- "$@" --expect "$text"
    rm -f "$work/pins.vcd" "$work/bus.txt"
    case ";$checks" in *';pin '*) set -- "$@" --vcd "$work/pins.vcd" ;; esac
    case ";$checks" in *';bus '*) set -- "$@" --log-bus "$work/bus.txt" ;; esac
    "$nudge" emulate "$file" "$@" > "$work/out" 2> "$work/err" < /dev/null || true
    : >> "$work/pins.vcd"
    : >> "$work/bus.txt"
    # The last words are more informative than the first ones, but an expected text is preferred.
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
    while [ -n "$checks" ]; do
        check "${checks%%;*}"
        case $checks in
            *\;*) checks=${checks#*;} ;;
            *) checks= ;;
        esac
    done
    [ -z "$mark" ] || missing=$((missing + 1))
    end=$(ending)
    more=$(grep -aoE 'polled ([A-Z0-9_]+\.[A-Z0-9_]+|the [A-Za-z0-9_]+( register)? 0x[0-9a-f]+)|^  [A-Za-z0-9_]+( [a-z]+)* is not modelled' "$work/err" |
        sort -u | sed 's/^  //' | head -4 | paste -sd ';' - | sed 's/;/; /g')
    [ -z "$more" ] || end="$end; $more"
    [ -z "$options" ] || purpose="$purpose (\`$options\`)"
    echo "| \`$name\` | $purpose | $mark$words | $end |"
done < "$work/files"
absent=$(cut -d'|' -f1 "$list" | grep -vxF -f "$work/names" | paste -sd ' ' - || true)
[ -z "$absent" ] || echo "of $list there are not: $absent" >&2
[ "$missing" -eq 0 ] || { echo "$missing programs did not do what they are to do" >&2; exit 1; }
