"""Triggers shared by the contract games: the announced contract, and play with a partner.

A hint that advises a card is shown only where the suggestion is the same card, so that text and
suggestion never disagree. A card is called sure only by the learner's own information.
"""

from collections.abc import Callable

from jasstisch.bots.position import Position
from jasstisch.engine import tricks
from jasstisch.engine.cards import JASS, SUITS, cards_in_set
from jasstisch.i18n.templates import Values
from jasstisch.tutorials.match_step import MatchStep
from jasstisch.tutorials.trick_triggers import (
    BUR,
    FOLLOWING_TRUMPS,
    NO_VALUES,
    PLAIN_RANKS,
    TRUMP_RANKS,
    suit_cards_in_order,
)
from jasstisch.tutorials.tutorial import Trigger

_DEAR = 10
"""Points from which a card is worth smearing on the partner's trick."""

_HALF = 5
"""Tricks in a row after which a side may aim for a match."""


# The announcement.


def just_announced(step: MatchStep) -> bool:
    """Whether the contract has just become known (CT2)."""
    before = step.before
    return bool(before and not before["contract"] and step.view["contract"])


def trump(step: MatchStep) -> Values | None:
    """A suit has been made trump (CT3)."""
    suit = step.trump
    if not just_announced(step) or suit is None:
        return None
    return {"suit": suit, "cards": suit_cards_in_order(suit, TRUMP_RANKS)}


def tops(step: MatchStep) -> Values | None:
    """Tops has been announced (CT4)."""
    return NO_VALUES if just_announced(step) and step.view["contract"] == "tops" else None


def bottoms(step: MatchStep) -> Values | None:
    """Bottoms has been announced (CT4)."""
    return NO_VALUES if just_announced(step) and step.view["contract"] == "bottoms" else None


# Card points, and following suit.


def _points(*contracts: str) -> Callable[[MatchStep], Values | None]:
    """A trigger for the first trick with points in one of these contracts (CT3, CT5)."""

    def tell(step: MatchStep) -> Values | None:
        known, trick = _known(step), step.completed_trick
        if known is None or trick is None or not step.view["contract"].startswith(contracts):
            return None
        worth = sum(
            tricks.card_points(JASS.numbers[card], known.value_ranking) for card in trick["cards"]
        )
        # The cards are named, because they may have left the table when this is read.
        return {"cards": " ".join(trick["cards"]), "points": worth} if worth else None

    return tell


def _follow(step: MatchStep) -> Values | None:
    """The learner has to follow suit, and there is no trump (CT4)."""
    known = _following(step)
    if known is None or known.trump >= 0 or not _held(known, known.led):
        return None
    return {"suit": SUITS[known.led], "cards": _ladder(known.led, known.ranking)}


# Leading.


def _draw_trumps(step: MatchStep) -> Values | None:
    """The learner's side announced a trump, and the learner leads the highest one left."""
    known, card = _leading(step)
    if known is None or _suit(card) != known.trump or not _sure(known, card):
        return None
    ours = (step.view["by"] - known.seat) % 2 == 0
    return {"card": JASS.texts[card]} if ours and _trumps_against(known) else None


def _master(step: MatchStep) -> Values | None:
    """The learner leads the highest card of a plain suit, which nobody can trump any more."""
    known, card = _leading(step)
    if known is None or known.trump in (-1, _suit(card)) or not _sure(known, card):
        return None
    return None if _trumps_against(known) else {"card": JASS.texts[card]}


def _to_partner(step: MatchStep) -> Values | None:
    """The learner keeps their trumps, has no other sure card, and leads low to the partner."""
    known, card = _leading(step)
    if known is None or known.trump in (-1, _suit(card)) or not _held(known, known.trump):
        return None
    plain = known.hand & ~tricks.TRUMP_CARDS[known.ranking]
    if any(_sure(known, one) for one in cards_in_set(plain)) or _counts(known, card):
        return None
    return {"card": JASS.texts[card], "seat": _partner(known)}


def _lead_sure(step: MatchStep) -> Values | None:
    """Without a trump the learner leads a card that no card can beat (CT4)."""
    known, card = _leading(step)
    if known is None or known.trump >= 0 or not _sure(known, card):
        return None
    return {"card": JASS.texts[card], "cards": _ladder(_suit(card), known.ranking)}


def _lead_last(step: MatchStep) -> Values | None:
    """Without a trump the learner leads a suit of which nobody else holds a card."""
    known, card = _leading(step)
    if known is None or known.trump >= 0 or known.unseen & tricks.SUIT_CARDS[_suit(card)]:
        return None
    return {"card": JASS.texts[card], "suit": SUITS[_suit(card)]}


def _lead_loser(step: MatchStep) -> Values | None:
    """Without a trump the learner leads and holds no card that is sure to take a trick."""
    known, card = _leading(step)
    if known is None or known.trump >= 0 or known.sizes[known.seat] == 1:
        return None
    sure = any(_sure(known, one) for one in cards_in_set(known.hand))
    return None if sure else {"card": JASS.texts[card]}


# Tricks of the partner and of the opponents.


def _partner_leads(step: MatchStep) -> Values | None:
    """The partner has led the highest card left of a suit that is not trump."""
    known = _known(step)
    if known is None or not _partner_led(step, known) or len(known.trick) != 1:
        return None
    card = known.trick[0]
    held = known.hand & tricks.SUIT_CARDS[known.led]
    beaten = any(tricks.beats(one, card, known.ranking) for one in cards_in_set(held))
    if beaten or not _sure(known, card):
        return None
    return {"seat": _partner(known), "card": JASS.texts[card]}


def _partner_low(step: MatchStep) -> Values | None:
    """The partner has led a card that others can beat, and the learner follows suit."""
    known, card = _following(step), _tip(step)
    if known is None or not _partner_led(step, known) or _suit(card) != known.led:
        return None
    led = known.trick[0]
    if _suit(known.best) != known.led or _sure(known, led):
        return None
    return {"seat": _partner(known), "card": JASS.texts[led]}


def _not_partner(step: MatchStep) -> Values | None:
    """The learner could trump a trick of the partner, but should smear."""
    known, card = _could_trump(step), _tip(step)
    if known is None or known.winner != _partner(known) or _suit(card) == known.trump:
        return None
    return {"card": JASS.texts[card], "suit": SUITS[known.trump]} if _counts(known, card) else None


def _ruff(step: MatchStep) -> Values | None:
    """The learner can trump a trick that an opponent is winning."""
    known = _could_trump(step)
    if known is None or known.winner == _partner(known) or _suit(_tip(step)) != known.trump:
        return None
    return {"seat": known.winner, "suit": SUITS[known.trump]}


def _smeared(step: MatchStep) -> Values | None:
    """The partner could not follow and smeared a card with many points on the learner's trick."""
    known, trick = _known(step), step.completed_trick
    if known is None or trick is None or trick["winner"] != known.seat:
        return None
    order = [(trick["leader"] + offset) % 4 for offset in range(4)]
    place = order.index(_partner(known))
    card = JASS.numbers[trick["cards"][place]]
    free = place > order.index(known.seat) and _suit(card) not in (
        known.trump,
        _suit(JASS.numbers[trick["cards"][0]]),
    )
    if not free or _counts(known, card) < _DEAR:
        return None
    return {"seat": _partner(known), "card": JASS.texts[card]}


def _match(step: MatchStep) -> Values | None:
    """The learner's side has taken all tricks so far, and more than half of them (CT6)."""
    view, known = step.view, _known(step)
    bonus = view["options"]["match_bonus"]
    if known is None or step.completed_trick is None or len(view["tricks"]) != _HALF or not bonus:
        return None
    ours = all(trick["winner"] % 2 == known.seat % 2 for trick in view["tricks"])
    return {"points": bonus} if ours else None


# The learner's information.


def _known(step: MatchStep) -> Position | None:
    """The learner's information during the play; None before and after."""
    playing = step.view["phase"] == "play"
    return Position(step.view, discard_makes_trump=False) if playing else None


def _following(step: MatchStep) -> Position | None:
    """The same when the learner is to play to a trick that others have begun."""
    known = _known(step) if step.must_play_card else None
    return known if known is not None and known.trick else None


def _leading(step: MatchStep) -> tuple[Position | None, int]:
    """The same when the learner is to lead, with the suggested card; else None and -1."""
    known = _known(step) if step.must_play_card else None
    return (None, -1) if known is None or known.trick else (known, _tip(step))


def _could_trump(step: MatchStep) -> Position | None:
    """The same when the learner cannot follow a plain suit and holds trumps."""
    known = _following(step)
    if known is None or known.trump in (-1, known.led) or _held(known, known.led):
        return None
    return known if _held(known, known.trump) else None


def _tip(step: MatchStep) -> int:
    """The suggested card, -1 when the learner is not to play."""
    return (
        JASS.numbers[step.suggested_action.split()[1]]
        if step.must_play_card and step.suggested_action
        else -1
    )


def _partner(known: Position) -> int:
    """The learner's partner (CT1)."""
    return (known.seat + 2) % 4


def _partner_led(step: MatchStep, known: Position) -> bool:
    """Whether the trick was led by the partner, and not with a trump."""
    trick = step.view["trick"]
    return bool(trick) and trick[0][0] == _partner(known) and known.led != known.trump


def _suit(card: int) -> int:
    """The suit of a card."""
    return card // tricks.RANKS


def _held(known: Position, suit: int) -> int:
    """The learner's cards of a suit."""
    return known.hand & tricks.SUIT_CARDS[suit]


def _counts(known: Position, card: int) -> int:
    """The points of a card in this contract (CT3, CT5)."""
    return tricks.card_points(card, known.value_ranking)


def _sure(known: Position, card: int) -> bool:
    """Whether no card of its suit that others may hold beats a card."""
    others = known.unseen & tricks.SUIT_CARDS[_suit(card)]
    return not any(tricks.beats(one, card, known.ranking) for one in cards_in_set(others))


def _trumps_against(known: Position) -> int:
    """The trumps that an opponent may hold."""
    trumps = known.unseen & tricks.TRUMP_CARDS[known.ranking]
    return trumps & ~(known.void[(known.seat + 1) % 4] & known.void[(known.seat + 3) % 4])


def _ladder(suit: int, ranking: int) -> str:
    """The cards of a suit from low to high in a trick ranked so (C2, CT4)."""
    if ranking == tricks.BOTTOMS:
        return suit_cards_in_order(SUITS[suit], PLAIN_RANKS[::-1])
    return suit_cards_in_order(SUITS[suit], TRUMP_RANKS if suit == ranking else PLAIN_RANKS)


LEADING = (
    Trigger("partners.draw_trumps", _draw_trumps),
    Trigger("partners.master", _master),
    Trigger("partners.to_partner", _to_partner),
    Trigger("partners.lead_last", _lead_last),
    Trigger("partners.lead_sure", _lead_sure),
    Trigger("partners.lead_loser", _lead_loser),
)
"""Triggers about leading, with and without a trump."""

PLAYING = (
    Trigger("partners.points_trump", _points("trump")),
    Trigger("partners.points_tops", _points("tops")),
    Trigger("partners.points_bottoms", _points("bottoms")),
    Trigger("partners.smeared", _smeared),
    Trigger("partners.match", _match),
    Trigger("partners.partner_leads", _partner_leads),
    Trigger("tricks.follow", _follow),
    *FOLLOWING_TRUMPS,
    BUR,
    Trigger("partners.partner_low", _partner_low),
    Trigger("partners.not_partner", _not_partner),
    Trigger("partners.ruff", _ruff),
)
"""Triggers about card points and about playing to a trick, with the partner and against opponents.
"""
