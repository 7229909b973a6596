# Latido's commands. `make demo` and `make test` do all their set-up on Debian 12 and 13; every step
# is done once, and nothing is downloaded when it is all there. `make help` lists the commands.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory

BUILD := build
RELEASE := $(BUILD)/release
STAMPS := $(BUILD)/stamps
VENV := .venv
PYTHON := $(VENV)/bin/python
JOBS ?= $(shell nproc)

# Their versions, and those of all they need, are in constraints.txt.
PYTHON_PACKAGES := torch numpy scikit-learn transformers accelerate lightning \
  pytest pytest-xdist perfetto mypy ruff clang-format scikit-build-core

# What the tests test, and the recordings that some of them are checked against, if these are here.
export LATIDO_BINARY := $(CURDIR)/$(RELEASE)/bin/latido
export LATIDO_PYTHON_PATH := $(CURDIR)/$(RELEASE)/python
ifneq ($(wildcard ../shared/corpus),)
export LATIDO_CORPUS := $(abspath ../shared/corpus)
endif

# $(call step,What is done): a line that says so. $(call or_stop,what failed): ends a command.
step = @printf '\n==> %s\n' "$(1)"
or_stop = || { printf '\nmake: stopped: %s\n' "$(1)" >&2; exit 1; }

.PHONY: help
help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

# ---- set-up -------------------------------------------------------------------------------------

$(STAMPS)/packages: tools/install-packages.sh
	$(call step,Debian packages)
	@tools/install-packages.sh $(call or_stop,the Debian packages are not complete)
	@mkdir -p $(@D) && touch $@

$(VENV)/complete: constraints.txt tools/make-venv.sh tools/find-pythons.sh Makefile | $(STAMPS)/packages
	$(call step,Python packages in $(VENV))
	@tools/make-venv.sh $(VENV) any $(PYTHON_PACKAGES) $(call or_stop,the Python environment is not complete)

.PHONY: install-env
install-env: $(STAMPS)/packages $(VENV)/complete ## install all that building and testing needs

# ---- build --------------------------------------------------------------------------------------

# Interpreters to build the extension for: that of the environment, and each other that has headers.
PYTHONS = $(shell tools/find-pythons.sh --headers | paste -sd ';')

# $(call build,preset,more cmake arguments)
build = cmake --preset $(1) $(2) >$(STAMPS)/configure-$(1).log 2>&1 \
  || { cat $(STAMPS)/configure-$(1).log >&2; printf '\nmake: stopped: %s\n' "cmake --preset $(1) failed" >&2; exit 1; }; \
  cmake --build --preset $(1) -j $(JOBS) $(call or_stop,the $(1) build failed)

.PHONY: build
build: $(STAMPS)/packages $(VENV)/complete ## build the program, the library and the extension (build/release)
	$(call step,Release build)
	@$(call build,release,"-DLATIDO_PYTHONS=$(PYTHONS)")

# ---- use ----------------------------------------------------------------------------------------

.PHONY: demo
demo: build ## a starved and a healthy training, their verdicts, and the difference
	$(call step,Demo)
	@PYTHON=$(CURDIR)/$(PYTHON) LATIDO=$(LATIDO_BINARY) examples/demo/run.sh $(call or_stop,the demo failed)

# ---- tests --------------------------------------------------------------------------------------

.PHONY: test
test: build unit-test asan-test lint python-test ## every test: unit, sanitizers, lint, Python, system

.PHONY: unit-test
unit-test: build
	$(call step,Unit tests)
	@ctest --preset release -j $(JOBS) $(call or_stop,a unit test failed)

.PHONY: asan-test
asan-test: $(STAMPS)/packages
	$(call step,Unit tests under the address and undefined-behaviour sanitizers)
	@mkdir -p $(STAMPS) && $(call build,asan-ubsan)
	@ctest --preset asan-ubsan -j $(JOBS) $(call or_stop,a unit test failed under a sanitizer)

# One pytest run each: every folder has a conftest.py of its own. In those of SHARED as many tests at a
# time as there are cores, then those that measure time (marked alone; 5: none is) one by one.
PYTEST_FOLDERS = $(wildcard tests/tools tests/compat)
PYTEST_SHARED = $(wildcard python/tests tests/system)

.PHONY: python-test
python-test: build
	$(call step,Python and system tests)
	@tools/test-other-pythons.sh $(RELEASE) $(PYTHON) $(call or_stop,a Python test failed)
	@for tests in $(PYTEST_FOLDERS); do printf '%s:\n' "$$tests"; \
	  $(PYTHON) -m pytest $(PYTEST_FLAGS) "$$tests" $(call or_stop,a test under $$tests failed); done
	@for tests in $(PYTEST_SHARED); do printf '%s:\n' "$$tests"; \
	  $(PYTHON) -m pytest $(PYTEST_FLAGS) -n $(JOBS) --dist worksteal -m 'not alone' "$$tests" $(call or_stop,a test under $$tests failed); \
	  $(PYTHON) -m pytest $(PYTEST_FLAGS) -m alone "$$tests" || [[ $$? = 5 ]] $(call or_stop,a test under $$tests failed); done

CXX_FILES = $(shell find src python/native examples fuzz bench tests \
  \( -name '*.h' -o -name '*.cc' -o -name '*.c' -o -name '*.cpp' \) 2>/dev/null)
TYPED = $(wildcard python/latido tools)

.PHONY: lint
lint: $(VENV)/complete ## formatting, types and layers; a few seconds
	$(call step,Formatting, types and layers)
	@$(VENV)/bin/clang-format --dry-run -Werror $(CXX_FILES) $(call or_stop,run: make format)
	@$(VENV)/bin/ruff check --quiet . $(call or_stop,ruff found something)
	@$(VENV)/bin/ruff format --quiet --check . $(call or_stop,run: make format)
	@$(PYTHON) -m mypy --strict $(TYPED) $(call or_stop,mypy found something)
	@$(PYTHON) tools/check_layers.py --table ARCHITECTURE.md $(call or_stop,an include crosses the layers)
	@$(PYTHON) tools/check_changes.py $(call or_stop,see changes/README.md)

.PHONY: format
format: $(VENV)/complete ## format C++ and Python files in place
	@$(VENV)/bin/clang-format -i $(CXX_FILES)
	@$(VENV)/bin/ruff format --quiet .

.PHONY: tsan-test
tsan-test: $(STAMPS)/packages
	$(call step,Unit tests under the thread sanitizer)
	@mkdir -p $(STAMPS) && $(call build,tsan)
	@ctest --preset tsan -j $(JOBS) $(call or_stop,a unit test failed under the thread sanitizer)

.PHONY: check-all
check-all: test ## before a change is called done: test, TSan, clang-tidy, headers, fuzzing, the other Debian
	@tools/install-packages.sh --checks $(call or_stop,the Debian packages of the checks are not complete)
	@$(MAKE) tsan-test
	$(call step,clang-tidy)
	@tools/run-clang-tidy.sh $(RELEASE) $(call or_stop,clang-tidy found something)
	$(call step,Each header by itself)
	@tools/check-headers.sh $(call or_stop,a header cannot be compiled by itself)
	$(call step,Fuzzing for 60 s a target)
	@mkdir -p $(STAMPS) && $(call build,fuzz,$$(tools/find-clang.sh --cmake))
	@tools/fuzz-smoke.sh $(BUILD)/fuzz 60 $(call or_stop,a fuzz target failed)
	$(call step,The other Debian)
	@tools/check-other-debian.sh $(BUILD)/other-debian $(call or_stop,the other Debian failed)
	$(call step,check-all: everything passed)

# $(call measure,what was missed when it fails,command): the others are measured all the same.
measure = $(2) || printf '%s\n' "$(1)" >>$(BUILD)/bench/missed

.PHONY: bench
bench: build ## measure the costs that docs/benchmarks.md reports, on a machine that does nothing else
	$(call step,Machine and commit)
	@uname -srm; grep -m1 'model name' /proc/cpuinfo; uptime; git log -1 --format='commit %h of %ci' || true
	$(call step,C++: nanoseconds a zone)
	@$(call build,bench,-DLATIDO_PYTHONS=)
	@rm -f $(BUILD)/bench/missed
	@for program in $(BUILD)/bench/bench/*_bench; do \
	  $(call measure,$$program failed,{ "$$program" && LATIDO_DISABLE=1 "$$program"; }); done
	$(call step,Limits of the recorder: drops; bytes a zone; memory)
	@$(call measure,a limit of the recorder,$(PYTHON) bench/capture_limits.py --binary $(LATIDO_BINARY) \
	  --load $(BUILD)/bench/bench/zone_load)
	$(call step,Python: nanoseconds a zone; microseconds a step)
	@for program in python/bench/*_bench.py; do \
	  $(call measure,$$program failed,$(PYTHON) "$$program"); done
	$(call step,The recorder itself: share of a core; memory)
	@$(call measure,the cost of the recorder,$(PYTHON) bench/agent_cost.py --binary $(LATIDO_BINARY))
	$(call step,Stack sampling from outside: share of a core; slow-down of the target)
	@$(call measure,the cost of sampling stacks,$(PYTHON) bench/stack_sampling.py \
	  --sampler $(BUILD)/bench/bench/stack_sampler)
	$(call step,Recording functions and sampling stacks beside other tools: slow-down; bytes a call)
	@$(call measure,functions beside other tools,$(PYTHON) bench/functions.py --binary $(LATIDO_BINARY))
	$(call step,Whole programs: slow-down by latido run and the same program against itself)
	@$(call measure,the slow-down of a training (4: this machine is too noisy to tell),$(PYTHON) bench/overhead.py \
	  --rounds 30 --binary $(LATIDO_BINARY))
	$(call step,bench: all was measured; missed:)
	@! cat $(BUILD)/bench/missed 2>/dev/null || exit 1
	@echo 'nothing'

.PHONY: clean
clean: ## delete what was built; .venv stays (delete it by hand)
	rm -rf $(BUILD)
