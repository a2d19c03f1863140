"""The numbering of the actions of a batch: first the cards, then the other actions of a game.

A number has the same meaning at every table of a game, whatever its options. Sets of actions are
words of 64 bits whose highest bit is unused, so that the highest number is `MAX_ACTIONS`.
"""

from jasstisch.engine import tricks
from jasstisch.engine.cards import JASS
from jasstisch.engine.errors import GameError
from jasstisch.games import contracts
from jasstisch.games.contracts import CONTRACTS, ContractGame, contract_text
from jasstisch.games.scoring_kinds import BY_STROKES
from jasstisch.games.trick_taking import TrickTaking
from jasstisch.games.weis import WeisGame

STAY, DROP, BLIND, ROB, WEIS = range(36, 41)
"""Answers, robbing (JS4, JS5), and announcing Weis with the card that follows (JS7, SC3)."""

PUSH = 36
"""Pushing: leaving the announcement to the partner or the next seat (SC1, CO2)."""

BID = 36
"""The bid of 0 in a single-agent Differenzler (DF3); the other bids follow up to 157."""

BID_TEXTS = {BID + points: f"bid {points}" for points in range(tricks.ALL_POINTS + 1)}
"""The text of every bid, by number."""

ANNOUNCE = 41
"""To announce the first contract of CT2; the others follow in their order."""

JOKER = ANNOUNCE + len(CONTRACTS)
"""Announcing the first contract by the first joker; the others follow, then the next joker's."""

MAX_ACTIONS = 62
"""The highest number of an action."""


def action_texts(rules: TrickTaking) -> dict[int, str]:
    """All actions at this table: cards, and otherwise the texts that `Match` uses.

    Raises:
        GameError: the game has more announcements than a batch can number.
    """
    named = dict(enumerate(JASS.texts))
    if rules.scoring_kind == BY_STROKES:
        named |= {STAY: "stay", DROP: "drop", BLIND: "blind", ROB: "rob"}
    if isinstance(rules, ContractGame):
        named |= {PUSH: contracts.PUSH} | announcement_texts(rules)
    if isinstance(rules, WeisGame) and rules.is_weis_scored:
        named[WEIS] = "weis"
    return dict(sorted(named.items()))


def announcement_texts(rules: ContractGame) -> dict[int, str]:
    """All announcements at this table, by number.

    Raises:
        GameError: the game has more announcements than a batch can number.
    """
    places = {text: ANNOUNCE + place for place, text in enumerate(CONTRACTS)}
    jokers = [text for text in rules.line_by_announcement if contract_text(text) != text]
    places |= {text: JOKER + place for place, text in enumerate(jokers)}
    if JOKER + len(jokers) > MAX_ACTIONS + 1:
        raise GameError(f"a batch cannot play {rules.game.name}: it has too many jokers")
    return {places[text]: text for text in rules.line_by_announcement}
