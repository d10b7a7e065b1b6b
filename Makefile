# Two commands for a new checkout: `make migrate` and `make test`. Both set themselves up in .venv.
PYTHON ?= $(shell command -v python3.11 || command -v python3 || echo python3.11)
VENV   ?= .venv
EXTRAS ?= verify,dev
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed

.PHONY: migrate test lint setup docs clean

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "musify-ai needs Python 3.11 or newer; set PYTHON=..." >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$(EXTRAS)]'
	@touch $@

setup: $(STAMP)

migrate: $(STAMP)
	$(BIN)/musify-ai migrate corpus/gallery --out build/gallery-musa --report build/gallery-report

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint
	$(BIN)/pytest -n auto --dist worksteal

docs: $(STAMP)
	$(BIN)/musify-ai rules docs --out docs

clean:
	rm -rf build dist .venv
