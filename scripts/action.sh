#!/usr/bin/env bash
# The steps of action.yml, one verb each. They can also be run by hand:
#   scripts/action.sh key            prints a hash of everything on which the built `nudge` depends
#   scripts/action.sh build DIR      downloads the release of the action's tag into DIR/bin, or builds `nudge`, unless
#                                    it is there for this key
#   scripts/action.sh replay DIR     replays traces, as the variables below say
#   scripts/action.sh changes DIR    shows the differences from the board in NUDGE_AGAINST; NUDGE_OPTIONS are ignored
#   scripts/action.sh artifact NAME  prints NAME as GitHub takes it for an artifact
# The replay runs in the caller's folder, so that its paths are the caller's own.
#   NUDGE_TRACES   paths, one per line      NUDGE_SHARD   K/N, or nothing
#   NUDGE_BOARD    native, pico, pico=FILE  NUDGE_REPORT  the folder for everything it writes
#   NUDGE_OPTIONS  further options, separated by spaces or line ends; spaces between single or
#                  double quotes belong to the option, and no other character is special
#   NUDGE_ACTION_REPOSITORY, NUDGE_ACTION_REF: where the action comes from; only its tag vX.Y.Z or vX.Y has a release
# Only a build needs Rust: a DIR that was restored from a cache is used unchanged.
set -euo pipefail

source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# stop SENTENCE: writes to standard error, because the standard output of `key` is the key.
stop() {
    printf '%s\n' "::error title=nudge::$1" "$1" >&2
    exit 2
}

# lines TEXT: stores the non-blank lines of TEXT in the array `lines`.
lines() {
    lines=()
    local line
    while IFS= read -r line; do
        line="${line#"${line%%[![:space:]]*}"}"
        line="${line%"${line##*[![:space:]]}"}"
        [ -z "$line" ] || lines+=("$line")
    done <<<"$1"
}

# words TEXT: stores the words of TEXT in the array `words`, without quotes.
words() {
    words=()
    local word='' open='' begun='' letter
    while IFS= read -r -n 1 -d '' letter; do
        if [ -n "$open" ]; then
            if [ "$letter" = "$open" ]; then open=''; else word+=$letter; fi
            continue
        fi
        case $letter in
            \' | \") open=$letter begun=yes ;;
            [[:space:]])
                [ -z "$begun" ] || words+=("$word")
                word='' begun=''
                ;;
            *) word+=$letter begun=yes ;;
        esac
    done < <(printf '%s\n' "$1")
    [ -z "$open" ] || stop "the input \`options\` has a quote ($open) that is not closed."
}

# unset_build: removes what the caller's job sets for its own builds, which would change nudge's or fail it.
unset_build() {
    unset CARGO_BUILD_TARGET RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_RUSTFLAGS RUSTDOCFLAGS
}

# The key contains the system, and every file that affects the build, by name and content. It does
# not contain the compiler: every compiler that builds the sources gives the same verdicts, and a
# cached binary needs none.
key() {
    local sum=(sha256sum) files libc
    # macOS has another command for this.
    command -v sha256sum >/dev/null || sum=(shasum -a 256)
    files=$(cd "$source" && find Cargo.toml Cargo.lock crates firmware-core \
        firmware-pico firmware-probe hal-mock rp2040-emulator simulator web scripts/action.sh scripts/install.sh scripts/page.sh -type f \
        ! -path '*/target/*' ! -path '*/node_modules/*' -print0 |
        LC_ALL=C sort -z | xargs -0 "${sum[@]}" | "${sum[@]}") || return
    # A binary does not start on a system with an older C library.
    libc=$(getconf GNU_LIBC_VERSION 2>/dev/null || true)
    echo "$(uname -s)-$(uname -m)${libc:+-${libc// /-}}-${files%% *}"
}

# badge FILE: prints the number of traces in a JUnit file, and of those that failed, as shields.io reads it.
badge() {
    local all failures errors
    read -r all failures errors < <(
        sed -n 's/^<testsuites .*tests="\([0-9]*\)" failures="\([0-9]*\)" errors="\([0-9]*\)".*/\1 \2 \3/p' "$1"
        echo
    )
    local bad=$((${failures:-0} + ${errors:-0}))
    if [ "$bad" -eq 0 ]; then
        printf '{"schemaVersion":1,"label":"nudge","message":"%s traces","color":"brightgreen"}\n' "${all:-no}"
    else
        printf '{"schemaVersion":1,"label":"nudge","message":"%s of %s traces failed","color":"red"}\n' "$bad" "$all"
    fi
}

# release FOLDER: downloads the command of the release whose tag the workflow names into FOLDER/bin. Fails if there is none,
# or it does not start here: then nudge is built. A wrong sum ends the job.
release() {
    local version code=0
    version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$source/Cargo.toml" | head -n 1)
    [ -n "${NUDGE_ACTION_REPOSITORY:-}" ] || return 1
    case ${NUDGE_ACTION_REF:-} in "v$version" | "v${version%.*}") ;; *) return 1 ;; esac
    NUDGE_REPOSITORY=$NUDGE_ACTION_REPOSITORY NUDGE_VERSION=$version NUDGE_BIN=$1/bin NUDGE_HEADLESS=yes \
        "$source/scripts/install.sh" >&2 || code=$?
    [ "$code" -ne 1 ] || stop "the release v$version of $NUDGE_ACTION_REPOSITORY was not installed, see above."
    [ "$code" -eq 0 ] || echo "::notice title=nudge::The release v$version cannot be used here, so nudge is built." >&2
    return "$code"
}

verb=${1:?a verb: key, build, replay, changes or artifact}

case $verb in
    key) key ;;
    build)
        mkdir -p "${2:?a folder for the built command}"
        folder=$(cd "$2" && pwd)
        key=$(key)
        if [ -x "$folder/bin/nudge" ] && [ "$(cat "$folder/key" 2>/dev/null)" = "$key" ]; then
            :
        elif release "$folder"; then
            echo "$key" >"$folder/key"
            [ -z "${GITHUB_OUTPUT:-}" ] || echo "page=yes" >>"$GITHUB_OUTPUT"
        else
            command -v cargo >/dev/null || stop "nudge is built with Rust, and there is no cargo: put a step that installs Rust before this one."
            rm -f "$folder/key"
            unset_build
            page=yes
            # Without node the report shows the failures but cannot play them.
            (cd "$source" && CARGO_TARGET_DIR="$folder/build" scripts/page.sh) >&2 || {
                page=no
                echo "::warning title=nudge::The report will not play its failures: scripts/page.sh failed, see above." >&2
            }
            # Built in nudge's own folder, because the caller's may pin another toolchain or another
            # target.
            (cd "$source" && cargo install --locked --quiet --force \
                --no-default-features --path simulator --root "$folder" --target-dir "$folder/build")
            # The cache stores the command, but not the gigabyte of build output.
            rm -rf "$folder/build"
            echo "$key" >"$folder/key"
            [ -z "${GITHUB_OUTPUT:-}" ] || echo "page=$page" >>"$GITHUB_OUTPUT"
        fi
        "$folder/bin/nudge" --version
        ;;
    replay)
        folder=${2:?the folder of the built command}
        lines "${NUDGE_TRACES:-tests/traces}"
        [ "${#lines[@]}" -gt 0 ] || stop "the input \`traces\` names no path."
        words "${NUDGE_OPTIONS:-}"
        [ -z "${NUDGE_SHARD:-}" ] || words+=(--shard "$NUDGE_SHARD")
        report=${NUDGE_REPORT:-nudge-report}
        mkdir -p "$report"
        code=0
        "$folder/bin/nudge" replay "${lines[@]}" --board "${NUDGE_BOARD:-native}" \
            --junit "$report/junit.xml" --html "$report/html" --artifacts "$report/artifacts" \
            ${words[@]+"${words[@]}"} || code=$?
        [ ! -f "$report/junit.xml" ] || badge "$report/junit.xml" >"$report/badge.json"
        exit "$code"
        ;;
    changes)
        folder=${2:?the folder of the built command}
        lines "${NUDGE_TRACES:-tests/traces}"
        [ "${#lines[@]}" -gt 0 ] || stop "the input \`traces\` names no path."
        words=()
        [ -z "${NUDGE_SHARD:-}" ] || words+=(--shard "$NUDGE_SHARD")
        report=${NUDGE_REPORT:-nudge-report}
        mkdir -p "$report"
        against=${NUDGE_AGAINST:?a board to compare with}
        case $against in
            git=*[!0]*)
                revision=${against#git=}
                # A checkout of one commit has no other.
                git cat-file -e "$revision^{commit}" 2>/dev/null ||
                    git fetch --quiet --depth=1 origin "$revision" ||
                    stop "there is no commit $revision here, and the repository does not give it; let actions/checkout fetch it with \`fetch-depth: 0\`."
                unset_build
                # A folder of its own, which stays for a second comparison of the job.
                words+=(--target "${RUNNER_TEMP:-$report}/nudge-against")
                ;;
            git=*)
                echo "::notice title=nudge::There is no commit before this one, so nothing is compared."
                exit 0
                ;;
        esac
        exec "$folder/bin/nudge" replay "${lines[@]}" --board "${NUDGE_BOARD:-native}" \
            --against "$against" \
            --html "$report/changes" --markdown "$report/changes.md" ${words[@]+"${words[@]}"}
        ;;
    artifact)
        # The characters that GitHub refuses in the name of an artifact.
        printf '%s\n' "${2:?a name}" | tr '":<>|*?\\/\r' '-' | tr -d '\n'
        echo
        ;;
    *) stop "action.sh has no verb '$verb': it is key, build, replay, changes or artifact." ;;
esac
