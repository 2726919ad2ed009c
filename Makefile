# The repository's commands. `make` alone lists them.

# rustup puts cargo here, but only a new login shell has it in its path.
export PATH := $(PATH):$(or $(CARGO_HOME),$(HOME)/.cargo)/bin

.DEFAULT_GOAL := help
.PHONY: help run demo check test long doc audit bench firmware page fuzz mutants

help: ## print this list
	@sed -n 's/^\([a-z]*\): ## \(.*\)/  make \1	\2/p' $(firstword $(MAKEFILE_LIST))

run: ## play: the board in a window (ARGS="--scale 3" goes to `nudge run`)
	@scripts/run.sh $(ARGS)

demo: ## the board as one file that plays in any browser, docs/demo.html
	@scripts/demo.sh

check: ## before a commit: formatting, lints, unit tests, the recorded traces
	@scripts/check.sh

test: ## before a pull request: also all tests, the Pico's binary, the window under Xvfb
	@scripts/test.sh

long: ## all of what `make test` does a part of, and nothing less: before a release
	@scripts/test.sh whole

doc: ## the API documentation in target/doc, with warnings as errors
	@scripts/doc.sh

audit: ## dependencies, licences, spelling (ARGS="deny typos": only these)
	@scripts/audit.sh $(ARGS)

bench: ## measure speed and bus traffic, with this machine's name
	@scripts/bench.sh

firmware: ## the Pico's binary and the probe's as ELF and UF2 in target/firmware, within their budgets
	@scripts/firmware.sh
	@scripts/firmware.sh probe

page: ## the machine for a page in a browser, in target/page
	@scripts/page.sh

fuzz: ## random bytes for every parser, guided by coverage (ARGS="300 trace": seconds, targets)
	@scripts/fuzz.sh $(ARGS)

mutants: ## bugs put into the sources, and what notices them; hours (ARGS="--shard 3/40")
	@scripts/mutants.sh $(ARGS)
