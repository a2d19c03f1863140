"""The tutorial of Coiffeur: choosing a line of the slate, its factor, and saving the joker."""

from jasstisch.games.coiffeur import slate_lines_of
from jasstisch.games.rules import Game
from jasstisch.i18n.templates import Values
from jasstisch.tutorials.contract_triggers import LEADING, PLAYING, just_announced, tops, trump
from jasstisch.tutorials.match_step import MatchStep
from jasstisch.tutorials.molotov import on_cards_dealt
from jasstisch.tutorials.trick_triggers import LAST_TRICK, NO_VALUES
from jasstisch.tutorials.tutorial import Trigger, Tutorial, parse_scripted_actions

_LOW = "678"
"""The ranks that make a hand good for bottoms."""


def _slate(step: MatchStep) -> Values | None:
    """The learner may announce one of the lines of the slate (CO1, CO2)."""
    return NO_VALUES if _announcing(step) else None


def _joker(step: MatchStep) -> Values | None:
    """The learner may announce a joker and should save it (CO1)."""
    jokers = any(action.startswith("joker") for action in step.legal)
    kept = step.suggested_action is not None and not step.suggested_action.startswith("joker")
    return NO_VALUES if _announcing(step) and jokers and kept else None


def _choose(step: MatchStep) -> Values | None:
    """The learner holds a hand that is good for bottoms (CO1)."""
    if not _announcing(step) or step.suggested_action != "bottoms":
        return None
    low = [card for card in step.hand if card[0] in _LOW]
    return {"cards": " ".join(low), "factor": _factor(step, step.suggested_action)}


def _announcing(step: MatchStep) -> bool:
    return step.my_turn and step.view["phase"] == "announce"


def _factor(step: MatchStep, announcement: str) -> int:
    """The factor of a line (CO1)."""
    lines = slate_lines_of(Game(step.view["game"], step.view["options"]))
    return next(one.factor for one in lines if announcement in one.announcements)


def _ours(step: MatchStep) -> Values | None:
    """The learner's side has announced (CO4)."""
    mine = just_announced(step) and step.view["by"] % 2 == step.learner_seat % 2
    return {"factor": step.view["factor"]} if mine else None


def _theirs(step: MatchStep) -> Values | None:
    """The other side has announced (CO4)."""
    view = step.view
    if not just_announced(step) or view["by"] % 2 == step.learner_seat % 2:
        return None
    return {"seat": view["by"], "factor": view["factor"]}


def _score_ours(step: MatchStep) -> Values | None:
    """The round is over, and the learner's side has written its line (CO4)."""
    return _score(step, 0)


def _score_theirs(step: MatchStep) -> Values | None:
    """The round is over, and the other side has written its line (CO4)."""
    return _score(step, 1)


def _score(step: MatchStep, side: int) -> Values | None:
    """The score of this side, where it announced."""
    ended = step.finished_round
    if ended is None or ended["by"] % 2 != side:
        return None
    points, factor = ended["points"][side], ended["factor"]
    return {"points": points, "factor": factor, "written": points * factor}


TRIGGERS = (
    Trigger("coiffeur.aim", on_cards_dealt),
    Trigger("coiffeur.slate", _slate),
    Trigger("coiffeur.joker", _joker),
    Trigger("coiffeur.choose", _choose),
    Trigger("partners.trump", trump),
    Trigger("partners.tops", tops),
    Trigger("coiffeur.ours", _ours),
    Trigger("coiffeur.theirs", _theirs),
    *PLAYING,
    *LEADING,
    LAST_TRICK,
    Trigger("coiffeur.score_ours", _score_ours),
    Trigger("coiffeur.score_theirs", _score_theirs),
)

_DEAL = (
    "6S KD 7H QH 8C JS TH 8D JC AH TS 9C 6H 9S 6D KH 7D KS "
    "8S JH TC AS KC 9D QC 8H 7S 6C JD QD QS TD 7C 9H AC AD"
)

TUTORIAL = Tutorial(
    game="coiffeur",
    options={"dealer": 3},
    packs=(_DEAL,),
    script=parse_scripted_actions(
        "bottoms; 6H; 7H; 8H; 6D; 6S; 7S; 9S; KD; QC",
        "QH; KH; JD; QD; JS; KS; 7D; 8C; 6C",
        "TH; JH; TD; 8D; 8S; QS; TC; JC; 7C",
        "AH; 9H; AC; AD; AS; TS; 9D; 9C; KC",
    ),
    triggers=TRIGGERS,
)
