"""`jasstisch play`: a match against computer players, new or resumed, and its rematches.

Who sits where is decided here: the person has seat 0 of a new match, or his old seat in a resumed
one, and computer players have all others.
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
from jasstisch.cli.signals import exit_status, terminate_gracefully
from jasstisch.cli.ui.card_style import compatible_style, parse_deck
from jasstisch.cli.ui.game_menu import choose_game
from jasstisch.cli.ui.player_names import BOT_PREFIX, sanitize_name
from jasstisch.cli.ui.terminal import Terminal
from jasstisch.cli.ui.translator import (
    ENGLISH,
    LANGUAGES,
    Translator,
    parse_language,
    translator_for,
)
from jasstisch.cli.ui.tutorial_narrator import TutorialNarrator
from jasstisch.engine.errors import GameError
from jasstisch.tutorials import GAMES, TutorialSession, get_tutorial

__all__ = ["run"]

TUTORIAL_BOT = "greedy"
"""Who plays beside a learner, as at a table of a server."""

LATEST_AUTOSAVE = Path()
"""Stands for the match that was left last."""

RANDOM_BOT = "random"
"""Who knows nothing of any game."""


def run(words: list[str]) -> int:
    """Plays a match, and another one as long as the person likes.

    Raises:
        UsageError: unknown game, option or value.
        CommandError: a file cannot be read or written, a bot cannot play, or the input ends too
            early.

    Where no game is named, who sits at a terminal is asked for one.
    """
    arguments = parse_arguments(words)
    terminal = Terminal(at_once=arguments.no_pager)
    if arguments.game is None and not arguments.resume and terminal.is_interactive:
        arguments.game = choose_game(terminal, translator_for(arguments.lang))
        if arguments.game is None:
            return 0
    sitting = start_match(arguments, terminal)
    warm_up(sitting.bots.values(), sitting.match.game.name, terminal.console)
    with terminate_gracefully():
        while play_match(sitting) and terminal.confirm("play.rematch", sitting.say):
            sitting = rematch(sitting)
    return 0


# The words of the command.


def parse_arguments(words: Sequence[str]) -> argparse.Namespace:
    """The parsed words: a game brings its own flags, wherever among the words it stands."""
    games = jt.games()
    without_help = [word for word in words if word not in {"-h", "--help"}]
    scouted, _ = parser(games).parse_known_args(without_help)
    return parser([scouted.game] if scouted.game in games else games).parse(words)


def parser(games: Sequence[str]) -> Parser:
    """The words the command takes, with the house rules of these games."""
    known = ", ".join(jt.games())
    result = Parser(
        "jasstisch play",
        "Play a match in this terminal against computer players.",
        usage=f"jasstisch play {games[0] if len(games) == 1 else 'GAME'} [options]",
        epilog="The house rules of a game: jasstisch play GAME --help" if games[1:] else None,
    )
    result.add_argument("game", nargs="?", metavar="GAME", help=f"one of: {known}")
    result.add_argument(
        "--bots",
        metavar="BOT",
        help=f"who plays against you: {', '.join(bots())}, file.py:Class or exec:COMMAND "
        f"(default: the first of {', '.join(DEFAULT_BOTS)} that knows the game)",
    )
    result.add_argument("--name", help=f"what you are called (default {ENGLISH.plain('word.you')})")
    result.add_argument(
        "--deck",
        metavar="DECK",
        type=parse_deck,
        default="french",
        help="french (default) or swiss",
    )
    result.add_argument(
        "--seed", metavar="N", type=int_range(0), help="deal the same cards whenever N is the same"
    )
    result.add_argument("--save", metavar="FILE", type=Path, help="keep the record in a new file")
    result.add_argument(
        "--resume",
        metavar="FILE",
        nargs="?",
        const=LATEST_AUTOSAVE,
        type=Path,
        help="go on with an unfinished match kept in a file, or with the one left last",
    )
    result.add_argument(
        "--guided",
        action="store_true",
        help="learn the game: a first round with hints, on cards chosen for it",
    )
    result.add_argument(
        "--lang",
        metavar="LANG",
        type=parse_language,
        help=f"one of {', '.join(LANGUAGES)} (default: that of the environment)",
    )
    add_pager_flag(result)
    add_house_rules(result, games)
    return result


# Who sits where.


def start_match(arguments: argparse.Namespace, terminal: Terminal) -> LocalMatch:
    """A guided, a resumed or a new match."""
    if arguments.guided:
        return start_tutorial(arguments, terminal)
    return load_match(arguments, terminal) if arguments.resume else new_match(arguments, terminal)


def start_tutorial(arguments: argparse.Namespace, terminal: Terminal) -> LocalMatch:
    """A new match whose first round is the guided one of its game.

    That round has its own cards, house rules and computer players, so nothing of it is chosen.
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
        lesson = TutorialSession.start(get_tutorial(arguments.game))
    except GameError as error:
        raise UsageError(str(error)) from error
    arguments.bots = TUTORIAL_BOT
    sitting = new_match(arguments, terminal, lesson.tutorial.options)
    sitting.tutorial = TutorialNarrator(lesson, sitting.seats, sitting.faces)
    return sitting


def new_match(
    arguments: argparse.Namespace,
    terminal: Terminal,
    options: Mapping[str, object] | None = None,
) -> LocalMatch:
    """A new match, with these options or the house rules of the command line."""
    if arguments.game is None:
        raise UsageError(f"name a game: {', '.join(jt.games())}; see jasstisch play --help")
    game = make_game(arguments.game, house_rules(arguments) if options is None else options)
    speech = translator_for(arguments.lang)
    name = parse_player_name(arguments.name or speech.plain("word.you"))
    player = find_bot(arguments.bots, game.name, terminal, speech)
    others = range(1, game.players)
    match = jt.Match(game, [name, *(BOT_PREFIX + player.name for _ in others)])
    return LocalMatch(
        match,
        own=0,
        bots=dict.fromkeys(others, player),
        seed=choose_seed(arguments),
        terminal=terminal,
        faces=compatible_style(
            arguments.deck, match.game.rules.deck, speech, drawn=terminal.supports_symbols
        ),
        path=create_record_file(match, arguments.save),
    )


def load_match(arguments: argparse.Namespace, terminal: Terminal) -> LocalMatch:
    """The match of a file, as it was left; the file is kept up to date unless another is named."""
    last = arguments.resume == LATEST_AUTOSAVE
    source, match = (
        load_latest_autosave() if last else (arguments.resume, record_files.load(arguments.resume))
    )
    if house_rules(arguments) or arguments.game not in {None, match.game.name}:
        raise UsageError("a resumed match keeps its game and house rules; name only the file")
    if match.over:
        see = f"jasstisch replay {source}"
        raise CommandError(f"the match in {source} is over; to see it: {see}")
    own, speech = find_own_seat(match.players, arguments.name), translator_for(arguments.lang)
    stand_in = find_bot(arguments.bots, match.game.name, terminal, speech)
    sitting = LocalMatch(
        match,
        own=own,
        bots={
            seat: bot_from_record(name, match.game.name, stand_in)
            for seat, name in enumerate(match.players)
            if seat != own
        },
        seed=choose_seed(arguments),
        terminal=terminal,
        faces=compatible_style(
            arguments.deck, match.game.rules.deck, speech, drawn=terminal.supports_symbols
        ),
        path=create_record_file(match, arguments.save) if arguments.save else source,
    )
    if sitting.path != source and is_autosave(source):
        source.unlink(missing_ok=True)  # it goes on elsewhere, and would be gone on with twice
    return sitting


def load_latest_autosave() -> tuple[Path, jt.Match]:
    """The match that was left last, and its file; a file that is no record is passed over.

    Raises:
        CommandError: there is none.
    """
    for path in reversed(user_state.autosaves()):
        with suppress(CommandError):
            return path, record_files.load(path)
    raise CommandError("no match was left unfinished; name the file of one: --resume FILE")


def rematch(sitting: LocalMatch) -> LocalMatch:
    """Another match of the same players, kept in a file beside the first one."""
    match = jt.Match(sitting.match.game, sitting.match.players)
    path = next_record_path(sitting.path) if sitting.path else None
    return replace(
        sitting, match=match, seed=f"{sitting.seed}+", path=create_record_file(match, path)
    )


def parse_player_name(name: str) -> str:
    """The name a person wishes, if it is one."""
    if not name or sanitize_name(name) != name or name.startswith(BOT_PREFIX):
        raise UsageError("a name is 1 to 20 letters or other visible signs, and not that of a bot")
    return name


def find_bot(name: str | None, game: str, terminal: Terminal, speech: Translator) -> Bot:
    """The computer player of this name; without one the usual player of the game."""
    if name is None:
        player = default_bot(game)
        if player.name == RANDOM_BOT:
            terminal.write_unwrapped(speech.plain("play.by_chance", game=game))
        return player
    try:
        player = resolve(name)
    except GameError as error:
        raise UsageError(str(error)) from error
    if not supports(player, game):
        raise UsageError(f"bot {player.name!r} does not play {game}")
    return player


def bot_from_record(name: str, game: str, stand_in: Bot) -> Bot:
    """The computer player that a record names; the other one for a person or an unknown bot."""
    kind = name.removeprefix(BOT_PREFIX)
    if name.startswith(BOT_PREFIX) and kind in bots() and supports(bot(kind), game):
        return bot(kind)
    return stand_in


def find_own_seat(players: Sequence[str], name: str | None) -> int:
    """The seat of the person in a resumed match: the one of this name, else the first person's."""
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


def choose_seed(arguments: argparse.Namespace) -> str:
    """What all chance of the match comes from."""
    return secrets.token_hex(16) if arguments.seed is None else str(arguments.seed)


# Files.


def create_record_file(match: jt.Match, path: Path | None) -> Path | None:
    """The file to keep a match in, which is written at once to see that it can be."""
    if path is not None:
        if record_files.exists(path):
            raise CommandError(
                f"{path} exists already; name a new file, or go on with --resume {path}"
            )
        record_files.save(match, path)
    return path


def next_record_path(path: Path) -> Path:
    """The name of the next match's file: `m.jass.json`, `m-2.jass.json` and so on."""
    stem, dot, suffixes = path.name.partition(".")
    names = (path.with_name(f"{stem}-{number}{dot}{suffixes}") for number in count(2))
    return next(name for name in names if not record_files.exists(name))


def play_match(sitting: LocalMatch) -> bool:
    """Plays one match; whether it came to its end."""
    try:
        if not play_until_quit(sitting):
            return False
    except KeyboardInterrupt as error:
        save_and_quit(sitting)
        raise SystemExit(exit_status(error)) from error
    if sitting.path and is_autosave(sitting.path):
        sitting.path.unlink(missing_ok=True)
        sitting.path = None
    if sitting.path:
        sitting.terminal.write_unwrapped(sitting.say.plain("play.kept", path=str(sitting.path)))
    sitting.terminal.write("")
    return True


def play_until_quit(sitting: LocalMatch) -> bool:
    """Plays one match until it is over or the person leaves; whether it is over.

    Raises:
        KeyboardInterrupt: Ctrl-C, or the system asks for the end.
        CommandError: the input ends too early.
    """
    try:
        sitting.play()
    except PlayerQuit:
        print_resume_hint(sitting)
        return False
    except EOFError as error:
        if sitting.terminal.stdin_is_tty:  # Ctrl-D, or a closed window
            save_and_quit(sitting)
            return False
        sitting.terminal.write("")
        print_resume_hint(sitting)
        raise CommandError("the input ended before the match was over") from error
    return True


def save_and_quit(sitting: LocalMatch) -> None:
    """Sees that one can go on with a match, and says how."""
    autosave_match(sitting)
    with suppress(OSError):  # the window is closed, and nobody reads it
        sitting.terminal.write("")
        print_resume_hint(sitting)


def autosave_match(sitting: LocalMatch) -> None:
    """Keeps a match that has no file of its own, so that one can go on with it."""
    if sitting.path is not None or not sitting.match.record()["log"]:
        return
    try:
        record = record_files.record_text(sitting.match)
        sitting.path = user_state.autosave(sitting.match.game.name, record)
    except OSError as error:
        with suppress(OSError):
            sitting.terminal.write_unwrapped(f"{error}")


def is_autosave(path: Path) -> bool:
    """Whether a file is one of those that are kept for who has named none."""
    return path.parent == user_state.autosave_dir()


def print_resume_hint(sitting: LocalMatch) -> None:
    """Says how to go on with a match that was left."""
    if sitting.path:
        last = is_autosave(sitting.path) and sitting.path == user_state.latest_autosave()
        command = "jasstisch play --resume" + ("" if last else f" {sitting.path}")
        sitting.terminal.write_unwrapped(sitting.say.plain("play.go_on", command=command))
