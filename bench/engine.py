"""Rounds per second of the engine in plain Python, on one core.

Two figures for random four-player Differenzler: whole rounds through the public `Match` (packs,
bids, plays, scoring and log), and the bare rules of `tricks` alone. Run it on an idle machine:

    python -m bench.engine
"""

import json
import platform
import random
import sys
import time
from collections.abc import Callable

import jasstisch as jt
from jasstisch import tricks
from jasstisch.cards import JASS

SECONDS = 3.0
REPEATS = 5


def match_rounds(rng: random.Random) -> int:
    """Plays one random match of sixteen rounds and returns their number."""
    match = jt.Match(jt.game("differenzler", rounds=16))
    pack = list(JASS.texts)
    pick = rng.random
    while not match.over:
        if match.needs_pack:
            rng.shuffle(pack)
            match.shuffle(pack)
        else:
            seat = match.to_act[0]
            legal = match.legal(seat)
            match.act(seat, legal[int(pick() * len(legal))])
    return 16


def bare_rounds(rng: random.Random) -> int:
    """Plays sixteen random rounds with the functions of `tricks` alone and returns their number."""
    pack = list(range(36))
    for _ in range(16):
        rng.shuffle(pack)
        hands = [sum([1 << card for card in pack[9 * seat : 9 * seat + 9]]) for seat in range(4)]
        bare_round(hands, rng.randrange(4), rng.random)
    return 16


def bare_round(hands: list[int], trump: int, pick: Callable[[], float]) -> list[int]:
    """Plays one random round from these hands; the points of each seat."""
    legal_cards, beats, void = tricks.legal_cards, tricks.beats, tricks.IF_VOID
    taken = [0, 0, 0, 0]
    winner = 0
    for _ in range(9):
        seat = winner
        led = best = top = -1
        cards = 0
        for _ in range(4):
            choice = legal_cards(hands[seat], led, trump, top, void)
            for _ in range(int(pick() * choice.bit_count())):
                choice &= choice - 1
            bit = choice & -choice
            card = bit.bit_length() - 1
            hands[seat] ^= bit
            cards |= bit
            if led < 0:
                led, best = card // 9, card
            elif beats(card, best, trump):
                best, winner = card, seat
                if card // 9 == trump:
                    top = card
            seat = (seat + 1) & 3
        taken[winner] |= cards
    scores = [tricks.points(cards, trump) for cards in taken]
    scores[winner] += tricks.LAST_TRICK
    return scores


def rate(play: Callable[[random.Random], int]) -> float:
    """Rounds per second: the median of several runs."""
    figures = []
    for repeat in range(REPEATS):
        rng = random.Random(repeat)
        rounds, start = 0, time.perf_counter()
        while time.perf_counter() - start < SECONDS / REPEATS:
            rounds += play(rng)
        figures.append(rounds / (time.perf_counter() - start))
    return sorted(figures)[REPEATS // 2]


def main() -> int:
    """Prints the figures as one JSON object."""
    figures = {
        "python": platform.python_version(),
        "match_rounds_per_second": round(rate(match_rounds)),
        "bare_rounds_per_second": round(rate(bare_rounds)),
    }
    json.dump(figures, sys.stdout, indent=2)
    print()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
