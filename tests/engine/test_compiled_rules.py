"""The rules of `tricks` and `melds` run as plain Python and compiled, and say the same."""

import random
from collections.abc import Iterator

from jasstisch.engine import melds, tricks
from jasstisch.search.jit.compiler import kernel

POSITIONS = 10_000
UNDERTRUMP = (tricks.FREE, tricks.IF_VOID, tricks.STRICT, tricks.FORCED, tricks.LITERAL)


def random_positions(seed: int) -> Iterator[tuple[int, int, int, int, int]]:
    """Hands before tricks as they can arise: hand, suit led, ranking, highest trump, undertrump."""
    rng = random.Random(seed)
    for _ in range(POSITIONS):
        cards = rng.sample(range(36), rng.randint(1, 17))
        held = rng.randint(1, min(9, len(cards)))
        hand, trick = sum(1 << card for card in cards[:held]), cards[held:][:5]
        if rng.random() < 0.2:  # fours and long runs, which chance seldom deals
            hand = rng.choice(melds.FOURS) | rng.choice(melds.FOURS) | 31 << rng.randrange(31)
        ranking = rng.choice(tricks.RANKINGS)
        led = trick[0] // 9 if trick else -1
        top = -1
        for card in trick:
            if ranking != led and card // 9 == ranking:
                top = card if top < 0 or tricks.beats(card, top, ranking) else top
        yield hand, led, ranking, top, rng.choice(UNDERTRUMP)


def questions(hand: int, led: int, ranking: int, top: int, undertrump: int) -> tuple[int, ...]:
    """All that a playout asks of the rules, for one position."""
    legal = tricks.legal_cards(hand, led, ranking, top, undertrump)
    card = 0
    while not legal >> card & 1:
        card += 1
    best = top if top >= 0 else card
    run = melds.first_run(hand)
    fours = melds.best_fours(hand, ranking)
    points, strength = melds.split_value(hand, fours, ranking)
    laid, highest = tricks.best_card_after(card, best, top, ranking)
    return (
        legal,
        tricks.trump_after(card, led, ranking),
        1 if tricks.beats(card, best, ranking) else 0,
        laid,
        highest,
        tricks.card_points(card, ranking),
        tricks.points(hand, ranking),
        run,
        melds.molotov_points(run, undertrump == 0) if run else 0,
        fours,
        points,
        strength,
    )


def test_compiled_rules_equal_the_plain_ones_on_10000_random_positions() -> None:
    """The very functions of the engine are compiled, as the search does it."""
    compiled = kernel(questions)
    for position in random_positions(seed=1):
        assert compiled(*position) == questions(*position), position
