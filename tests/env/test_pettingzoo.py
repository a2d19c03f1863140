"""Environments pass PettingZoo's own tests, play as `Match` does and show what its views show."""

import doctest
import pickle
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pettingzoo.test import api_test, parallel_api_test, seed_test

import jasstisch as jt
from jasstisch import env as batches
from jasstisch.engine.cards import JASS, card_set, cards_in_set
from jasstisch.engine.errors import GameError, IllegalAction
from jasstisch.env import pettingzoo
from jasstisch.games.i_doubt_it import FULL_DECK
from tests.rules import match_builders

PAGE = Path(__file__).parents[2] / "docs" / "environments.md"

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("molotov", {}),
    ("molotov", {"players": 3, "no_trump": "annul", "target": 2}),
    ("molotov", {"players": 6, "long_runs": "weis"}),
    ("offenbach", {"players": 5}),
    ("molotow", {}),
    ("differenzler", {"rounds": 4}),
    ("differenzler", {"players": 3, "trump": "bottom", "exact_bonus": 10}),
    ("differenzler", {"bids": "open", "show_points": "all", "rounds": 4}),
    ("jass", {}),
    ("jass", {"players": 3}),
    ("jass", {"players": 2, "ties": "generous"}),
    ("schieber", {}),
    ("schieber", {"weis": "off", "multipliers": "swiss", "rounds": 4}),
    ("schieber", {"slalom": "on", "end": "round"}),
    ("coiffeur", {}),
    ("coiffeur", {"lines": "ten", "suits": "french"}),
]
"""Trick-taking games."""

DOUBTS: list[tuple[str, dict[str, Any]]] = [
    ("i-doubt-it", {}),
    ("i-doubt-it", {"players": 2, "last": "any", "rounds": 1, "lie_fee": 1}),
    ("i-doubt-it", {"players": 8, "max_turns": 20, "direction": "anticlockwise"}),
    ("i-doubt-it", {"players": 3, "rounds": 2, "max_turns": 30}),
]
ALL = GAMES + DOUBTS

quiet = [
    # As in PettingZoo's own card games: a dictionary with a mask, which is empty after the end.
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]


def case_id(case: Any) -> str:
    """The id of a test case in reports."""
    if isinstance(case, str):
        return case
    return ",".join(f"{name}={value}" for name, value in case.items()) or "default"


def random_legal(table: pettingzoo.MatchEnv, chance: random.Random) -> int:
    """The number of a random legal action of the selected agent."""
    mask = table.observe(table.agent_selection)["action_mask"]
    return int(chance.choice(np.flatnonzero(mask).tolist()))


def assert_same_observation(
    one: pettingzoo.ObservationDict, other: pettingzoo.ObservationDict
) -> None:
    """Asserts that two observations are equal."""
    assert one.keys() == other.keys()
    assert all((one[key] == other[key]).all() for key in one)


def part(table: pettingzoo.MatchEnv, seen: Any, name: str) -> Any:
    """A part of an observation."""
    found = next(one for one in table.parts if one.name == name)
    return seen["observation"][found.array_slice].reshape(found.shape)


class TestPettingZooCompatibility:
    pytestmark = quiet

    @pytest.mark.parametrize(("game", "options"), ALL, ids=case_id)
    def test_api(self, game: str, options: dict[str, Any]) -> None:
        api_test(pettingzoo.env(game, **options), num_cycles=250)

    @pytest.mark.parametrize(("game", "options"), ALL, ids=case_id)
    def test_seed(self, game: str, options: dict[str, Any]) -> None:
        seed_test(lambda: pettingzoo.env(game, **options), num_cycles=50)

    @pytest.mark.parametrize(("game", "options"), ALL, ids=case_id)
    def test_parallel_api(self, game: str, options: dict[str, Any]) -> None:
        parallel_api_test(pettingzoo.parallel_env(game, **options), num_cycles=400)


class ReferenceMatch:
    """A match that repeats the actions of an environment from their texts alone."""

    def __init__(self, table: pettingzoo.MatchEnv) -> None:
        self.table = table
        self.match = jt.Match(table.game)
        self.pending: tuple[int, ...] = ()
        self.given = 0

    def deal(self) -> None:
        """Deals the match the packs of the environment."""
        if not self.match.needs_pack:
            return
        packs = [cards for actor, cards in self.table.match().record()["log"] if actor == "pack"]
        while self.match.needs_pack:
            self.match.deal(packs[self.given])
            self.given += 1

    def act(self, number: int) -> None:
        """Repeats an action of the environment."""
        text = self.table.actions[number]
        if text == "weis" or text.startswith("lay "):
            self.pending = (*self.pending, number)
            return
        (seat, *_) = self.match.to_act
        if text.startswith("as "):
            laid = " ".join(FULL_DECK.texts[card] for card in self.pending)
            self.match.act(seat, f"lay {laid} {text}")
        else:
            self.match.act(seat, text + " weis" * len(self.pending))
        self.pending = ()

    def legal(self) -> set[str]:
        """The legal actions of the seat to act, named as in the environment."""
        seat = self.match.to_act[0]
        if self.match.view(None)["phase"] == "lay":
            return self.cards_or_ranks(seat)
        texts = set(self.match.legal(seat))
        cards = {text for text in texts if text.startswith("play ") and not text.endswith(" weis")}
        if self.pending:
            return cards
        other = {text for text in texts if not text.startswith("play ")}
        return cards | other | ({"weis"} if len(texts) > len(cards | other) else set())

    def cards_or_ranks(self, seat: int) -> set[str]:
        """The cards that can follow those chosen so far in a claim, or the ranks to claim."""
        due = len(self.match.legal(seat)[0].split()) - 3
        chosen = tuple(FULL_DECK.texts[card] for card in self.pending)
        if len(chosen) == due:
            return {f"as {rank}" for rank in FULL_DECK.ranks}
        sets = combinations(self.match.hand(seat), due)
        matching = (one for one in sets if one[: len(chosen)] == chosen)
        return {f"lay {one[len(chosen)]}" for one in matching}


@given(case=st.sampled_from(ALL), seed=st.integers(0, 2**32), look=st.integers(1, 40))
@settings(max_examples=40, deadline=None)
def test_environment_agrees_with_match_on_actions_observations_and_rewards(
    case: tuple[str, dict[str, Any]], seed: int, look: int
) -> None:
    game, options = case
    table, chance = pettingzoo.env(game, **options), random.Random(seed)
    table.reset(seed=seed)
    encoder, reference = pettingzoo.ViewEncoder(table.game), ReferenceMatch(table)
    earned = dict.fromkeys(table.possible_agents, 0)
    steps = 0
    while not any(table.terminations.values()):
        reference.deal()
        match, agent = reference.match, table.agent_selection
        seat = match.to_act[0]
        assert agent == f"seat_{seat}"
        seen = table.observe(agent)
        allowed = {table.actions[int(number)] for number in np.flatnonzero(seen["action_mask"])}
        assert allowed == reference.legal()
        if steps % look == 0:
            for reader in range(match.game.players):
                pending = reference.pending if reader == seat else ()
                assert_same_observation(
                    table.observe(f"seat_{reader}"),
                    encoder(match.view(reader), match.legal(reader), pending),
                )
        steps += 1
        number = random_legal(table, chance)
        text = encoder.decode(number, reference.pending)
        assert text is None or text in match.legal(seat)
        reference.act(number)
        assert (text is None) == bool(reference.pending)
        table.step(number)
        for other, reward in table.rewards.items():
            earned[other] += reward
    assert reference.match.over
    assert table.match().record() == reference.match.record()
    for reader, agent in enumerate(table.possible_agents):
        assert_same_observation(table.observe(agent), encoder(reference.match.view(reader), ()))
    assert [earned[agent] for agent in table.possible_agents] == total_rewards(reference.match)


def total_rewards(match: jt.Match) -> list[int]:
    """The total reward of each seat, from the standing or the rounds of a match."""
    game, standing = match.game.name, match.standing
    if game in ("schieber", "coiffeur"):
        return [one["points"] for one in standing]
    if game == "differenzler":
        return [-one["difference"] for one in standing]
    if game == "molotow":
        return [one["net"] for one in standing]
    if game == "i-doubt-it":
        return [one["chips"] for one in standing]
    if game == "jass":
        marks = zip(*(one["marks"] for one in match.rounds), strict=True)
        worth = {"||": 2, "|": 1, "-": 0, "0": -1}
        return [sum(worth[mark] for mark in own) for own in marks]
    points = zip(*(one["points"] for one in match.rounds), strict=True)
    return [-sum(own) for own in points]


def to_part_shape(value: Any, shape: tuple[int, ...]) -> Any:
    """A value of a batch in the shape of a part of an observation."""
    if value.dtype == np.uint64:
        return batches.unpack_masks(value, shape[-1]).astype(int)
    return value


@pytest.mark.parametrize(("game", "options"), GAMES, ids=case_id)
def test_masks_rewards_and_observations_equal_those_of_a_batch(
    game: str, options: dict[str, Any]
) -> None:
    chance = random.Random(3)
    table = pettingzoo.env(game, **options)
    for seed in range(3):
        table.reset(seed=seed)
        batch = batch_of(table)
        make_bids(table, batch, chance)
        while True:
            reader = table._match.rules.to_act[0]
            seen, shown = table.observe(table.agent_selection), batch.observe(reader)
            assert (seen["action_mask"][: batch.num_actions] == batch.action_masks()[0]).all()
            for name, shape in ((one.name, one.shape) for one in table.parts):
                if name in shown:
                    expected = to_part_shape(shown[name][0], shape)
                    assert (part(table, seen, name) == expected).all(), name
            number = random_legal(table, chance)
            table.step(number)
            _, rewards, terminations, _, info = batch.step([number])
            if terminations[0]:
                break
        if not info["void"][0] and info["drawn"][0] < 0:
            assert list(table.rewards.values()) == rewards[0].tolist()


def batch_of(table: pettingzoo.MatchEnv) -> batches.Batch:
    """A batch of one round, dealt as the environment has dealt its first one."""
    packs = [
        [JASS.numbers[card] for card in cards.split()]
        for actor, cards in table.match().record()["log"]
        if actor == "pack"
    ]
    drawn = table.game.name == "differenzler" and table.game.options["trump"] == "random"
    trumps = [packs.pop()[0] // 9] if drawn else None
    batch, dealer = batches.Batch(table.game, 1), table._match.rules.dealer
    assert dealer is not None
    batch.reset(packs=[packs[-1]], trumps=trumps, dealers=[dealer])
    return batch


def make_bids(table: pettingzoo.MatchEnv, batch: batches.Batch, chance: random.Random) -> None:
    """Makes the same random bids in both, if bids are due."""
    if not batch.bids_due:
        return
    bids = [chance.randrange(158) for _ in range(table.game.players)]
    while table._match.rules.phase == "bid":
        table.step(pettingzoo.BID + bids[table._match.rules.to_act[0]])
    batch.bid([bids])


@pytest.mark.parametrize(("game", "options"), GAMES, ids=case_id)
def test_hidden_cards_do_not_change_an_observation(game: str, options: dict[str, Any]) -> None:
    table = pettingzoo.env(game, **options)
    table.reset(seed=5)
    chance, players = random.Random(5), table.game.players
    for _ in range(12):
        rules: Any = table._match.rules
        hands = rules.hands
        for reader, agent in enumerate(table.possible_agents):
            before = table.observe(agent)
            kept = list(hands)
            hidden = [seat for seat in range(players) if seat != reader]
            size = kept[hidden[0]].bit_count()
            equal = [seat for seat in hidden if kept[seat].bit_count() == size]
            for seat, other in zip(equal, equal[1:] + equal[:1], strict=True):
                hands[seat] = kept[other]
            after = table.observe(agent)
            hands[:] = kept
            assert_same_observation(before, after)
        table.step(random_legal(table, chance))


class TestDoubt:
    """Claims of I Doubt It in several steps."""

    @pytest.mark.parametrize(("game", "options"), DOUBTS, ids=case_id)
    def test_each_legal_claim_is_reached_by_exactly_one_action_sequence(
        self, game: str, options: dict[str, Any]
    ) -> None:
        """Also with one or two cards in hand, if the rules have these laid."""
        match, chance = jt.Match(jt.game(game, **options)), random.Random(3)
        encoder, tried = pettingzoo.ViewEncoder(match.game), set()
        while not match.over:
            if match.to_act and match.view(None)["phase"] == "lay":
                (seat,) = match.to_act
                held = len(match.hand(seat))
                if held < 12 and held not in tried:
                    tried.add(held)
                    claims = list(
                        reachable_claims(encoder, match.view(seat), match.legal(seat), ())
                    )
                    assert claims == list(match.legal(seat))
            match_builders.step(match, chance)
        assert tried

    def test_chosen_cards_appear_only_in_the_own_observation_until_the_claim(self) -> None:
        table, chance = pettingzoo.env("i-doubt-it"), random.Random(1)
        table.reset(seed=1)
        seat, agents = table.agent_selection, table.possible_agents
        before = {agent: table.observe(agent) for agent in agents}
        cards = []
        for count in range(1, 4):
            number = random_legal(table, chance)
            cards.append(number)
            table.step(number)
            assert table.agent_selection == seat
            for agent in agents:
                seen = table.observe(agent)
                if agent == seat:
                    assert np.flatnonzero(part(table, seen, "chosen")).tolist() == cards[:count]
                else:
                    assert_same_observation(seen, before[agent])
        table.step(pettingzoo.CLAIM + 5)
        assert table.agent_selection != seat
        assert not part(table, table.observe(seat), "chosen").any()
        assert part(table, table.observe(seat), "history")[0, 7:10].tolist() == cards
        answerer = table.observe(table.agent_selection)
        assert part(table, answerer, "history")[0, 7:10].tolist() == [-1, -1, -1]
        assert [part(table, answerer, name) for name in ("claimed", "claim_cards")] == [5, 3]

    def test_action_that_cannot_continue_a_claim_is_refused_and_changes_nothing(self) -> None:
        table = pettingzoo.env("i-doubt-it")
        table.reset(seed=1)
        agent = table.agent_selection
        first, *_, last = np.flatnonzero(table.observe(agent)["action_mask"])
        with pytest.raises(GameError, match="a rank is claimed for cards"):
            table.step(pettingzoo.CLAIM)
        table.step(int(last))
        before = table.observe(agent)
        for number in (first, last):
            with pytest.raises(GameError, match="may not choose 'lay"):
                table.step(int(number))
        with pytest.raises(GameError, match="add a card or a rank, not pass"):
            table.step(pettingzoo.PASS)
        with pytest.raises(IllegalAction, match="3 different cards are laid"):
            table.step(pettingzoo.CLAIM)
        assert_same_observation(before, table.observe(agent))

    @pytest.mark.parametrize(("game", "options"), DOUBTS, ids=case_id)
    def test_hidden_cards_do_not_change_an_observation(
        self, game: str, options: dict[str, Any]
    ) -> None:
        """Hidden are other hands, the middle, and cards drawn or laid but never turned up."""
        table, chance = pettingzoo.env(game, **options), random.Random(7)
        table.reset(seed=7)
        for _ in range(60):
            if any(table.terminations.values()):
                break
            table.step(random_legal(table, chance))
            for reader, agent in enumerate(table.possible_agents):
                before = table.observe(agent)
                kept = table._match
                table._match = kept.copy()
                redeal_hidden_cards(table._match.rules, reader, chance)
                table._match._history.start_round(table._match.rules.standing())
                assert_same_observation(before, table.observe(agent))
                table._match = kept


def reachable_claims(
    encoder: pettingzoo.ViewEncoder, view: Any, legal: Any, pending: tuple[int, ...]
) -> Iterator[str]:
    """Every claim reachable through the masks, once for each sequence that leads to it."""
    for number in np.flatnonzero(encoder(view, legal, pending)["action_mask"]).tolist():
        action = encoder.decode(number, pending)
        if action is None:
            yield from reachable_claims(encoder, view, legal, (*pending, number))
        else:
            yield action


def redeal_hidden_cards(rules: Any, reader: int, chance: random.Random) -> None:
    """Redeals at random the cards that a seat cannot see."""
    others = [seat for seat in range(rules.players) if seat != reader]
    hidden = [card for seat in others for card in cards_in_set(rules.hands[seat])] + rules.middle
    chance.shuffle(hidden)
    for seat in others:
        size = rules.hands[seat].bit_count()
        rules.hands[seat] = card_set(hidden[:size])
        del hidden[:size]
    rules.middle[:] = hidden
    for place, turn in enumerate(rules.turns):
        if turn.seat != reader:
            laid = turn.laid if turn.truth is not None else chance.sample(range(52), len(turn.laid))
            drawn = tuple(chance.sample(range(52), len(turn.drawn)))
            rules.turns[place] = replace(turn, laid=tuple(laid), drawn=drawn)


def test_secret_bid_is_visible_only_to_its_own_seat() -> None:
    table = pettingzoo.env("differenzler")
    table.reset(seed=1)
    table.step(pettingzoo.BID + 42)
    own, other = (table.observe(f"seat_{seat}") for seat in (0, 1))
    assert part(table, own, "bids").tolist() == [42, -1, -1, -1]
    assert part(table, other, "bids").tolist() == [-1, -1, -1, -1]
    assert part(table, other, "has_bid").tolist() == [1, 0, 0, 0]


class TestParallelEnv:
    """The parallel environment."""

    @pytest.mark.parametrize("game", ["molotow", "differenzler", "jass", "schieber", "i-doubt-it"])
    def test_parallel_env_plays_like_the_aec_env(self, game: str) -> None:
        alone, at_once = pettingzoo.env(game), pettingzoo.parallel_env(game)
        alone.reset(seed=4)
        seen, _ = at_once.reset(seed=4)
        chance = random.Random(4)
        while at_once.agents:
            acting = alone.to_act
            actions = dict.fromkeys(at_once.agents, at_once.wait)
            for seat in acting:
                agent = f"seat_{seat}"
                assert_same_except_waiting(alone.observe(agent), seen[agent])
                actions[agent] = int(chance.choice(np.flatnonzero(seen[agent]["action_mask"])))
            earned = dict.fromkeys(at_once.agents, 0)
            for seat in acting:
                alone.step(actions[f"seat_{seat}"])
                for agent, reward in alone.rewards.items():
                    earned[agent] += reward
            seen, rewards, terminations, _, _ = at_once.step(actions)
            assert rewards == earned
            assert terminations == alone.terminations
        assert at_once.match().over
        assert at_once.match().record() == alone.match().record()

    def test_all_agents_bid_at_once_and_then_three_of_four_wait(self) -> None:
        table = pettingzoo.parallel_env("differenzler")
        seen, _ = table.reset(seed=1)
        assert all(one["action_mask"][table.wait] == 0 for one in seen.values())
        bids = {agent: pettingzoo.BID + 10 * seat for seat, agent in enumerate(table.agents)}
        seen, *_ = table.step(bids)
        waiting = [one["action_mask"][table.wait] == 1 for one in seen.values()]
        assert sum(waiting) == 3
        for seat, agent in enumerate(table.agents):
            where = next(one.array_slice for one in table.parts if one.name == "bids")
            hidden = [-1] * 4
            hidden[seat] = 10 * seat
            assert seen[agent]["observation"][where].tolist() == hidden

    def test_one_illegal_action_refuses_all_simultaneous_actions(self) -> None:
        table = pettingzoo.parallel_env("differenzler")
        before, _ = table.reset(seed=1)
        bids = dict.fromkeys(table.agents, pettingzoo.BID)
        with pytest.raises(IllegalAction, match="a bid of 0 to 157 points is due"):
            table.step({**bids, "seat_3": 0})
        with pytest.raises(GameError, match="no action of this table is 999"):
            table.step({**bids, "seat_3": 999})
        assert table.match().view(None)["has_bid"] == [False] * 4
        seen, *_ = table.step(bids)
        assert before["seat_0"]["observation"].shape == seen["seat_0"]["observation"].shape

    def test_agents_not_on_turn_must_pass_the_wait_action(self) -> None:
        table = pettingzoo.parallel_env("molotow")
        seen, _ = table.reset(seed=1)
        actions = {agent: int(one["action_mask"].argmax()) for agent, one in seen.items()}
        idle = next(agent for agent in table.agents if actions[agent] == table.wait)
        with pytest.raises(GameError, match=f"{idle} is not to act: its action is 36 .wait"):
            table.step({**actions, idle: 0})
        del actions[idle]
        with pytest.raises(GameError, match=f"the action of {idle} is missing"):
            table.step(actions)

    def test_step_before_reset_is_refused(self) -> None:
        with pytest.raises(GameError, match="start one with reset"):
            pettingzoo.parallel_env("molotov").step({})

    def test_parallel_env_renders_like_the_aec_env(self) -> None:
        table = pettingzoo.parallel_env("molotow", render_mode="ansi")
        table.reset(seed=1)
        alone = pettingzoo.env("molotow", render_mode="ansi")
        alone.reset(seed=1)
        assert table.render() == alone.render()


def assert_same_except_waiting(
    alone: pettingzoo.ObservationDict, at_once: pettingzoo.ObservationDict
) -> None:
    """Asserts that an agent to act sees the same in both environments, except for waiting."""
    assert (alone["observation"] == at_once["observation"]).all()
    assert [*alone["action_mask"].tolist(), 0] == at_once["action_mask"].tolist()


class TestRounds:
    """An episode may be the first round of a match."""

    pytestmark = quiet

    @pytest.mark.parametrize("game", jt.games())
    def test_episode_ends_with_its_round_and_pays_the_reward(self, game: str) -> None:
        table, chance = pettingzoo.env(game, episode="round"), random.Random(1)
        for _ in range(2):
            table.reset(seed=chance.randrange(99))
            while not any(table.terminations.values()):
                assert not any(table.rewards.values())
                table.step(random_legal(table, chance))
            match = table.match()
            assert len(match.rounds) == 1
            assert list(table.rewards.values()) == total_rewards(match)
            assert all(table.terminations.values())

    @pytest.mark.parametrize("game", ["molotow", "differenzler", "i-doubt-it"])
    def test_pettingzoo_accepts_rounds(self, game: str) -> None:
        api_test(pettingzoo.env(game, episode="round"), num_cycles=120)
        seed_test(lambda: pettingzoo.env(game, episode="round"), num_cycles=50)
        parallel_api_test(pettingzoo.parallel_env(game, episode="round"), num_cycles=120)

    def test_copy_of_an_environment_ends_with_the_round_too(self) -> None:
        table, chance = pettingzoo.env("schieber", episode="round"), random.Random(2)
        table.reset(seed=4)
        for _ in range(9):
            table.step(random_legal(table, chance))
        again = pickle.loads(pickle.dumps(table))
        for one in (table, again):
            chance = random.Random(3)
            while not any(one.terminations.values()):
                one.step(random_legal(one, chance))
        assert table.rewards == again.rewards
        assert len(again.match().rounds) == 1

    @pytest.mark.parametrize("made", [pettingzoo.env, pettingzoo.parallel_env])
    def test_unknown_episode_is_refused(self, made: Any) -> None:
        with pytest.raises(GameError, match="an episode is 'match' or 'round', not 'deal'"):
            made("molotow", episode="deal")


class TestRefusals:
    def test_illegal_card_is_refused_with_the_legal_actions_and_changes_nothing(self) -> None:
        table = pettingzoo.env("molotov")
        table.reset(seed=1)
        agent = table.agent_selection
        before = table.observe(agent)
        absent = int(np.flatnonzero(before["action_mask"][:36] == 0)[0])
        with pytest.raises(IllegalAction, match=r"does not hold .*Legal: play"):
            table.step(absent)
        assert table.agent_selection == agent
        assert_same_observation(before, table.observe(agent))

    @pytest.mark.parametrize("number", [36, -1, 99])
    def test_unknown_action_number_is_refused(self, number: int) -> None:
        table = pettingzoo.env("molotov")
        table.reset(seed=1)
        with pytest.raises(GameError, match=f"no action of this table is {number}"):
            table.step(number)

    @pytest.mark.parametrize("action", [None, "JC", 1.5])
    def test_action_that_is_not_an_integer_is_refused(self, action: Any) -> None:
        table = pettingzoo.env("molotov")
        table.reset(seed=1)
        with pytest.raises(GameError, match="an action is a number"):
            table.step(action)

    def test_step_before_reset_is_refused(self) -> None:
        with pytest.raises(GameError, match="start one with reset"):
            pettingzoo.env("molotov").step(0)

    def test_weis_without_a_meld_and_other_actions_after_weis_are_refused(self) -> None:
        table, chance = pettingzoo.env("schieber"), random.Random(1)
        seen = {"refused": 0, "due": 0}
        for seed in range(20):
            table.reset(seed=seed)
            table.step(batches.ANNOUNCE)
            agent = table.agent_selection
            if table.observe(agent)["action_mask"][batches.WEIS]:
                table.step(batches.WEIS)
                assert table.agent_selection == agent
                assert part(table, table.observe(agent), "melding") == 1
                with pytest.raises(GameError, match="choose a card, 0 to 35"):
                    table.step(batches.PUSH)
                seen["due"] += 1
                table.step(random_legal(table, chance))
            else:
                with pytest.raises(GameError, match="may not choose 'weis' now"):
                    table.step(batches.WEIS)
                seen["refused"] += 1
        assert min(seen.values()) > 0

    def test_unknown_render_mode_is_refused(self) -> None:
        with pytest.raises(GameError, match="render_mode is None or one of ansi, rgb_array"):
            pettingzoo.env("molotov", render_mode="human")

    def test_unknown_option_is_refused(self) -> None:
        with pytest.raises(GameError, match="rounds"):
            pettingzoo.env("molotov", rounds=3)


def test_ansi_rendering_shows_all_hands_the_trick_and_the_winner() -> None:
    table, chance = pettingzoo.env("molotow", render_mode="ansi", rounds=1), random.Random(2)
    table.reset(seed=2)
    first = table.agent_selection.replace("_", " ")
    number = random_legal(table, chance)
    table.step(number)
    drawn = table.render()
    assert isinstance(drawn, str)
    assert drawn.splitlines()[0].startswith("molotow, round 1, play")
    assert f"trick: {first} {JASS.texts[number]}" in drawn
    assert all(card in drawn for card in JASS.texts)
    while not any(table.terminations.values()):
        table.step(random_legal(table, chance))
    drawn = table.render()
    assert isinstance(drawn, str)
    assert "won by seat" in drawn
    assert pettingzoo.env("molotow").render() is None


def test_ansi_rendering_shows_the_cards_laid_for_a_claim() -> None:
    table = pettingzoo.env("i-doubt-it", render_mode="ansi")
    table.reset(seed=2)
    cards = [int(table.observe(table.agent_selection)["action_mask"].argmax())]
    for _ in range(2):
        table.step(cards[-1])
        cards.append(int(table.observe(table.agent_selection)["action_mask"].argmax()))
    table.step(cards[-1])
    seat = table.agent_selection.replace("_", " ")
    table.step(pettingzoo.CLAIM + FULL_DECK.ranks.index("J"))
    laid = " ".join(FULL_DECK.texts[card] for card in cards)
    drawn = table.render()
    assert isinstance(drawn, str)
    assert drawn.splitlines()[-2:] == [
        "middle: 0 cards", f"claim: {seat} says 3 × J, and has laid {laid}",
    ]  # fmt: skip


def test_returned_observation_can_be_modified_without_changing_later_ones() -> None:
    table = pettingzoo.env("jass")
    table.reset(seed=1)
    agent = table.agent_selection
    seen = table.observe(agent)
    for array in seen.values():
        array[:] = 1
    assert part(table, table.observe(agent), "hand_sizes").tolist() == [9] * 4


def test_documentation_page_examples_run() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False)
    assert result.attempted > 10
    assert result.failed == 0


def test_module_docstring_example_runs() -> None:
    assert doctest.testmod(pettingzoo).failed == 0


def test_documentation_page_names_every_observation_part() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for game, options in ALL:
        parts = pettingzoo.env(game, **options).parts
        assert [one.name for one in parts if f"`{one.name}`" not in text] == []
