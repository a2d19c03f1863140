"""Whatever anybody types or sends, the engine answers with its own errors and stays as it was.

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

many = settings(max_examples=examples(150, 18), deadline=None)

# What may stand anywhere: JSON, and what only a program can hand over.
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
things = st.one_of(json_values, unhashable, st.binary(max_size=8), st.builds(object))


def nested(depth: int) -> list[Any]:
    """Lists in lists in lists."""
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


def words(match: jt.Match) -> st.SearchStrategy[str]:
    """Texts made of the words that actions of this match are made of."""
    known = {word for _, what in match.record()["log"] for word in what.split()}
    verbs = ["play", "bid", "lay", "as", "weis", "rob", "stay", "drop", "blind", "doubt", "pass"]
    verbs += ["push", "trump", "tops", "bottoms", "slalom", "guschti", "joker", "7"]
    every = [*verbs, *sorted(known), *match.game.rules.deck.texts, "-1", "158", "2", "10", "J"]
    word = st.sampled_from(every) | st.text(max_size=3)
    spaces = st.sampled_from([" ", "  ", "\t", "\n", "", "\u00a0"])
    return st.lists(st.tuples(word, spaces), max_size=7).map(
        lambda parts: "".join(one + space for one, space in parts)
    )


def shown(match: jt.Match) -> str:
    """All that a match tells anybody, as one text."""
    seats = range(match.game.players)
    views = [match.view(reader) for reader in (None, *seats)]
    counts = [len(match.legal(seat)) for seat in seats]
    return json.dumps([match.record(), views, counts, match.to_act, match.pack])


def refused(call: Callable[..., object], *given: Any, **named: Any) -> ValueError | None:
    """The engine's own error with which a call is refused; None when it is done.

    Any other exception is not caught: the test fails with it.
    """
    try:
        call(*given, **named)
    except (jt.IllegalAction, jt.GameError, jt.RecordError) as error:
        told = error
    else:
        return None
    assert 0 < len(str(told)) < 3000
    return told


@many
@given(matches(), st.data())
def test_any_action_of_any_seat_is_done_or_refused__C12(
    match: jt.Match, data: st.DataObject
) -> None:
    """Refused means: by the engine's own error, of bounded length, and nothing has changed."""
    for _ in range(6):
        seat = data.draw(st.integers(-1, match.game.players) | things)
        action = data.draw(words(match) | things)
        before = shown(match)
        if refused(match.act, seat, action):
            assert shown(match) == before
            continue
        assert isinstance(action, str)
        logged = match.record()["log"][-1]
        assert logged[0] is seat
        assert logged[1] == " ".join(logged[1].split())
        return


@many
@given(matches(), st.data())
def test_refusal_says_beforehand_what_act_will_do__C12(
    match: jt.Match, data: st.DataObject
) -> None:
    """For any text: `refusal` is None just when `act` does it, and otherwise the same refusal."""
    seat = data.draw(st.integers(0, match.game.players - 1))
    action = data.draw(words(match) | texts)
    before = shown(match)
    refusal = match.refusal(seat, action)
    assert shown(match) == before
    error = refused(match.act, seat, action)
    if isinstance(error, jt.IllegalAction):
        assert error.refusal == refusal
        assert list(error.legal) == list(match.legal(seat))
    else:
        assert error is None
        assert refusal is None


@many
@given(matches(), st.data())
def test_whether_any_text_is_legal_can_be_asked(match: jt.Match, data: st.DataObject) -> None:
    """`in` takes anything, also for the lists that are too long to be written out."""
    for seat in range(match.game.players):
        legal = match.legal(seat)
        thing = data.draw(words(match) | things)
        if thing in legal:
            assert match.refusal(seat, thing) is None


@many
@given(matches(), st.data())
def test_any_pack_is_taken_or_refused__C6(match: jt.Match, data: st.DataObject) -> None:
    pack = list(match.pack) or list(match.game.rules.deck.texts)
    damaged = st.permutations(pack).flatmap(
        lambda cards: st.tuples(st.integers(0, len(cards) - 1), things).map(
            lambda change: [*cards[: change[0]], change[1], *cards[change[0] + 1 :]]
        )
    )
    before = shown(match)
    awaited = match.needs_pack
    if refused(match.deal, data.draw(damaged | things | st.permutations(pack))):
        assert shown(match) == before
    else:
        assert awaited


@many
@given(matches(), things)
def test_any_reader_sees_a_view_or_is_refused(match: jt.Match, reader: Any) -> None:
    for ask in (match.view, match.hand, match.legal, match.describe_last_action):
        error = refused(ask, reader)
        assert error is None or isinstance(error, jt.GameError)


@many
@given(st.sampled_from(jt.games()) | things, st.dictionaries(texts, things, max_size=3), st.data())
def test_any_options_make_a_game_or_are_refused(
    name: Any, options: dict[str, Any], data: st.DataObject
) -> None:
    if name in jt.games():
        known = st.sampled_from([option.name for option in jt.game(name).rules.options])
        options |= data.draw(st.dictionaries(known, things, max_size=3))
    if not refused(jt.game, name, **options):
        game = jt.game(name, **options)
        assert all(game.options[option] == value for option, value in options.items())


# Records.


def replayed(record: Any) -> int | None:
    """The step at which a record is refused; None where it is read, and can be written again."""
    error = refused(jt.Match.from_record, record)
    if error is None:
        again = jt.Match.from_record(record).record()
        assert jt.Match.from_record(again).record() == again
        return None
    assert isinstance(error, jt.RecordError)
    assert type(error.step) is int
    return error.step


@many
@given(things)
def test_anything_but_a_record_is_refused_as_step_0(thing: Any) -> None:
    assert replayed(thing) == 0


@many
@given(st.sampled_from(FILES), st.dictionaries(st.sampled_from([*read(FILES[0]), "note"]), things))
def test_a_record_with_any_parts_is_read_or_refused(file: Any, parts: dict[str, Any]) -> None:
    record = {**read(file), **parts}
    step = replayed(record)
    last = len(record["log"]) + 1 if isinstance(record["log"], list) else 0
    assert step is None or 0 <= step <= last


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every value within a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    found = []
    for key, one in inner:
        found.append((*path, key))
        if isinstance(one, dict | list):
            found += places(one, (*path, key))
    return found


@many
@given(st.sampled_from(FILES), st.data())
def test_a_record_damaged_anywhere_is_read_or_refused_with_the_step(
    file: Any, data: st.DataObject
) -> None:
    """One or two values are replaced, left out or doubled; no sound step before them is named."""
    record = copy.deepcopy(read(file))
    first = len(record["log"]) + 1
    for _ in range(data.draw(st.integers(1, 2))):
        path = data.draw(st.sampled_from(places(record)))
        first = min(first, path[1] + 1 if len(path) > 1 and path[0] == "log" else 0)
        holder: Any = record
        for key in path[:-1]:
            holder = holder[key]
        match data.draw(st.sampled_from(["replace", "leave out", "double"])):
            case "replace":
                holder[path[-1]] = data.draw(things)
            case "leave out":
                del holder[path[-1]]
            case _ if isinstance(holder, list):
                holder.insert(path[-1], copy.deepcopy(holder[path[-1]]))
    step = replayed(record)
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
    replayed(record)


@pytest.mark.parametrize("key", ["format", "game", "options", "players", "log", "result"])
def test_lists_in_lists_without_end_are_refused(key: str) -> None:
    """Deeper than Python can follow, at every place of a record."""
    deep = nested(100_000)
    for value in (deep, [deep], {"players": deep}, [[0, deep]], [["pack", deep]], [deep] * 4):
        with pytest.raises(jt.RecordError):
            jt.Match.from_record({**read(FILES[0]), key: value})


def test_numbers_that_are_no_seats_are_refused() -> None:
    record = read(FILES[0])
    for number in (float("nan"), float("inf"), -float("inf"), 10**5000, True):
        for entry in ([number, "play JC"], ["pack", number], [0, number]):
            assert replayed({**record, "log": [record["log"][0], entry]}) == 2
