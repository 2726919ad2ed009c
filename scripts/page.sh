#!/bin/sh
# `make page`: builds the parts of nudge's pages and stores them in web/bundle: engine.wasm.gz, the machine
# (docs/web-engine.md), and page.js with page.css: the board, the player and the studio (web/page). They are in the
# source tree, so that a build of `nudge` needs neither node nor WebAssembly.
#   scripts/page.sh current  checks that web/bundle was built from the sources as they are
#   scripts/page.sh engine   only the machine
#   scripts/page.sh bundle   only the script and its style sheet
#   scripts/page.sh unpack   the machine of web/bundle, as target/page/engine.wasm
#   scripts/page.sh check    the script's types
#   scripts/page.sh test     the page in a browser, with its types
set -eu
cd "$(dirname "$0")/.."

who="make page"
folder=${CARGO_TARGET_DIR:-$PWD/target}
out=$folder/page
stored=web/bundle
tools=$folder/page-tools
sources=web/page
mkdir -p "$out" "$stored"

# hash_of FILE…: one hash for all of these files and folders of the checkout.
hash_of() {
    git ls-files --cached --others --exclude-standard -- "$@" | LC_ALL=C sort | while read -r file; do
        [ ! -f "$file" ] || sha256sum "$file"
    done | sha256sum | cut -d' ' -f1
}

# engine_sources: the hash of what the machine is compiled from: the crates of the repository that it contains.
engine_sources() {
    tree=$(cargo tree --locked -p nudge-web -e normal,build --prefix none --format '{p}' | sort -u)
    crates=$(echo "$tree" | sed -n "s|.*($PWD/\(.*\))\$|\1|p" | sed 's|\(.*\)|\1/src \1/build.rs \1/Cargo.toml|')
    # shellcheck disable=SC2086 # a path a word
    { hash_of $crates; echo "$tree" | grep -vF "($PWD/"; } | sha256sum | cut -d' ' -f1
}

# script_sources: the hash of what page.js and page.css are bundled from.
script_sources() {
    hash_of $sources/src $sources/build.mjs $sources/package-lock.json
}

# current: fails if the stored bundle is older than its sources.
current() {
    code=0
    while read -r part command; do
        if [ "$("${part}_sources")" != "$(cat "$stored/$part.sources" 2>/dev/null)" ]; then
            echo "web/bundle is older than its sources ($part): run \`scripts/page.sh $command\` or \`make page\`, and commit the result." >&2
            code=1
        fi
    done <<PARTS
engine engine
script bundle
PARTS
    [ "$code" -ne 0 ] || echo "web/bundle is current"
    return "$code"
}

# newer NAME: moves $stored/NAME.new to $stored/NAME if they differ. An unchanged file retains its time, so that its
# dependents are not compiled again.
newer() {
    if cmp -s "$stored/$1.new" "$stored/$1"; then rm "$stored/$1.new"; else mv "$stored/$1.new" "$stored/$1"; fi
    echo "$stored/$1: $(wc -c <"$stored/$1") bytes"
}

# node_tool PACKAGE VERSION: installs a package from npm into $tools; succeeds if it is available.
node_tool() {
    if [ -d "$tools/node_modules/$1" ] && [ "$(cat "$tools/${1##*/}" 2>/dev/null)" = "$2" ]; then return 0; fi
    command -v npm >/dev/null || return 1
    mkdir -p "$tools"
    echo "Installing $1 $2 (npm)"
    # npm removes what it does not know, so both tools are named.
    npm install --prefix "$tools" --no-save --no-audit --no-fund --ignore-scripts --loglevel=error \
        "binaryen@$binaryen" "@gfx/zopfli@$zopfli" >/dev/null || return 1
    echo "$binaryen" >"$tools/binaryen"
    echo "$zopfli" >"$tools/zopfli"
}
# wasm-opt, which shrinks the module, and a compressor whose files any gzip reads: 5 % smaller than those of `gzip -9`.
binaryen=132.0.0
zopfli=1.0.15
wasm_opt=$tools/node_modules/binaryen/bin/wasm-opt

# compile PROFILE: builds the machine as rustc writes it, in $raw.
compile() {
    . scripts/wasm-target.sh
    made_from=$(engine_sources)
    # Panics contain their file; the paths must not depend on the folder of the sources.
    flags="--remap-path-prefix=$PWD/="
    for index in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/; do
        flags=$(printf '%s\037--remap-path-prefix=%s=' "$flags" "$index")
    done
    flags=$(printf '%s\037--remap-path-prefix=%s/lib/rustlib/src/rust=rust' "$flags" "$sysroot")
    # Only here the crate is a module of its own: elsewhere it is a library, and is not linked.
    CARGO_ENCODED_RUSTFLAGS=$flags wasm rustc --quiet -p nudge-web --lib --crate-type cdylib \
        --profile "$1"
    raw=$folder/$target/$1/nudge_web.wasm
}

engine() {
    compile engine
    # A module that was shrunk before is not shrunk again: that takes longer than the rest of an unchanged build.
    if ! { [ -f "$out/engine.wasm" ] && cmp -s "$raw" "$tools/shrunk.wasm" && [ "$(cat "$tools/binaryen" 2>/dev/null)" = $binaryen ]; }; then
        node_tool binaryen $binaryen ||
            { echo "$who: there is no npm, or it cannot fetch binaryen, which shrinks the module." >&2; exit 1; }
        # The features that Rust's target has by default.
        node "$wasm_opt" -O3 --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext \
            --enable-mutable-globals --enable-reference-types --enable-multivalue \
            "$raw" -o "$out/engine.wasm"
        cp "$raw" "$tools/shrunk.wasm"
    fi
    echo "$out/engine.wasm: $(wc -c <"$out/engine.wasm") bytes"
    node_tool @gfx/zopfli $zopfli ||
        { echo "$who: there is no npm, or it cannot fetch zopfli, which compresses the module." >&2; exit 1; }
    # Neither a name nor a time in the header: the same module is the same file.
    NODE_PATH=$tools/node_modules node -e '
        const [from, to] = process.argv.slice(1);
        const { readFileSync, writeFileSync } = require("node:fs");
        require("@gfx/zopfli").gzip(readFileSync(from), { numiterations: 5 }, (error, packed) => {
            if (error) throw error;
            writeFileSync(to, packed);
        });' "$out/engine.wasm" "$stored/engine.wasm.gz.new"
    newer engine.wasm.gz
    echo "$made_from" >"$stored/engine.sources"
}

# packages: installs esbuild, TypeScript and the browser's driver in the versions of the lock file.
packages() {
    scripts/need.sh node
    if cmp -s $sources/package-lock.json $sources/node_modules/.nudge-lock.json; then return 0; fi
    echo "Installing the page's tools (npm)"
    npm ci --prefix $sources --no-audit --no-fund --loglevel=error >/dev/null
    cp $sources/package-lock.json $sources/node_modules/.nudge-lock.json
}

bundle() {
    packages
    node $sources/build.mjs "$tools/bundle"
    for name in page.js page.css; do
        cp "$tools/bundle/$name" "$stored/$name.new"
        newer $name
    done
    script_sources >"$stored/script.sources"
}

check() {
    (cd $sources && node_modules/.bin/tsc --noEmit)
}

case ${1:-} in
    current) current ;;
    engine) engine ;;
    bundle) bundle ;;
    unpack) gzip -dc "$stored/engine.wasm.gz" >"$out/engine.wasm" ;;
    check) packages && check ;;
    test)
        packages
        check
        scripts/need.sh browser
        CARGO_TARGET_DIR=$folder node $sources/tests/run.mjs
        ;;
    # One after the other: after `&&` a step that fails would not end the script.
    '')
        bundle
        engine
        ;;
    *)
        echo "page.sh: \`$1\` is no part of it: give current, engine, bundle, unpack, check or test." >&2
        exit 2
        ;;
esac
