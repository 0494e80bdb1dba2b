# Two commands matter: `make run` opens the app, `make test` runs everything CI runs.
# Both build their own environment in .venv/ and need nothing but Python 3.11+ and make.
PYTHON ?= python3
BIN := .venv/bin
# Tests that wait for processes and browsers can miss their time on a busy machine: what failed runs once more,
# with both outcomes printed. (pytest-rerunfailures asks a server about every test: 28 s for a thousand of them.)
twice = $(1) || $(1) --last-failed --last-failed-no-failures none
# Each process has one half of the tests, so that what a file shares is made once, then takes of the other's.
UNIT := $(BIN)/python -m pytest -n 2 --dist worksteal --ignore=tests/app

# Where this is set, each of the programs that the tests start would compile the whole of it anew.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: run test check browser bench load visits calibration fuzz deep examples picture reference docs golden clean

run: .venv/.run
	$(BIN)/python -m dashboard

test: .venv/.dev browser
	$(MAKE) --no-print-directory lint
	$(call twice,$(BIN)/python -m pytest tests/app/test_load.py)
	$(call twice,$(UNIT))
	$(call twice,$(BIN)/python -m pytest -n 2 --dist loadfile tests/app --ignore=tests/app/test_load.py)

check: .venv/.dev
	$(MAKE) --no-print-directory lint
	$(UNIT)

# Properties on a thousand random examples each, others in every run, for an hour or two.
deep: .venv/.dev
	$(UNIT) -m hypothesis --hypothesis-profile=deep --timeout=3600

.PHONY: lint
lint: .venv/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# What the tests need of Debian (Chromium, nginx, PostgreSQL, TeX), where this machine lets us install it.
browser:
	@sh tests/install_debian.sh

bench: .venv/.dev
	$(BIN)/python -m tests.benchmarks

fuzz: .venv/.dev
	$(BIN)/python -m tests.fuzz

# Type I errors, error rates of boards and coverage: about an hour on one core; GROUP=boards redoes a part,
# SUBJECT=welch-t the rows of one procedure (minutes), wherever it is tried or in the GROUP that is named.
calibration: .venv/.dev
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.calibration $(GROUP) $(if $(SUBJECT),--subject $(SUBJECT))
	$(BIN)/python -m docs.make_calibration

# Thirty sessions at once; writes tests/app/LOAD.md.
load: .venv/.dev browser
	$(BIN)/python tests/app/load.py

# Clicks to every answer and a picture of every page: make visits FILES="mine.csv other.csv" (into build/visits).
visits: .venv/.dev browser
	$(BIN)/python tests/app/visits.py build/visits $(FILES)

examples: .venv/.run
	$(BIN)/python data/make_examples.py

picture: .venv/.dev browser
	$(BIN)/python docs/make_picture.py

# The site, from docs/ into build/site.
docs: .venv/.dev
	$(BIN)/mkdocs build --quiet

# The tables of methods, options, files and names, made from the code.
reference: .venv/.dev
	$(BIN)/python -m docs.make_reference

golden:
	sh tests/golden/remake.sh

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Python 3.11 or newer is needed; set PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/.run: requirements.txt requirements.lock | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt -c requirements.lock
	@touch $@

.venv/.dev: requirements.txt requirements.lock requirements-dev.txt | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt -c requirements.lock
	@touch $@ .venv/.run

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis build *.egg-info
