"""The guided round of Schieber: announce or push, Weis and Stöck, and play with the partner."""

from collections.abc import Mapping, Sequence
from typing import Any

from jasstisch.games.schieber import DOUBLE
from jasstisch.guides.guide import Guide, Moment, Values, line
from jasstisch.guides.molotov import aim
from jasstisch.guides.partners import LEADING, PLAYING, bottoms, tops, trump
from jasstisch.guides.scene import Scene
from jasstisch.guides.tricks import LAST_TRICK, NONE

__all__ = ["GUIDE", "MOMENTS"]

MULTIPLIERS = "swiss"
"""The factors of the guided round: its trump counts double."""

DOUBLED = DOUBLE[MULTIPLIERS]

FACTOR_AFTER, SLATE_AFTER = 4, 6
"""After how many tricks factor and slate are told: there is time for it, and there are points."""


def choose(scene: Scene) -> Values | None:
    """The learner may make his long suit trump, or push (SC1)."""
    tip = scene.tip or ""
    if scene.view["phase"] != "announce" or not tip.startswith("trump "):
        return None
    suit = tip[-1]
    return {"suit": suit, "cards": " ".join(card for card in scene.hand if card[1] == suit)}


def other_trump(scene: Scene) -> Values | None:
    """Somebody else has made a suit trump; of his own the learner knows (SC1)."""
    return None if scene.view["by"] == scene.seat else trump(scene)


def weis(scene: Scene) -> Values | None:
    """The learner may announce his Weis with his first card (SC3)."""
    if not any(action.endswith(" weis") for action in scene.legal):
        return None
    best = scene.view["melds"][0]
    return {"cards": " ".join(best["cards"]), "points": best["points"]}


def side_weis(scene: Scene) -> Values | None:
    """The best Weis is on the learner's side, which scores all of its own (SC3)."""
    seat, points = _best_weis(scene)
    return {"seat": seat, "points": points} if points and seat % 2 == scene.seat % 2 else None


def other_weis(scene: Scene) -> Values | None:
    """The best Weis is on the other side (SC3)."""
    seat, points = _best_weis(scene)
    return {"seat": seat, "points": points} if points and seat % 2 != scene.seat % 2 else None


def _best_weis(scene: Scene) -> tuple[int, int]:
    """Who has just shown the best Weis, and the points of his side; zeros where nobody has."""
    before, shown = scene.before, scene.view["weis_shown"]
    if before is None or scene.ended is not None or before["weis_shown"] or not shown:
        return 0, 0
    return shown["seat"], scene.view["weis"][shown["seat"]]


def factor(scene: Scene) -> Values | None:
    """Some tricks are played in a contract that counts more than once (SC5)."""
    times = scene.view["factor"]
    if not times or times == 1 or not _after(scene, FACTOR_AFTER):
        return None
    points = scene.view["points"][scene.seat]
    return {"points": points, "factor": times, "suit": DOUBLED[0], "suit2": DOUBLED[1]}


def slate(scene: Scene) -> Values | None:
    """There is time to say how points are written."""
    return NONE if _after(scene, SLATE_AFTER) else None


def _after(scene: Scene, count: int) -> bool:
    """Whether so many tricks of this round have just been played."""
    return scene.taken is not None and len(scene.view["tricks"]) == count


def stoeck(scene: Scene) -> Values | None:
    """King and queen of trumps have both been played from one hand (SC4)."""
    before = scene.before
    if before is None or scene.ended is not None:
        return None
    counted = scene.view["stoeck"]
    trump = scene.trump
    if trump is None or not any(counted) or any(before["stoeck"]):
        return None
    return {"seat": _who_played(scene.view["tricks"], f"K{trump}")}


def _who_played(played: Sequence[Mapping[str, Any]], card: str) -> int:
    """The seat that has played a card to one of these tricks."""
    trick = next(one for one in played if card in one["cards"])
    return int((trick["leader"] + trick["cards"].index(card)) % 4)


def score_more(scene: Scene) -> Values | None:
    """The round is over, and the learner's side has more points (SC5)."""
    values = _score(scene)
    return values if values and values["points"] > values["other"] else None


def score_less(scene: Scene) -> Values | None:
    """The round is over, and the learner's side has not more points (SC5)."""
    values = _score(scene)
    return values if values and values["points"] <= values["other"] else None


def _score(scene: Scene) -> dict[str, int] | None:
    ended = scene.ended
    if ended is None:
        return None
    ours, theirs = ended["points"][scene.seat], ended["points"][(scene.seat + 1) % 4]
    return {
        "points": ours,
        "other": theirs,
        "factor": ended["factor"],
        "written": int(ended["marks"][scene.seat]),
    }


MOMENTS = (
    Moment("schieber.aim", aim),
    Moment("schieber.choose", choose),
    Moment("partners.trump", other_trump),
    Moment("partners.tops", tops),
    Moment("partners.bottoms", bottoms),
    Moment("schieber.weis", weis),
    Moment("schieber.side_weis", side_weis, own=True),
    Moment("schieber.other_weis", other_weis),
    Moment("schieber.stoeck", stoeck, own=True),
    *PLAYING,
    Moment("schieber.factor", factor),
    Moment("schieber.slate", slate),
    *LEADING,
    LAST_TRICK,
    Moment("schieber.score_more", score_more),
    Moment("schieber.score_less", score_less),
)

DEAL = (
    "JS AC 8D TS QD 8H 6S AH TD 7S JH AD 9S 7H TC AS JC KD "
    "7C KH JD TH 9C 6D KS 8S QS 6H QC QH 9D 6C 7D 9H KC 8C"
)

GUIDE = Guide(
    game="schieber",
    options={"dealer": 3, "multipliers": MULTIPLIERS},
    packs=(DEAL,),
    line=line(
        "trump S; play JS weis; 9S; AC; 7H; TC; 8D; QS; KS; 8S",
        "TS; AS; JC; 6H; 8H; KD; QD; QC; QH",
        "play 6S weis; TD; 7C; AH; KH; 7D; 9D; JD; 6C",
        "play 7S weis; 8C; 9C; 9H; JH; 6D; AD; KC; TH",
    ),
    moments=MOMENTS,
)
