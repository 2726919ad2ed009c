#!/bin/sh
# `make site`: the documentation as a site, in target/site/html. It needs no server and no network, and has a search.
# The first page is README.md with the board, playable. mdbook is installed into target/tools with cargo if it is missing.
#   scripts/site.sh pages    only the pages' Markdown, in target/site/src
set -eu
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-$PWD/target}
site=$target/site
PATH=$PATH:$target/tools/bin

# inside FILE: prints a document without the links that lead out of docs/: the site does not have those files.
inside() {
    sed -E -e 's/\[([^][]*)\]\(\.\.\/[^)]*\)/\1/g' -e 's/^```trace.*/```text/' "$1"
}

# first_page: README.md, whose links are relative to the folder above. The board is playable where README.md has its picture.
first_page() {
    board='<iframe src="demo.html" title="The LCD board" style="width:100%;height:640px;border:0"></iframe>'
    sed -E -e 's/\]\(docs\//](/g' \
        -e 's/!\[([^][]*)\]\((tests|web)\/[^)]*\)/\1/g' \
        -e 's/\[([^][]*)\]\((LICENSE|CONTRIBUTING|ARCHITECTURE|CHANGELOG|firmware|hal|rp2040|simulator|crates|web|python|tests|docs|examples)[^)]*\)/\1/g' \
        -e "s|^!\\[The board in its window.*|$board|" README.md
}

rm -rf "$site"
mkdir -p "$site/src"
cp -R docs/images docs/board-file.schema.json "$site/src/"
for page in docs/*.md; do
    inside "$page" >"$site/src/$(basename "$page")"
done
cp docs/book.toml "$site/"
first_page >"$site/src/index.md"
[ "${1:-}" != pages ] || exit 0

scripts/need.sh cargo cc
if ! command -v mdbook >/dev/null; then
    echo "Installing mdbook (cargo)"
    cargo install --quiet --locked --root "$target/tools" --target-dir "$target/tools/build" \
        --no-default-features --features search mdbook
fi
[ -f docs/demo.html ] || scripts/demo.sh
cp docs/demo.html "$site/src/"
mdbook build "$site"
echo "$site/html/index.html"
