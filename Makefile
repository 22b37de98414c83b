# Everything runs in .venv in the project root. A stamp file remembers what was installed, so that
# a second `make` installs nothing and needs no network.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Pages and plots are made without a screen.
export MPLBACKEND := Agg

.PHONY: help setup demo test lint types drift verify unit system format clean

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

test: $(STAMP) lint types drift unit ## Everything CI checks.

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

drift: $(STAMP) ## Fail when generated files differ from their source.
	$(BIN)/autograded build --check

unit: $(STAMP)
	$(BIN)/python -m pytest tests

format: $(STAMP) ## Format and fix what can be fixed.
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean: ## Remove everything that can be made again; a class in classroom/ stays.
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache
