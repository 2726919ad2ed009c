#!/bin/sh
# `make page`: builds the parts of nudge's pages in target/page: engine.wasm, the machine
# (docs/web-engine.md), and page.js with page.css, the board, the player and the studio (web/page).
#   scripts/page.sh engine   only the machine
#   scripts/page.sh quick    script, style sheet, and a machine for tests: built faster, but larger and slower
#   scripts/page.sh bundle   only the script and its style sheet
#   scripts/page.sh check    the script's types
#   scripts/page.sh test     tests the page in a browser, with its types; builds the machine if there is none
set -eu
cd "$(dirname "$0")/.."

who="make page"
folder=${CARGO_TARGET_DIR:-$PWD/target}
out=$folder/page
tools=$folder/page-tools
sources=web/page
mkdir -p "$out"

# newer NAME: replaces $out/NAME by $out/NAME.new if they differ. An unchanged file keeps its time,
# so that programs that contain it are not recompiled.
newer() {
    if cmp -s "$out/$1.new" "$out/$1"; then rm "$out/$1.new"; else mv "$out/$1.new" "$out/$1"; fi
    echo "$out/$1: $(wc -c <"$out/$1") bytes, $(gzip -9c "$out/$1" | wc -c) compressed"
}

# binaryen: installs wasm-opt into $tools from npm; succeeds if it is available.
binaryen=132.0.0
binaryen() {
    wasm_opt=$tools/node_modules/binaryen/bin/wasm-opt
    if [ -f "$wasm_opt" ] && [ "$(cat "$tools/binaryen" 2>/dev/null)" = $binaryen ]; then return 0; fi
    command -v npm >/dev/null || return 1
    mkdir -p "$tools"
    echo "Installing binaryen $binaryen (npm)"
    npm install --prefix "$tools" --no-save --no-audit --no-fund --ignore-scripts --loglevel=error \
        "binaryen@$binaryen" >/dev/null || return 1
    echo $binaryen >"$tools/binaryen"
}

# compile PROFILE: builds the machine as rustc writes it, in $raw.
compile() {
    . scripts/wasm-target.sh
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
    # An unchanged module is not shrunk again: that takes longer than the rest of an unchanged
    # build.
    if [ -f "$out/engine.wasm" ] && cmp -s "$raw" "$tools/shrunk.wasm" && [ "$(cat "$tools/binaryen" 2>/dev/null)" = $binaryen ]; then
        echo "$out/engine.wasm: unchanged"
        return
    fi
    if binaryen; then
        # Features that Rust's target enables by default.
        node "$wasm_opt" -O3 --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext \
            --enable-mutable-globals --enable-reference-types --enable-multivalue \
            "$raw" -o "$out/engine.wasm.new"
        cp "$raw" "$tools/shrunk.wasm"
    else
        echo "$who: there is no npm, or it cannot fetch binaryen: the module is not shrunk."
        cp "$raw" "$out/engine.wasm.new"
    fi
    newer engine.wasm
}

# quick: builds the machine for tests without shrinking it.
quick() {
    compile engine-quick
    rm -f "$tools/shrunk.wasm"
    cp "$raw" "$out/engine.wasm.new"
    newer engine.wasm
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
        cp "$tools/bundle/$name" "$out/$name.new"
        newer $name
    done
}

check() {
    (cd $sources && node_modules/.bin/tsc --noEmit)
}

case ${1:-} in
    engine) engine ;;
    bundle) bundle ;;
    check) packages && check ;;
    test)
        [ -f "$out/engine.wasm" ] || engine
        bundle
        check
        scripts/need.sh browser
        CARGO_TARGET_DIR=$folder node $sources/tests/run.mjs
        ;;
    # On separate lines, because after `&&` a failing step would not end the script.
    quick)
        bundle
        quick
        ;;
    *)
        bundle
        engine
        ;;
esac
