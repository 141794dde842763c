# From an empty clone: every target first makes .venv with what it needs, and makes it anew when pyproject.toml changes.
# Before tests all kernels are compiled once: each of pytest's workers would compile them while it collects.
# PYTHON=/path/to/python chooses the Python; ARGS="..." is passed on to the command.

# What .venv gets for each: extras of Carom and groups of pyproject.toml, which pip reads since 25.1.
EXTRAS_play = jit,play
EXTRAS_test = all
GROUPS_test = test
EXTRAS_check = all
GROUPS_check = test check
EXTRAS_bench = all
GROUPS_bench = rivals
EXTRAS_conformance = jit
GROUPS_conformance =
EXTRAS_wheel = jit,tables
GROUPS_wheel = wheel
EXTRAS_release = all
GROUPS_release = release test
EXTRAS_page = jit,tables
GROUPS_page = page
EXTRAS_docs = jit,play,tables
GROUPS_docs = docs
ARGS =
WORKERS = -n auto --maxprocesses=4 --dist=worksteal
HEADLESS = SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy

export PYTHON
export PIP_DISABLE_PIP_VERSION_CHECK = 1
.PHONY: help play test test-full check check-page docs bench conformance page prebuilt wheel ship ship-full release clean
.NOTPARALLEL:

help:
	@echo "make play       play Breakout; without a display it plays itself and leaves breakout.png"
	@echo "make test       run the tests, the long ones sampled"
	@echo "make test-full  run every test, long ones too"
	@echo "make check      lint, formatting, unused code, workflows, types (of the pages, too), direction of imports, sizes of files"
	@echo "make check-page format and lint the scripts of the playground's page; needs Node"
	@echo "make docs       build the documentation's site, into site; its links are checked"
	@echo "make bench      measure against other libraries, into benchmarks/results"
	@echo "make conformance play the scenes of conformance/, against Carom or ARGS=\"--engine pymunk\""
	@echo "make page       compile the kernels of the playground's live page, and write playground.html"
	@echo "make wheel      build a wheel with compiled kernels for this machine, into dist"
	@echo "make prebuilt   put compiled kernels beside the sources; any edit of these turns them off"
	@echo "make ship       build sdist, wheel and page, and try them: every Python here, examples, pages, Chromium"
	@echo "make ship-full  the same, with every test run on the wheel"
	@echo "make release    date the changelog, run every test and keep their summary; says what to do next"
	@echo "make clean      remove .venv, all caches and what was built"

play: .venv/.with-play
	@.venv/bin/carom breakout $(ARGS)

test: .venv/.with-test
	@.venv/bin/carom compile
	@$(HEADLESS) .venv/bin/python -m pytest -q $(WORKERS) $(ARGS)

test-full: .venv/.with-test .venv/.with-page
	@.venv/bin/carom compile
	@$(HEADLESS) .venv/bin/python -m pytest -q $(WORKERS) -m "" --hypothesis-profile=full $(ARGS)

check: .venv/.with-check
	@.venv/bin/python -m ruff check --quiet .
	@.venv/bin/python -m ruff format --check --quiet .
	@! .venv/bin/vulture | grep "^src/"
	@.venv/bin/zizmor --quiet --offline .github
	@.venv/bin/check-jsonschema --quiet --builtin-schema vendor.github-workflows .github/workflows/*.yml
	@.venv/bin/check-jsonschema --quiet --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/[!c]*.yml
	@.venv/bin/python -m pytest -q tests/house/test_imports.py tests/house/test_structure.py tests/house/test_words.py & \
		.venv/bin/python -m mypy && .venv/bin/python tools/typed_pages.py; types=$$?; wait $$! && exit $$types

check-page:
	@npx --yes @biomejs/biome@2.6.8 check --write

docs: .venv/.with-docs
	@.venv/bin/python -m tools.site $(ARGS)

bench: .venv/.with-bench
	@$(HEADLESS) .venv/bin/python -m benchmarks $(ARGS)

conformance: .venv/.with-conformance
	@PYTHONPATH=conformance .venv/bin/python -m carom_conformance $(ARGS)

page: .venv/.with-page
	@.venv/bin/python -m tools.emit.page
	@.venv/bin/carom playground --html playground.html $(ARGS)

prebuilt: .venv/.with-wheel
	@.venv/bin/python -m tools.emit.build src/carom

wheel: .venv/.with-wheel
	@.venv/bin/python -m tools.emit.wheel dist

ship: .venv/.with-wheel
	@.venv/bin/python -m tools.ship $(ARGS)

ship-full: .venv/.with-wheel
	@.venv/bin/python -m tools.ship --full $(ARGS)

release: .venv/.with-release
	@.venv/bin/python tools/release.py $(ARGS)

clean:
	@rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist site src/carom/_kernels.* src/carom_playground/browser/kernels.wasm
	@find src tests benchmarks conformance examples -name __pycache__ -type d -exec rm -rf {} +

# The stamps lie inside .venv, after the step that they vouch for: what failed or was removed is done again.
.venv/.made: pyproject.toml tools/make-venv
	@tools/make-venv
	@touch $@

.venv/.with-%: .venv/.made Makefile
	@echo "Installing Carom with [$(EXTRAS_$*)] into .venv, once"
	@.venv/bin/python -m pip install --quiet --editable ".[$(EXTRAS_$*)]" $(addprefix --group ,$(GROUPS_$*))
	@touch $@
