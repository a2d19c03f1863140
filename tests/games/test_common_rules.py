"""C1 to C8 and C12: cards, order, values, seats, dealing, tricks and what may be played."""

from __future__ import annotations

import itertools
import random

import pytest

import jasstisch as jt
from jasstisch.engine import tricks
from jasstisch.engine.cards import JASS, card_set
from jasstisch.games import trick_taking
from jasstisch.games.options import DealerOption, Whole, display_value
from tests.rules import match_builders, reference, reference_contracts
from tests.rules.match_builders import cards, check_choice, deal, differenzler, legal, play, start


@pytest.mark.parametrize(
    ("name", "players"), [*match_builders.KINDS, *match_builders.CONTRACT_KINDS]
)
def test_the_pack_has_36_cards_of_rank_then_suit__C1(name: str, players: int) -> None:
    """The pack awaited for the deal holds every rank of every suit, 36 in all, 35 for five."""
    match = jt.Match(jt.game(name, players=players, dealer=0))
    expected = {rank + suit for rank in "6789TJQKA" for suit in "CDHS"}
    assert sorted(match.pack) == sorted(expected - ({"6D"} if players == 5 else set()))


ORDERS = {"plain": "6789TJQKA", "trump": "678TQKA9J"}


@pytest.mark.parametrize("kind", ["plain", "trump"])
@pytest.mark.parametrize("higher_leads", [True, False])
def test_order_within_a_suit_decides_the_trick__C2_C7(kind: str, higher_leads: bool) -> None:
    """Of any two cards of a suit the later in the order of C2 wins, whoever plays it."""
    trump = "S" if kind == "trump" else "H"
    for low, high in itertools.combinations(ORDERS[kind], 2):
        first, second = (high, low) if higher_leads else (low, high)
        hands = deal({0: first + "S", 1: second + "S"}, void={2: "S", 3: "S"})
        match = differenzler(hands, trump)
        play(match, [first + "S", second + "S"])
        play(match, [next(card for card in hands[2] if card[1] != trump)])
        play(match, [next(card for card in hands[3] if card[1] != trump)])
        assert match.view(None)["last_trick"]["winner"] == (0 if higher_leads else 1)


@pytest.mark.parametrize(
    ("card", "worth"),
    [("A", 11), ("K", 4), ("Q", 3), ("J", 2), ("T", 10), ("9", 0), ("8", 0), ("7", 0), ("6", 0)],
)
def test_value_of_a_plain_card__C3(card: str, worth: int) -> None:
    """A 11, K 4, Q 3, J 2, T 10 and nothing for the others."""
    match = differenzler(deal({0: "6789TJQKAS", 1: "6D", 2: "7D", 3: "8D"}), "C")
    play(match, [card + "S", "6D", "7D", "8D"])
    assert match.view(0)["points"][0] == worth


@pytest.mark.parametrize(
    ("card", "worth"),
    [("J", 20), ("9", 14), ("A", 11), ("K", 4), ("Q", 3), ("T", 10), ("8", 0), ("7", 0), ("6", 0)],
)
def test_value_of_a_trump__C3(card: str, worth: int) -> None:
    """In trumps the jack counts 20 and the nine 14; the others count as ever."""
    match = differenzler(deal({0: "6789TJQKAS", 1: "6D", 2: "7D", 3: "8D"}), "S")
    play(match, [card + "S", "6D", "7D", "8D"])
    assert match.view(0)["points"][0] == worth


def test_last_trick_is_worth_five_more__C3() -> None:
    """The winner of the last trick gets five points more than its cards, nobody else does."""
    hands = [cards("6789TJQKA" + suit) for suit in "SCDH"]
    match = differenzler(hands, "S", show_points="all")
    for rank in "AKQJT987":
        play(match, [rank + "S", rank + "C", rank + "D", rank + "H"])
    before = match.view(0)["points"][0]
    play(match, "6S 6C 6D 6H")
    assert match.rounds[0]["points"] == [before + 5, 0, 0, 0] == [157, 0, 0, 0]


@pytest.mark.parametrize(("name", "players"), match_builders.KINDS)
def test_every_round_with_a_trump_totals_157__C3(name: str, players: int) -> None:
    """Card points and last trick come to 157 in every round that has a trump."""
    rng = random.Random(players)
    for _ in range(5):
        match = jt.Match(jt.game(name, players=players))
        match_builders.finish(match, rng)
        for result in match.rounds:
            molotovs = sum(run["points"] for run in result.get("molotovs", []))
            if result["trump"] is not None:
                assert sum(result["points"]) == 157 + molotovs


@pytest.mark.parametrize(("name", "players"), match_builders.KINDS)
def test_the_turn_passes_to_the_next_seat__C4(name: str, players: int) -> None:
    """From seat i the turn passes to seat i+1, from the last to seat 0; the winner leads."""
    rng = random.Random(4)
    match = jt.Match(jt.game(name, players=players, dealer=1))
    leader = 2 % players
    while not match.rounds:
        if match.needs_pack or match.view(None)["phase"] != "play":
            match_builders.step(match, rng)
            continue
        for turn in range(players):
            assert match.to_act == ((leader + turn) % players,)
            match_builders.step(match, rng)
        last = match.view(None)["last_trick"] or match.rounds[0]["tricks"][-1]
        assert last["leader"] == leader
        leader = last["winner"]


@pytest.mark.parametrize("name", match_builders.TRICK_GAMES)
def test_direction_changes_only_the_display__C4(name: str) -> None:
    """The same packs and actions give the same match in both directions."""
    one = jt.Match(jt.game(name))
    match_builders.finish(one, random.Random(name))
    other = jt.Match(jt.game(name, direction="clockwise"))
    for who, what in one.record()["log"]:
        if who == "pack":
            other.deal(what)
        else:
            other.act(who, what)
    assert one.game.options["direction"] == "anticlockwise"
    assert other.game.options["direction"] == "clockwise"
    assert one.record()["log"] == other.record()["log"]
    assert one.record()["result"] == other.record()["result"]
    for seat in [None, 0, 1, 2, 3]:
        assert {**one.view(seat), "options": None} == {**other.view(seat), "options": None}


@pytest.mark.parametrize(
    ("drawn", "dealer"),
    [
        ("6C 7C 8C 9C", 3),
        ("9C 8C 7C 6C", 0),
        ("TS JC 9S 8S", 1),  # the jack is above the ten
        ("KS QS AC TS", 2),
        ("AC AD AH AS", 3),  # equal ranks: C < D < H < S
        ("AS AH AD AC", 0),
        ("AD 6S AC KS", 0),
        ("9H TH 9S TD", 1),
    ],
)
@pytest.mark.parametrize("name", match_builders.TRICK_GAMES)
def test_highest_card_drawn_deals_first__C5(name: str, drawn: str, dealer: int) -> None:
    """Each seat in order draws one card; the highest by plain rank, then suit, deals."""
    match = jt.Match(jt.game(name))
    assert match.needs_pack
    assert match.view(None)["phase"] == "draw"
    assert match.view(None)["dealer"] is None
    match.deal(match_builders.ordered(drawn))
    for seat in [None, 0, 1, 2, 3]:
        view = match.view(seat)
        assert view["dealer"] == dealer
        assert view["draw"] == [[turn, card] for turn, card in enumerate(drawn.split())]
        assert view["phase"] == "deal"
        assert view["hand_sizes"] == [0, 0, 0, 0]


@pytest.mark.parametrize("name", match_builders.TRICK_GAMES)
def test_the_draw_for_deal_stays_public__C5(name: str) -> None:
    """Later views still show which seat drew which card."""
    match = jt.Match(jt.game(name))
    match.deal(match_builders.ordered("6C 7C KH 9C"))
    drawn = [[0, "6C"], [1, "7C"], [2, "KH"], [3, "9C"]]
    rng = random.Random(5)
    for _ in range(60):
        assert match.view(None)["draw"] == match.view(2)["draw"] == drawn
        match_builders.step(match, rng)


@pytest.mark.parametrize("players", [3, 5, 6])
def test_as_many_cards_are_drawn_as_there_are_players__C5(players: int) -> None:
    """Only the first cards, one for each seat, decide; the next card is drawn by nobody."""
    drawn = cards("789JQC AS")[:players]
    front = [*drawn, "AH"]
    match = jt.Match(jt.game("molotov", players=players))
    match.deal(match_builders.ordered(" ".join(front), players))
    assert match.view(None)["dealer"] == players - 1
    assert match.view(None)["draw"] == [[seat, card] for seat, card in enumerate(drawn)]


@pytest.mark.parametrize("dealer", [0, 1, 2, 3])
@pytest.mark.parametrize("name", match_builders.TRICK_GAMES)
def test_fixed_dealer_skips_the_draw__C5(name: str, dealer: int) -> None:
    """With `dealer` given the first pack is that of the deal, and nothing was drawn."""
    match = jt.Match(jt.game(name, dealer=dealer))
    view = match.view(None)
    assert (view["phase"], view["dealer"], view["draw"]) == ("deal", dealer, None)
    match.deal(match.pack)
    assert match.view(None)["hand_sizes"] == [9, 9, 9, 9]


@pytest.mark.parametrize(("name", "players"), match_builders.KINDS)
def test_the_deal_passes_to_the_next_seat__C5(name: str, players: int) -> None:
    """Every round has the next seat as dealer, and the seat after the dealer leads."""
    options = {"target": 3} if name in {"molotov", "offenbach"} else {}
    match = jt.Match(jt.game(name, players=players, dealer=players - 1, **options))
    rng = random.Random(5)
    match_builders.finish(match, rng)
    assert len(match.rounds) > 2
    for number, result in enumerate(match.rounds):
        assert result["dealer"] == (players - 1 + number) % players
        assert result["tricks"][0]["leader"] == (result["dealer"] + 1) % players


DEALS = [
    (3, 3, [range(3), range(9, 12), range(18, 21), range(27, 30)]),
    (4, 3, [range(3), range(12, 15), range(24, 27)]),
    (5, 3, [range(4), range(20, 23)]),
    (6, 3, [range(3), range(18, 21)]),
]


@pytest.mark.parametrize(("players", "packet", "first"), DEALS)
@pytest.mark.parametrize("dealer", [0, 2])
def test_cards_are_dealt_in_packets__C6_MV1(
    players: int, packet: int, first: list[range], dealer: int
) -> None:
    """4×3 for three, 3×3 for four, 4+3 for five and 2×3 for six, forehand first."""
    pack = reference.pack(players)
    random.Random(players).shuffle(pack)
    match = jt.Match(jt.game("molotov", players=players, dealer=dealer))
    match.deal(pack)
    for turn in range(players):
        expected = []
        for packets in first:
            size = len(packets)
            expected += pack[packets.start + turn * size : packets.stop + turn * size]
        assert sorted(match.hand((dealer + 1 + turn) % players)) == sorted(expected)


@pytest.mark.parametrize(
    ("name", "players"), [*match_builders.KINDS, *match_builders.CONTRACT_KINDS]
)
def test_every_game_deals_the_pack_in_its_packets__C6(name: str, players: int) -> None:
    """Every game deals the whole pack in the packets for its number of players."""
    hands = match_builders.random_hands(players, random.Random(6))
    match = start(name, hands, dealer=1)
    for seat, hand in enumerate(hands):
        assert sorted(match.hand(seat)) == sorted(hand)


def phases(match: jt.Match, rng: random.Random) -> list[str]:
    """The phases in which the packs of a match were awaited."""
    seen = []
    while not match.over:
        if match.needs_pack:
            seen.append(match.view(None)["phase"])
            assert sorted(match.pack) == sorted(reference.pack(match.game.players))
            assert match.to_act == ()
        else:
            assert match.pack == ()
        match_builders.step(match, rng)
    assert not match.needs_pack
    assert match.pack == ()
    return seen


def test_packs_are_awaited_in_order__C6() -> None:
    """The draw for deal first, then in each round the deal, the draw of trump, a deciding draw."""
    rng = random.Random(61)
    games = jt.game("differenzler", rounds=4), jt.game("differenzler", rounds=4, dealer=0)
    assert phases(jt.Match(games[0]), rng) == ["draw"] + ["deal", "trump"] * 4
    assert phases(jt.Match(games[1]), rng) == ["deal", "trump"] * 4
    bottom = jt.game("differenzler", rounds=4, dealer=0, trump="bottom")
    assert phases(jt.Match(bottom), rng) == ["deal"] * 4
    assert phases(jt.Match(jt.game("molotow", rounds=3)), rng) == ["draw"] + ["deal"] * 3
    for name, players in (("molotov", 5), ("jass", 3)):
        assert set(phases(jt.Match(jt.game(name, players=players)), rng)[1:]) == {"deal"}


def test_nobody_acts_while_a_pack_is_awaited__C6() -> None:
    """Between packs nobody may act and every action is refused."""
    match = jt.Match(jt.game("molotov"))
    for _ in range(2):
        assert match.needs_pack
        assert match.to_act == ()
        assert [list(match.legal(seat)) for seat in range(4)] == [[], [], [], []]
        error = match_builders.refused(match, 0, "play JC")
        assert error.reason == "pack"
        match.deal(match.pack)
    assert not match.needs_pack


@pytest.mark.parametrize(
    "contract", ["trump C", "trump D", "trump H", "trump S", "tops", "bottoms"]
)
def test_beats_agrees_with_the_reference_for_every_two_cards__C7_CT4(contract: str) -> None:
    """Every card against every other as the best of the trick, compared with the reference.

    A trump that is best lies on a card of another suit, or was led itself.
    """
    rankings = {**{f"trump {suit}": row for row, suit in enumerate("CDHS")}, "tops": tricks.TOPS}
    ranking = rankings.get(contract, tricks.BOTTOMS)
    for best, card in itertools.permutations(JASS.texts, 2):
        table = [(0, best), (1, card)]
        taken = reference_contracts.winner(table, contract, 1) == 1
        assert tricks.beats(JASS.parse(card), JASS.parse(best), ranking) == taken
        if ranking == tricks.TOPS:
            assert tricks.beats(JASS.parse(card), JASS.parse(best), tricks.PLAIN) == taken


@pytest.mark.parametrize(
    ("table", "trump", "taker"),
    [
        ("6C 7C 8C 9C", "H", 3),
        ("AC 7C 8C 9C", "H", 0),
        ("JC TC 8C 9C", "H", 0),
        ("6C AD AS 7C", "H", 3),  # a higher card of another suit wins nothing
        ("6C AD AS KD", "H", 0),
        ("AC 6H KC QC", "H", 1),  # the lowest trump beats the ace
        ("AC 6H 7H QC", "H", 2),
        ("AC AH 9H QC", "H", 2),
        ("AC 9H JH QC", "H", 2),
        ("AH 9H JH QH", "H", 2),
        ("6H AC AD AS", "H", 0),
    ],
)
def test_highest_trump_or_else_highest_card_of_the_suit_led_wins_the_trick__C7(
    table: str, trump: str, taker: int
) -> None:
    """The highest trump takes the trick, without one the highest card of the suit led."""
    led = table[1]
    played = table.split()
    void = {seat: led for seat, card in enumerate(played) if card[1] != led}
    if led == trump:
        void = {seat: led for seat in range(1, 4) if played[seat][1] != led}
    match = differenzler(deal(dict(enumerate(played)), void=void), trump)
    play(match, played)
    trick = match.view(None)["last_trick"]
    assert trick == {"leader": 0, "cards": played, "winner": taker}
    assert match.to_act == (taker,)
    assert match.trick == []


def test_the_leader_may_play_any_card__C8a() -> None:
    """The leader may play every card of the hand, trumps included, with and without a trump."""
    hands = deal({0: "6JC 6JD 6JH 6JS 9H"})
    for match in (start("molotov", hands), differenzler(hands, "H")):
        check_choice(match, "6JC 6JD 6JH 6JS 9H", "")


def test_before_trump_the_suit_led_must_be_followed__C8b() -> None:
    """While no trump is known a player with the suit led may play that suit only."""
    match = start("molotov", deal({0: "6C", 1: "7JC 6789TJQS"}))
    play(match, "6C")
    check_choice(match, "7JC", "C8b")
    assert match_builders.refused(match, 1, "play JS").reason == "follow"


@pytest.mark.parametrize("name", ["molotov", "offenbach", "molotow"])
def test_before_trump_a_void_player_may_play_anything__C8b(name: str) -> None:
    """While no trump is known a player without the suit led may play every card."""
    match = start(name, deal({0: "6C", 1: "6JD 6JH 6JS 9D 9H 9S"}))
    play(match, "6C")
    check_choice(match, "6JD 6JH 6JS 9D 9H 9S", "")


@pytest.mark.parametrize("undertrump", ["if_void", "free"])
class TestTrumpLed:
    """C8c: what may be played when trump is led."""

    def test_trumps_must_be_followed__C8c(self, undertrump: str) -> None:
        """A player with a trump besides the Bur may play trumps only, the Bur among them."""
        hands = deal({0: "QH", 1: "6JH 6789TJQS"})
        match = differenzler(hands, "H", undertrump=undertrump)
        play(match, "QH")
        check_choice(match, "6JH", "C8c")
        assert match_builders.refused(match, 1, "play JS").reason == "follow_trump"

    def test_bur_is_never_forced__C8c(self, undertrump: str) -> None:
        """A player whose only trump is the Bur may play anything."""
        match = differenzler(deal({0: "QH", 1: "JH 6789TJQKS"}), "H", undertrump=undertrump)
        play(match, "QH")
        check_choice(match, "JH 6789TJQKS", "")

    def test_nell_is_forced__C8c(self, undertrump: str) -> None:
        """The Nell alone must be played to a trump lead."""
        match = differenzler(deal({0: "QH", 1: "9H 6789TJQKS"}), "H", undertrump=undertrump)
        play(match, "QH")
        check_choice(match, "9H", "C8c")

    def test_player_without_a_trump_may_play_any_card__C8c(self, undertrump: str) -> None:
        """A player without a trump may play anything to a trump lead."""
        match = differenzler(deal({0: "QH", 1: "6D 6789TJQKS"}), "H", undertrump=undertrump)
        play(match, "QH")
        check_choice(match, "6D 6789TJQKS", "")

    def test_lower_trump_on_a_trump_lead_is_never_undertrumping__C9(self, undertrump: str) -> None:
        """To a trump lead a lower trump may be played, and a higher one need not."""
        match = differenzler(deal({0: "QH", 1: "KH", 2: "67AH 6789TJS"}), "H")
        play(match, "QH KH")
        check_choice(match, "67AH", "C8c")


@pytest.mark.parametrize("undertrump", ["if_void", "free"])
def test_player_with_the_suit_led_may_play_it_or_a_trump__C8d(undertrump: str) -> None:
    """A player with the plain suit led may play it or any trump, no third suit."""
    match = differenzler(deal({0: "6C", 1: "7QC 6JH 6789TS"}), "H", undertrump=undertrump)
    play(match, "6C")
    check_choice(match, "7QC 6JH", "C8d")
    assert match_builders.refused(match, 1, "play 6S").reason == "follow_or_trump"


def test_player_with_the_suit_led_and_no_trump_must_follow__C8d() -> None:
    """Without trumps a player with the suit led has only that suit."""
    match = differenzler(deal({0: "6C", 1: "7QC 6789TJQS"}), "H")
    play(match, "6C")
    check_choice(match, "7QC", "C8d")


@pytest.mark.parametrize("undertrump", ["if_void", "free"])
def test_player_without_the_suit_led_may_play_any_card__C8e(undertrump: str) -> None:
    """A player without the plain suit led may play every card, and need not trump."""
    match = differenzler(deal({0: "6C", 1: "6JH 678TJQS 6D"}), "H", undertrump=undertrump)
    play(match, "6C")
    check_choice(match, "6JH 678TJQS 6D", "")


REFUSALS = [
    ("play 6S", "C8d", "follow_or_trump"),
    ("6S", "C8d", "follow_or_trump"),
    ("play AD", "", "not_held"),
    ("play 1X", "", "unknown"),
    ("fold", "", "unknown"),
    ("", "", "unknown"),
    ("bid 42", "", "unknown"),
    ("doubt", "", "unknown"),
]


@pytest.mark.parametrize(("action", "clause", "reason"), REFUSALS)
def test_refusal_names_the_reason_and_the_legal_actions__C12(
    action: str, clause: str, reason: str
) -> None:
    """A refusal names the action, the clause and the legal actions, and changes nothing."""
    match = differenzler(deal({0: "6C", 1: "7QC 6JH 6789TS"}), "H")
    play(match, "6C")
    error = match_builders.refused(match, 1, action)
    assert error.reason in {reason, "bid"}
    assert error.clause.startswith(clause)
    assert list(error.legal) == list(match.legal(1))
    assert action in str(error)
    for card in ("7C", "QC", "6H", "JH"):
        assert card in str(error)
    refusal = match.refusal(1, action)
    assert refusal is not None
    assert (refusal.clause, refusal.reason) == (error.clause, error.reason)


def test_out_of_turn_is_refused__C12() -> None:
    """Only the seat whose turn it is may act; a refusal shows nobody else's cards."""
    match = differenzler(deal({0: "6C", 1: "7QC 6JH 6789TS"}), "H")
    error = match_builders.refused(match, 2, "play " + match.hand(2)[0])
    assert error.reason == "turn"
    assert list(error.legal) == []
    for seat in (0, 1, 3):
        assert not any(card in str(error) for card in match.hand(seat))


def test_a_legal_action_has_no_refusal__C12() -> None:
    """No action that `legal` lists is refused, and asking changes nothing."""
    match = differenzler(deal({0: "6C"}), "H")
    before = match_builders.everything(match)
    for action in match.legal(0):
        assert match.refusal(0, action) is None
    assert match_builders.everything(match) == before
    assert legal(match) == set(match.hand(0))


def test_refusals_do_not_reveal_where_a_card_lies__C12() -> None:
    """The refusal of a card not held is the same for another player's card and a card played."""
    match = differenzler(deal({0: "6C AC", 1: "7QC 6JH 6789TS", 2: "AD"}), "H")
    play(match, "6C")
    elsewhere, gone = (
        match_builders.refused(match, 1, "play AD"),
        match_builders.refused(match, 1, "play 6C"),
    )
    assert str(elsewhere).replace("AD", "") == str(gone).replace("6C", "")


@pytest.mark.parametrize("trump", range(-1, 4))
def test_points_of_a_set_are_the_sum_of_its_cards__C3(trump: int) -> None:
    pack = range(len(JASS.texts))
    assert tricks.points(card_set(pack), trump) == sum(tricks.card_points(c, trump) for c in pack)
    bur = JASS.numbers["JS"]
    assert tricks.card_points(bur, trump) == (20 if JASS.suit(bur) == trump else 2)


@pytest.mark.parametrize("ranking", tricks.RANKINGS)
def test_points_summed_by_suit_equal_points_summed_by_card__C3(ranking: int) -> None:
    rng = random.Random(ranking)
    for cards_taken in (0, tricks.WHOLE_PACK, *(rng.getrandbits(36) for _ in range(300))):
        assert trick_taking.points_of(cards_taken, ranking) == tricks.points(cards_taken, ranking)


def test_the_displayed_dealer_counts_seats_from_1() -> None:
    (dealer,) = (one for one in jt.game("molotov").rules.options if isinstance(one, DealerOption))
    assert [display_value(dealer, value) for value in (None, 0, 3)] == ["None", "1", "4"]
    assert display_value(Whole("rounds", 4, low=1, high=9), 4) == "4"
