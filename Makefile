# Every target sets up what it needs; `make demo` and `make test` are all that a fresh machine wants.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test thorough local-llm check lint notebooks bench setup clean

demo: setup
	$(BIN)/python -m memlab

test: setup
	$(BIN)/python -m pytest -n auto

# What repeats tests on further settings: left out of `make test`, which is to stay quick.
thorough: setup
	$(BIN)/python -m pytest -n auto -m thorough

# The LLM path against a real small model on this machine; skips, with the reason, where there is none.
local-llm: setup
	-$(BIN)/python -m pip install --quiet --requirement tests/local_llm/requirements.txt
	$(BIN)/python -m pytest -m local_llm tests/local_llm

check: test thorough lint notebooks

lint: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

notebooks: setup
	$(BIN)/python notebooks/run_all.py

bench: setup
	$(BIN)/python benchmarks/run_all.py

setup: .venv/ready

.venv/ready: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "memlab needs Python 3.11 or newer; name one: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[dev,notebook,offline,graph,neo4j]"
	touch $@

clean:
	rm -rf .venv
