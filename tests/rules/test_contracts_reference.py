"""Whole matches of Schieber and Coiffeur, compared with the reference of CT, SC and CO.

First the reference is compared with rounds worked out by hand, so that an equal mistake in both is
noticed; then the engine is compared with the reference, card by card.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping
from typing import Any

import pytest

import jasstisch as jt
from tests.rules import (
    contract_builders,
    match_builders,
    reference,
    reference_contracts,
    reference_handjass,
)
from tests.rules.reference_contracts import CONTRACTS, Coiffeur, Schieber, Table
from tests.rules.worked_contracts import WORKED, Worked
from tests.support.example_counts import QUICK, examples

OPTIONS: dict[str, dict[str, tuple[Any, ...]]] = {
    "schieber": {
        "target": (1000, 1500, 2500, 3000),
        "rounds": (0, 0, 0, 0, 4, 8, 12, 16),
        "multipliers": ("none", "swiss", "french"),
        "weis": ("on", "on", "off"),
        "slalom": ("off", "on"),
        "match_bonus": (100, 0),
        "end": ("at_once", "at_once", "round"),
        "undertrump": ("strict", "forced"),
    },
    "coiffeur": {
        "lines": ("eight", "ten"),
        "suits": ("swiss", "french"),
        "match_bonus": (100, 0),
        "undertrump": ("strict", "forced"),
    },
}


# The reference alone.


@pytest.mark.parametrize("worked", WORKED, ids=lambda worked: worked.contract)
def test_the_reference_agrees_with_rounds_worked_out_by_hand__CT3_CT4_CT5(worked: Worked) -> None:
    """Each card is allowed, each trick has the winner and the worth that were worked out."""
    held = worked.dealt
    assert sorted(card for hand in held for card in hand) == sorted(reference.pack(4))
    points = [0, 0]
    for number, (leader, text, winner, worth) in enumerate(worked.tricks, start=1):
        trick = [((leader + turn) % 4, card) for turn, card in enumerate(text.split())]
        for turn, (seat, card) in enumerate(trick):
            table = [other for _, other in trick[:turn]]
            assert card in reference_contracts.playable(
                held[seat], table, worked.contract, "strict"
            )
            held[seat].remove(card)
        assert reference_contracts.winner(trick, worked.contract, number) == winner
        assert sum(reference_contracts.value(card, worked.contract) for _, card in trick) == worth
        points[winner % 2] += worth
    points[worked.tricks[-1][2] % 2] += 5
    assert tuple(points) == worked.points


@pytest.mark.parametrize("contract", CONTRACTS)
def test_every_contract_totals_157_in_the_reference__CT5(contract: str) -> None:
    """Cards and last trick of both sides make 157, whatever is played."""
    rng = random.Random(contract)
    for number in range(examples(12, 5)):
        hands = match_builders.random_hands(4, rng)
        played = reference_contracts.play_round(hands, number % 4, contract, rng)
        assert sum(played.points) == 157
        assert len(set(played.cards)) == 36


def reference_match(game: str, **options: Any) -> Table:
    """A match of the reference, with the defaults of the game besides these options."""
    defaults = {name: values[0] for name, values in OPTIONS[game].items()}
    return reference_contracts.GAMES[game]({"dealer": 3, **defaults, **options})


def play_reference_round(
    table: Table, hands: list[list[str]], contract: str, plays: list[str]
) -> None:
    """Plays a round of the reference: forehand announces, and these cards are played."""
    table.shuffle(match_builders.packed(hands, table.dealer).split())
    for action in [contract, *(f"play {card}" for card in plays)]:
        assert action in table.legal()
        table.act(action)


def test_the_reference_counts_stoeck_before_the_trick__SC6() -> None:
    """942 to 942: Stöck, doubled, ends the match though the trick would have brought it too."""
    table = reference_match("schieber", multipliers="swiss", match_bonus=0)
    table.totals = [942, 942]
    hands = contract_builders.quiet_hands({0: "JQKS AD", 1: "69S 6D", 2: "7TS 7D", 3: "8AS 8D"})
    plays = match_builders.cards("K678S A678D Q9TAS")
    play_reference_round(table, hands, "trump S", plays)
    assert table.winners == [0, 2]
    assert table.totals == [1012, 942]
    assert table.rounds[0]["points"] == [35, 0, 35, 0]
    assert len(table.rounds[0]["tricks"]) == 3


def test_the_reference_counts_weis_before_the_trick__SC6() -> None:
    """942 to 942: 50 Weis, doubled, ends the match before the 45 of the trick are counted."""
    table = reference_match("schieber", multipliers="swiss", match_bonus=0)
    table.totals = [942, 942]
    hands = contract_builders.quiet_hands({0: "JS", 1: "6789D 9S", 2: "AS", 3: "6S"})
    play_reference_round(table, hands, "trump S", ["JS", "9S weis", "AS", "6S"])
    assert table.winners == [1, 3]
    assert table.totals == [942, 1042]
    assert table.rounds[0]["weis"] == [0, 50, 0, 50]


def test_the_reference_multiplies_by_the_factor_of_the_line_in_coiffeur__CO4() -> None:
    """Spades count 3 in Swiss suits: 68 of the side that announced make 204, the others 0."""
    worked = next(worked for worked in WORKED if worked.contract == "trump S")
    table = reference_match("coiffeur", dealer=2)
    play_reference_round(table, worked.dealt, "trump S", worked.played)
    assert table.rounds[0]["marks"] == ["0", "204", "0", "204"]
    assert table.rounds[0]["points"] == [89, 68, 89, 68]
    assert table.standing()[3] == {"side": 1, "points": 204, "lines": {"trump S": 204}}


# The engine compared with the reference.


def random_pack(rng: random.Random) -> list[str]:
    """A random pack: mixed well, in clumps with many melds, or in whole suits."""
    pack = reference.pack(4)
    kind = rng.choice(("mixed", "mixed", "clumps", "suits"))
    if kind == "mixed":
        rng.shuffle(pack)
        return pack
    hands = [pack[seat * 9 : seat * 9 + 9] for seat in rng.sample(range(4), 4)]
    if kind == "clumps":
        for _ in range(12):
            (one, other), (first, second) = rng.sample(range(4), 2), rng.choices(range(9), k=2)
            hands[one][first], hands[other][second] = hands[other][second], hands[one][first]
    for hand in hands:
        rng.shuffle(hand)
    return match_builders.packed(hands, 3).split()


def choose(legal: list[str], seat_pushes: int, rng: random.Random) -> str:
    """One of the legal actions, with Weis and trumps more likely than others."""
    weight = {"push": seat_pushes, **dict.fromkeys(reference_contracts.TRUMPS, 6)}
    return rng.choices(
        legal, [weight.get(each, 4 if each.endswith("weis") else 1) for each in legal]
    )[0]


def check_views(match: jt.Match, table: Table) -> None:
    """Every reader sees what the reference says, and of the hands only its own."""
    seen = table.seen()
    now = table.round
    for reader in contract_builders.READERS:
        view = match.view(reader)
        assert {key: view[key] for key in seen} == seen
        held = [] if reader is None or now is None else now.hands[reader]
        assert (view["hand"] or []) == reference_handjass.in_order(held)
        if match.game.name == "schieber" and table.phase() == "play":
            expected = table.seen_weis(reader)
            for key in ("announced", "weis", "stoeck"):
                assert view[key] == expected[key], key
            for key in ("melds", "weis_shown"):
                assert contract_builders.meld_groups(view[key]) == contract_builders.meld_groups(
                    expected[key]
                ), key


def events_of_round(result: Mapping[str, Any], options: Mapping[str, Any]) -> set[str]:
    """The kinds of events that occurred in a finished round."""
    met = {result["contract"], f"factor {result['factor']}"}
    met |= {key for key in ("weis", "stoeck") if any(result[key])}
    met |= {"pushed"} if result["pushed"] else set()
    met |= set() if result["match"] is None else {"match"}
    if result["match"] is not None and result["match"] != result["by"] % 2:
        met.add("match of the others")
    if options.get("end") == "at_once" and not options["rounds"]:
        met |= {"short"} if len(result["tricks"]) < 9 else set()
    return met


def last_step(result: Mapping[str, Any]) -> str:
    """Which step ended a match at once, found from the points that were counted."""
    worth = [0, 0]
    for trick in result["tricks"]:
        worth[trick["winner"] % 2] += sum(
            reference_contracts.value(card, result["contract"]) for card in trick["cards"]
        )
    counted = sum(result["points"][:2]) - sum(result["weis"][:2]) - sum(result["stoeck"][:2])
    if counted == sum(worth):
        return "ended by a trick"
    return "ended by Weis" if len(result["tricks"]) == 1 else "ended by Stöck"


def check_match(
    name: str, options: Mapping[str, Any], rng: random.Random, *, views: bool
) -> set[str]:
    """Plays a random match on engine and reference; returns the kinds of events that occurred."""
    dealer = rng.randrange(4)
    match = jt.Match(jt.game(name, dealer=dealer, **options))
    table = reference_contracts.GAMES[name]({**options, "dealer": dealer})
    shyness = rng.choice((1, 5, 30))
    met: set[str] = set()
    while not match.over:
        if match.needs_pack:
            assert table.round is None
            assert match.view(None)["dealer"] == table.dealer
            pack = random_pack(rng)
            match.deal(pack)
            table.shuffle(pack)
        else:
            seat = table.actor()
            assert match.to_act == (seat,)
            assert seat is not None
            legal = table.legal()
            assert list(match.legal(seat)) == legal
            action = choose(legal, shyness, rng)
            met |= {"only push"} if legal == ["push"] else set()
            met |= (
                {"may not push"} if len(legal) > 1 and table.round and push_barred(table) else set()
            )
            match.act(seat, action)
            table.act(action)
        if views:
            check_views(match, table)
        if table.round is None:
            check_round(match, table)
            met |= events_of_round(match.rounds[-1], options)
    assert match.winners == table.winners
    if options.get("end") == "at_once" and not options["rounds"] and "short" in met:
        met.add(last_step(match.rounds[-1]))
    return met | {f"{len(match.winners)} win"}


def push_barred(table: Table) -> bool:
    """Whether an announcement is due and pushing is not allowed."""
    return table.phase() == "announce" and "push" not in table.legal()


def check_round(match: jt.Match, table: Table) -> None:
    """The finished rounds and the standing are those of the reference."""
    assert len(match.rounds) == len(table.rounds)
    for key, value in table.rounds[-1].items():
        assert match.rounds[-1][key] == value, key
    assert match.standing == table.standing()


def random_options(name: str, rng: random.Random) -> dict[str, Any]:
    """A random value for every option."""
    return {option: rng.choice(values) for option, values in OPTIONS[name].items()}


def test_whole_matches_of_schieber_agree_with_the_reference__SC() -> None:
    """Legal actions, tricks, Weis, Stöck, points, marks, standings, the end and the winners."""
    rng = random.Random("schieber")
    met: set[str] = set()
    for _ in range(examples(80, 10)):
        met |= check_match("schieber", random_options("schieber", rng), rng, views=False)
    if QUICK:
        return
    assert met >= {*reference_contracts.PLAIN, *reference_contracts.SLALOM}
    assert met >= {"factor 1", "factor 2", "factor 3", "pushed", "may not push"}
    assert met >= {"weis", "stoeck", "match", "match of the others", "short", "2 win"}
    assert met >= {"ended by a trick", "ended by Weis", "ended by Stöck"}


def test_whole_matches_of_coiffeur_agree_with_the_reference__CO() -> None:
    """Legal announcements, tricks, points, marks, lines, standings, the end and the winners."""
    met: set[str] = set()
    choices = itertools.product(*OPTIONS["coiffeur"].values())
    for values in itertools.islice(choices, examples(16, 3)):
        options = dict(zip(OPTIONS["coiffeur"], values, strict=True))
        rng = random.Random(repr(values))
        met |= check_match("coiffeur", options, rng, views=False)
    if QUICK:
        return
    assert met >= {*CONTRACTS, *(f"factor {factor}" for factor in range(1, 11))}
    assert met >= {"pushed", "may not push", "only push", "match", "match of the others", "2 win"}
    assert not met & {"weis", "stoeck"}


@pytest.mark.parametrize("name", ["schieber", "coiffeur"])
def test_views_agree_with_the_reference_at_every_step(name: str) -> None:
    """Views of each seat and of a spectator."""
    rng = random.Random(f"views {name}")
    for _ in range(examples(2, 1)):
        options = random_options(name, rng)
        options.update({"rounds": 4, "weis": "on"} if name == "schieber" else {})
        check_match(name, options, rng, views=True)


def likely_hand(rng: random.Random) -> list[str]:
    """Nine cards with many of few ranks and of few suits."""
    ranks, suits = rng.sample("9TJQKA", 2), rng.sample("CDHS", 2)
    pack = reference.pack(4)
    rng.shuffle(pack)
    likely = [card for card in pack if card[0] in ranks or card[1] in suits]
    return likely[: rng.choice((9, 9, 11, 14))][-9:]


def test_melds_agree_with_the_reference_on_random_hands__SC3() -> None:
    """Under every contract the same melds are found, none better than the one before it."""
    rng = random.Random(33)
    met: set[int] = set()
    contracts = (*reference_contracts.PLAIN, *reference_contracts.SLALOM)
    for number in range(examples(200, 80)):
        contract = contracts[number % len(contracts)]
        hand = likely_hand(rng)
        left = [card for card in reference.pack(4) if card not in hand]
        rng.shuffle(left)
        hands = [hand, left[:9], left[9:18], left[18:]]
        match = contract_builders.schieber(hands, contract, slalom="on")
        found = match.view(0)["melds"]
        expected = reference_contracts.melds(hand, contract)
        assert contract_builders.meld_groups(found) == contract_builders.meld_groups(
            reference_contracts.written(expected)
        ), (contract, hand)
        keys = [reference_contracts.better_by(tuple(meld["cards"]), contract) for meld in found]
        assert keys == sorted(keys, reverse=True)
        met.add(len(found))
    assert met >= {0, 1, 2}


def test_the_reference_plays_whole_matches_to_their_end() -> None:
    """Matches end with two or four winners, and every complete round totals 157 or 257."""
    rng = random.Random(8)
    for name in ("schieber", "coiffeur"):
        for _ in range(examples(4, 1)):
            table = reference_contracts.GAMES[name]({**random_options(name, rng), "dealer": 0})
            while not table.winners:
                if table.round is None:
                    table.shuffle(random_pack(rng))
                table.act(choose(table.legal(), 3, rng))
            assert isinstance(table, Schieber | Coiffeur)
            assert len(table.winners) in {2, 4}
            for result in table.rounds[:-1]:
                counted = sum(result["points"][:2]) - sum(result["weis"][:2])
                assert counted - sum(result["stoeck"][:2]) in {157, 257}
