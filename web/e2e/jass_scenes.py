"""Prints moments of Handjass as a page receives them, as JSON, for the browser tests.

Chance brings a Weis, a robbery or a safe player only now and then; here the packs are arranged, so
that each comes when a test wants it. Views, legal actions and refusals are the engine's own.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import jasstisch as jt

RANKS = "6789TJQKA"
ALL = [rank + suit for suit in "CDHS" for rank in RANKS]


def pack(order: Sequence[int], hands: dict[int, str], blind: str = "", turned: str = "") -> str:
    """A pack that deals these cards and fills the hands up with the remaining ones.

    `order` are the seats still in the match, forehand first; `turned` is the card turned up, and
    with three in the match it lies in the blind.
    """
    held = {seat: hands.get(seat, "").split() for seat in order}
    below = blind.split()
    named = {card for cards in held.values() for card in cards} | set(below) | {turned}
    rest = [card for card in ALL if card not in named]
    for seat in order:
        if len(order) == 4 and seat == order[-1]:
            held[seat] = held[seat] + [rest.pop(0) for _ in range(8 - len(held[seat]))] + [turned]
        held[seat] += [rest.pop(0) for _ in range(9 - len(held[seat]))]
    dealt = [
        card for start in (0, 3, 6) for seat in order for card in held[seat][start : start + 3]
    ]
    if len(order) == 2:
        below += [rest.pop(0) for _ in range(9 - len(below))]
        return " ".join([*dealt, *below, turned, *rest])
    if len(order) == 3:
        return " ".join([*dealt, turned, *below, *rest])
    return " ".join(dealt)


def act(match: jt.Match, actions: str) -> None:
    """Performs actions written as `1 stay; 2 drop; 0 play JC weis`."""
    for one in actions.split(";"):
        seat, action = one.strip().split(" ", 1)
        match.act(int(seat), action)


def trick(match: jt.Match, *plays: str) -> None:
    """Plays the cards named, then the first legal one of each seat until the trick is taken."""
    for card in plays:
        match.act(match.to_act[0], card)
    while match.trick:
        match.act(match.to_act[0], match.legal(match.to_act[0])[0])


def order(match: jt.Match) -> list[int]:
    """The seats still in the match, forehand first."""
    view = match.view(None)
    seats = [seat for seat, one in enumerate(view["standing"]) if not one["safe"]]
    first = (view["dealer"] + 1) % len(view["players"])
    return sorted(seats, key=lambda seat: (seat - first) % len(view["players"]))


def make_safe(match: jt.Match, seat: int) -> None:
    """Deals rounds in which all but one drop, until that one is safe."""
    while not match.standing[seat]["safe"]:
        match.deal(pack(order(match), {}, turned="8S"))
        while not match.needs_pack and not match.over:
            turn = match.to_act[0]
            match.act(turn, "stay" if turn == seat else "drop")


def turn(match: jt.Match, seat: int) -> dict[str, Any] | None:
    """What the server sends to a seat that may act."""
    if seat not in match.to_act:
        return None
    legal = list(match.legal(seat))
    refused = {}
    for card in match.hand(seat):
        refusal = match.refusal(seat, f"play {card}")
        if refusal is not None:
            refused[card] = {"clause": refusal.clause, "reason": refusal.reason}
    rest = bool(match.sure_tricks(seat))
    return {"legal": legal, "more": False, "refused": refused, "seconds": None, "rest": rest}


def scene(match: jt.Match, then: str = "", seat: int | None = 0) -> dict[str, Any]:
    """The moment as a seat or a spectator receives it, and that after each following action."""
    steps = []
    now = moment(match, seat)
    for one in filter(None, (text.strip() for text in then.split(";"))):
        actor, action = one.split(" ", 1)
        act(match, one)
        steps.append({"seat": int(actor), "action": action, **moment(match, seat)})
    return {**now, "reader": seat, "steps": steps}


def moment(match: jt.Match, seat: int | None) -> dict[str, Any]:
    """View, turn and the phase of the room."""
    phase = "over" if match.over else "between" if match.needs_pack else "playing"
    mine = None if seat is None else turn(match, seat)
    return {"view": match.view(seat), "turn": mine, "phase": phase}


def begun(players: int, dealer: int, **options: Any) -> jt.Match:
    """A match before its first deal; the dealer is fixed, so nobody draws."""
    return jt.Match(jt.game("jass", players=players, dealer=dealer, target=5, **options))


FOUR_HANDS = {
    0: "7D 8D 9D TD JC 9H AS 6C 6S",
    1: "QC KC AC 6D 7H 8S 9S TS JS",
    2: "7C 8C 9C QD KH QH AD 7S TC",
}


def scenes() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every moment by its name."""
    match = begun(4, 0)
    match.deal(pack([1, 2, 3, 0], {}, turned="JH"))
    act(match, "1 stay; 2 drop; 3 stay")
    yield "four_asked", scene(match)

    match = begun(4, 3)
    match.deal(pack([0, 1, 2, 3], FOUR_HANDS, turned="AH"))
    act(match, "0 stay; 1 stay; 2 stay; 3 drop")
    yield "four_weis", scene(match, "0 play 7D weis; 1 play 6D; 2 play QD; 2 play QH; 0 play 9H")

    match = begun(3, 1)
    match.deal(pack([2, 0, 1], {0: "6H 7D 8D 9D TD JS QS KS AS"}, turned="AH"))
    act(match, "2 stay")
    yield "three_asked", scene(match, "0 blind; 1 stay")

    match = begun(3, 1)
    hands = {0: "6H 7D 8D 9D TD JS QS KS AS", 2: "6C 7C 8C KD AD QD KC AC JC"}
    match.deal(pack([2, 0, 1], hands, turned="AH"))
    act(match, "2 stay; 0 stay; 1 stay; 2 play KD weis")
    yield "three_rob", scene(match, "0 rob")

    match = begun(2, 0)
    match.deal(pack([1, 0], {}, turned="AH"))
    act(match, "1 stay")
    yield "two_asked", scene(match, "0 blind")

    match = begun(2, 1)
    match.deal(pack([0, 1], {0: "6H 7D 8D 9D TD JS QS KS AS"}, turned="AH"))
    act(match, "0 stay; 1 blind; 0 rob")
    act(match, f"0 play {match.hand(0)[0]}")
    yield "two_play", scene(match)
    yield "two_watched", scene(match, seat=None)

    match = begun(4, 3)
    match.deal(pack([0, 1, 2, 3], FOUR_HANDS, turned="AH"))
    act(match, "0 drop; 1 stay; 2 stay; 3 stay; 1 play AC; 2 play 7C")
    yield "dropped", scene(match)
    yield "watched", scene(match, seat=None)

    match = begun(4, 3)
    make_safe(match, 1)
    match.deal(pack(order(match), {}, turned="AH"))
    first, *others = order(match)
    act(match, f"{first} blind; {others[0]} stay; {others[1]} stay")
    while match.to_act != (0,) or not match.trick:
        match.act(match.to_act[0], match.legal(match.to_act[0])[0])
    yield "one_safe", scene(match)

    match = begun(4, 3)
    make_safe(match, 0)
    make_safe(match, 2)
    match.deal(pack(order(match), {}, turned="AH"))
    first, second = order(match)
    act(match, f"{first} stay; {second} blind")
    match.act(match.to_act[0], match.legal(match.to_act[0])[0])
    yield "two_left", scene(match)

    match = begun(4, 3)
    make_safe(match, 3)
    hands = {0: "7D 8D 9D TD QH KH AS 6C 6S", 1: "JD QD KD JS 9S TS 9C KC AC"}
    match.deal(pack(order(match), hands, turned="AH"))
    act(match, "; ".join(f"{seat} {'drop' if seat == 2 else 'stay'}" for seat in order(match)))
    trick(
        match,
        *("play 7D weis" if seat == 0 else "play JD weis" for seat in match.view(0)["playing"]),
    )
    while not match.needs_pack:
        trick(match, match.legal(match.to_act[0])[0])
    yield "round", scene(match)

    match = begun(3, 0)
    match.deal(pack([1, 2, 0], {}, turned="AH"))
    act(match, "1 drop")
    yield "alone", scene(match, "2 drop")

    match = begun(4, 3)
    for seat in (1, 2, 3):
        make_safe(match, seat)
    yield "lost", scene(match)

    match = begun(4, 3)
    for seat in (0, 1, 3):
        make_safe(match, seat)
    yield "won", scene(match)


if __name__ == "__main__":
    json.dump(dict(scenes()), sys.stdout)
