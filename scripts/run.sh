#!/bin/sh
# `make run`: opens the board in a window. Without a display it replays the demo game, and saves its
# screens in one picture. Arguments are passed to `nudge run`.
#
# The profile `play` compiles in a third of the time of `release`, and only what the window needs.
set -eu
cd "$(dirname "$0")/.."

scripts/need.sh cargo cc

if [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && [ "$(uname)" = Linux ]; then
    sheet=target/demo-screens.png
    echo "No display (DISPLAY and WAYLAND_DISPLAY are not set), so no window: replaying the demo game instead."
    mkdir -p target
    cargo run --profile play --locked -p simulator --no-default-features --bin nudge -- \
        replay tests/traces/demo.trace --contact-sheet "$sheet"
    echo "Its screens: $PWD/$sheet"
    exit 0
fi

scripts/need.sh pkg-config sdl2
exec cargo run --profile play --locked -p simulator --no-default-features --features window --bin nudge -- run "$@"
