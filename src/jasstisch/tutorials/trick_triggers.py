"""Triggers shared by all trick-taking games: following suit, winning a trick, card points.

What a hint says depends on whether a suit is trump: it changes who may play what, which card wins
and what a card counts. So each of these situations has a trigger and a text of its own.
"""

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


def _is_first_lead(step: MatchStep) -> bool:
    """Whether the learner is to lead the first trick."""
    return step.must_play_card and step.led_suit is None and not step.view["tricks"]


def _lead(step: MatchStep) -> Values | None:
    """The learner is to lead the first trick, and there is no trump."""
    if not _is_first_lead(step) or step.trump is not None:
        return None
    return {"cards": suit_cards_in_order(step.hand[0][1], PLAIN_RANKS)}


def _lead_with_trump(step: MatchStep) -> Values | None:
    """The learner is to lead the first trick, and a suit is trump."""
    plain = [card[1] for card in step.hand if card[1] != step.trump]
    if not _is_first_lead(step) or step.trump is None or not plain:
        return None
    return {"suittrump": step.trump, "cards": suit_cards_in_order(plain[0], PLAIN_RANKS)}


def _held_suit_led(step: MatchStep) -> str | None:
    """The suit led, where the learner is to play to the trick and holds it."""
    led = step.led_suit if step.must_play_card else None
    return led if any(card[1] == led for card in step.hand) else None


def _follow(step: MatchStep) -> Values | None:
    """The learner has to follow suit, and there is no trump (C8b)."""
    led = _held_suit_led(step)
    if led is None or step.trump is not None:
        return None
    return {"suit": led, "cards": suit_cards_in_order(led, PLAIN_RANKS)}


def _follow_trump(step: MatchStep) -> Values | None:
    """Trumps were led, and the learner has to play one (C8c)."""
    led = _held_suit_led(step)
    if (
        led is None
        or led != step.trump
        or {card for card in step.hand if card[1] == led} == {f"J{led}"}
    ):
        return None
    return {"card": f"J{led}", "cards": suit_cards_in_order(led, TRUMP_RANKS)}


def _follow_or_trump(undertrump: str) -> Callable[[MatchStep], Values | None]:
    """A trigger for a plain suit led that the learner holds, with this option (C8d, C9)."""

    def tell(step: MatchStep) -> Values | None:
        led = _held_suit_led(step)
        if led is None or step.trump in {None, led}:
            return None
        if step.view["options"]["undertrump"] != undertrump:
            return None
        return {"suit": led, "suittrump": str(step.trump)}

    return tell


def _taken(step: MatchStep) -> Values | None:
    """A trick with points in it has been taken for the first time, without a trump."""
    return _points_taken(step) if step.trump is None else None


def _taken_with_trump(step: MatchStep) -> Values | None:
    """The first trick with points in it has been taken, with a trump."""
    earlier = step.before["tricks"] if step.before is not None else ()
    told = any(points_of_card(card, step.trump) for one in earlier for card in one["cards"])
    return None if step.trump is None or told else _points_taken(step)


def _points_taken(step: MatchStep) -> Values | None:
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


BUR = Trigger("tricks.bur", _bur)
FOLLOWING_TRUMPS = (
    Trigger("tricks.follow_trump", _follow_trump),
    *(
        Trigger(f"tricks.follow_or_trump_{rule}", _follow_or_trump(rule))
        for rule in ("strict", "if_void", "free")
    ),
)
"""Triggers about the cards that may be played where a suit is trump."""

FIRST_TRICK = (
    Trigger("tricks.lead", _lead),
    Trigger("tricks.lead_with_trump", _lead_with_trump),
    Trigger("tricks.follow", _follow),
    *FOLLOWING_TRUMPS,
    Trigger("tricks.taken", _taken, has_learner_text=True),
    Trigger("tricks.taken_with_trump", _taken_with_trump, has_learner_text=True),
)
"""Triggers about leading, following and the points of a trick, in games of individuals."""
LAST_TRICK = Trigger("tricks.last_trick", _last_trick)
