"""The examples of the page run, and its table lists every column with its type."""

import doctest
import os
import re
import shutil
from pathlib import Path

import pytest

from jasstisch import data

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "data.md"


@pytest.fixture
def beside_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working folder that holds the records where the page expects them."""
    folder = tmp_path / "tests" / "records"
    folder.mkdir(parents=True)
    for file in (ROOT / "tests" / "records").glob("differenzler-[12].jass.json"):
        shutil.copy(file, folder)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("beside_records")
def test_examples_of_the_page_run() -> None:
    result = doctest.testfile(os.fspath(PAGE), module_relative=False)
    assert result.attempted > 20
    assert result.failed == 0


def test_example_of_the_module_runs() -> None:
    assert doctest.testmod(data).failed == 0


def test_the_page_lists_every_column_with_its_type_in_order() -> None:
    page = PAGE.read_text(encoding="utf-8")
    named = re.findall(r"^\| `(\w+)` \| `(.+?)` \| ", page, re.MULTILINE)
    assert named == [(name, told(kind)) for name, kind in data.COLUMNS]


def told(kind: object) -> str:
    """A type in the notation of the page."""
    return str(kind).replace("item: ", "")
