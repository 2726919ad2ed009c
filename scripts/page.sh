#!/bin/sh
# `make page`: the machine for a page, target/page/engine.wasm (docs/web-engine.md).
#   scripts/page.sh engine   only that module
set -eu
cd "$(dirname "$0")/.."

who="make page"
folder=${CARGO_TARGET_DIR:-$PWD/target}
out=$folder/page
tools=$folder/page-tools
mkdir -p "$out"

# binaryen: wasm-opt in $tools, from npm; whether it is there.
binaryen=131.0.0
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

engine() {
    . scripts/wasm-target.sh
    # Panics name their place: the same text wherever the sources lie.
    flags="--remap-path-prefix=$PWD/="
    for index in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/; do
        flags=$(printf '%s\037--remap-path-prefix=%s=' "$flags" "$index")
    done
    flags=$(printf '%s\037--remap-path-prefix=%s/lib/rustlib/src/rust=rust' "$flags" "$(rustc --print sysroot)")
    # Only here it is a module of its own: elsewhere the crate is a library, and is not linked.
    CARGO_ENCODED_RUSTFLAGS=$flags cargo rustc --locked --quiet -p nudge-web --lib --crate-type cdylib \
        --profile engine --target "$target"
    raw=$folder/$target/engine/nudge_web.wasm
    if binaryen; then
        # What Rust's target has by itself.
        node "$wasm_opt" -O3 --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext \
            --enable-mutable-globals --enable-reference-types --enable-multivalue \
            "$raw" -o "$out/engine.wasm.new"
    else
        echo "$who: there is no npm, or it cannot fetch binaryen: the module is not shrunk."
        cp "$raw" "$out/engine.wasm.new"
    fi
    # A file that has not changed keeps its time: what is compiled with it is not compiled again.
    if cmp -s "$out/engine.wasm.new" "$out/engine.wasm"; then
        rm "$out/engine.wasm.new"
    else
        mv "$out/engine.wasm.new" "$out/engine.wasm"
    fi
    echo "$out/engine.wasm: $(wc -c <"$out/engine.wasm") bytes, $(gzip -9c "$out/engine.wasm" | wc -c) compressed"
}

engine
