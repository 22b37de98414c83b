# Everything runs in .venv in the project root. A stamp file remembers what was installed, so that
# a second `make` installs nothing and needs no network.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# They look for what attacks and killed runs leave behind, and so have the machine to themselves.
ALONE := tests/hostile tests/bulk/test_interruption.py
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help setup demo test docs lint types messages drift verify mutants mutants-quick removal fuzz bench mangle kills corpus unit alone system format clean

help: ## Show this list.
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

setup: $(STAMP) ## Install everything into .venv.

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit("autograded needs Python 3.11 or newer; set PYTHON=…") if sys.version_info < (3, 11) else None'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	# torch first and by name: left to itself, pip may choose a build of several gigabytes.
	$(BIN)/pip install --quiet --constraint constraints.txt torch
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $@

demo: $(STAMP) ## Simulate a class of 30 and grade it end to end.
	$(BIN)/autograded demo

# `autograded verify` on the whole course is what tests/verify begins with.
test: $(STAMP) system lint types drift docs unit alone mutants-quick ## Everything CI checks.

# What tests need beyond Python: installed where we may, else named by the tests that miss it.
system:
	@if [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; then \
	  missing=""; \
	  command -v bwrap > /dev/null || missing="$$missing bubblewrap"; \
	  ls /usr/lib/postgresql/*/bin/initdb > /dev/null 2>&1 || missing="$$missing postgresql"; \
	  command -v chromium > /dev/null || missing="$$missing chromium"; \
	  if [ -n "$$missing" ]; then apt-get update -qq && apt-get install -y -qq $$missing; fi; \
	fi

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

messages: $(STAMP) ## Extract messages from src/, update the catalogues, compile them.
	$(BIN)/python tools/messages.py

drift: $(STAMP) ## Fail when generated files differ from their source.
	$(BIN)/autograded build --check
	$(BIN)/python tools/messages.py --check

unit: $(STAMP) system
	$(BIN)/python -m pytest tests -n 2 --dist loadfile --no-loadscope-reorder --durations 25 $(addprefix --ignore=,$(ALONE))

alone: $(STAMP) system
	$(BIN)/python -m pytest $(ALONE)

# The Indonesian site lies inside the English one, which is made first.
docs: $(STAMP) ## Build the documentation into site/; to read it: python -m http.server -d site
	rm -rf site
	$(BIN)/zensical build --strict
	$(BIN)/zensical build --strict --config-file mkdocs.id.yml

verify: $(STAMP) ## Prove the course: stubs fail, solutions pass, misconceptions are told apart.
	$(BIN)/autograded verify

mutants: $(STAMP) ## Mutate the solutions: no mutant may pass the hidden checks unexplained.
	$(BIN)/python tests/mutation/mutants.py

mutants-quick: $(STAMP)
	$(BIN)/python tests/mutation/mutants.py --quick

removal: $(STAMP) ## Leave out every hidden check in turn: verify must miss just what it alone catches.
	mkdir -p .cache
	$(BIN)/autograded verify --no-pairs --json .cache/evidence.json
	cd tests && $(CURDIR)/$(BIN)/python -m verify.removal ../.cache/evidence.json

# The fuzzer is no part of the set-up: its wheels exist for few platforms.
fuzz: $(STAMP) ## Fuzz the decoder of what students' processes send, for a minute.
	$(BIN)/pip install --quiet --constraint constraints.txt atheris
	$(BIN)/python tests/fuzz/fuzz_wire.py -max_total_time=60

# Absolute paths: both run as modules of tests/.
mangle: $(STAMP) ## Mangle 500 right notebooks of every assignment: each must keep full marks.
	cd tests && $(CURDIR)/$(BIN)/python -m submissions.mangle 500

kills: $(STAMP) system ## Kill a run over 200 submissions at 50 random moments: nothing may be lost.
	cd tests && $(CURDIR)/$(BIN)/python -m bulk.kills 50 200

corpus: $(STAMP) ## Make tests/corpus/broken/ anew, after the course's text has changed.
	cd tests && $(CURDIR)/$(BIN)/python -m submissions.corpus

bench: $(STAMP) ## Measure bulk grading against stock nbgrader (takes half an hour).
	$(BIN)/python benchmarks/sandbox.py
	$(BIN)/python benchmarks/bulk.py
	$(BIN)/python benchmarks/report.py

format: $(STAMP) ## Format and fix what can be fixed.
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean: ## Remove everything that can be made again; a class in classroom/ stays.
	rm -rf $(VENV) build dist site .cache .pytest_cache .mypy_cache .ruff_cache
