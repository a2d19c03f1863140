"""A build hook that puts the web page and the documentation into every wheel and sdist.

Hatchling runs it before packing. A checkout builds the page if it is missing or older than its
sources, as `make play` does. The documentation needs packages of its own and must already be built.
An sdist contains both and cannot build them. What is missing is left out with a warning, so that
`pip install` also works from the address of a repository; a release is checked to be whole.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NO_PAGE = """The package has no web page, because this machine has no Node.js 22.12 or newer with
npm. A server of it serves programs and terminals, not browsers. For the page install Node.js, or
run `make play` once in a checkout, which brings its own; then build again."""

NO_SITE = """The package has no documentation: `make docs` in a checkout builds it first."""

OLD_SITE = """The documentation in the package is older than its sources: `make docs` in a checkout
builds it anew."""

NOT_IN_SDIST = """The package has no web page or no documentation: both are missing from this source
distribution, and cannot be built from it."""


class PageHook(BuildHookInterface[Any]):
    """Builds the web page, and warns of what will be missing in the package."""

    PLUGIN_NAME = "page"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Runs before packing; `version` is "editable" for an editable installation."""
        if version != "editable":
            for warning in self._prepare(Path(self.root)):
                self.app.display_warning(warning)

    def _prepare(self, root: Path) -> Iterator[str]:
        """Builds the page where that is possible; yields what is missing."""
        if (root / "PKG-INFO").is_file():
            server = root / "src/jasstisch/server"
            if not all((server / name / "index.html").is_file() for name in ("static", "site")):
                yield NOT_IN_SDIST
            return
        sys.path.insert(0, self.root)
        from tools import docs_site, setup  # noqa: PLC0415 - importable only now

        if not docs_site.site_is_current():
            yield OLD_SITE if (docs_site.SITE_DIR / "index.html").is_file() else NO_SITE
        if setup.is_client_current() or setup.node_is_available():
            setup.build_client()
        else:
            yield NO_PAGE
