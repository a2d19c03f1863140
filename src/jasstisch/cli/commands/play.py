"""`jasstisch play`: a match against bots, new or resumed, and its rematches.

This module decides who sits where: the person has the first seat of a new match or their previous
seat in a resumed one, and bots have all other seats.
"""

import argparse
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path

import jasstisch as jt
from jasstisch.bots import DEFAULT_BOTS, Bot, bot, bots, default_bot, supports
from jasstisch.bots.resolver import resolve
from jasstisch.cli.arguments import (
    Parser,
    add_house_rules,
    add_pager_flag,
    house_rules,
    int_range,
    make_game,
)
from jasstisch.cli.errors import CommandError, UsageError
from jasstisch.cli.game import record_files, user_state
from jasstisch.cli.game.bot_warmup import warm_up
from jasstisch.cli.game.local_match import LocalMatch, PlayerQuit
from jasstisch.cli.signals import exit_status, raise_on_termination_signal
from jasstisch.cli.ui.card_style import add_deck_flag, compatible_style
from jasstisch.cli.ui.game_menu import choose_game
from jasstisch.cli.ui.player_names import sanitize_name
from jasstisch.cli.ui.terminal import Terminal
from jasstisch.cli.ui.translator import (
    ENGLISH,
    Translator,
    add_language_flag,
    translator_for,
)
from jasstisch.cli.ui.tutorial_narrator import TutorialNarrator
from jasstisch.engine.errors import GameError
from jasstisch.match.record import BOT_PREFIX
from jasstisch.tutorials import GAMES, TutorialSession, get_tutorial

_TUTORIAL_BOT = "greedy"
"""The opponent in a tutorial, as at a table of a server."""

_LATEST_AUTOSAVE = Path()
"""Placeholder for the most recent unfinished match."""

_RANDOM_BOT = "random"
"""The bot that knows no game and plays at random."""


def run(argv: list[str]) -> int:
    """Plays a match, and rematches as long as the person agrees.

    If no game is named on a terminal, the person is asked for one.

    Raises:
        UsageError: unknown game, option or value.
        CommandError: a file cannot be read or written, a bot cannot play, or the input ends too
            early.
    """
    arguments = _parse_arguments(argv)
    terminal = Terminal(at_once=arguments.no_pager)
    if arguments.game is None and not arguments.resume and terminal.is_interactive:
        arguments.game = choose_game(terminal, translator_for(arguments.lang))
        if arguments.game is None:
            return 0
    session = _start_match(arguments, terminal)
    warm_up(session.bots.values(), session.match.game.name, terminal.console)
    with raise_on_termination_signal():
        while _play_match(session) and terminal.confirm("play.rematch", session.say):
            session = _rematch(session)
    return 0


# Arguments.


def _parse_arguments(argv: Sequence[str]) -> argparse.Namespace:
    """Parses the arguments; a game adds its own flags, wherever its name appears."""
    games = jt.games()
    without_help = [word for word in argv if word not in {"-h", "--help"}]
    scouted, _ = parser(games).parse_known_args(without_help)
    return parser([scouted.game] if scouted.game in games else games).parse(argv)


def parser(games: Sequence[str]) -> Parser:
    """Returns the parser of the command, with the house rules of these games."""
    known = ", ".join(jt.games())
    result = Parser(
        "jasstisch play",
        "Play a match in this terminal against bots.",
        usage=f"jasstisch play {games[0] if len(games) == 1 else 'GAME'} [options]",
        epilog="The house rules of a game: jasstisch play GAME --help" if games[1:] else None,
    )
    result.add_argument("game", nargs="?", metavar="GAME", help=f"one of: {known}")
    result.add_argument(
        "--bots",
        metavar="BOT",
        help=f"your opponents: {', '.join(bots())}, file.py:Class or exec:COMMAND "
        f"(default: the first of {', '.join(DEFAULT_BOTS)} that knows the game)",
    )
    result.add_argument("--name", help=f"your name (default {ENGLISH.plain('word.you')})")
    add_deck_flag(result)
    result.add_argument(
        "--seed",
        metavar="N",
        type=int_range(0),
        help="random seed: the same N deals the same cards",
    )
    result.add_argument("--save", metavar="FILE", type=Path, help="save the record to a new file")
    result.add_argument(
        "--resume",
        metavar="FILE",
        nargs="?",
        const=_LATEST_AUTOSAVE,
        type=Path,
        help="resume an unfinished match from a file, or the most recent one",
    )
    result.add_argument(
        "--guided",
        action="store_true",
        help="learn the game: a first round with hints, on cards chosen for it",
    )
    add_language_flag(result)
    add_pager_flag(result)
    add_house_rules(result, games)
    return result


# Seats.


def _start_match(arguments: argparse.Namespace, terminal: Terminal) -> LocalMatch:
    """Returns a tutorial, a resumed or a new match."""
    if arguments.guided:
        return _start_tutorial(arguments, terminal)
    return _load_match(arguments, terminal) if arguments.resume else _new_match(arguments, terminal)


def _start_tutorial(arguments: argparse.Namespace, terminal: Terminal) -> LocalMatch:
    """Returns a new match whose first round is the tutorial of its game.

    That round has its own cards, house rules and bots, so none of them can be chosen.
    """
    chosen = {
        "--bots": arguments.bots,
        "--seed": arguments.seed,
        "--resume": arguments.resume,
        "house rules": house_rules(arguments) or None,
    }
    surplus = [what for what, given in chosen.items() if given is not None]
    if surplus:
        raise UsageError(f"a guided round has its own deal and rules: leave out {surplus[0]}")
    if arguments.game is None:
        raise UsageError(f"name a game: {', '.join(GAMES)}; see jasstisch play --help")
    try:
        tutorial_session = TutorialSession.start(get_tutorial(arguments.game))
    except GameError as error:
        raise UsageError(str(error)) from error
    arguments.bots = _TUTORIAL_BOT
    session = _new_match(arguments, terminal, tutorial_session.tutorial.options)
    session.tutorial = TutorialNarrator(tutorial_session, session.seats, session.card_style)
    return session


def _new_match(
    arguments: argparse.Namespace,
    terminal: Terminal,
    options: Mapping[str, object] | None = None,
) -> LocalMatch:
    """Returns a new match with these options, or with the house rules of the command line."""
    if arguments.game is None:
        raise UsageError(f"name a game: {', '.join(jt.games())}; see jasstisch play --help")
    game = make_game(arguments.game, house_rules(arguments) if options is None else options)
    speech = translator_for(arguments.lang)
    name = _parse_player_name(arguments.name or speech.plain("word.you"))
    player = _find_bot(arguments.bots, game.name, terminal, speech)
    others = range(1, game.players)
    match = jt.Match(game, [name, *(BOT_PREFIX + player.name for _ in others)])
    return LocalMatch(
        match,
        own_seat=0,
        bots=dict.fromkeys(others, player),
        seed=_choose_seed(arguments),
        terminal=terminal,
        card_style=compatible_style(
            arguments.deck, match.game.rules.deck, speech, drawn=terminal.supports_symbols
        ),
        path=_create_record_file(match, arguments.save),
    )


def _load_match(arguments: argparse.Namespace, terminal: Terminal) -> LocalMatch:
    """Loads an unfinished match from a file.

    The file is kept up to date unless `--save` names another.
    """
    last = arguments.resume == _LATEST_AUTOSAVE
    source, match = (
        _load_latest_autosave() if last else (arguments.resume, record_files.load(arguments.resume))
    )
    if house_rules(arguments) or arguments.game not in {None, match.game.name}:
        raise UsageError("a resumed match keeps its game and house rules; name only the file")
    if match.over:
        see = f"jasstisch replay {source}"
        raise CommandError(f"the match in {source} is over; to see it: {see}")
    own, speech = _find_own_seat(match.players, arguments.name), translator_for(arguments.lang)
    stand_in = _find_bot(arguments.bots, match.game.name, terminal, speech)
    session = LocalMatch(
        match,
        own_seat=own,
        bots={
            seat: _bot_from_record(name, match.game.name, stand_in)
            for seat, name in enumerate(match.players)
            if seat != own
        },
        seed=_choose_seed(arguments),
        terminal=terminal,
        card_style=compatible_style(
            arguments.deck, match.game.rules.deck, speech, drawn=terminal.supports_symbols
        ),
        path=_create_record_file(match, arguments.save) if arguments.save else source,
    )
    if session.path != source and _is_autosave(source):
        source.unlink(missing_ok=True)  # otherwise the match could be resumed twice
    return session


def _load_latest_autosave() -> tuple[Path, jt.Match]:
    """Returns the most recent autosave and its file; files that are not records are skipped.

    Raises:
        CommandError: there is no autosave.
    """
    for path in reversed(user_state.autosaves()):
        with suppress(CommandError):
            return path, record_files.load(path)
    raise CommandError("there is no unfinished match; name the file of one: --resume FILE")


def _rematch(session: LocalMatch) -> LocalMatch:
    """Returns another match of the same players, recorded in a file beside the first one."""
    match = jt.Match(session.match.game, session.match.players)
    path = _next_record_path(session.path) if session.path else None
    return replace(
        session, match=match, seed=f"{session.seed}+", path=_create_record_file(match, path)
    )


def _parse_player_name(name: str) -> str:
    """Returns the person's name after checking it."""
    if not name or sanitize_name(name) != name or name.startswith(BOT_PREFIX):
        raise UsageError("a name is 1 to 20 visible characters, and not the name of a bot")
    return name


def _find_bot(name: str | None, game: str, terminal: Terminal, translator: Translator) -> Bot:
    """Returns the bot of this name, or the default bot of the game."""
    if name is None:
        player = default_bot(game)
        if player.name == _RANDOM_BOT:
            terminal.write_unwrapped(translator.plain("play.by_chance", game=game))
        return player
    try:
        player = resolve(name)
    except GameError as error:
        raise UsageError(str(error)) from error
    if not supports(player, game):
        raise UsageError(f"bot {player.name!r} does not play {game}")
    return player


def _bot_from_record(name: str, game: str, stand_in: Bot) -> Bot:
    """Returns the bot that a record names; the stand-in for a person or an unknown bot."""
    kind = name.removeprefix(BOT_PREFIX)
    if name.startswith(BOT_PREFIX) and kind in bots() and supports(bot(kind), game):
        return bot(kind)
    return stand_in


def _find_own_seat(players: Sequence[str], name: str | None) -> int:
    """Returns the person's seat in a resumed match: by name, else that of the first person."""
    people = [seat for seat, player in enumerate(players) if not player.startswith(BOT_PREFIX)]
    if name is not None:
        people = [seat for seat in people if players[seat] == name]
    if not people:
        raise CommandError(
            "nobody to play for: the record has no player of that name"
            if name
            else "nobody to play for: all players of the record are computers"
        )
    return people[0]


def _choose_seed(arguments: argparse.Namespace) -> str:
    """Returns the random seed of the match."""
    return secrets.token_hex(16) if arguments.seed is None else str(arguments.seed)


# Files.


def _create_record_file(match: jt.Match, path: Path | None) -> Path | None:
    """Returns the path of the record after writing it once, which shows that it can be written."""
    if path is not None:
        if record_files.exists(path):
            raise CommandError(
                f"{path} exists already; name a new file, or go on with --resume {path}"
            )
        record_files.save(match, path)
    return path


def _next_record_path(path: Path) -> Path:
    """Returns the path of the next match's record: `m.jass.json`, `m-2.jass.json` and so on."""
    stem, dot, suffixes = path.name.partition(".")
    names = (path.with_name(f"{stem}-{number}{dot}{suffixes}") for number in count(2))
    return next(name for name in names if not record_files.exists(name))


def _play_match(session: LocalMatch) -> bool:
    """Plays one match; returns whether it was finished."""
    try:
        if not _play_until_quit(session):
            return False
    except KeyboardInterrupt as error:
        _save_and_quit(session)
        raise SystemExit(exit_status(error)) from error
    if session.path and _is_autosave(session.path):
        session.path.unlink(missing_ok=True)
        session.path = None
    if session.path:
        session.terminal.write_unwrapped(session.say.plain("play.kept", path=str(session.path)))
    session.terminal.write("")
    return True


def _play_until_quit(session: LocalMatch) -> bool:
    """Plays one match until it is over or the person leaves; returns whether it is over.

    Raises:
        KeyboardInterrupt: Ctrl-C or a termination signal.
        CommandError: the input ends too early.
    """
    try:
        session.play()
    except PlayerQuit:
        _print_resume_hint(session)
        return False
    except EOFError as error:
        if session.terminal.stdin_is_tty:  # Ctrl-D or a closed terminal
            _save_and_quit(session)
            return False
        session.terminal.write("")
        _print_resume_hint(session)
        raise CommandError("the input ended before the match was over") from error
    return True


def _save_and_quit(session: LocalMatch) -> None:
    """Saves a match so that it can be resumed, and prints how."""
    _autosave_match(session)
    with suppress(OSError):  # the terminal may be closed
        session.terminal.write("")
        _print_resume_hint(session)


def _autosave_match(session: LocalMatch) -> None:
    """Saves a match that has no file of its own."""
    if session.path is not None or not session.match.record()["log"]:
        return
    try:
        record = record_files.record_text(session.match)
        session.path = user_state.autosave(session.match.game.name, record)
    except OSError as error:
        with suppress(OSError):
            session.terminal.write_unwrapped(f"{error}")


def _is_autosave(path: Path) -> bool:
    """Returns whether a file is an autosave."""
    return path.parent == user_state.autosave_dir()


def _print_resume_hint(session: LocalMatch) -> None:
    """Prints how to resume a match."""
    if session.path:
        last = _is_autosave(session.path) and session.path == user_state.latest_autosave()
        command = "jasstisch play --resume" + ("" if last else f" {session.path}")
        session.terminal.write_unwrapped(session.say.plain("play.go_on", command=command))
