"""Any invalid input raises one of the engine's own errors and changes nothing.

hypothesis feeds actions, packs and seats to matches of every game in every phase, and arbitrary
JSON and damaged records to the record reader. Nothing but `IllegalAction`, `GameError` and
`RecordError` (with the step) may come out.
"""

import copy
import json
import random
from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

import jasstisch as jt
from tests.games.covering_options import covering_games
from tests.records.test_records import FILES, read
from tests.support.example_counts import examples

GAMES = [game for name in jt.games() for game in covering_games(name, turns=2)]
STEPS = 140

many = settings(max_examples=examples(90, 18), deadline=None)

# Any values: JSON, and objects that only a program can pass.
numbers = st.one_of(
    st.booleans(),
    st.integers(-2, 60),
    st.sampled_from([10**30, -(10**4000), 0.0, -0.0, 1.0, 0.5]),
    st.floats(),
)
texts = st.one_of(
    st.text(st.characters(codec=None), max_size=20),
    st.sampled_from(
        ["", " ", "\x00", "\ud800", "\udfff play JC", "\u0660C", "\u017fC", "x" * 100_000]
    ),
    st.sampled_from(["pack", "play", "play JC", "bid 42", "lay 3C 7D KD as J", "doubt", "NaN"]),
    st.sampled_from(["push", "trump H", "slalom tops", "joker 7 trump H"]),
)
scalars = st.one_of(st.none(), numbers, texts)
json_values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
unhashable: st.SearchStrategy[Any] = (
    st.builds(list) | st.builds(dict) | st.builds(set) | st.builds(bytearray, st.binary())
)
any_values = st.one_of(json_values, unhashable, st.binary(max_size=8), st.builds(object))


def nested(depth: int) -> list[Any]:
    """A list nested to this depth."""
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


@st.composite
def matches(draw: st.DrawFn) -> jt.Match:
    """A match of any game in any phase."""
    match = jt.Match(draw(st.sampled_from(GAMES)))
    rng = random.Random(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(0, STEPS))):
        if match.over:
            break
        if match.needs_pack:
            match.deal(rng.sample(match.pack, len(match.pack)))
        else:
            seat = rng.choice(match.to_act)
            legal = match.legal(seat)
            match.act(seat, legal[rng.randrange(len(legal))])
    return match


def action_texts(match: jt.Match) -> st.SearchStrategy[str]:
    """Texts of the words that actions of this match consist of."""
    known = {word for _, what in match.record()["log"] for word in what.split()}
    verbs = ["play", "bid", "lay", "as", "weis", "rob", "stay", "drop", "blind", "doubt", "pass"]
    verbs += ["push", "trump", "tops", "bottoms", "slalom", "guschti", "joker", "7"]
    every = [*verbs, *sorted(known), *match.game.rules.deck.texts, "-1", "158", "2", "10", "J"]
    word = st.sampled_from(every) | st.text(max_size=3)
    spaces = st.sampled_from([" ", "  ", "\t", "\n", "", "\u00a0"])
    return st.lists(st.tuples(word, spaces), max_size=7).map(
        lambda parts: "".join(one + space for one, space in parts)
    )


def snapshot(match: jt.Match) -> str:
    """Everything that a match shows to any reader, as one text."""
    seats = range(match.game.players)
    views = [match.view(reader) for reader in (None, *seats)]
    counts = [len(match.legal(seat)) for seat in seats]
    return json.dumps([match.record(), views, counts, match.to_act, match.pack])


def refusal_error(call: Callable[..., object], *given: Any, **named: Any) -> ValueError | None:
    """The engine's own error that refuses a call; None when the call succeeds.

    Any other exception is not caught: the test fails with it.
    """
    try:
        call(*given, **named)
    except (jt.IllegalAction, jt.GameError, jt.RecordError) as error:
        caught = error
    else:
        return None
    assert 0 < len(str(caught)) < 3000
    return caught


@many
@given(matches(), st.data())
def test_any_action_of_any_seat_is_done_or_refused__C12(
    match: jt.Match, data: st.DataObject
) -> None:
    """Refused means: by the engine's own error, of bounded length, and nothing has changed."""
    for _ in range(6):
        seat = data.draw(st.integers(-1, match.game.players) | any_values)
        action = data.draw(action_texts(match) | any_values)
        before = snapshot(match)
        if refusal_error(match.act, seat, action):
            assert snapshot(match) == before
            continue
        assert isinstance(action, str)
        logged = match.record()["log"][-1]
        assert logged[0] is seat
        assert logged[1] == " ".join(logged[1].split())
        return


@many
@given(matches(), st.data())
def test_refusal_predicts_the_result_of_act__C12(match: jt.Match, data: st.DataObject) -> None:
    """For any text: `refusal` is None just when `act` does it, and otherwise the same refusal."""
    seat = data.draw(st.integers(0, match.game.players - 1))
    action = data.draw(action_texts(match) | texts)
    before = snapshot(match)
    refusal = match.refusal(seat, action)
    assert snapshot(match) == before
    error = refusal_error(match.act, seat, action)
    if isinstance(error, jt.IllegalAction):
        assert error.refusal == refusal
        assert list(error.legal) == list(match.legal(seat))
    else:
        assert error is None
        assert refusal is None


@many
@given(matches(), st.data())
def test_membership_in_legal_accepts_any_value(match: jt.Match, data: st.DataObject) -> None:
    """`in` accepts any value, also for lists that are too long to be listed."""
    for seat in range(match.game.players):
        legal = match.legal(seat)
        value = data.draw(action_texts(match) | any_values)
        if value in legal:
            assert match.refusal(seat, value) is None


@many
@given(matches(), st.data())
def test_any_pack_is_taken_or_refused__C6(match: jt.Match, data: st.DataObject) -> None:
    pack = list(match.pack) or list(match.game.rules.deck.texts)
    damaged = st.permutations(pack).flatmap(
        lambda cards: st.tuples(st.integers(0, len(cards) - 1), any_values).map(
            lambda change: [*cards[: change[0]], change[1], *cards[change[0] + 1 :]]
        )
    )
    before = snapshot(match)
    awaited = match.needs_pack
    if refusal_error(match.deal, data.draw(damaged | any_values | st.permutations(pack))):
        assert snapshot(match) == before
    else:
        assert awaited


@many
@given(matches(), any_values)
def test_queries_by_any_reader_succeed_or_raise_game_error(match: jt.Match, reader: Any) -> None:
    for ask in (match.view, match.hand, match.legal, match.describe_last_action):
        error = refusal_error(ask, reader)
        assert error is None or isinstance(error, jt.GameError)


@many
@given(
    st.sampled_from(jt.games()) | any_values,
    st.dictionaries(texts, any_values, max_size=3),
    st.data(),
)
def test_any_options_make_a_game_or_are_refused(
    name: Any, options: dict[str, Any], data: st.DataObject
) -> None:
    if name in jt.games():
        known = st.sampled_from([option.name for option in jt.game(name).rules.options])
        options |= data.draw(st.dictionaries(known, any_values, max_size=3))
    if not refusal_error(jt.game, name, **options):
        game = jt.game(name, **options)
        assert all(game.options[option] == value for option, value in options.items())


# Records.


def refused_step(record: Any) -> int | None:
    """The step at which a record is refused; None when it is read and round-trips."""
    error = refusal_error(jt.Match.from_record, record)
    if error is None:
        again = jt.Match.from_record(record).record()
        assert jt.Match.from_record(again).record() == again
        return None
    assert isinstance(error, jt.RecordError)
    assert type(error.step) is int
    return error.step


@many
@given(any_values)
def test_anything_but_a_record_is_refused_as_step_0(value: Any) -> None:
    assert refused_step(value) == 0


@many
@given(
    st.sampled_from(FILES), st.dictionaries(st.sampled_from([*read(FILES[0]), "note"]), any_values)
)
def test_record_with_any_values_of_its_fields_is_read_or_refused(
    file: Any, parts: dict[str, Any]
) -> None:
    record = {**read(file), **parts}
    step = refused_step(record)
    last = len(record["log"]) + 1 if isinstance(record["log"], list) else 0
    assert step is None or 0 <= step <= last


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values within a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    found = []
    for key, one in inner:
        found.append((*path, key))
        if isinstance(one, dict | list):
            found += paths(one, (*path, key))
    return found


@many
@given(st.sampled_from(FILES), st.data())
def test_a_record_damaged_anywhere_is_read_or_refused_with_the_step(
    file: Any, data: st.DataObject
) -> None:
    """One or two values are replaced, left out or doubled; no step before them is reported."""
    record = copy.deepcopy(read(file))
    first = len(record["log"]) + 1
    for _ in range(data.draw(st.integers(1, 2))):
        path = data.draw(st.sampled_from(paths(record)))
        first = min(first, path[1] + 1 if len(path) > 1 and path[0] == "log" else 0)
        holder: Any = record
        for key in path[:-1]:
            holder = holder[key]
        match data.draw(st.sampled_from(["replace", "leave out", "double"])):
            case "replace":
                holder[path[-1]] = data.draw(any_values)
            case "leave out":
                del holder[path[-1]]
            case _ if isinstance(holder, list):
                holder.insert(path[-1], copy.deepcopy(holder[path[-1]]))
    step = refused_step(record)
    assert step is None or step == 0 or step >= first


@many
@given(st.sampled_from(FILES), st.data())
def test_a_record_with_a_damaged_text_is_read_or_refused(file: Any, data: st.DataObject) -> None:
    """A few characters of the JSON text are changed; what is still JSON is read or refused."""
    text = json.dumps(read(file))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(text) - 1))
        length = data.draw(st.integers(0, 3))
        other = data.draw(st.text('0123456789"[]{},: truefalsn6JQKACDHS', max_size=3))
        text = text[:place] + other + text[place + length :]
    try:
        record = json.loads(text)
    except json.JSONDecodeError:
        return
    refused_step(record)


@pytest.mark.parametrize("key", ["format", "game", "options", "players", "log", "result"])
def test_too_deeply_nested_records_are_refused(key: str) -> None:
    """Nested deeper than the recursion limit of Python, in every field of a record."""
    deep = nested(100_000)
    for value in (deep, [deep], {"players": deep}, [[0, deep]], [["pack", deep]], [deep] * 4):
        with pytest.raises(jt.RecordError):
            jt.Match.from_record({**read(FILES[0]), key: value})


def test_log_entries_with_invalid_numbers_are_refused() -> None:
    record = read(FILES[0])
    for number in (float("nan"), float("inf"), -float("inf"), 10**5000, True):
        for entry in ([number, "play JC"], ["pack", number], [0, number]):
            assert refused_step({**record, "log": [record["log"][0], entry]}) == 2
