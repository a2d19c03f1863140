"""The policy of the playouts: legal, blind to hidden cards, and trainable."""

import random
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

from jasstisch.engine import melds, tricks
from jasstisch.engine.cards import SIX_OF_DIAMONDS, cards_in_set
from jasstisch.games import scoring_kinds
from jasstisch.games.contracts import CONTRACTS
from jasstisch.search.jit.prng import new_stream
from jasstisch.search.nets import bid_model, features, policy, policy_training
from jasstisch.search.nets.weight_folding import unfold_gradient
from jasstisch.search.rounds import contracts, round_state
from tools.training_recipes import Adam

RULES = {
    "differenzler": (tricks.IF_VOID, melds.NO_BOMBS),
    "molotov": (tricks.FREE, melds.BOMBS_FIFTY),
    "molotow": (tricks.IF_VOID, melds.NO_BOMBS),
    "jass": (tricks.STRICT, melds.NO_BOMBS),
}


def dealt(game: str, seed: int) -> round_state.Round:
    """A round of four with random hands."""
    rng = random.Random(seed)
    state = round_state.new_round(range(4))
    state[round_state.UNDERTRUMP], state[round_state.BOMBS] = RULES[game]
    pack = rng.sample(range(36), 36)
    for seat in range(4):
        hand = pack[9 * seat : 9 * seat + 9]
        state[round_state.HANDS + seat] = sum(1 << card for card in hand)
        state[round_state.TARGET + seat] = rng.randrange(80)
    if game in {"differenzler", "jass"}:
        round_state.set_ranking(state, rng.randrange(4))
    return state


def untrained_net(seed: int = 1) -> features.Net:
    """A net of random weights."""
    net = np.random.default_rng(seed).normal(scale=0.3, size=features.NET_SIZE)
    return net.astype(np.float32)


def shares(state: round_state.Round, net: features.Net) -> dict[int, float]:
    """The probability that the seat to act plays each of its legal cards."""
    ready = policy.fold_nets([net])
    return {
        card: policy.likelihood(state.copy(), card, ready, policy.new_scratch())
        for card in cards_in_set(int(round_state.legal_moves(state)))
    }


def announced(seed: int) -> round_state.Round:
    """A round between two sides, in any contract."""
    rng, state = random.Random(seed), dealt("differenzler", seed)
    contract = seed % len(CONTRACTS)
    contracts.start_contract(state, contract, rng.randrange(4), rng.randrange(2), rng.randrange(4))
    return state


def molotov_round(players: int, seed: int) -> round_state.Round:
    """A round of Molotov with this number of players."""
    rng = random.Random(seed)
    state = round_state.new_round(range(players))
    state[round_state.UNDERTRUMP], state[round_state.BOMBS] = tricks.FREE, melds.BOMBS_AS_WEIS
    pack = rng.sample([card for card in range(36) if players != 5 or card != SIX_OF_DIAMONDS], 35)
    for seat in range(players):
        state[round_state.HANDS + seat] = sum(
            1 << card for card in pack[seat::players][: 35 // players]
        )
    return state


def partner_net() -> features.Net:
    """A net of random weights for games of two sides."""
    net = np.random.default_rng(1).normal(scale=0.2, size=features.PARTNER_NET_SIZE)
    return net.astype(np.float32)


OPENINGS: dict[str, Callable[[int], round_state.Round]] = {
    **{game: partial(dealt, game) for game in RULES},
    "contracts": announced,
    "three": partial(molotov_round, 3),
    "five": partial(molotov_round, 5),
}


@pytest.mark.parametrize("name", OPENINGS)
def test_finish_round_plays_the_cards_that_choose_card_chooses(name: str) -> None:
    """What `finish_round` carries from card to card is what `choose_card` finds in the round."""
    nets, scratch = (
        policy.fold_nets([partner_net() if name == "contracts" else untrained_net()]),
        policy.new_scratch(),
    )
    for seed in range(40):
        state, rng = OPENINGS[name](seed), random.Random(seed)
        for _ in range(rng.randrange(12)):
            round_state.play_card(
                state, rng.choice(list(cards_in_set(int(round_state.legal_moves(state)))))
            )
        other, chance, again = state.copy(), new_stream(rng), new_stream(rng)
        again[:] = chance
        policy.finish_round(state, nets, scratch, chance)
        while other[round_state.TURN] >= 0:
            round_state.play_card(other, policy.choose_card(other, nets, scratch, again))
        assert (state == other).all()


@pytest.mark.parametrize("game", RULES)
def test_probabilities_of_the_legal_cards_sum_to_one(game: str) -> None:
    net = policy.load_nets(game)[policy.LEARNED]
    for seed in range(20):
        state, rng = dealt(game, seed), random.Random(seed)
        while state[round_state.TURN] >= 0:
            found = shares(state, net)
            assert sum(found.values()) == pytest.approx(1, abs=1e-4)
            round_state.play_card(state, rng.choice(list(found)))


@pytest.mark.parametrize("game", RULES)
def test_policy_does_not_depend_on_hidden_cards_and_targets(game: str) -> None:
    """Hidden cards and targets change, and the probabilities stay."""
    net = untrained_net()
    for seed in range(20):
        state, rng = dealt(game, seed), random.Random(seed)
        for _ in range(rng.randrange(30)):
            round_state.play_card(
                state, rng.choice(list(cards_in_set(int(round_state.legal_moves(state)))))
            )
        seen = shares(state, net)
        others = [seat for seat in range(4) if seat != state[round_state.TURN]]
        hidden = [
            card for seat in others for card in cards_in_set(int(state[round_state.HANDS + seat]))
        ]
        rng.shuffle(hidden)
        for seat in others:
            size = int(state[round_state.HANDS + seat]).bit_count()
            state[round_state.HANDS + seat] = sum(1 << hidden.pop() for _ in range(size))
            state[round_state.TARGET + seat] = rng.randrange(158)
        assert shares(state, net) == seen


def test_policy_does_not_depend_on_the_names_of_suits() -> None:
    """The same hand in other suits, with the other trump, is played the same."""
    net = untrained_net()
    for seed in range(20):
        state = dealt("differenzler", seed)
        turned = state.copy()
        round_state.set_ranking(turned, (state[round_state.RANKING] + 1) % 4)
        for seat in range(4):
            hand = int(state[round_state.HANDS + seat])
            turned[round_state.HANDS + seat] = (hand << 9 | hand >> 27) & (1 << 36) - 1
        plain, moved = shares(state, net), shares(turned, net)
        for card, share in plain.items():
            assert moved[(card + 9) % 36] == pytest.approx(share, abs=1e-5)


def test_choose_card_draws_each_card_with_its_probability() -> None:
    state, net, chance = dealt("molotov", 3), untrained_net(), new_stream(random.Random(1))
    ready = policy.fold_nets([net])
    drawn = [policy.choose_card(state, ready, policy.new_scratch(), chance) for _ in range(4_000)]
    for card, share in shares(state, net).items():
        assert drawn.count(card) / len(drawn) == pytest.approx(share, abs=0.05)


def test_packaged_nets_have_the_expected_shapes() -> None:
    for game in RULES:
        assert [one.shape for one in policy.load_nets(game)] == [(features.NET_SIZE,)] * len(
            policy.POLICY_NAMES
        )
    assert bid_model.load_weights().shape == (len(policy.POLICY_NAMES), bid_model.FEATURE_COUNT)


def test_each_seat_plays_by_the_net_of_its_policy() -> None:
    learned, thumb = untrained_net(1), untrained_net(2)
    nets = policy.fold_nets([learned, thumb])
    state = dealt("molotov", 3)
    own, of_other_net = shares(state, thumb), shares(state, learned)
    state[round_state.POLICIES] = policy.HEURISTIC << 4 * state[round_state.TURN]
    found = {card: policy.likelihood(state, card, nets, policy.new_scratch()) for card in own}
    assert found == pytest.approx(own)
    assert found != pytest.approx(of_other_net)


def test_training_lowers_differences_and_raises_bids_of_strong_hands() -> None:
    """A few training steps bring the differences down, and a strong hand bids more."""
    rules = round_state.new_round(range(4))
    rules[round_state.UNDERTRUMP] = tricks.IF_VOID
    nets, bidding = (
        np.stack([untrained_net(2), untrained_net(3)]),
        np.zeros((2, bid_model.FEATURE_COUNT)),
    )
    bidding[:, 0] = 39.0
    fixed_net = nets[policy.HEURISTIC].copy()
    chance, pack, scratch = new_stream(random.Random(4)), np.arange(36), policy.new_scratch()
    config = policy_training.TrainingConfig(scoring_kinds.BY_DIFFERENCE, 4, 1, 0.01)
    adam, bid_adam = Adam(features.NET_SIZE, 0.01), Adam(bid_model.FEATURE_COUNT, 0.5)
    gains = []
    for _ in range(60):
        ready = policy.fold_nets(nets)
        change, bid_change = np.zeros(ready.shape[1]), np.zeros(bid_model.FEATURE_COUNT)
        trainee = policy_training.Trainee(
            ready, change, bidding, bid_change, scratch, policy.new_tape()
        )
        gains.append(policy_training.train_batch(rules, pack, 32, config, trainee, chance))
        nets[policy.LEARNED] += adam.step(unfold_gradient(change)).astype(np.float32)
        bidding[policy.LEARNED] += bid_adam.step(bid_change)
    assert np.mean(gains[-10:]) > np.mean(gains[:5]) + 0.25
    assert (nets[policy.HEURISTIC] == fixed_net).all(), "only the first learns"
    strong, weak = 0b111111000 << 9, 0b000000111 << 9 | 0b111 << 18 | 0b111
    seen, learned = np.zeros(bid_model.FEATURE_COUNT), bidding[policy.LEARNED]
    assert (
        bid_model.predict_bid(strong, 1, learned, seen)
        > bid_model.predict_bid(weak, 1, learned, seen) + 5
    )
