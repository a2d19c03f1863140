"""JS7: melds, the best way to divide a hand, which meld is better, and whose are shown and scored.

Unless a test says otherwise four play, the last seat deals, and seat 0 leads. A hand that a test
does not spell out has no meld.
"""

from __future__ import annotations

import itertools
import json
import random
from typing import Any

import pytest

import jasstisch as jt
from tests.rules import match_builders, reference, reference_handjass
from tests.rules.match_builders import Place, cards, jass, jass_pack, play, say_all


def shown(match: jt.Match) -> Any:
    """Whose melds all readers see, each meld as its points and its cards."""
    views = [match.view(reader)["weis_shown"] for reader in [None, *range(match.game.players)]]
    assert all(view == views[0] for view in views)
    if views[0] is None:
        return None
    found = [(meld["points"], set(meld["cards"])) for meld in views[0]["melds"]]
    return views[0]["seat"], found


def own(match: jt.Match, seat: int) -> list[tuple[int, set[str]]]:
    """The melds a seat may announce, as it sees them."""
    return [(meld["points"], set(meld["cards"])) for meld in match.view(seat)["melds"]]


def melds(*texts: str) -> list[tuple[int, set[str]]]:
    """Melds written as `"20 678S"`."""
    return [
        (int(points), set(cards(rest))) for points, rest in (text.split(" ", 1) for text in texts)
    ]


def four(rank: str) -> str:
    """All four cards of a rank, as hands are written."""
    return " ".join(rank + suit for suit in "CDHS")


def play_first_trick(match: jt.Match, *announcing: int) -> None:
    """Plays the first trick with random cards; these seats announce."""
    rng = random.Random(7)
    while not match.view(None)["tricks"]:
        (seat,) = match.to_act
        ending = " weis" if seat in announcing else ""
        plays = [a for a in match.legal(seat) if a.startswith("play") and len(a.split()) == 2]
        match.act(seat, rng.choice(plays) + ending)


# What a meld is worth.

VALUES = [
    ("678S", 20),
    ("TJQD", 20),
    ("QKAH", 20),
    ("6789S", 50),
    ("JQKAC", 50),
    ("6789TS", 100),
    ("789TJQS", 100),
    ("6789TJQS", 100),
    ("6789TJQKAS", 100),
    (four("A"), 100),
    (four("K"), 100),
    (four("Q"), 100),
    (four("T"), 100),
    (four("9"), 150),
    (four("J"), 200),
]


@pytest.mark.parametrize(("meld", "points"), VALUES)
def test_points_of_a_meld__JS7(meld: str, points: int) -> None:
    """Three 20, four 50, five and more 100; A K Q T 100, nines 150, jacks 200."""
    turned = next(card for card in reference.pack(4)[::-1] if card not in cards(meld))
    match = jass(turned, {0: meld})
    assert own(match, 0) == [(points, set(cards(meld)))]
    assert match.view(0)["melds"][0]["points"] == points
    (card, *_) = cards(meld)
    match.act(0, f"play {card} weis")
    assert match.view(None)["announced"] == [{"seat": 0, "points": points}]
    play_first_trick(match)
    assert shown(match) == (0, [(points, set(cards(meld)))])
    assert match.view(None)["weis"] == [points, 0, 0, 0]


@pytest.mark.parametrize("rank", ["6", "7", "8"])
def test_four_low_cards_are_no_meld__JS7(rank: str) -> None:
    """Sixes, sevens and eights make no four."""
    match = jass("AH", {0: four(rank)})
    assert own(match, 0) == []
    assert not [action for action in match.legal(0) if action.endswith("weis")]


@pytest.mark.parametrize(
    "hand", ["67S", "68TS", "6S 7D 8H", "KAS 6S", "QKS AD", "JQC AC", "AS 67S"]
)
def test_gaps_and_mixed_suits_are_no_run__JS7(hand: str) -> None:
    """Two cards, gaps, several suits, and round the corner from ace to six are no run."""
    match = jass("TH", {0: hand})
    assert own(match, 0) == []


def test_runs_follow_the_plain_order_in_trumps_too__JS7() -> None:
    """Nell and Bur stand between eight, ten and queen: 9-T-J is a run, K-A-9-J is not."""
    assert own(jass("6H", {0: "9TJH"}), 0) == melds("20 9TJH")
    assert own(jass("6H", {0: "KA9JH"}), 0) == []
    assert own(jass("6H", {0: "78H TH"}), 0) == []


# The best way to divide a hand.

DIVISIONS = [
    # A run of five is worth as much as the four it would lose a card to, and the rest of it counts.
    ("TJQKAC TD TH TS 6D", ["100 TC TD TH TS", "50 JQKAC"]),
    ("6789TC TD TH TS 6D", ["100 TC TD TH TS", "50 6789C"]),
    # Equal worth: the four is the better best meld.
    ("89TJQC TD TH TS 6D", ["100 TC TD TH TS"]),
    # The run left over is taken at its full length.
    ("789TJQC TD TH TS", ["100 TC TD TH TS", "20 789C"]),
    ("6789TJC TD TH TS", ["100 TC TD TH TS", "50 6789C"]),
    # A run of three against four tens.
    ("9TJC TD TH TS 6D", ["100 TC TD TH TS"]),
    # Jacks, nines, and the runs through them.
    ("9TJQC JD JH JS 67D", ["200 JC JD JH JS"]),
    ("6789C 9D 9H 9S KD QD", ["150 9C 9D 9H 9S", "20 678C"]),
    ("JQKAC JD JH JS 67D", ["200 JC JD JH JS", "20 QKAC"]),
    # Two fours; a card of each in a run.
    (f"{four('A')} {four('K')} QC", ["100 AC AD AH AS", "100 KC KD KH KS"]),
    (f"{four('J')} {four('9')} TC", ["200 JC JD JH JS", "150 9C 9D 9H 9S"]),
    (f"{four('T')} {four('9')} 8C", ["150 9C 9D 9H 9S", "100 TC TD TH TS"]),
    (f"{four('Q')} {four('T')} JC", ["100 QC QD QH QS", "100 TC TD TH TS"]),
    # Runs alone, several of them.
    ("678S TJQS 6D 8D TD", ["20 TJQS", "20 678S"]),
    ("678C TJD QKAS 6H", ["20 QKAS", "20 678C"]),
    ("6789TC JQKAD", ["100 6789TC", "50 JQKAD"]),
    ("678C 9TJD QKAS", ["20 QKAS", "20 9TJD", "20 678C"]),
    ("6789C 6D 89TJS", ["50 89TJS", "50 6789C"]),
    # Four sixes bring nothing and take no card away from a run.
    ("6C 6D 6H 6S 78C QD QH QS", ["20 678C"]),
]


@pytest.mark.parametrize(("hand", "expected"), DIVISIONS)
def test_a_hand_is_divided_into_the_melds_worth_most__JS7(hand: str, expected: list[str]) -> None:
    """Fours set aside or not, then runs at full length: what is worth most, best meld first."""
    held = cards(hand)
    turned = next(card for card in reference.pack(4)[::-1] if card not in held)
    match = jass(turned, {0: hand})
    wanted = melds(*expected)
    assert own(match, 0) == wanted
    plays = [action for action in match.legal(0) if action.endswith("weis")]
    match.act(0, plays[0])
    assert match.view(None)["announced"] == [{"seat": 0, "points": wanted[0][0]}]
    play_first_trick(match)
    assert shown(match) == (0, wanted)
    assert match.view(None)["weis"] == [sum(points for points, _ in wanted), 0, 0, 0]


def test_a_run_is_never_split_into_two__JS7() -> None:
    """A run of six is one meld of 100, of nine too; never two of three or 50 and 100."""
    assert own(jass("6H", {0: "6789TJS"}), 0) == melds("100 6789TJS")
    assert own(jass("6H", {0: "6789TJQKAS"}), 0) == melds("100 6789TJQKAS")


def test_a_card_counts_in_one_meld_only__JS7() -> None:
    """No card stands in two of the melds of a hand, whatever the hand."""
    rng = random.Random(71)
    met = 0
    for _ in range(300):
        ranks = rng.sample("9TJQKA", 2)
        fours = [rank + suit for rank in ranks[: rng.randint(1, 2)] for suit in "CDHS"]
        rest = [card for card in reference.pack(4) if card not in fours]
        near = [card for card in rest if card[1] == "C"] or rest
        hand = fours + rng.sample(near, 9 - len(fours))
        left = [card for card in reference.pack(4) if card not in hand]
        match = jt.Match(jt.game("jass", dealer=3))
        match.deal(match_builders.packed([hand, left[:9], left[9:18], left[18:]], 3))
        found = own(match, 0)
        together = [card for _, meld in found for card in meld]
        assert len(together) == len(set(together))
        assert set(together) <= set(hand)
        trump = str(match.trump)
        expected = reference_handjass.melds(hand, trump)
        assert found == [(reference_handjass.worth(meld), set(meld)) for meld in expected]
        met += len(found) > 1
    assert met > 50


# Which of two melds is better. The first hand has the better meld.

BETTER = {
    "more points: four cards beat three": ("6789S", "QKAD"),
    "more points: nines beat aces": (four("9"), four("A")),
    "more points: jacks beat nines": (four("J"), four("9")),
    "more points: a run of five beats one of four": ("6789TS", "JQKAD"),
    "a four beats a run": (four("T"), "6789D"),
    "a four beats a run worth as much": (four("Q"), "6789TS"),
    "between fours the rank: aces": (four("A"), four("K")),
    "between fours the rank: kings": (four("K"), four("Q")),
    "between fours the rank: queens": (four("Q"), four("T")),
    "between fours the rank: aces over tens": (four("A"), four("T")),
    "the longer run, though lower": ("6789TJS", "TJQKAD"),
    "eight are longer than seven": ("6789TJQKS", "89TJQKAD"),
    "the higher top card of three": ("QKAS", "JQKD"),
    "the higher top card of four": ("789TS", "6789D"),
    "the higher top card of five": ("TJQKAS", "9TJQKD"),
    "the higher top card, not trumps": ("89TS", "789H"),
    "the ten is below the jack": ("9TJS", "89TD"),
    "trumps among equals": ("89TH", "89TS"),
    "trumps among equals of five": ("89TJQH", "89TJQC"),
    "the best meld decides, not the sum": ("6789S", "678D TJQD QKAC"),
}


@pytest.mark.parametrize("better_is_later", [False, True])
@pytest.mark.parametrize("case", BETTER)
def test_the_better_meld_wins_whoever_announces_first__JS7(
    case: str, better_is_later: bool
) -> None:
    """The better meld wins whoever announces first; its holder scores, the other does not."""
    better, worse = BETTER[case]
    holder = 2 if better_is_later else 0
    wanted: dict[Place, str] = {holder: better, 2 - holder: worse}
    held = set(cards(better) + cards(worse))
    turned = next(card for card in cards("6KAQ78H") if card not in held)
    match = jass(turned, wanted)
    assert match.trump == "H"
    play_first_trick(match, 0, 2)
    seat, found = shown(match)
    assert seat == holder
    expected = reference_handjass.melds(cards(better), "H")
    assert found == [(reference_handjass.worth(meld), set(meld)) for meld in expected]
    total = sum(points for points, _ in found)
    assert match.view(None)["weis"] == [total if other == holder else 0 for other in range(4)]


@pytest.mark.parametrize("dealer", [0, 1, 2, 3])
def test_equal_melds_go_to_the_earlier_player__JS7(dealer: int) -> None:
    """Equal runs in two plain suits: the earlier in this trick wins, not the lower seat."""
    order = [(dealer + step) % 4 for step in (1, 2, 3, 4)]
    for earlier, later in itertools.combinations(order, 2):
        wanted: dict[Place, str] = {earlier: "89TC", later: "89TS"}
        match = jt.Match(jt.game("jass", dealer=dealer))
        match.deal(jass_pack("KH", wanted, order))
        say_all(match, "stay stay stay stay")
        play_first_trick(match, earlier, later)
        assert shown(match) == (earlier, melds("20 89TC"))


def test_the_earlier_player_counts_from_the_leader_if_forehand_dropped__JS7() -> None:
    """Of equal melds that of the seat that plays earlier in the first trick wins."""
    match = jass("KH", {1: "89TC", 3: "89TS"}, say="drop stay stay stay")
    play_first_trick(match, 1, 3)
    assert shown(match) == (1, melds("20 89TC"))


def test_trumps_decide_before_the_earlier_player__JS7() -> None:
    """The run in trumps wins though it was announced later."""
    match = jass("KH", {0: "89TC", 1: "89TH", 2: "89TS"})
    play_first_trick(match, 0, 1, 2)
    assert shown(match) == (1, melds("20 89TH"))


# Announcing.


def test_a_better_meld_that_is_not_announced_counts_nothing__JS7() -> None:
    """Only announced melds compete: a silent holder shows and scores nothing."""
    match = jass("KH", {0: "678C", 1: four("J")})
    play_first_trick(match, 0)
    assert shown(match) == (0, melds("20 678C"))
    assert match.view(None)["weis"] == [20, 0, 0, 0]
    assert match.view(None)["announced"] == [{"seat": 0, "points": 20}]


def test_nothing_is_scored_without_an_announcement__JS7() -> None:
    """Without an announcement nothing is shown, whatever the hands hold."""
    match = jass("KH", {0: "678C", 1: four("J")})
    play_first_trick(match)
    assert shown(match) is None
    assert match.view(None)["weis"] == [0, 0, 0, 0]
    assert match.view(None)["announced"] == []


def test_the_holder_of_the_best_meld_scores_all_own_melds__JS7() -> None:
    """The best meld is announced; all melds of its holder are shown and scored."""
    match = jass("KH", {0: "678S 9TJQD", 1: "678C QKAS"})
    play_first_trick(match, 0, 1)
    assert match.view(None)["announced"] == [
        {"seat": 0, "points": 50},
        {"seat": 1, "points": 20},
    ]
    assert shown(match) == (0, melds("50 9TJQD", "20 678S"))
    assert match.view(None)["weis"] == [70, 0, 0, 0]


def test_beaten_melds_are_not_shown__JS7() -> None:
    """The cards of a beaten meld stay hidden in every view but its holder's."""
    match = jass("KH", {0: "9TJQD", 1: "678C QKAS"})
    play_first_trick(match, 0, 1)
    played = {card for trick in match.view(None)["tricks"] for card in trick["cards"]}
    for reader in (None, 0, 2, 3):
        text = json.dumps(match.view(reader))
        for card in set(cards("678C QKAS")) - played:
            assert f'"{card}"' not in text


def test_weis_is_settled_after_the_first_trick__JS7() -> None:
    """Not before its last card; then at once, and unchanged to the end of the round."""
    match = jass("KH", {0: "9TJQD", 1: "678C"})
    rng = random.Random(3)
    for seat in range(4):
        assert shown(match) is None
        assert match.view(None)["weis"] == [0, 0, 0, 0]
        plays = [a for a in match.legal(seat) if len(a.split()) == 2]
        match.act(seat, rng.choice(plays) + (" weis" if seat < 2 else ""))
    while not match.rounds:
        assert shown(match) == (0, melds("50 9TJQD"))
        assert match.view(None)["weis"] == [50, 0, 0, 0]
        assert len(match.view(None)["announced"]) == 2
        match_builders.step(match, rng)
    assert match.rounds[0]["weis"] == [50, 0, 0, 0]
    assert shown(match) is None


def test_the_card_played_with_weis_counts_in_the_meld__JS7() -> None:
    """The hand before the first card is what is announced, the card itself included."""
    match = jass("KH", {0: "678C"})
    play(match, ["7C weis"])
    play_first_trick(match)
    assert shown(match) == (0, melds("20 678C"))


def test_the_announcing_card_need_not_be_in_the_meld__JS7() -> None:
    """Any card may be the one that announces."""
    match = jass("KH", {0: "678C AS"})
    hand = match.hand(0)
    assert list(match.legal(0)) == [f"play {card}" for card in hand] + [
        f"play {card} weis" for card in hand
    ]
    play(match, ["AS weis"])
    assert match.view(None)["announced"] == [{"seat": 0, "points": 20}]


def test_weis_without_a_meld_is_illegal__JS7() -> None:
    """A player without a meld may not announce one, whatever card they play."""
    match = jass("KH", {0: "67C 9TD AS"})
    for card in match.hand(0):
        error = match_builders.refused(match, 0, f"play {card} weis")
        assert (error.clause, error.reason) == ("JS7", "weis")
        assert f"play {card}" in error.legal


def test_weis_is_announced_only_with_the_first_card__JS7() -> None:
    """With the second card it is too late, though three cards in sequence are still held."""
    match = jass("KH", {0: "678C AS", 1: "JQKAC"})
    play_first_trick(match)
    seen = set()
    while not match.rounds:
        (seat,) = match.to_act
        seen.add(seat)
        assert not [action for action in match.legal(seat) if action.endswith("weis")]
        card = match.legal(seat)[0]
        error = match_builders.refused(match, seat, f"{card} weis")
        assert (error.clause, error.reason) == ("JS7", "weis")
        match.act(seat, card)
    assert seen == {0, 1, 2, 3}


def test_each_player_announces_with_their_own_first_card__JS7() -> None:
    """The fourth to play may still announce, and legal cards bind as without."""
    match = jass("KH", {0: "AC", 1: "6C", 2: "7C", 3: "89TC 678D"})
    play(match, "AC 6C 7C")
    plays = [f"play {card}" for card in ("8C", "9C", "TC")]
    trumps = [f"play {card}" for card in match.hand(3) if card[1] == "H"]
    ordinary = plays + trumps
    assert list(match.legal(3)) == ordinary + [f"{action} weis" for action in ordinary]
    assert match_builders.refused(match, 3, "play 6D weis").clause == "C8d"
    match.act(3, "play 8C weis")
    assert shown(match) == (3, melds("20 89TC", "20 678D"))


def test_no_weis_while_answers_are_given__JS7_JS4() -> None:
    """Melds are seen from the deal on and announced only with the first card."""
    match = jt.Match(jt.game("jass", dealer=3))
    match.deal(jass_pack("KH", {0: "678C"}))
    assert own(match, 0) == melds("20 678C")
    assert match_builders.refused(match, 0, "play 6C weis").reason == "answer"


def test_the_taker_of_the_blind_announces_its_melds__JS7_JS4() -> None:
    """A player who took the blind announces from it, not from the hand laid away."""
    match = jass("KH", {0: four("J"), "blind": "678C"}, 3, say="blind stay stay")
    assert own(match, 0) == melds("20 678C")
    play_first_trick(match, 0)
    assert shown(match) == (0, melds("20 678C"))


def test_dropped_melds_count_nothing__JS7_JS4() -> None:
    """The melds of a dropped hand can be announced by nobody."""
    match = jass("KH", {1: four("J"), 2: "678C"}, say="stay drop stay stay")
    assert match.view(1)["melds"] == []
    play_first_trick(match, 2)
    assert shown(match) == (2, melds("20 678C"))


def test_two_and_three_players_announce_weis_too__JS7() -> None:
    """With two players and with three the first trick settles the Weis too."""
    for players in (2, 3):
        match = jass("KH", {0: "678C", 1: "9TJQS"}, players)
        play_first_trick(match, 0, 1)
        assert shown(match) == (1, melds("50 9TJQS"))
        assert match.view(None)["weis"][1] == 50
