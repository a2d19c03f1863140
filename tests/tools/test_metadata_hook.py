"""The package tells the index where its sources are, if the build knows it."""

from pathlib import Path
from typing import Any

import pytest

from tools.metadata_hook import (
    REPOSITORY,
    PackageMetadata,
    project_urls,
    with_absolute_links,
)

ROOT = Path(__file__).parents[2]
ADDRESS = "https://forge.example/jass/table"


def updated(root: Path = ROOT) -> dict[str, Any]:
    """The metadata that the hook adds to those of version 1.2.3."""
    metadata: dict[str, Any] = {"version": "1.2.3"}
    PackageMetadata(str(root), {}).update(metadata)
    return metadata


def test_links_to_files_become_absolute_and_all_others_stay() -> None:
    text = (
        "[a](docs/a.md#part) ![A picture](docs/p.png)\n[b](https://x.example/b) [c](#c) "
        "[d](mailto:d@x.example)"
    )
    assert with_absolute_links(text, ADDRESS, "v1.2.3") == (
        f"[a]({ADDRESS}/blob/v1.2.3/docs/a.md#part) ![A picture]({ADDRESS}/raw/v1.2.3/docs/p.png)\n"
        "[b](https://x.example/b) [c](#c) [d](mailto:d@x.example)"
    )


def test_a_build_that_knows_the_repository_links_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(REPOSITORY, f"{ADDRESS}/")
    metadata = updated()
    assert metadata["urls"] == project_urls(ADDRESS, "v1.2.3")
    assert "](docs/" not in metadata["readme"]["text"]
    assert f"]({ADDRESS}/blob/v1.2.3/docs/install.md)" in metadata["readme"]["text"]


def test_a_build_that_does_not_know_it_invents_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(REPOSITORY, raising=False)
    metadata = updated()
    assert "urls" not in metadata
    assert metadata["readme"]["text"] == (ROOT / "README.md").read_text(encoding="utf-8")


def test_a_source_distribution_remembers_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(REPOSITORY, raising=False)
    (tmp_path / "README.md").write_text("[a](a.md)")
    (tmp_path / "PKG-INFO").write_text(f"Name: x\nProject-URL: Source, {ADDRESS}\n\n[a](a.md)\n")
    assert updated(tmp_path)["urls"]["Source"] == ADDRESS


@pytest.mark.parametrize("name", [*project_urls(ADDRESS, "v1")])
def test_the_links_of_the_project_lead_to_files_that_exist(name: str) -> None:
    path = project_urls(ADDRESS, "v1")[name].removeprefix(ADDRESS)
    file = path.removeprefix("/blob/v1/").removeprefix("/tree/v1/")
    assert path in ("", "/issues") or (ROOT / file).exists()
