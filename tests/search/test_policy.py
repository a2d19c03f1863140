"""The policy of the playouts: honest, legal, and taught by what its cards bring."""

import random

import numpy as np
import pytest

from jasstisch import melds, tricks
from jasstisch.cards import members
from jasstisch.games import scoring
from jasstisch.search import bids, learning, policy, rounds
from jasstisch.search.chance import stream
from tools.nets import Adam

RULES = {
    "differenzler": (tricks.IF_VOID, melds.NO_BOMBS),
    "molotov": (tricks.FREE, melds.BOMBS_FIFTY),
    "molotow": (tricks.IF_VOID, melds.NO_BOMBS),
    "jass": (tricks.STRICT, melds.NO_BOMBS),
}


def dealt(game: str, seed: int) -> rounds.Round:
    """A round of four, dealt by chance."""
    rng = random.Random(seed)
    state = rounds.new(range(4))
    state[rounds.UNDERTRUMP], state[rounds.BOMBS] = RULES[game]
    pack = rng.sample(range(36), 36)
    for seat in range(4):
        hand = pack[9 * seat : 9 * seat + 9]
        state[rounds.HANDS + seat] = sum(1 << card for card in hand)
        state[rounds.TARGET + seat] = rng.randrange(80)
    if game in {"differenzler", "jass"}:
        rounds.rank_by(state, rng.randrange(4))
    return state


def untrained(seed: int = 1) -> policy.Net:
    """A net of chance numbers."""
    net = np.random.default_rng(seed).normal(scale=0.3, size=policy.NET)
    return net.astype(np.float32)


def shares(state: rounds.Round, net: policy.Net) -> dict[int, float]:
    """How likely the seat to play plays each of its legal cards."""
    return {
        card: policy.likelihood(state.copy(), card, net[np.newaxis], policy.work())
        for card in members(int(rounds.legal(state)))
    }


@pytest.mark.parametrize("game", RULES)
def test_the_shares_of_all_legal_cards_make_a_whole(game: str) -> None:
    net = policy.nets(game)[policy.LEARNED]
    for seed in range(20):
        state, rng = dealt(game, seed), random.Random(seed)
        while state[rounds.TURN] >= 0:
            found = shares(state, net)
            assert sum(found.values()) == pytest.approx(1, abs=1e-4)
            rounds.play(state, rng.choice(list(found)))


@pytest.mark.parametrize("game", RULES)
def test_what_the_others_hold_does_not_move_it(game: str) -> None:
    """A playout is as honest as its players: hidden cards change places, the shares stay."""
    net = untrained()
    for seed in range(20):
        state, rng = dealt(game, seed), random.Random(seed)
        for _ in range(rng.randrange(30)):
            rounds.play(state, rng.choice(list(members(int(rounds.legal(state))))))
        seen = shares(state, net)
        others = [seat for seat in range(4) if seat != state[rounds.TURN]]
        hidden = [card for seat in others for card in members(int(state[rounds.HANDS + seat]))]
        rng.shuffle(hidden)
        for seat in others:
            size = int(state[rounds.HANDS + seat]).bit_count()
            state[rounds.HANDS + seat] = sum(1 << hidden.pop() for _ in range(size))
            state[rounds.TARGET + seat] = rng.randrange(158)
        assert shares(state, net) == seen


def test_suits_are_only_names() -> None:
    """The same hand in other suits, with the other trump, is played the same."""
    net = untrained()
    for seed in range(20):
        state = dealt("differenzler", seed)
        turned = state.copy()
        rounds.rank_by(turned, (state[rounds.RANKING] + 1) % 4)
        for seat in range(4):
            hand = int(state[rounds.HANDS + seat])
            turned[rounds.HANDS + seat] = (hand << 9 | hand >> 27) & (1 << 36) - 1
        plain, moved = shares(state, net), shares(turned, net)
        for card, share in plain.items():
            assert moved[(card + 9) % 36] == pytest.approx(share, abs=1e-5)


def test_a_card_is_drawn_as_often_as_its_share_says() -> None:
    state, net, chance = dealt("molotov", 3), untrained(), stream(random.Random(1))
    drawn = [policy.choose(state, net[np.newaxis], policy.work(), chance) for _ in range(4_000)]
    for card, share in shares(state, net).items():
        assert drawn.count(card) / len(drawn) == pytest.approx(share, abs=0.05)


def test_every_packaged_net_has_its_size() -> None:
    for game in RULES:
        assert policy.nets(game).shape == (len(policy.MANNERS), policy.NET)
    assert bids.weights().shape == (len(policy.MANNERS), bids.FEATURES)


def test_each_seat_plays_by_the_net_of_its_manner() -> None:
    nets = np.stack([untrained(1), untrained(2)])
    state = dealt("molotov", 3)
    own, of_manner = shares(state, nets[policy.THUMB]), shares(state, nets[policy.LEARNED])
    state[rounds.MANNERS] = policy.THUMB << 4 * state[rounds.TURN]
    found = {card: policy.likelihood(state, card, nets, policy.work()) for card in own}
    assert found == pytest.approx(own)
    assert found != pytest.approx(of_manner)


def test_practice_makes_it_better() -> None:
    """A few steps of play bring the differences down, and a strong hand bids more."""
    rules = rounds.new(range(4))
    rules[rounds.UNDERTRUMP] = tricks.IF_VOID
    nets, bidding = np.stack([untrained(2), untrained(3)]), np.zeros((2, bids.FEATURES))
    bidding[:, 0] = 39.0
    company = nets[policy.THUMB].copy()
    chance, pack, paper = stream(random.Random(4)), np.arange(36), policy.work()
    course = learning.Course(scoring.BY_DIFFERENCE, 4, 1, 0.01)
    adam, bid_adam = Adam(policy.NET, 0.01), Adam(bids.FEATURES, 0.5)
    gains = []
    for _ in range(60):
        change, bid_change = np.zeros_like(company), np.zeros(bids.FEATURES)
        pupil = learning.Pupil(nets, change, bidding, bid_change, paper)
        gains.append(learning.practise(rules, pack, 32, course, pupil, chance))
        nets[policy.LEARNED] += adam.step(change.astype(np.float64)).astype(np.float32)
        bidding[policy.LEARNED] += bid_adam.step(bid_change)
    assert np.mean(gains[-10:]) > np.mean(gains[:5]) + 0.25
    assert (nets[policy.THUMB] == company).all(), "only the first learns"
    strong, weak = 0b111111000 << 9, 0b000000111 << 9 | 0b111 << 18 | 0b111
    features, learned = np.zeros(bids.FEATURES), bidding[policy.LEARNED]
    assert bids.glance(strong, 1, learned, features) > bids.glance(weak, 1, learned, features) + 5
