# The repository's commands. `make` alone lists them.

# rustup puts cargo here, but only a new login shell has it in its path.
export PATH := $(PATH):$(or $(CARGO_HOME),$(HOME)/.cargo)/bin

.DEFAULT_GOAL := help
.PHONY: help run demo site check test lint doc test-page test-window test-tools ci long audit bench firmware page fuzz mutants

help: ## print this list
	@sed -n 's/^\([a-z-]*\): ## \(.*\)/  make \1	\2/p' $(firstword $(MAKEFILE_LIST))

run: ## play: the board in a window (ARGS="--scale 3" goes to `nudge run`)
	@scripts/run.sh $(ARGS)

demo: ## the board as one file that plays in any browser, docs/demo.html
	@scripts/demo.sh

site: ## the documentation as a site, in target/site/html
	@scripts/site.sh

check: ## before a commit: formatting, lints, unit tests, the recorded traces
	@scripts/check.sh

test: ## the project's tests: unit, integration, the traces on native, a sample on the Pico's binary
	@scripts/test.sh

lint: ## formatting, lock files, lints
	@scripts/lint.sh

doc: ## the API documentation in target/doc, with warnings as errors
	@scripts/doc.sh

test-page: ## the page in Chromium and Firefox
	@scripts/test-page.sh

test-window: ## the window under Xvfb
	@scripts/test-window.sh

test-tools: ## what talks to other programs: qemu, GDB, sigrok, lcov, pytest, RP2040 programs from source
	@scripts/test-tools.sh

ci: ## before a pull request: all of the above, in the order that uses both cores
	@scripts/ci.sh

long: ## all of `make ci`, where that does a part: before a release
	@scripts/ci.sh whole

audit: ## dependencies, licences, spelling (ARGS="deny typos": only these)
	@scripts/audit.sh $(ARGS)

bench: ## measure speed and bus traffic, with this machine's name
	@scripts/bench.sh

firmware: ## the Pico's binary and the probe's as ELF and UF2 in target/firmware, within their budgets
	@scripts/firmware.sh
	@scripts/firmware.sh probe

page: ## build the page that `nudge open` and reports contain, in web/bundle
	@scripts/page.sh

fuzz: ## random bytes for every parser, guided by coverage (ARGS="300 trace": seconds, targets)
	@scripts/fuzz.sh $(ARGS)

mutants: ## bugs put into the sources, and what notices them; hours (ARGS="--shard 3/40")
	@scripts/mutants.sh $(ARGS)
