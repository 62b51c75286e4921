# Everything a contributor types; `make help` lists it. Works with GNU make 3.81 and later.

VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= python3.13 python3.12 python3.11 python3 python
WORKERS ?= 2
ARGS ?=

RUN_STAMP := $(VENV)/.stamp-run
DEV_STAMP := $(VENV)/.stamp-dev
MODELS_STAMP := layers/embedding/.build/.stamp
ALL_MODELS_STAMP := layers/embedding/.build/.stamp-all
MODEL_SOURCES := $(wildcard layers/embedding/models.toml layers/embedding/calibration.jsonl \
	layers/embedding/means/*.npy layers/embedding/python/omoide_embedding/*.py \
	layers/embedding/python/omoide_embedding/build/*.py \
	layers/core/python/omoide/domain/stop_words.py)
CDK := infra/aws/node_modules/.bin/cdk
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes

.DEFAULT_GOAL := help
.PHONY: help setup run test check lint models bench quality docs lock clean
.PHONY: bootstrap deploy destroy emulate invoke e2e
.DELETE_ON_ERROR:

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z0-9]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(RUN_STAMP) $(MODELS_STAMP) ## Make .venv and the embedding models; run and test do it first

run: setup ## Serve on http://127.0.0.1:8000 (ARGS="--port 9000 --data DIR")
	$(BIN)/omoide serve $(ARGS)

test: $(DEV_STAMP) $(ALL_MODELS_STAMP) ## Run every test (ARGS="tests/unit -k decay", WORKERS=2)
	$(BIN)/pytest -n $(WORKERS) --dist loadfile $(ARGS)

lint: $(DEV_STAMP) ## Style, types and import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/pyright

check: lint test ## All that must hold before a merge: lint, locks, docs and OpenAPI drift, tests

models: $(RUN_STAMP) ## Build the ONNX files of an embedding model (ARGS=minilm, ARGS=--all)
	$(BIN)/python -m omoide_embedding.build $(ARGS)

bench: $(DEV_STAMP) $(MODELS_STAMP) ## Latency at 1k, 10k and 100k memories, throughput, start-up, memory
	$(BIN)/omoide bench $(ARGS)

quality: setup ## Retrieval quality on the evaluation sets in the folder OMOIDE_EVAL_DATA
	$(BIN)/python -m infra.local.evaluation quality $(ARGS)
	$(BIN)/python -m infra.local.evaluation labelled tests/quality/labelled
	$(BIN)/python -m infra.local.evaluation confidence tests/quality/labelled

bootstrap: $(DEV_STAMP) $(MODELS_STAMP) $(CDK) ## Prepare an AWS account and region for make deploy, once
	$(CDK) bootstrap $(ARGS)

deploy: $(DEV_STAMP) $(MODELS_STAMP) $(CDK) ## Deploy to the AWS account of the environment (ARGS="-c search=exact")
	$(CDK) deploy $(ARGS)

destroy: $(DEV_STAMP) $(MODELS_STAMP) $(CDK) ## Take the deployment away; the table with the memories stays
	$(CDK) destroy $(ARGS)

emulate: $(DEV_STAMP) $(MODELS_STAMP) $(CDK) ## The deployed stack on this machine, without an account (ARGS="--port 4567")
	$(BIN)/python -m infra.local.emulate $(ARGS)

invoke: $(DEV_STAMP) ## Send a sample event to a function of make emulate (F=store_memory, ARGS=--aws)
	$(BIN)/python -m infra.local.invoke $(F) $(ARGS)

e2e: $(DEV_STAMP) $(ALL_MODELS_STAMP) $(CDK) ## Everything that needs the emulator, OpenSearch or Lambda's runtime client
	$(BIN)/pytest tests/opensearch tests/runtime -m "opensearch or runtime" \
		-n $(WORKERS) --dist loadgroup $(ARGS)
	$(BIN)/python -m infra.local.emulate --port 0 -- $(BIN)/pytest tests/emulated -m emulator $(ARGS)

docs: $(DEV_STAMP) ## Write the generated documents anew: OpenAPI, operations, settings, commands
	$(BIN)/python -m functions.documents
	$(BIN)/python -m infra.local.cli_reference

lock: ## Resolve the dependencies anew (UPGRADE=--upgrade for newer ones); needs uv
	@command -v uv >/dev/null || { echo "make lock needs uv: python3 -m pip install uv" >&2; exit 1; }
	uv pip compile $(UPGRADE) --quiet --universal --python-version 3.11 --generate-hashes \
		--no-annotate --custom-compile-command "make lock" \
		pyproject.toml --output-file requirements/run.txt
	uv pip compile $(UPGRADE) --quiet --universal --python-version 3.11 --generate-hashes \
		--no-annotate --custom-compile-command "make lock" --constraint requirements/run.txt \
		pyproject.toml --group dev --output-file requirements/dev.txt
	uv pip compile $(UPGRADE) --quiet --universal --python-version 3.11 --generate-hashes \
		--no-annotate --custom-compile-command "make lock" \
		--group emulator --output-file requirements/emulator.txt
	uv pip compile $(UPGRADE) --quiet --universal --python-version 3.11 --generate-hashes \
		--no-annotate --custom-compile-command "make lock" --constraint requirements/run.txt \
		--group gateway --output-file requirements/gateway.txt
	cd infra/aws && npm install --package-lock-only --ignore-scripts --no-audit --no-fund

$(CDK): infra/aws/package-lock.json
	@command -v npm >/dev/null || { echo "deploying needs Node.js 20 or later with npm" >&2; exit 1; }
	cd infra/aws && npm ci --ignore-scripts --no-audit --no-fund --silent
	@touch $@

clean: ## Remove .venv, the built models and the caches; stored memories stay
	rm -rf $(VENV) layers/embedding/.build infra/packaging/.build infra/local/.build \
		infra/aws/node_modules cdk.out dist .pytest_cache .ruff_cache .hypothesis \
		.import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@for python in $(PYTHON); do \
		if "$$python" -c 'import ensurepip, sys, venv; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' \
			>/dev/null 2>&1; then \
			echo "making $(VENV) with $$("$$python" --version)"; \
			exec "$$python" -m venv $(VENV); \
		fi; \
	done; \
	echo "Omoide needs Python 3.11, 3.12 or 3.13 with the venv module, and found none of: $(PYTHON)." >&2; \
	echo "Install one (Debian and Ubuntu: python3-venv), or name it: make $(MAKECMDGOALS) PYTHON=/path/to/python3" >&2; \
	exit 1

$(RUN_STAMP): requirements/run.txt infra/local/link_checkout.py | $(BIN)/python
	$(PIP_INSTALL) --requirement requirements/run.txt
	$(BIN)/python infra/local/link_checkout.py
	@touch $@

$(DEV_STAMP): requirements/dev.txt $(RUN_STAMP)
	$(PIP_INSTALL) --requirement requirements/dev.txt
	@touch $@

$(MODELS_STAMP): $(MODEL_SOURCES) | $(RUN_STAMP)
	$(BIN)/python -m omoide_embedding.build
	@mkdir -p $(@D)
	@touch $@

$(ALL_MODELS_STAMP): $(MODEL_SOURCES) | $(RUN_STAMP)
	$(BIN)/python -m omoide_embedding.build --all
	@mkdir -p $(@D)
	@touch $@
