# shellcheck shell=sh
# Sourced by the scripts that compile tests: the features that they have in common, so that what one has compiled
# another need not compile again.
# shellcheck disable=SC2034 # for the caller

# `make test`: what needs no other program. `nudge` without the decoder of defmt, which brings forty crates.
test_features="--no-default-features --features simulator/probe,simulator/terminal,simulator/window,simulator/pico-test,nudge-tests/pico-test"

# `make test-page`, `test-window` and `test-tools`. What they need of other programs is for Linux.
if [ "$(uname)" = Linux ]; then all_features=--all-features; else all_features=; fi
