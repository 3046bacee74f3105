# `make test` is everything CI runs. `make help` lists the targets.

CARGO ?= cargo

.PHONY: help test format lint unit docs golden soak bench clean

help: ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

test: format lint unit docs ## everything CI runs
	@echo "make test: all passed"

format: ## the formatter finds nothing to change
	$(CARGO) fmt --all --check

lint: ## clippy without a warning
	$(CARGO) clippy --release --workspace --all-targets -- -D warnings

unit: ## unit, property, integration and documentation tests, on the profile that ships
	$(CARGO) test --release --workspace

docs: ## the API documentation builds without a warning
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --release --workspace --no-deps

golden: ## rewrite the golden files; read the diff before committing it
	UPDATE_GOLDEN=1 $(CARGO) test --release --workspace

soak: ## the property tests with many more cases, the simulations with more repetitions
	LOOKALIKE_REPETITIONS=2000 PROPTEST_CASES=20000 $(CARGO) test --release --workspace

bench: ## side by side with other tools, in at most 15 minutes; writes BENCHMARKS.md
	python3 benches/run.py

clean: ## remove what was built
	$(CARGO) clean
