"""Triggers shared by all trick-taking games: following suit, winning a trick, card points."""

from collections.abc import Callable

from jasstisch.engine.cards import JASS, SUITS
from jasstisch.engine.tricks import card_points
from jasstisch.i18n.templates import Values
from jasstisch.tutorials.match_step import MatchStep
from jasstisch.tutorials.tutorial import Trigger

NO_VALUES: Values = {}
PLAIN_RANKS = "6789TJQKA"
TRUMP_RANKS = "678TQKA9J"
"""The ranks low to high, in plain suits and in trumps (C2)."""


def suit_cards_in_order(suit: str, ranks: str) -> str:
    """The cards of a suit in this order of ranks."""
    return " ".join(rank + suit for rank in ranks)


def points_of_card(card: str, trump: str | None) -> int:
    """The points of a card with this trump (C3)."""
    return card_points(JASS.numbers[card], -1 if trump is None else SUITS.index(trump))


def _lead(step: MatchStep) -> Values | None:
    """The learner is to lead the first trick."""
    first = step.must_play_card and step.led_suit is None and not step.view["tricks"]
    return {"cards": suit_cards_in_order(step.hand[0][1], PLAIN_RANKS)} if first else None


def _follow(step: MatchStep) -> Values | None:
    """The learner has to follow suit for the first time."""
    led = step.led_suit
    if not step.must_play_card or led is None or all(card[1] != led for card in step.hand):
        return None
    ranks = TRUMP_RANKS if led == step.trump else PLAIN_RANKS
    return {"suit": led, "cards": suit_cards_in_order(led, ranks)}


def _taken(step: MatchStep) -> Values | None:
    """A trick with points in it has been taken for the first time."""
    trick = step.completed_trick
    if trick is None:
        return None
    points = sum(points_of_card(card, step.trump) for card in trick["cards"])
    return {"seat": trick["winner"], "points": points} if points else None


def _bur(step: MatchStep) -> Values | None:
    """Trumps were led and the Bur is the learner's only trump, so it may be held back (C8c)."""
    trump = step.trump
    if not step.must_play_card or trump is None or step.led_suit != trump:
        return None
    held = [card for card in step.hand if card[1] == trump]
    return {"card": held[0]} if held == [f"J{trump}"] and len(step.playable) > 1 else None


def _last_trick(step: MatchStep) -> Values | None:
    """The last trick is about to be played."""
    view = step.view
    due = step.must_play_card and len(view["hand"]) == 1 and len(view["tricks"]) > 1
    return NO_VALUES if due else None


def on_mark_earned(*marks: str) -> Callable[[MatchStep], Values | None]:
    """A trigger for the end of a round that earned the learner one of these marks."""

    def tell(step: MatchStep) -> Values | None:
        ended = step.finished_round
        if ended is None or ended["marks"][step.learner_seat] not in marks:
            return None
        points = ended["points"]
        return {"points": points[step.learner_seat], "most": max(points), "fewest": min(points)}

    return tell


LEAD = Trigger("tricks.lead", _lead)
FOLLOW = Trigger("tricks.follow", _follow)
TAKEN = Trigger("tricks.taken", _taken, has_learner_text=True)
BUR = Trigger("tricks.bur", _bur)
LAST_TRICK = Trigger("tricks.last_trick", _last_trick)
