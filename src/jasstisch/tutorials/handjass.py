"""The tutorial of Jass: staying or dropping, 21 points, Weis, and robbing with the six."""

from collections.abc import Mapping
from typing import Any

from jasstisch.i18n.templates import Values
from jasstisch.tutorials.match_step import MatchStep
from jasstisch.tutorials.molotov import on_cards_dealt
from jasstisch.tutorials.trick_triggers import (
    BUR,
    FIRST_TRICK,
    LAST_TRICK,
    NO_VALUES,
    TRUMP_RANKS,
    on_mark_earned,
    suit_cards_in_order,
)
from jasstisch.tutorials.tutorial import Trigger, Tutorial, parse_scripted_actions

_ENOUGH = 21
"""The points with which a player avoids a null (JS9)."""


def _trump(step: MatchStep) -> Values | None:
    """A card is turned, and its suit is trump (JS3)."""
    suit, shown = step.trump, step.view["shown"]
    if not step.just_dealt or suit is None or shown is None:
        return None
    return {"card": shown, "suit": suit, "cards": suit_cards_in_order(suit, TRUMP_RANKS)}


def _answer(step: MatchStep) -> Values | None:
    """The learner says whether they play, and may not take the blind (JS4)."""
    return NO_VALUES if "stay" in step.legal and "blind" not in step.legal else None


def _answer_blind(step: MatchStep) -> Values | None:
    """The learner says whether they play, and may exchange the hand for the blind (JS4)."""
    return NO_VALUES if "blind" in step.legal else None


def _dropped(step: MatchStep) -> Values | None:
    """Somebody else has dropped (JS4)."""
    return _said(step, "drop")


def _blind(step: MatchStep) -> Values | None:
    """Somebody else has taken the blind (JS4)."""
    return _said(step, "blind")


def _said(step: MatchStep, word: str) -> Values | None:
    before = step.before
    if before is None:
        return None
    for seat, said in enumerate(step.view["said"]):
        if seat != step.learner_seat and said == word != before["said"][seat]:
            return {"seat": seat}
    return None


def _rob(step: MatchStep) -> Values | None:
    """The learner may exchange the six of trumps for the turned card (JS5)."""
    if "rob" not in step.legal:
        return None
    return {"card": f"6{step.trump}", "card2": step.view["turned"]}


def _weis(step: MatchStep) -> Values | None:
    """The learner may announce Weis with their first card (JS7)."""
    # Robbing comes first, because it may improve the Weis.
    if "rob" in step.legal or not any(action.endswith(" weis") for action in step.legal):
        return None
    best = step.view["melds"][0]
    return {"cards": " ".join(best["cards"]), "points": best["points"]}


def _own_weis(step: MatchStep) -> Values | None:
    """The learner's Weis was the best and has been scored (JS7)."""
    shown = _shown(step)
    return {"points": _sum(shown)} if shown and shown["seat"] == step.learner_seat else None


def _other_weis(step: MatchStep) -> Values | None:
    """Somebody else's Weis was the best and has been scored (JS7)."""
    shown = _shown(step)
    if not shown or shown["seat"] == step.learner_seat:
        return None
    cards = " ".join(shown["melds"][0]["cards"])
    return {"seat": shown["seat"], "cards": cards, "points": _sum(shown)}


def _shown(step: MatchStep) -> Mapping[str, Any] | None:
    before = step.before
    if before is None or step.finished_round is not None or before["weis_shown"]:
        return None
    shown: Mapping[str, Any] | None = step.view["weis_shown"]
    return shown


def _sum(shown: Mapping[str, Any]) -> int:
    return sum(meld["points"] for meld in shown["melds"])


def _stoeck(step: MatchStep) -> Values | None:
    """King and queen of trumps have both been played from one hand (JS8)."""
    before = step.before
    if before is None or step.finished_round is not None:
        return None
    for seat, points in enumerate(step.view["stoeck"]):
        if points and not before["stoeck"][seat]:
            return {"seat": seat}
    return None


def _reached(step: MatchStep) -> Values | None:
    """The learner has 21 points or more (JS9)."""
    points = step.view["points"][step.learner_seat]
    ended = step.finished_round is not None or step.completed_trick is None
    return {"points": points} if points >= _ENOUGH and not ended else None


def _score_dropped(step: MatchStep) -> Values | None:
    """The round is over, and the learner had dropped (JS4)."""
    ended = step.finished_round
    return NO_VALUES if ended is not None and step.learner_seat not in ended["playing"] else None


TRIGGERS = (
    Trigger("jass.aim", on_cards_dealt),
    Trigger("jass.trump", _trump),
    Trigger("jass.blind", _blind),
    Trigger("jass.dropped", _dropped),
    Trigger("jass.answer", _answer),
    Trigger("jass.answer_blind", _answer_blind),
    Trigger("jass.rob", _rob),
    Trigger("jass.weis", _weis),
    *FIRST_TRICK,
    Trigger("jass.own_weis", _own_weis),
    Trigger("jass.other_weis", _other_weis),
    BUR,
    Trigger("jass.stoeck", _stoeck, has_learner_text=True),
    Trigger("jass.reached", _reached),
    LAST_TRICK,
    Trigger("jass.score_stroke", on_mark_earned("|", "||")),
    Trigger("jass.score_nothing", on_mark_earned("-")),
    Trigger("jass.score_null", on_mark_earned("0")),
    Trigger("jass.score_dropped", _score_dropped),
)

_DEAL = (
    "KD JC 9D AC 6D 9C JH AD 7C 8C 6C 7D AH TH KH 6S AS KS "
    "TC QD 8S QH JD 9H 8H KC QS 8D JS 7S 9S QC 7H TS 6H TD"
)

TUTORIAL = Tutorial(
    game="jass",
    options={"players": 3, "dealer": 1},
    packs=(_DEAL,),
    script=parse_scripted_actions(
        "stay; rob; play 9C weis; AC; TH; 9H; 8D; QH; KH; JD; AH",
        "stay; play 6S weis; AD; 8H; JH; 7C; KC; QS; KS; AS",
        "stay; 8S; 8C; 6C; JC; TC; 7D; QD; KD; 9D",
    ),
    triggers=TRIGGERS,
)
