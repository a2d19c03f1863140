"""The tasks that run in workers: module-level functions, so that worker processes find them."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from random import SystemRandom
from typing import TYPE_CHECKING, Any, TypedDict

import msgspec

from jasstisch.bots import STRENGTH_ORDER, Bot, bot, bots, supports
from jasstisch.bots import choose_action as call_bot
from jasstisch.bots import prepare as make_ready
from jasstisch.extras import MissingExtraError

if TYPE_CHECKING:
    from jasstisch.analysis import DecisionPoint, Hint

_random = SystemRandom()


def choose_action(
    find_bot: Callable[[str], Bot], name: str, view: dict[str, Any], legal: Sequence[str]
) -> str:
    """The action that a bot chooses."""
    return call_bot(find_bot(name), view, legal, _random)


def compute_hint(view: dict[str, Any], legal: Sequence[str]) -> "Hint":
    """What a strong player would do, and why."""
    # Imported here because the server's own process does not need the analysis modules.
    from jasstisch import analysis  # noqa: PLC0415

    return analysis.hint(view, legal, _random)


class DecisionAnalysis(TypedDict):
    """An analysed decision.

    `decision` holds the fields of an `AnalysedDecision`; `order` is its rank among mistakes,
    costliest first.
    """

    decision: dict[str, Any]
    order: tuple[float, float]


def decision_rounds(record: bytes) -> list[int]:
    """For each decision of a match to be analysed, the number of its round."""
    return [one.round for one in _cached_decisions(record)]


def analyse_decision(record: bytes, place: int) -> DecisionAnalysis:
    """Analyses one decision of a match."""
    from jasstisch import analysis  # noqa: PLC0415 - as for a hint

    found = analysis.analyse_decision(_cached_decisions(record)[place])
    decision = {
        "round": found.round,
        "step": found.step - 1,
        "seat": found.seat,
        "trick": found.trick,
        "played": found.played,
        "best": found.best,
        "loss": found.loss,
        "mistake": found.mistake,
        "alternatives": [
            {"action": one.action, "figure": float(one.figure)} for one in found.candidates
        ],
        "reason": found.reason,
        "values": found.values,
    }
    return {"decision": decision, "order": found.cost_sort_key}


@lru_cache(maxsize=1)
def _cached_decisions(record: bytes) -> "tuple[DecisionPoint, ...]":
    """The decisions of a match; those of the last match are cached.

    Decisions taken over from another match are left out, as other players made them.
    """
    from jasstisch import analysis  # noqa: PLC0415 - as for a hint

    match = msgspec.json.decode(record)
    taken_over = match.get("about", {}).get("resumed", 0)
    return tuple(one for one in analysis.analysable_decisions(match) if one.step > taken_over)


def bots_by_game(games: Sequence[str]) -> dict[str, dict[str, bool]]:
    """The bots that play each game: our own from weak to strong, then the others.

    The value of each bot says whether it needs a warm-up.
    """
    found: dict[str, dict[str, bool]] = {game: {} for game in games}
    others = [name for name in bots() if name not in STRENGTH_ORDER]
    for name in (*STRENGTH_ORDER, *others):
        with suppress(Exception):  # a bot that cannot be loaded, or is broken
            player = bot(name)
            for game in games:
                if supports(player, game):
                    found[game][name] = hasattr(player, "prepare")
    return found


def games_with_hints(games: Sequence[str]) -> tuple[str, ...]:
    """The games in which hints and their reasons can be given, if the hint bot plays them.

    They are those with a metric, in which the gain of an action can be stated.
    """
    try:
        from jasstisch import analysis  # noqa: PLC0415 - as for a hint
    except MissingExtraError:
        return ()
    return tuple(game for game in games if analysis.has_metric(game))


def warm_up(name: str, game: str) -> None:
    """Warms up a bot for a game.

    Code that has never been compiled on this machine takes long.
    """
    make_ready(bot(name), game)


def warm_up_all(pairs: Sequence[tuple[str, str]]) -> None:
    """Warms up bots, each for a game: loads what another process has compiled."""
    for name, game in pairs:
        with suppress(Exception):  # a broken bot is reported when it is to play
            warm_up(name, game)
