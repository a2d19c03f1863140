"""A build hook that puts the web page and the documentation into every wheel and sdist.

Hatchling runs it before packing. A checkout builds the page if it is missing or older than its
sources, as `make play` does. The documentation needs packages of its own and must already be built.
An sdist contains both and cannot build them.
"""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NO_NODE = """The web page cannot be built, and it belongs into the package: this machine has no
Node.js 22.12 or newer with npm. Install it, or run `make play` once in this folder, which
brings its own; then build again."""

NO_SITE = """The documentation, which belongs into the package, is missing or not of these sources.
Run `make docs` in this folder; then build again."""

NO_PAGE = """The web page or the documentation is missing from this source distribution, and it
cannot be built from it. Build from a checkout instead: python -m build"""


class PageHook(BuildHookInterface[Any]):
    """Builds the web page, or stops the build with instructions.

    It also stops the build if the documentation has not been built.
    """

    PLUGIN_NAME = "page"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Runs before packing; `version` is "editable" for an editable installation."""
        if version == "editable":
            return
        root = Path(self.root)
        if (root / "PKG-INFO").is_file():
            server = root / "src/jasstisch/server"
            if not all((server / name / "index.html").is_file() for name in ("static", "site")):
                self.app.abort(NO_PAGE)
            return
        sys.path.insert(0, self.root)
        from tools import docs_site, setup  # noqa: PLC0415 - importable only now

        if not docs_site.site_is_current():
            self.app.abort(NO_SITE)
        if not setup.is_client_current() and not setup.node_is_available():
            self.app.abort(NO_NODE)
        setup.build_client()
