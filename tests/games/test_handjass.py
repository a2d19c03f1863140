"""JS: Handjass, without the Weis (JS7), which `test_weis` proves.

Seats are named by number; unless a test says otherwise the last seat deals, so that seat 0 is
forehand. `play_alone` is a quick way to strokes: a player left alone writes two.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from typing import Any

import pytest

import jasstisch as jt
from tests.games.test_undertrump import SCENES
from tests.rules import match_builders, reference, scored_rounds
from tests.rules.match_builders import Place, cards, jass, jass_pack, play, say_all


def readers(match: jt.Match) -> list[int | None]:
    """A spectator and all seats."""
    return [None, *range(match.game.players)]


def public(match: jt.Match, key: str) -> Any:
    """The value of a key, checked to be the same for every reader."""
    values = [match.view(reader)[key] for reader in readers(match)]
    assert all(value == values[0] for value in values), f"{key} differs: {values}"
    return values[0]


def cards_of(match: jt.Match, seat: int) -> set[str]:
    """The cards a seat may play, whatever else it may do."""
    plays = [action for action in match.legal(seat) if action.startswith("play ")]
    return {action.split()[1] for action in plays}


def shuffled_pack(seed: int = 1) -> list[str]:
    """A whole pack in random order."""
    pack = reference.pack(4)
    random.Random(seed).shuffle(pack)
    return pack


def play_alone(match: jt.Match, winner: int) -> None:
    """Plays a round in which every other seat drops: this one writes two strokes (JS6)."""
    done = len(match.rounds)
    match.deal(match.pack)
    while len(match.rounds) == done:
        (seat,) = match.to_act
        match.act(seat, "stay" if seat == winner else "drop")
    assert match.rounds[-1]["marks"][winner] == "||"


def fresh(players: int = 4, dealer: int | None = None, **options: Any) -> jt.Match:
    """A match before its first deal; the last seat deals."""
    dealer = players - 1 if dealer is None else dealer
    return jt.Match(jt.game("jass", players=players, dealer=dealer, **options))


def finish_plays(match: jt.Match, seed: int = 5) -> dict[str, Any]:
    """Plays the round to its end with random cards and no Weis; returns the round."""
    rng = random.Random(seed)
    done = len(match.rounds)
    while len(match.rounds) == done:
        (seat,) = match.to_act
        match.act(seat, "play " + rng.choice(sorted(cards_of(match, seat))))
    result: dict[str, Any] = match.rounds[-1]
    return result


def tricks_worth(result: Mapping[str, Any], players: int) -> list[int]:
    """The points of the tricks and the last trick, by the reference."""
    points = [0] * players
    for trick in result["tricks"]:
        points[trick["winner"]] += sum(
            reference.value(card, result["trump"]) for card in trick["cards"]
        )
    if result["tricks"]:
        points[result["tricks"][-1]["winner"]] += 5
    return points


# JS1: players; JS2: what may be played.


def test_two_to_four_players_are_allowed__JS1() -> None:
    """Two, three or four players, four by default; no other number."""
    assert jt.game("jass").players == 4
    for players in (2, 3, 4):
        assert jt.game("jass", players=players).players == players
    for players in (0, 1, 5, 6):
        with pytest.raises(jt.GameError, match="players"):
            jt.game("jass", players=players)


def test_every_player_scores_alone__JS1() -> None:
    """Each seat has its own points, mark and slate."""
    match = fresh()
    match_builders.finish_round(match, random.Random(1))
    assert len(match.rounds[0]["points"]) == len(match.rounds[0]["marks"]) == 4
    assert len(match.standing) == 4


def test_a_round_of_four_hands_totals_157__JS1_C3() -> None:
    """When all four play, tricks and last trick come to 157."""
    for seed in range(5):
        match = fresh()
        match.deal(shuffled_pack(seed))
        say_all(match, "stay stay stay stay")
        result = finish_plays(match)
        assert sum(result["points"]) - sum(result["stoeck"]) == 157


@pytest.mark.parametrize(
    ("players", "say", "out"),
    [
        (3, "stay stay stay", range(27, 36)),
        (3, "stay blind stay", [*range(3, 6), *range(12, 15), *range(21, 24)]),
        (2, "stay stay", range(18, 36)),
        (4, "stay drop stay stay", [*range(3, 6), *range(15, 18), *range(27, 30)]),
    ],
)
def test_cards_out_of_play_are_missing_from_the_total__JS1(
    players: int, say: str, out: Any
) -> None:
    """A round with fewer cards in play is worth 157 less the cards that lie aside."""
    pack = shuffled_pack(3)
    match = fresh(players)
    match.deal(pack)
    trump = match.trump
    say_all(match, say)
    result = finish_plays(match)
    aside = sum(reference.value(pack[number], trump) for number in out)
    assert aside > 0
    assert sum(result["points"]) - sum(result["stoeck"]) == 157 - aside


@pytest.mark.parametrize("undertrump", ["strict", "forced"])
@pytest.mark.parametrize("scene", SCENES)
def test_undertrumping_over_a_ruff__JS2_C9(scene: str, undertrump: str) -> None:
    """Over a ruff exactly the cards are legal that C9 allows with this value of `undertrump`."""
    hand, allowed = SCENES[scene]
    turned = next(card for card in cards("9A67H") if card not in cards(hand))
    match = ruffed(turned, hand, undertrump=undertrump)
    assert cards_of(match, 2) == set(cards(allowed[undertrump]))
    for card in sorted(set(match.hand(2)) - cards_of(match, 2)):
        assert match_builders.refused(match, 2, f"play {card}").clause.startswith("C")


def ruffed(turned: str, hand: str, **options: Any) -> jt.Match:
    """Seat 0 led AC, seat 1 ruffed with QH, and seat 2 is to play this hand; hearts are trumps."""
    wanted = match_builders.deal({0: "AC", 1: "QH", 2: hand, 3: turned}, void={1: "C"})
    wanted[3] = [card for card in wanted[3] if card != turned] + [turned]
    match = fresh(**options)
    match.deal(match_builders.packed(wanted, 3))
    say_all(match, "stay stay stay stay")
    assert match.trump == "H"
    play(match, "AC QH")
    return match


def trumps_only(hand: str, undertrump: str) -> jt.Match:
    """Seat 2 has these five trumps only, when a club has been ruffed with QH."""
    wanted: dict[Place, str] = {
        0: "AKQC AKD 6789S",
        1: "67C 68D QH TJQKS",
        2: f"T9C 79D {hand}",
    }
    match = jass("9H", wanted, 3, undertrump=undertrump)
    play(match, "AC 6C TC KC 7C 9C AD 6D 7D KD 8D 9D QC QH")
    assert sorted(match.hand(2)) == sorted(cards(hand))
    return match


@pytest.mark.parametrize(
    ("hand", "forced"),
    [("678TKH", "KH"), ("78TKJH", "KJH"), ("678TJH", "JH"), ("KAJH 67H", "KAJH")],
)
def test_a_hand_of_trumps_only_may_undertrump_unless_forced__JS2_C9(hand: str, forced: str) -> None:
    """By `strict` any of them may be played; by `forced` a higher one, even the Bur, if held."""
    assert cards_of(trumps_only(hand, "strict"), 2) == set(cards(hand))
    assert cards_of(trumps_only(hand, "forced"), 2) == set(cards(forced))


def test_undertrump_is_strict_by_default__JS2() -> None:
    """A player with nothing but trumps may go below; with a plain card they may not."""
    assert jt.game("jass").options["undertrump"] == "strict"
    match = ruffed("9H", "678H KH 6789S 6D")
    assert match_builders.refused(match, 2, "play 6H").clause == "C9"


@pytest.mark.parametrize("undertrump", ["strict", "forced"])
def test_the_bur_is_never_forced_by_a_trump_lead__JS2_C8c(undertrump: str) -> None:
    """A player whose only trump is the Bur may play any card when trump is led."""
    wanted: dict[Place, str] = {0: "QH", 1: "JH 6789TS 67D 8C", 2: "9H", 3: "AKH"}
    match = jass("AH", wanted, undertrump=undertrump)
    play(match, "QH")
    assert cards_of(match, 1) == set(cards("JH 6789TS 67D 8C"))


def test_dropped_and_safe_players_are_out_of_the_round__JS4_JS10() -> None:
    """A dropped player is back with the next deal, a safe one stays out."""
    match = fresh(target=5)
    assert [match.is_out_of_round(seat) for seat in range(4)] == [False] * 4
    for _ in range(3):
        play_alone(match, 0)
    assert [match.is_out_of_round(seat) for seat in range(4)] == [False] * 4
    match.deal(match.pack)
    assert match.standing[0]["safe"]
    assert [match.is_out_of_round(seat) for seat in range(4)] == [True, False, False, False]
    (dropped,) = match.to_act
    match.act(dropped, "drop")
    say_all(match, "stay")
    assert [seat for seat in range(4) if match.is_out_of_round(seat)] == sorted([0, dropped])


# JS3: deal and trump.


def test_deal_and_trump_with_four_in_the_match__JS3() -> None:
    """Three packets of three; the last card is shown, makes trump, and is the dealer's."""
    pack = shuffled_pack()
    match = fresh(dealer=1)
    match.deal(pack)
    for turn, seat in enumerate((2, 3, 0, 1)):
        expected = [pack[12 * packet + 3 * turn + card] for packet in range(3) for card in range(3)]
        assert sorted(match.hand(seat)) == sorted(expected)
    assert public(match, "shown") == pack[35]
    assert public(match, "trump") == match.trump == pack[35][1]
    assert pack[35] in match.hand(1)
    assert public(match, "turned") is None
    assert public(match, "blind_open") is False


def test_deal_and_trump_with_three_in_the_match__JS3() -> None:
    """Cards 28 to 36 are the blind; card 28 is turned and makes trump."""
    pack = shuffled_pack()
    match = fresh(3, dealer=1)
    match.deal(pack)
    for turn, seat in enumerate((2, 0, 1)):
        expected = [pack[9 * packet + 3 * turn + card] for packet in range(3) for card in range(3)]
        assert sorted(match.hand(seat)) == sorted(expected)
    assert public(match, "shown") == public(match, "turned") == pack[27]
    assert public(match, "trump") == match.trump == pack[27][1]
    assert public(match, "blind_open") is True
    match.act(2, "blind")
    assert sorted(match.hand(2)) == sorted(pack[27:])


def test_deal_and_trump_with_two_in_the_match__JS3() -> None:
    """Cards 19 to 27 are the blind, 28 to 36 a dead hand; card 28 is turned and makes trump."""
    pack = shuffled_pack()
    match = fresh(2)
    match.deal(pack)
    for turn, seat in enumerate((0, 1)):
        expected = [pack[6 * packet + 3 * turn + card] for packet in range(3) for card in range(3)]
        assert sorted(match.hand(seat)) == sorted(expected)
    assert public(match, "shown") == public(match, "turned") == pack[27]
    assert public(match, "trump") == match.trump == pack[27][1]
    match.act(0, "blind")
    assert sorted(match.hand(0)) == sorted(pack[18:27])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_deal_passes_to_the_next_seat__JS3(players: int) -> None:
    """While everybody is in the match each round has the next seat as dealer."""
    match = fresh(players, target=9)
    for number in range(4):
        play_alone(match, number % 2)
    assert [result["dealer"] for result in match.rounds] == [
        (players - 1 + number) % players for number in range(4)
    ]


@pytest.mark.parametrize(
    ("safe", "dealer", "forehand"),
    [
        (0, 2, 3),  # somebody else: the deal goes on
        (1, 2, 3),  # the dealer
        (2, 3, 0),  # the next dealer is skipped
        (3, 2, 0),  # the next forehand is skipped
    ],
)
def test_the_deal_skips_safe_players__JS3(safe: int, dealer: int, forehand: int) -> None:
    """After seat 1 dealt, the next seat still in the match deals, the one after it leads."""
    match = fresh(target=5)
    for _ in range(3):
        play_alone(match, safe)
    assert match.rounds[-1]["dealer"] == 1
    assert public(match, "dealer") == dealer
    pack = shuffled_pack()
    match.deal(pack)
    assert match.to_act == (forehand,)
    assert sorted(match.hand(forehand)) == sorted(pack[0:3] + pack[9:12] + pack[18:21])
    assert match.hand(safe) == []


def test_the_deal_adapts_as_players_become_safe__JS3_JS10() -> None:
    """When one of four is safe three play with a blind; when two are, two with a dead hand."""
    match = fresh(target=5)
    for _ in range(3):
        play_alone(match, 1)
    pack = shuffled_pack()
    match.deal(pack)
    assert public(match, "shown") == public(match, "turned") == pack[27]
    assert public(match, "hand_sizes") == [9, 0, 9, 9]
    assert public(match, "playing") == [0, 2, 3]
    say_all(match, "blind")
    assert sorted(match.hand(3)) == sorted(pack[27:])
    say_all(match, "drop drop")
    for _ in range(2):
        play_alone(match, 3)
    assert [entry["safe"] for entry in match.standing] == [False, True, False, True]
    match.deal(pack)
    assert public(match, "hand_sizes") == [9, 0, 9, 0]
    assert public(match, "shown") == public(match, "turned") == pack[27]
    (seat,) = match.to_act
    match.act(seat, "blind")
    assert sorted(match.hand(seat)) == sorted(pack[18:27])
    assert public(match, "turned") == pack[27]


def test_trump_stays_when_the_dealer_drops__JS3() -> None:
    """The shown card makes trump though it lies aside with the dealer's hand."""
    match = jass("9H", say="stay stay stay drop")
    assert match.trump == "H"
    assert public(match, "shown") == "9H"
    assert public(match, "turned") is None
    assert match.hand(3) == []
    assert finish_plays(match)["trump"] == "H"


# JS4: stay, drop or take the blind.


def test_players_answer_in_turn_from_forehand__JS4() -> None:
    """Forehand speaks first, the dealer last; then forehand leads."""
    match = fresh(dealer=1)
    match.deal(shuffled_pack())
    assert match.view(None)["phase"] == "answer"
    for seat in (2, 3, 0, 1):
        assert match.to_act == (seat,)
        for other in range(4):
            expected = ["stay", "drop"] if other == seat else []
            assert list(match.legal(other)) == expected
        assert public(match, "said")[seat] is None
        match.act(seat, "stay")
        assert public(match, "said")[seat] == "stay"
    assert match.view(None)["phase"] == "play"
    assert match.to_act == (2,)
    assert public(match, "playing") == [0, 1, 2, 3]


def test_answers_out_of_turn_are_refused__JS4() -> None:
    """Only the seat that is asked answers."""
    match = fresh()
    match.deal(shuffled_pack())
    match.act(0, "stay")
    for seat in (0, 2, 3):
        assert match_builders.refused(match, seat, "stay").reason == "turn"


@pytest.mark.parametrize("action", ["play 6C", "rob", "6C weis", "pass", "bid 42", "", "blind"])
def test_other_actions_are_refused_while_an_answer_is_due__JS4(action: str) -> None:
    """The error lists the answers that are legal."""
    match = fresh()
    match.deal(match.pack)
    error = match_builders.refused(match, 0, action)
    assert error.clause == "JS4"
    assert error.reason == ("blind" if action == "blind" else "answer")
    assert list(error.legal) == ["stay", "drop"]
    assert "stay" in str(error)
    assert "drop" in str(error)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_answers_and_the_rob_are_listed_besides_the_cards__JS4_JS5(players: int) -> None:
    game = jt.game("jass", players=players)
    assert game.rules(game).other_actions() == ("stay", "drop", "blind", "rob")


@pytest.mark.parametrize("action", ["stay", "drop", "blind"])
def test_answers_are_refused_once_the_cards_are_played__JS4(action: str) -> None:
    """While cards are played nobody may still drop or take the blind."""
    match = jass("9H", players=3)
    assert public(match, "blind_open") is False
    assert match_builders.refused(match, 0, action).legal == match.legal(0)
    assert "blind" not in match.legal(0)


def test_no_blind_with_four__JS4() -> None:
    """With four in the match nobody may say `blind`, dropped hands do not make one."""
    match = fresh()
    match.deal(shuffled_pack())
    match.act(0, "drop")
    assert list(match.legal(1)) == ["stay", "drop"]
    assert match_builders.refused(match, 1, "blind").reason == "blind"
    assert public(match, "blind_open") is False


@pytest.mark.parametrize("players", [2, 3])
def test_the_blind_is_offered_until_it_is_taken__JS4(players: int) -> None:
    """The player asked may take the blind; once one has, the others may not."""
    for taker in range(players):
        match = fresh(players)
        match.deal(shuffled_pack())
        for seat in range(players):
            open_still = seat <= taker
            assert public(match, "blind_open") is open_still
            expected = ["stay", "drop", "blind"] if open_still else ["stay", "drop"]
            assert list(match.legal(seat)) == expected
            if not open_still:
                error = match_builders.refused(match, seat, "blind")
                assert (error.clause, error.reason) == ("JS4", "blind")
            match.act(seat, "blind" if seat == taker else "stay")
        assert public(match, "blind") == taker
        assert public(match, "blind_open") is False
        assert public(match, "said")[taker] == "blind"
        assert public(match, "playing") == list(range(players))
        assert match.to_act == (0,)


def test_the_others_may_drop_after_the_blind_is_taken__JS4() -> None:
    """Once the blind is taken the others still say stay or drop."""
    match = jass("9H", players=3, say="blind drop stay")
    assert public(match, "said") == ["blind", "drop", "stay"]
    assert public(match, "playing") == [0, 2]
    match = jass("9H", players=3, say="drop blind drop")
    assert match.rounds[0]["marks"] == ["-", "||", "-"]
    assert match.rounds[0]["blind"] == 1
    assert match.rounds[0]["playing"] == [1]


def test_the_turned_card_goes_with_the_blind__JS4() -> None:
    """Three in the match: the taker gets the turned card, too; nothing lies there."""
    match = jass("9H", players=3, say="stay blind stay")
    assert "9H" in match.hand(1)
    assert public(match, "turned") is None
    assert public(match, "shown") == "9H"
    assert match.trump == "H"


def test_the_turned_card_of_the_dead_hand_stays__JS4() -> None:
    """Two in the match: whoever takes the blind, the turned card lies on the table."""
    match = jass("9H", players=2, say="blind stay")
    assert "9H" not in match.hand(0)
    assert public(match, "turned") == "9H"


@pytest.mark.parametrize(("players", "say"), [(2, "drop"), (3, "drop drop"), (4, "drop drop drop")])
def test_the_last_player_is_not_asked_when_all_before_dropped__JS4(players: int, say: str) -> None:
    """That player plays without a decision, and without the blind."""
    match = jass("9H", players=players, say=say)
    assert len(match.rounds) == 1
    assert match.record()["log"][-1] == [players - 2, "drop"]
    assert match.rounds[0]["playing"] == [players - 1]
    assert match.rounds[0]["blind"] is None


def test_the_last_player_is_asked_when_somebody_plays__JS4() -> None:
    """If an earlier seat plays, the last one may drop, too."""
    for say in ("stay drop drop", "drop stay drop", "drop drop stay"):
        match = jass("9H", say=say)
        assert match.to_act == (3,)
        assert list(match.legal(3)) == ["stay", "drop"]
        match.act(3, "drop")
        assert match.rounds[0]["marks"][3] == "-"


def test_a_dropped_player_is_out_of_the_round__JS4() -> None:
    """A dropped seat holds no cards, is passed over, and has no points."""
    match = jass("9H", say="stay drop stay stay")
    assert public(match, "hand_sizes") == [9, 0, 9, 9]
    assert public(match, "said") == ["stay", "drop", "stay", "stay"]
    turns = []
    while not match.rounds:
        (seat,) = match.to_act
        turns.append(seat)
        match.act(seat, next(iter(sorted(match.legal(seat)))))
    assert len(turns) == 27
    assert set(turns) == {0, 2, 3}
    assert turns[:3] == [0, 2, 3]
    result = match.rounds[0]
    assert (result["points"][1], result["marks"][1]) == (0, "-")
    assert result["playing"] == [0, 2, 3]
    assert all(len(trick["cards"]) == 3 for trick in result["tricks"])


@pytest.mark.parametrize(
    ("players", "say", "seat"),
    [(4, "drop stay stay stay", 0), (3, "blind stay stay", 0), (3, "stay drop stay", 1)],
)
def test_hands_laid_away_are_never_shown__JS4(players: int, say: str, seat: int) -> None:
    """A dropped hand, and one exchanged for the blind, is in no view but its owner's, ever."""
    match = fresh(players)
    match.deal(shuffled_pack(4))
    away = list(match.hand(seat))
    secret = set(away) - {match.view(None)["shown"]}
    say_all(match, say)
    rng = random.Random(4)
    while True:
        for reader in readers(match):
            text = json.dumps(match.view(reader))
            if reader != seat:
                assert not [card for card in secret if f'"{card}"' in text]
        laid = [match.view(reader)["laid_away"] for reader in readers(match)]
        assert laid == [
            None,
            *(
                sorted_cards(away) if other == seat and not match.rounds else []
                for other in range(players)
            ),
        ]
        if match.rounds:
            break
        match_builders.step(match, rng)


def sorted_cards(hand: list[str]) -> list[str]:
    """The cards in the order of a hand."""
    return sorted(hand, key=reference.pack(4).index)


def test_the_blind_is_never_shown_unless_taken__JS4() -> None:
    """The cards under the turned card stay hidden, those of the dead hand too."""
    for players, hidden in ((3, range(28, 36)), (2, [*range(18, 27), *range(28, 36)])):
        pack = jass_pack("9H", {"blind": "6H"}, range(players)).split()  # so that nobody robs
        match = fresh(players)
        match.deal(pack)
        rng = random.Random(6)
        say_all(match, "stay " * players)
        while not match.rounds:
            for reader in readers(match):
                text = json.dumps(match.view(reader))
                assert not [pack[n] for n in hidden if f'"{pack[n]}"' in text]
            match_builders.step(match, rng)
        assert not [pack[n] for n in hidden if f'"{pack[n]}"' in json.dumps(match.view(0))]


# JS5: robbing.


ROBBER: Mapping[Place, str] = {1: "6KH"}


@pytest.mark.parametrize("players", [2, 3])
def test_the_six_robs_the_turned_card__JS5(players: int) -> None:
    """The holder of the six takes the turned card and leaves the six; all see who robbed."""
    match = jass("9H", ROBBER, players)
    assert public(match, "robbed") is None
    first = match.legal(0)[0]
    assert "rob" not in match.legal(0)
    match.act(0, first)
    assert list(match.legal(1))[-1] == "rob"
    match.act(1, "rob")
    assert match.to_act == (1,)
    assert "9H" in match.hand(1)
    assert "6H" not in match.hand(1)
    assert len(match.hand(1)) == 9
    assert public(match, "turned") == "6H"
    assert public(match, "shown") == "9H"
    assert public(match, "robbed") == 1
    assert [match.describe_last_action(reader) for reader in readers(match)] == ["rob"] * (
        players + 1
    )
    assert "rob" not in match.legal(1)
    assert match_builders.refused(match, 1, "rob").reason == "rob"
    assert finish_plays(match)["robbed"] == 1


def test_rob_is_listed_after_the_cards__JS5() -> None:
    """The legal list holds the plays in hand order, those with Weis, then `rob`."""
    match = jass("9H", {0: "6KH 678S"}, 3)
    hand = match.hand(0)
    expected = [f"play {card}" for card in hand] + [f"play {card} weis" for card in hand]
    assert list(match.legal(0)) == [*expected, "rob"]


def test_only_the_holder_of_the_six_robs__JS5() -> None:
    """Without the six of trumps robbing is refused, with another six too."""
    match = jass("9H", {0: "6C 6D 6S", 1: "6H"}, 3)
    error = match_builders.refused(match, 0, "rob")
    assert (error.clause, error.reason) == ("JS5", "rob")
    assert "rob" not in match.legal(0)


def test_robbing_out_of_turn_is_refused__JS5() -> None:
    """The holder of the six waits until it is their turn to play their first card."""
    match = jass("9H", {2: "6H"}, 3)
    assert match_builders.refused(match, 2, "rob").reason == "turn"


def test_robbing_after_the_first_card_is_refused__JS5() -> None:
    """A player who has played a card cannot rob, in any trick."""
    match = jass("9H", {0: "6AH AC", 1: "6789TC"}, 3)
    assert "rob" in match.legal(0)
    play(match, ["AC"])
    match_builders.step(match, random.Random(1))
    match_builders.step(match, random.Random(1))
    while not match.rounds:
        (seat,) = match.to_act
        if seat == 0:
            assert "6H" not in match.hand(0) or "rob" not in match.legal(0)
            assert match_builders.refused(match, 0, "rob").clause == "JS5"
        match.act(seat, max(match.legal(seat)))


def test_robbing_while_answers_are_given_is_refused__JS5() -> None:
    """Robbing waits for the play, also for a turned card that will stay."""
    match = fresh(2)
    match.deal(jass_pack("9H", {0: "6H"}, (0, 1)))
    assert match_builders.refused(match, 0, "rob").reason == "answer"


def test_no_robbing_with_four__JS5() -> None:
    """With four in the match the turned card is the dealer's and cannot be robbed."""
    match = jass("9H", {0: "6H"})
    assert "rob" not in match.legal(0)
    error = match_builders.refused(match, 0, "rob")
    assert (error.clause, error.reason) == ("JS5", "rob")


@pytest.mark.parametrize("say", ["blind stay stay", "stay stay blind", "drop blind stay"])
def test_no_robbing_once_the_blind_is_taken__JS5(say: str) -> None:
    """Three in the match: the turned card has gone into the taker's hand."""
    robber = 0 if say.startswith("stay") else 2
    match = jass("9H", {robber: "6H"}, 3, say=say)
    while match.to_act != (robber,):
        match_builders.step(match, random.Random(1))
    assert "rob" not in match.legal(robber)
    assert match_builders.refused(match, robber, "rob").reason == "rob"


@pytest.mark.parametrize("say", ["blind stay", "stay blind"])
def test_the_turned_card_of_the_dead_hand_can_be_robbed_after_the_blind_is_taken__JS5(
    say: str,
) -> None:
    """Two in the match: the turned card still lies there, even if somebody took the blind."""
    taker = say.split().index("blind")
    places: list[Place] = ["blind", 1 - taker]
    for place in places:
        match = jass("9H", {place: "6H"}, 2, say=say)
        robber = taker if place == "blind" else 1 - taker
        if robber == 1:
            match.act(0, match.legal(0)[0])
        match.act(robber, "rob")
        assert "9H" in match.hand(robber)
        assert public(match, "turned") == "6H"
        assert public(match, "robbed") == robber


def test_a_player_who_laid_the_six_away_cannot_rob__JS5() -> None:
    """The six went with the hand when the player took the blind."""
    match = jass("9H", {0: "6H"}, 2, say="blind stay")
    assert "rob" not in match.legal(0)


def test_stoeck_counts_on_the_hand_after_robbing__JS5_JS8() -> None:
    """King and queen of trumps are together only by the robbery: they score."""
    match = jass("KH", {0: "6QH", 1: "7H"}, 3)
    match.act(0, "rob")
    play(match, ["KH"])
    for _ in range(2):
        match.act(match.to_act[0], match.legal(match.to_act[0])[0])
    assert finish_plays(match)["stoeck"] == [20, 0, 0]


def test_weis_counts_on_the_hand_after_robbing__JS5_JS7() -> None:
    """A run that the robbed card completes may be announced, one that the six took away not."""
    match = jass("TH", {0: "68JH QH"}, 3)
    assert match.view(0)["melds"] == []
    assert not any(action.endswith("weis") for action in match.legal(0))
    match.act(0, "rob")
    assert match.view(0)["melds"] == [{"cards": ["TH", "JH", "QH"], "points": 20}]
    play(match, ["TH weis"])
    match = jass("AH", {0: "678H"}, 3)
    assert match.view(0)["melds"] == [{"cards": ["6H", "7H", "8H"], "points": 20}]
    match.act(0, "rob")
    assert match.view(0)["melds"] == []
    assert match_builders.refused(match, 0, "play 7H weis").reason == "weis"


def test_the_robber_may_play_the_robbed_card__JS5() -> None:
    """The legal cards change with the hand after robbing."""
    match = jass("9H", {0: "AH", 1: "6H 789TJC 89TD", 2: "KH"}, 3)
    play(match, "AH")
    assert cards_of(match, 1) == {"6H"}
    match.act(1, "rob")
    assert cards_of(match, 1) == {"9H"}
    assert match_builders.refused(match, 1, "play 6H").reason == "not_held"


# JS6: alone, and the first lead.


@pytest.mark.parametrize("winner", [0, 1, 2, 3])
def test_a_player_left_alone_writes_two_strokes__JS6(winner: int) -> None:
    """Without play they write two strokes; all have no points and the others write nothing."""
    match = fresh()
    play_alone(match, winner)
    result = match.rounds[0]
    assert result["points"] == [0, 0, 0, 0]
    assert result["marks"] == ["||" if seat == winner else "-" for seat in range(4)]
    assert result["tricks"] == []
    assert result["playing"] == [winner]
    assert result["weis"] == result["stoeck"] == [0, 0, 0, 0]
    assert [entry["strokes"] for entry in match.standing] == [
        "||" if seat == winner else "" for seat in range(4)
    ]
    assert match.needs_pack


def test_a_player_left_alone_scores_no_weis_and_no_stoeck__JS6() -> None:
    """King and queen of trumps and a run bring nothing when there is no play."""
    match = jass("9H", {3: "KQH 678S"}, say="drop drop drop")
    assert match.rounds[0]["points"] == [0, 0, 0, 0]
    assert match.rounds[0]["stoeck"] == match.rounds[0]["weis"] == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("say", "leader"),
    [
        ("stay stay stay stay", 0),
        ("drop stay stay stay", 1),
        ("drop drop stay stay", 2),
        ("stay drop drop stay", 0),
    ],
)
def test_the_first_seat_that_has_not_dropped_leads__JS6(say: str, leader: int) -> None:
    """Forehand leads, or the next seat that has not dropped."""
    match = jass("9H", say=say)
    assert match.to_act == (leader,)
    assert finish_plays(match)["tricks"][0]["leader"] == leader


# JS8: Stöck.


def stoeck_of(match: jt.Match) -> list[int]:
    """The points for king and queen of trumps so far."""
    found: list[int] = public(match, "stoeck")
    return found


@pytest.mark.parametrize("first", ["K", "Q"])
def test_stoeck_is_scored_when_the_second_card_is_played__JS8(first: str) -> None:
    """The first of the two brings nothing yet; the second brings 20, without a word."""
    second = "Q" if first == "K" else "K"
    match = jass("7H", {0: "KQAH"}, 3)
    assert stoeck_of(match) == [0, 0, 0]
    play(match, [f"{first}H"])
    assert stoeck_of(match) == [0, 0, 0]
    result = None
    while result is None:
        (seat,) = match.to_act
        if seat == 0 and f"{second}H" in cards_of(match, 0):
            before = match.view(0)["points"][0]
            match.act(0, f"play {second}H")
            if not match.rounds:
                assert stoeck_of(match) == [20, 0, 0]
                if match.trick:
                    assert match.view(0)["points"][0] == before + 20
            result = finish_plays(match) if not match.rounds else match.rounds[0]
        else:
            match.act(seat, min(match.legal(seat)))
    assert result["stoeck"] == [20, 0, 0]
    assert result["points"][0] == tricks_worth(result, 3)[0] + 20


def test_king_and_queen_in_two_hands_are_no_stoeck__JS8() -> None:
    """A player who plays only one of the two has nothing, even if they take the other."""
    match = jass("7H", {0: "KH", 1: "QH"}, 3)
    assert finish_plays(match)["stoeck"] == [0, 0, 0]


def test_king_and_queen_of_another_suit_are_no_stoeck__JS8() -> None:
    """Only those of trumps count."""
    match = jass("7H", {0: "KQC KQD KQS"}, 3)
    assert finish_plays(match)["stoeck"] == [0, 0, 0]


def test_the_cards_of_stoeck_may_be_in_a_meld_too__JS8() -> None:
    """They count in a run that was announced and again as Stöck."""
    match = jass("7H", {0: "JQKH"}, 3)
    play(match, ["QH weis"])
    result = finish_plays(match)
    assert result["weis"] == [20, 0, 0]
    assert result["stoeck"] == [20, 0, 0]
    assert result["points"][0] == tricks_worth(result, 3)[0] + 40


def test_a_dropped_or_laid_away_stoeck_is_lost__JS8() -> None:
    """Only the player of both cards scores them; those of the blind count for its taker."""
    match = jass("7H", {1: "KQH"}, say="stay drop stay stay")
    assert finish_plays(match)["stoeck"] == [0, 0, 0, 0]
    match = jass("7H", {1: "KQH"}, 3, say="stay blind stay")
    assert finish_plays(match)["stoeck"] == [0, 0, 0]
    match = jass("7H", {"blind": "KQH"}, 3, say="stay blind stay")
    assert finish_plays(match)["stoeck"] == [0, 20, 0]


# JS9: points and marks.


VECTORS = [
    ((60, 40, 40), "| - -", "| | |"),
    ((45, 45, 45), "- - -", "| | |"),
    ((60, 60, 20), "| | 0", "| | 0"),
    ((100, 20, 10), "|| 0 0", "|| 0 0"),
    ((80, 60), "| -", "| -"),
    ((80, 20), "|| 0", "|| 0"),
    ((50, 50), "| |", "| |"),
    ((20, 20), "0 0", "0 0"),
    ((20, 21), "0 ||", "0 ||"),
    ((40, 60, 21), "| | -", "| | -"),
    ((20, 60, 60), "0 | |", "0 | |"),
    ((40, 70, 20), "| | 0", "| | 0"),
    ((20, 20, 19), "0 0 0", "0 0 0"),
    ((60, 40, 37, 20), "| | - 0", "| | - 0"),
    ((50, 36, 36, 35), "| - - -", "| | | -"),
    ((79, 39, 39, 0), "| - - 0", "| | | 0"),
    ((40, 39, 39, 39), "| - - -", "| | | |"),
    ((45, 46, 46, 20), "- | | 0", "- | | 0"),
    ((45, 45, 45, 22), "- - - -", "| | | -"),
    ((100, 20, 20, 17), "|| 0 0 0", "|| 0 0 0"),
    ((20, 116, 21, 0), "0 | | 0", "0 | | 0"),
    ((21, 115, 21, 0), "- | - 0", "| | | 0"),
]


@pytest.mark.parametrize("ties", ["nothing", "generous"])
@pytest.mark.parametrize(("points", "nothing", "generous"), VECTORS)
def test_marks_by_points__JS9(
    points: tuple[int, ...], nothing: str, generous: str, ties: str
) -> None:
    """Whole rounds with these points end with these marks."""
    match = scored_rounds.played_jass(points, ties=ties)
    result = match.rounds[0]
    assert tuple(result["points"]) == points
    assert " ".join(result["marks"]) == (nothing if ties == "nothing" else generous)
    assert [entry["strokes"] for entry in match.standing] == [
        mark.replace("-", "") for mark in result["marks"]
    ]


def test_ties_write_nothing_by_default__JS9_C11() -> None:
    """Players tied across the border write nothing unless the table is generous."""
    assert jt.game("jass").options["ties"] == "nothing"
    assert scored_rounds.played_jass((60, 40, 40)).rounds[0]["marks"] == ["|", "-", "-"]


@pytest.mark.parametrize(
    ("points", "marks"), [((80, 60), "| -"), ((80, 20), "|| 0"), ((50, 50), "| |")]
)
def test_marks_when_two_of_four_players_play__JS9(points: tuple[int, ...], marks: str) -> None:
    """If only two play it is as with two in the match, however many dropped."""
    found = scored_rounds.load("jass", points)
    pack = found["pack"].split()
    trump = pack[27]
    first = pack[0:3] + pack[6:9] + pack[12:15]
    second = pack[3:6] + pack[9:12] + pack[15:18]
    rest = [card for card in pack if card not in {*first, *second, trump}]
    hands = [rest[:9], first, second, [*rest[9:], trump]]
    match = fresh()
    match.deal(match_builders.packed(hands, 3))
    say_all(match, "drop stay stay drop")
    play(match, found["play"].split())
    assert match.rounds[0]["points"] == [0, *points, 0]
    assert " ".join(match.rounds[0]["marks"]) == f"- {marks} -"


def test_points_are_tricks_last_trick_weis_and_stoeck__JS9() -> None:
    """A round's points are the sum of all four, for every seat."""
    rng = random.Random(9)
    seen = 0
    for seed in range(30):
        match = fresh(3 + seed % 2)
        while not match.rounds:
            if match.needs_pack:
                match.deal(match_builders.shuffled(match, rng))
            elif match.view(None)["phase"] == "answer":
                match.act(match.to_act[0], "stay")
            else:
                (seat,) = match.to_act
                legal = list(match.legal(seat))
                weis = [action for action in legal if action.endswith("weis")]
                match.act(seat, rng.choice(weis or [a for a in legal if a != "rob"]))
        result = match.rounds[0]
        worth = tricks_worth(result, match.game.players)
        seen += any(result["weis"]) and any(result["stoeck"])
        assert result["points"] == [
            sum(parts) for parts in zip(worth, result["weis"], result["stoeck"], strict=True)
        ]
    assert seen


def test_running_points_include_weis__JS9() -> None:
    """Weis are in the running points, which everybody sees."""
    match = jass("7H", {0: "JQKH AC", 1: "6C", 2: "7C"}, 3)
    play(match, ["AC weis", "6C", "7C"])
    assert public(match, "points") == [31, 0, 0]
    assert public(match, "weis") == [20, 0, 0]


def test_weis_count_towards_the_21_points__JS9() -> None:
    """20 in Weis and one trick are enough not to write a null."""
    match = jass("7H", {0: "678S QC", 1: "AKD", 2: "AC"}, 3)
    play(match, ["QC weis"])
    result = finish_plays(match)
    for seat in range(3):
        assert (result["marks"][seat] == "0") == (result["points"][seat] < 21)
    assert result["points"][0] >= 20


def test_fewer_than_21_points_are_a_null__JS9() -> None:
    """20 points are a null, 21 are none."""
    assert scored_rounds.played_jass((20, 21)).rounds[0]["marks"] == ["0", "||"]
    assert scored_rounds.played_jass((40, 60, 21)).rounds[0]["marks"][2] == "-"


# JS10: crossing out, being safe, the end.


def play_scored(match: jt.Match, points: tuple[int, ...]) -> dict[str, Any]:
    """Plays a round in which forehand and the seats after it make these points."""
    found = scored_rounds.load("jass", points)
    match.deal(found["pack"])
    say_all(match, "stay " * len(points))
    play(match, found["play"].split())
    result: dict[str, Any] = match.rounds[-1]
    first = result["dealer"] + 1
    order = sorted(result["playing"], key=lambda seat: (seat - first) % match.game.players)
    assert [result["points"][seat] for seat in order] == list(points)
    return result


def strokes(match: jt.Match) -> list[str]:
    """The slate of each seat."""
    return [entry["strokes"] for entry in match.standing]


def test_a_stroke_crosses_the_open_null__JS10() -> None:
    """A stroke made while a null is open makes no stroke but crosses it out."""
    match = fresh(3)
    play_scored(match, (100, 20, 10))
    assert strokes(match) == ["||", "0", "0"]
    assert match.standing[1] == {"strokes": "0", "tallies": 0, "nulls": 1, "safe": False}
    play_scored(match, (60, 60, 20))  # seat 1 is forehand
    assert strokes(match) == ["||0", "Ø", "Ø"]
    assert match.standing[1] == {"strokes": "Ø", "tallies": 0, "nulls": 0, "safe": False}
    assert match.standing[0] == {"strokes": "||0", "tallies": 2, "nulls": 1, "safe": False}


def test_of_two_strokes_the_first_crosses_the_null__JS10() -> None:
    """Two strokes on one open null: it is crossed out, and one stroke is added."""
    match = fresh(3)
    play_scored(match, (100, 20, 10))
    play_alone(match, 1)
    assert strokes(match)[1] == "Ø|"
    assert match.standing[1]["tallies"] == 1


def test_the_oldest_null_is_crossed_first__JS10() -> None:
    """With two nulls open two strokes cross both; one crosses the older."""
    match = fresh(3)
    play_scored(match, (100, 20, 10))
    play_alone(match, 0)
    play_scored(match, (20, 60, 60))  # seat 2 is forehand
    assert strokes(match) == ["|||||", "Ø", "00"]
    play_alone(match, 2)
    assert strokes(match)[2] == "ØØ"


@pytest.mark.parametrize("target", [5, 7, 9])
def test_a_player_with_target_strokes_is_safe__JS10(target: int) -> None:
    """With `target` strokes a player is safe and not before; nulls do not count."""
    match = fresh(3, target=target)
    assert jt.game("jass").options["target"] == 7
    for number in range(1, target):
        play_alone(match, 1)
        assert match.standing[1]["tallies"] == 2 * number
        assert match.standing[1]["safe"] == (2 * number >= target)
        assert public(match, "standing") == match.standing
        if match.standing[1]["safe"]:
            break
    assert not match.over


def test_crossed_nulls_are_no_strokes__JS10() -> None:
    """Crossed-out nulls do not count towards the target, however long the slate."""
    match = fresh(3, target=5)
    play_scored(match, (100, 20, 10))
    play_alone(match, 0)
    play_scored(match, (20, 60, 60))  # seat 2 is forehand
    for _ in range(3):
        play_alone(match, 2)
    assert match.standing[2] == {"strokes": "ØØ||||", "tallies": 4, "nulls": 0, "safe": False}
    assert not match.over
    match = fresh(3, target=5)
    play_scored(match, (100, 20, 10))
    for number in range(3):
        assert not match.standing[1]["safe"], number
        play_alone(match, 1)
    assert strokes(match)[1] == "Ø|||||"
    assert match.standing[1] == {"strokes": "Ø|||||", "tallies": 5, "nulls": 0, "safe": True}


def test_a_player_with_an_open_null_can_be_safe__JS10() -> None:
    """The strokes alone count; a null written later stays open."""
    match = fresh(3, target=5)
    play_alone(match, 2)
    play_alone(match, 2)
    play_scored(match, (60, 60, 20))  # seat 2 is forehand: five strokes
    assert match.standing[2]["safe"]


def test_a_safe_player_leaves_the_match__JS10() -> None:
    """A safe seat is dealt nothing, asked nothing, and writes nothing more."""
    match = fresh(target=5)
    for _ in range(3):
        play_alone(match, 0)
    assert match.standing[0]["safe"]
    match.deal(shuffled_pack())
    assert public(match, "playing") == [1, 2, 3]
    assert public(match, "hand_sizes") == [0, 9, 9, 9]
    assert match.view(0)["hand"] == []
    assert match.view(0)["melds"] == []
    asked: list[int] = []
    for _ in range(3):
        asked += match.to_act
        assert match_builders.refused(match, 0, "stay").reason == "turn"
        match.act(match.to_act[0], "stay")
    assert asked == [3, 1, 2]
    assert public(match, "said") == [None, "stay", "stay", "stay"]
    result = finish_plays(match)
    assert result["playing"] == [1, 2, 3]
    assert (result["points"][0], result["marks"][0]) == (0, "-")
    assert strokes(match)[0] == "||||||"


def test_the_last_player_left_loses__JS10() -> None:
    """When all but one are safe the match is over and they have won."""
    match = fresh(target=5)
    for winner in (2, 0, 3):
        for _ in range(3):
            assert not match.over
            assert match.winners == []
            play_alone(match, winner)
    assert match.over
    assert match.winners == [0, 2, 3]
    assert [entry["safe"] for entry in match.standing] == [True, False, True, True]
    assert match.to_act == ()
    assert not match.needs_pack
    view = match.view(None)
    assert (view["phase"], view["over"], view["winners"]) == ("over", True, [0, 2, 3])


def test_two_of_three_safe_at_once_end_the_match__JS10() -> None:
    """Two players become safe in the same round; the third has lost."""
    match = fresh(3, target=5)
    for winner in (1, 2, 1, 2):
        play_alone(match, winner)
    play_scored(match, (60, 60, 20))  # seat 1 is forehand
    assert strokes(match) == ["0", "|||||", "|||||"]
    assert match.over
    assert match.winners == [1, 2]


def test_two_of_four_safe_at_once_leave_two_playing__JS10() -> None:
    """Two of four become safe in one round: two play on."""
    match = fresh(target=5)
    for winner in (0, 1, 0, 1):
        play_alone(match, winner)
    play_scored(match, (60, 40, 37, 20))
    assert [entry["safe"] for entry in match.standing] == [True, True, False, False]
    assert not match.over
    assert match.view(None)["dealer"] == 2 if match.rounds[-1]["dealer"] != 2 else 3
    match.deal(shuffled_pack())
    assert public(match, "hand_sizes") == [0, 0, 9, 9]


@pytest.mark.parametrize(("points", "ties"), [((50, 50), "nothing"), ((45, 45, 45), "generous")])
def test_all_win_when_the_remaining_players_become_safe_at_once__JS10(
    points: tuple[int, ...], ties: str
) -> None:
    """If all that were left are safe at once nobody loses and all win."""
    players = len(points)
    match = fresh(players, target=5, ties=ties)
    for winner in [*range(players)] * 2:
        play_alone(match, winner)
    play_scored(match, points)
    assert strokes(match) == ["|||||"] * players
    assert match.over
    assert match.winners == list(range(players))


def test_players_safe_earlier_win_too_when_nobody_is_left__JS10() -> None:
    """All win, including those who became safe in earlier rounds."""
    match = fresh(target=5)
    for winner in (0, 0, 0, 1, 2, 3, 1, 2, 3):
        play_alone(match, winner)
    play_alone(match, 1)
    assert [entry["safe"] for entry in match.standing] == [True, True, False, False]
    play_scored(match, (50, 50))
    assert match.over
    assert match.winners == [0, 1, 2, 3]


# Spelling of actions.


@pytest.mark.parametrize("text", ["stay", "STAY", "  Stay  "])
def test_answers_are_accepted_in_any_spelling(text: str) -> None:
    """Case and spaces of an answer do not matter; the log stores the printed form."""
    match = fresh(3)
    match.deal(shuffled_pack())
    assert match.refusal(0, text) is None
    match.act(0, text)
    match.act(1, text.replace("stay", "drop").replace("STAY", "DROP").replace("Stay", "Drop"))
    match.act(2, text.replace("stay", "blind").replace("STAY", "BLIND").replace("Stay", "Blind"))
    assert match.record()["log"][-3:] == [[0, "stay"], [1, "drop"], [2, "blind"]]
    assert [match.describe_last_action(reader) for reader in (None, 0, 1, 2)] == ["blind"] * 4


@pytest.mark.parametrize("text", ["rob", "ROB", " Rob "])
def test_rob_is_accepted_in_any_spelling(text: str) -> None:
    """Case and spaces of `rob` do not matter."""
    match = jass("9H", {0: "6H"}, 3)
    match.act(0, text)
    assert match.record()["log"][-1] == [0, "rob"]


@pytest.mark.parametrize(
    "text",
    ["play JC weis", "JC weis", "jc weis", "PLAY JC WEIS", "  play   jC   Weis ", "Jc  weis"],
)
def test_weis_is_accepted_in_any_spelling(text: str) -> None:
    """Case, spaces and the short form do not matter; the log stores the printed form."""
    match = jass("9H", {0: "JQKC"}, 3)
    assert match.refusal(0, text) is None
    match.act(0, text)
    assert match.record()["log"][-1] == [0, "play JC weis"]
    assert [match.describe_last_action(reader) for reader in (None, 0, 1, 2)] == [
        "play JC weis"
    ] * 4


@pytest.mark.parametrize(
    "text",
    [
        "weis",
        "weis JC",
        "play weis",
        "JC weis weis",
        "JCweis",
        "JC  w",
        "JC, weis",
        "play JC QC",
        "rob weis",
        "rob JC",
        "stay weis",
        "play rob",
        "JC rob",
        "",
        "bid 20",
        "lay JC QC KC as J",
    ],
)
def test_invalid_actions_are_refused(text: str) -> None:
    """The error lists the legal actions."""
    match = jass("9H", {0: "JQKC 6H"}, 3)
    error = match_builders.refused(match, 0, text)
    assert list(error.legal) == list(match.legal(0))
    assert error.reason == "unknown"


def test_illegal_plays_are_refused_with_the_clause__C12() -> None:
    """A card not held, or not allowed, with `weis` or without, is refused with the clause."""
    match = jass("9H", {0: "6C", 1: "789C JQKAS", 2: "AC"}, 3)
    play(match, ["6C"])
    for weis in ("", " weis"):
        assert match_builders.refused(match, 1, f"play AC{weis}").reason == "not_held"
        error = match_builders.refused(match, 1, f"play JS{weis}")
        assert (error.clause, error.reason) == ("C8d", "follow_or_trump")
    play(match, ["7C weis"])


# Views.


OWN = {
    *("playing", "said", "shown", "turned", "blind", "blind_open", "robbed", "melds"),
    *("announced", "weis_shown", "weis", "stoeck", "laid_away"),
}


def test_views_are_empty_between_rounds() -> None:
    """Before the first deal and after a round nothing of a round is left in the views."""
    match = fresh(3)
    bare = {
        "playing": [],
        "said": [None, None, None],
        "shown": None,
        "turned": None,
        "blind": None,
        "blind_open": False,
        "robbed": None,
        "melds": [],
        "announced": [],
        "weis_shown": None,
        "weis": [0, 0, 0],
        "stoeck": [0, 0, 0],
    }
    for _ in range(2):
        for reader in readers(match):
            view = match.view(reader)
            assert {key: view[key] for key in OWN - {"laid_away"}} == bare
            assert view["laid_away"] == (None if reader is None else [])
            assert view["trick"] == view["tricks"] == []
            assert view["trump"] is None
            assert view["hand_sizes"] == [0, 0, 0]
        match.deal(shuffled_pack(2))
        say_all(match, "stay blind stay")
        finish_plays(match)


def test_melds_are_visible_only_to_their_owner() -> None:
    """Each seat sees its own melds until its first card is played; nobody else does."""
    match = fresh(3)
    match.deal(jass_pack("9H", {0: "6789S", 1: "TJQKD", "blind": "JQKAC"}, (0, 1, 2)))
    spades = [{"cards": ["6S", "7S", "8S", "9S"], "points": 50}]
    diamonds = [{"cards": ["TD", "JD", "QD", "KD"], "points": 50}]
    clubs = [{"cards": ["JC", "QC", "KC", "AC"], "points": 50}]

    def seen() -> list[Any]:
        return [match.view(reader)["melds"] for reader in readers(match)]

    assert seen() == [[], spades, diamonds, []]
    match.act(0, "stay")
    match.act(1, "drop")
    assert seen() == [[], spades, [], []]
    match.act(2, "blind")
    assert seen() == [[], spades, [], clubs]
    match.act(0, "play 6S weis")
    assert seen() == [[], [], [], clubs]


def test_announced_points_are_public_and_the_cards_are_not() -> None:
    """During the first trick all see which seat announced how many points, and no meld."""
    match = jass("9H", {0: "678S AC", 1: "TJQKD 6C", 2: "7C"}, 3)
    play(match, ["AC weis", "6C weis"])
    assert public(match, "announced") == [{"seat": 0, "points": 20}, {"seat": 1, "points": 50}]
    assert public(match, "weis_shown") is None
    assert public(match, "weis") == [0, 0, 0]
    for reader in (None, 0, 2):
        assert '"TD"' not in json.dumps(match.view(reader))
    play(match, ["7C"])
    assert public(match, "weis_shown") == {
        "seat": 1,
        "melds": [{"cards": ["TD", "JD", "QD", "KD"], "points": 50}],
    }
    assert public(match, "weis") == [0, 50, 0]
    for reader in (None, 1, 2):
        assert '"7S"' not in json.dumps(match.view(reader))
