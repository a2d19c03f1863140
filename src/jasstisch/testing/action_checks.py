"""Checks of actions: their texts round-trip, and refusals change nothing and give a reason."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from jasstisch.engine.errors import GameError, IllegalAction, Refusal, quote
from jasstisch.testing.conformance_run import (
    REPLAY_ADVICE,
    ConformanceRun,
    match_state,
    sample_evenly,
)
from jasstisch.testing.json_diff import first_difference, same_json

_JUNK = (
    *("", " ", "x", "play", "play XX", "bid", "bid -1", "lay", "6", "C6", "play 6C 7C", "JC!"),
    *("0", "None", "\x00", "\ud800", "play \u0660C", "pack", "x" * 5000),
)
_NON_TEXTS: tuple[Any, ...] = (None, 5, 1.5, True, b"x", ["play 6C"], {}, float("nan"))
_INVALID_SEATS: tuple[Any, ...] = (-1, True, None, "0", 0.0, 10**30)
_MAX_MESSAGE_LENGTH = 2000
"""The longest error message that is fit to be shown."""

_ATOMIC_ADVICE = "A refusal must change nothing: check everything before you set an attribute"


def check_actions(run: ConformanceRun) -> None:
    """Checks that legal actions are accepted in any spelling and logged as `legal` lists them."""
    match = run.match
    for seat in match.to_act:
        _check_declared(run, seat)
        for action in sample_evenly(match.legal(seat), 12):
            refusal = match.refusal(seat, action)
            if refusal is not None:
                raise run.violation_error(
                    f"legal({seat}) lists {action!r}, but refusal({seat}, {action!r}) says "
                    f"{refusal.text!r}",
                    "legal and refusal must agree on every action",
                )
            _check_spellings(run, seat, action)


def _check_declared(run: ConformanceRun, seat: int) -> None:
    """Checks that the game lists all its actions besides cards, if it lists any."""
    rules = run.game.rules(run.game)
    listed = rules.other_actions()
    if listed is None:
        return
    declared = frozenset(listed)
    for action in run.match.legal(seat):
        verb, _, card = action.removesuffix(" weis").partition(" ")
        if (verb != "play" or card not in rules.deck.numbers) and action not in declared:
            raise run.violation_error(
                f"legal({seat}) lists {action!r}, but other_actions() does not",
                "other_actions lists all actions besides the play of a card that may ever be "
                "legal; environments number them",
            )


def _check_spellings(run: ConformanceRun, seat: int, action: str) -> None:
    """Tries one action on copies of the match, in canonical and in other spellings."""
    other = run.rng.choice([action.upper(), action.lower(), action.title()])
    for text in (action, "  " + other.replace(" ", "   ") + " "):
        copy = run.replay_match()
        with run.blame_game(
            f"{text!r} from seat {seat}",
            f"{action!r} is legal, and input ignores case and repeated spaces: bring the text "
            "into the printed form before you read it",
        ):
            copy.act(seat, text)
        run.report.tried_actions += 1
        logged = copy.record()["log"][-1]
        if logged != [seat, action]:
            raise run.violation_error(
                f"{text!r} from seat {seat} is logged as {quote(logged)} and not as {action!r}",
                "act returns the printed form of the action, as legal lists it",
            )


def check_refusals(run: ConformanceRun) -> None:
    """Checks that wrong actions, seats and packs are refused with a reason and without effect."""
    before = run.current_state
    for what, attempt in _attempts(run):
        _check_attempt_refused(run, what, attempt)
        run.report.refusals += 1
    after = match_state(run.match)
    if not same_json(before, after):
        spot = first_difference(before, after)
        tried = _find_changing_attempt(run)
        if tried is None:
            raise run.violation_error(
                f"replaying the match changed another one: {spot}", REPLAY_ADVICE
            )
        raise run.violation_error(
            f"{tried} was refused and changed the match: {spot}", _ATOMIC_ADVICE
        )


def _find_changing_attempt(run: ConformanceRun) -> str | None:
    """The refused attempt that changes the match, found by repeating each on a fresh copy."""
    for tried in [what for what, _ in _attempts(run)]:
        run.match = run.replay_match()
        before = match_state(run.match)
        for what, attempt in _attempts(run):
            if what == tried:
                _check_attempt_refused(run, what, attempt)
        if not same_json(before, match_state(run.match)):
            return tried
    return None


_Attempt = Callable[[], object]


def _attempts(run: ConformanceRun) -> Iterator[tuple[str, _Attempt]]:
    """The attempts that must be refused now, each with its name."""
    yield from _wrong_actions(run)
    yield from _wrong_seats(run)
    yield from _wrong_packs(run)


def _wrong_actions(run: ConformanceRun) -> Iterator[tuple[str, _Attempt]]:
    """Wrong actions: invalid texts, actions of other seats, earlier actions and non-texts."""
    match = run.match
    for seat in run.seats:
        legal = match.legal(seat)
        close = [f"{text} x" for text in sample_evenly(legal, 2)]
        close += [text[:-1] for text in sample_evenly(legal, 2)]
        close += _other_cards(run, seat, sample_evenly(legal, 2))
        for text in (*_JUNK, *close, *run.past_actions[:: max(1, len(run.past_actions) // 12)]):
            if text not in legal and not _is_other_spelling(run, seat, text):
                yield f"{quote(text)} from seat {seat}", partial(match.act, seat, text)
        for thing in _NON_TEXTS:
            yield f"the action {quote(thing)} from seat {seat}", partial(match.act, seat, thing)


def _other_cards(run: ConformanceRun, seat: int, legal: list[str]) -> Iterator[str]:
    """Legal actions with one card, changed to each other card of the hand."""
    deck = run.game.rules.deck.numbers
    for action in legal:
        words = action.split()
        cards = [number for number, word in enumerate(words) if word in deck]
        for card in run.match.hand(seat) if len(cards) == 1 else ():
            yield " ".join([*words[: cards[0]], card, *words[cards[0] + 1 :]])


def _is_other_spelling(run: ConformanceRun, seat: int, text: str) -> bool:
    """Whether a text that `legal` does not list is another spelling of a listed action."""
    with run.blame_game(
        f"refusal({seat}, {quote(text)})",
        "Whatever the text, it is refused by returning a Refusal, not by an exception",
    ):
        refusal = run.match.refusal(seat, text)
    if refusal is not None:
        _check_refusal(run, seat, text, refusal)
        return False
    copy = run.replay_match()
    with run.blame_game(f"{quote(text)} from seat {seat}", "refusal found no fault with it"):
        copy.act(seat, text)
    printed = copy.record()["log"][-1][1]
    if seat not in run.match.to_act or printed not in run.match.legal(seat):
        raise run.violation_error(
            f"seat {seat} may do {quote(printed)}, which legal({seat}) does not list",
            "legal lists all that act accepts, and refusal refuses all else",
        )
    return True


def _check_refusal(run: ConformanceRun, seat: int, text: str, refusal: object) -> None:
    """Checks that a refusal gives its reason in words."""
    if not (isinstance(refusal, Refusal) and refusal.text and refusal.reason):
        raise run.violation_error(
            f"refusal({seat}, {quote(text)}) is {quote(refusal)}",
            "Return Refusal(clause, reason, text) with the clause, a code and a sentence",
        )


def _wrong_seats(run: ConformanceRun) -> Iterator[tuple[str, _Attempt]]:
    """Invalid seats."""
    match = run.match
    for seat in (*_INVALID_SEATS, match.game.players):
        yield f"act with the seat {quote(seat)}", partial(match.act, seat, "pass")
        yield f"refusal with the seat {quote(seat)}", partial(match.refusal, seat, "pass")
        yield f"legal with the seat {quote(seat)}", partial(match.legal, seat)
        yield f"hand of the seat {quote(seat)}", partial(match.hand, seat)


def _wrong_packs(run: ConformanceRun) -> Iterator[tuple[str, _Attempt]]:
    """Wrong packs: incomplete, with a duplicate or foreign card, or not awaited."""
    match = run.match
    whole = list(match.pack) or list(match.game.rules.deck.texts)
    packs: dict[str, Any] = {
        "a pack that lacks a card": whole[1:],
        "a pack with a card twice": [*whole[1:], whole[-1]],
        "a pack with a foreign card": [*whole[1:], "1X"],
        "a pack that is no pack": None,
    }
    if not match.needs_pack:
        packs = {"a pack that nobody awaits": whole}
    for name, pack in packs.items():
        yield name, partial(match.deal, pack)


def _check_attempt_refused(run: ConformanceRun, what: str, attempt: _Attempt) -> None:
    """Makes an attempt that must be refused; any other outcome is a violation."""
    try:
        attempt()
    except (GameError, IllegalAction) as error:
        if len(str(error)) > _MAX_MESSAGE_LENGTH:
            problem = f"{what} was refused with {len(str(error))} characters"
            raise run.violation_error(
                problem, "Quote what was given with jasstisch.engine.errors.quote"
            ) from error
        return
    except Exception as error:
        raise run.violation_error(
            f"{what} raised {type(error).__name__}: {quote(str(error))}",
            "What is wrong is refused with IllegalAction: let act ask refusal first",
        ) from error
    raise run.violation_error(
        f"{what} was accepted", "Refuse it: refusal returns a Refusal, act raises it"
    )
