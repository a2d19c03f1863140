"""Triggers of games in which the first discard makes trump (MV2): Molotov and Molotow Jass."""

from jasstisch.i18n.templates import Values
from jasstisch.tutorials.match_step import MatchStep
from jasstisch.tutorials.trick_triggers import TRUMP_RANKS, points_of_card, suit_cards_in_order
from jasstisch.tutorials.tutorial import Trigger


def _own_discard(step: MatchStep) -> Values | None:
    """The learner cannot follow and there is no trump: the learner's card makes it (MV2)."""
    if not step.must_play_card or step.trump or step.led_suit is None:
        return None
    return {"suit": step.led_suit} if all(card[1] != step.led_suit for card in step.hand) else None


def _made(step: MatchStep) -> Values | None:
    """Somebody's discard has just made trump (MV2)."""
    if not step.trump_just_made or step.last_played is None:
        return None
    seat, card = step.last_played
    return {"seat": seat, "card": card, "suit": card[1]}


def _revalued(step: MatchStep) -> Values | None:
    """A jack or nine of the new trump suit was captured before: its points change (C10)."""
    suit = step.trump
    if not step.trump_just_made or suit is None:
        return None
    for trick in step.view["tricks"][: None if step.completed_trick is None else -1]:
        for card in trick["cards"]:
            if card in {f"J{suit}", f"9{suit}"}:
                return {"card": card, "seat": trick["winner"], "points": points_of_card(card, suit)}
    return None


def _values(step: MatchStep) -> Values | None:
    """A suit has become trump: its jack and nine are worth more now (C2, C3)."""
    if not step.trump_just_made or step.trump is None or _revalued(step) is not None:
        return None
    return {"cards": suit_cards_in_order(step.trump, TRUMP_RANKS)}


FIRST_DISCARD = (
    Trigger("trump.own_discard", _own_discard),
    Trigger("trump.made", _made, has_learner_text=True),
    Trigger("trump.values", _values),
    Trigger("trump.revalued", _revalued, has_learner_text=True),
)
