"""The documentation site contains every page, and every link works."""

import base64
import hashlib
import re
from pathlib import Path

import pytest

from tools import docs_site
from tools.setup import ROOT


@pytest.fixture
def laid_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The site's sources, without the generated help of the commands."""
    monkeypatch.setattr(docs_site, "command_reference", lambda: "")
    docs_site.stage_pages(tmp_path / "site")
    return tmp_path / "site" / "pages"


def test_every_page_of_the_docs_is_on_the_site(laid_out: Path) -> None:
    named = {path.relative_to(docs_site.DOCS).as_posix() for path in docs_site.DOCS.rglob("*.md")}
    here = {path.relative_to(laid_out).as_posix() for path in laid_out.rglob("*.md")}
    assert named - here <= docs_site.EXCLUDED
    nav = (docs_site.SITE_SOURCES / "zensical.toml").read_text()
    # The index of such a folder is in the navigation and leads to the rest.
    below = {name for name in named if "/" in name and not name.endswith("/README.md")}
    assert named - below - docs_site.EXCLUDED <= set(re.findall(r'"([\w/-]+\.md)"', nav))


def test_links_out_of_the_docs_become_copies_or_text(laid_out: Path) -> None:
    bots = (laid_out / "bots.md").read_text()
    assert "[examples/low.py](files/low.py.txt)" in bots
    assert (laid_out / "files" / "low.py.txt").read_text() == (
        ROOT / "examples" / "low.py"
    ).read_text()
    assert "(changelog.md)" in (laid_out / "hosting.md").read_text()
    # Tests are named on many lines, and are nowhere else than in a checkout.
    assert "../tests/" not in (laid_out / "rules-coverage.md").read_text()
    assert "(protocol.md#" in (laid_out / "changelog.md").read_text()


def test_a_broken_link_fails_the_build_with_its_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(docs_site, "ROOT", tmp_path)
    page = tmp_path / "page.md"
    page.write_text("See [that](nowhere.md), or `[this](text)`.\n")
    with pytest.raises(SystemExit, match=r"page\.md has a link to nowhere\.md"):
        docs_site.rewrite_links(page, "page.md", tmp_path)


def test_code_and_links_within_the_page_are_unchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(docs_site, "ROOT", tmp_path)
    page = tmp_path / "page.md"
    code, links = "x[0](nowhere)\n```\n", "[there](#there) and [out](https://jass.example.org)\n"
    page.write_text(f"```python Name\n{code}{links}")
    shown = docs_site.rewrite_links(page, "page.md", tmp_path)
    assert shown == f'```python title="Name"\n{code}{links}'


def test_inline_scripts_are_known_by_their_hashes(tmp_path: Path) -> None:
    body = b"var here=1"
    data = b'<script type="application/json">{}</script>'
    page = b'<script src="a.js"></script>%b<script>%b</script>' % (data, body)
    (tmp_path / "page.html").write_bytes(page)
    wanted = base64.b64encode(hashlib.sha256(body).digest()).decode()
    assert docs_site.script_hashes(tmp_path) == {f"'sha256-{wanted}'"}


def test_no_link_to_the_sources_remains() -> None:
    """An sdist would contain the sources a second time."""
    assert not (docs_site.WORK_DIR / "src").exists()
