"""The actions of a batch as numbers: the cards first, then what else a game knows.

A number means the same at every table of a game, whatever its options. Sets of actions are words
of 64 bits whose last one stays free, so that numbers end with `MOST`.
"""

from jasstisch.engine import tricks
from jasstisch.engine.cards import JASS
from jasstisch.engine.errors import GameError
from jasstisch.games import contracts
from jasstisch.games.contracts import CONTRACTS, ContractGame, contract_text
from jasstisch.games.scoring_kinds import BY_STROKES
from jasstisch.games.trick_taking import TrickTaking
from jasstisch.games.weis import WeisGame

__all__ = [
    "ANNOUNCE", "BID", "BID_TEXTS", "BLIND", "DROP", "JOKER", "MAX_ACTIONS", "PUSH", "ROB",
    "STAY", "WEIS",
    "action_texts", "announcement_texts",
]  # fmt: skip

STAY, DROP, BLIND, ROB, WEIS = range(36, 41)
"""Answers, robbing (JS4, JS5), and to announce Weis with the card that follows (JS7, SC3)."""

PUSH = 36
"""To leave the announcement to another (SC1, CO2)."""

BID = 36
"""To bid 0 at Differenzler (DF3), where one seat plays alone; the other bids follow up to 157."""

BID_TEXTS = {BID + points: f"bid {points}" for points in range(tricks.ALL_POINTS + 1)}
"""All bids by their numbers."""

ANNOUNCE = 41
"""To announce the first contract of CT2; the others follow in their order."""

JOKER = ANNOUNCE + len(CONTRACTS)
"""To announce the first contract of the first joker; the others follow, then the next joker's."""

MAX_ACTIONS = 62
"""The highest number of an action."""


def action_texts(rules: TrickTaking) -> dict[int, str]:
    """Every action there is at this table: a card, or what `Match` calls it.

    Raises:
        GameError: there are more announcements than a batch can number.
    """
    named = dict(enumerate(JASS.texts))
    if rules.scoring_kind == BY_STROKES:
        named |= {STAY: "stay", DROP: "drop", BLIND: "blind", ROB: "rob"}
    if isinstance(rules, ContractGame):
        named |= {PUSH: contracts.PUSH} | announcement_texts(rules)
    if isinstance(rules, WeisGame) and rules.weis_counts:
        named[WEIS] = "weis"
    return dict(sorted(named.items()))


def announcement_texts(rules: ContractGame) -> dict[int, str]:
    """Every announcement there is at this table, by its number.

    Raises:
        GameError: there are more than a batch can number.
    """
    places = {text: ANNOUNCE + place for place, text in enumerate(CONTRACTS)}
    jokers = [text for text in rules.line_by_announcement if contract_text(text) != text]
    places |= {text: JOKER + place for place, text in enumerate(jokers)}
    if JOKER + len(jokers) > MAX_ACTIONS + 1:
        raise GameError(f"a batch cannot play {rules.game.name}: it has too many jokers")
    return {places[text]: text for text in rules.line_by_announcement}
