"""The tutorial of I Doubt It: laying three cards, claiming a rank, doubting and passing."""

from collections.abc import Mapping
from typing import Any

from jasstisch.i18n.templates import Values
from jasstisch.tutorials.match_step import MatchStep
from jasstisch.tutorials.molotov import on_cards_dealt
from jasstisch.tutorials.trick_triggers import NO_VALUES
from jasstisch.tutorials.tutorial import Trigger, Tutorial, parse_scripted_actions

_LARGE = 12
"""Cards in the middle from which taking them is costly."""

_Turn = Mapping[str, Any]


def _settled(step: MatchStep) -> _Turn | None:
    """The claim that has just been settled: believed by all, or doubted."""
    before = step.before
    if before is None or not before["claim"] or step.view["claim"]:
        return None
    # A draw may already have begun the next turn (ID5).
    index = len(before["turns"]) - 1
    turn: _Turn = step.view["turns"][index]
    return turn


def _mine(step: MatchStep) -> list[str]:
    return list(dict.fromkeys(card[0] for card in step.hand))


def _truth(step: MatchStep) -> Values | None:
    """The learner is to lay and holds three of a rank (ID2)."""
    if not _laying(step):
        return None
    for rank in _mine(step):
        cards = [card for card in step.hand if card[0] == rank]
        if len(cards) >= 3:
            return {"cards": " ".join(cards[:3])}
    return None


def _lie(step: MatchStep) -> Values | None:
    """The learner is to lay and has to lie, or wants to (ID2)."""
    return NO_VALUES if _laying(step) and _truth(step) is None else None


def _laying(step: MatchStep) -> bool:
    return step.my_turn and step.view["phase"] == "lay"


def _claim(step: MatchStep) -> Values | None:
    """The learner is to answer a claim (ID3)."""
    if "doubt" not in step.legal:
        return None
    said = step.view["claim"]
    return {"seat": said["seat"], "ranks": said["rank"]}


def _impossible(step: MatchStep) -> Values | None:
    """The learner is to answer a claim that the learner's own cards show to be false."""
    if "doubt" not in step.legal:
        return None
    said = step.view["claim"]
    held = [card for card in step.hand if card[0] == said["rank"]]
    if said["count"] + len(held) <= 4:
        return None
    return {"seat": said["seat"], "ranks": said["rank"], "cards": " ".join(held)}


def _caught(step: MatchStep) -> Values | None:
    """The learner's doubt was right: the liar takes everything (ID3)."""
    turn = _settled(step)
    if turn is None or turn["doubter"] != step.learner_seat or turn["truth"]:
        return None
    return {"seat": turn["seat"], "taken": turn["taken"]}


def _wrong(step: MatchStep) -> Values | None:
    """The learner's doubt was wrong: the learner takes everything (ID3)."""
    turn = _settled(step)
    if turn is None or turn["doubter"] != step.learner_seat or not turn["truth"]:
        return None
    return {"seat": turn["seat"], "taken": turn["taken"]}


def _believed(step: MatchStep) -> Values | None:
    """Nobody has doubted the learner's false claim (ID4)."""
    turn = _settled(step)
    if turn is None or turn["seat"] != step.learner_seat or turn["doubter"] is not None:
        return None
    false = any(card[0] != turn["rank"] for card in turn["laid"])
    return {"ranks": turn["rank"]} if false else None


def _doubted(step: MatchStep) -> Values | None:
    """Somebody has doubted the learner, who told the truth (ID3)."""
    turn = _settled(step)
    if turn is None or turn["seat"] != step.learner_seat or not turn["truth"]:
        return None
    return {"seat": turn["doubter"], "taken": turn["taken"]}


def _own_caught(step: MatchStep) -> Values | None:
    """The learner's lie was doubted: the learner takes everything (ID3)."""
    turn = _settled(step)
    if turn is None or turn["seat"] != step.learner_seat or turn["truth"] is not False:
        return None
    return {"seat": turn["doubter"], "taken": turn["taken"]}


def _others(step: MatchStep) -> Values | None:
    """Two others have settled a doubt between them (ID3)."""
    turn = _settled(step)
    if (
        turn is None
        or turn["doubter"] is None
        or step.learner_seat in {turn["seat"], turn["doubter"]}
    ):
        return None
    return {"seat": turn["taker"], "taken": turn["taken"]}


def _middle(step: MatchStep) -> Values | None:
    """Many cards lie in the middle when the learner has to answer."""
    lying = step.view["middle"]
    return {"middle": lying} if "doubt" in step.legal and lying >= _LARGE else None


def _few(step: MatchStep) -> Values | None:
    """Somebody's last cards are being claimed when the learner has to answer (ID6)."""
    if "doubt" not in step.legal:
        return None
    seat = step.view["claim"]["seat"]
    return {"seat": seat} if step.view["hand_sizes"][seat] == 0 else None


def _draw(step: MatchStep) -> Values | None:
    """The learner had fewer than three cards and has drawn some (ID5)."""
    turns = step.view["turns"]
    if not _laying(step) or not turns or turns[-1]["seat"] != step.learner_seat:
        return None
    return {"drew": turns[-1]["drew"]} if turns[-1]["drew"] else None


def _score_won(step: MatchStep) -> Values | None:
    """The learner is out first (ID6)."""
    values = _score(step)
    return values if values and values["left"] == 0 else None


def _score_fewest(step: MatchStep) -> Values | None:
    """The claims are used up, and nobody holds fewer cards than the learner (ID8)."""
    values = _score(step)
    won = values and values["chips"] == values["best"] and values["left"]
    return values if won else None


def _score_lost(step: MatchStep) -> Values | None:
    """The deal is over, and somebody else has got most of it."""
    values = _score(step)
    if values is None or values["chips"] == values["best"]:
        return None
    return {**values, "chips": -int(values["chips"])}


def _score(step: MatchStep) -> Values | None:
    ended = step.finished_round
    if ended is None:
        return None
    chips = ended["chips"]
    return {
        "chips": chips[step.learner_seat],
        "left": ended["left"][step.learner_seat],
        "seat": chips.index(max(chips)),
        "best": max(chips),
    }


TRIGGERS = (
    Trigger("i-doubt-it.aim", on_cards_dealt),
    # The outcome of a claim is explained before the next decision.
    Trigger("i-doubt-it.believed", _believed),
    Trigger("i-doubt-it.doubted", _doubted),
    Trigger("i-doubt-it.own_caught", _own_caught),
    Trigger("i-doubt-it.caught", _caught),
    Trigger("i-doubt-it.wrong", _wrong),
    Trigger("i-doubt-it.others", _others),
    Trigger("i-doubt-it.draw", _draw),
    Trigger("i-doubt-it.truth", _truth),
    Trigger("i-doubt-it.lie", _lie),
    Trigger("i-doubt-it.claim", _claim),
    Trigger("i-doubt-it.impossible", _impossible),
    Trigger("i-doubt-it.middle", _middle),
    Trigger("i-doubt-it.few", _few),
    Trigger("i-doubt-it.score_won", _score_won),
    Trigger("i-doubt-it.score_fewest", _score_fewest),
    Trigger("i-doubt-it.score_lost", _score_lost),
)

_DEAL = (
    "8C TS 4H 5D TC 7C 2S AD 6S TD AC 9D 9S 4C QH 4S 5C AH 6D AS TH 7H 8D JS KD JH "
    "QS 3C JD 9C 5H 3D JC 6C 3H QD KH 2C 4D 9H 5S KC 8H 8S 2D 6H 7D 3S KS 7S 2H QC"
)

TUTORIAL = Tutorial(
    game="i-doubt-it",
    options={"dealer": 2},
    packs=(_DEAL,),
    script=parse_scripted_actions(
        "pass; lay 7C 7H 7S as 7; pass; pass; pass; lay 2C 4C 9C as 6; pass; pass; doubt; "
        "lay KC JH AH as T; pass; pass; pass; lay 6C TD TS as T; pass; pass; lay 2D 2H 6H as 2",
        "pass; pass; lay AC 6D 7D as 2; pass; pass; pass; lay 2H 3H 5H as 4; pass; pass; "
        "lay 4D 4H 2S as 8; doubt; pass; pass; lay 8D QH QS as 8; pass; pass; pass",
        "pass; pass; pass; lay 3C 3D 3S as 3; pass; pass; pass; lay 5D 4S 8S as 9; pass; pass; "
        "lay 9D 9H JS as Q; pass; pass; pass; lay AD AH AS as A; pass; pass",
        "lay KD KH KS as K; pass; pass; pass; lay 8C 2D 6S as 5; pass; pass; pass; "
        "lay 5C 5S 9S as T; pass; pass; pass; lay KD KH KS as K; pass; doubt; pass; "
        "lay 2C 2D 2H as 2; pass",
    ),
    triggers=TRIGGERS,
)
