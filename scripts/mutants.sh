#!/bin/sh
# `make mutants`: changes the expressions of the sources one after the other, deletes assignments to
# state, calls on `self` and sides of `&&` and `||`, and checks whether a trace or a test fails. Continues an interrupted run. All mutants are in one build, each with a
# switch (tests/mutants). Mutants that cannot be switched, because the compiler evaluates their
# code, are built separately.
#   scripts/mutants.sh [firmware|verdict]… [OPTION]…     without an area: firmware
# --shard K/N      only every Nth mutant, beginning with the Kth (0 to N-1)
# --in-diff FILE   only mutants in lines that the unified diff FILE adds or changes
# --again          judges missed mutants again: after tests were written
# --only-tests     skips the traces for mutants that they have missed before: after only tests were written
# --fresh          judges all mutants again whose outcome is of other sources, traces or tests than the current ones:
#                  a removed test catches nothing any more
# --traces         only the traces: mutants that they miss are not judged by the tests
# --quick          only the traces and the tests of the mutated crates, not the slow ones of tests/, which may still
#                  catch a missed mutant
# --state          only deleted assignments, calls and sides, which cargo-mutants does not make
# --switched       only mutants that can be switched: no separate builds
# --built          only mutants that cannot be switched: with --shard a sample of them
# --jobs N         judges N mutants at once, by default 1
# --seconds N      limits the traces of a mutant to N seconds of the processor, as recorded, and skips tests that take
#                  longer: first the quick ones, later the long ones with --again
# --table          only prints the table of the results so far
# Results: target/mutants/AREA.tsv (one line per mutant) and a table. The exit code is 1 if a mutant
# of this run was missed and tests/mutants/explained.tsv does not contain a reason. Installs
# cargo-mutants into target/tools if it is missing.
set -eu
cd "$(dirname "$0")/.."

# stop CODE SENTENCE: prints the sentence, and ends the script.
stop() {
    echo "mutants.sh: $2" >&2
    exit "$1"
}

areas='' shard='' diff='' again='' fresh='' only_tests='' only_traces='' only_table='' quick='' state_only='' switched='' built='' jobs=1 seconds=''
while [ $# -gt 0 ]; do
    case $1 in
        firmware | verdict) areas="$areas $1" ;;
        --shard | --in-diff | --jobs | --seconds)
            [ $# -ge 2 ] || stop 2 "$1 needs a value"
            case $1 in
                --shard) shard=$2 ;;
                --in-diff) diff=$2 ;;
                --jobs) jobs=$2 ;;
                --seconds) seconds=$2 ;;
            esac
            shift ;;
        --state) state_only=yes ;;
        --switched) switched=yes ;;
        --built) built=yes ;;
        --again) again=yes ;;
        --fresh) fresh=yes ;;
        --only-tests) only_tests=yes ;;
        --traces) only_traces=yes ;;
        --quick) quick=yes ;;
        --table) only_table=yes ;;
        *) stop 2 "\`$1\` is no area and no option; the head of scripts/mutants.sh lists them" ;;
    esac
    shift
done
[ -n "$areas" ] || areas=firmware
[ -z "$switched" ] || [ -z "$built" ] || stop 2 "--switched and --built leave nothing to judge"
case $shard in
    "") shard=0/1 ;;
    [0-9]*/[1-9]*) [ "${shard%/*}" -lt "${shard#*/}" ] || stop 2 "--shard counts from 0: 0/4 to 3/4" ;;
    *) stop 2 "--shard is a number and how many there are, like 0/4" ;;
esac
[ -z "$diff" ] || [ -f "$diff" ] || stop 2 "there is no file $diff"

target=${CARGO_TARGET_DIR:-$PWD/target}
case $target in /*) ;; *) target=$PWD/$target ;; esac
results=$target/mutants
tree=$results/tree
PATH=$PATH:$target/tools/bin
mkdir -p "$results"

# select_area AREA: sets the packages and files to mutate, their folders, and the packages whose
# tests judge them, the fastest first: a mutant that one notices is not passed to the next.
select_area() {
    case $1 in
        firmware)
            packages="-p firmware-core"
            files=
            folders=firmware-core/src
            tests="firmware-core nudge-tests" ;;
        verdict)
            packages="-p hal-mock -p trace -p reading -p ili9341-model -p runner -p firmware-insight"
            folders="hal-mock/src crates/trace/trace/src crates/trace/reading/src crates/board/ili9341-model/src crates/suite/runner/src crates/ask/firmware-insight/src"
            files="-f hal-mock/src/replay.rs -f hal-mock/src/replay/**
                -f crates/trace/reading/src/golden.rs -f crates/trace/reading/src/golden/** -f crates/trace/trace/src/frame_rules.rs
                -f crates/trace/reading/src/text.rs -f crates/trace/reading/src/text/**
                -f crates/trace/trace/src/budget.rs -f crates/trace/trace/src/frame_check.rs
                -f crates/trace/trace/src/text_check.rs
                -f crates/board/ili9341-model/src/lint.rs -f crates/board/ili9341-model/src/decode.rs
                -f crates/board/ili9341-model/src/lib.rs
                -f crates/suite/runner/src/case.rs -f crates/suite/runner/src/case/**
                -f crates/suite/runner/src/notice.rs
                -f crates/ask/firmware-insight/src/rules/stones.rs
                -f crates/ask/firmware-insight/src/rules/reset.rs"
            tests="ili9341-model trace reading hal-mock runner firmware-insight simulator nudge-tests" ;;
    esac
    [ -z "$quick" ] || tests=${tests% nudge-tests} tests=${tests% simulator}
}

# A mutant that was missed and is in this file, with a fragment of the source that covers its line, changes nothing
# that anyone can notice.
explained=tests/mutants/explained.tsv

# The files of the checkout, and a checksum of the sources, traces and tests among them, which is
# stored with each outcome.
git ls-files --deleted >"$results/deleted"
git ls-files --cached --others --exclude-standard | grep -vxFf "$results/deleted" >"$results/files"
state=$(grep -E '^(firmware-core|hal-mock|crates|simulator|tests)/' "$results/files" | grep -vxF "$explained" |
    LC_ALL=C sort | xargs cat | cksum | cut -d' ' -f1)

# list_mutants AREA OPTION…: lists mutants as cargo-mutants does.
list_mutants() {
    select_area "$1"
    shift
    set -f
    # shellcheck disable=SC2086 # the packages are separate words
    cargo mutants --list --config "$PWD/.cargo/mutants.toml" $packages $files "$@"
    set +f
}

# own_files AREA: lists the files of the area in which tests/mutants finds further mutants, those
# that cargo-mutants examines, without files of tests.
own_files() {
    select_area "$1"
    # shellcheck disable=SC2086 # the folders are separate words
    find $folders -name '*.rs' ! -name tests.rs ! -path '*/tests/*' ! -name '*_tests.rs' \
        ! -path firmware-core/src/game/rules/perft.rs ! -path firmware-core/src/storage/chip.rs ! -path hal-mock/src/replay/fake.rs |
        LC_ALL=C sort | while read -r file; do
        set -f
        is_wanted=${files:-yes}
        for pattern in $files; do
            # shellcheck disable=SC2254 # it is a pattern
            case $file in $pattern) is_wanted=yes ;; esac
        done
        set +f
        [ "$is_wanted" != yes ] || echo "$file"
    done
}

# list_all AREA: lists the names of all mutants, with --in-diff those of the diff's lines.
list_all() {
    own_files "$1" >"$results/$1.own"
    echo '[]' >"$results/none.json"
    [ -n "$state_only" ] || list_mutants "$1" ${2:+--in-diff "$2"}
    "$target/tools/build/debug/mutants" --checkout "$PWD" --list "$results/none.json" --own "$results/$1.own" \
        --only-names | if [ -n "${2:-}" ]; then awk -f scripts/mutants-in-diff.awk "$2" -; else cat; fi
}

# outcomes AREA: prints the outcomes of the current mutants, `OUTCOME<tab>MUTANT<tab>STATE` per
# line, with `explained` instead of `missed` for explained ones.
outcomes() {
    awk -F '\t' -f scripts/mutants-outcomes.awk "$explained" "$results/$1.list" "$results/$1.tsv"
}

# table AREA: prints the outcomes, one line for each part of the sources. The rates are of the
# mutants that compile and are not explained.
table() {
    [ -s "$results/$1.tsv" ] || { echo "$1: nothing yet"; return; }
    outcomes "$1" | awk -F '\t' -v area="$1" -v state="$state" -v listed="$(wc -l <"$results/$1.list")" '
        {
            if ($3 != state) older++
            part = $2
            sub(/\.rs:.*$/, "", part)
            sub(/^.*src\//, "", part)
            n = split(part, folders, "/")
            if (n > 2) part = folders[1] "/" folders[2]
            count[part, $1]++
            count["all", $1]++
            parts[part]
        }
        END {
            sorted = "sort"
            form = "%-22s %8s %8s %8s %8s %10s %9s  %s\n"
            printf form, area, "traces", "tests", "missed", "timeout", "explained", "unviable", "traces alone, all"
            for (part in parts) row(part)
            close(sorted)
            sorted = "cat"
            row("all")
            close(sorted)
            if (listed > NR) print listed - NR " mutants have no outcome yet"
            if (older) print older " outcomes are of other sources, traces or tests than these; --fresh judges them again"
        }
        function row(part, traces, tests, missed, timeout, viable, rates) {
            traces = count[part, "traces"] + 0; tests = count[part, "tests"] + 0
            missed = count[part, "missed"] + 0; timeout = count[part, "timeout"] + 0
            viable = traces + tests + missed + timeout
            rates = "-"
            if (viable) rates = sprintf("%.1f %%, %.1f %%",
                100 * (traces + timeout) / viable, 100 * (viable - missed) / viable)
            printf form, part, traces, tests, missed, timeout, count[part, "explained"] + 0, \
                count[part, "unviable"] + 0, rates | sorted
        }'
}

scripts/need.sh cargo cc
[ -n "$state_only" ] || cargo mutants --version >/dev/null 2>&1 || {
    echo "Installing cargo-mutants (cargo)"
    cargo install --quiet --locked --root "$target/tools" --target-dir "$target/tools/build" cargo-mutants
}

cargo build --quiet --locked --manifest-path tests/mutants/Cargo.toml --target-dir "$target/tools/build"

if [ -n "$only_table" ]; then
    for area in $areas; do
        list_all "$area" >"$results/$area.list"
        table "$area"
    done
    exit
fi

# One run at a time, because runs share the copy and its build.
if [ -e "$results/running" ] && kill -0 "$(cat "$results/running")" 2>/dev/null; then
    stop 2 "another run is under way: process $(cat "$results/running")"
fi
echo $$ >"$results/running"
trap 'rm -f "$results/running"' EXIT

# A copy of the checkout, which is mutated and retains its build. Times are preserved, so that cargo
# compiles only what is new, except for the mutated sources: an interrupted run may have left a
# mutant in the build.
rm -rf "$tree"
mkdir -p "$tree"
tar -cf - -T "$results/files" | tar -xf - -C "$tree"
export CARGO_TARGET_DIR="$results/target" CARGO_INCREMENTAL=1 CARGO_PROFILE_DEV_DEBUG=0

# seconds COMMAND…: prints the duration of the command; prints its output only if it fails.
seconds() {
    started=$(date +%s)
    (cd "$tree" && "$@") >"$results/baseline.log" 2>&1 || {
        cat "$results/baseline.log" >&2
        stop 2 "without any mutant this fails: $*"
    }
    echo $(($(date +%s) - started))
}

# judge NAMES TIMEOUT TEST-PACKAGES ARGUMENT…: judges the mutants in the file NAMES; the outcomes
# are in $results/out/mutants.out. cargo-mutants 27 deletes fields of structures regardless of the
# list, so it also gets the files.
judge() {
    judged=$1 timeout=$2 judges=$3
    shift 3
    {
        echo "examine_re = ["
        # shellcheck disable=SC2016 # nothing in it is a variable
        sed 's/[][\\.*^$()+?{}|]/\\&/g; s/\\/\\\\/g; s/"/\\"/g; s/.*/    "^&$",/' "$judged"
        echo "]"
        cat .cargo/mutants.toml
    } >"$results/config.toml"
    rm -rf "$results/out"
    code=0
    # shellcheck disable=SC2046,SC2086 # the packages are separate words
    # Exit codes: 0 all caught, 2 some missed, 3 some took too long.
    (cd "$tree" && set -f && cargo mutants --in-place --config "$results/config.toml" -o "$results/out" \
        --baseline skip --build-timeout 900 --timeout "$timeout" --no-shuffle --colors never \
        $(sed 's/:.*//' "$judged" | sort -u | sed 's/^/-f /') \
        $packages $(echo "$judges"  | sed 's/-p /--test-package /g') "$@") \
        >"$results/cargo-mutants.log" 2>&1 || code=$?
    case $code in
        0 | 2 | 3) ;;
        *) cat "$results/cargo-mutants.log" >&2; stop 2 "cargo-mutants ended with $code" ;;
    esac
}

# note OUTCOME FILE: adds the mutants in FILE to the results.
note() {
    [ ! -s "$2" ] || sed "s/^/$1	/; s/\$/	$state/" "$2" >>"$results/$area.tsv"
}

# ended AREA: prints the table, and the mutants of this run that were missed and are not explained.
ended() {
    table "$1"
    outcomes "$1" | awk -F '\t' '$1 == "missed" { print $2 }' | grep -xFf "$results/judged" >"$results/missed" || true
    sed 's/^/missed: /' "$results/missed"
    missed=$((missed + $(wc -l <"$results/missed")))
}

# Number of mutants in one call of cargo-mutants. An interruption loses at most one call.
lot=20
missed=0
for area in $areas; do
    select_area "$area"
    list_all "$area" >"$results/$area.list"
    list_all "$area" "$diff" >"$results/all"
    awk -v k="${shard%/*}" -v n="${shard#*/}" 'NR % n == k % n' "$results/all" >"$results/wanted"
    touch "$results/$area.tsv"
    awk -F '\t' -v again="$again" -v fresh="$fresh" -v state="$state" '
        FILENAME == ARGV[1] { outcome[$2] = $1; of[$2] = $3; next }
        !($0 in outcome) || outcome[$0] == "unseen" || (again && outcome[$0] == "missed") ||
            (fresh && of[$0] != state)' \
        "$results/$area.tsv" "$results/wanted" >"$results/due"
    cp "$results/due" "$results/judged"
    due=$(wc -l <"$results/due")
    echo "$area: $(wc -l <"$results/wanted") mutants, $((due)) to judge"
    [ "$due" -gt 0 ] || { table "$area"; continue; }

    # All mutants, or all of the diff, are in one build; the rest is built separately.
    if [ -n "$state_only" ]; then
        echo '[]' >"$results/all.json"
    else
        list_mutants "$area" --json ${diff:+--in-diff "$diff"} >"$results/all.json"
    fi
    # The choices for rewriting depend on these mutants and sources, but not on the tests.
    sources=$({
        cat "$results/all.json" "$results/$area.own"
        # shellcheck disable=SC2086 # the folders are separate words
        find $folders -name '*.rs' | LC_ALL=C sort | xargs cat
    } | cksum | cut -d' ' -f1)
    # The copy is built offline.
    cargo fetch --quiet --locked
    # shellcheck disable=SC2046,SC2086 # the packages are separate words
    CARGO_INCREMENTAL=0 "$target/tools/build/debug/mutants" --checkout "$tree" --files "$results/files" \
        --tree "$results/schemata" --list "$results/all.json" --own "$results/$area.own" --due "$results/due" \
        --results "$results/$area.tsv" --state "$state" --choices "$results/choices.$sources" \
        ${only_tests:+--only-tests} ${built:+--only-left} --left "$results/left" --jobs "$jobs" \
        ${seconds:+--trace-seconds "$seconds" --test-seconds "$seconds"} $([ -n "$only_traces" ] || echo "--tests $tests") ||
        stop 2 "the build with all mutants has no result"
    mv "$results/left" "$results/due"
    [ -z "$built" ] || cp "$results/due" "$results/judged"
    due=$(wc -l <"$results/due")
    if [ -n "$switched" ] || [ "$due" -eq 0 ]; then
        ended "$area"
        continue
    fi

    # shellcheck disable=SC2086 # the folders are separate words
    (cd "$tree" && find $folders -name '*.rs' -exec touch {} +)
    took=$(seconds cargo test --locked -p firmware-board --test judge)
    took=$(seconds cargo test --locked -p firmware-board --test judge)
    traces_timeout=$((20 + 10 * took))
    rm -f "$results"/limit.*
    split -l "$lot" "$results/due" "$results/lot."
    done=0
    for names in "$results"/lot.*; do
        judge "$names" "$traces_timeout" "-p firmware-board" -C=--test=judge
        out=$results/out/mutants.out
        cp "$out/missed.txt" "$results/unseen"
        cat "$out/caught.txt" >"$results/seen.traces"
        cat "$out/timeout.txt" >"$results/seen.timeout"
        cat "$out/unviable.txt" >"$results/seen.unviable"
        : >"$results/seen.tests"
        : >"$results/seen.missed"
        if [ -s "$results/unseen" ]; then
            if [ -n "$only_traces" ]; then
                cp "$results/unseen" "$results/seen.missed"
            else
                for package in $tests; do
                    [ -s "$results/unseen" ] || break
                    # Runs the tests once without a mutant: they must pass, and their duration
                    # limits that of a mutant.
                    limit=$results/limit.$package
                    [ -s "$limit" ] ||
                        echo $((60 + 5 * $(seconds cargo test --locked -p "$package" --tests))) \
                            >"$limit"
                    judge "$results/unseen" "$(cat "$limit")" "-p $package" -C=--tests
                    cat "$out/caught.txt" "$out/timeout.txt" >>"$results/seen.tests"
                    cat "$out/unviable.txt" >>"$results/seen.unviable"
                    cp "$out/missed.txt" "$results/unseen"
                done
                cp "$results/unseen" "$results/seen.missed"
            fi
        fi
        for outcome in traces timeout unviable tests missed; do
            note $outcome "$results/seen.$outcome"
        done
        done=$((done + $(wc -l <"$names")))
        rm "$names"
        sed 's/^/  missed: /' "$results/seen.missed"
        echo "$area: $done of $due"
    done
    ended "$area"
done
[ "$missed" -eq 0 ] || { echo "$missed of this run are missed and not explained in $explained" >&2; exit 1; }
