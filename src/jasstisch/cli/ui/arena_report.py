"""Renders an arena report for the terminal: line-ups, results and comparisons.

The report is the JSON object of the arena; this module only formats it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from jasstisch.arena.reports import ArenaReport

_NUMBER_WORDS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven"}


def report_lines(report: ArenaReport) -> Iterator[RenderableType]:
    """Yields the whole report."""
    yield _heading(report)
    yield Text(_line_ups_text(report), "dim")
    yield ""
    yield _results_table(report)
    if "ranking" in report:
        yield ""
        yield Text(
            f"By how many {report['unit']} better than its opponent, here and there, on average:"
        )
        yield _ranking_table(report)
        yield ""
        yield Text("Alone among the like of another, compared with that one in the same chair:")
    elif report["compared"]:
        yield ""
    if report["compared"]:
        yield _comparison_table(report)
    if "out" in report:
        yield ""
        yield Text(
            f"Somebody went out in {100 * report['out']:.1f} % of the deals; "
            f"a deal took {report['claims']:.1f} claims."
        )


def progress_line(report: ArenaReport) -> str:
    """Returns the means of all bots in one short line."""
    means = {one["name"]: _format_interval(one["mean"], one["ci95"], 1) for one in report["bots"]}
    return "  ".join(f"{name} {mean}" for name, mean in means.items())


def _heading(report: ArenaReport) -> Text:
    """Returns the game, the number of deals and the figure that is measured."""
    what = "matches" if report["matches"] else "deals"
    good = "high" if report["high_is_good"] else "low"
    return Text.assemble(
        (report["game"], "bold"),
        f" · mean {report['figure']}, {good} is good · {report['deals']:,} {what}, "
        f"each at {report['tables_per_deal']} tables · seed {report['seed']}",
    )


def _line_ups_text(report: ArenaReport) -> str:
    """Returns the line-ups in words."""
    if "company" in report:
        return f"Each in the same chair, against {_format_line_up(report['company'])}."
    if "ranking" in report:
        return "Each alone among the like of every other; the mean over these tables."
    return f"At one table, in every seating: {_format_line_up(report['line_ups'][0])}."


def _format_line_up(names: Sequence[str]) -> str:
    """Returns names with their counts: `greedy and three random`."""
    counted = [
        name if count == 1 else f"{_NUMBER_WORDS.get(count, str(count))} {name}"
        for name, count in Counter(names).items()
    ]
    return counted[0] if len(counted) == 1 else f"{', '.join(counted[:-1])} and {counted[-1]}"


def _results_table(report: ArenaReport) -> Table:
    """Returns the table of results, a row for each bot."""
    bots = {one["name"]: one for one in report["bots"]}
    shares = any("share" in one for one in bots.values())
    table = _figures_table(
        "",
        report["figure"],
        f"{'matches' if report['matches'] else 'deals'} won",
        *([f"of all {report['unit']}"] if shares else []),
        "ms a move",
        "slowest",
    )
    for name, one in bots.items():
        table.add_row(
            name,
            _format_interval(one["mean"], one["ci95"], 2),
            _format_percent(one["wins"], one["wins_ci95"]),
            *(
                [_format_percent(one["share"], one["share_ci95"]) if "share" in one else ""]
                * shares
            ),
            _format_milliseconds(one["ms_per_move"]),
            _format_milliseconds(one["ms_slowest"]),
        )
    return table


def _ranking_table(report: ArenaReport) -> Table:
    """Returns the ranking of a pool, a row for each bot, the strongest first."""
    table = _figures_table("", "rating", "lead over the next")
    for one in report["ranking"]:
        lead = _format_interval(one["lead"], one["lead_ci95"], 2) if "lead" in one else ""
        table.add_row(one["name"], _format_interval(one["rating"], one["ci95"], 2, sign="+"), lead)
    return table


def _figures_table(first: str, *others: str) -> Table:
    """Returns a table without lines, names on the left and figures on the right."""
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="dim")
    table.add_column(first, style="bold")
    for title in others:
        table.add_column(title, justify="right")
    return table


def _comparison_table(report: ArenaReport) -> Table:
    """Returns a row for each pair of bots, green or red where the difference is significant."""
    table = _figures_table("", f"better by, {report['unit']}", "in percent", "wins")
    for one in report["compared"]:
        gain, doubt = one["better_by"], one["ci95"]
        table.add_row(
            Text.assemble(one["bot"], (f" than {one['than']}", "not bold")),
            Text(_format_interval(gain, doubt, 2, sign="+"), _gain_colour(gain, doubt)),
            f"{_format_interval(one['percent'], one['percent_ci95'], 1)} %"
            if "percent" in one
            else "",
            f"{_format_interval(100 * one['wins_by'], 100 * one['wins_ci95'], 1, sign='+')} %",
        )
    return table


def _gain_colour(gain: float, doubt: float) -> str:
    """Returns green for better and red for worse if the interval excludes 0."""
    if abs(gain) <= doubt:
        return ""
    return "green" if gain > 0 else "red"


def _format_interval(mean: float, ci95: float, digits: int, sign: str = "-") -> str:
    """Formats a mean and its interval, with a true minus sign."""
    return f"{mean:{sign}.{digits}f} ± {ci95:.{digits}f}".replace("-", "−")


def _format_milliseconds(time: float) -> str:
    """Formats a time with three digits."""
    return f"{time:.0f}" if time >= 100 else f"{time:.3g}"


def _format_percent(part: float, ci95: float) -> str:
    """Formats a proportion and its interval in percent."""
    return f"{_format_interval(100 * part, 100 * ci95, 1)} %"
