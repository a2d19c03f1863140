"""What is thought beside the server: functions that a worker in another process finds."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from random import SystemRandom
from typing import TYPE_CHECKING, Any, TypedDict

import msgspec

from jasstisch.bots import STRENGTH_ORDER, Bot, bot, bots, supports
from jasstisch.bots import prepare as make_ready
from jasstisch.extras import MissingExtraError

if TYPE_CHECKING:
    from jasstisch.analysis import DecisionPoint, Hint

__all__ = [
    "DecisionAnalysis",
    "analyse_decision",
    "bots_by_game",
    "choose_action",
    "compute_hint",
    "games_with_hints",
    "list_decisions",
    "warm_up",
    "warm_up_all",
]

_random = SystemRandom()


def choose_action(
    find_bot: Callable[[str], Bot], name: str, view: dict[str, Any], legal: Sequence[str]
) -> str:
    """The action a computer player chooses."""
    return find_bot(name).act(view, legal, _random)


def compute_hint(view: dict[str, Any], legal: Sequence[str]) -> "Hint":
    """What a strong player would do, and why."""
    # The server's own process has no use for all that analysis needs.
    from jasstisch import analysis  # noqa: PLC0415

    return analysis.hint(view, legal, _random)


class DecisionAnalysis(TypedDict):
    """A decision that has been judged.

    `decision` holds what an `AnalysedDecision` does; `order` is its place among mistakes, the
    dearest first.
    """

    decision: dict[str, Any]
    order: tuple[float, float]


def list_decisions(record: bytes) -> list[int]:
    """For each decision of a match that is to be judged the round it belongs to."""
    return [one.round for one in _cached_decisions(record)]


def analyse_decision(record: bytes, place: int) -> DecisionAnalysis:
    """What can be said about one decision of a match."""
    from jasstisch import analysis  # noqa: PLC0415 - as for a hint

    found = analysis.analyse_decision(_cached_decisions(record)[place])
    told = {
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
    return {"decision": told, "order": found.cost_order}


@lru_cache(maxsize=1)
def _cached_decisions(record: bytes) -> "tuple[DecisionPoint, ...]":
    """The decisions of a match; those of the last one asked for are remembered.

    What was taken over from another match was decided by others than those who sit there.
    """
    from jasstisch import analysis  # noqa: PLC0415 - as for a hint

    match = msgspec.json.decode(record)
    taken_over = match.get("about", {}).get("resumed", 0)
    return tuple(one for one in analysis.analysable_decisions(match) if one.step > taken_over)


def bots_by_game(games: Sequence[str]) -> dict[str, dict[str, bool]]:
    """The computer players that know each game: our own from weak to strong, then the others.

    Of each it is told whether it has anything to make ready.
    """
    found: dict[str, dict[str, bool]] = {game: {} for game in games}
    others = [name for name in bots() if name not in STRENGTH_ORDER]
    for name in (*STRENGTH_ORDER, *others):
        with suppress(Exception):  # one that cannot be loaded, or speaks nonsense
            player = bot(name)
            for game in games:
                if supports(player, game):
                    found[game][name] = hasattr(player, "prepare")
    return found


def games_with_hints(games: Sequence[str]) -> tuple[str, ...]:
    """The games in which a hint can be given and its reason told, if its player knows them too.

    They are those with a figure: what an action brings can be told of each of them.
    """
    try:
        from jasstisch import analysis  # noqa: PLC0415 - as for a hint
    except MissingExtraError:
        return ()
    return tuple(game for game in games if analysis.has_metric(game))


def warm_up(name: str, game: str) -> None:
    """Makes a computer player ready for a game.

    What has never been compiled on this machine takes long.
    """
    make_ready(bot(name), game)


def warm_up_all(pairs: Sequence[tuple[str, str]]) -> None:
    """Makes computer players ready, each for a game: loads what another process has compiled."""
    for name, game in pairs:
        with suppress(Exception):  # a broken one says so where it is asked to play
            warm_up(name, game)
