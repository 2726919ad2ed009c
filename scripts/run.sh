#!/bin/sh
# `make run`: opens the board in a window; without a display, in the terminal. Without both it replays
# the demo game, and saves its screens in one picture. Arguments are passed to `nudge run`.
#
# The profile `play` compiles in a third of the time of `release`, and only what the window needs.
set -eu
cd "$(dirname "$0")/.."

scripts/need.sh cargo cc

# `nudge run --watch` compiles the changed part of a crate only. After its first build this does so, too: otherwise each of
# the two would compile again what the other has compiled.
compiled=${CARGO_TARGET_DIR:-target}/play/incremental
if [ -n "$(ls -A "$compiled" 2>/dev/null)" ]; then
    export CARGO_INCREMENTAL=1
fi

if [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && [ "$(uname)" = Linux ]; then
    if [ -t 0 ] && [ -t 1 ]; then
        echo "No display (DISPLAY and WAYLAND_DISPLAY are not set): the board is shown in this terminal."
        exec cargo run --profile play --locked -p simulator --no-default-features --features terminal \
            --bin nudge -- run "$@"
    fi
    sheet=target/demo-screens.png
    echo "No display (DISPLAY and WAYLAND_DISPLAY are not set), and no terminal: replaying the demo game instead."
    mkdir -p target
    cargo run --profile play --locked -p simulator --no-default-features --bin nudge -- \
        replay tests/traces/demo.trace --contact-sheet "$sheet"
    echo "Its screens: $PWD/$sheet"
    exit 0
fi

scripts/need.sh pkg-config sdl2
exec cargo run --profile play --locked -p simulator --no-default-features --features window --bin nudge -- run "$@"
