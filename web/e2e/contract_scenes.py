"""Prints moments of Schieber and Coiffeur as a page receives them, as JSON, for the browser tests.

The packs are arranged, so that a push, a Weis, Stöck, a match or a slate with few open lines come
when a test wants them. Views, legal actions and refusals are the engine's own.
"""

import json
import sys
from collections.abc import Iterator
from typing import Any

from jass_scenes import ALL, act, scene

import jasstisch as jt

PLAYERS = 4


def deal(match: jt.Match, hands: dict[int, str] | None = None) -> None:
    """Deals these cards and fills the hands up with the remaining ones."""
    held = {seat: (hands or {}).get(seat, "").split() for seat in range(PLAYERS)}
    named = {card for cards in held.values() for card in cards}
    # Spread the remaining cards, so that no hand gets a whole suit.
    rest = [card for card in (ALL[i * 7 % 36] for i in range(36)) if card not in named]
    for cards in held.values():
        cards += [rest.pop(0) for _ in range(9 - len(cards))]
    forehand = (match.view(None)["dealer"] + 1) % PLAYERS
    seats = [(forehand + i) % PLAYERS for i in range(PLAYERS)]
    match.deal(
        " ".join(
            card for start in (0, 3, 6) for seat in seats for card in held[seat][start : start + 3]
        )
    )


def begun(game: str, dealer: int, **options: Any) -> jt.Match:
    """A match before its first deal; the dealer is fixed, so nobody draws."""
    return jt.Match(jt.game(game, dealer=dealer, **options))


def play_on(match: jt.Match, *announcements: str) -> None:
    """Makes these announcements in turn, then plays legal cards to the end of the round."""
    for text in announcements:
        match.act(match.to_act[0], text)
    while not match.needs_pack and not match.over:
        seat = match.to_act[0]
        legal = match.legal(seat)
        # Play the highest legal card, so that both sides win tricks.
        match.act(seat, max((one for one in legal if not one.endswith("weis")), key=rank))


def rank(action: str) -> int:
    """The rank of a card in an ordinary suit."""
    return "6789TJQKA".index(action.split()[1][0])


def cards(match: jt.Match, *plays: str) -> None:
    """Plays these cards in turn, each from the seat to act."""
    for play in plays:
        match.act(match.to_act[0], play)


STRONG = {
    0: "7D 8D 9D TD JH 9H AH KH QH",
    1: "QC KC AC 6D 6H 8S 9S TS JS",
    2: "7C 8C 9C QD TH 7H AD 7S TC",
}
"""Seat 0 holds a run of four and the Stöck of hearts, seat 1 a run of four, seat 2 one of four."""

MATCH = {0: "AC KC AD KD AH KH AS KS QS", 2: "QC JC QD JD QH JH JS TS TC"}
"""Seats 0 and 2 take all tricks at tops."""


def schieber() -> Iterator[tuple[str, dict[str, Any]]]:
    """The moments of Schieber."""
    match = begun("schieber", 3)
    deal(match, STRONG)
    yield "schieber_asked", scene(match, "0 push; 2 trump H; 0 play 7D")

    match = begun("schieber", 1, multipliers="swiss", slalom="on")
    deal(match, STRONG)
    act(match, "2 push")
    yield "schieber_pushed", scene(match, "0 slalom bottoms; 2 play TC")

    match = begun("schieber", 0)
    deal(match, STRONG)
    yield "schieber_others", scene(match, "1 push; 3 bottoms")

    weis = "0 play 7D weis; 1 play 6D weis; 2 play AD weis; 3 play JD"
    stoeck = "2 play TH; 3 play 8H; 0 play KH; 1 play 6H"
    for name, before, then in (
        ("schieber_weis", "", f"{weis}; 2 play TH"),
        ("schieber_play", f"{weis}; {stoeck}", "0 play QH; 1 play 8S; 2 play 7H; 3 play 6S"),
    ):
        match = begun("schieber", 3, multipliers="swiss")
        deal(match, STRONG)
        act(match, "; ".join(filter(None, ("0 push; 2 trump H", before))))
        yield name, scene(match, then)

    # The partner's card lies below their plate, where their announcement is shown.
    match = begun("schieber", 3, slalom="on", multipliers="french")
    deal(match, STRONG)
    act(match, "0 push; 2 slalom tops; 0 play 7D; 1 play 6D; 2 play QD")
    yield "schieber_slalom", scene(match)
    yield "schieber_watched", scene(match, seat=None)

    match = begun("schieber", 3, multipliers="swiss")
    deal(match, STRONG)
    act(match, f"0 push; 2 trump H; {weis}; {stoeck}; 0 play QH")
    play_on(match)
    yield "schieber_round", scene(match)

    match = begun("schieber", 3)
    deal(match, MATCH)
    match.act(0, "tops")
    while len(match.hand(0)) > 4 or match.trick:
        match.act(match.to_act[0], match.legal(match.to_act[0])[0])
    found = scene(match, "; ".join(f"{seat} {action}" for seat, action in match.play_out_sure_tricks(0)))
    # While the rest is played nobody is on turn.
    yield "schieber_rest", {**found, "steps": [{**one, "turn": None} for one in found["steps"]]}

    match = begun("schieber", 3)
    deal(match, MATCH)
    play_on(match, "tops")
    yield "schieber_match", scene(match)
    for text in ("bottoms", "trump S", "push;trump D", "tops"):
        deal(match)
        play_on(match, *text.split(";"))
    deal(match)
    act(match, f"{match.to_act[0]} push")
    yield "schieber_slate", scene(match)

    match = begun("schieber", 3, multipliers="swiss")
    while not match.over:
        deal(match, MATCH)
        play_on(match, "tops")
    yield "schieber_won", scene(match)
    yield "schieber_lost", scene(match, seat=1)
    yield "schieber_seen", scene(match, seat=None)


def coiffeur() -> Iterator[tuple[str, dict[str, Any]]]:
    """The moments of Coiffeur."""
    match = begun("coiffeur", 3)
    deal(match)
    yield "coiffeur_first", scene(match, "0 push; 1 joker 7 trump S")

    match = begun("coiffeur", 3, lines="ten")
    lines = ["trump C", "push;trump H", "joker 9 tops", "trump S", "bottoms", "slalom tops"]
    for text in lines:
        deal(match)
        play_on(match, *text.split(";"))
    deal(match)
    act(match, "2 push; 3 push")
    yield "coiffeur_ten", scene(match, "0 guschti bottoms")
    yield "coiffeur_must", scene(forced(), seat=0)

    match = begun("coiffeur", 2)
    deal(match)
    act(match, "3 push; 0 joker 8 bottoms; 0 play 6C")
    yield "coiffeur_play", scene(match)
    yield "coiffeur_watched", scene(match, seat=None)

    match = begun("coiffeur", 3)
    deal(match, MATCH)
    play_on(match, "joker 8 tops")
    yield "coiffeur_round", scene(match)

    match = finished(side_done=0)
    yield "coiffeur_closed", scene(match, seat=0)
    match = finished(side_done=None)
    yield "coiffeur_over", scene(match)


def forced() -> jt.Match:
    """A match in which all have pushed, so that forehand, the reader, must announce."""
    match = begun("coiffeur", 3, suits="french")
    deal(match)
    act(match, "0 push; 1 push; 2 push; 3 push")
    return match


def finished(side_done: int | None) -> jt.Match:
    """A match in which a side has played all its lines and must announce, or which is over."""
    match = begun("coiffeur", 3)
    while not match.over:
        deal(match)
        asked = match.to_act[0]
        standing = match.standing[asked]
        if side_done is not None and asked == 0 and len(standing["lines"]) == 8:
            return match
        while True:
            seat = match.to_act[0]
            lines = [one for one in match.legal(seat) if one != "push"]
            # The side that must finish first announces whenever it can.
            wanted = side_done is None or seat % 2 == side_done or match.legal(seat)[-1] != "push"
            if lines and wanted:
                play_on(match, lines[0])
                break
            match.act(seat, "push")
    return match


def scenes() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every moment by its name."""
    yield from schieber()
    yield from coiffeur()


if __name__ == "__main__":
    json.dump(dict(scenes()), sys.stdout)
