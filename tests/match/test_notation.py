"""A deal and a round as a line of text: what is written parses as the same, in every game."""

import json
import random
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jasstisch as jt
from jasstisch.match import notation
from tests.match.test_decisions import played
from tests.rules import match_builders
from tests.support.example_counts import examples

ROOT = Path(__file__).parents[2]
RECORDS = ROOT / "tests" / "records"


def first_round(name: str, seed: int) -> jt.Match:
    """A match with random options, played at random to the end of its first round."""
    rng = random.Random(seed)
    options: dict[str, Any] = {
        key: rng.choice(values) for key, values in match_builders.OPTIONS[name].items()
    }
    if options["dealer"] is not None:
        options["dealer"] %= options["players"]
    if name == "i-doubt-it":
        options["max_turns"] = 20
    match = jt.Match(jt.game(name, **options))
    while not match.rounds:
        match_builders.step(match, rng)
    return match


def kept_match(name: str) -> jt.Match:
    """The match of one of the kept records."""
    text = (RECORDS / f"{name}.jass.json").read_text(encoding="utf-8")
    return jt.Match.from_record(json.loads(text))


@settings(max_examples=examples(100, 15))
@given(st.sampled_from(match_builders.ALL_GAMES), st.integers(0, 2**32))
def test_written_round_parses_as_the_same_round(name: str, seed: int) -> None:
    match = first_round(name, seed)
    line = notation.write(match, 1)
    assert line.isascii()
    assert "\n" not in line
    again = notation.parse(line)
    assert again.rounds == match.rounds
    assert again.game.options == {**match.game.options, "dealer": match.rounds[0]["dealer"]}
    assert notation.write(again, 1) == line
    assert notation.parse(line.replace(" ", " \n ")).record() == again.record()


@settings(max_examples=examples(100, 15))
@given(st.sampled_from(match_builders.ALL_GAMES), st.integers(0, 2**32))
def test_written_deal_parses_to_the_same_view_of_each_seat(name: str, seed: int) -> None:
    match = first_round(name, seed)
    line = notation.write(match, 1, play=False)
    assert notation.write(match, 1).startswith(f"{line}; ")
    again, dealt = notation.parse(line), as_dealt(match, 1)
    # A line does not contain how the dealer was drawn.
    same = {"draw": None, "options": None}
    for seat in (None, *range(match.game.players)):
        assert again.view(seat) | same == dealt.view(seat) | same


def as_dealt(match: jt.Match, number: int) -> jt.Match:
    """The match just after the last deal of a round."""
    log = match.record()["log"]
    again, steps = jt.Match(match.game), 0
    for step, (who, what) in enumerate(log, start=1):
        phase = again.view(None)["phase"]
        again.deal(what) if who == "pack" else again.act(who, what)
        steps = step if phase == "deal" else steps
        if len(again.rounds) == number:
            break
    return jt.Match.from_record(match.record() | {"log": log[:steps], "result": None})


@pytest.mark.parametrize("name", ["differenzler-1", "schieber-2", "coiffeur-1", "molotow-draw"])
def test_every_round_of_a_kept_record_round_trips(name: str) -> None:
    match = kept_match(name)
    for number, finished in enumerate(match.rounds, start=1):
        again = notation.parse(notation.write(match, number))
        assert again.rounds in ([finished], []), number
        if not again.rounds:
            assert number == len(match.rounds)  # the match ended at once


def test_void_deals_are_left_out_of_the_line__MV7() -> None:
    matches = (
        played("molotov", seed, players=3, no_trump="annul", target=1, dealer=0)
        for seed in range(2000)
    )
    match = next(
        one
        for one in matches
        if sum(who == "pack" for who, _ in one.record()["log"]) > len(one.rounds)
    )
    for number, finished in enumerate(match.rounds, start=1):
        assert notation.parse(notation.write(match, number)).rounds == [finished]


def test_round_that_a_safe_player_sits_out_cannot_be_written__JS10() -> None:
    match = kept_match("jass-2")
    complete, incomplete = set[int](), set[int]()
    for number in range(1, len(match.rounds) + 1):
        dealt = as_dealt(match, number)
        everybody = all(dealt.hand(seat) for seat in range(match.game.players))
        (complete if everybody else incomplete).add(number)
    assert complete
    assert incomplete
    for number in complete:
        assert notation.parse(notation.write(match, number)).rounds == [match.rounds[number - 1]]
    for number in incomplete:
        for play in (True, False):
            why = f"round {number} cannot be told by itself: who takes part"
            with pytest.raises(jt.GameError, match=why):
                notation.write(match, number, play=play)


@pytest.mark.parametrize("number", [0, 3, -1, True, "1"])
def test_unfinished_round_cannot_be_written(number: Any) -> None:
    with pytest.raises(jt.GameError, match="is not finished; 2 of this match are"):
        notation.write(played("molotow", rounds=2), number)


LINE = (
    "schieber rounds=4; dealer 3; hands 68QK..9Q.6JA 9J.89J.6.89T A.7TQK.7J.QK 7T.6A.8TKA.7; "
    "trump D / QH 9D JH KH / 8D 7D AD JS"
)


def test_line_that_ends_early_parses_as_a_round_in_progress() -> None:
    match = notation.parse(LINE)
    assert match.rounds == []
    assert match.trump == "D"
    assert match.hand(0) == ["6C", "8C", "QC", "KC", "9H", "6S", "AS"]
    assert [trick["winner"] for trick in match.view(None)["tricks"]] == [1, 3]
    assert match.to_act == (3,)
    assert jt.Match.from_record(match.record()).record() == match.record()


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("schieber", "poker", "unknown game 'poker'"),
        ("schieber ", "", "unknown game 'rounds=4'"),
        ("rounds=4", "rounds=5", "schieber: rounds is 0 or 4"),
        ("rounds=4", "rounds", "a house rule is written name=value, not 'rounds'"),
        ("rounds=4", "rounds=4 rounds=8", "rounds is given twice"),
        ("rounds=4", "dealer=1", "dealer is given twice"),
        ("dealer 3", "dealer 4", "dealer is None or a seat from 0 to 3, not 4"),
        ("dealer 3", "dealer x", "dealer is None or a seat from 0 to 3, not 'x'"),
        ("dealer 3; ", "", "the field `dealer` is awaited, not 'hands 68QK"),
        ("; hands 68QK..9Q.6JA 9J.89J.6.89T A.7TQK.7J.QK 7T.6A.8TKA.7", "", "`hands` is awaited"),
        ("68QK..9Q.6JA ", "", "hands: 4 are awaited, not 3"),
        ("68QK..9Q.6JA", "68QK..9Q.6J", "hands: seat 0 is dealt 9 cards, not 8"),
        ("68QK..9Q.6JA", "-", "hands: seat 0 is dealt 9 cards, not 0"),
        ("68QK..9Q.6JA", "68QK.9Q.6JA", "hands: a hand is four suits with dots between them"),
        ("68QK..9Q.6JA", "68QK..9Q.6JX", "hands: unknown card 'XS'"),
        ("68QK..9Q.6JA", "68QK..9Q.6J7", "hands: 7S twice"),
        ("; trump", "; left 6C; trump", "left: 0 cards are left, not 1"),
        ("; trump", "; last 6C; trump", "last: it is one card, of seat 3"),
        ("trump D", "trump X", "part 1 of the play, 'trump X'"),
        ("QH 9D", "QH 8C", "part 2 of the play, 'QH 8C JH KH': '8C'"),
        ("JH KH /", "JH /", "part 2 of the play ends within a trick"),
        ("8D 7D AD JS", "8D 8C", "part 3 of the play, '8D 8C': '8C': seat 2 does not hold"),
        ("8D 7D AD JS", "", "part 3 of the play, ''"),
        ("AD JS", "AD JS; 6C", "nothing stands behind what was done, not '6C'"),
        ("trump D", "drawn 6C", "part 1 of the play, 'drawn 6C': .*no pack is awaited"),
    ],
)
def test_invalid_line_is_refused_with_the_wrong_part(old: str, new: str, why: str) -> None:
    assert LINE.count(old) >= 1
    with pytest.raises(jt.GameError, match=why if ".*" in why else re.escape(why)):
        notation.parse(LINE.replace(old, new, 1))


def test_missing_draw_is_reported__DF2() -> None:
    line = notation.write(first_round("differenzler", 4), 1, play=False)
    match = notation.parse(line)
    if match.needs_pack:
        with pytest.raises(jt.GameError, match="'bid 42': a draw is awaited, such as `drawn 7D`"):
            notation.parse(f"{line}; bid 42")
        assert notation.parse(f"{line}; drawn 7d").trump == "D"


def test_play_after_the_end_of_the_round_is_refused() -> None:
    line = notation.write(played("molotow", rounds=2, dealer=0), 1)
    with pytest.raises(jt.GameError, match="part 10 of the play, '6C': the round is over"):
        notation.parse(f"{line} / 6C")


@given(st.text() | st.none() | st.integers())
def test_arbitrary_values_raise_game_error(text: Any) -> None:
    with pytest.raises(jt.GameError):
        notation.parse(text)


@given(st.data())
def test_changed_line_is_parsed_or_raises_game_error(data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(LINE) - 1))
    put = data.draw(st.text("0123456789CDHSTJQKA.;/, -=é", max_size=3))
    changed = LINE[:place] + put + LINE[place + data.draw(st.integers(0, 3)) :]
    with suppress(jt.GameError):
        jt.Match.from_record(notation.parse(changed).record())


def test_example_line_of_the_docs_is_valid() -> None:
    page = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
    line = page.partition("```text\n")[2].partition("```")[0]
    match = notation.parse(line)
    assert match.game == jt.game("differenzler", rounds=4, dealer=3)
    assert match.hand(3) == ["7C", "9C", "JC", "KC", "AC", "AD", "9H", "QH", "9S"]
