# shellcheck shell=sh
# Sourced by `make check` and `make test`: numbered steps that stop at the first failure. The caller
# sets
#   who     its name, for messages
#   steps   the number of steps
#   logs    a folder for the output of parallel steps; `make check` needs none
#
# shellcheck disable=SC2154 # they are set by the caller

number=0
began=$(date +%s)

# step TITLE COMMAND…: prints and runs the command, and reports a failure.
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

# beside NAME COMMAND…: runs the command in parallel with the following steps, until `joined`
# reports it as a step. Its output is not shown before.
beside() {
    name=$1
    shift
    mkdir -p "$logs"
    # The duration is recorded, too.
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

# joined TITLE NAME: waits for the parallel command, shows its output as it comes, and reports a failure.
joined() {
    number=$((number + 1))
    eval "pid=\$pid_$2 command=\$command_$2"
    echo
    echo "== $number/$steps $1, beside the steps above: $command"
    # The lines so far, then the others: a command that never ends shows how far it came.
    tail -n +1 -f "$logs/$2.log" &
    shown=$!
    code=0
    wait "$pid" || code=$?
    # It looks once a second for new lines.
    sleep 1.5
    kill "$shown" 2>/dev/null || true
    wait "$shown" 2>/dev/null || true
    others=
    for other in $unjoined; do [ "$other" = "$2" ] || others="$others $other"; done
    unjoined=$others
    [ "$code" -eq 0 ] || failed "$1: $command"
    echo "== $number/$steps passed in $(cat "$logs/$2.seconds") s"
}

# Ends the parallel commands after a failed step; waits for those that must not be interrupted.
end_unjoined() {
    for name in $unjoined; do
        eval "pid=\$pid_$name"
        case " ${uninterrupted:-} " in
            *" $name "*) wait "$pid" || true ;;
            *) end_process "$pid" ;;
        esac
    done
}

# end_process PID: ends the process and all its children.
end_process() {
    # shellcheck disable=SC2046 # a number a word
    set -- "$1" $(ps -A -o pid= -o ppid= | awk -v parent="$1" '$2 == parent { print $1 }')
    kill "$1" 2>/dev/null || true
    shift
    for child in "$@"; do end_process "$child"; done
}

# passed: prints the last line, and checks the number of steps.
passed() {
    echo
    if [ "$number" -ne "$steps" ]; then
        echo "== $who FAILED: $number steps ran, and there are $steps" >&2
        exit 1
    fi
    echo "== $who: all $steps passed in $(($(date +%s) - began)) s"
}

# component COMMAND NAME: installs a part of the Rust toolchain that minimal installations omit.
component() {
    cargo "$1" --version >/dev/null 2>&1 && return
    if command -v rustup >/dev/null && rustup component add "$2"; then return; fi
    echo "$who needs $2, a component of the Rust toolchain: run \`rustup component add $2\`, then try again." >&2
    exit 1
}
