"""Arguments about a claim and the answer to it: what can be true, and what is at stake."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from statistics import fmean

from jasstisch.analysis.action_traits import Trait
from jasstisch.analysis.explainers.registry import register_explainer, register_trait_finder
from jasstisch.analysis.pros_and_cons import Argument
from jasstisch.bots import View
from jasstisch.bots.greedy.i_doubt_it_card_tracker import CardTracker
from jasstisch.engine.cards import SUITS
from jasstisch.games.i_doubt_it import CLAIM_SIZE, FULL_DECK
from jasstisch.i18n.templates import Values

_UNLIKELY = 50
"""Percent below which a hand is thought not to hold the claimed cards."""


@register_explainer("i-doubt-it")
def explain_action(view: View, action: str, _best: str) -> Iterable[Argument]:
    """Yields the arguments about laying cards, or about an answer (ID2, ID3)."""
    if action.startswith("lay"):
        *cards, _, rank = action.split()[1:]
        return _lay(view, cards, rank)
    return _answer(view, doubts=action == "doubt")


def _lay(view: View, cards: list[str], rank: str) -> Iterator[Argument]:
    """Yields whether the claim is true or a lie, and what is at stake."""
    stake = view["middle"] + len(cards)
    if all(card[0] == rank for card in cards):
        yield Argument("truth", {"cards": " ".join(cards), "stake": stake})
        return
    own = sum(card[0] == rank for card in view["hand"])
    held = {card[0]: sum(other[0] == card[0] for other in view["hand"]) for card in view["hand"]}
    able = [one for one, count in held.items() if count >= len(cards)]
    values: Values = {"ranks": rank, "own": own, "stake": stake}
    # To disprove the claim, a player needs more of the rank than the claim leaves over.
    if own >= len(cards):
        yield Argument("lie_safe", values)
    elif not able:
        yield Argument("lie_forced" if own else "lie_bare", values, is_absolute=True)
    else:
        yield Argument("lie_saves", {**values, "ranks2": able[0]})
    if own == 0 and len(cards) == CLAIM_SIZE:
        yield Argument("lie_known", values, is_against=True)


@register_trait_finder("i-doubt-it")
def _action_traits(view: View, action: str) -> Mapping[str, Trait]:
    """Returns the traits of lays; answers are distinguished by their arguments."""
    if not action.startswith("lay"):
        return {}
    *cards, _, rank = action.split()[1:]
    true = all(card[0] == rank for card in cards)
    before = Counter(card[0] for card in view["hand"])
    after = before - Counter(card[0] for card in cards)
    truths = sum(count >= CLAIM_SIZE for count in after.values())
    single = sum(before[card[0]] == 1 for card in cards)
    # The other player most likely to hold an equal card, averaged over the cards laid.
    equals = round(fmean(_chance_elsewhere(view, card[0], 1) for card in cards))
    percent, kind = (
        _chance_elsewhere(view, rank, len(SUITS) - CLAIM_SIZE + 1),
        "truth" if true else "lie",
    )
    return {
        "apart_truth": Trait(true, {"cards": " ".join(cards)}, higher_level_first=True),
        "apart_own": Trait(
            before[rank], {"ranks": rank, "own": before[rank]}, comparison_group=kind
        ),
        "apart_known": Trait(percent, {"ranks": rank, "percent": percent}, comparison_group=kind),
        "apart_truths": Trait(truths, {"count": truths}),
        "apart_single": Trait(single, {"count": single}),
        "apart_ranks": Trait(len(after), {"count": len(after)}),
        "apart_equals": Trait(equals, {"cards": " ".join(cards), "percent": equals}),
    }


def _answer(view: View, *, doubts: bool) -> Iterator[Argument]:
    """Yields what supports the claim, and the cost of being wrong."""
    claim = view["claim"]
    layer, rank, count = claim["seat"], claim["rank"], claim["count"]
    own = [card for card in view["hand"] if card[0] == rank]
    stake = view["middle"] + count
    values: Values = {"seat": layer, "ranks": rank, "count": count, "stake": stake}
    impossible = len(own) > len(SUITS) - count
    if impossible:
        known: Values = {**values, "cards": " ".join(own)}
        yield Argument("doubt_sure", known) if doubts else Argument("pass_sure", known)
        return
    percent = _chance_to_hold(view, layer, rank, count)
    likely: Values = {**values, "percent": percent}
    last = view["hand_sizes"][layer] == 0
    if doubts:
        if last:
            yield Argument("doubt_last", values)
        yield Argument("doubt_unlikely" if percent < _UNLIKELY else "doubt_able", likely)
    else:
        if percent >= _UNLIKELY:
            yield Argument("pass_likely", likely)
        if (view["seat"] + 1) % len(view["players"]) != layer:
            yield Argument("pass_on", values)
        else:
            yield Argument("pass_stake", values)


def _chance_elsewhere(view: View, rank: str, count: int) -> int:
    """Returns the highest probability in percent that another player holds so many of a rank."""
    others = [seat for seat in range(len(view["players"])) if seat != view["seat"]]
    return max(_chance_to_hold(view, seat, rank, count) for seat in others)


def _chance_to_hold(view: View, seat: int, rank: str, count: int) -> int:
    """Returns the probability in percent that a seat held so many of a rank."""
    chance = CardTracker(view).probability_holds(seat, FULL_DECK.ranks.index(rank), count)
    return round(100 * chance)
