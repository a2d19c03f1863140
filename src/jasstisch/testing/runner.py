"""The runner of the conformance tests: plays matches and decides which checks each step gets."""

import random
from collections.abc import Iterator
from typing import Any

from jasstisch.engine.errors import GameError, quote
from jasstisch.games.options import Choice, DealerOption, Option, Whole
from jasstisch.games.rules import COMMON_OPTIONS, Game
from jasstisch.match.match import Match
from jasstisch.testing.action_checks import check_actions, check_refusals
from jasstisch.testing.conformance_run import (
    REPLAY_ADVICE,
    ConformanceError,
    ConformanceRun,
    Report,
    describe_game,
)
from jasstisch.testing.information_leaks import check_no_leaks, check_redaction
from jasstisch.testing.record_checks import check_log, check_resumed, check_resumed_copy, check_undo
from jasstisch.testing.turn_checks import check_end, check_rounds, check_turn
from jasstisch.testing.view_checks import KnownCards, check_returns_copies, check_views
from jasstisch.testing.view_type_checks import check_declared_types

# The number of first steps of a match with all checks; later steps get them only sometimes.
_ACTION_CHECK_WEIGHT = 15
_COPY_CHECK_WEIGHT = 5
_LEAK_CHECK_WEIGHT = 15
_RESUME_CHECK_WEIGHT = 50

_WRONG_VALUES: tuple[Any, ...] = (True, 1.5, "no such value", -1, [], 10**30)


def check_game(
    game: Game | str, *, matches: int = 3, seed: int = 0, most_steps: int = 20_000
) -> Report:
    """Plays random matches of a game and asserts the properties of every game.

    The options of the game are checked too: each value is used for a few steps. The same arguments
    always give the same matches.

    Args:
        game: the game with its options, or its name for the default ones.
        matches: how many matches are played to their end.
        seed: the seed of the random matches.
        most_steps: the limit of a match, in packs and actions; a longer match is a violation.

    Returns:
        The coverage of the run.

    Raises:
        ConformanceError: the game violates a property; the message says what to fix, and `record`
            replays the match up to that step.
        GameError: the game is unknown.
    """
    chosen = game if isinstance(game, Game) else Game(game, {})
    report = Report()
    _check_options(chosen, seed)
    for number in range(matches):
        rng = random.Random(f"{describe_game(chosen)} {seed} {number}")
        _run_match(ConformanceRun(chosen, rng, report), most_steps)
        report.matches += 1
    return report


def _run_match(run: ConformanceRun, most_steps: int) -> None:
    """Plays one match to its end and checks every step."""
    known = KnownCards(run)
    rounds: list[dict[str, Any]] = []
    while True:
        check_turn(run)
        check_end(run)
        check_views(run, known)
        rounds = check_rounds(run, rounds)
        _run_costly_checks(run)
        if run.match.over:
            return
        if len(run.log) >= most_steps:
            raise run.violation_error(
                f"the match is not over after {most_steps} steps",
                "Call finish(winners) when it is decided; if a match may well be so long, give "
                "check_game a larger most_steps",
            )
        run.step()


def _run_costly_checks(run: ConformanceRun) -> None:
    """Runs the costly checks: often at the beginning and the end, and ever more rarely between."""
    over = run.match.over
    if over or run.resumed_copy is None or run.sometimes(_RESUME_CHECK_WEIGHT):
        check_declared_types(run)
        check_log(run)
        check_resumed_copy(run)
        check_resumed(run)
        check_undo(run)
    if over or run.sometimes(_ACTION_CHECK_WEIGHT):
        check_actions(run)
        check_refusals(run)
        check_redaction(run)
    if over or run.sometimes(_COPY_CHECK_WEIGHT):
        check_returns_copies(run)
    if over or run.sometimes(_LEAK_CHECK_WEIGHT):
        check_no_leaks(run)


# Options.


def _check_options(game: Game, seed: int) -> None:
    """Checks that the options are well formed and that a match can begin with each value."""
    _check_option_list(game)
    players = game.options["players"]
    for option in game.rules.options:
        for value in _values_to_try(option, game.players):
            given = {"players": players, option.name: value}
            try:
                changed = Game(game.name, given)
            except GameError as error:
                raise _option_fault(game, f"{option.name}={value!r} is refused: {error}") from error
            if changed.options[option.name] != value:
                raise _option_fault(game, f"{option.name}={value!r} is not what options hold")
            _begin_match(ConformanceRun(changed, random.Random(f"{given} {seed}"), Report()))
        for wrong in _WRONG_VALUES:
            _check_refused(game, option, wrong)


def _check_option_list(game: Game) -> None:
    """Checks that `players` is first, the common options exist and names are unique."""
    names = [option.name for option in game.rules.options]
    if names[:1] != ["players"]:
        raise _option_fault(game, f"its options are {names}: players must be the first")
    missing = [option.name for option in COMMON_OPTIONS if option.name not in names]
    if missing:
        raise _option_fault(game, f"it lacks the options {missing}: put *COMMON_OPTIONS among them")
    if len(set(names)) != len(names):
        raise _option_fault(game, f"an option stands twice in {names}")


def _values_to_try(option: Option, players: int) -> Iterator[Any]:
    """The values of an option to try: all, or for an integer both bounds and the default."""
    match option:
        case Choice():
            yield from option.values
        case Whole():
            yield from sorted({option.low, option.high})
            yield option.default_for(players)
        case DealerOption():
            yield from (None, *range(players))


def _check_refused(game: Game, option: Option, value: object) -> None:
    """Checks that an invalid value is refused with a message that says what is allowed."""
    try:
        Game(game.name, {option.name: value})
    except GameError as error:
        if option.name not in str(error):
            raise _option_fault(
                game, f"{option.name}={quote(value)} is refused by {error}"
            ) from error
        return
    raise _option_fault(game, f"{option.name}={quote(value)} is accepted")


def _begin_match(run: ConformanceRun) -> None:
    """Checks that a match with this option begins: packs are accepted and some actions succeed."""
    for _ in range(12):
        check_turn(run)
        if run.match.over:
            return
        run.step()
    with run.blame_game("replaying the match from its record", REPLAY_ADVICE):
        Match.from_record(run.match.record())


def _option_fault(game: Game, text: str) -> ConformanceError:
    """The error for an invalid list of options."""
    return ConformanceError(game, 0, f"{describe_game(game)}: {text}. Mend `options` of the game")
