"""The examples of the README and of the package's docstring run as shown."""

import doctest
from pathlib import Path

import jasstisch

README = Path(__file__).parents[2] / "README.md"


def test_readme_examples_run_as_shown() -> None:
    results = doctest.testfile(str(README), module_relative=False)
    assert results.attempted > 5
    assert results.failed == 0


def test_package_docstring_example_runs_as_shown() -> None:
    assert doctest.testmod(jasstisch).failed == 0
