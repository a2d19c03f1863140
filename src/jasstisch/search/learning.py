"""How the policy of the playouts learns: by playing, and asking what else was there.

A round is dealt and played, some seats by the net that learns, some by nets that play in another
manner and stay as they are. At some of its own decisions every legal card is played in turn and the
round finished by the same company, several times and with the same chance for each card. What a
card brings its player beyond the average of the cards the net would play is its advantage, and the
net is moved towards the cards that have one. (This is the policy gradient summed over all actions,
with advantages from playouts.) At Differenzler the bids learn beside it, by what more and less
cost.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jasstisch import slate
from jasstisch.games import molotow
from jasstisch.games.scoring import BY_DIFFERENCE, BY_PLACE, BY_SIDE, BY_STROKES
from jasstisch.search import bids, contracts
from jasstisch.search.chance import Stream, bits, number, part
from jasstisch.search.compiled import allocating_kernel, kernel
from jasstisch.search.features import AT_SCORES, Net, Work, weigh
from jasstisch.search.gradients import push
from jasstisch.search.jass import strokes
from jasstisch.search.playouts import shuffle
from jasstisch.search.policy import LEARNED, Nets, choose, finish
from jasstisch.search.rounds import (
    HANDS,
    MANNERS,
    PLAYING,
    RANKING,
    TARGET,
    TURN,
    Round,
    copy,
    lead,
    legal,
    manner,
    play,
    points,
    rank_by,
)
from jasstisch.search.worth import round_scores

__all__ = ["Course", "Pupil", "practise"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

DIFFERENCE_UNIT, POINTS_UNIT = 10.0, 20.0
"""What counts as much as one stick."""

SIDES_UNIT = 40.0
"""What counts as much between two sides."""

ODD_CONTRACTS = 12.0
"""How far promises of a hand are off, so that odd contracts are announced too."""

ALL_CONTRACTS = 0b1111111111

UNSURE = 15.0
"""How far at Jass what a hand seems to promise may lie from the glance at it."""

OTHERS_GET = 3
"""The sticks or potatoes of each other when one has a hundred or more (MW4, MW5)."""

CAREFUL, BOLD = 3, 14
"""How far the two bids lie apart from the glance that are held against each other."""


class Course(NamedTuple):
    """How a net learns.

    Attributes:
        aim: what everybody plays for, as in `games.scoring`.
        studied: how many plays of each round are studied.
        playouts: how often each card is tried there.
        spice: what trying many different cards is worth, so that the net goes on finding out.
    """

    aim: int
    studied: int
    playouts: int
    spice: float


class Pupil(NamedTuple):
    """What learns, and whom it plays with.

    Attributes:
        net: the net that learns.
        nets: the nets of all manners of play, as they play; the first is the one that learns.
        change: the direction in which it should go is added here.
        bidding: the weights of `bids.glance` of all manners; those of the first one learn.
        bid_change: the direction in which these should go is added here.
        paper: scratch paper.
    """

    net: Net
    nets: Nets
    change: Net
    bidding: Floats
    bid_change: Floats
    paper: Work


@kernel
def gain(state: Round, aim: int, seat: int) -> float:
    """What a finished round is worth to a seat that plays for this aim."""
    own = points(state, seat)
    if aim == BY_DIFFERENCE:
        return -abs(state[TARGET + seat] - own) / DIFFERENCE_UNIT
    if aim == BY_PLACE:
        return -own / POINTS_UNIT
    if aim == BY_STROKES:
        return float(strokes.mark(state, seat, False))
    if aim == BY_SIDE:
        ours = contracts.side_points(state, seat, contracts.MATCH)
        theirs = contracts.side_points(state, (seat + 1) % 4, contracts.MATCH)
        return (ours - theirs) / SIDES_UNIT
    return sticks(state, seat)


@kernel
def sticks(state: Round, seat: int) -> float:
    """The sticks of a seat (MW4 - MW7); the draw between three counts nothing for them (MW8)."""
    scores = round_scores(state)
    mark = molotow.round_mark(scores, seat, OTHERS_GET)
    if mark != molotow.DRAWN:
        return float(mark)
    return 1.0 if slate.place(scores, seat)[1] == 1 else 0.0


@allocating_kernel
def practise(
    rules: Round, pack: Ints, rounds: int, course: Course, pupil: Pupil, chance: Stream
) -> float:
    """Plays rounds in mixed company and adds up how the net should change.

    Args:
        rules: an empty round with its rules set.
        pack: the cards to deal; left shuffled.
        rounds: how many rounds.
        course: how it learns.
        pupil: what learns; its `change` and `bid_change` are added to.
        chance: where chance comes from.

    Returns:
        The mean gain of the seats that learn.
    """
    aim = course.aim
    state, start = rules.copy(), rules.copy()
    gains = np.zeros(36)
    features = np.zeros(bids.FEATURES)
    players = rules[PLAYING]
    each = len(pack) // players
    total, learners = 0.0, 0
    for deal in range(rounds):
        copy(rules, state)
        state[MANNERS] = _company(players, len(pupil.nets), chance)
        shuffle(pack, chance)
        for seat in range(players):
            hand = 0
            for place in range(seat * each, seat * each + each):
                hand |= 1 << pack[place]
            state[HANDS + seat] = hand
        lead(state, deal % players)
        if aim in (BY_DIFFERENCE, BY_STROKES):
            rank_by(state, number(chance, 4))
        if aim == BY_DIFFERENCE:
            for seat in range(players):
                bidding = pupil.bidding[manner(state, seat)]
                bid = bids.glance(state[HANDS + seat], state[RANKING], bidding, features)
                noise = (part(chance) + part(chance) + part(chance) - 1.5) * 12
                noise *= manner(state, seat) == LEARNED
                state[TARGET + seat] = np.int64(max(0.0, min(float(bids.MOST), bid + noise)))
            copy(state, start)
            seat = number(chance, players)
            if manner(state, seat) == LEARNED:
                _practise_bid(start, seat, pupil, features, chance)
        if aim == BY_SIDE:
            contracts.take_turns_announcing(
                state, deal % players, ALL_CONTRACTS, ODD_CONTRACTS, chance
            )
        if aim == BY_STROKES:
            _begin_with_some(state, deal % players, pupil, features, chance)
        left, wanted = each * state[PLAYING], course.studied
        while state[TURN] >= 0:
            cards = legal(state)
            if number(chance, left) < wanted:
                wanted -= 1
                if cards & cards - 1 and manner(state, state[TURN]) == LEARNED:
                    _study(state, cards, course, pupil, gains, chance)
            left -= 1
            play(state, choose(state, pupil.nets, pupil.paper, chance))
        for seat in range(players):
            if manner(state, seat) == LEARNED:
                total += gain(state, aim, seat)
                learners += 1
    return total / learners


@kernel
def _company(players: int, manners: int, chance: Stream) -> int:
    """Who plays in which manner: about half of them learn, one of them at least."""
    found = 0
    learner = number(chance, players)
    for seat in range(players):
        if seat != learner and manners > 1 and number(chance, 2):
            found |= 1 + number(chance, manners - 1) << 4 * seat
    return found


@allocating_kernel
def _study(
    state: Round, cards: int, course: Course, pupil: Pupil, gains: Floats, chance: Stream
) -> None:
    """Tries every legal card of a decision and adds to `change` what follows for the net."""
    nets, weights, paper = pupil.nets, pupil.net, pupil.paper
    seat = state[TURN]
    world = state.copy()
    own = np.empty_like(chance)
    for card in range(36):
        gains[card] = 0.0
    for _ in range(course.playouts):
        seed = bits(chance)
        left = cards
        while left:
            card = (left & -left).bit_length() - 1
            left &= left - 1
            own[0] = seed
            copy(state, world)
            play(world, card)
            finish(world, nets, paper, own)
            gains[card] += gain(world, course.aim, seat) / course.playouts
    whole = weigh(state, cards, weights, paper)
    mean = surprise = 0.0
    left = cards
    while left:
        card = (left & -left).bit_length() - 1
        left &= left - 1
        share = paper[AT_SCORES + card] / whole
        mean += share * gains[card]
        surprise -= share * np.log(share + 1e-9)
    left = cards
    while left:
        card = (left & -left).bit_length() - 1
        left &= left - 1
        share = paper[AT_SCORES + card] / whole
        gains[card] = share * (gains[card] - mean)
        gains[card] += course.spice * share * (-np.log(share + 1e-9) - surprise)
    push(state, cards, gains, weights, pupil.change, paper)


@allocating_kernel
def _begin_with_some(
    state: Round, forehand: int, pupil: Pupil, features: Floats, chance: Stream
) -> None:
    """The best two, three or four hands play, more or less, and their melds are counted (JS4)."""
    players = state[PLAYING]
    promise = np.empty(players)
    for seat in range(players):
        promise[seat] = bids.glance(
            state[HANDS + seat], state[RANKING], pupil.bidding[LEARNED], features
        )
        promise[seat] += UNSURE * (part(chance) - part(chance))
    order = np.argsort(promise)
    seats = 0
    for place in range(number(chance, players - 1), players):
        seats |= 1 << order[place]
    strokes.sit_down(state, seats, forehand)
    strokes.count_melds(state, state[TURN])


@allocating_kernel
def _practise_bid(start: Round, seat: int, pupil: Pupil, features: Floats, chance: Stream) -> None:
    """Plays a round for a higher and for a lower bid and adds what the glance should learn."""
    apart = CAREFUL + number(chance, BOLD - CAREFUL)
    bid = int(
        bids.glance(start[HANDS + seat], start[RANKING], pupil.bidding[LEARNED], features) + 0.5
    )
    seed = bits(chance)
    slope = 0.0
    for side in (-1, 1):
        world = start.copy()
        luck = np.empty_like(chance)
        luck[0] = seed
        world[TARGET + seat] = min(max(bid + side * apart, 0), bids.MOST)
        finish(world, pupil.nets, pupil.paper, luck)
        slope += side * gain(world, BY_DIFFERENCE, seat)
    for place in range(bids.FEATURES):
        pupil.bid_change[place] += slope / (2 * apart) * features[place]
