"""The table of how the arena scales with workers."""

from bench.figures_page import section_names
from bench.speed.arena_scaling import SCALING_PAGE, measure_scaling


def test_the_single_thread_is_the_baseline() -> None:
    table = measure_scaling(deals=2, most=1)
    assert table.columns[-1] == "as fast as one thread"
    assert [(row[0], row[-1]) for row in table.rows] == [("this thread", "1.00 ×")]


def test_the_page_has_a_place_for_the_table() -> None:
    assert "scaling" in section_names(SCALING_PAGE.read_text(encoding="utf-8"))
