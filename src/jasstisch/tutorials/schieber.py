"""The tutorial of Schieber: announcing or pushing, Weis and Stöck, and play with the partner."""

from collections.abc import Mapping, Sequence
from typing import Any

from jasstisch.i18n.templates import Values
from jasstisch.tutorials.contract_triggers import LEADING, PLAYING, bottoms, tops, trump
from jasstisch.tutorials.match_step import MatchStep
from jasstisch.tutorials.molotov import on_cards_dealt
from jasstisch.tutorials.trick_triggers import LAST_TRICK, NO_VALUES
from jasstisch.tutorials.tutorial import Trigger, Tutorial, parse_scripted_actions

_SLATE_AFTER = 6
"""The number of tricks after which the slate is explained, when there are some points."""


def _choose(step: MatchStep) -> Values | None:
    """The learner may make a long suit trump, or push (SC1)."""
    tip = step.suggested_action or ""
    if step.view["phase"] != "announce" or not tip.startswith("trump "):
        return None
    suit = tip[-1]
    return {"suit": suit, "cards": " ".join(card for card in step.hand if card[1] == suit)}


def _other_trump(step: MatchStep) -> Values | None:
    """Another player has made a suit trump (SC1)."""
    return None if step.view["by"] == step.learner_seat else trump(step)


def _weis(step: MatchStep) -> Values | None:
    """The learner may announce Weis with their first card (SC3)."""
    if not any(action.endswith(" weis") for action in step.legal):
        return None
    best = step.view["melds"][0]
    return {"cards": " ".join(best["cards"]), "points": best["points"]}


def _side_weis(step: MatchStep) -> Values | None:
    """The best Weis is on the learner's side, which scores all of its own (SC3)."""
    seat, points = _best_weis(step)
    return (
        {"seat": seat, "points": points} if points and seat % 2 == step.learner_seat % 2 else None
    )


def _other_weis(step: MatchStep) -> Values | None:
    """The best Weis is on the other side (SC3)."""
    seat, points = _best_weis(step)
    return (
        {"seat": seat, "points": points} if points and seat % 2 != step.learner_seat % 2 else None
    )


def _best_weis(step: MatchStep) -> tuple[int, int]:
    """The seat that has just shown the best Weis, and its side's points; zeros without any."""
    before, shown = step.before, step.view["weis_shown"]
    if before is None or step.finished_round is not None or before["weis_shown"] or not shown:
        return 0, 0
    return shown["seat"], step.view["weis"][shown["seat"]]


def _slate(step: MatchStep) -> Values | None:
    """Enough tricks are played to explain how points are written."""
    ended = step.completed_trick is not None and len(step.view["tricks"]) == _SLATE_AFTER
    return NO_VALUES if ended else None


def _stoeck(step: MatchStep) -> Values | None:
    """King and queen of trumps have both been played from one hand (SC4)."""
    before = step.before
    if before is None or step.finished_round is not None:
        return None
    counted = step.view["stoeck"]
    trump = step.trump
    if trump is None or not any(counted) or any(before["stoeck"]):
        return None
    return {"seat": _who_played(step.view["tricks"], f"K{trump}")}


def _who_played(played: Sequence[Mapping[str, Any]], card: str) -> int:
    """The seat that has played a card to one of these tricks."""
    trick = next(one for one in played if card in one["cards"])
    return int((trick["leader"] + trick["cards"].index(card)) % 4)


def _score_more(step: MatchStep) -> Values | None:
    """The round is over, and the learner's side has more points."""
    values = _score(step)
    return values if values and values["points"] > values["other"] else None


def _score_less(step: MatchStep) -> Values | None:
    """The round is over, and the learner's side does not have more points."""
    values = _score(step)
    return values if values and values["points"] <= values["other"] else None


def _score(step: MatchStep) -> dict[str, int] | None:
    ended = step.finished_round
    if ended is None:
        return None
    ours, theirs = ended["points"][step.learner_seat], ended["points"][(step.learner_seat + 1) % 4]
    return {"points": ours, "other": theirs}


TRIGGERS = (
    Trigger("schieber.aim", on_cards_dealt),
    Trigger("schieber.choose", _choose),
    Trigger("partners.trump", _other_trump),
    Trigger("partners.tops", tops),
    Trigger("partners.bottoms", bottoms),
    Trigger("schieber.weis", _weis),
    Trigger("schieber.side_weis", _side_weis, has_learner_text=True),
    Trigger("schieber.other_weis", _other_weis),
    Trigger("schieber.stoeck", _stoeck, has_learner_text=True),
    *PLAYING,
    Trigger("schieber.slate", _slate),
    *LEADING,
    LAST_TRICK,
    Trigger("schieber.score_more", _score_more),
    Trigger("schieber.score_less", _score_less),
)

_DEAL = (
    "JS AC 8D TS QD 8H 6S AH TD 7S JH AD 9S 7H TC AS JC KD "
    "7C KH JD TH 9C 6D KS 8S QS 6H QC QH 9D 6C 7D 9H KC 8C"
)

TUTORIAL = Tutorial(
    game="schieber",
    options={"dealer": 3},
    packs=(_DEAL,),
    script=parse_scripted_actions(
        "trump S; play JS weis; 9S; AC; 7H; TC; 8D; QS; KS; 8S",
        "TS; AS; JC; 6H; 8H; KD; QD; QC; QH",
        "play 6S weis; TD; 7C; AH; KH; 7D; 9D; JD; 6C",
        "play 7S weis; 8C; 9C; 9H; JH; 6D; AD; KC; TH",
    ),
    triggers=TRIGGERS,
)
