"""The tutorial of Molotow Jass: most or fewest points are good, the middle is bad."""

from jasstisch.i18n.templates import Values
from jasstisch.tutorials.first_discard_triggers import FIRST_DISCARD
from jasstisch.tutorials.match_step import MatchStep
from jasstisch.tutorials.molotov import on_cards_dealt
from jasstisch.tutorials.trick_triggers import BUR, FIRST_TRICK, LAST_TRICK, on_mark_earned
from jasstisch.tutorials.tutorial import Trigger, Tutorial, parse_scripted_actions

_HALF = 4
"""Tricks after which the points so far indicate the result of a round."""

_MANY = 70
"""Points from which a hundred may be reached."""


def _hundred(step: MatchStep) -> Values | None:
    """A player comes near a hundred points (MW5)."""
    points = step.view["points"]
    if (
        step.completed_trick is None
        or step.finished_round is not None
        or not _MANY <= max(points) < 100
    ):
        return None
    return {"seat": points.index(max(points)), "points": max(points)}


def _high(step: MatchStep) -> Values | None:
    """The learner has most points after half of the round."""
    own, others = _points(step)
    return {"points": own} if others and own > max(others) else None


def _low(step: MatchStep) -> Values | None:
    """The learner has fewest points after half of the round."""
    own, others = _points(step)
    return {"points": own} if others and own < min(others) else None


def _middle(step: MatchStep) -> Values | None:
    """The learner has neither most nor fewest points after half of the round (MW6)."""
    own, others = _points(step)
    return {"points": own} if others and min(others) <= own <= max(others) else None


def _points(step: MatchStep) -> tuple[int, list[int]]:
    """The learner's points and the others'; the latter only on their turn in the second half."""
    points = list(step.view["points"])
    own = points.pop(step.learner_seat)
    return own, points if step.must_play_card and len(step.view["tricks"]) >= _HALF else []


TRIGGERS = (
    Trigger("molotow.aim", on_cards_dealt),
    Trigger("molotow.turn", on_cards_dealt),
    *FIRST_TRICK,
    *FIRST_DISCARD,
    Trigger("molotow.middle", _middle),
    Trigger("molotow.high", _high),
    Trigger("molotow.low", _low),
    Trigger("molotow.hundred", _hundred),
    BUR,
    LAST_TRICK,
    Trigger("molotow.score_stick", on_mark_earned("+1")),
    Trigger("molotow.score_potato", on_mark_earned("-1")),
    Trigger("molotow.score_hundred", on_mark_earned("-3", "+3")),
    Trigger("molotow.score_tie", on_mark_earned("0")),
)

_DEAL = (
    "TC AH QH 8C 7C 9D 8S KD QC 8H 7D 9C JC QS JD KH 6H TH "
    "JH 7S JS AC TS 9S 6D AS QD 9H 6C 6S TD 7H AD KC 8D KS"
)

TUTORIAL = Tutorial(
    game="molotow",
    options={"dealer": 2},
    packs=(_DEAL,),
    script=parse_scripted_actions(
        "9D; 6C; 7C; 8C; 6S; KH; 9H; 6H; TH",
        "TD; QC; AD; KD; JS; JH; 7H; 7S; 8S",
        "7D; 9C; 8D; KC; TS; AC; 8H; 9S; KS",
        "JD; TC; QD; AH; QS; JC; QH; AS; 6D",
    ),
    triggers=TRIGGERS,
)
