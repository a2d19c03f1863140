"""What may be said at Schieber: announce or push, play for one's side, Weis and Stöck, the end."""

from collections.abc import Iterable, Iterator, Mapping

from jasstisch.analysis import side_cards
from jasstisch.analysis.announcing import (
    contract_traits,
    hand_for,
    hand_of,
    longest,
    push_traits,
    strong,
    written,
)
from jasstisch.analysis.grounds import Ground
from jasstisch.analysis.judges.register import holds_apart, judges
from jasstisch.analysis.partners import SidePlay
from jasstisch.analysis.traits import Trait, card_traits
from jasstisch.analysis.weis import WEIS, weis
from jasstisch.bots import View
from jasstisch.games.contracts import CONTRACTS, PUSH
from jasstisch.games.schieber import factor_of, open_contracts
from jasstisch.games.weis import KING_AND_QUEEN, STOECK

__all__ = ["judge"]


@judges("schieber")
def judge(view: View, action: str, _best: str) -> Iterable[Ground]:
    """What holds of an announcement, a push, or a card (SC1 - SC6)."""
    if view["phase"] == "announce":
        return push(view) if action == PUSH else announce(view, action)
    return card(view, action)


@holds_apart("schieber")
def traits(view: View, action: str) -> Mapping[str, Trait]:
    """What tells announcements and cards apart."""
    if view["phase"] != "announce":
        return card_traits(SidePlay(view, action.split()[1]))
    if action == PUSH:
        return push_traits()
    contract = CONTRACTS[action]
    factor = factor_of(contract.valued, view["options"]["multipliers"])
    return contract_traits(hand_of(view), contract, factor)


def push(view: View) -> Iterator[Ground]:
    """The hand is strong for no contract (SC1)."""
    hand = hand_of(view)
    if not any(strong(hand, CONTRACTS[text]) for text in open_contracts(view["options"])):
        yield Ground("push_weak")


def announce(view: View, text: str) -> Iterator[Ground]:
    """What the hand has for a contract, and what the contract counts (SC2, SC5)."""
    hand, contract, options = hand_of(view), CONTRACTS[text], view["options"]
    yield from hand_for(hand, contract)
    factor = factor_of(contract.valued, options["multipliers"])
    if factor > 1:
        yield Ground("counts", {"factor": factor})
    pair = KING_AND_QUEEN[contract.valued]
    if options["weis"] == "on" and pair and hand & pair == pair:
        yield Ground("stoeck_held", {"cards": written(pair), "points": STOECK})
    if view["pushed"]:
        yield from longest(hand, contract)


def card(view: View, action: str) -> Iterator[Ground]:
    """What holds of a card, and of the Weis announced with it or kept."""
    _, text, *words = action.split()
    play = SidePlay(view, text)
    yield from filter(None, (tell(play) for tell in TELLS))
    yield from weis(view, announced=WEIS in words)


def wins(play: SidePlay) -> Ground | None:
    """The trick brings the side to the target, before the other one can get there (SC6)."""
    view, options = play.view, play.view["options"]
    if options["rounds"] or options["end"] != "at_once" or not view["tricks"]:
        return None
    if play.side_fate != "sure" or after(play, play.seat, play.points) < options["target"]:
        return None
    # Stöck of the other side in this trick would count before it.
    if after(play, play.opponents[0], STOECK) >= options["target"]:
        return None
    return Ground("wins", {"target": options["target"]})


def after(play: SidePlay, seat: int, more: int) -> int:
    """What the side of a seat has in the match with so many points more in this round."""
    view = play.view
    total: int = view["standing"][seat]["points"] + (view["points"][seat] + more) * view["factor"]
    return total


def stoeck(play: SidePlay) -> Ground | None:
    """The second of king and queen of trumps is played, and the first one was one's own (SC4)."""
    pair = KING_AND_QUEEN[play.valued]
    if play.view["options"]["weis"] == "off" or not pair >> play.card & 1:
        return None
    other = written(pair & ~(1 << play.card))
    own = [one["cards"][(play.seat - one["leader"]) % 4] for one in play.view["tricks"]]
    return Ground("stoeck", {"card": play.text, "points": STOECK}) if other in own else None


TELLS = (wins, *side_cards.TELLS, stoeck)
