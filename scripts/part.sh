# shellcheck shell=sh
# Sourced by the scripts that run a part of long tests: exports NUDGE_PART and NUDGE_WIRING_PART, and sets $shard. The
# commit chooses the part, so that a repetition and CI run the same one.
# shellcheck disable=SC2034 # shard is for the caller
commit=$(git rev-parse HEAD 2>/dev/null || echo 0)
hash=$((0x$(printf '%.6s' "$commit")))
export NUDGE_PART="${NUDGE_PART:-$((hash % 8 + 1))/8}"
# Thirteen parts: a board is started for each fault of a wire.
export NUDGE_WIRING_PART="${NUDGE_WIRING_PART:-$((hash % 13 + 1))/13}"
# Sixteen parts: the emulated Pico takes longest.
shard=$((hash % 16 + 1))/16
