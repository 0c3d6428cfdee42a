# Everything here works on a machine with Python 3.11 or newer and make; the rest is fetched from PyPI into this folder.
#   make PYTHON=python3.13 test    another Python
#   make UV=uv test                a uv of your own instead of the one in .venv-tools
#   make side-by-side SIDE="--subjects python --policy exploratory"
#                                  options of a run that takes them
PYTHON ?= python3
TOOLS := .venv-tools
OWN_UV := $(TOOLS)/bin/uv
UV ?= $(OWN_UV)
VENV := .venv
RUN_STAMP := $(VENV)/.stamp-run
DEV_STAMP := $(VENV)/.stamp-dev
DEMO_OUT ?= demo-out
TRANSFER_TRADES := accounts-payable equipment-hire freight laboratory procurement it-service-desk
WORKERS ?= 2
SYNC = $(UV) sync --quiet --locked --python "$(PYTHON)"

# A foreign active environment is not ours to touch, and no Python is downloaded behind the user's back.
unexport VIRTUAL_ENV
export UV_PYTHON_DOWNLOADS := never

ifeq ($(UV),$(OWN_UV))
NEED_UV := $(OWN_UV)
endif

.DEFAULT_GOAL := help
.PHONY: help demo test check quality quality-tests certificates side-by-side bench exports transfer minors figure format lock clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1	\2/p' Makefile | expand -t 21

demo: $(RUN_STAMP) ## the whole flow on built-in material, offline; writes demo-out/
	$(VENV)/bin/worldwright demo --out "$(DEMO_OUT)"

test: $(DEV_STAMP) ## the test suite, with at least 85 % branch coverage
	$(VENV)/bin/pytest -n $(WORKERS) -m "not quality" --cov --cov-report=term --cov-fail-under=85

check: $(DEV_STAMP) ## lint, format and types
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy

quality-tests: $(DEV_STAMP) ## audits of some known faults and of all public cases, as tests (minutes)
	$(VENV)/bin/pytest -n $(WORKERS) -m quality tests/quality

certificates: $(RUN_STAMP) ## audit the example packs again: the same certificates, byte for byte
	$(VENV)/bin/python tests/certificates.py --workers $(WORKERS)

quality: $(RUN_STAMP) ## audit all subjects whose faults are known, and hold the rates to the floor (half an hour on two cores)
	$(VENV)/bin/python tests/quality/audit/measure.py --workers $(WORKERS) --out build/quality.jsonl --floor tests/quality/audit/floor.yaml

side-by-side: $(RUN_STAMP) ## this audit and three other tools over the same subjects (hours; fetches the tools from PyPI)
	$(VENV)/bin/python benchmarks/side_by_side/run.py --workers $(WORKERS) $(SIDE)

bench: $(RUN_STAMP) ## our speed against the raw driver
	$(VENV)/bin/worldwright bench

exports: $(RUN_STAMP) ## load every export with the framework that it is for (fetches TRL, verifiers and Inspect from PyPI)
	$(VENV)/bin/python tests/export/frameworks.py

transfer: $(RUN_STAMP) ## the transfer experiments: forge 100 tasks, train 420 small policies, write build/transfer (half an hour)
	test -f build/transfer/pack/pack.toml || $(VENV)/bin/worldwright forge $(TRANSFER_TRADES) \
		--patterns remedy,triage,reconcile,schedule --tasks 100 --no-report --workers $(WORKERS) -o build/transfer/pack
	$(VENV)/bin/worldwright transfer benchmarks/transfer/known-order.yaml -o build/transfer/known-order --workers $(WORKERS)
	$(VENV)/bin/worldwright transfer benchmarks/transfer/experiment.yaml -o build/transfer/experiment --workers $(WORKERS)
	$(VENV)/bin/worldwright transfer benchmarks/transfer/weakened.yaml -o build/transfer/weakened --workers $(WORKERS)

minors: $(RUN_STAMP) ## the same digests and verdicts under every Python minor found here
	$(VENV)/bin/python tests/minors.py --uv "$(UV)"

figure: $(RUN_STAMP) ## redraw the stage figure in README.md
	$(VENV)/bin/python -m worldwright.stages README.md

format: $(DEV_STAMP) ## format the code and sort the imports
	$(VENV)/bin/ruff check --fix --quiet .
	$(VENV)/bin/ruff format .

lock: $(NEED_UV) ## resolve uv.lock again after a change of dependencies
	$(UV) lock --python "$(PYTHON)"

clean: ## remove environments, caches and output
	rm -rf $(VENV) $(TOOLS) demo-out build dist .coverage .coverage.* .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# uv comes from PyPI into an environment of its own, so that nothing outside this folder changes.
$(OWN_UV):
	@"$(PYTHON)" -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "worldwright needs Python 3.11 or newer, but $(PYTHON) is %d.%d. Name another one: make PYTHON=python3.12 ..." % sys.version_info[:2])'
	@echo "Setting up $(TOOLS) (once)"
	@"$(PYTHON)" -m venv $(TOOLS)
	@$(TOOLS)/bin/python -m pip install --quiet --disable-pip-version-check --no-input 'uv>=0.9,<1'
	@touch $@

# --inexact leaves the development tools alone if they are already there; `test` and `check` bring them up to date.
$(RUN_STAMP): pyproject.toml uv.lock | $(NEED_UV)
	@echo "Setting up $(VENV)"
	@$(SYNC) --no-dev --inexact
	@touch $@

$(DEV_STAMP): pyproject.toml uv.lock | $(NEED_UV)
	@echo "Setting up $(VENV) with the development tools"
	@$(SYNC) --group dev
	@touch $(RUN_STAMP) $@
