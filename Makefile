# make play   a table in the browser
# make dev    the same while you change it: server and page follow the sources
# make check  what can be checked without a server or a browser
# make test   every check there is
# Each sets up what it needs, in .venv and web/node_modules, and says what the machine lacks.

PYTHON ?=
CHROMIUM ?=
export CHROMIUM

# Words for what is started: make play ARGS="--port 9000", make bench ARGS="--seconds 10"
ARGS ?=

with_python = python=$$(PYTHON='$(PYTHON)' sh tools/find_python.sh) && $$python -m

.PHONY: help play dev check test lowest docs bench soak lock release clean

help:
	@echo 'make play    play in the browser; words for the server: make play ARGS="--port 9000"'
	@echo 'make dev     play while you change the sources: server and page follow at once'
	@echo 'make check   run the checks that need no server, no browser and no other process'
	@echo 'make test    run every check'
	@echo 'make lowest  run the Python tests with the lowest versions that pyproject.toml allows'
	@echo 'make docs    write again the pages of docs/ that are made from other files, and build the site'
	@echo 'make bench   measure the speed of the engine beside others; to keep it: make bench ARGS=--write'
	@echo 'make soak    kill servers 1,000 times over SQLite and Postgres while people play: an hour or more'
	@echo 'make lock    write the lock files again; newest versions: make lock UPGRADE=1'
	@echo 'make release build what a release consists of, into dist/ (docs/releasing.md)'
	@echo 'make clean   remove all that was set up or built'

play:
	@$(with_python) tools.setup play
	@exec .venv/bin/jasstisch serve --open $(ARGS)

dev:
	@$(with_python) tools.setup dev
	@exec .venv/bin/python -m tools.dev $(ARGS)

check:
	@$(with_python) tools.setup check
	@exec .venv/bin/python -m tools.check --quick

test:
	@$(with_python) tools.setup test
	@exec .venv/bin/python -m tools.check $(ONLY)

lowest:
	@$(with_python) tools.setup check
	@exec .venv/bin/python -m tools.lowest $(ARGS)

docs:
	@$(with_python) tools.setup docs
	@.venv/bin/python -m tools.generate_docs
	@exec .venv/bin/python -m tools.docs_site

bench:
	@$(with_python) tools.bench_venv
	@exec .venv-bench/bin/python -m bench.peers $(ARGS)

soak:
	@$(with_python) tools.setup check
	@exec .venv/bin/python -m bench.soak $(ARGS)

lock:
	@$(with_python) tools.setup lock
	@exec .venv/bin/python -m tools.lock_dependencies $(if $(UPGRADE),--upgrade)

release:
	@$(with_python) tools.setup release
	@exec .venv/bin/python -m tools.release $(ARGS)

clean:
	rm -rf .venv .venv-bench .venv-lowest web/node_modules web/dist src/jasstisch/server/static
	rm -rf .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
