"""Properties of every match of every game, with any number of players and any options."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Sequence
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import assume, given, settings

import jasstisch as jt
from jasstisch.games.rules import Rules
from jasstisch.games.weis import WeisGame
from tests.rules import match_builders, reference
from tests.support.example_counts import examples

SHORT = {"target": st.integers(1, 3), "rounds": st.integers(1, 3)}
SHORTER_SCHIEBER = {"target": (1000,), "rounds": (0, 4)}

many = settings(max_examples=examples(60, 7), deadline=None)


@st.composite
def games(
    draw: st.DrawFn, names: Sequence[str] = match_builders.GAMES, *, fixed_dealer: bool = False
) -> jt.Game:
    """Any of these games with any options, short enough to be played to its end."""
    name = draw(st.sampled_from(names))
    players = draw(st.sampled_from(match_builders.PLAYERS[name]))
    options: dict[str, Any] = {"players": players}
    for option, values in match_builders.OPTIONS[name].items():
        if option == "dealer":
            seats = st.integers(0, players - 1)
            options[option] = draw(seats if fixed_dealer else st.none() | seats)
        elif option == "rounds" and name == "differenzler":
            options[option] = 4
        elif option in SHORT and name == "schieber":
            options[option] = draw(st.sampled_from(SHORTER_SCHIEBER[option]))
        elif option == "target" and name == "jass":
            options[option] = 5
        elif option in SHORT:
            options[option] = draw(SHORT[option])
        elif option != "players":
            options[option] = draw(st.sampled_from(values))
    return jt.game(name, **options)


seeds = st.integers(0, 2**32).map(random.Random)


@many
@given(games(), seeds)
def test_a_round_is_worth_157_or_the_stated_exception__C3_MV7(
    game: jt.Game, rng: random.Random
) -> None:
    """Round scores less molotovs come to 157; 125 in a plain round without trump."""
    match = jt.Match(game)
    match_builders.finish(match, rng)
    for result in match.rounds:
        molotovs = sum(run["points"] for run in result.get("molotovs", []))
        plain = result["trump"] is None and game.options.get("no_trump") == "plain"
        assert sum(result["points"]) - molotovs == (125 if plain else 157)
        assert result["trump"] is not None or game.players == 3
        assert result["trump"] is not None or game.options["no_trump"] != "annul"


@many
@given(games((*match_builders.GAMES, *match_builders.CONTRACT_GAMES)), seeds)
def test_every_card_is_played_exactly_once__C1_C6(game: jt.Game, rng: random.Random) -> None:
    """A round holds each card of the pack once, each played by the seat it was dealt to.

    The round that ends a Schieber may be cut short (SC6).
    """
    match = jt.Match(game)
    dealt: list[list[str]] = []
    while not match.over:
        done = len(match.rounds)
        phase = match.view(None)["phase"]
        match_builders.step(match, rng)
        if phase == "deal":
            dealt = [list(match.hand(seat)) for seat in range(game.players)]
        if len(match.rounds) > done:
            played: list[list[str]] = [[] for _ in range(game.players)]
            for trick in match.rounds[-1]["tricks"]:
                assert len(trick["cards"]) == game.players
                for turn, card in enumerate(trick["cards"]):
                    played[(trick["leader"] + turn) % game.players].append(card)
            assert sorted(itertools.chain(*dealt)) == sorted(reference.pack(game.players))
            if game.options.get("end") == "at_once" and match.winners:
                for mine, held in zip(played, dealt, strict=True):
                    assert set(mine) <= set(held)
                    assert len(set(mine)) == len(mine) == len(match.rounds[-1]["tricks"])
            else:
                assert [sorted(hand) for hand in played] == [sorted(hand) for hand in dealt]


@many
@given(games(match_builders.TRICK_GAMES), seeds)
def test_legal_is_never_empty_and_within_the_hand__C8(game: jt.Game, rng: random.Random) -> None:
    """The seat to act has a legal action, of its own cards; exactly the legal ones are accepted."""
    match = jt.Match(game)
    pack = reference.pack(game.players)
    while not match.over and len(match.rounds) < 2:
        for seat in range(game.players):
            legal = list(match.legal(seat))
            assert bool(legal) == (seat in match.to_act)
            if legal and match.view(None)["phase"] == "play":
                cards = {action.split()[1] for action in legal if action != "rob"}
                assert cards <= set(match.hand(seat))
            for card in rng.sample(pack, 6):
                refused = match.refusal(seat, f"play {card}") is not None
                assert refused == (f"play {card}" not in legal)
        match_builders.step(match, rng)


@many
@given(games(match_builders.TRICK_GAMES), seeds)
def test_all_that_is_legal_besides_cards_is_listed(game: jt.Game, rng: random.Random) -> None:
    match = jt.Match(game)
    listed = game.rules(game).other_actions()
    assert listed is not None
    while not match.over and len(match.rounds) < 2:
        for seat in match.to_act:
            assert {one for one in match.legal(seat) if not one.startswith("play ")} <= {*listed}
        match_builders.step(match, rng)


def test_announcing_weis_is_no_action_of_its_own() -> None:
    game = jt.game("jass")
    rules = game.rules(game)
    assert isinstance(rules, WeisGame)
    assert WeisGame.other_actions(rules) == ()


def test_game_of_claims_does_not_list_them() -> None:
    game = jt.game("i-doubt-it")
    assert game.rules(game).other_actions() is None


@many
@given(games(match_builders.TRICK_GAMES), seeds, st.integers(0, 200))
def test_records_round_trip(game: jt.Game, rng: random.Random, steps: int) -> None:
    """A record read back, also through JSON, is the same match and continues the same way."""
    match = jt.Match(game, players=[f"N{seat}" for seat in range(game.players)])
    for _ in range(steps):
        if not match.over:
            match_builders.step(match, rng)
    record = match.record()
    again = jt.Match.from_record(record)
    through_json = jt.Match.from_record(json.loads(json.dumps(record, allow_nan=False)))
    assert (
        match_builders.everything(again)
        == match_builders.everything(through_json)
        == match_builders.everything(match)
    )
    if not match.over:
        state = rng.getstate()
        match_builders.step(match, rng)
        rng.setstate(state)
        match_builders.step(again, rng)
        assert match_builders.everything(again) == match_builders.everything(match)


texts = st.one_of(
    st.text(max_size=12),
    st.builds("play {}{}".format, st.sampled_from("6789TJQKAX"), st.sampled_from("CDHSX")),
    st.integers(-5, 200).map("bid {}".format),
    st.sampled_from(["doubt", "pass", "stay", "drop", "blind", "rob", "lay 6C 7C 8C as 6"]),
    st.sampled_from(["push", "trump H", "TOPS", "slalom bottoms", "guschti", "joker 7 trump s"]),
    st.builds("play {}{} weis".format, st.sampled_from("6789TJQKA"), st.sampled_from("CDHS")),
)


@many
@given(
    games(match_builders.TRICK_GAMES),
    seeds,
    st.integers(0, 80),
    st.lists(st.tuples(st.integers(0, 5), texts)),
)
def test_refused_actions_change_nothing__C12(
    game: jt.Game, rng: random.Random, steps: int, tries: list[tuple[int, str]]
) -> None:
    """A refused action changes no view, no hand and not the record."""
    match = jt.Match(game)
    for _ in range(steps):
        if not match.over:
            match_builders.step(match, rng)
    before = match_builders.everything(match)
    for seat, text in tries:
        if seat >= game.players:
            with pytest.raises(jt.GameError):
                match.act(seat, text)
        elif refusal := match.refusal(seat, text):
            with pytest.raises(jt.IllegalAction) as caught:
                match.act(seat, text)
            assert (caught.value.clause, caught.value.reason) == (refusal.clause, refusal.reason)
        assert match_builders.everything(match) == before


def translated(thing: Any, suits: dict[str, str]) -> Any:
    """The same rounds or entries with other suits; lists of runs in one fixed order."""
    if isinstance(thing, dict):
        result = {key: translated(value, suits) for key, value in thing.items()}
        if "molotovs" in result:
            result["molotovs"].sort(key=lambda run: (run["trick"], run["cards"]))
        return result
    if isinstance(thing, list | tuple):
        return [translated(value, suits) for value in thing]
    if isinstance(thing, str):
        return " ".join(
            word[:-1] + suits[word[-1]] if len(word) <= 2 and word[-1] in suits else word
            for word in thing.split()
        )
    return thing


@many
@given(
    games((*match_builders.JASS_GAMES, "schieber"), fixed_dealer=True),
    seeds,
    st.permutations("CDHS"),
)
def test_suits_permuted_give_permuted_results__C1(
    game: jt.Game, rng: random.Random, permuted: list[str]
) -> None:
    """No suit is special: with other suits the same play has the same tricks, points, marks.

    But for the factors of Schieber, where there are any, and of Coiffeur (SC5, CO1).
    """
    suits = dict(zip("CDHS", permuted, strict=True))
    assume(game.options.get("multipliers") in {None, "none"})
    assume(game.players != 5 or suits["D"] == "D")  # MV1: the six of D is left out
    match, one, other = jt.Match(game), jt.Match(game), jt.Match(game)
    match_builders.finish(match, rng)
    for who, what in match.record()["log"]:
        if who == "pack":
            one.deal(what)
            other.deal(translated(what, suits))
        else:
            legal = {translated(action, suits) for action in one.legal(who)}
            assert set(other.legal(who)) == legal
            one.act(who, what)
            other.act(who, translated(what, suits))
    same = dict(zip("CDHS", "CDHS", strict=True))
    assert translated(other.rounds, same) == translated(match.rounds, suits)
    assert other.standing == match.standing
    assert other.winners == match.winners


@many
@given(games(match_builders.TRICK_GAMES, fixed_dealer=True), seeds, st.data())
def test_seats_rotated_give_rotated_results__C4(
    game: jt.Game, rng: random.Random, data: st.DataObject
) -> None:
    """No seat is special: with another first dealer everything moves round the table."""
    players = game.players
    turn = data.draw(st.integers(1, players - 1))
    dealer = game.options["dealer"]
    assert isinstance(dealer, int)
    rotated = jt.game(game.name, **{**game.options, "dealer": (dealer + turn) % players})
    one, other = jt.Match(game), jt.Match(rotated)
    match_builders.finish(one, rng)
    # The draw of Molotow goes by ascending seats, which a rotation changes.
    assume(not any(result.get("draw") for result in one.rounds))
    for who, what in one.record()["log"]:
        if who == "pack":
            other.deal(what)
        else:
            other.act((who + turn) % players, what)
    for mine, theirs in itertools.zip_longest(one.rounds, other.rounds):
        assert theirs["dealer"] == (mine["dealer"] + turn) % players
        for key in ("points", "marks"):
            assert [theirs[key][(seat + turn) % players] for seat in range(players)] == mine[key]
        assert [(trick["winner"] + turn) % players for trick in mine["tricks"]] == [
            trick["winner"] for trick in theirs["tricks"]
        ]
    standing = [other.standing[(seat + turn) % players] for seat in range(players)]
    for entry in standing:
        if "side" in entry:
            entry["side"] = (entry["side"] + turn) % 2
    assert standing == one.standing
    assert sorted((seat + turn) % players for seat in one.winners) == sorted(other.winners)


@many
@given(games(match_builders.TRICK_GAMES), seeds)
def test_the_same_log_gives_the_same_match(game: jt.Game, rng: random.Random) -> None:
    """A match is a fold over its log: repeated, it is equal at every step."""
    one, other = jt.Match(game), jt.Match(game)
    for _ in range(60):
        if one.over:
            break
        match_builders.step(one, rng)
        who, what = one.record()["log"][-1]
        if who == "pack":
            other.deal(what)
        else:
            other.act(who, what)
        assert other.view(None) == one.view(None)
    assert match_builders.everything(one) == match_builders.everything(other)


@pytest.mark.parametrize("name", jt.games())
def test_view_of_a_seat_is_the_spectator_view_with_the_private_view(name: str) -> None:
    rng = random.Random(7)
    match = jt.Match(jt.game(name))
    for _ in range(120):
        common = match.spectator_view()
        assert common == match.view(None)
        for seat in range(match.game.players):
            assert common | match.private_view(seat) == match.view(seat)
        if match.over:
            break
        match_builders.step(match, rng)
    with pytest.raises(jt.GameError, match="no seat 9"):
        match.private_view(9)


@pytest.mark.parametrize("name", match_builders.TRICK_GAMES)
def test_last_delta_describes_all_view_changes_by_a_card(name: str) -> None:
    check_deltas(jt.game(name), random.Random(7))


@many
@given(games((*match_builders.TRICK_GAMES, *match_builders.CONTRACT_GAMES)), seeds)
def test_last_delta_describes_all_view_changes_with_any_options(
    game: jt.Game, rng: random.Random
) -> None:
    check_deltas(game, rng)


def check_deltas(game: jt.Game, rng: random.Random) -> None:
    match = jt.Match(game)
    assert match.last_delta() is None
    seats, deltas = range(game.players), 0
    while not match.over and len(match.rounds) < 3:
        before = match.spectator_view()
        private_before = [match.private_view(seat) for seat in seats]
        match_builders.step(match, rng)
        actor, delta = match.record()["log"][-1][0], match.last_delta()
        if delta is None:
            continue
        deltas += 1
        added = {key: before[key] + items for key, items in delta.appended.items()}
        assert before | delta.updated | added == match.spectator_view()
        if delta.only_hand_changed:
            descriptions = {match.describe_last_action(seat) for seat in (None, *seats)}
            assert len(descriptions) == 1
            for seat in seats:
                own = {"hand": match.hand(seat)} if seat == actor else {}
                assert private_before[seat] | own == match.private_view(seat)
    cards = sum(len(trick["cards"]) for one in match.rounds for trick in one["tricks"])
    assert deltas * 3 >= cards


@many
@given(games((*match_builders.TRICK_GAMES, *match_builders.CONTRACT_GAMES)), seeds)
def test_card_refusals_are_those_of_the_held_cards_that_may_not_be_played__C12(
    game: jt.Game, rng: random.Random
) -> None:
    match = jt.Match(game)
    while not match.over and len(match.rounds) < 2:
        for seat in range(game.players):
            legal = match.legal(seat)
            cards = match.hand(seat) if any(one.startswith("play ") for one in legal) else []
            refused = {card: match.refusal(seat, f"play {card}") for card in cards}
            assert match.card_refusals(seat) == {card: why for card, why in refused.items() if why}
            # An override by the game agrees with the default, which asks card by card.
            assert Rules.card_refusals(match._rules, seat) == match.card_refusals(seat)
        match_builders.step(match, rng)
    with pytest.raises(jt.GameError, match="no seat 9"):
        match.card_refusals(9)


def test_subclass_of_a_game_does_not_inherit_its_action_delta() -> None:
    molotow = jt.game("molotow").rules

    class WithMore(molotow):  # type: ignore[valid-type, misc]
        """It may show more, and its own `action_delta` is missing."""

    assert molotow.action_delta is not Rules.action_delta
    assert WithMore.action_delta is Rules.action_delta


@many
@given(games(("i-doubt-it",)), seeds)
def test_game_without_card_plays_has_no_card_refusals_and_no_last_delta(
    game: jt.Game, rng: random.Random
) -> None:
    match = jt.Match(game)
    for _ in range(30):
        if match.over:
            break
        match_builders.step(match, rng)
        assert match.last_delta() is None
        assert all(match.card_refusals(seat) == {} for seat in range(game.players))


def test_default_private_view_is_the_whole_table_view() -> None:
    rules = jt.game("molotow").rules(jt.game("molotow"))
    assert Rules.private_view(rules, 2) == rules.table_view(2)


@many
@given(games(match_builders.TRICK_GAMES), seeds, st.integers(1, 200), st.integers(1, 6))
def test_undo_restores_the_earlier_state_and_stops_at_a_pack(
    game: jt.Game, rng: random.Random, steps: int, most: int
) -> None:
    """A pack and everything before it cannot be undone; afterwards the match can go on."""
    match = jt.Match(game)
    while not match.over and match.step_count < steps:
        match_builders.step(match, rng)
    for _ in range(2):
        log = match.record()["log"]
        last = max((number for number, (who, _) in enumerate(log, 1) if who == "pack"), default=0)
        with pytest.raises(jt.GameError, match="to take back"):
            match.undo(len(log) - last + 1)
        back = min(most, len(log) - last)
        if back > 0:
            match.undo(back)
        fresh = jt.Match(game)
        for who, what in log[: len(log) - back]:
            if who == "pack":
                fresh.deal(what)
            else:
                fresh.act(who, what)
        assert match_builders.everything(match) == match_builders.everything(fresh)
        for _ in range(most):
            if not match.over:
                match_builders.step(match, rng)
    with pytest.raises(jt.GameError, match="to take back"):
        match.undo(0)


@pytest.mark.parametrize("name", jt.games())
def test_only_a_card_that_reveals_nothing_else_can_be_undone__JS7(name: str) -> None:
    """Not a pack, bid or claim; not a card with Weis, nor one after which Weis are shown."""
    rng, seen = random.Random(7), set[tuple[bool, bool, bool]]()
    match = jt.Match(jt.game(name))
    assert not match.can_undo
    while not match.over and match.step_count < 1500:
        before = match.view(None).get("weis_shown")
        match_builders.step(match, rng)
        who, what = match.record()["log"][-1]
        plain = who != "pack" and what.startswith("play ") and not what.endswith("weis")
        just_shown = match.view(None).get("weis_shown") not in (None, before)
        assert match.can_undo == (plain and not just_shown and name != "i-doubt-it")
        seen.add((plain, just_shown, match.can_undo))
    assert ((True, True, False) in seen) == (name in {"jass", "schieber"})


@pytest.mark.parametrize("name", jt.games())
def test_trick_in_progress_is_true_during_a_trick_or_an_unanswered_claim(name: str) -> None:
    rng, seen = random.Random(7), set[bool]()
    match = jt.Match(jt.game(name))
    while not match.over and match.step_count < 300:
        match_builders.step(match, rng)
        assert match.trick_in_progress == (
            match.view(None)["phase"] == "answer" if name == "i-doubt-it" else bool(match.trick)
        )
        seen.add(match.trick_in_progress)
        dropped = [seat for seat in range(match.game.players) if match.is_out_of_round(seat)]
        assert not dropped or name == "jass"
    assert seen == {False, True}
