# CI runs `make test`, and `make test-more` where there is a Java. `make help` lists the targets.

CARGO ?= cargo
PYTHON ?= python3
TARGET := $(or $(CARGO_TARGET_DIR),target)
PACKAGE := crates/lookalike-python
# Environments of their own: one builds the wheel, the other has what a user would have, and what tests need.
BUILDER := $(TARGET)/wheel-venv/bin/python
TESTER := $(abspath $(TARGET))/python-venv/bin/python
SPARK_TESTER := $(abspath $(TARGET))/spark-venv/bin/python
# The device library for C is a workspace of its own, built for size.
DEVICE := $(TARGET)/device
DEVICE_C := crates/lookalike-device/c
DEVICE_LIBRARY := $(DEVICE)/release/liblookalike_device.a
VECTORS := crates/lookalike-device/vectors
# The features of the library lookalike.
FEATURES := design geo pufferfish
# What a page in a browser can be made of: without files, programs and a ledger.
WASM := wasm32-unknown-unknown
WASM_CRATES := lookalike-core lookalike lookalike-formats lookalike-records lookalike-engine lookalike-report
HAS_WASM := [ -d "$$(rustc --print target-libdir --target $(WASM) 2>/dev/null)" ]
# The libraries whose unit tests are quick.
QUICK ?= lookalike-core lookalike lookalike-device
# What is fuzzed, on how many inputs each, and for how long at most.
FUZZ_TARGETS ?= spec plan chain mechanism records jsonl parquet arrow geojson ledger device
RUNS ?= 1000000
FUZZ_SECONDS ?= 3600
# What a machine may lack is installed by apt-get or cargo, after a word about it; INSTALL=no installs nothing and fails instead.
INSTALL ?= yes
TOOLS := CARGO="$(CARGO)" PYTHON="$(PYTHON)" INSTALL="$(INSTALL)" .ci/tools
PIP := -m pip --quiet --disable-pip-version-check install
MATURIN := maturin==1.16.0
# The crates that a registry would get, each after those that it depends on.
PUBLISHED := lookalike-device lookalike-core lookalike lookalike-formats lookalike-records lookalike-ledger lookalike-engine \
	lookalike-report lookalike-terminal lookalike-cli

.PHONY: help test test-more quick tools format dependencies deny advisories denier lint unit test-device device-library \
	device-size features wasm wasm-check compiler browser python wheel python-tests python-docs test-spark spark-tests docs golden soak fuzz fuzzer audit \
	package bench clean

help: ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

test: tools format dependencies lint features wasm unit test-device python-tests python-docs docs ## all tests; says first what it would install, and INSTALL=no stops it
	@echo "make test: all passed; make test-more has those on Spark"

test-more: test-spark ## what takes more than this machine may have: Spark, which needs Java

quick: format ## while working, in under three minutes: format, clippy, the unit tests of the libraries
	$(CARGO) clippy --release --locked --workspace -- -D warnings
	$(CARGO) test --release --locked --lib $(addprefix -p ,$(QUICK))

tools: ## what make test needs beside Rust: a compiler for C, Chromium, Python; installed where they are missing
	@$(TOOLS) compiler browser python

format: ## the formatter finds nothing to change
	$(CARGO) fmt --all --check
	$(CARGO) fmt --check --manifest-path fuzz/Cargo.toml

lint: ## clippy without a warning, in the fuzz targets too
	$(CARGO) clippy --release --locked --workspace --all-targets -- -D warnings
	$(CARGO) clippy --release --locked --no-default-features --manifest-path fuzz/Cargo.toml --target-dir $(TARGET) -- -D warnings

dependencies: python ## other people's crates: licences, sources and versions as deny.toml allows, without any tool
	@$(PYTHON) -B -m unittest discover --quiet -s .ci
	@CARGO="$(CARGO)" $(PYTHON) .ci/dependencies.py

deny: denier ## the same by cargo-deny
	$(CARGO) deny --locked --all-features check --hide-inclusion-graph bans licenses sources

advisories: denier ## what is known against the versions in Cargo.lock; asks the network
	$(CARGO) deny --locked --all-features check --hide-inclusion-graph advisories

denier: ## cargo-deny; installed where there is none, which takes minutes
	@$(TOOLS) cargo-deny

unit: browser python ## unit, property, integration and documentation tests, on the profile that ships
	$(CARGO) test --release --locked --workspace

test-device: compiler python device-library ## the device library from C: the pinned vectors, damaged tables, its size
	$(CARGO) test --release --locked -p lookalike-device --features os
	mkdir -p $(DEVICE)/test
	cc -std=c11 -O1 -Wall -Wextra -Wpedantic -Werror -I$(DEVICE_C)/include $(DEVICE_C)/test/vectors.c $(DEVICE_LIBRARY) \
		-o $(DEVICE)/test/vectors
	for form in rows keep; do $(DEVICE)/test/vectors $(VECTORS)/$$form.table $(VECTORS)/$$form.csv $(VECTORS)/$$form-edges.csv \
		|| exit 1; done
	@$(MAKE) --no-print-directory device-size

device-size: ## what the device library adds to a program in C; fails from 32 KB of code on
	@$(PYTHON) $(DEVICE_C)/test/size.py $(DEVICE_LIBRARY) $(DEVICE)/test

device-library: ## the device library for C, into target/device/release
	$(CARGO) fmt --check --manifest-path $(DEVICE_C)/Cargo.toml
	$(CARGO) clippy --release --locked --manifest-path $(DEVICE_C)/Cargo.toml --target-dir $(DEVICE) -- -D warnings
	$(CARGO) build --release --locked --manifest-path $(DEVICE_C)/Cargo.toml --target-dir $(DEVICE)

features: ## the library compiles without its features, and with each of them alone
	@for chosen in "" $(FEATURES); do echo "make features: lookalike with \"$$chosen\"" && \
		$(CARGO) clippy --release --locked --quiet -p lookalike --no-default-features --features "$$chosen" -- -D warnings || exit 1; done

wasm: ## the libraries compile for a browser, without files and ledger; where rustc has the target or rustup brings it
	@if ! $(HAS_WASM) && [ "$(INSTALL)" = yes ] && command -v rustup >/dev/null; then \
		echo "to be installed now (INSTALL=no prevents it): rustup target add $(WASM)" >&2; rustup target add $(WASM) || true; fi
	@if $(HAS_WASM); then $(MAKE) --no-print-directory wasm-check; \
		else echo "make wasm: NOT RUN, for this Rust has no $(WASM); with rustup: rustup target add $(WASM)" >&2; fi

wasm-check:
	$(CARGO) clippy --release --locked --target $(WASM) --no-default-features $(addprefix -p ,$(WASM_CRATES)) -- -D warnings
	$(CARGO) clippy --release --locked --target $(WASM) --no-default-features --features lookalike-engine/wasm_js \
		$(addprefix -p ,$(WASM_CRATES)) -- -D warnings

compiler: ## a compiler for C, for the device library; installed where there is none
	@$(TOOLS) compiler

browser: ## Chromium, which the test of the report opens pages in; installed where there is none
	@$(TOOLS) browser

python: ## Python, for the package and for a test that audits a program in it; installed where there is none
	@$(TOOLS) python

wheel: python ## the Python package, into target/wheels; shares the compiled dependencies with all the rest
	@[ -x $(BUILDER) ] || $(PYTHON) -m venv --clear $(TARGET)/wheel-venv
	$(BUILDER) $(PIP) $(MATURIN)
	rm -f $(TARGET)/wheels/lookalike-*.whl
	$(BUILDER) -m maturin build --release --locked --quiet --manifest-path $(PACKAGE)/Cargo.toml \
		--interpreter $(BUILDER) --target-dir $(TARGET) --out $(TARGET)/wheels
	@ls $(TARGET)/wheels/lookalike-*.whl

python-tests: wheel ## the Python package in a fresh virtual environment: its tests, examples, guide and types
	$(CARGO) build --release --locked --workspace --bins
	$(PYTHON) -m venv --clear $(TARGET)/python-venv
	$(TESTER) $(PIP) $(TARGET)/wheels/lookalike-*.whl numpy -c $(PACKAGE)/requirements-test.txt
	$(TESTER) $(PACKAGE)/tests/test_guide.py 'Ten minutes'
	$(TESTER) $(PIP) -r $(PACKAGE)/requirements-test.txt
	cd $(PACKAGE) && LOOKALIKE_CLI=$(abspath $(TARGET))/release/lookalike $(TESTER) -m pytest -q
	cd $(PACKAGE) && $(TESTER) -m mypy -p lookalike && $(TESTER) -m mypy.stubtest lookalike

python-docs: python-tests ## the reference of the Python package, from its docstrings, into target/python-docs
	cd $(PACKAGE) && $(TESTER) -m pdoc --no-show-source -o $(abspath $(TARGET))/python-docs lookalike

test-spark: ## the package on a real Spark, whose workers are killed in the middle of jobs; where there is a Java
	@if command -v java >/dev/null; then $(MAKE) --no-print-directory spark-tests; \
		else echo "make test-spark: NOT RUN, for there is no Java here; install Java 17 to run it" >&2; fi

spark-tests: wheel
	$(PYTHON) -m venv --clear $(TARGET)/spark-venv
	$(SPARK_TESTER) $(PIP) "$$(ls $(TARGET)/wheels/lookalike-*.whl)[spark]" -r $(PACKAGE)/tests_spark/requirements.txt
	cd $(PACKAGE)/tests_spark && $(SPARK_TESTER) -m pytest -q

docs: ## the API documentation builds without a warning
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --release --locked --workspace --no-deps

golden: browser python ## rewrite the golden files; read the diff before committing it
	UPDATE_GOLDEN=1 $(CARGO) test --release --locked --workspace

soak: browser python ## many more cases and repetitions, 200 kills of releases, runs and runs with a ledger, a million changed files for both certifiers, 100,000 fuzzed inputs
	LOOKALIKE_KILLS=200 LOOKALIKE_MUTATIONS=1000000 LOOKALIKE_INSTANCES=all LOOKALIKE_REPETITIONS=2000 PROPTEST_CASES=20000 PROPTEST_MAX_GLOBAL_REJECTS=10000000 $(CARGO) test --release --locked --workspace
	@$(MAKE) --no-print-directory fuzz RUNS=100000

# The limits are for a fuzzer that finds something: an input that takes 20 seconds or 2 GB, a target that takes hours.
fuzz: fuzzer ## each target of fuzz/ on RUNS inputs (default 1,000,000); FUZZ_TARGETS chooses
	@for target in $(FUZZ_TARGETS); do \
		mkdir -p fuzz/working/$$target && echo "make fuzz: $$target" && \
		RUSTC_BOOTSTRAP=1 $(CARGO) fuzz run --fuzz-dir fuzz --sanitizer none $$target fuzz/working/$$target fuzz/corpus/$$target \
			-- -runs=$(RUNS) -max_len=8192 -timeout=20 -rss_limit_mb=2048 -max_total_time=$(FUZZ_SECONDS) -verbosity=1 -print_final_stats=1 \
			|| exit 1; \
	done

fuzzer: ## cargo-fuzz and a compiler for C++; installed where there is none
	@$(TOOLS) cargo-fuzz c++

audit: ## attacks every mechanism: a hundred million draws for each finite one, four million for oracles
	LOOKALIKE_DRAWS=100000000 $(CARGO) test --release --locked -p lookalike --test all -- --nocapture audit_all::
	LOOKALIKE_DRAWS=4000000 $(CARGO) test --release --locked -p lookalike --test all -- --nocapture local_audit::

package: ## the crates that a registry would get, packed and built from what was packed
	$(CARGO) package --locked $(addprefix -p ,$(PUBLISHED))

bench: ## side by side with other tools, in at most 15 minutes; writes BENCHMARKS.md
	python3 benches/run.py

clean: ## remove what was built
	$(CARGO) clean
