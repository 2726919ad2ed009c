# shellcheck shell=sh
# Sourced by the scripts that run a part of long tests: exports NUDGE_PART and NUDGE_WIRING_PART, and sets $shard and
# $quarter. The commit chooses the part, so that a repetition and CI run the same one.
# shellcheck disable=SC2034 # shard and quarter are for the caller
commit=$(git rev-parse HEAD 2>/dev/null || echo 0)
hash=$((0x$(printf '%.6s' "$commit")))
export NUDGE_PART="${NUDGE_PART:-$((hash % 16 + 1))/16}"
# Thirteen parts: a board is started for each fault of a wire.
export NUDGE_WIRING_PART="${NUDGE_WIRING_PART:-$((hash % 13 + 1))/13}"
# Thirty-two parts: the emulated Pico takes longest.
shard=$((hash % 32 + 1))/32
quarter=$((hash % 4 + 1))
