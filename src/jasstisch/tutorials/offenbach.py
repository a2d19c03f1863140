"""The tutorial of Offenbach Molotov, with five players, where it differs from Molotov Jass."""

from jasstisch.i18n.templates import Values
from jasstisch.tutorials.match_step import MatchStep
from jasstisch.tutorials.molotov import PLAY, on_cards_dealt
from jasstisch.tutorials.trick_triggers import NO_VALUES, on_mark_earned
from jasstisch.tutorials.tutorial import Trigger, Tutorial, parse_scripted_actions


def _pack(step: MatchStep) -> Values | None:
    """The first cards are dealt, from a pack without the six of diamonds (MV1)."""
    return NO_VALUES if step.just_dealt else None


TRIGGERS = (
    Trigger("offenbach.aim", on_cards_dealt),
    Trigger("offenbach.pack", _pack),
    *PLAY,
    Trigger("offenbach.score_tally", on_mark_earned("|")),
    Trigger("offenbach.score_nothing", on_mark_earned("-")),
    Trigger("offenbach.score_sack", on_mark_earned("0")),
)

_DEAL = (
    "TD 9H QS 7S 6C JH KC 7H QD 8H 9S AS 9D JS TH 7C 6H AD "
    "QC 6S AC 8D 9C KS 7D TC KD JC TS QH JD KH AH 8C 8S"
)

TUTORIAL = Tutorial(
    game="offenbach",
    options={"players": 5, "dealer": 3},
    packs=(_DEAL,),
    script=parse_scripted_actions(
        "7D; 6C; TC; KS; KC; 7H; JH",
        "KD; JC; QD; 9S; AS; 8H; TS",
        "JD; 7C; 9D; JS; TH; QH; KH",
        "AD; 8C; QC; 8S; AH; 6H; 6S",
        "TD; 9C; 8D; 7S; AC; 9H; QS",
    ),
    triggers=TRIGGERS,
)
