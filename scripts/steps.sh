# shellcheck shell=sh
# Sourced by `make check` and `make test`: numbered steps that stop at the first failure. Before,
# they set
#   who     their name, for what they say
#   steps   how many steps there are
#   logs    a folder for what is written beside other steps; `make check` needs none
#
# shellcheck disable=SC2154 # they are set by the caller

number=0
began=$(date +%s)

# step TITLE COMMAND…: says what runs, runs it, says what failed.
step() {
    number=$((number + 1))
    title=$1
    shift
    echo
    echo "== $number/$steps $title: $*"
    started=$(date +%s)
    "$@" || failed "$title: $*"
    echo "== $number/$steps passed in $(($(date +%s) - started)) s"
}

failed() {
    echo "== $who FAILED at $number/$steps, $1" >&2
    exit 1
}

# beside NAME COMMAND…: runs it beside the steps that follow, until `joined` makes a step of it.
# Nothing of it is seen before.
beside() {
    name=$1
    shift
    mkdir -p "$logs"
    # It also notes how long it took.
    (
        started=$(date +%s)
        code=0
        "$@" || code=$?
        echo "$(($(date +%s) - started))" >"$logs/$name.seconds"
        exit "$code"
    ) >"$logs/$name.log" 2>&1 </dev/null &
    eval "pid_$name=\$! command_$name=\$*"
    unjoined="$unjoined $name"
    trap end_unjoined EXIT
}
unjoined=

# joined TITLE NAME: the step that ran beside others. Waits for it, shows what it wrote, says whether
# it failed.
joined() {
    number=$((number + 1))
    eval "pid=\$pid_$2 command=\$command_$2"
    echo
    echo "== $number/$steps $1, beside the steps above: $command"
    code=0
    wait "$pid" || code=$?
    others=
    for other in $unjoined; do [ "$other" = "$2" ] || others="$others $other"; done
    unjoined=$others
    cat "$logs/$2.log"
    [ "$code" -eq 0 ] || failed "$1: $command"
    echo "== $number/$steps passed in $(cat "$logs/$2.seconds") s"
}

# What runs beside a step that failed ends; what must not be interrupted is waited for.
end_unjoined() {
    for name in $unjoined; do
        eval "pid=\$pid_$name"
        case " ${uninterrupted:-} " in
            *" $name "*) wait "$pid" || true ;;
            *) end_process "$pid" ;;
        esac
    done
}

# end_process PID: with all that it has started.
end_process() {
    # shellcheck disable=SC2046 # a number a word
    set -- "$1" $(ps -A -o pid= -o ppid= | awk -v parent="$1" '$2 == parent { print $1 }')
    kill "$1" 2>/dev/null || true
    shift
    for child in "$@"; do end_process "$child"; done
}

# passed: the last line, and a check that the steps were counted right.
passed() {
    echo
    if [ "$number" -ne "$steps" ]; then
        echo "== $who FAILED: $number steps ran, and there are $steps" >&2
        exit 1
    fi
    echo "== $who: all $steps passed in $(($(date +%s) - began)) s"
}

# component COMMAND NAME: a part of the Rust toolchain that minimal installations leave out.
component() {
    cargo "$1" --version >/dev/null 2>&1 && return
    if command -v rustup >/dev/null && rustup component add "$2"; then return; fi
    echo "$who needs $2, a component of the Rust toolchain: run \`rustup component add $2\`, then try again." >&2
    exit 1
}
