#!/bin/sh
# The files for editors:
#   scripts/editors.sh check     checks the grammar of VS Code with every trace of the repository
#   scripts/editors.sh package   target/package/nudge-VERSION.vsix: the extension of VS Code
# Needs node and npm, and the network for what `npm ci` and the packager take from the registry.
set -eu
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-$PWD/target}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
scripts/need.sh node
cd editors/vscode

case ${1:-} in
    check)
        npm ci --silent --no-audit --no-fund
        node test/grammar.mjs
        ;;
    package)
        own=$(node --print 'require("./package.json").version')
        if [ "$own" != "$version" ]; then
            echo "editors.sh: editors/vscode/package.json has version $own, and Cargo.toml $version: make them equal." >&2
            exit 1
        fi
        npm ci --silent --no-audit --no-fund --omit dev
        mkdir -p "$target/package"
        npx --yes @vscode/vsce@3.9.2 package --allow-missing-repository --skip-license \
            --out "$target/package/nudge-$version.vsix" >&2
        echo "$target/package/nudge-$version.vsix"
        ;;
    *)
        echo "editors.sh: give check or package." >&2
        exit 1
        ;;
esac
