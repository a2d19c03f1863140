"""Checks of turns, legal actions, hands, finished rounds and the end of a match."""

from collections.abc import Sequence
from typing import Any

from jasstisch.engine.errors import quote
from jasstisch.match.match import Match
from jasstisch.testing.conformance_run import MAX_LISTED, ConformanceRun, sample_evenly
from jasstisch.testing.json_diff import first_difference, same_json

_BETWEEN_ROUNDS = ("draw", "deal", "over")
_ROUND_KEYS = ("dealer", "trump", "tricks", "points", "marks")


def check_turn(run: ConformanceRun) -> None:
    """Checks that a pack is awaited, a seat may act or it is over, and `legal` fits `to_act`."""
    match = run.match
    to_act: Any = match.to_act  # a game may have set any value
    if type(to_act) is not tuple or any(type(seat) is not int for seat in to_act):
        raise run.violation_error(
            f"to_act is {quote(to_act)}", "Set self.to_act to a tuple of seats"
        )
    if list(to_act) != sorted(set(to_act)) or not set(to_act) <= set(run.seats):
        raise run.violation_error(
            f"to_act is {to_act}", "It holds seats of the table, ascending, each of them once"
        )
    awaited = [bool(to_act), match.needs_pack, match.over]
    if sum(awaited) != 1:
        raise run.violation_error(
            f"to_act is {to_act}, needs_pack {match.needs_pack} and over {match.over}",
            "Exactly one holds at any time: seats may act, a pack is awaited (await_pack), or the "
            "match is over (finish). After the deal set self.pack = ()",
        )
    for seat in run.seats:
        _check_legal(run, seat)
    _check_hands(run)


def _check_legal(run: ConformanceRun, seat: int) -> None:
    """Checks that only seats to act have legal actions, in a fixed order and each once."""
    with run.blame_game(f"legal({seat})"):
        legal: Any = run.match.legal(seat)
    if not isinstance(legal, Sequence) or isinstance(legal, str):
        raise run.violation_error(
            f"legal({seat}) is {quote(legal)}", "It is a list, tuple or other sequence of texts"
        )
    if seat not in run.match.to_act:
        if len(legal):
            raise run.violation_error(
                f"seat {seat} is not in to_act, yet legal({seat}) begins with {quote(legal[0])}",
                "In legal(seat) return () for every seat that may not act now",
            )
        return
    if not len(legal):
        raise run.violation_error(
            f"seat {seat} is in to_act, yet legal({seat}) is empty",
            "A seat that is to act needs a legal action; skip seats that have none",
        )
    sample = sample_evenly(legal, MAX_LISTED)
    for action in sample:
        if " ".join(str(action).split()) != action:
            raise run.violation_error(
                f"legal({seat}) holds {quote(action)}",
                "An action is a text without surplus spaces, as the log prints it",
            )
        if action not in legal:
            raise run.violation_error(
                f"legal({seat}) lists {action!r}, but {action!r} in legal({seat}) is False",
                "Give a lazy sequence a __contains__ that agrees with its items",
            )
    if len(set(sample)) != len(sample):
        raise run.violation_error(f"legal({seat}) lists an action twice", "List each action once")
    if sample != sample_evenly(run.match.legal(seat), MAX_LISTED):
        raise run.violation_error(
            f"legal({seat}), asked twice, comes in another order",
            "Its order must follow from the state alone: sort what comes from a set",
        )
    run.keep_actions(sample)


def _check_hands(run: ConformanceRun) -> None:
    """Checks that hands are disjoint and within the pack, and empty between rounds."""
    match = run.match
    with run.blame_game("hand(seat)"):
        hands = [match.hand(seat) for seat in run.seats]
        phase = run.view(None)["phase"]
    held = [card for hand in hands for card in hand]
    twice = sorted({card for card in held if held.count(card) > 1})
    if twice:
        raise run.violation_error(
            f"{' '.join(twice)} is in more than one place of the hands {hands}",
            "Take a card out of the hand it leaves before it comes to another",
        )
    if phase in _BETWEEN_ROUNDS and (held or match.trick or match.trump):
        raise run.violation_error(
            f"in the phase {phase!r} hands are {hands}, trick {match.trick}, trump {match.trump}",
            "Between rounds hands and trick are empty and trump is None: clear them when the "
            "round ends",
        )


def check_rounds(run: ConformanceRun, earlier: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Checks that the last step added at most one round and changed none; returns the rounds."""
    with run.blame_game("rounds"):
        rounds = run.match.rounds
    if not len(earlier) <= len(rounds) <= len(earlier) + 1:
        raise run.violation_error(
            f"the list of rounds went from {len(earlier)} to {len(rounds)} in one step",
            "A finished round is added once, and none is ever taken away",
        )
    old = rounds[: len(earlier)]
    if not same_json(earlier, old):
        raise run.violation_error(
            f"a finished round was changed: {first_difference(earlier, old, 'rounds')}",
            "Put copies into the round, not lists that the next round goes on writing",
        )
    for number, one in enumerate(rounds[len(earlier) :], start=len(earlier)):
        run.report.rounds += 1
        _check_round(run, one, f"rounds[{number}]")
    return rounds


def _check_round(run: ConformanceRun, finished_round: dict[str, Any], name: str) -> None:
    """Checks that a finished round has the keys common to all games."""
    missing = [key for key in _ROUND_KEYS if key not in finished_round]
    if missing:
        raise run.violation_error(
            f"{name} lacks {', '.join(missing)}",
            f"A round tells {', '.join(_ROUND_KEYS)}: "
            "trump None and tricks [] where there are none",
        )
    players = run.game.players
    for key in ("points", "marks"):
        if not isinstance(finished_round[key], list) or len(finished_round[key]) != players:
            raise run.violation_error(
                f"{name}[{key!r}] is {quote(finished_round[key])}", "Give one for each seat"
            )
    if any(not isinstance(mark, str) for mark in finished_round["marks"]):
        raise run.violation_error(
            f"{name}['marks'] is {quote(finished_round['marks'])}", "A mark is a text, like '+1'"
        )


def check_end(run: ConformanceRun) -> None:
    """Checks that winners are named exactly when the match is over and all seats have standings."""
    match = run.match
    with run.blame_game("standing"):
        standing: Any = match.standing
    whole = isinstance(standing, list) and all(isinstance(one, dict) for one in standing)
    if not whole or len(standing) != run.game.players:
        raise run.violation_error(
            f"standing is {quote(standing)}", "Return one object for each seat"
        )
    if any(one.keys() != standing[0].keys() for one in standing):
        raise run.violation_error(
            f"standing is {quote(standing)}", "The objects of all seats have the same keys"
        )
    figure = run.game.rules.metric
    if figure is not None and figure.standing_key not in ("", *standing[0]):
        raise run.violation_error(
            f"standing is {quote(standing)}, and the figure of the class has its standing under "
            f"{quote(figure.standing_key)}",
            "Name there the key by which the match is decided, or none",
        )
    _check_winners(run, match)
    if not same_json(match.standing, standing):
        raise run.violation_error(
            "standing, asked twice, gives two answers", "It must follow from the state alone"
        )


def _check_winners(run: ConformanceRun, match: Match) -> None:
    """Checks that winners are ascending seats, and exist exactly when the match is over."""
    winners = match.winners
    if winners != sorted(set(winners) & set(run.seats)):
        raise run.violation_error(
            f"winners are {quote(winners)}", "They are seats of the table, ascending, each once"
        )
    if bool(winners) != match.over:
        raise run.violation_error(
            f"over is {match.over} and winners are {winners}",
            "Call finish(winners) with at least one seat, once, when the match ends",
        )
