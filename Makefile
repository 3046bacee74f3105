# `make test` is everything CI runs. `make help` lists the targets.

CARGO ?= cargo
PYTHON ?= python3
BUILT = $${CARGO_TARGET_DIR:-target}

.PHONY: help test format lint unit browser python docs golden soak audit bench wheel python-tests clean

help: ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

test: format lint unit docs ## everything CI runs
	@echo "make test: all passed"

format: ## the formatter finds nothing to change
	$(CARGO) fmt --all --check

lint: ## clippy without a warning
	$(CARGO) clippy --release --workspace --all-targets -- -D warnings

unit: browser python ## unit, property, integration and documentation tests, on the profile that ships
	$(CARGO) test --release --workspace

browser: ## Chromium, which the test of the report opens pages in; installed where there is none
	@command -v "$${CHROMIUM:-chromium}" >/dev/null || command -v chromium-browser >/dev/null \
		|| command -v google-chrome >/dev/null || command -v google-chrome-stable >/dev/null || { \
		sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
		$$sudo apt-get update && $$sudo apt-get install -y --no-install-recommends chromium; }

python: ## Python, in which a test writes a program to audit; installed where there is none
	@command -v python3 >/dev/null || { \
		sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
		$$sudo apt-get update && $$sudo apt-get install -y --no-install-recommends python3; }

docs: ## the API documentation builds without a warning
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --release --workspace --no-deps

golden: browser python ## rewrite the golden files; read the diff before committing it
	UPDATE_GOLDEN=1 $(CARGO) test --release --workspace

soak: browser python ## the property tests with many more cases, the simulations with more repetitions
	LOOKALIKE_REPETITIONS=2000 PROPTEST_CASES=20000 $(CARGO) test --release --workspace

audit: ## attacks every mechanism: a hundred million draws for each finite one, four million for oracles
	LOOKALIKE_DRAWS=100000000 $(CARGO) test --release -p lookalike --test audit_all -- --nocapture
	LOOKALIKE_DRAWS=4000000 $(CARGO) test --release -p lookalike --test local_audit -- --nocapture

bench: ## side by side with other tools, in at most 15 minutes; writes BENCHMARKS.md
	python3 benches/run.py

wheel: ## the Python package as a wheel
	rm -rf "$(BUILT)/wheels"
	$(PYTHON) -m pip wheel --quiet --no-deps --wheel-dir "$(BUILT)/wheels" ./crates/lookalike-python

python-tests: wheel ## the Python tests against the wheel, in a fresh virtual environment
	$(CARGO) build --release -p lookalike-cli
	rm -rf "$(BUILT)/python" && $(PYTHON) -m venv "$(BUILT)/python"
	"$(BUILT)/python/bin/pip" install --quiet "$$(ls "$(BUILT)"/wheels/lookalike-*.whl)[tests]"
	LOOKALIKE_CLI="$$(realpath "$(BUILT)/release/lookalike")" \
		"$(BUILT)/python/bin/python" -m pytest -q crates/lookalike-python
	"$(BUILT)/python/bin/python" -m mypy --strict -p lookalike
	"$(BUILT)/python/bin/python" -m mypy.stubtest lookalike

clean: ## remove what was built
	$(CARGO) clean
