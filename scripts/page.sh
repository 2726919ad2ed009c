#!/bin/sh
# `make page`: what a page of nudge is made of, in target/page: engine.wasm, the machine (docs/web-engine.md), and
# page.js with page.css, the board, the player and the studio (web/page).
#   scripts/page.sh engine   only the machine
#   scripts/page.sh quick    script, style sheet, and a machine for tests, built in less time: larger and slower
#   scripts/page.sh bundle   only the script and its style sheet
#   scripts/page.sh check    the script's types
#   scripts/page.sh test     the page in a browser, with its types; it builds the machine if there is none
set -eu
cd "$(dirname "$0")/.."

who="make page"
folder=${CARGO_TARGET_DIR:-$PWD/target}
out=$folder/page
tools=$folder/page-tools
sources=web/page
mkdir -p "$out"

# newer NAME: puts $out/NAME.new in the place of $out/NAME if it differs. A file that has not changed
# keeps its time: what is compiled with it is not compiled again.
newer() {
    if cmp -s "$out/$1.new" "$out/$1"; then rm "$out/$1.new"; else mv "$out/$1.new" "$out/$1"; fi
    echo "$out/$1: $(wc -c <"$out/$1") bytes, $(gzip -9c "$out/$1" | wc -c) compressed"
}

# binaryen: wasm-opt in $tools, from npm; whether it is there.
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

# compile PROFILE: the machine as rustc writes it, in $raw.
compile() {
    . scripts/wasm-target.sh
    # Panics name their place: the same text wherever the sources lie.
    flags="--remap-path-prefix=$PWD/="
    for index in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/; do
        flags=$(printf '%s\037--remap-path-prefix=%s=' "$flags" "$index")
    done
    flags=$(printf '%s\037--remap-path-prefix=%s/lib/rustlib/src/rust=rust' "$flags" "$sysroot")
    # Only here it is a module of its own: elsewhere the crate is a library, and is not linked.
    CARGO_ENCODED_RUSTFLAGS=$flags wasm rustc --quiet -p nudge-web --lib --crate-type cdylib \
        --profile "$1"
    raw=$folder/$target/$1/nudge_web.wasm
}

engine() {
    compile engine
    # What has been shrunk before is not shrunk again: it takes longer than the rest of an unchanged build.
    if [ -f "$out/engine.wasm" ] && cmp -s "$raw" "$tools/shrunk.wasm" && [ "$(cat "$tools/binaryen" 2>/dev/null)" = $binaryen ]; then
        echo "$out/engine.wasm: unchanged"
        return
    fi
    if binaryen; then
        # What Rust's target has by itself.
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

# quick: what tests run. It is not shrunk.
quick() {
    compile engine-quick
    rm -f "$tools/shrunk.wasm"
    cp "$raw" "$out/engine.wasm.new"
    newer engine.wasm
}

# packages: esbuild, TypeScript and the browser's driver, as the lock file has them.
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
    # One after the other: behind `&&` a step that fails would not end the script.
    quick)
        bundle
        quick
        ;;
    *)
        bundle
        engine
        ;;
esac
