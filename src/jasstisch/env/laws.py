"""The rules of a game as numbers, for kernels that play a whole batch of its rounds.

All of them come from the game's own file: what is dealt to whom, what may be played, what counts.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jasstisch.errors import GameError
from jasstisch.games.dealing import deal
from jasstisch.games.differenzler import ZERO_BONUS, Differenzler
from jasstisch.games.jass import Jass
from jasstisch.games.molotov import Molotov
from jasstisch.games.molotow import Molotow
from jasstisch.games.rules import REGISTRY, Game
from jasstisch.games.trick_taking import TrickTaking
from jasstisch.search import rounds

__all__ = [
    "BIDS_OPEN", "BLIND_CARDS", "BOTTOM", "DEAD", "DIFFERENZLER", "EXACT_BONUS", "GENEROUS",
    "JASS", "KIND", "LAWS", "MOLOTOV", "MOLOTOW", "OTHERS", "PLAYERS", "POINTS_SHOWN",
    "TRUMP_NEEDED", "ZERO", "Laws", "Numbers", "laws_of",
]  # fmt: skip

DIFFERENZLER, MOLOTOV, MOLOTOW, JASS = range(4)
"""The kinds of game; Offenbach is played as Molotov is."""

(
    KIND,
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
        GameError: it is not a game of tricks.
    """
    given: object = game
    rules = game.rules(game) if isinstance(given, Game) else None
    if not isinstance(rules, TrickTaking):
        able = sorted(name for name, one in REGISTRY.items() if issubclass(one, TrickTaking))
        raise GameError(f"a batch plays a game of tricks, from jasstisch.game: {', '.join(able)}")
    pack = rules.whole_pack
    return Laws(
        numbers=np.array(numbers(rules), dtype=np.int64),
        empty=empty_round(rules),
        pack=np.array(pack, dtype=np.int64),
        receivers=np.array(receivers(rules, len(pack)), dtype=np.int64),
    )


def kind(rules: TrickTaking) -> int:
    """Which kind of game this is."""
    if isinstance(rules, Differenzler):
        return DIFFERENZLER
    if isinstance(rules, Molotow):
        return MOLOTOW
    return JASS if isinstance(rules, Jass) else MOLOTOV


def numbers(rules: TrickTaking) -> list[int]:
    """The words of `Laws.numbers`; an option that the game does not have is off."""
    options = rules.game.options
    words = [0] * LAWS
    words[KIND] = kind(rules)
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
    if isinstance(rules, Molotov):
        weis = options["long_runs"] == "weis"
        state[rounds.BOMBS] = rounds.BOMBS_AS_WEIS if weis else rounds.BOMBS_FIFTY
        state[rounds.EIGHTS] = options["no_trump"] == "eights"
    if isinstance(rules, Molotow):
        state[rounds.EIGHTS] = 1
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
