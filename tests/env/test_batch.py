"""A batch has the results, observations and refusals of `Match`."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import jasstisch as jt
from jasstisch import env
from jasstisch.engine.cards import JASS, card_set, cards_in_set
from jasstisch.env.actions import action_texts, announcement_texts
from jasstisch.env.kernels.compiled_rules import is_supported
from jasstisch.games.coiffeur import _JOKER_CONTRACTS, Coiffeur
from jasstisch.games.contracts import CONTRACTS, ContractGame, SlateLine
from jasstisch.games.scoring_kinds import BY_SIDE
from jasstisch.games.trick_taking import TrickTaking
from tests.rules import match_builders
from tests.rules.contract_builders import WHOLE_SUITS

ROUNDS = 12
SAID = ("stay", "drop", "blind")

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("molotov", {}),
    ("molotov", {"players": 3}),
    ("molotov", {"players": 3, "no_trump": "plain", "undertrump": "if_void"}),
    ("molotov", {"players": 3, "no_trump": "annul"}),
    ("molotov", {"players": 5, "long_runs": "weis"}),
    ("molotov", {"players": 6, "long_runs": "weis", "undertrump": "if_void"}),
    ("offenbach", {"players": 5, "ties": "generous"}),
    ("molotow", {}),
    ("molotow", {"undertrump": "literal", "marks": "swiss"}),
    ("molotow", {"undertrump": "strict"}),
    ("differenzler", {}),
    ("differenzler", {"players": 3, "undertrump": "free", "trump": "bottom"}),
    ("differenzler", {"bids": "open", "show_points": "all", "exact_bonus": 10}),
    ("differenzler", {"exact_bonus": 10, "zero_bonus": "never", "trump": "bottom"}),
    ("differenzler", {"exact_bonus": 10, "zero_bonus": "always"}),
    ("jass", {}),
    ("jass", {"undertrump": "forced", "ties": "generous"}),
    ("jass", {"players": 3}),
    ("jass", {"players": 2, "ties": "generous"}),
    ("schieber", {}),
    ("schieber", {"weis": "off", "multipliers": "swiss", "match_bonus": 0, "rounds": 4}),
    ("schieber", {"slalom": "on", "multipliers": "french", "undertrump": "forced", "target": 2500}),
    ("schieber", {"slalom": "on", "weis": "off", "end": "round"}),
    ("coiffeur", {}),
    ("coiffeur", {"lines": "ten", "suits": "french"}),
    ("coiffeur", {"lines": "ten", "undertrump": "forced", "match_bonus": 0}),
]


def case_id(case: Any) -> str:
    """The id of a test case in reports."""
    if isinstance(case, str):
        return case
    return ",".join(f"{name}={value}" for name, value in case.items()) or "default"


class ReferenceMatches:
    """One match for each round of a batch, given the same deal and the same actions."""

    def __init__(
        self,
        game: jt.Game,
        packs: Any,
        trumps: Any,
        *,
        bids: Any = (),
        dealers: Any = (),
        slates: Any = (),
    ) -> None:
        self.matches = []
        self.announcing = [False] * len(packs)
        self.actions = action_texts(rules_of(jt.Match(game)))
        for number, pack in enumerate(packs):
            dealer = dealers[number] if dealers else number % game.players
            options = {**game.options, "dealer": dealer}
            match = jt.Match(jt.game(game.name, **options))
            if slates:
                cross_out(match, slates[number])
            match.deal([JASS.texts[card] for card in pack])
            if match.needs_pack:
                front = JASS.texts[9 * trumps[number]]
                match.deal([front, *(text for text in match.pack if text != front)])
            while match.view(None)["phase"] == "bid":
                seat = match.to_act[0]
                match.act(seat, f"bid {bids[number][seat]}")
            self.matches.append(match)

    def act(self, number: int, action: int) -> None:
        """Repeats in one match the action taken in the round of that number."""
        match = self.matches[number]
        seat = match.to_act[0]
        if action == env.WEIS:
            self.announcing[number] = True
        elif action >= 36:
            match.act(seat, self.actions[action])
        else:
            weis = " weis" if self.announcing[number] else ""
            self.announcing[number] = False
            match.act(seat, f"play {JASS.texts[action]}{weis}")

    def legal(self, number: int) -> int:
        """The legal actions of a match as a set of the batch's action numbers."""
        match = self.matches[number]
        if not match.to_act:
            return 0
        numbers = {text: number for number, text in self.actions.items()}
        result = 0
        for action in match.legal(match.to_act[0]):
            if action.endswith(" weis"):
                result |= 1 << env.WEIS
            else:
                result |= 1 << numbers[action.removeprefix("play ")]
        if self.announcing[number]:
            result &= (1 << 36) - 1
        return result


def rules_of(match: jt.Match) -> TrickTaking:
    """The rules of a match of a trick-taking game."""
    assert isinstance(match._rules, TrickTaking)
    return match._rules


def cross_out(match: jt.Match, played: Sequence[int]) -> None:
    """Marks lines of the slate as played, for each side a set of places on the slate."""
    rules: Any = match._rules
    for side, lines in enumerate(played):
        for place in cards_in_set(lines):
            rules.played[side][rules.slate_lines[place].text] = 0


def dealt_batch(game: jt.Game, seed: int, envs: int = ROUNDS) -> tuple[env.Batch, ReferenceMatches]:
    """A batch and its reference matches, dealt and with all bids made."""
    rng = Random(seed)
    batch = env.Batch(game, envs)
    pack = [JASS.numbers[text] for text in jt.Match(jt.game(game.name, **game.options)).pack]
    packs = [pack, *(rng.sample(pack, len(pack)) for _ in range(envs - 1))]
    trumps = [rng.randrange(4) for _ in range(envs)]
    bids = [[rng.choice([0, rng.randrange(158)]) for _ in range(game.players)] for _ in packs]
    if game.name != "coiffeur":
        batch.reset(seed=seed, packs=packs, trumps=trumps)
        if batch.bids_due:
            batch.bid(bids)
        return batch, ReferenceMatches(game, packs, trumps, bids=bids)
    slates = random_lines_played(game, rng, envs)
    batch.reset(seed=seed, packs=packs, lines_played=slates)
    return batch, ReferenceMatches(game, packs, trumps, slates=slates)


def random_lines_played(game: jt.Game, rng: Random, envs: int) -> list[list[int]]:
    """Random lines played before, for each round and side; sometimes none, or all of one side."""
    lines = 8 if game.options["lines"] == "eight" else 10
    every = (1 << lines) - 1
    return [
        rng.choice(
            [
                [0, 0],
                [rng.randrange(every), rng.randrange(every)],
                [every, rng.randrange(every)],
                [rng.randrange(every), every],
            ]
        )
        for _ in range(envs)
    ]


class Ended(NamedTuple):
    """The last step of rounds that end together, and the log of all actions."""

    observation: env.Observation
    rewards: Any
    terminations: Any
    truncations: Any
    info: dict[str, Any]
    log: list[Any]


def play_until_rounds_end(
    batch: env.Batch, choose: Callable[[env.Batch], Any] | None = None
) -> Ended:
    """Plays until rounds end, with random actions unless `choose` picks them."""
    log = []
    while True:
        log.append(choose(batch) if choose else batch.random_legal())
        observation, rewards, terminations, truncations, info = batch.step(log[-1])
        if info:
            return Ended(observation, rewards, terminations, truncations, info, log)


def lowest_legal(batch: env.Batch) -> list[int]:
    """The lowest legal card of each round."""
    return [next(cards_in_set(int(one)), -1) for one in batch.legal()]


def card_texts(cards: Sequence[Any]) -> list[str]:
    """The texts of card numbers, -1 being none."""
    return [JASS.texts[card] for card in cards if card >= 0]


def to_card_set(texts: Sequence[str]) -> int:
    """The set of the cards with these texts."""
    return card_set(JASS.numbers[text] for text in texts)


def suit_or_minus_one(letter: str | None) -> int:
    """The number of a suit, -1 for none."""
    return -1 if letter is None else "CDHS".index(letter)


def or_minus_one(value: Any) -> int:
    """A number or -1 for null."""
    return -1 if value is None else value


def expected_observation(view: dict[str, Any], seat: int, legal: int) -> dict[str, Any]:
    """The observation expected from a batch, made from the view of a match."""
    taken = [0] * len(view["players"])
    for one in view["tricks"]:
        taken[one["winner"]] |= to_card_set(one["cards"])
    tricks = [list(zip(play_order(one, view), one["cards"], strict=True)) for one in view["tricks"]]
    tricks.append([tuple(one) for one in view["trick"]])
    plays = [(player, JASS.numbers[text]) for one in tricks for player, text in one]
    seats = range(len(view["players"]))
    turn = view["to_act"][0] if view["to_act"] else -1
    return {
        "seat": seat,
        "turn": turn,
        "dealer": view["dealer"],
        "trump": suit_or_minus_one(view["trump"]),
        "hand": to_card_set(view["hand"]),
        "legal": legal if seat == turn else 0,
        "trick": [text for _, text in view["trick"]],
        "leader": view["trick"][0][0] if view["trick"] else turn,
        "hand_sizes": view["hand_sizes"],
        "points": [or_minus_one(own) for own in view["points"]],
        "played": [card_set(card for player, card in plays if player == one) for one in seats],
        "taken": taken,
        "history": [list(play) for play in plays],
    }


def play_order(trick: dict[str, Any], view: dict[str, Any]) -> list[int]:
    """The seats in order of play in a trick."""
    playing = view.get("playing") or list(range(len(view["players"])))
    start = playing.index(trick["leader"])
    return playing[start:] + playing[:start]


def expected_weis_part(view: dict[str, Any]) -> dict[str, Any]:
    """The expected part of games with Weis."""
    weis = view["weis_shown"] or {"seat": -1, "melds": []}
    announced = {one["seat"]: one["points"] for one in view["announced"]}
    return {
        "announced": [announced.get(seat, -1) for seat in range(len(view["players"]))],
        "weis_seat": weis["seat"],
        "weis_cards": to_card_set([text for one in weis["melds"] for text in one["cards"]]),
    }


def expected_contract_part(view: dict[str, Any], rules: ContractGame) -> dict[str, Any]:
    """The expected part of games of two sides."""
    lines: Any = getattr(rules, "played", ({}, {}))
    contract = view["contract"]
    announced = rules.line_by_announcement[rules.line] if rules.line else None
    rankings = CONTRACTS[contract].rankings if contract else [-1]
    return {
        "contract": list(CONTRACTS).index(contract) if contract else -1,
        "line": rules.slate_lines.index(announced) if announced else -1,
        "factor": or_minus_one(view["factor"]),
        "by": or_minus_one(view["by"]),
        "pushes": view["pushes"],
        "ranking": rankings[len(view["tricks"])],
        "lines_played": [
            sum(
                1 << place
                for place, line in enumerate(rules.slate_lines)
                if line.text in lines[side]
            )
            for side in range(2)
        ],
    }


def expected_handjass_part(view: dict[str, Any]) -> dict[str, Any]:
    """The expected part that only Handjass has."""
    seats = range(len(view["players"]))
    return {
        "said": [-1 if one is None else SAID.index(one) for one in view["said"]],
        "playing": [int(seat in view["playing"]) for seat in seats],
        "shown": JASS.numbers[view["shown"]],
        "turned": -1 if view["turned"] is None else JASS.numbers[view["turned"]],
        "blind_open": int(view["blind_open"]),
        "blind_taker": or_minus_one(view["blind"]),
        "robber": or_minus_one(view["robbed"]),
        "laid_away": to_card_set(view["laid_away"]),
    }


def observed(observation: env.Observation, number: int) -> dict[str, Any]:
    """One round of an observation in plain Python."""
    result = {name: array[number].tolist() for name, array in observation.items()}
    result["trick"] = card_texts(result["trick"])
    result["history"] = [play for play in result["history"] if play[1] >= 0]
    return result


def assert_same_observation(
    batch: env.Batch, reference: ReferenceMatches, number: int, seat: int
) -> None:
    """Asserts that a seat sees the same in a round of the batch and in its match."""
    match = reference.matches[number]
    view = match.view(seat)
    expected = expected_observation(view, seat, reference.legal(number))
    if view["game"] == "jass":
        expected |= expected_handjass_part(view)
    if isinstance(match._rules, ContractGame):
        expected |= expected_contract_part(view, match._rules)
    if "announced" in view:
        expected |= expected_weis_part(view)
        if reference.announcing[number]:  # a match is given it together with the card
            expected["announced"] = None
        if view["phase"] in {"answer", "announce"}:
            expected["leader"] = -1
    if view["game"] == "differenzler":
        expected["bids"] = [or_minus_one(bid) for bid in view["bids"]]
        expected["shown"] = -1 if view["shown"] is None else JASS.numbers[view["shown"]]
    found = observed(batch.observe(seat), number)
    if expected.get("announced", 0) is None:
        expected["announced"] = found["announced"]
    assert found == expected


def expected_result(match: jt.Match, drawn: int) -> tuple[list[int], list[int]]:
    """The expected rewards and points of a finished round, from its match."""
    if match.view(None)["phase"] == "decide":
        draw_for_the_potato(match, drawn)
    if not match.rounds:
        return [0] * match.game.players, []
    last = match.rounds[-1]
    name = match.game.name
    if name in {"molotov", "offenbach"}:
        return [-own for own in last["points"]], last["points"]
    if name == "differenzler":
        return [-int(mark) for mark in last["marks"]], last["points"]
    if name in {"molotow", "schieber", "coiffeur"}:
        return [int(mark) for mark in last["marks"]], last["points"]
    return [mark.count("|") - mark.count("0") for mark in last["marks"]], last["points"]


def draw_for_the_potato(match: jt.Match, drawn: int) -> None:
    """Deals an ace to one of three tied seats and sixes to the others (MW8)."""
    points = match.view(None)["points"]
    tied = [seat for seat in range(4) if points.count(points[seat]) == 3]
    assert drawn in tied
    sixes = iter(("6C", "6D"))
    front = ["AC" if seat == drawn else next(sixes) for seat in tied]
    match.deal([*front, *(text for text in match.pack if text not in front)])


@pytest.mark.parametrize(("name", "options"), GAMES, ids=case_id)
def test_batch_agrees_with_match_on_legal_actions_observations_and_rewards(
    name: str, options: dict[str, Any]
) -> None:
    batch, reference = dealt_batch(jt.game(name, **options), seed=1)
    play_both(batch, reference, batch.random_legal)


def play_both(batch: env.Batch, reference: ReferenceMatches, choose: Callable[[], Any]) -> None:
    """Plays all rounds to their end, and compares at every step."""
    envs = batch.num_envs
    over = [False] * envs
    rng = Random(2)
    while not all(over):
        for number in range(envs):
            if not over[number]:
                assert int(batch.legal()[number]) == reference.legal(number)
                assert_same_observation(batch, reference, number, int(batch.turn[number]))
                assert_same_observation(batch, reference, number, rng.randrange(batch.game.players))
        actions = choose()
        _, rewards, terminations, _, info = batch.step(actions)
        for number, action in enumerate(actions):
            if over[number]:
                assert action == -1
                continue
            reference.act(number, int(action))
            over[number] = bool(terminations[number])
            if not over[number]:
                assert not rewards[number].any()
                continue
            expected, points = expected_result(
                reference.matches[number], int(info["drawn"][number])
            )
            assert rewards[number].tolist() == expected
            assert bool(info["void"][number]) == (points == [])
            if points:
                assert info["points"][number].tolist() == points
                swept = reference.matches[number].rounds[-1].get("match")
                assert info["match"][number] == or_minus_one(swept)


def test_batch_counts_weis_of_both_partners_and_stoeck_as_match_does__SC3_SC6() -> None:
    """All seats announce all melds, so that rare combinations are compared, too."""
    batch, reference = dealt_batch(jt.game("schieber", multipliers="swiss"), seed=7, envs=40)

    def weis_or_random() -> Any:
        melds = batch.action_masks()[:, env.WEIS]
        return np.where(melds, env.WEIS, batch.random_legal())

    play_both(batch, reference, weis_or_random)
    rounds = [match.rounds[-1] for match in reference.matches]
    both = [
        sum(one >= 0 for one in announced[::2]) == 2
        or sum(one >= 0 for one in announced[1::2]) == 2
        for announced in batch.observe(-1)["announced"]
    ]
    assert any(both)
    assert any(any(one["stoeck"]) for one in rounds)
    assert {one["pushed"] for one in rounds} == {True, False}


def test_random_handjass_rounds_include_rare_events() -> None:
    """Otherwise the comparison with `Match` would leave out the hardest rules."""
    seen = set()
    for players in (2, 3, 4):
        batch = env.Batch(jt.game("jass", players=players), 400, seed=1)
        observation = batch.observe()
        while (batch.turn >= 0).any():
            observation = batch.step(batch.random_legal())[0]
        seen |= {f"robbed {players}"} if (observation["robber"] >= 0).any() else set()
        seen |= {f"weis {players}"} if (observation["weis_seat"] >= 0).any() else set()
        alone = observation["playing"].sum(axis=1) == 1
        seen |= {f"alone {players}"} if alone.any() else set()
        seen |= {f"blind {players}"} if (observation["blind_taker"] >= 0).any() else set()
    assert seen == {
        *("alone 2", "alone 3", "alone 4", "blind 2", "blind 3", "robbed 2", "robbed 3"),
        *("weis 2", "weis 3", "weis 4"),
    }


def test_three_tied_seats_draw_for_the_potato__MW8() -> None:
    game, envs = jt.game("molotow"), 20_000
    packs = np.random.default_rng(1).permuted(np.tile(np.arange(36), (envs, 1)), axis=1)
    batch = env.Batch(game, envs)
    batch.reset(packs=packs, dealers=np.zeros(envs, dtype=int))
    ended = play_until_rounds_end(batch)
    tied = np.flatnonzero(ended.info["drawn"] >= 0)
    assert len(tied) > 2
    reference = ReferenceMatches(game, packs[tied], tied, dealers=[0] * len(tied))
    for place, number in enumerate(tied):
        for actions in ended.log:
            reference.act(place, int(actions[number]))
        drawn = int(ended.info["drawn"][number])
        expected, _ = expected_result(reference.matches[place], drawn)
        assert ended.rewards[number].tolist() == expected


def test_round_without_trump_is_scored_by_the_no_trump_option__MV7() -> None:
    """The unshuffled pack gives each of three players three cards of every suit."""
    ended = {}
    for reading in ("eights", "plain", "annul"):
        batch = env.Batch(jt.game("molotov", players=3, no_trump=reading), 2, redeal=True)
        batch.reset(packs=[range(36)] * 2, dealers=[2, 0])
        ended[reading] = play_until_rounds_end(batch, lowest_legal)
    eights, plain, annul = ended.values()
    more = eights.info["points"] - plain.info["points"]
    assert more.sum(axis=1).tolist() == [32, 32]
    assert (more % 8 == 0).all()
    assert (eights.rewards == -eights.info["points"]).all()
    assert eights.observation["dealer"].tolist() == [0, 1]
    assert not eights.info["void"].any()
    assert annul.info["void"].all()
    assert not annul.rewards.any()
    assert annul.observation["dealer"].tolist() == [2, 0]


# Contracts.


def whole_suits(game: jt.Game, envs: int) -> env.Batch:
    """Rounds dealt by seat 3 in which each seat holds one suit."""
    batch = env.Batch(game, envs)
    pack = [JASS.numbers[text] for text in match_builders.packed(WHOLE_SUITS, dealer=3).split()]
    batch.reset(packs=[pack] * envs, dealers=[3] * envs)
    return batch


def action_numbers(batch: env.Batch, *texts: str) -> list[int]:
    """The number of the action with this text, for each round."""
    numbers = {text: number for number, text in batch.actions.items()}
    return [numbers[text] for text in texts]


def test_schieber_rewards_both_partners_with_the_points_of_their_side__SC5_CT6() -> None:
    game = jt.game("schieber", multipliers="french", weis="off")
    batch = whole_suits(game, 2)
    batch.step(action_numbers(batch, "trump D", "tops"))
    ended = play_until_rounds_end(batch)
    assert ended.info["points"].tolist() == [[0, 257, 0, 257], [257, 0, 257, 0]]
    assert ended.rewards.tolist() == [[0, 257, 0, 257], [771, 0, 771, 0]]
    assert ended.info["match"].tolist() == [1, 0]


def test_coiffeur_rewards_only_the_announcing_side__CO4() -> None:
    batch = whole_suits(jt.game("coiffeur", match_bonus=0), 2)
    batch.step(action_numbers(batch, "joker 8 trump C", "joker 7 trump D"))
    assert batch.observe()["line"].tolist() == [7, 6]
    ended = play_until_rounds_end(batch)
    assert ended.rewards.tolist() == [[1256, 0, 1256, 0], [0, 0, 0, 0]]
    assert ended.info["points"].tolist() == [[157, 0, 157, 0], [0, 157, 0, 157]]


def test_announcer_leads_at_coiffeur_and_forehand_at_schieber__CO3_SC1() -> None:
    leaders = {}
    for name in ("coiffeur", "schieber"):
        batch = whole_suits(jt.game(name), 1)
        batch.step(action_numbers(batch, "push"))
        asked = int(batch.turn[0])
        leaders[name] = (asked, batch.step(action_numbers(batch, "bottoms"))[0]["leader"].tolist())
    assert leaders == {"coiffeur": (1, [1]), "schieber": (2, [0])}


def test_rounds_and_redeals_start_with_the_given_lines_played__CO2() -> None:
    batch = env.Batch(jt.game("coiffeur"), 2, redeal=True)
    batch.reset(dealers=[0, 0], lines_played=[[0, 0xFF], [0xFE, 0xFF]])
    assert batch.legal().tolist() == [1 << env.PUSH] * 2
    for _ in range(4):
        batch.step([env.PUSH] * 2)
    assert batch.turn.tolist() == [2, 2]  # the first seat from forehand on with open lines
    assert batch.action_masks()[0].sum() == 18
    assert [batch.actions[one] for one in cards_in_set(int(batch.legal()[1]))] == ["trump C"]
    batch.step([env.ANNOUNCE] * 2)
    again = play_until_rounds_end(batch).observation
    assert again["lines_played"].tolist() == [[0, 0xFF], [0xFE, 0xFF]]
    assert batch.reset()[0]["lines_played"].tolist() == [[0, 0]] * 2


def test_action_numbers_do_not_depend_on_options() -> None:
    games = [
        *(jt.game("schieber", slalom=slalom) for slalom in ("off", "on")),
        *(jt.game("coiffeur", lines=lines) for lines in ("eight", "ten")),
    ]
    batches = [env.Batch(game, 1) for game in games]
    for batch in batches:
        assert batch.actions[env.ANNOUNCE] == "trump C"
        assert batch.actions[env.PUSH] == "push"
        assert batch.action_masks().shape == (1, batch.num_actions)
    assert [batch.num_actions for batch in batches] == [47, 49, 63, 63]
    assert [batch.actions[env.JOKER + 6] for batch in batches[2:]] == [
        "joker 8 trump C",
        "joker 10 trump C",
    ]


# Randomness.


def test_deals_of_a_round_depend_on_neither_batch_size_nor_play() -> None:
    game = jt.game("molotov")
    small, large = env.Batch(game, 3, seed=5, redeal=True), env.Batch(game, 50, seed=5, redeal=True)
    deals = []
    for _ in range(3):
        deals.append(hands(large))
        assert (hands(small) == deals[-1][:3]).all()
        assert not (deals[-1][0] == deals[-1][1]).all()
        play_until_rounds_end(small, lowest_legal)
        play_until_rounds_end(large)
    assert not (deals[0] == deals[1]).all()


def hands(batch: env.Batch) -> Any:
    """All hands (n, p), each as its own seat sees it."""
    return np.stack([batch.observe(seat)["hand"] for seat in range(batch.game.players)], axis=1)


def test_same_seed_gives_same_rounds_and_other_seeds_differ() -> None:
    def played(seed: int) -> Any:
        return play_until_rounds_end(env.Batch(jt.game("offenbach"), 20, seed=seed)).rewards

    assert (played(1) == played(1)).all()
    assert not (played(1) == played(2)).all()


def test_reset_with_a_seed_repeats_the_deals_after_any_play() -> None:
    batch = env.Batch(jt.game("molotow"), 10, seed=3)
    before = hands(batch)
    play_until_rounds_end(batch)
    batch.reset()
    assert not (hands(batch) == before).all()
    batch.reset(seed=3)
    assert (hands(batch) == before).all()


def test_last_step_of_a_round_redeals_and_passes_the_deal_on() -> None:
    batch = env.Batch(jt.game("differenzler"), 8, seed=1, redeal=True)
    for deal in range(3):
        assert batch.bids_due
        observation = batch.bid(np.full((8, 4), 40))
        assert observation["dealer"].tolist() == [(n + deal) % 4 for n in range(8)]
        ended = play_until_rounds_end(batch)
        assert len(ended.log) == 36
        assert ended.terminations.all()
        assert not ended.truncations.any()
        assert (ended.info["points"].sum(axis=1) == 157).all()
        assert (ended.rewards == -abs(ended.info["points"] - 40)).all()
        assert (ended.observation["hand_sizes"] == 9).all()


def test_random_legal_picks_legal_cards_with_equal_probability() -> None:
    batch = env.Batch(jt.game("molotov"), 9000, seed=1)
    batch.reset(packs=np.tile(np.arange(36), (9000, 1)), dealers=np.zeros(9000, dtype=int))
    actions = batch.random_legal()
    counts = np.bincount(actions, minlength=36)
    assert (counts > 0).sum() == 9
    assert counts[counts > 0].min() > 850
    assert batch.action_masks()[np.arange(9000), actions].all()


# Observations.


@pytest.mark.parametrize(("name", "options"), GAMES, ids=case_id)
def test_hidden_cards_do_not_change_an_observation(name: str, options: dict[str, Any]) -> None:
    """Cards that the seat does not hold are redealt; its own keep their places in the pack."""
    game = jt.game(name, **options)
    rng = Random(4)
    batch = env.Batch(game, 1)
    pack = sorted(JASS.numbers[text] for text in jt.Match(jt.game(name, **options)).pack)
    shuffled = rng.sample(pack, len(pack))
    open_cards = {27, len(pack) - 1}  # a turned or shown card lies there in some games
    for seat in range(game.players):
        batch.reset(packs=[shuffled], trumps=[2], dealers=[1])
        own = int(batch.observe(seat)["hand"][0])
        before = batch.observe(seat)
        free = [
            place
            for place, card in enumerate(shuffled)
            if not own >> card & 1 and place not in open_cards
        ]
        moved = dict(zip(free, rng.sample(free, len(free)), strict=True))
        other = [shuffled[moved.get(place, place)] for place in range(len(pack))]
        assert other != shuffled
        batch.reset(packs=[other], trumps=[2], dealers=[1])
        after = batch.observe(seat)
        assert {name: array.tobytes() for name, array in before.items()} == {
            name: array.tobytes() for name, array in after.items()
        }


def test_observation_without_a_seat_contains_no_hand() -> None:
    batch = env.Batch(jt.game("jass", players=3), 5)
    observation = batch.observe(-1)
    assert not observation["hand"].any()
    assert not observation["legal"].any()
    assert (observation["shown"] >= 0).all()


def test_masks_unpack_sets_into_an_additional_axis() -> None:
    batch = env.Batch(jt.game("jass"), 7)
    assert batch.action_masks().shape == (7, 41)
    assert batch.action_masks().sum(axis=1).tolist() == [2] * 7
    spread = env.unpack_masks(batch.observe(0)["hand"])
    assert spread.shape == (7, 36)
    assert spread.sum(axis=1).tolist() == [9] * 7
    assert env.unpack_masks(batch.observe(0)["played"]).shape == (7, 4, 36)


# Refusals.


def state_of(batch: env.Batch) -> list[bytes]:
    """The whole state of a batch."""
    return [table.tobytes() for table in batch.rounds.state]


@given(number=st.integers(0, 9), action=st.integers(-5, 80), steps=st.integers(0, 20))
def test_illegal_action_is_refused_with_its_index_and_changes_nothing(
    number: int, action: int, steps: int
) -> None:
    batch = env.Batch(jt.game("molotov"), 10, seed=3)
    for _ in range(steps):
        batch.step(batch.random_legal())
    actions = batch.random_legal()
    assume(not (0 <= action < 36 and batch.action_masks()[number, action]))
    actions[number] = action
    before = state_of(batch)
    with pytest.raises(jt.GameError, match=rf"actions\[{number}\] is {action}\b.*legal: \d+ \("):
        batch.step(actions)
    assert state_of(batch) == before


def test_error_names_the_first_illegal_action_and_the_legal_ones() -> None:
    batch = env.Batch(jt.game("molotov"), 4)
    batch.reset(packs=np.tile(np.arange(36), (4, 1)), dealers=[0, 0, 0, 0])
    with pytest.raises(jt.GameError) as refused:
        batch.step([0, 0, 9, 9])
    assert str(refused.value) == (
        "actions[2] is 9 (6D), which seat 1 may not do; legal: 0 (6C), 1 (7C), 2 (8C), "
        "12 (9D), 13 (TD), 14 (JD), 24 (QH), 25 (KH), 26 (AH)"
    )


def test_finished_round_accepts_only_minus_one() -> None:
    batch = env.Batch(jt.game("molotov"), 2)
    for _ in range(36):
        batch.step(batch.random_legal())
    assert batch.random_legal().tolist() == [-1, -1]
    assert batch.step([-1, -1])[2].tolist() == [False, False]
    with pytest.raises(jt.GameError, match=r"actions\[1\] is 5 \(JC\), but that round is over"):
        batch.step([-1, 5])


@pytest.mark.parametrize(
    "actions", [[0.0, 1.0], [0], [[0], [1]], "01", [True, True], [None, 1], 0], ids=repr
)
def test_actions_other_than_one_integer_per_round_are_refused(actions: Any) -> None:
    batch = env.Batch(jt.game("molotov"), 2)
    with pytest.raises(jt.GameError, match=r"actions are whole numbers of shape \(2,\)"):
        batch.step(actions)


def test_illegal_announcement_is_refused_with_the_legal_ones__SC1() -> None:
    batch = env.Batch(jt.game("schieber"), 1)
    with pytest.raises(jt.GameError, match=r"actions\[0\] is 5 \(JC\), which seat 1 may not do"):
        batch.step([5])
    batch.step([env.PUSH])
    with pytest.raises(jt.GameError) as refused:
        batch.step([env.PUSH])
    assert str(refused.value) == (
        "actions[0] is 36 (push), which seat 3 may not do; legal: 41 (trump C), 42 (trump D), "
        "43 (trump H), 44 (trump S), 45 (tops), 46 (bottoms)"
    )


@pytest.mark.parametrize(
    ("lines_played", "message"),
    [
        ([[0, 256]], r"lines_played\[0\]\[1\] is a number from 0 to 255, not 256"),
        ([[255, 255]], r"lines_played\[0\] leaves no line to play"),
        ([0], r"lines_played are whole numbers of shape \(1, 2\)"),
    ],
)
def test_invalid_lines_played_are_refused_and_change_nothing(
    lines_played: Any, message: str
) -> None:
    batch = env.Batch(jt.game("coiffeur"), 1)
    before = state_of(batch)
    with pytest.raises(jt.GameError, match=message):
        batch.reset(lines_played=lines_played)
    with pytest.raises(jt.GameError, match="schieber has no lines that are played once"):
        env.Batch(jt.game("schieber"), 1).reset(lines_played=[[0, 0]])
    assert state_of(batch) == before


def test_bids_are_made_once_and_before_cards() -> None:
    batch = env.Batch(jt.game("differenzler"), 3)
    assert batch.random_legal().tolist() == [-1] * 3
    with pytest.raises(jt.GameError, match="bids are due"):
        batch.step([-1] * 3)
    with pytest.raises(jt.GameError, match=r"bids\[2\]\[1\] is a number from 0 to 157, not 158"):
        batch.bid([[0] * 4, [0] * 4, [0, 158, 0, 0]])
    assert batch.bids_due
    batch.bid(np.zeros((3, 4), dtype=int))
    with pytest.raises(jt.GameError, match="no bids are due"):
        batch.bid(np.zeros((3, 4), dtype=int))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"packs": [list(range(36)), [0] * 36]}, r"packs\[1\] must hold each card"),
        ({"packs": [list(range(36))]}, r"packs are whole numbers of shape \(2, 36\)"),
        ({"trumps": [0, 4]}, r"trumps\[1\] is a number from 0 to 3, not 4"),
        ({"dealers": [-1, 0]}, r"dealers\[0\] is a number from 0 to 3, not -1"),
        ({"seed": "one"}, "seed is a whole number, not 'one'"),
    ],
)
def test_invalid_reset_arguments_are_refused_and_change_nothing(
    wrong: dict[str, Any], message: str
) -> None:
    batch = env.Batch(jt.game("molotov"), 2)
    before = state_of(batch)
    with pytest.raises(jt.GameError, match=message):
        batch.reset(**wrong)
    assert state_of(batch) == before


class ThreeJokers(Coiffeur):
    """A Coiffeur with one joker more than a batch can number."""

    @classmethod
    def make_slate_lines(cls, _game: jt.Game) -> tuple[SlateLine, ...]:
        return tuple(
            SlateLine(
                f"joker {factor}",
                factor,
                tuple(f"joker {factor} {text}" for text in _JOKER_CONTRACTS),
            )
            for factor in (7, 8, 9)
        )


class OwnAnnouncing(TrickTaking):
    """A game of two sides without the usual announcements."""

    scoring_kind = BY_SIDE


def test_side_games_with_unsupported_announcements_are_refused() -> None:
    with pytest.raises(jt.GameError, match="a batch cannot play coiffeur: it has too many jokers"):
        announcement_texts(ThreeJokers(jt.game("coiffeur")))
    games: list[Any] = [Coiffeur, OwnAnnouncing]
    assert [is_supported(game) for game in games] == [True, False]


def test_unsupported_games_and_invalid_arguments_are_refused() -> None:
    able = "coiffeur, differenzler, jass, molotov, molotow, offenbach, schieber"
    with pytest.raises(jt.GameError, match=f"a batch cannot play i-doubt-it.* it plays {able}$"):
        env.Batch(jt.game("i-doubt-it"), 2)
    with pytest.raises(jt.GameError, match="a batch cannot play 'molotov'"):
        env.Batch("molotov", 2)  # type: ignore[arg-type]  # a mistake without type checks
    with pytest.raises(jt.GameError, match="num_envs is a whole number from 1 on, not 0"):
        env.Batch(jt.game("molotov"), 0)
    with pytest.raises(jt.GameError, match=r"seats\[0\] is a number from -1 to 3, not 4"):
        env.Batch(jt.game("molotov"), 2).observe(4)
