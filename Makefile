# Dieselfront. `make` alone lists what it can do. All that is needed beforehand: Python 3.11 or newer, and make.

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
WORKERS ?= 2

# What `make play` and `make test` install, as extras of pyproject.toml; `make lock` writes it down with hashes.
PLAY_EXTRAS := print server
TEST_EXTRAS := $(PLAY_EXTRAS) postgres speed bench gym learn ray dev

HAS_WEB := $(wildcard web/package.json)
COMMAND := $(if $(wildcard src/dieselfront/cli/serve.py),serve,play)
WEB_SOURCES := $(shell find web -path web/node_modules -prune -o -path web/dist -prune -o -type f -print 2>/dev/null)

READY_TO_PLAY := $(VENV)/.ready-to-play
READY_TO_TEST := $(VENV)/.ready-to-test
PACKAGE := $(VENV)/.package
KERNEL := src/dieselfront/table/measured/_kernel.c src/dieselfront/table/square/_kernel.c scripts/build_kernel.py
WEB_PACKAGES := $(VENV)/.web-packages
WEB_BUILT := $(VENV)/.web-built

.DEFAULT_GOAL := help
.PHONY: help play test check format lint types imports unit unit-all web web-test lock clean

help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

play: $(READY_TO_PLAY) $(PACKAGE) $(if $(HAS_WEB),$(WEB_BUILT)) ## set up all that is needed and start the game; LAN=1 for friends in your network too
	@$(BIN)/dieselfront $(COMMAND)$(if $(LAN), --lan)

test: lint types imports unit-all $(if $(HAS_WEB),web-test) ## set up all that is needed and run every test

check: lint types imports unit ## the quick loop: lint, types, unit tests

lint: $(READY_TO_TEST)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet . || { echo 'These files are not formatted; run `make format`:'; \
		$(BIN)/ruff format --check . --output-format concise; exit 1; }

types: $(READY_TO_TEST)
	$(BIN)/mypy

imports: $(READY_TO_TEST) $(PACKAGE)
	$(BIN)/lint-imports --no-logo

unit: $(READY_TO_TEST) $(PACKAGE)
	$(BIN)/python -m pytest -q -n $(WORKERS) -m 'not slow'

unit-all: $(READY_TO_TEST) $(PACKAGE)
	@scripts/ensure_postgres >/dev/null || true # what needs it is skipped where it cannot be had
	@scripts/ensure_nginx >/dev/null || true
	HYPOTHESIS_PROFILE=ci $(BIN)/python -m pytest -q -n $(WORKERS)

format: $(READY_TO_TEST) ## write all Python files in the house's format
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

web: $(if $(HAS_WEB),$(WEB_BUILT)) ## build the browser app
	@$(if $(HAS_WEB),:,echo 'There is no browser app yet (no web/package.json).')

web-test: $(READY_TO_TEST) $(PACKAGE) $(WEB_BUILT)
	cd web && ../scripts/with_node npm run --if-present check
	cd web && ../scripts/with_node npm run --if-present test
	cd web && chromium=$$(../scripts/ensure_chromium) && CHROMIUM=$$chromium ../scripts/with_node npm run --if-present test:browser

lock: $(BIN)/python ## write the lock files anew after a change of pyproject.toml (UPGRADE=1: newest versions)
	scripts/lock $(if $(UPGRADE),--upgrade) --play '$(PLAY_EXTRAS)' --test '$(TEST_EXTRAS)'

clean: ## remove the environment and everything that was built
	rm -f src/dieselfront/table/*/_kernel.*.so
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache web/node_modules web/dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# ---------------------------------------------------------------- the environment; a stamp says that a step is done

$(BIN)/python:
	scripts/make_venv $(VENV)

$(READY_TO_PLAY): requirements.lock | $(BIN)/python
	$(PIP) install --quiet --require-hashes -r requirements.lock
	@touch $@

$(READY_TO_TEST): requirements-dev.lock | $(BIN)/python
	$(PIP) install --quiet --require-hashes -r requirements-dev.lock
	@touch $@

$(PACKAGE): pyproject.toml $(KERNEL) | $(BIN)/python
	@test -e $(READY_TO_PLAY) -o -e $(READY_TO_TEST) || $(MAKE) --no-print-directory $(READY_TO_PLAY)
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

$(WEB_PACKAGES): web/package.json web/package-lock.json | $(BIN)/python
	cd web && ../scripts/with_node npm ci --no-audit --no-fund
	@touch $@

$(WEB_BUILT): $(WEB_PACKAGES) $(WEB_SOURCES)
	cd web && ../scripts/with_node npm run build
	@touch $@
