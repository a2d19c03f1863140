"""What a reader sees does not depend on what is hidden from it.

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
class History:
    """The history of a match: its log, and the state before each entry and at the end."""

    game: jt.Game
    log: Log
    phases: list[str]
    dealers: list[Any]
    hands: list[list[list[str]]]
    public_cards: list[set[str]]

    @classmethod
    def of(cls, match: jt.Match) -> History:
        """Replays the log of a match."""
        log = [(who, what) for who, what in match.record()["log"]]
        again = jt.Match(match.game)
        views, hands = [again.view(None)], [hands_of(again)]
        for entry in log:
            apply_entry(again, entry)
            views.append(again.view(None))
            hands.append(hands_of(again))
        phases, dealers = zip(*((view["phase"], view["dealer"]) for view in views), strict=True)
        public_cards = [public_cards_of(view) for view in views]
        return cls(match.game, log, list(phases), list(dealers), hands, public_cards)

    def match_after(self, steps: int) -> jt.Match:
        """The match after this number of steps."""
        return replayed(self.game, self.log[:steps])


def hands_of(match: jt.Match) -> list[list[str]]:
    """The hands by seat."""
    return [match.hand(seat) for seat in range(match.game.players)]


def public_cards_of(view: dict[str, Any]) -> set[str]:
    """The cards that the rules show to all: trump card, Weis shown, cards turned up by a doubt.

    Cards played are in the log.
    """
    cards: set[str] = {card for card in (view.get("shown"), view.get("turned")) if card}
    for meld in (view.get("weis_shown") or {"melds": []})["melds"]:
        cards |= set(meld["cards"])
    for turn in view.get("turns", []):
        if turn["doubter"] is not None:
            cards |= set(turn["laid"])
    return cards


def apply_entry(match: jt.Match, entry: tuple[Any, str]) -> None:
    """Applies one entry of a log."""
    if entry[0] == "pack":
        match.deal(entry[1])
    else:
        match.act(*entry)


def replayed(game: jt.Game, log: Sequence[tuple[Any, str]]) -> jt.Match:
    """The match after all entries of a log."""
    match = jt.Match(game)
    for entry in log:
        apply_entry(match, entry)
    return match


def shuffled_beyond(what: str, known: int, rng: random.Random) -> str:
    """A pack with its first `known` cards, which were seen, and the rest shuffled."""
    cards = what.split()
    rest = cards[known:]
    rng.shuffle(rest)
    return " ".join(cards[:known] + rest)


def replace_unseen_draws(history: History, log: Log, rng: random.Random) -> None:
    """Replaces the cards of draws that no reader ever sees (C5, DF2, MW8)."""
    decided = 0
    for number, (phase, (_, what)) in enumerate(zip(history.phases, log, strict=False)):
        if phase == "draw":
            log[number] = ("pack", shuffled_beyond(what, history.game.players, rng))
        elif phase == "trump":
            cards = what.split()
            rng.shuffle(cards)
            front = next(card for card in cards if card[1] == what[1])
            cards.remove(front)
            log[number] = ("pack", " ".join([front, *cards]))
        elif phase == "decide":
            done = replayed(history.game, history.log[: number + 1]).rounds
            decided = sum(len(draw) for draw in done[-1]["draw"])
            log[number] = ("pack", shuffled_beyond(what, decided, rng))


def start_of_round(history: History, steps: int) -> int | None:
    """The entry that dealt the round in progress after these steps; None between rounds."""
    if history.phases[steps] in {"draw", "deal", "over"}:
        return None
    return max(number for number in range(steps) if history.phases[number] == "deal")


def replace_hidden_bids(
    history: History, log: Log, since: int, reader: int | None, rng: random.Random
) -> None:
    """Replaces the hidden bids of others in the round in progress (DF3)."""
    if history.game.options.get("bids") != "hidden":
        return
    for number in range(since, len(log)):
        seat, _ = log[number]
        if history.phases[number] == "bid" and seat not in {"pack", reader}:
            log[number] = (seat, f"bid {rng.randint(0, 157)}")


def shuffle_hidden_hands(
    history: History, log: Log, since: int, reader: int | None, rng: random.Random
) -> None:
    """Shuffles the cards still held by others, as far as their plays stay legal."""
    players = history.game.players
    dealer = history.dealers[since]
    hands = match_builders.dealt(log[since][1].split(), dealer, players)
    out = {what.removeprefix("play ") for _, what in log[since + 1 :]}
    if history.game.options.get("trump") == "bottom":
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
            replayed(history.game, [*log[:since], entry, *log[since + 1 :]])
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


def rounds_of(history: History, steps: int) -> list[range]:
    """The log entries of each round begun within these steps, the deal first."""
    starts = [number for number in range(steps) if history.phases[number] == "deal"]
    return [range(*pair) for pair in pairwise([*starts, steps])]


def known_cards(history: History, entries: range, reader: int | None) -> set[str]:
    """The cards of a round that a reader has held or seen."""
    states = range(entries.start + 1, entries.stop + 1)
    known = {card for state in states for card in history.public_cards[state]}
    if reader is not None:
        known |= {card for state in states for card in history.hands[state][reader]}
    for _, what in history.log[entries.start + 1 : entries.stop]:
        if what.startswith("play "):
            known.add(what.split()[1])
    return known


def shuffle_hidden_cards_except_weis(
    history: History, log: Log, steps: int, reader: int | None, rng: random.Random
) -> None:
    """Shuffles hands of others, the blind, and hands laid away, as far as play stays legal.

    Announced Weis is public, so it must not change.
    """

    def announcements(found: Log) -> Any:
        view = replayed(history.game, found).view(None)
        return view["announced"], view["weis_shown"], view["rounds"]

    def attempt(since: int, places: list[int], order: list[int]) -> bool:
        cards, mixed = log[since][1].split(), log[since][1].split()
        for place, other in zip(places, order, strict=True):
            mixed[place] = cards[other]
        found = [*log[:since], ("pack", " ".join(mixed)), *log[since + 1 :]]
        try:
            same = bool(announcements(found) == true)
        except jt.IllegalAction:
            return False
        if same:
            log[since] = found[since]
        return same

    true = announcements(log)
    for entries in rounds_of(history, steps):
        known = known_cards(history, entries, reader)
        pack = log[entries.start][1].split()
        places = [place for place, card in enumerate(pack) if card not in known]
        if len(places) < 2 or attempt(entries.start, places, rng.sample(places, len(places))):
            continue
        for _ in range(6):
            order = list(places)
            one, two = rng.sample(range(len(places)), 2)
            order[one], order[two] = order[two], order[one]
            attempt(entries.start, places, order)


def swap_unseen_cards(
    history: History, log: Log, steps: int, reader: int | None, rng: random.Random
) -> None:
    """Swaps the cards that the reader has never seen, wherever they were dealt or laid."""
    for entries in rounds_of(history, steps):
        known = known_cards(history, entries, reader)
        pack = history.log[entries.start][1].split()
        unseen = [card for card in pack if card not in known]
        renamed = dict(zip(unseen, rng.sample(unseen, len(unseen)), strict=True))
        for number in entries:
            who, what = log[number]
            log[number] = (who, " ".join(renamed.get(word, word) for word in what.split(" ")))


def alternative_log(history: History, steps: int, reader: int | None, rng: random.Random) -> Log:
    """Another log of these steps that the reader cannot distinguish from the true one."""
    log = list(history.log[:steps])
    replace_unseen_draws(history, log, rng)
    if history.game.name in {"jass", "schieber"}:
        shuffle_hidden_cards_except_weis(history, log, steps, reader, rng)
        return log
    if history.game.name == "i-doubt-it":
        swap_unseen_cards(history, log, steps, reader, rng)
        return log
    since = start_of_round(history, steps)
    if since is not None:
        replace_hidden_bids(history, log, since, reader, rng)
        shuffle_hidden_hands(history, log, since, reader, rng)
    return log


def shown(match: jt.Match, reader: int | None) -> str:
    """All that a match shows this reader: view, last action, legal actions, reasons of refusals."""
    seen: dict[str, Any] = {"view": match.view(reader)}
    log = match.record()["log"]
    if log and log[-1][0] != "pack":
        seen["last"] = match.describe_last_action(reader)
    if reader is not None:
        seen["legal"] = [len(match.legal(reader)), *match.legal(reader)[:300]]
        tries = [f"play {card}" for card in reference.pack(match.game.players)]
        tries += [f"play {card} weis" for card in reference.pack(match.game.players)]
        tries += ["rob", "blind", "stay", "doubt", "lay 2C 3C 4C as 2", "lay AC AD AH as A"]
        tries += ["push", "trump H", "bottoms", "slalom tops", "guschti tops", "joker 7 tops"]
        seen["refused"] = [str(match.refusal(reader, action)) for action in tries]
    return json.dumps(seen, allow_nan=False)


def check_views_are_equal(
    match: jt.Match, rng: random.Random, most: int = examples(500, 6)
) -> None:
    """Checks that at no step any reader sees a difference, though the hidden cards do differ.

    In a long match only `most` steps are checked, and the last one.
    """
    history = History.of(match)
    readers = [None, *range(match.game.players)]
    changed = 0
    moments = [*range(len(history.log))]
    moments = [*sorted(rng.sample(moments, min(most, len(moments)))), len(history.log)]
    for steps in moments:
        true = history.match_after(steps)
        for reader in readers:
            log = alternative_log(history, steps, reader, rng)
            changed += log != history.log[:steps]
            assert shown(replayed(match.game, log), reader) == shown(true, reader), (
                f"{match.game} after step {steps}: seat {reader} can tell\n{log}\nfrom\n"
                f"{history.log[:steps]}"
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
def test_view_does_not_depend_on_information_hidden_from_its_reader(
    name: str, players: int, options: dict[str, Any]
) -> None:
    """At every step of a round and a half."""
    rng = random.Random(f"{name} {players} {options}")
    match = jt.Match(jt.game(name, players=players, **options))
    match_builders.finish_round(match, rng)
    for _ in range(12):
        if not match.over:
            match_builders.step(match, rng)
    check_views_are_equal(match, rng)


def lively_step(match: jt.Match, rng: random.Random) -> None:
    """A random step: most stay and announce Weis, few doubt, and many claims are true."""
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
def test_view_does_not_depend_on_hidden_blinds_weis_or_claims__JS4_JS7_SC3_ID4(
    name: str, players: int, options: dict[str, Any], length: int
) -> None:
    """Hidden are the blind, hands laid away, melds not announced, and cards laid face down."""
    rng = random.Random(f"{name} {players} {options}")
    match = jt.Match(jt.game(name, players=players, **options))
    for _ in range(length):
        if not match.over:
            lively_step(match, rng)
    assert match.rounds
    check_views_are_equal(match, rng, most=examples(60, 5))


@pytest.mark.parametrize(("name", "players"), [("jass", 3), ("schieber", 4), ("i-doubt-it", 3)])
def test_alternative_match_with_weis_or_claims_has_other_hidden_cards(
    name: str, players: int
) -> None:
    """So the check is not vacuous there: the hands of others do differ."""
    rng = random.Random(12)
    match = jt.Match(jt.game(name, players=players, dealer=players - 1))
    for _ in range(6):
        lively_step(match, rng)
    history = History.of(match)
    other = replayed(match.game, alternative_log(history, 6, 0, rng))
    assert match.hand(0) == other.hand(0) != []
    assert match.hand(1) != other.hand(1)
    assert match.hand(2) != other.hand(2)


def test_the_deciding_draw_shows_only_the_cards_drawn__MW8() -> None:
    """The rest of its pack is in no view, neither before nor after the draw."""
    match = scored_rounds.played("molotow", (20, 20, 20, 97), rounds=1)
    match.deal(match_builders.ordered("KC KS KH 9D 7C 8C"))
    rng = random.Random(8)
    history = History.of(match)
    for steps in (len(history.log) - 1, len(history.log)):
        for reader in (None, 0, 1, 2, 3):
            log = alternative_log(history, steps, reader, rng)
            true = history.match_after(steps)
            assert shown(replayed(match.game, log), reader) == shown(true, reader)
    assert alternative_log(history, len(history.log), 0, rng)[-1] != history.log[-1]


def test_finished_differenzler_does_not_reveal_the_packs_of_its_trump_draws() -> None:
    """At the end of a match only the suits of the drawn cards are known."""
    rng = random.Random(9)
    match = jt.Match(jt.game("differenzler", rounds=4))
    match_builders.finish(match, rng)
    history = History.of(match)
    log = alternative_log(history, len(history.log), 0, rng)
    assert log != history.log
    for reader in (None, 0, 1, 2, 3):
        assert shown(replayed(match.game, log), reader) == shown(match, reader)


def test_alternative_match_has_other_hidden_cards() -> None:
    """So the check is not vacuous: with the cards of others in a view it would fail."""
    rng = random.Random(10)
    match = jt.Match(jt.game("molotov", dealer=0))
    match_builders.step(match, rng)
    history = History.of(match)
    other = replayed(match.game, alternative_log(history, 1, 0, rng))
    assert list(other.hand(0)) == list(match.hand(0))
    assert all(list(other.hand(seat)) != list(match.hand(seat)) for seat in (1, 2, 3))
