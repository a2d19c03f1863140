"""A metadata hook that tells the package index where the sources of a release are.

The address of the repository stands nowhere in it, because a copy may live anywhere. The workflow
of a release passes it in `JASSTISCH_REPOSITORY`. From it follow the links of the project and those
of the README, which are relative in a checkout and would lead nowhere on the page of the index.
Without it there are no such links, and the README stays as it is.
"""

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

REPOSITORY = "JASSTISCH_REPOSITORY"
"""The environment variable with the address of the repository."""

_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!\w+:|#)([^)\s]+)\)")
"""A link or an image (`!`) of Markdown whose target is a path."""

_SOURCE = re.compile(r"^Project-URL: Source, (\S+)$", re.MULTILINE)


class PackageMetadata(MetadataHookInterface):
    """Sets `urls` and `readme` of the package."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Runs before the metadata are written."""
        root = Path(self.root)
        text = (root / "README.md").read_text(encoding="utf-8")
        repository = _find_repository(root)
        if repository is not None:
            tag = f"v{metadata['version']}"
            metadata["urls"] = project_urls(repository, tag)
            text = with_absolute_links(text, repository, tag)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def _find_repository(root: Path) -> str | None:
    """The address of the repository, which a source distribution remembers."""
    given = os.environ.get(REPOSITORY, "").rstrip("/")
    if given:
        return given
    built = root / "PKG-INFO"
    told = _SOURCE.search(built.read_text(encoding="utf-8")) if built.is_file() else None
    return told[1] if told else None


def project_urls(repository: str, tag: str) -> dict[str, str]:
    """The links of the project, to the state of a tag where they concern a file."""
    return {
        "Source": repository,
        "Documentation": f"{repository}/tree/{tag}/docs",
        "Changelog": f"{repository}/blob/{tag}/CHANGELOG.md",
        "Issues": f"{repository}/issues",
    }


def with_absolute_links(text: str, repository: str, tag: str) -> str:
    """A text whose links to files lead to them in the repository, as of a tag."""

    def absolute(link: re.Match[str]) -> str:
        image, words, path = link.groups()
        kind = "raw" if image else "blob"
        return f"{image}[{words}]({repository}/{kind}/{tag}/{path})"

    return _LINK.sub(absolute, text)
