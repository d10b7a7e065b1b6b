# Two commands for a new checkout: `make migrate` and `make test`. Both set themselves up in .venv.
PYTHON ?= $(shell command -v python3.11 || command -v python3 || echo python3.11)
VENV   ?= .venv
EXTRAS ?= verify,dev
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed

HOUSE  := build/wheelhouse

.PHONY: migrate test test-long lint setup docs wheelhouse clean

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "musify-ai needs Python 3.11 or newer; set PYTHON=..." >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$(EXTRAS)]'
	@touch $@

setup: $(STAMP)

# What rules leave is put to answers of a small model that were recorded: nothing is sent, no model is needed, and
# without a sandbox none of its code is run. The options are those that it was recorded with (benchmarks/llm_record.py).
RECORDED := replay:corpus/recordings/qwen2.5-coder-1.5b-instruct
ASKED    := --llm $(RECORDED) --llm-store build/gallery-llm.sqlite --llm-repairs 1 --llm-samples 0 --llm-answer 512

migrate: $(STAMP)
	$(BIN)/musify-ai migrate corpus/gallery --out build/gallery-musa --report build/gallery-report $(ASKED)

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Wheels of musify-ai and of all that its base install and its build need: for machines without a network, and for the
# tests that install.
$(HOUSE)/.made: pyproject.toml $(STAMP)
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --wheel-dir $(HOUSE) . 'hatchling>=1.27'
	@touch $@

wheelhouse: $(HOUSE)/.made

test: lint wheelhouse
	$(BIN)/pytest -n auto --dist worksteal

# Those that build for minutes, which the usual run leaves out and counts as deselected.
test-long: $(STAMP)
	$(BIN)/pytest -n auto -m long

docs: $(STAMP)
	$(BIN)/musify-ai rules docs --out docs

clean:
	rm -rf build dist .venv
