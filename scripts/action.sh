#!/usr/bin/env bash
# The steps of action.yml, one verb each. Run by hand they do the same:
#   scripts/action.sh key DIR        prints what the built `nudge` depends on, as one word
#   scripts/action.sh build DIR      builds `nudge` into DIR/bin, unless it is there
#   scripts/action.sh replay DIR     replays, with what the variables below say
# The replay runs where the caller stands, so that its paths are the caller's own.
#   NUDGE_TRACES   paths, one a line        NUDGE_SHARD   K/N, or nothing
#   NUDGE_BOARD    native, pico, pico=FILE  NUDGE_REPORT  the folder for everything it writes
#   NUDGE_OPTIONS  further options, one a line
set -euo pipefail

source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# stop SENTENCE
stop() {
    echo "::error title=nudge::$1"
    echo "$1" >&2
    exit 2
}

# words TEXT: the lines of TEXT that are not blank, into the array `lines`.
words() {
    lines=()
    while IFS= read -r line; do
        line="${line#"${line%%[![:space:]]*}"}"
        line="${line%"${line##*[![:space:]]}"}"
        [ -z "$line" ] || lines+=("$line")
    done <<<"$1"
}

command -v cargo >/dev/null || stop "nudge is built with Rust, and there is no cargo: put a step that installs Rust before this one."

verb=${1:?a verb: key, build or replay}
folder=${2:?a folder for the built command}

case $verb in
    key)
        # Every file that is compiled, by name and content, and the compiler.
        sources=$(cd "$source" && find Cargo.toml Cargo.lock crates firmware-core hal-mock rp2040-emulator simulator \
            -type f ! -path '*/target/*' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum)
        echo "$(uname -s)-$(uname -m)-$(rustc --version | cut -d' ' -f2)-${sources%% *}"
        ;;
    build)
        [ -x "$folder/bin/nudge" ] || cargo install --locked --quiet --no-default-features --path "$source/simulator" \
            --root "$folder" --target-dir "$folder/build"
        rm -rf "$folder/build"
        "$folder/bin/nudge" --version
        ;;
    replay)
        words "${NUDGE_TRACES:-tests/traces}"
        paths=("${lines[@]}")
        words "${NUDGE_OPTIONS:-}"
        options=("${lines[@]}")
        [ -z "${NUDGE_SHARD:-}" ] || options+=(--shard "$NUDGE_SHARD")
        report=${NUDGE_REPORT:-nudge-report}
        mkdir -p "$report"
        exec "$folder/bin/nudge" replay "${paths[@]}" --board "${NUDGE_BOARD:-native}" \
            --junit "$report/junit.xml" --html "$report/html" --artifacts "$report/artifacts" \
            ${options[@]+"${options[@]}"}
        ;;
    *) stop "action.sh has no verb '$verb': it is key, build or replay." ;;
esac
