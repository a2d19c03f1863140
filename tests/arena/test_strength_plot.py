"""The strength plot: layout of bots, and reproducible files."""

from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure

from jasstisch.arena.strength_plot import (
    _draw_axes,
    _format_duration,
    _label_position,
    _pareto_front,
    _plot_points,
    _Point,
    _point_label,
    check_drawable,
    draw_plot,
)
from jasstisch.engine.errors import GameError


def bot(name: str, mean: float, ms: float) -> dict[str, Any]:
    """The entry of a bot in a report."""
    return {"name": name, "mean": mean, "ci95": 0.2, "ms_per_move": ms}


REPORT: Any = {  # what a drawing reads of a report
    "game": "i-doubt-it",
    "matches": False,
    "deals": 1000,
    "seed": 1,
    "figure": "difference",
    "unit": "points",
    "high_is_good": False,
    "company": ["greedy"] * 3,
    "bots": [bot("random", 50, 0.003), bot("club", 6, 5), bot("greedy", 9, 0.2)],
}


def test_an_svg_names_the_game_and_the_measurement(tmp_path: Path) -> None:
    """Matplotlib draws letters as shapes and notes each text as a comment."""
    path = tmp_path / "ladder.svg"
    draw_plot(REPORT, path)
    text = path.read_text(encoding="utf-8")
    for said in (
        "I Doubt It: strength against time for a move",
        "In the same chair against 3 × greedy · the same 1,000 deals, seed 1 · 95 % intervals",
        "Mean difference, lower is better; up is stronger",
    ):
        assert f"<!-- {said} -->" in text


def test_each_bot_is_labelled_with_figure_and_time() -> None:
    axes = Figure().add_subplot()
    _draw_axes(axes, list(_plot_points(REPORT)), REPORT)
    labels = {text.get_text() for text in axes.texts}
    assert labels == {
        *("random", "50.00 ± 0.20, 3 µs"),
        *("club", "6.00 ± 0.20, 5 ms"),
        *("greedy", "9.00 ± 0.20, 0.2 ms"),
    }


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_equal_reports_give_equal_files(tmp_path: Path, kind: str) -> None:
    one, other = tmp_path / f"one.{kind}", tmp_path / f"other.{kind}"
    draw_plot(REPORT, one)
    draw_plot(REPORT, other)
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize("high_is_good", [True, False])
def test_up_is_stronger_for_every_metric(*, high_is_good: bool) -> None:
    axes = Figure().add_subplot()
    _draw_axes(axes, list(_plot_points(REPORT)), {**REPORT, "high_is_good": high_is_good})
    low, high = axes.get_ylim()
    assert (low < high) == high_is_good


def test_a_wide_range_uses_a_logarithmic_scale() -> None:
    near, far = Figure().add_subplot(), Figure().add_subplot()
    _draw_axes(near, [_Point("a", 1, 5, 0.1), _Point("b", 2, 7, 0.1)], REPORT)
    _draw_axes(far, list(_plot_points(REPORT)), REPORT)
    assert (near.get_yscale(), far.get_yscale()) == ("linear", "log")


def test_a_single_bot_can_be_drawn(tmp_path: Path) -> None:
    draw_plot({**REPORT, "bots": [{**bot("greedy", 9, 0.2), "ci95": 0}]}, tmp_path / "one.png")


def test_the_ratings_of_a_round_robin_are_drawn(tmp_path: Path) -> None:
    ranking = [
        {"name": name, "rating": r, "ci95": 0.1} for name, r in (("club", 2), ("greedy", -2))
    ]
    pool: Any = {key: told for key, told in REPORT.items() if key != "company"}
    pool |= {"ranking": ranking, "bots": [bot("club", 6, 5), bot("greedy", 9, 0.2)]}
    assert [(rung.name, rung.strength) for rung in _plot_points(pool)] == [
        ("club", 2),
        ("greedy", -2),
    ]
    draw_plot(pool, tmp_path / "pool.svg")
    assert "each alone among" in (tmp_path / "pool.svg").read_text(encoding="utf-8").lower()


def test_a_bot_on_several_seats_is_drawn_once() -> None:
    twice = {**REPORT, "bots": [bot("random", 50, 1), bot("random", 50, 1)]}
    assert len(list(_plot_points(twice))) == 1


def test_the_step_line_joins_bots_stronger_than_every_faster_one() -> None:
    slow, fast, middle = _Point("slow", 9, 4, 0), _Point("fast", 1, 5, 0), _Point("middle", 3, 2, 0)
    assert list(_pareto_front([slow, fast, middle], up=True)) == [fast]
    assert list(_pareto_front([slow, fast, middle], up=False)) == [fast, middle]


def test_labels_move_down_only_where_they_overlap() -> None:
    taken = [(100.0, 200.0, 50.0), (90.0, 200.0, 30.0)]
    assert _label_position(150, 250, 49, taken) == 2
    assert _label_position(201, 300, 49, taken) == 49
    assert _label_position(150, 250, 90, taken) == 90


@pytest.mark.parametrize(
    ("ms", "text"),
    [(0.003, "3 µs"), (0.2, "0.2 ms"), (5.14, "5.1 ms"), (120.4, "120 ms"), (2000, "2 s")],
)
def test_times_have_a_suitable_unit(ms: float, text: str) -> None:
    assert _format_duration(ms) == text


def test_negative_figures_have_a_minus_sign() -> None:
    assert _point_label(_Point("a", 1, -0.25, 0.061)) == "−0.250 ± 0.061, 1 ms"


@pytest.mark.parametrize(
    ("mean", "ci95", "text"),
    [
        (5.701, 0.214, "5.70 ± 0.21"),
        (51.56, 1.06, "51.6 ± 1.1"),
        (240, 31, "240 ± 31"),
        (2, 0, "2.00 ± 0.00"),
    ],
)
def test_figures_have_as_many_digits_as_their_interval_allows(
    mean: float, ci95: float, text: str
) -> None:
    assert _point_label(_Point("a", 1, mean, ci95)) == f"{text}, 1 ms"


def test_another_file_extension_is_refused() -> None:
    with pytest.raises(GameError, match=r"a file \.png or \.svg, not 'ladder\.gif'"):
        check_drawable(Path("ladder.gif"))
