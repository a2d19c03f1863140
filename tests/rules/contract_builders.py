"""Builders for the games in two sides: a match up to its first card, rounds that end as wanted.

Seats 0 and 2 are side 0, seats 1 and 3 side 1; unless a test says otherwise seat 3 deals, so that
seat 0 is forehand. With *whole suits* each seat holds one suit: whoever leads under tops takes all,
and so does whoever holds the trumps.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import jasstisch as jt
from tests.rules import match_builders, reference, reference_contracts, reference_handjass
from tests.rules.match_builders import cards, packed, play

READERS: tuple[int | None, ...] = (None, 0, 1, 2, 3)
WHOLE_SUITS = [[rank + suit for rank in reference.PLAIN_ORDER] for suit in "CDHS"]


def public(match: jt.Match, key: str) -> Any:
    """The value of a key, checked to be the same for every reader."""
    values = [match.view(reader)[key] for reader in READERS]
    assert all(value == values[0] for value in values), f"{key} differs: {values}"
    return values[0]


def announced(name: str, hands: Sequence[Sequence[str]], say: str = "", **options: Any) -> jt.Match:
    """A match whose first round is dealt as given, after these announcements and pushes.

    Args:
        name: the game.
        hands: nine cards for each seat.
        say: what is said in turn, separated by commas: `"push, trump H"`.
        options: options of the game.
    """
    match = match_builders.start(name, hands, **options)
    tell(match, say)
    return match


def schieber(hands: Sequence[Sequence[str]], say: str = "", **options: Any) -> jt.Match:
    """A match of Schieber in its first round."""
    return announced("schieber", hands, say, **options)


def coiffeur(hands: Sequence[Sequence[str]], say: str = "", **options: Any) -> jt.Match:
    """A match of Coiffeur in its first round."""
    return announced("coiffeur", hands, say, **options)


def tell(match: jt.Match, say: str) -> None:
    """Announces or pushes, separated by commas, each time from the seat whose turn it is."""
    for text in filter(None, (part.strip() for part in say.split(","))):
        (seat,) = match.to_act
        match.act(seat, text)


def deal(match: jt.Match, hands: Sequence[Sequence[str]], say: str = "") -> None:
    """Deals these hands in any round of a match, then announces as in `tell`."""
    match.deal(packed(hands, match.view(None)["dealer"]))
    tell(match, say)


def forehand(match: jt.Match) -> int:
    """The seat after the dealer (C5)."""
    dealer: int = match.view(None)["dealer"]
    return (dealer + 1) % 4


def random_hands(seed: int) -> list[list[str]]:
    """Four random hands of nine cards."""
    return match_builders.random_hands(4, random.Random(seed))


def quiet_hands(wanted: Mapping[int, str]) -> list[list[str]]:
    """Hands with these cards that hold no meld and no king with its queen besides.

    A seat of which nine cards are wanted is left as it is.
    """
    given = [cards(wanted.get(seat, "")) for seat in range(4)]
    held = [card for hand in given for card in hand]
    assert len(set(held)) == len(held), "a card is wanted twice"
    rest = [card for card in reference.pack(4) if card not in held]
    rng = random.Random(repr(given))
    for _ in range(20_000):
        rng.shuffle(rest)
        left = iter(rest)
        hands = [hand + [next(left) for _ in range(9 - len(hand))] for hand in given]
        if not any(gained(*pair) for pair in zip(hands, given, strict=True)):
            return hands
    raise AssertionError("every deal gives some hand a meld or a pair that is not wanted")


def gained(hand: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether a hand holds a meld, or a king with its queen, beyond the wanted cards."""
    pairs = [{"K" + suit, "Q" + suit} for suit in reference.SUITS]
    more = reference_handjass.melds(hand, "") != reference_handjass.melds(wanted, "")
    return more or any(pair <= set(hand) and not pair <= set(wanted) for pair in pairs)


def first_plays(match: jt.Match) -> Iterator[str]:
    """The plays of the seat to act, without Weis."""
    (seat,) = match.to_act
    return (action for action in match.legal(seat) if not action.endswith(" weis"))


def trick(match: jt.Match, *announcing: int) -> dict[str, Any]:
    """Play one trick, each the first card allowed; these seats announce Weis; return the trick."""
    tricks, finished = len(match.view(None)["tricks"]), len(match.rounds)
    while len(match.view(None)["tricks"]) == tricks and len(match.rounds) == finished:
        (seat,) = match.to_act
        match.act(seat, next(first_plays(match)) + (" weis" if seat in announcing else ""))
    result: dict[str, Any] = match.view(None)["last_trick"] or match.rounds[-1]["tricks"][-1]
    return result


def finish_round(match: jt.Match) -> dict[str, Any]:
    """Play the round to its end, each the first card allowed, announcing no Weis."""
    finished = len(match.rounds)
    while len(match.rounds) == finished:
        (seat,) = match.to_act
        match.act(seat, next(first_plays(match)))
    result: dict[str, Any] = match.rounds[-1]
    return result


def sweep(match: jt.Match, say: str = "tops") -> dict[str, Any]:
    """Plays a round of whole suits: under tops the leader takes all nine tricks."""
    deal(match, WHOLE_SUITS, say)
    return finish_round(match)


def sweeps(match: jt.Match, *announcements: str) -> None:
    """Plays several rounds of whole suits, one after the other."""
    for say in announcements:
        sweep(match, say)


def with_points(
    side: int, points: int, leader: int, contract: str, hands: Sequence[Sequence[str]] | None = None
) -> reference_contracts.Played:
    """A random round, by a fixed seed, in which a side has these card points."""
    rng = random.Random(f"{side} {points} {leader} {contract}")
    for _ in range(5000):
        dealt = hands or match_builders.random_hands(4, rng)
        found = reference_contracts.play_round(dealt, leader, contract, rng)
        if found.points[side] == points and len({seat % 2 for seat in found.winners}) == 2:
            return found
    raise AssertionError("no such round was found")


def drive(match: jt.Match, side: int, points: int, contract: str) -> dict[str, Any]:
    """Plays a round in which this side makes these card points; forehand announces."""
    found = with_points(side, points, forehand(match), contract)
    deal(match, found.hands, contract)
    play(match, found.cards)
    result: dict[str, Any] = match.rounds[-1]
    return result


def sides(figures: Sequence[int]) -> tuple[int, int]:
    """A figure given per seat, by side; checks that partners have the same (CT1)."""
    assert len(figures) == 4
    assert figures[0] == figures[2]
    assert figures[1] == figures[3]
    return figures[0], figures[1]


def totals(match: jt.Match) -> tuple[int, int]:
    """The points of both sides in the standing; checks that partners have the same."""
    return sides([entry["points"] for entry in match.standing])


def meld_groups(value: Any) -> list[tuple[int, tuple[str, ...]]]:
    """All melds within a part of a view, as points and cards, in a fixed order.

    Whether the melds of two partners stand in one list or in one for each seat is left open.
    """
    if isinstance(value, dict):
        if {"cards", "points"} <= value.keys():
            return [(value["points"], tuple(reference_handjass.in_order(value["cards"])))]
        value = list(value.values())
    if isinstance(value, list):
        return sorted(group for part in value for group in meld_groups(part))
    return []


def melds(*texts: str) -> list[tuple[int, tuple[str, ...]]]:
    """Melds written as `"20 678S"`, as `meld_groups` gives them."""
    split = [text.split(" ", 1) for text in texts]
    return sorted(
        (int(points), tuple(reference_handjass.in_order(cards(rest)))) for points, rest in split
    )


def shown_cards(view: Mapping[str, Any]) -> set[str]:
    """Every card that stands anywhere in a view."""
    text = json.dumps(view)
    return {card for card in reference.pack(4) if f'"{card}"' in text}
