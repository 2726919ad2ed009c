# The board's few commands. `make` alone lists them.

# rustup puts cargo here, but only a new login shell has it in its path.
export PATH := $(PATH):$(or $(CARGO_HOME),$(HOME)/.cargo)/bin

.DEFAULT_GOAL := help
.PHONY: help run test bench firmware fuzz

help: ## print this list
	@sed -n 's/^\([a-z]*\): ## \(.*\)/  make \1	\2/p' $(firstword $(MAKEFILE_LIST))

run: ## play: the board in a window (ARGS="--scale 3" goes to `nudge run`)
	@scripts/run.sh $(ARGS)

test: ## formatting, lints, all tests, the window under Xvfb, the recorded traces
	@scripts/test.sh

bench: ## measure speed and bus traffic, with this machine's name
	@scripts/bench.sh

firmware: ## the Pico's binary as ELF and UF2 in target/firmware, within its budgets
	@scripts/firmware.sh

fuzz: ## feed bytes to whatever reads bytes, guided by coverage (ARGS="300 trace": seconds, targets)
	@scripts/fuzz.sh $(ARGS)
