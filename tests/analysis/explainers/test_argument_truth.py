"""Arguments about Schieber and Coiffeur are true of the real cards.

Matches are played at random. Of every legal action all arguments are requested, and each is checked
against all four hands, by the reference of the rules and by the meaning of its text.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import hypothesis.strategies as st
from hypothesis import given, settings

import jasstisch as jt
from jasstisch.analysis.explainers import explainer_of
from jasstisch.analysis.pros_and_cons import Argument
from tests.rules import match_builders, reference
from tests.rules.reference_contracts import FACTOR, playable, trump_of, value, way, winner
from tests.support.example_counts import examples


@dataclass
class Case:
    """A legal action with all hands known."""

    match: jt.Match
    seat: int
    action: str
    values: Mapping[str, Any]

    def __post_init__(self) -> None:
        self.view = self.match.view(self.seat)
        self.options = self.view["options"]
        self.hands = [list(self.match.hand(seat)) for seat in range(4)]
        self.hand = self.hands[self.seat]
        self.partner = (self.seat + 2) % 4
        self.others = ((self.seat + 1) % 4, (self.seat + 3) % 4)
        self.contract = self.view["contract"] or contract_in(self.action)
        self.trump = trump_of(self.contract)
        self.number = len(self.view["tricks"]) + 1
        self.trick = [(seat, card) for seat, card in self.view["trick"]]
        self.card = self.action.split()[1] if self.action.startswith("play") else ""

    # Cards.

    def strength(self, card: str, number: int) -> int:
        """The rank of a card in its suit, in a trick."""
        if self.trump or way(self.contract, number) == "tops":
            return reference.strength(card, self.trump)
        return -reference.strength(card, None)

    def above(self, card: str, number: int | None = None) -> list[str]:
        """The cards of its suit in all other hands that beat it, in this trick or another."""
        number = self.number if number is None else number
        held = chain.from_iterable(self.hands[seat] for seat in range(4) if seat != self.seat)
        least = self.strength(card, number)
        return [it for it in held if it[1] == card[1] and self.strength(it, number) > least]

    def never_beaten(self, card: str) -> bool:
        """Whether no other hand has a higher card of its suit, in any later trick."""
        return not any(self.above(card, number) for number in range(self.number + 1, 10))

    def of_suit(self, suit: str | None, seats: Sequence[int] | None = None) -> list[str]:
        """The cards of a suit in some hands; in all other hands by default."""
        seats = seats or [seat for seat in range(4) if seat != self.seat]
        return [card for seat in seats for card in self.hands[seat] if card[1] == suit]

    # The trick.

    def takers(self) -> set[int]:
        """The sides that may take the trick after this action, all cards being known."""
        return {seat % 2 for seat in self.ends([*self.trick, (self.seat, self.card)])}

    def ends(self, trick: list[tuple[int, str]]) -> Iterator[int]:
        """The winner of the trick in each of its possible continuations."""
        if len(trick) == 4:
            yield winner(trick, self.contract, self.number)
            return
        seat = (trick[-1][0] + 1) % 4
        table = [card for _, card in trick]
        for card in playable(self.hands[seat], table, self.contract, self.options["undertrump"]):
            yield from self.ends([*trick, (seat, card)])

    @property
    def ours(self) -> bool:
        """Whether the own side takes it in every continuation."""
        return self.takers() == {self.seat % 2}

    @property
    def lost(self) -> bool:
        """Whether the other side takes it in every continuation."""
        return self.takers() == {1 - self.seat % 2}

    @property
    def best(self) -> tuple[int, str]:
        """The seat that is winning the trick, and its card."""
        seat = winner(self.trick, self.contract, self.number)
        return seat, dict(self.trick)[seat]

    @property
    def partner_ahead(self) -> bool:
        """Whether the partner is winning, with the named card if one is named."""
        seat, card = self.best
        return seat == self.partner and self.values.get("card2", card) == card

    @property
    def takes_the_lead(self) -> bool:
        """Whether the card then wins the trick so far."""
        return (
            winner([*self.trick, (self.seat, self.card)], self.contract, self.number) == self.seat
        )

    def worth(self, *cards: str) -> int:
        """The points of cards."""
        return sum(value(card, self.contract) for card in cards)

    @property
    def points(self) -> int:
        """The points of the trick with the card."""
        last = 5 if len(self.hand) == 1 else 0
        return self.worth(*(card for _, card in self.trick), self.card) + last

    # The hand, and the slate.

    def in_a_row(self, cards: str, order: str) -> bool:
        """Whether each card has all higher ones of its suit in the same hand."""
        return all(
            better + card[1] in self.hand
            for card in cards.split()
            for better in order[order.index(card[0]) + 1 :]
        )

    @property
    def strong_suits(self) -> list[str]:
        """The suits of which the hand holds five, or four with the Bur."""
        by_suit = {suit: [card for card in self.hand if card[1] == suit] for suit in "CDHS"}
        return [s for s, held in by_suit.items() if len(held) >= 5 - ("J" + s in held)]

    def count(self, rank: str) -> int:
        """The number of cards of a rank in the hand."""
        return sum(card[0] == rank for card in self.hand)

    @property
    def open_lines(self) -> dict[str, int]:
        """The open lines of the side with their factors."""
        played = self.view["standing"][self.seat]["lines"]
        suits = {"swiss": "CHSD", "french": "SCDH"}[self.options["suits"]]
        more = {"eight": [], "ten": ["slalom", "guschti"]}[self.options["lines"]]
        names = [*(f"trump {suit}" for suit in suits), "tops", "bottoms", *more]
        lines = {name: factor for factor, name in enumerate(names, start=1)}
        lines |= {f"joker {len(lines) + 1 + one}": len(lines) + 1 + one for one in range(2)}
        return {name: factor for name, factor in lines.items() if name not in played}

    @property
    def is_open(self) -> bool:
        """Whether the line named by its factor is open and is the one announced."""
        (name,) = [name for name, one in self.open_lines.items() if one == self.values["factor"]]
        return self.action.startswith(name)

    def fits(self, line: str) -> bool:
        """Whether the hand is clearly good for a line."""
        suits = self.strong_suits
        joker = line.startswith("joker")
        return (
            any(joker or line == f"trump {suit}" for suit in suits)
            or (self.count("A") >= 3 and (joker or line == "tops"))
            or (self.count("6") >= 3 and (joker or line == "bottoms"))
        )

    def is_strong(self, line: str) -> bool:
        """Whether the hand counts as strong for a line that is no joker."""
        if line.startswith("trump"):
            held = [card[0] for card in self.hand if card[1] == line[-1]]
            return len(held) >= 5 - ("J" in held) - ("J" in held and "9" in held)
        ways = ("6789TJQKA", "AKQJT9876")
        tops, bottoms = (sum(self.in_a_row(card, way) for card in self.hand) for way in ways)
        if line in ("tops", "bottoms"):
            return (tops if line == "tops" else bottoms) >= 3
        return min(tops, bottoms) > 0 and tops + bottoms >= 4


def contract_in(action: str) -> str:
    """The contract of an announcement."""
    words = action.split()
    return " ".join(words[2:] if words[0] == "joker" else words)


def trumps(case: Case) -> bool:
    """Whether the named trumps are in the hand, and their number is right."""
    held = {card for card in case.hand if card[1] == case.trump}
    return set(case.values["cards"].split()) == held and case.values["count"] == len(held)


def worth_named(case: Case) -> bool:
    return bool(case.values["worth"] == case.worth(case.card))


def higher_named(case: Case) -> bool:
    return bool(case.values["higher"] == len(case.above(case.card)))


def points_named(case: Case) -> bool:
    return bool(case.values["points"] == case.points)


def trumps_out(case: Case) -> bool:
    return bool(case.values["out"] == len(case.of_suit(case.trump)))


def leads(case: Case) -> bool:
    return not case.trick


def wins(case: Case) -> bool:
    """Whether the match is then won however the trick ends."""
    for seed in range(3):
        match = jt.Match.from_record(case.match.record())
        match.act(case.seat, case.action)
        rng, before = random.Random(seed), len(match.view(None)["tricks"])
        while not match.over and len(match.view(None)["tricks"]) == before:
            match_builders.step(match, rng)
        if not match.over or case.seat not in match.winners:
            return False
    return bool(case.values["target"] == case.options["target"])


def swept(case: Case, side: int) -> bool:
    taken = [one["winner"] % 2 for one in case.view["tricks"]]
    return case.values["taken"] == len(taken) and set(taken) == {side} and case.ours


def not_needed(case: Case) -> bool:
    """Whether the side takes the trick whatever else is played from the hand."""
    legal = [action.split()[1] for action in case.match.legal(case.seat)]
    ends = chain.from_iterable(case.ends([*case.trick, (case.seat, card)]) for card in legal)
    return {seat % 2 for seat in ends} == {case.seat % 2}


def is_discard(case: Case) -> bool:
    return not leads(case) and case.card[1] not in {case.trick[0][1][1], case.trump}


def frees_trump(case: Case) -> bool:
    rest = [card for card in case.hand if card != case.card]
    return (
        case.trump is not None
        and case.card[1] != case.trump
        and all(card[1] != case.card[1] for card in rest)
        and any(card[1] == case.trump for card in rest)
        and case.values["suit"] == case.card[1]
    )


def completes_stoeck(case: Case) -> bool:
    other = {"K": "Q", "Q": "K"}[case.card[0]] + str(case.trump)
    own = [one["cards"][(case.seat - one["leader"]) % 4] for one in case.view["tricks"]]
    return case.card[1] == case.trump and other in own and case.options["weis"] == "on"


def is_a_meld(case: Case) -> bool:
    return {"cards": case.values["cards"].split(), "points": case.values["points"]} in case.view[
        "melds"
    ]


TRUE: Mapping[str, Callable[[Case], bool]] = {
    # Announcements.
    "trump_bur_nell": lambda it: trumps(it) and {f"J{it.trump}", f"9{it.trump}"} <= set(it.hand),
    "trump_bur_aces": lambda it: (
        trumps(it)
        and f"J{it.trump}" in it.hand
        and set(it.values["cards2"].split())
        == {card for card in it.hand if card[0] == "A" and card[1] != it.trump}
    ),
    "trump_bur": lambda it: trumps(it) and f"J{it.trump}" in it.hand,
    "trump_many": lambda it: trumps(it) and f"J{it.trump}" not in it.hand,
    "trump_few": lambda it: (
        it.values["count"] == len(it.of_suit(it.trump, [it.seat])) <= 3
        and f"J{it.trump}" not in it.hand
    ),
    "trump_none": lambda it: not it.of_suit(it.trump, [it.seat]),
    "masters": lambda it: (
        it.in_a_row(it.values["cards"], "6789TJQKA" if it.contract == "tops" else "AKQJT9876")
        and it.values["count"] == len(it.values["cards"].split())
    ),
    "tops_few": lambda it: it.contract == "tops" and it.count("A") == it.values["count"],
    "tops_none": lambda it: it.contract == "tops" and it.count("A") == 0,
    "bottoms_few": lambda it: it.contract == "bottoms" and it.count("6") == it.values["count"],
    "bottoms_none": lambda it: it.contract == "bottoms" and it.count("6") == 0,
    "masters_both": lambda it: (
        it.in_a_row(it.values["cards"], "6789TJQKA")
        and it.in_a_row(it.values["cards2"], "AKQJT9876")
    ),
    "turns_few": lambda it: it.count("A") + it.count("6") == it.values["count"],
    "counts": lambda it: it.values["factor"] == FACTOR[it.options["multipliers"]][it.contract] > 1,
    "stoeck_held": lambda it: (
        it.options["weis"] == "on"
        and {f"K{it.trump}", f"Q{it.trump}"} == set(it.values["cards"].split()) <= set(it.hand)
    ),
    "longest": lambda it: (
        "push" not in it.match.legal(it.seat)
        and it.values["suit"] == it.trump
        and it.values["count"] == max(len(it.of_suit(suit, [it.seat])) for suit in "CDHS")
        and it.values["count"] == len(it.of_suit(it.trump, [it.seat]))
    ),
    "push_weak": lambda it: not it.strong_suits and it.count("A") < 3 and it.count("6") < 3,
    "push_lines": lambda it: not any(map(it.fits, it.open_lines)),
    "line_kept": lambda it: it.is_open and it.values["factor"] > min(it.open_lines.values()),
    "joker_kept": lambda it: (
        it.action.startswith("joker")
        and it.is_open
        and any(it.is_strong(line) for line in it.open_lines if not line.startswith("joker"))
    ),
    "line_dearest": lambda it: (
        it.is_open
        and not any(
            it.fits(line) for line, one in it.open_lines.items() if one > it.values["factor"]
        )
    ),
    "line_cheapest": lambda it: (
        it.is_open
        and it.values["factor"] == min(it.open_lines.values())
        and "push" not in it.match.legal(it.seat)
    ),
    "line_last": lambda it: it.is_open and len(it.open_lines) == 1,
    # The tricks.
    "wins": wins,
    "keeps_match": lambda it: swept(it, it.seat % 2),
    "breaks_match": lambda it: swept(it, 1 - it.seat % 2),
    "trumps_partner": lambda it: (
        it.partner_ahead and it.card[1] == it.trump != it.trick[0][1][1] and it.takes_the_lead
    ),
    "beats_partner": lambda it: it.partner_ahead and it.takes_the_lead and not_needed(it),
    "smears": lambda it: it.partner_ahead and it.ours and worth_named(it),
    "smears_open": lambda it: it.partner_ahead and worth_named(it),
    "smears_risky": lambda it: it.partner_ahead and worth_named(it) and len(it.trick) == 2,
    "partner_takes": lambda it: it.partner_ahead and it.ours,
    "leaves_to_partner": lambda it: (
        len(it.trick) == 1 and it.best[0] == it.others[1] and it.best[1] == it.values["card2"]
    ),
    "takes": lambda it: it.ours and it.takes_the_lead and points_named(it),
    "cuts": lambda it: it.ours and it.card[1] == it.trump and points_named(it),
    "ruffs": lambda it: (
        it.takes_the_lead and it.card[1] == it.trump and points_named(it) and higher_named(it)
    ),
    "brings_home": lambda it: it.ours and it.takes_the_lead and worth_named(it),
    "should_take": lambda it: it.takes_the_lead and higher_named(it),
    "wastes": lambda it: (
        it.takes_the_lead and it.values["points"] == it.worth(*(card for _, card in it.trick))
    ),
    "gives": lambda it: it.lost and worth_named(it),
    "spares": lambda it: it.lost and it.worth(it.card) == 0,
    "keeps_bur": lambda it: (
        it.trick[0][1][1] == it.trump
        and it.values["card2"] == f"J{it.trump}" != it.card
        and it.values["card2"] in it.hand
    ),
    "bock": lambda it: leads(it) and it.ours and not it.above(it.card),
    "safe_lead": lambda it: leads(it) and it.ours,
    "bock_but_trumps": lambda it: (
        it.takes_the_lead and not it.above(it.card) and it.card[1] != it.trump and trumps_out(it)
    ),
    "draws": lambda it: leads(it) and it.card[1] == it.trump and trumps_out(it),
    "draws_last": lambda it: (
        leads(it)
        and it.card[1] == it.trump
        and len(it.of_suit(it.trump)) == 1
        and it.of_suit(it.trump) != [f"J{it.trump}"]  # the Bur is never forced (C8)
    ),
    "draws_along": lambda it: (
        leads(it) and it.card[1] == it.trump == it.values["suit"] and it.view["by"] == it.partner
    ),
    "draws_for_others": lambda it: (
        leads(it) and it.card[1] == it.trump == it.values["suit"] and it.view["by"] in it.others
    ),
    "draws_own": lambda it: (
        leads(it)
        and it.card[1] == it.trump
        and not it.of_suit(it.trump, it.others)
        and bool(it.of_suit(it.trump, [it.partner]))
    ),
    "others_ruff": lambda it: (
        leads(it)
        and it.values["seat"] in it.others
        and it.values["suit"] == it.card[1]
        and not it.of_suit(it.card[1], [it.values["seat"]])
    ),
    "partner_ruffs": lambda it: (
        leads(it) and it.values["suit"] == it.card[1] and not it.of_suit(it.card[1], [it.partner])
    ),
    "risks": lambda it: leads(it) and worth_named(it) and higher_named(it),
    "throws_bock": lambda it: not leads(it) and not it.takes_the_lead and it.never_beaten(it.card),
    "bares": lambda it: (
        is_discard(it)
        and [card for card in it.hand if card[1] == it.card[1] and card != it.card]
        == [it.values["card2"]]
        and len(it.above(it.values["card2"], it.number + 1)) == 1
    ),
    "throws_weak": lambda it: (
        is_discard(it)
        and it.worth(it.card) == 0
        and it.values["higher"] == len(it.above(it.values["card2"], it.number + 1)) > 1
        and it.strength(it.values["card2"], it.number + 1)
        == max(it.strength(card, it.number + 1) for card in it.of_suit(it.card[1], [it.seat]))
    ),
    "returns": lambda it: (
        leads(it)
        and any(
            one["leader"] == it.partner and one["cards"][0][1] == it.card[1] == it.values["suit"]
            for one in it.view["tricks"]
        )
    ),
    "leads_nothing": lambda it: leads(it) and it.worth(it.card) == 0,
    "frees_trump": frees_trump,
    "stoeck": completes_stoeck,
    "weis": lambda it: it.action.endswith("weis") and is_a_meld(it),
    "weis_kept": lambda it: not it.action.endswith("weis") and is_a_meld(it),
}
"""The meaning of each argument, checked against all hands."""

OPTIONS: dict[str, dict[str, tuple[str, ...]]] = {
    "schieber": {
        "slalom": ("off", "on"),
        "multipliers": ("none", "swiss", "french"),
        "weis": ("on", "off"),
        "undertrump": ("strict", "forced"),
    },
    "coiffeur": {"lines": ("eight", "ten"), "suits": ("swiss", "french")},
}

options = st.sampled_from(sorted(OPTIONS)).flatmap(
    lambda name: st.tuples(
        st.just(name),
        st.fixed_dictionaries({key: st.sampled_from(of) for key, of in OPTIONS[name].items()}),
    )
)


def arguments(match: jt.Match, seat: int) -> Iterator[tuple[str, Argument]]:
    """All arguments about all legal actions of a seat."""
    view, legal = match.view(seat), match.legal(seat)
    explainer = explainer_of(view["game"])
    for action in legal:
        for argument in explainer(view, action, legal[0]):
            yield action, argument


@given(options, st.integers(0, 2**32), st.integers(0, 12))
@settings(max_examples=examples(30, 5))
def test_every_argument_is_true_of_the_real_cards(
    game: tuple[str, dict[str, Any]], seed: int, skipped: int
) -> None:
    """From the announcement to the last trick of a round, somewhere in a match."""
    name, chosen = game
    rng = random.Random(seed)
    match = jt.Match(jt.game(name, **chosen))
    while not match.over and len(match.rounds) < skipped % (12 if name == "coiffeur" else 5):
        match_builders.step(match, rng)
    finished = len(match.rounds)
    while not match.over and len(match.rounds) == finished:
        if not match.needs_pack:
            (seat,) = match.to_act
            for action, argument in arguments(match, seat):
                case = Case(match, seat, action, argument.placeholder_values)
                assert TRUE[argument.id](case), (argument, action, match.view(seat))
        match_builders.step(match, rng)
