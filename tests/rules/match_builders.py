"""Builders: a pack from wanted hands, a match from a pack, a match played by cards.

A hand is written as ranks and a suit, `"6789C TJD"` for `6C 7C 8C 9C TD JD`. Unless a test says
otherwise the last seat deals, so that seat 0 is forehand.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import pytest

import jasstisch as jt
from tests.rules import reference, reference_handjass

# The games with a trump in which every card is dealt out and played; the same with Handjass; those
# of two sides with a contract; all games with tricks; all games.
GAMES = ("molotov", "offenbach", "molotow", "differenzler")
JASS_GAMES = (*GAMES, "jass")
CONTRACT_GAMES = ("schieber", "coiffeur")
TRICK_GAMES = (*JASS_GAMES, *CONTRACT_GAMES)
ALL_GAMES = (*TRICK_GAMES, "i-doubt-it")
PLAYERS = {
    "molotov": (3, 4, 5, 6),
    "offenbach": (3, 4, 5),
    "molotow": (4,),
    "differenzler": (3, 4),
    "jass": (2, 3, 4),
    "schieber": (4,),
    "coiffeur": (4,),
    "i-doubt-it": (2, 3, 4, 5, 6, 7, 8),
}
KINDS = [(name, players) for name in GAMES for players in PLAYERS[name]]
CONTRACT_KINDS = [(name, players) for name in CONTRACT_GAMES for players in PLAYERS[name]]
ALL_KINDS = [(name, players) for name in ALL_GAMES for players in PLAYERS[name]]

# Every option of every game with its values, the default first.
OPTIONS: dict[str, dict[str, list[Any]]] = {
    "molotov": {
        "players": [4, 3, 5, 6],
        "dealer": [None, 0, 1, 2, 3],
        "direction": ["anticlockwise", "clockwise"],
        "undertrump": ["free", "if_void"],
        "ties": ["nothing", "generous"],
        "long_runs": ["fifty", "weis"],
        "no_trump": ["eights", "plain", "annul"],
        "five_player_marks": ["3-1-1", "2-1-2"],
        "target": [5, *range(1, 21)],
    },
    "offenbach": {
        "players": [4, 3, 5],
        "dealer": [None, 0, 1, 2, 3],
        "direction": ["anticlockwise", "clockwise"],
        "undertrump": ["free", "if_void"],
        "ties": ["nothing", "generous"],
        "long_runs": ["fifty", "weis"],
        "no_trump": ["eights", "plain", "annul"],
        "five_player_marks": ["2-1-2", "3-1-1"],
        "target": [5, *range(1, 21)],
    },
    "molotow": {
        "players": [4],
        "dealer": [None, 0, 1, 2, 3],
        "direction": ["anticlockwise", "clockwise"],
        "undertrump": ["if_void", "literal", "strict"],
        "marks": ["seed", "swiss"],
        "rounds": [12, *range(1, 61)],
    },
    "differenzler": {
        "players": [4, 3],
        "dealer": [None, 0, 1, 2, 3],
        "direction": ["anticlockwise", "clockwise"],
        "rounds": [8, 4, 12, 16],
        "undertrump": ["if_void", "free"],
        "trump": ["random", "bottom"],
        "bids": ["hidden", "open"],
        "show_points": ["own", "all"],
        "exact_bonus": [0, 10],
        "zero_bonus": ["trick", "never", "always"],
    },
    "jass": {
        "players": [4, 2, 3],
        "dealer": [None, 0, 1, 2, 3],
        "direction": ["anticlockwise", "clockwise"],
        "target": [7, 5, 9],
        "undertrump": ["strict", "forced"],
        "ties": ["nothing", "generous"],
    },
    "schieber": {
        "players": [4],
        "dealer": [None, 0, 1, 2, 3],
        "direction": ["anticlockwise", "clockwise"],
        "target": [1000, 1500, 2500, 3000],
        "rounds": [0, 4, 8, 12, 16],
        "multipliers": ["none", "swiss", "french"],
        "weis": ["on", "off"],
        "slalom": ["off", "on"],
        "match_bonus": [100, 0],
        "end": ["at_once", "round"],
        "undertrump": ["strict", "forced"],
    },
    "coiffeur": {
        "players": [4],
        "dealer": [None, 0, 1, 2, 3],
        "direction": ["anticlockwise", "clockwise"],
        "lines": ["eight", "ten"],
        "suits": ["swiss", "french"],
        "match_bonus": [100, 0],
        "undertrump": ["strict", "forced"],
    },
    "i-doubt-it": {
        "players": [4, 2, 3, 5, 6, 7, 8],
        "dealer": [None, 0, 1, 2, 3],
        "direction": ["clockwise", "anticlockwise"],
        "rounds": [4, *range(1, 61)],
        "max_turns": [48, 20, 21, 4999, 5000],
        "last": ["three", "any"],
        "lie_fee": [0, 1],
    },
}


# The options that make a match of each game as short as it can be.
SHORT: dict[str, dict[str, Any]] = {
    "molotov": {"target": 1},
    "offenbach": {"target": 1},
    "molotow": {"rounds": 1},
    "differenzler": {"rounds": 4},
    "jass": {"target": 5},
    "schieber": {"rounds": 4},
    "coiffeur": {},
    "i-doubt-it": {"rounds": 1, "max_turns": 20},
}


def cards(text: str) -> list[str]:
    """Cards from the short writing of a hand."""
    return [rank + group[-1] for group in text.split() for rank in group[:-1]]


def deal(
    wanted: Mapping[int, str],
    players: int = 4,
    *,
    void: Mapping[int, str] | None = None,
) -> list[list[str]]:
    """Complete hands that hold the wanted cards; a seat gets no further card of a `void` suit."""
    avoided = dict(void or {})
    hands = [cards(wanted.get(seat, "")) for seat in range(players)]
    pack = reference.pack(players)
    given = [card for hand in hands for card in hand]
    assert len(set(given)) == len(given), "a card is wanted twice"
    size = len(pack) // players
    rest = [card for card in pack if card not in given]
    slots = [seat for seat in range(players) for _ in range(size - len(hands[seat]))]
    assert len(slots) == len(rest), "a hand is too big"
    holder: dict[int, str] = {}

    def place(card: str, tried: set[int]) -> bool:
        for slot, seat in enumerate(slots):
            if slot in tried or card[1] in avoided.get(seat, ""):
                continue
            tried.add(slot)
            if slot not in holder or place(holder[slot], tried):
                holder[slot] = card
                return True
        return False

    for card in rest:
        assert place(card, set()), f"no hand can take {card}"
    for slot, card in sorted(holder.items()):
        hands[slots[slot]].append(card)
    return hands


def packed(hands: Sequence[Sequence[str]], dealer: int) -> str:
    """The pack that deals these hands (C6): packet after packet, forehand first."""
    players = len(hands)
    left = [list(hand) for hand in hands]
    pack: list[str] = []
    for size in reference.PACKETS[players]:
        for turn in range(players):
            hand = left[(dealer + 1 + turn) % players]
            pack += hand[:size]
            del hand[:size]
    return " ".join(pack)


def dealt(pack: Sequence[str], dealer: int, players: int) -> list[list[str]]:
    """The hands, by seat and in the order received, that a pack makes (C6)."""
    cards = list(pack)
    hands: list[list[str]] = [[] for _ in range(players)]
    for size in reference.PACKETS[players]:
        for turn in range(players):
            hands[(dealer + 1 + turn) % players] += cards[:size]
            del cards[:size]
    return hands


def ordered(front: str, players: int = 4) -> str:
    """A whole pack with these cards in front and the others in their order behind."""
    first = cards(front)
    return " ".join(first + [card for card in reference.pack(players) if card not in first])


def start(name: str, hands: Sequence[Sequence[str]], **options: Any) -> jt.Match:
    """A match whose first round is dealt as given; the last seat deals by default."""
    players = len(hands)
    options.setdefault("dealer", players - 1)
    match = jt.Match(jt.game(name, players=players, **options))
    match.deal(packed(hands, options["dealer"]))
    return match


def differenzler(
    hands: Sequence[Sequence[str]],
    trump: str,
    bids: Sequence[int] | None = None,
    **options: Any,
) -> jt.Match:
    """A match of Differenzler before its first card, with this trump (drawn) and these bids."""
    match = start("differenzler", hands, **options)
    if match.needs_pack:
        match.deal(ordered("A" + trump))
    assert match.trump == trump
    for seat, bid in enumerate(bids or [0] * len(hands)):
        match.act(seat, f"bid {bid}")
    return match


def molotow(hands: Sequence[Sequence[str]], **options: Any) -> jt.Match:
    """A match of Molotow before its first card."""
    return start("molotow", hands, **options)


Place = int | Literal["blind", "dead"]


def jass_pack(
    turned: str,
    wanted: Mapping[Place, str] | None = None,
    order: Sequence[int] = (0, 1, 2, 3),
) -> str:
    """A pack for Jass that turns this card and gives these cards, besides others (JS3).

    No hand, and no blind of which cards are wanted, gets a meld, or king and queen of trumps, by
    the cards it is filled with.

    Args:
        turned: the card that makes trump: the dealer's last of four, else the first of the blind,
            or of the dead hand when two are in the match.
        wanted: cards by seat, or those of the `"blind"` and the `"dead"` hand.
        order: the seats still in the match, forehand first.
    """
    extra: dict[int, list[Place]] = {4: [], 3: ["blind"], 2: ["blind", "dead"]}
    places: list[Place] = [*order, *extra[len(order)]]
    given = {place: cards((wanted or {}).get(place, "")) for place in places}
    assert set(wanted or {}) <= set(places), "a place is not on the table"
    if turned not in given[places[-1]]:
        given[places[-1]].append(turned)
    held = [card for hand in given.values() for card in hand]
    assert len(set(held)) == len(held), "a card is wanted twice"
    rest = [card for card in reference.pack(4) if card not in held]
    rng = random.Random(f"{turned} {given}")
    for _ in range(20_000):
        rng.shuffle(rest)
        left = iter(rest)
        filled = {
            place: hand + [next(left) for _ in range(9 - len(hand))]
            for place, hand in given.items()
        }
        if all(
            not gained(filled[place], given[place], turned[1])
            for place in places
            if place in order or place in (wanted or {})
        ):
            return " ".join(laid_out(filled, order, turned))
    raise AssertionError("every deal gives some hand a meld that is not wanted")


def gained(hand: Sequence[str], wanted: Sequence[str], trump: str) -> bool:
    """Whether a hand holds a meld or the Stöck beyond the wanted cards."""
    stoeck = {"K" + trump, "Q" + trump}
    more = reference_handjass.melds(hand, trump) != reference_handjass.melds(wanted, trump)
    return more or (stoeck <= set(hand) and not stoeck <= set(wanted))


def laid_out(filled: Mapping[Place, Sequence[str]], order: Sequence[int], turned: str) -> list[str]:
    """The pack that deals these hands, the blind and the dead hand (JS3)."""
    hands = {place: list(hand) for place, hand in filled.items()}
    shown = hands[order[-1] if len(order) == 4 else "blind" if len(order) == 3 else "dead"]
    shown.remove(turned)
    shown.insert(8 if len(order) == 4 else 0, turned)
    pack = []
    for packet in range(0, 9, 3):
        for seat in order:
            pack += hands[seat][packet : packet + 3]
    return pack + hands.get("blind", []) + hands.get("dead", [])


def jass(
    turned: str,
    wanted: Mapping[Place, str] | None = None,
    players: int = 4,
    *,
    say: str = "",
    **options: Any,
) -> jt.Match:
    """A match of Jass in its first round, the last seat the dealer, after these answers (JS4).

    Args:
        turned: the card that makes trump.
        wanted: cards by place, as in `jass_pack`.
        players: number of players.
        say: the answers in turn; "" means that all stay.
        options: options of the game.
    """
    match = jt.Match(jt.game("jass", players=players, dealer=players - 1, **options))
    match.deal(jass_pack(turned, wanted, range(players)))
    say_all(match, say or "stay " * players)
    return match


def say_all(match: jt.Match, answers: str) -> None:
    """Gives these answers, each from the seat whose turn it is (JS4)."""
    for answer in answers.split():
        (seat,) = match.to_act
        match.act(seat, answer)


def play(match: jt.Match, text: str | Iterable[str]) -> None:
    """Play these cards, each from the seat whose turn it is."""
    for card in cards(text) if isinstance(text, str) else text:
        (seat,) = match.to_act
        match.act(seat, f"play {card}")


def legal(match: jt.Match) -> set[str]:
    """The cards that the seat to act may play."""
    (seat,) = match.to_act
    actions = list(match.legal(seat))
    assert all(action.startswith("play ") for action in actions)
    assert len(set(actions)) == len(actions)
    return {action.removeprefix("play ") for action in actions}


def check_choice(match: jt.Match, allowed: str, clause: str) -> None:
    """Exactly the allowed cards are legal; each other card held is refused by this clause."""
    (seat,) = match.to_act
    assert legal(match) == set(cards(allowed))
    for card in sorted(set(match.hand(seat)) - legal(match)):
        error = refused(match, seat, f"play {card}")
        assert error.clause.startswith(clause), f"{card}: {error}"


def refused(match: jt.Match, seat: Any, action: Any) -> jt.IllegalAction:
    """The refusal of an action, after checking that nothing has changed (C12)."""
    before = everything(match)
    with pytest.raises(jt.IllegalAction) as caught:
        match.act(seat, action)
    assert everything(match) == before
    return caught.value


def everything(match: jt.Match) -> str:
    """All that a match shows to anybody, as one text to compare."""
    seats = range(match.game.players)
    return json.dumps(
        {
            "record": match.record(),
            "views": [match.view(seat) for seat in [None, *seats]],
            "legal": [[len(match.legal(seat)), *match.legal(seat)[:500]] for seat in seats],
            "hands": [[str(card) for card in match.hand(seat)] for seat in seats],
            "pack": [match.needs_pack, list(match.pack)],
        },
        allow_nan=False,
    )


def shuffled(match: jt.Match, rng: random.Random) -> list[str]:
    """The awaited pack in a random order."""
    pack = [str(card) for card in match.pack]
    rng.shuffle(pack)
    return pack


def step(match: jt.Match, rng: random.Random) -> None:
    """Takes one random step: deals the awaited pack or plays a legal action."""
    if match.needs_pack:
        match.deal(shuffled(match, rng))
    else:
        seat = rng.choice(list(match.to_act))
        match.act(seat, rng.choice(match.legal(seat)))


def finish(match: jt.Match, rng: random.Random) -> None:
    """Play the match to its end at random."""
    while not match.over:
        step(match, rng)


def finish_round(match: jt.Match, rng: random.Random) -> dict[str, Any]:
    """Play at random until one more round is in the list; return that round."""
    done = len(match.rounds)
    while len(match.rounds) == done:
        step(match, rng)
    result: dict[str, Any] = match.rounds[-1]
    return result


def random_hands(players: int, rng: random.Random) -> list[list[str]]:
    """Hands from a pack shuffled by the generator."""
    pack = reference.pack(players)
    rng.shuffle(pack)
    size = len(pack) // players
    return [pack[seat * size : (seat + 1) * size] for seat in range(players)]
