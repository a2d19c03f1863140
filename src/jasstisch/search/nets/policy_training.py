"""Training of the playout policy by policy gradient, with advantages from playouts.

A round is dealt and played, some seats by the net in training, some by fixed nets of other
policies. At some of its decisions every legal card is tried in turn, and the round is finished by
the same policies, several times and with common random numbers for all cards. The advantage of a
card is its result minus the average of the cards the net would play, and the net moves towards
cards with positive advantages. (This is the policy gradient summed over all actions.) At
Differenzler the bid model is trained alongside, by the costs of higher and lower bids.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jasstisch.engine import slate
from jasstisch.games import molotow
from jasstisch.games.scoring_kinds import BY_DIFFERENCE, BY_PLACE, BY_SIDE, BY_STROKES
from jasstisch.search.jit.compiler import allocating_kernel, kernel
from jasstisch.search.jit.prng import Stream, next_u64, randbelow, uniform
from jasstisch.search.nets import bid_model
from jasstisch.search.nets.backprop import backpropagate
from jasstisch.search.nets.policy import (
    AT_WEIGHTS,
    LEARNED,
    Nets,
    Scratch,
    Tape,
    choose_card,
    finish_round,
    write_softmax_weights,
)
from jasstisch.search.round_utility import round_scores
from jasstisch.search.rounds import contracts, handjass
from jasstisch.search.rounds.random_playouts import shuffle
from jasstisch.search.rounds.round_state import (
    HANDS,
    PLAYER_COUNT,
    POLICIES,
    RANKING,
    TARGET,
    TURN,
    Round,
    copy_into,
    legal_moves,
    play_card,
    points,
    policy_index,
    set_ranking,
    start_trick,
)

_Floats = NDArray[np.float64]
_Ints = NDArray[np.int64]

DIFFERENCE_UNIT, POINTS_UNIT = 10.0, 20.0
"""The differences and points that count as much as one stick."""

SIDES_UNIT = 40.0
"""The point difference between two sides that counts as much."""

_CONTRACT_NOISE = 12.0
"""The noise on the estimates of a hand, in points, so that unusual contracts are announced too."""

_ALL_CONTRACTS = 0b1111111111

_ANSWER_NOISE = 15.0
"""The noise on the estimated points of a hand when it answers at Jass."""

_OTHERS_STICKS = 3
"""The sticks or potatoes of each other player when one has a hundred or more (MW4, MW5)."""

_MIN_BID_STEP, _MAX_BID_STEP = 3, 14
"""The range of the distance from the estimate of the two bids that are compared."""


class TrainingConfig(NamedTuple):
    """The configuration of a training run.

    Attributes:
        scoring: the objective of all seats, as in `games.scoring_kinds`.
        positions_per_round: the number of decisions of each round that are evaluated.
        playouts_per_card: the number of trials of each card there.
        entropy_bonus: the weight of the entropy of the policy, which keeps up exploration.
    """

    scoring: int
    positions_per_round: int
    playouts_per_card: int
    entropy_bonus: float


class Trainee(NamedTuple):
    """The net in training, its opponents, and the gradients.

    Attributes:
        nets: the folded nets of all policies; the first is the one in training.
        gradient: the gradient of its rows, to be added to.
        bid_weights: the weights of the bid models of all policies; the first row is trained.
        bid_gradient: the gradient of the bid model, to be added to.
        scratch: scratch memory.
        tape: scratch memory, too.
    """

    nets: Nets
    gradient: _Floats
    bid_weights: _Floats
    bid_gradient: _Floats
    scratch: Scratch
    tape: Tape


@kernel
def _training_reward(state: Round, aim: int, seat: int) -> float:
    """The reward of a finished round for a seat with this objective."""
    own = points(state, seat)
    if aim == BY_DIFFERENCE:
        return -abs(state[TARGET + seat] - own) / DIFFERENCE_UNIT
    if aim == BY_PLACE:
        return -own / POINTS_UNIT
    if aim == BY_STROKES:
        return float(handjass.stroke_mark(state, seat, False))
    if aim == BY_SIDE:
        ours = contracts.side_points(state, seat, contracts.DEFAULT_MATCH_BONUS)
        theirs = contracts.side_points(state, (seat + 1) % 4, contracts.DEFAULT_MATCH_BONUS)
        return (ours - theirs) / SIDES_UNIT
    return _stick_count(state, seat)


@kernel
def _stick_count(state: Round, seat: int) -> float:
    """The sticks of a seat (MW4 - MW7); the draw of three tied seats counts 0 for them (MW8)."""
    scores = round_scores(state)
    mark = molotow.round_mark(scores, seat, _OTHERS_STICKS)
    if mark != molotow.DECIDED_BY_DRAW:
        return float(mark)
    return 1.0 if slate.rank_of(scores, seat)[1] == 1 else 0.0


@allocating_kernel
def train_batch(
    rules: Round, pack: _Ints, rounds: int, config: TrainingConfig, trainee: Trainee, chance: Stream
) -> float:
    """Plays rounds with mixed policies and adds up the gradients.

    Args:
        rules: an empty round with its rules set.
        pack: the cards to deal; left shuffled.
        rounds: the number of rounds.
        config: the configuration.
        trainee: the net in training; its gradients are added to.
        chance: the random stream.

    Returns:
        The mean gain of the seats in training.
    """
    aim = config.scoring
    state, start = rules.copy(), rules.copy()
    gains = np.zeros(36)
    features = np.zeros(bid_model.FEATURE_COUNT)
    players = rules[PLAYER_COUNT]
    each = len(pack) // players
    total, learners = 0.0, 0
    for deal in range(rounds):
        copy_into(rules, state)
        state[POLICIES] = _assign_policies(players, len(trainee.nets), chance)
        shuffle(pack, chance)
        for seat in range(players):
            hand = 0
            for place in range(seat * each, seat * each + each):
                hand |= 1 << pack[place]
            state[HANDS + seat] = hand
        start_trick(state, deal % players)
        if aim in (BY_DIFFERENCE, BY_STROKES):
            set_ranking(state, randbelow(chance, 4))
        if aim == BY_DIFFERENCE:
            for seat in range(players):
                bidding = trainee.bid_weights[policy_index(state, seat)]
                bid = bid_model.predict_bid(state[HANDS + seat], state[RANKING], bidding, features)
                noise = (uniform(chance) + uniform(chance) + uniform(chance) - 1.5) * 12
                noise *= policy_index(state, seat) == LEARNED
                state[TARGET + seat] = np.int64(
                    max(0.0, min(float(bid_model.MAX_BID), bid + noise))
                )
            copy_into(state, start)
            seat = randbelow(chance, players)
            if policy_index(state, seat) == LEARNED:
                _accumulate_bid_gradient(start, seat, trainee, features, chance)
        if aim == BY_SIDE:
            contracts.simulate_announcing(
                state, deal % players, _ALL_CONTRACTS, _CONTRACT_NOISE, chance
            )
        if aim == BY_STROKES:
            _start_handjass_round(state, deal % players, trainee, features, chance)
        left, wanted = each * state[PLAYER_COUNT], config.positions_per_round
        while state[TURN] >= 0:
            cards = legal_moves(state)
            if randbelow(chance, left) < wanted:
                wanted -= 1
                if cards & cards - 1 and policy_index(state, state[TURN]) == LEARNED:
                    _accumulate_card_gradient(state, cards, config, trainee, gains, chance)
            left -= 1
            play_card(state, choose_card(state, trainee.nets, trainee.scratch, chance))
        for seat in range(players):
            if policy_index(state, seat) == LEARNED:
                total += _training_reward(state, aim, seat)
                learners += 1
    return total / learners


@kernel
def _assign_policies(players: int, policies: int, chance: Stream) -> int:
    """Draws the policies of the seats: about half of them, and at least one, are in training."""
    found = 0
    learner = randbelow(chance, players)
    for seat in range(players):
        if seat != learner and policies > 1 and randbelow(chance, 2):
            found |= 1 + randbelow(chance, policies - 1) << 4 * seat
    return found


@allocating_kernel
def _accumulate_card_gradient(
    state: Round,
    cards: int,
    config: TrainingConfig,
    trainee: Trainee,
    gains: _Floats,
    chance: Stream,
) -> None:
    """Tries every legal card of a decision and adds the gradient of the net."""
    nets, net, paper = trainee.nets, trainee.nets[LEARNED], trainee.scratch
    seat = state[TURN]
    world = state.copy()
    own = np.empty_like(chance)
    for card in range(36):
        gains[card] = 0.0
    for _ in range(config.playouts_per_card):
        seed = next_u64(chance)
        left = cards
        while left:
            card = (left & -left).bit_length() - 1
            left &= left - 1
            own[0] = seed
            copy_into(state, world)
            play_card(world, card)
            finish_round(world, nets, paper, own)
            gains[card] += _training_reward(world, config.scoring, seat) / config.playouts_per_card
    whole = write_softmax_weights(state, cards, net, paper, trainee.tape)
    mean = surprise = 0.0
    left, place = cards, AT_WEIGHTS
    while left:
        card = (left & -left).bit_length() - 1
        left &= left - 1
        share = paper[place] / whole
        place += 1
        mean += share * gains[card]
        surprise -= share * np.log(share + 1e-9)
    left, place = cards, AT_WEIGHTS
    while left:
        card = (left & -left).bit_length() - 1
        left &= left - 1
        share = paper[place] / whole
        place += 1
        gains[card] = share * (gains[card] - mean)
        gains[card] += config.entropy_bonus * share * (-np.log(share + 1e-9) - surprise)
    backpropagate(trainee.tape, cards, gains, net, trainee.gradient)


@allocating_kernel
def _start_handjass_round(
    state: Round, forehand: int, trainee: Trainee, features: _Floats, chance: Stream
) -> None:
    """Lets about the best two, three or four hands play, and counts their melds (JS4)."""
    players = state[PLAYER_COUNT]
    promise = np.empty(players)
    for seat in range(players):
        promise[seat] = bid_model.predict_bid(
            state[HANDS + seat], state[RANKING], trainee.bid_weights[LEARNED], features
        )
        promise[seat] += _ANSWER_NOISE * (uniform(chance) - uniform(chance))
    order = np.argsort(promise)
    seats = 0
    for place in range(randbelow(chance, players - 1), players):
        seats |= 1 << order[place]
    handjass.set_players(state, seats, forehand)
    handjass.score_melds(state, state[TURN])


@allocating_kernel
def _accumulate_bid_gradient(
    start: Round, seat: int, trainee: Trainee, features: _Floats, chance: Stream
) -> None:
    """Plays a round with a higher and a lower bid and adds the gradient of the bid model."""
    apart = _MIN_BID_STEP + randbelow(chance, _MAX_BID_STEP - _MIN_BID_STEP)
    bid = int(
        bid_model.predict_bid(
            start[HANDS + seat], start[RANKING], trainee.bid_weights[LEARNED], features
        )
        + 0.5
    )
    seed = next_u64(chance)
    slope = 0.0
    for side in (-1, 1):
        world = start.copy()
        luck = np.empty_like(chance)
        luck[0] = seed
        world[TARGET + seat] = min(max(bid + side * apart, 0), bid_model.MAX_BID)
        finish_round(world, trainee.nets, trainee.scratch, luck)
        slope += side * _training_reward(world, BY_DIFFERENCE, seat)
    for place in range(bid_model.FEATURE_COUNT):
        trainee.bid_gradient[place] += slope / (2 * apart) * features[place]
