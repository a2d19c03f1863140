"""The tutorial of Differenzler: a secret bid, and taking exactly that many points."""

from jasstisch.i18n.templates import Values
from jasstisch.tutorials.match_step import MatchStep
from jasstisch.tutorials.molotov import on_cards_dealt
from jasstisch.tutorials.trick_triggers import (
    BUR,
    FIRST_TRICK,
    LAST_TRICK,
    NO_VALUES,
    TRUMP_RANKS,
    suit_cards_in_order,
)
from jasstisch.tutorials.tutorial import Trigger, Tutorial, parse_scripted_actions

_NEAR = 12
"""Points below the bid from which the learner should let others take the tricks."""


def _bidding(step: MatchStep) -> bool:
    return step.my_turn and step.view["phase"] == "bid"


def _trump(step: MatchStep) -> Values | None:
    """The trump suit is drawn (DF2)."""
    suit = step.trump
    if not _bidding(step) or suit is None:
        return None
    return {"suit": suit, "cards": suit_cards_in_order(suit, TRUMP_RANKS)}


def _bid(step: MatchStep) -> Values | None:
    """The learner is to bid (DF3); trumps and aces are likely to take tricks."""
    suit = step.trump
    if not _bidding(step) or suit is None:
        return None
    strong = [card for card in step.hand if card[1] == suit or card[0] == "A"]
    return {"cards": " ".join(strong)} if strong else None


def _weak_bid(step: MatchStep) -> Values | None:
    """The learner is to bid and holds neither trumps nor aces."""
    return NO_VALUES if _bidding(step) and _bid(step) is None else None


def _ruff(step: MatchStep) -> Values | None:
    """The learner cannot follow suit and holds trumps, which they may play or keep (C8e)."""
    suit, led = step.trump, step.led_suit
    if not step.must_play_card or suit is None or led in {None, suit}:
        return None
    suits = {card[1] for card in step.hand}
    return {"suitled": str(led), "suit": suit} if led not in suits and suit in suits else None


def _count(step: MatchStep) -> Values | None:
    """The learner has taken their first points."""
    own, goal = _own(step)
    return {"points": own, "bid": goal} if 0 < own < goal - _NEAR else None


def _near(step: MatchStep) -> Values | None:
    """The learner has nearly as many points as they bid."""
    own, goal = _own(step)
    return {"points": own, "bid": goal} if own > 0 and goal - _NEAR <= own <= goal else None


def _overshot(step: MatchStep) -> Values | None:
    """The learner has more points than they bid."""
    own, goal = _own(step)
    return {"points": own, "bid": goal, "over": own - goal} if own > goal else None


def _own(step: MatchStep) -> tuple[int, int]:
    """The learner's points so far and bid; zeros out of turn and where no points were added."""
    view = step.view
    if view["phase"] != "play" or step.completed_trick is None or step.finished_round is not None:
        return 0, 0
    return view["points"][step.learner_seat], view["bids"][step.learner_seat]


def _score(step: MatchStep) -> Values | None:
    """The round is over: the difference is written (DF6)."""
    ended = step.finished_round
    if ended is None:
        return None
    best = min(ended["difference"])
    return {
        "bid": ended["bids"][step.learner_seat],
        "points": ended["points"][step.learner_seat],
        "difference": ended["difference"][step.learner_seat],
        "best": best,
    }


TRIGGERS = (
    Trigger("differenzler.aim", on_cards_dealt),
    Trigger("differenzler.trump", _trump),
    Trigger("differenzler.bid", _bid),
    Trigger("differenzler.weak_bid", _weak_bid),
    *FIRST_TRICK,
    Trigger("differenzler.ruff", _ruff),
    Trigger("differenzler.count", _count),
    Trigger("differenzler.near", _near),
    Trigger("differenzler.overshot", _overshot),
    BUR,
    LAST_TRICK,
    Trigger("differenzler.score", _score),
)

_DEAL = (
    "JS AS TS JC JH TD TC 9H KH KC 9D KD TH QC 9C AD 8C 7C "
    "AC QH 8S KS 8D QS JD 7H 6S QD 8H 6C 9S 7D 6D AH 6H 7S"
)
_DRAW = (
    "9H 9D AC QD 7D 9S JD 8C TC JC QS KC KD 8H 7C KH TD 6H "
    "AD QC 7S JS KS 8D QH 9C 6C 7H AS JH AH TS 6S TH 8S 6D"
)

TUTORIAL = Tutorial(
    game="differenzler",
    options={"dealer": 2},
    packs=(_DEAL, _DRAW),
    script=parse_scripted_actions(
        "bid 49; 8H; AD; JC; JH; 6C; TD; QD; 7C; 8C",
        "bid 49; KH; QH; 9H; TC; AC; 8S; 6D; 9S; 7D",
        "bid 30; 6H; AH; KS; KC; KD; 7S; 8D; 9D; QS",
        "bid 27; TH; 7H; JS; 9C; QC; TS; JD; AS; 6S",
    ),
    triggers=TRIGGERS,
)
