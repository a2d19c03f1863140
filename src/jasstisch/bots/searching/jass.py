"""Jass each for himself: whether to play, what to rob, which card, all by playing rounds out.

The deals imagined hold every hand of the match, those dropped and laid away too, and are kept as
likely as the answers, the Weis announced and the cards played make them. Everything is judged by
the marks that the round then brings. A Weis that may score is announced: points never cost a mark.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from random import Random
from typing import NamedTuple

import numpy as np

from jasstisch import tricks
from jasstisch.bots import View
from jasstisch.bots.searching import manners
from jasstisch.bots.searching.effort import Candidate, Effort, Watch
from jasstisch.bots.searching.passes import best_first, go_through
from jasstisch.bots.searching.register import thinks
from jasstisch.bots.searching.situation import NUMBERS, Situation
from jasstisch.bots.searching.tricks import LARGE_CHUNK, try_cards, ways_of
from jasstisch.cards import card_set, members
from jasstisch.games.jass import SIXES
from jasstisch.search import bids, flat, policy, rounds
from jasstisch.search.chance import Stream, stream
from jasstisch.search.deals import Deals, Hidden, keep_likely, proceed, weigh_plays
from jasstisch.search.jass import answers
from jasstisch.search.worlds import Unseen

__all__ = ["weigh", "weigh_by"]

ANSWERS = {"stay": answers.STAY, "drop": answers.DROP, "blind": answers.BLIND}
WEIS = " weis"

SIFTING = 4
"""Of so many deals at least one is kept, for being likely by what has been said."""

TRUST = 0.2
"""How far one believes that a deal in which the plays seen are likely is the likelier one."""

PLAIN_BLIND = {2: 46.0, 3: 52.0}
"""What the blind promises, by the number of seats left."""

PER_POINT = 0.8
"""How much more it promises for each point of a turned card in it."""

FEW = 24
"""So many deals tell what a Weis is worth."""

TIME_FOR_WEIS = 0.004
"""How many seconds are kept for that."""


class Place(NamedTuple):
    """Where unseen cards lie.

    Attributes:
        seat: the place in a deal; -1 for one that never matters.
        size: how many of them.
        possible: which.
    """

    seat: int
    size: int
    possible: int


class Seat(Situation):
    """What a seat knows at Jass.

    Attributes:
        phase: whether it is asked for an answer or a card.
        members: the seats still in the match.
        table: what is known besides the cards.
    """

    def __init__(self, view: View) -> None:
        self.phase: str = view["phase"]
        self.members = [seat for seat, one in enumerate(view["standing"]) if not one["safe"]]
        super().__init__(view)
        self.table = self.read_table(view)

    def read_rules(self, view: View) -> rounds.Round:
        """The empty round, and who plays."""
        opening = super().read_rules(view)
        opening[rounds.IN_PLAY] = sum(1 << seat for seat in self.position.playing)
        return opening

    def read_hidden(self, view: View) -> Hidden:
        """Where the unseen cards may lie: in hands, dropped, laid away, or in the blind."""
        places = self.places(view)
        owner = self.owner_of_shown(view)
        known = self.known_cards(view)
        if owner >= 0:
            known[owner] = known.get(owner, 0) | 1 << NUMBERS[view["shown"]]
        possible = [
            place.possible & ~sum(cards for seat, cards in known.items() if seat != place.seat)
            for place in places
        ]
        unseen = Unseen(self.position.unseen, [place.size for place in places], possible)
        seats = np.array([place.seat for place in places], dtype=np.int64)
        return Hidden(unseen.cards, unseen.weights, unseen.sizes, unseen.table, seats)

    def places(self, view: View) -> list[Place]:
        """All places of unseen cards, and how many there are (JS3, JS4)."""
        position = self.position
        places = []
        for seat in self.members:
            if seat == self.seat:
                continue
            if seat in position.playing:
                unseen = position.unseen & ~position.void[seat]
                places.append(Place(seat, position.sizes[seat], unseen))
            else:
                places.append(Place(seat, 9, position.unseen))
        if len(self.members) == 4:
            return places
        turned = 1 << NUMBERS[view["turned"]] if view["turned"] else 0
        if view["blind"] is None:
            own = turned if len(self.members) == 3 else 0
            self.opening[rounds.HANDS + answers.BLIND_HAND] = own
            places.append(Place(answers.BLIND_HAND, 9 - own.bit_count(), position.unseen))
        elif view["blind"] != self.seat:
            places.append(Place(answers.LAID_AWAY, 9, position.unseen))
        if len(self.members) == 2:
            places.append(Place(-1, 8, position.unseen))
        return places

    def owner_of_shown(self, view: View) -> int:
        """Who holds the card that was shown, -1 where it lies open or has been played."""
        if not self.position.unseen >> NUMBERS[view["shown"]] & 1:
            return -1
        if view["robbed"] is not None:
            return int(view["robbed"])
        return int(view["dealer"] if len(self.members) == 4 else view["blind"])

    def known_cards(self, view: View) -> dict[int, int]:
        """The unseen cards of melds that have been shown."""
        shown = view["weis_shown"]
        if shown is None:
            return {}
        cards = card_set([NUMBERS[text] for meld in shown["melds"] for text in meld["cards"]])
        return {shown["seat"]: cards & self.position.unseen}

    def read_table(self, view: View) -> answers.Table:
        """What has been said, robbed and announced."""
        said = [answers.NOT_ASKED if one is None else ANSWERS[one] for one in view["said"]]
        told = {one["seat"]: one["points"] for one in view["announced"]}
        opened = self.position.playing if view["tricks"] else [seat for seat, _ in view["trick"]]
        scored = view["weis"] if view["tricks"] else []
        everybody = range(4)
        return answers.Table(
            looker=self.seat,
            forehand=(view["dealer"] + 1) % self.position.players,
            members=sum(1 << seat for seat in self.members),
            said=_numbers([said[seat] if seat < len(said) else -1 for seat in everybody]),
            turned=NUMBERS[view["turned"]] if view["turned"] else -1,
            shown=NUMBERS[view["shown"]],
            robber=-1 if view["robbed"] is None else view["robbed"],
            hope=self.hope(view),
            opened=sum(1 << seat for seat in opened),
            told=_numbers([told.get(seat, 0) for seat in everybody]),
            scored=_numbers([*scored, 0, 0, 0, 0][:4] if scored else [-1] * 4),
            weights=bids.weights()[policy.LEARNED],
        )

    def robbed(self) -> "Seat":
        """The same after the six of trumps has been exchanged for the turned card (JS5)."""
        six = SIXES[self.position.trump]
        after = copy(self)
        after.opening = self.opening.copy()
        after.opening[rounds.HANDS + self.seat] ^= 1 << six | 1 << self.table.turned
        after.table = self.table._replace(turned=six)
        return after

    def hope(self, view: View) -> float:
        """What the blind promised before it was taken; 0 where there is none."""
        if len(self.members) == 4:
            return 0.0
        plain = PLAIN_BLIND[len(self.members)]
        if len(self.members) == 2:
            return plain  # the turned card lies on the dead hand (JS3)
        return plain + PER_POINT * tricks.card_points(NUMBERS[view["shown"]], self.position.trump)


@thinks("jass")
def weigh(view: View, legal: Sequence[str], rng: Random, effort: Effort) -> list[Candidate]:
    """What each answer, each card with and without Weis, and robbing leads to."""
    return weigh_by(ways_of(view), view, legal, rng, effort)


def weigh_by(
    ways: flat.Ways, view: View, legal: Sequence[str], rng: Random, effort: Effort
) -> list[Candidate]:
    """The same where rounds are played to their end in some ways of one's own."""
    search = Search(Seat(view), effort, ways, stream(rng), effort.watch())
    if view["phase"] == "answer":
        return search.weigh_answers(legal)
    best_meld = view["melds"][0]["points"] if view["melds"] else 0
    if "rob" not in legal:
        return search.weigh_cards(legal, best_meld)
    half = search.by_half()
    robbed = half.with_same_luck().weigh_robbing()
    plays = [play for play in legal if play != "rob"]
    return sorted([robbed, *half.weigh_cards(plays, best_meld)], key=lambda one: -one.value)


@dataclass(frozen=True)
class Search:
    """One decision that is thought about.

    Attributes:
        seat: what is known.
        effort: how hard to think.
        ways: how rounds are finished and valued.
        chance: where chance comes from.
        watch: when the time is over.
    """

    seat: Seat
    effort: Effort
    ways: flat.Ways
    chance: Stream
    watch: Watch

    def by_half(self) -> "Search":
        """The same with half the effort."""
        effort = self.effort
        worlds, plays = effort.worlds // 2, effort.plays // 2
        return replace(self, effort=replace(effort, worlds=worlds, plays=plays))

    def with_same_luck(self) -> "Search":
        """The same, to be compared with this one: both imagine the same deals."""
        return replace(self, chance=self.chance.copy())

    def weigh_answers(self, legal: Sequence[str]) -> list[Candidate]:
        """What each answer leads to (JS4)."""
        table = self.seat.table
        deals = self.imagine(table, len(legal))
        tried = sum(1 << ANSWERS[answer] for answer in legal)
        sums = flat.no_sums(len(ANSWERS))
        go_through(
            deals,
            lambda part: answers.try_answers(part, table, tried, self.ways, self.chance, sums),
            self.watch,
        )
        return best_first([(answer, sums[ANSWERS[answer]]) for answer in legal])

    def weigh_robbing(self) -> Candidate:
        """What robbing leads to: the best card of the hand after it (JS5)."""
        robbed = replace(self, seat=self.seat.robbed())
        cards = int(rounds.legal(robbed.seat.state))
        deals = robbed.imagine(robbed.seat.table, cards.bit_count())
        sums = self.try_cards(deals, cards)
        return best_first([("rob", sums[card]) for card in members(cards)])[0]

    def weigh_cards(self, legal: Sequence[str], best_meld: int) -> list[Candidate]:
        """What each card leads to, and with the first one a Weis announced or kept (JS7).

        Args:
            legal: the plays that come into question.
            best_meld: the points of the best meld that may be announced; 0 without any.
        """
        same = self.with_same_luck()
        table = self.seat.table
        plays = dict.fromkeys([play.removesuffix(WEIS) for play in legal])
        cards = [NUMBERS[play.split()[1]] for play in plays]
        search = replace(self, watch=self.watch.sooner(TIME_FOR_WEIS)) if best_meld else self
        sums = search.try_cards(self.imagine(table, len(cards)), card_set(cards))
        found = best_first([(play, sums[card]) for play, card in zip(plays, cards, strict=True)])
        if not best_meld:
            return found
        missed = same.worth_of_weis(NUMBERS[found[0].action.split()[1]])
        kept = [replace(one, value=one.value - missed) for one in found]
        announced = [replace(one, action=one.action + WEIS) for one in found]
        may_score = best_meld >= max(table.told)
        both = [*announced, *kept] if may_score else [*kept, *announced]
        return sorted([one for one in both if one.action in legal], key=lambda one: -one.value)

    def worth_of_weis(self, card: int) -> float:
        """How much more it is worth to announce one's Weis with a card than to keep it."""
        few = replace(self, effort=replace(self.effort, worlds=FEW, plays=0, sifting=1))
        table = self.seat.table
        kept = table._replace(opened=table.opened | 1 << table.looker)
        worths = []
        for one in (table, kept):
            same, sums = few.with_same_luck(), flat.no_sums()
            flat.try_cards(same.imagine(one, 1), 1 << card, same.ways, same.chance, sums)
            worths.append(sums[card, flat.WORTH] / FEW)
        return float(worths[0] - worths[1])

    def try_cards(self, deals: Deals, cards: int) -> flat.Sums:
        """What each of these cards leads to."""
        return try_cards(deals, cards, self.ways, self.chance, self.effort, self.watch)

    def imagine(self, table: answers.Table, actions: int) -> Deals:
        """Rounds as they may stand to try actions in, the likelier ones more often.

        Args:
            table: what is known.
            actions: how many come into question.
        """
        seat, effort = self.seat, self.effort
        to_come = sum(seat.position.sizes[one] for one in seat.position.playing)
        sifting = max(effort.sifting, SIFTING)
        asked = sifting * len(seat.plays) if effort.sifting > 1 else 0
        number = effort.deals(actions, to_come, asked)
        deals = seat.openings(number * sifting, self.chance)
        found = np.ones(len(deals))
        answers.weigh_answers(deals, table, found)
        if seat.phase == "play":
            answers.weigh_melds(deals, table, found)
            answers.clear_table(deals)
            answers.count_melds(deals, table)
        manners.give(deals, seat, self.ways, self.chance)
        if seat.phase == "play":
            self.play_on(deals, found)
        kept = np.empty((number, deals.shape[1]), dtype=np.int64)
        keep_likely(deals, found, kept, self.chance)
        return kept

    def play_on(self, deals: Deals, found: answers.Floats) -> None:
        """Takes deals to where the round stands; who sifts asks how likely the plays were."""
        plays, ways = self.seat.plays, self.ways
        if self.effort.sifting == 1 or not len(plays):
            proceed(deals, plays)
            return
        likely = np.zeros(len(deals))
        for start in range(0, len(deals), LARGE_CHUNK):
            part = slice(start, start + LARGE_CHUNK)
            weigh_plays(deals[part], self.seat.seat, plays, ways.nets, ways.paper, likely[part])
            if self.watch.is_over():
                found[part.stop :] = 0.0
                break
        if likely.any():  # a hand of trumps alone may undertrump (C9): too rare to be imagined
            found *= likely**TRUST


def _numbers(values: Sequence[int]) -> "np.typing.NDArray[np.int64]":
    return np.array(values, dtype=np.int64)
