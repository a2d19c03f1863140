"""The rules of a game as numbers, for kernels that play a whole batch of its rounds.

All of them come from the game's own file: what is dealt to whom, what may be played, what counts.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jasstisch.errors import GameError, quote
from jasstisch.games import scoring
from jasstisch.games.dealing import deal
from jasstisch.games.differenzler import ZERO_BONUS
from jasstisch.games.jass import Jass
from jasstisch.games.rules import REGISTRY, Game, Rules
from jasstisch.games.trick_taking import TrickTaking
from jasstisch.search import rounds

__all__ = [
    "BIDS_OPEN", "BLIND_CARDS", "BOTTOM", "DEAD", "EXACT_BONUS", "GENEROUS", "KIND", "LAWS",
    "OTHERS", "PLAYERS", "POINTS_SHOWN",
    "TRUMP_NEEDED", "ZERO", "Laws", "Numbers", "laws_of",
]  # fmt: skip

SCORED = (scoring.BY_DIFFERENCE, scoring.BY_PLACE, scoring.BY_STICKS, scoring.BY_STROKES)
"""How the games are scored that a batch can play."""

(
    KIND,  # what a round is judged by, one of `SCORED`
    PLAYERS,
    BOTTOM,  # 1 where the last card dealt shows the trump (DF2)
    BIDS_OPEN,  # 1 where everybody sees the bids (DF3)
    POINTS_SHOWN,  # 1 where everybody sees everybody's running points (DF5)
    EXACT_BONUS,  # 1 where an exact hit takes 10 off (DF8)
    ZERO,  # when a bid of 0 earns that bonus (DF8)
    OTHERS,  # what each other gets when one has a hundred or more (MW4, MW5)
    GENEROUS,  # 1 where straddling ties earn the best mark (C11)
    TRUMP_NEEDED,  # 1 where a round without trump is void (MV7)
) = range(10)
LAWS = 10

DEAD, BLIND_CARDS = -1, -2
"""Where a card of the pack goes that no seat receives (JS3)."""

Numbers = NDArray[np.int64]
"""An array of words."""


class Laws(NamedTuple):
    """What the kernels know of a game.

    Attributes:
        numbers: `LAWS` words, at the places above.
        empty: a round with its rules set and no cards dealt.
        pack: the cards it is played with.
        receivers: for each place in a shuffled pack who receives that card: 0 forehand, 1 the next
            one and so on, or `DEAD` or `BLIND_CARDS`.
    """

    numbers: Numbers
    empty: rounds.Round
    pack: Numbers
    receivers: Numbers


def laws_of(game: Game) -> Laws:
    """The rules of a game as numbers.

    Raises:
        GameError: it is not a game that a batch can play.
    """
    given: object = game
    rules = game.rules(game) if isinstance(given, Game) else None
    if not isinstance(rules, TrickTaking) or rules.scoring not in SCORED:
        able = ", ".join(sorted(name for name, one in REGISTRY.items() if can_play(one)))
        asked = game.name if isinstance(given, Game) else quote(given)
        raise GameError(f"a batch cannot play {asked}; from jasstisch.game it plays {able}")
    pack = rules.whole_pack
    return Laws(
        numbers=np.array(numbers(rules), dtype=np.int64),
        empty=empty_round(rules),
        pack=np.array(pack, dtype=np.int64),
        receivers=np.array(receivers(rules, len(pack)), dtype=np.int64),
    )


def can_play(rules: type[Rules]) -> bool:
    """Whether a batch knows how this game is scored."""
    return issubclass(rules, TrickTaking) and rules.scoring in SCORED


def numbers(rules: TrickTaking) -> list[int]:
    """The words of `Laws.numbers`; an option that the game does not have is off."""
    options = rules.game.options
    words = [0] * LAWS
    words[KIND] = rules.scoring
    words[PLAYERS] = rules.players
    words[BOTTOM] = options.get("trump") == "bottom"
    words[BIDS_OPEN] = options.get("bids") == "open"
    words[POINTS_SHOWN] = options.get("show_points") != "own"
    words[EXACT_BONUS] = options.get("exact_bonus") == 10
    words[ZERO] = ZERO_BONUS[str(options.get("zero_bonus", "always"))]
    words[OTHERS] = 1 if options.get("marks") == "swiss" else 3
    words[GENEROUS] = options.get("ties") == "generous"
    words[TRUMP_NEEDED] = options.get("no_trump") == "annul"
    return words


def empty_round(rules: TrickTaking) -> rounds.Round:
    """A round of this game before the deal."""
    options = rules.game.options
    state = rounds.new(list(range(rules.players)))
    state[rounds.UNDERTRUMP] = rules.undertrump
    state[rounds.BOMBS] = rules.bombs(options)
    state[rounds.EIGHTS] = rules.eights(options)
    return state


def receivers(rules: TrickTaking, cards: int) -> list[int]:
    """Who receives each card of a pack of this many, by the packets of the game (C6, JS3)."""
    to: list[int] = [DEAD] * cards
    hands = deal(range(cards), rules.PACKETS[rules.players], range(rules.players))
    for player, places in enumerate(hands):
        for place in places:
            to[place] = player
    if isinstance(rules, Jass):
        for place in blind_places(rules.players):
            to[place] = BLIND_CARDS
    return to


def blind_places(players: int) -> Sequence[int]:
    """Where the blind lies in the pack at Jass (JS3)."""
    return {2: range(18, 27), 3: range(27, 36), 4: range(0)}[players]
