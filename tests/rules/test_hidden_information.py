"""What a seat cannot know changes nothing that it is shown.

At every step of a match, and for every reader, a second match is made that differs only in what
that reader cannot know: the cards still in the hands of others are mixed among these, as far as
the cards already played stay legal; hidden bids of others are replaced; so is whatever of a pack
was never seen. It is replayed through the public names only, and the reader's view, encoded, must
be the same byte for byte.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

import jasstisch as jt
from tests.rules import reference, rounds, tables

Log = list[tuple[Any, str]]


@dataclass
class Story:
    """A match as it went: its game, its log, and before each entry and at the end the state."""

    game: jt.Game
    log: Log
    phases: list[str]
    dealers: list[Any]

    @classmethod
    def of(cls, match: jt.Match) -> Story:
        """The story of a match."""
        log = [(who, what) for who, what in match.record()["log"]]
        again = jt.Match(match.game)
        views = [again.view(None)]
        for entry in log:
            enter(again, entry)
            views.append(again.view(None))
        phases, dealers = zip(*((view["phase"], view["dealer"]) for view in views), strict=True)
        return cls(match.game, log, list(phases), list(dealers))

    def told(self, steps: int) -> jt.Match:
        """The match after so many steps."""
        return replayed(self.game, self.log[:steps])


def enter(match: jt.Match, entry: tuple[Any, str]) -> None:
    """Do one entry of a log."""
    if entry[0] == "pack":
        match.shuffle(entry[1])
    else:
        match.act(*entry)


def replayed(game: jt.Game, log: Sequence[tuple[Any, str]]) -> jt.Match:
    """The match that a log makes."""
    match = jt.Match(game)
    for entry in log:
        enter(match, entry)
    return match


def reshuffled(what: str, known: int, rng: random.Random) -> str:
    """A pack of which only the first cards were seen, the rest in another order."""
    cards = what.split()
    rest = cards[known:]
    rng.shuffle(rest)
    return " ".join(cards[:known] + rest)


def unseen_packs(story: Story, log: Log, rng: random.Random) -> None:
    """Replace what nobody ever sees of the packs for draws (C5, DF2, MW8)."""
    decided = 0
    for number, (phase, (_, what)) in enumerate(zip(story.phases, log, strict=False)):
        if phase == "draw":
            log[number] = ("pack", reshuffled(what, story.game.players, rng))
        elif phase == "trump":
            cards = what.split()
            rng.shuffle(cards)
            front = next(card for card in cards if card[1] == what[1])
            cards.remove(front)
            log[number] = ("pack", " ".join([front, *cards]))
        elif phase == "decide":
            done = replayed(story.game, story.log[: number + 1]).rounds
            decided = sum(len(draw) for draw in done[-1]["draw"])
            log[number] = ("pack", reshuffled(what, decided, rng))


def start_of_round(story: Story, steps: int) -> int | None:
    """The entry that dealt the round in progress after so many steps; None between rounds."""
    if story.phases[steps] in {"draw", "deal", "over"}:
        return None
    return max(number for number in range(steps) if story.phases[number] == "deal")


def other_bids(story: Story, log: Log, since: int, reader: int | None, rng: random.Random) -> None:
    """Replace the hidden bids of others in the round in progress (DF3)."""
    if story.game.options.get("bids") != "hidden":
        return
    for number in range(since, len(log)):
        seat, _ = log[number]
        if story.phases[number] == "bid" and seat not in {"pack", reader}:
            log[number] = (seat, f"bid {rng.randint(0, 157)}")


def other_hands(story: Story, log: Log, since: int, reader: int | None, rng: random.Random) -> None:
    """Mix what the others still hold, as far as what they have played stays legal."""
    players = story.game.players
    dealer = story.dealers[since]
    hands = tables.dealt(log[since][1].split(), dealer, players)
    out = {what.removeprefix("play ") for _, what in log[since + 1 :]}
    if story.game.options.get("trump") == "bottom":
        out.add(hands[dealer][-1])  # shown to all
    places = [
        (seat, number)
        for seat in range(players)
        for number, card in enumerate(hands[seat])
        if seat != reader and card not in out
    ]

    def attempt(order: list[tuple[int, int]]) -> bool:
        mixed = [list(hand) for hand in hands]
        for (seat, number), (from_seat, from_number) in zip(places, order, strict=True):
            mixed[seat][number] = hands[from_seat][from_number]
        entry = ("pack", tables.packed(mixed, dealer))
        try:
            replayed(story.game, [*log[:since], entry, *log[since + 1 :]])
        except jt.IllegalAction:
            return False
        log[since] = entry
        hands[:] = mixed
        return True

    if attempt(rng.sample(places, len(places))) or len(places) < 2:
        return
    for _ in range(8):
        order = list(places)
        one, two = rng.sample(range(len(places)), 2)
        order[one], order[two] = order[two], order[one]
        attempt(order)


def alternative(story: Story, steps: int, reader: int | None, rng: random.Random) -> Log:
    """Another log of so many steps that the reader cannot tell from the true one."""
    log = list(story.log[:steps])
    unseen_packs(story, log, rng)
    since = start_of_round(story, steps)
    if since is not None:
        other_bids(story, log, since, reader, rng)
        other_hands(story, log, since, reader, rng)
    return log


def shown(match: jt.Match, reader: int | None) -> str:
    """All that a match tells this reader: view, last action, what is legal, why the rest is not."""
    told: dict[str, Any] = {"view": match.view(reader)}
    log = match.record()["log"]
    if log and log[-1][0] != "pack":
        told["last"] = match.told(reader)
    if reader is not None:
        told["legal"] = list(match.legal(reader))
        told["refused"] = [
            str(match.refusal(reader, f"play {card}"))
            for card in reference.pack(match.game.players)
        ]
    return json.dumps(told, allow_nan=False)


def check(match: jt.Match, rng: random.Random) -> None:
    """No reader, at no step, sees a difference; and the others' cards did differ."""
    story = Story.of(match)
    readers = [None, *range(match.game.players)]
    changed = 0
    for steps in range(len(story.log) + 1):
        true = story.told(steps)
        for reader in readers:
            log = alternative(story, steps, reader, rng)
            changed += log != story.log[:steps]
            assert shown(replayed(match.game, log), reader) == shown(true, reader), (
                f"{match.game} after step {steps}: seat {reader} can tell\n{log}\nfrom\n"
                f"{story.log[:steps]}"
            )
    assert changed > len(readers) * len(story.log) / 2


CASES: list[tuple[str, int, dict[str, Any]]] = [
    *(("molotov", players, {}) for players in (3, 4, 5, 6)),
    ("molotov", 4, {"undertrump": "if_void", "ties": "generous"}),
    *(("offenbach", players, {}) for players in (3, 4, 5)),
    ("molotow", 4, {}),
    ("molotow", 4, {"undertrump": "strict"}),
    ("molotow", 4, {"undertrump": "literal"}),
    ("differenzler", 4, {}),
    ("differenzler", 3, {}),
    ("differenzler", 4, {"trump": "bottom", "undertrump": "free"}),
    ("differenzler", 4, {"bids": "open", "show_points": "all"}),
    ("differenzler", 3, {"trump": "bottom", "bids": "open"}),
    ("differenzler", 4, {"show_points": "all", "exact_bonus": 10}),
]


@pytest.mark.parametrize(("name", "players", "options"), CASES)
def test_a_view_holds_nothing_the_seat_cannot_know(
    name: str, players: int, options: dict[str, Any]
) -> None:
    """At every step of a round and a half only what a reader may know is in the view."""
    rng = random.Random(f"{name} {players} {options}")
    match = jt.Match(jt.game(name, players=players, **options))
    tables.finish_round(match, rng)
    for _ in range(12):
        if not match.over:
            tables.step(match, rng)
    check(match, rng)


def test_the_deciding_draw_shows_only_the_cards_drawn__MW8() -> None:
    """Before and after a deciding draw the rest of its pack is in no view."""
    match = rounds.played("molotow", (20, 20, 20, 97), rounds=1)
    match.shuffle(tables.ordered("KC KS KH 9D 7C 8C"))
    rng = random.Random(8)
    story = Story.of(match)
    for steps in (len(story.log) - 1, len(story.log)):
        for reader in (None, 0, 1, 2, 3):
            log = alternative(story, steps, reader, rng)
            true = story.told(steps)
            assert shown(replayed(match.game, log), reader) == shown(true, reader)
    assert alternative(story, len(story.log), 0, rng)[-1] != story.log[-1]


def test_a_finished_differenzler_shows_no_pack() -> None:
    """At the end of a match the packs behind the drawn trumps are still unknown."""
    rng = random.Random(9)
    match = jt.Match(jt.game("differenzler", rounds=4))
    tables.finish(match, rng)
    story = Story.of(match)
    log = alternative(story, len(story.log), 0, rng)
    assert log != story.log
    for reader in (None, 0, 1, 2, 3):
        assert shown(replayed(match.game, log), reader) == shown(match, reader)


def test_the_second_match_does_differ() -> None:
    """The check is not empty: with the cards of others in view it would fail."""
    rng = random.Random(10)
    match = jt.Match(jt.game("molotov", dealer=0))
    tables.step(match, rng)
    story = Story.of(match)
    other = replayed(match.game, alternative(story, 1, 0, rng))
    assert list(other.hand(0)) == list(match.hand(0))
    assert all(list(other.hand(seat)) != list(match.hand(seat)) for seat in (1, 2, 3))
