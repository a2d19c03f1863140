"""What a seat cannot know changes nothing that it is shown.

At every step of a match, and for every reader, a second match is made that differs only in what
that reader cannot know: the cards still in the hands of others are mixed among these, as far as
the cards already played stay legal; hidden bids of others are replaced; so is whatever of a pack
was never seen. At Jass the blind and all hands laid away are mixed too, in the rounds gone by as
well, and at Schieber what was left in the hands when the match ended; at I Doubt It all cards the
reader has not held and that were not turned up change places, also in what the others have laid. It
is replayed through the public names only, and the reader's view, encoded, must be the same byte for
byte.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest

import jasstisch as jt
from tests.rules import match_builders, reference, scored_rounds
from tests.support.example_counts import examples

Log = list[tuple[Any, str]]


@dataclass
class Story:
    """A match as it went: its game, its log, and before each entry and at the end the state."""

    game: jt.Game
    log: Log
    phases: list[str]
    dealers: list[Any]
    hands: list[list[list[str]]]
    opened: list[set[str]]

    @classmethod
    def of(cls, match: jt.Match) -> Story:
        """The story of a match."""
        log = [(who, what) for who, what in match.record()["log"]]
        again = jt.Match(match.game)
        views, hands = [again.view(None)], [hands_of(again)]
        for entry in log:
            enter(again, entry)
            views.append(again.view(None))
            hands.append(hands_of(again))
        phases, dealers = zip(*((view["phase"], view["dealer"]) for view in views), strict=True)
        opened = [laid_open(view) for view in views]
        return cls(match.game, log, list(phases), list(dealers), hands, opened)

    def told(self, steps: int) -> jt.Match:
        """The match after so many steps."""
        return replayed(self.game, self.log[:steps])


def hands_of(match: jt.Match) -> list[list[str]]:
    """The hands by seat."""
    return [match.hand(seat) for seat in range(match.game.players)]


def laid_open(view: dict[str, Any]) -> set[str]:
    """The cards that the rules lay open to all: trump card, Weis shown, cards turned up by a doubt.

    Cards played are found in the log.
    """
    cards: set[str] = {card for card in (view.get("shown"), view.get("turned")) if card}
    for meld in (view.get("weis_shown") or {"melds": []})["melds"]:
        cards |= set(meld["cards"])
    for turn in view.get("turns", []):
        if turn["doubter"] is not None:
            cards |= set(turn["laid"])
    return cards


def enter(match: jt.Match, entry: tuple[Any, str]) -> None:
    """Do one entry of a log."""
    if entry[0] == "pack":
        match.deal(entry[1])
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
    hands = match_builders.dealt(log[since][1].split(), dealer, players)
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
        entry = ("pack", match_builders.packed(mixed, dealer))
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


def rounds_of(story: Story, steps: int) -> list[range]:
    """The log entries of each round begun within so many steps, the deal first."""
    starts = [number for number in range(steps) if story.phases[number] == "deal"]
    return [range(*pair) for pair in pairwise([*starts, steps])]


def known_cards(story: Story, entries: range, reader: int | None) -> set[str]:
    """The cards of a round that a reader has held or seen laid open."""
    states = range(entries.start + 1, entries.stop + 1)
    known = {card for state in states for card in story.opened[state]}
    if reader is not None:
        known |= {card for state in states for card in story.hands[state][reader]}
    for _, what in story.log[entries.start + 1 : entries.stop]:
        if what.startswith("play "):
            known.add(what.split()[1])
    return known


def unseen_beside_weis(
    story: Story, log: Log, steps: int, reader: int | None, rng: random.Random
) -> None:
    """Mix hands of others, the blind, and all that was laid away, as far as play stays legal.

    What is announced as Weis is public, so that it must stay as it was.
    """

    def heard(found: Log) -> Any:
        view = replayed(story.game, found).view(None)
        return view["announced"], view["weis_shown"], view["rounds"]

    def attempt(since: int, places: list[int], order: list[int]) -> bool:
        cards, mixed = log[since][1].split(), log[since][1].split()
        for place, other in zip(places, order, strict=True):
            mixed[place] = cards[other]
        found = [*log[:since], ("pack", " ".join(mixed)), *log[since + 1 :]]
        try:
            same = bool(heard(found) == true)
        except jt.IllegalAction:
            return False
        if same:
            log[since] = found[since]
        return same

    true = heard(log)
    for entries in rounds_of(story, steps):
        known = known_cards(story, entries, reader)
        pack = log[entries.start][1].split()
        places = [place for place, card in enumerate(pack) if card not in known]
        if len(places) < 2 or attempt(entries.start, places, rng.sample(places, len(places))):
            continue
        for _ in range(6):
            order = list(places)
            one, two = rng.sample(range(len(places)), 2)
            order[one], order[two] = order[two], order[one]
            attempt(entries.start, places, order)


def unseen_of_doubt(
    story: Story, log: Log, steps: int, reader: int | None, rng: random.Random
) -> None:
    """Let the cards the reader has never seen change places, wherever they are dealt and laid."""
    for entries in rounds_of(story, steps):
        known = known_cards(story, entries, reader)
        pack = story.log[entries.start][1].split()
        unseen = [card for card in pack if card not in known]
        renamed = dict(zip(unseen, rng.sample(unseen, len(unseen)), strict=True))
        for number in entries:
            who, what = log[number]
            log[number] = (who, " ".join(renamed.get(word, word) for word in what.split(" ")))


def alternative(story: Story, steps: int, reader: int | None, rng: random.Random) -> Log:
    """Another log of so many steps that the reader cannot tell from the true one."""
    log = list(story.log[:steps])
    unseen_packs(story, log, rng)
    if story.game.name in {"jass", "schieber"}:
        unseen_beside_weis(story, log, steps, reader, rng)
        return log
    if story.game.name == "i-doubt-it":
        unseen_of_doubt(story, log, steps, reader, rng)
        return log
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
        told["last"] = match.describe_last_action(reader)
    if reader is not None:
        told["legal"] = [len(match.legal(reader)), *match.legal(reader)[:300]]
        tries = [f"play {card}" for card in reference.pack(match.game.players)]
        tries += [f"play {card} weis" for card in reference.pack(match.game.players)]
        tries += ["rob", "blind", "stay", "doubt", "lay 2C 3C 4C as 2", "lay AC AD AH as A"]
        tries += ["push", "trump H", "bottoms", "slalom tops", "guschti tops", "joker 7 tops"]
        told["refused"] = [str(match.refusal(reader, action)) for action in tries]
    return json.dumps(told, allow_nan=False)


def check(match: jt.Match, rng: random.Random, most: int = examples(1000, 6)) -> None:
    """No reader, at no step, sees a difference; and the others' cards did differ.

    Of a long match only so many steps are looked at, the last one among them.
    """
    story = Story.of(match)
    readers = [None, *range(match.game.players)]
    changed = 0
    moments = [*range(len(story.log))]
    moments = [*sorted(rng.sample(moments, min(most, len(moments)))), len(story.log)]
    for steps in moments:
        true = story.told(steps)
        for reader in readers:
            log = alternative(story, steps, reader, rng)
            changed += log != story.log[:steps]
            assert shown(replayed(match.game, log), reader) == shown(true, reader), (
                f"{match.game} after step {steps}: seat {reader} can tell\n{log}\nfrom\n"
                f"{story.log[:steps]}"
            )
    assert changed > len(readers) * len(moments) / 2


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
    ("coiffeur", 4, {}),
    ("coiffeur", 4, {"lines": "ten", "undertrump": "forced"}),
]


@pytest.mark.parametrize(("name", "players", "options"), CASES)
def test_a_view_holds_nothing_the_seat_cannot_know(
    name: str, players: int, options: dict[str, Any]
) -> None:
    """At every step of a round and a half only what a reader may know is in the view."""
    rng = random.Random(f"{name} {players} {options}")
    match = jt.Match(jt.game(name, players=players, **options))
    match_builders.finish_round(match, rng)
    for _ in range(12):
        if not match.over:
            match_builders.step(match, rng)
    check(match, rng)


def lively_step(match: jt.Match, rng: random.Random) -> None:
    """A step of chance: most stay and announce Weis, at I Doubt It few doubt and many tell true."""
    if match.needs_pack:
        match_builders.step(match, rng)
        return
    (seat,) = match.to_act
    legal = match.legal(seat)
    if match.game.name in {"jass", "schieber"}:
        liked = [action for action in legal if action.split()[-1] in {"stay", "rob", "weis"}]
        match.act(seat, rng.choice(liked if liked and rng.random() < 0.7 else legal))
    elif match.view(None)["phase"] == "answer":
        match.act(seat, "doubt" if rng.random() < 0.2 else "pass")
    else:
        words = rng.choice(legal).split()
        same = [card for card in match.hand(seat) if card[0] == words[1][0]]
        if len(same) >= len(words) - 3:
            words = ["lay", *same[: len(words) - 3], "as", same[0][0]]
        match.act(seat, " ".join(words))


LIVELY: list[tuple[str, int, dict[str, Any], int]] = [
    ("jass", 2, {}, 110),
    ("jass", 3, {}, 110),
    ("jass", 4, {}, 110),
    ("jass", 3, {"undertrump": "forced", "target": 5}, 150),
    ("jass", 4, {"ties": "generous"}, 110),
    ("schieber", 4, {}, 60),
    ("schieber", 4, {"slalom": "on", "undertrump": "forced"}, 60),
    ("schieber", 4, {"multipliers": "french"}, 1000),
    ("i-doubt-it", 2, {"max_turns": 20}, 70),
    ("i-doubt-it", 3, {"last": "any", "max_turns": 20}, 90),
    ("i-doubt-it", 4, {"lie_fee": 1}, 120),
    ("i-doubt-it", 6, {"max_turns": 20}, 200),
    ("i-doubt-it", 8, {"max_turns": 20, "last": "any"}, 220),
    ("i-doubt-it", 8, {"max_turns": 20, "rounds": 1}, 1000),
]


@pytest.mark.parametrize(("name", "players", "options", "length"), LIVELY)
def test_a_view_holds_nothing_of_blinds_weis_and_claims_the_seat_cannot_know__JS4_JS7_SC3_ID4(
    name: str, players: int, options: dict[str, Any], length: int
) -> None:
    """The blind, hands laid away, melds kept silent, cards laid unseen: none is in a view."""
    rng = random.Random(f"{name} {players} {options}")
    match = jt.Match(jt.game(name, players=players, **options))
    for _ in range(length):
        if not match.over:
            lively_step(match, rng)
    assert match.rounds
    check(match, rng, most=examples(60, 5))


@pytest.mark.parametrize(("name", "players"), [("jass", 3), ("schieber", 4), ("i-doubt-it", 3)])
def test_the_second_match_with_weis_or_claims_does_differ(name: str, players: int) -> None:
    """The check is not empty there either: the hands of others and the rest are other cards."""
    rng = random.Random(12)
    match = jt.Match(jt.game(name, players=players, dealer=players - 1))
    for _ in range(6):
        lively_step(match, rng)
    story = Story.of(match)
    other = replayed(match.game, alternative(story, 6, 0, rng))
    assert match.hand(0) == other.hand(0) != []
    assert match.hand(1) != other.hand(1)
    assert match.hand(2) != other.hand(2)


def test_the_deciding_draw_shows_only_the_cards_drawn__MW8() -> None:
    """Before and after a deciding draw the rest of its pack is in no view."""
    match = scored_rounds.played("molotow", (20, 20, 20, 97), rounds=1)
    match.deal(match_builders.ordered("KC KS KH 9D 7C 8C"))
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
    match_builders.finish(match, rng)
    story = Story.of(match)
    log = alternative(story, len(story.log), 0, rng)
    assert log != story.log
    for reader in (None, 0, 1, 2, 3):
        assert shown(replayed(match.game, log), reader) == shown(match, reader)


def test_the_second_match_does_differ() -> None:
    """The check is not empty: with the cards of others in view it would fail."""
    rng = random.Random(10)
    match = jt.Match(jt.game("molotov", dealer=0))
    match_builders.step(match, rng)
    story = Story.of(match)
    other = replayed(match.game, alternative(story, 1, 0, rng))
    assert list(other.hand(0)) == list(match.hand(0))
    assert all(list(other.hand(seat)) != list(match.hand(seat)) for seat in (1, 2, 3))
