"""The public names, text forms, options, errors, views and records that others rely on."""

from __future__ import annotations

import copy
import itertools
import json
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

import jasstisch as jt
from jasstisch.engine.cards import shuffled
from tests.rules import match_builders, reference
from tests.rules.match_builders import deal, differenzler, play, start

NAN = float("nan")
HUGE = 10**400
WRONG_SEATS: list[Any] = [True, False, -1, 4, HUGE, -HUGE, 1.0, NAN, "0", b"0", [], {}, (0,)]
SEATS = [None, 0, 1, 2, 3]
EACH_OPTION = [
    (name, option) for name, options in match_builders.OPTIONS.items() for option in options
]
VIEW_KEYS = {
    *("game", "options", "players", "seat", "phase", "round", "dealer", "draw", "to_act"),
    *("needs_pack", "hand", "hand_sizes", "trick", "last_trick", "tricks", "trump", "points"),
    *("rounds", "standing", "over", "winners"),
}
WEIS_KEYS = ("melds", "announced", "weis_shown", "weis", "stoeck")
CONTRACT_KEYS = {*WEIS_KEYS, *("contract", "line", "by", "factor", "pushes", "pushed")}
OWN_KEYS = {
    "molotov": {"molotovs"},
    "offenbach": {"molotovs"},
    "molotow": set[str](),
    "differenzler": {"bids", "has_bid", "shown"},
    "jass": {
        *("playing", "said", "shown", "turned", "blind", "blind_open", "robbed", "laid_away"),
        *WEIS_KEYS,
    },
    "schieber": CONTRACT_KEYS,
    "coiffeur": CONTRACT_KEYS,
    "i-doubt-it": {"middle", "claim", "claims", "turns"},
}
ROUND_KEYS = {
    "molotov": {"molotovs"},
    "offenbach": {"molotovs"},
    "molotow": {"draw"},
    "differenzler": {"bids", "difference"},
    "jass": {"playing", "blind", "robbed", "weis", "stoeck"},
    "schieber": {"contract", "by", "pushed", "factor", "match", "weis", "stoeck"},
    "coiffeur": {"contract", "line", "by", "pushed", "factor", "match", "weis", "stoeck"},
    "i-doubt-it": {"claims", "chips", "left"},
}
STANDING_KEYS = {
    "molotov": {"strokes", "tallies", "sacks"},
    "offenbach": {"strokes", "tallies", "sacks"},
    "molotow": {"sticks", "potatoes", "net"},
    "differenzler": {"difference"},
    "jass": {"strokes", "tallies", "nulls", "safe"},
    "schieber": {"side", "points"},
    "coiffeur": {"side", "points", "lines"},
    "i-doubt-it": {"chips"},
}


# Games and options.


def test_games_lists_every_game_by_its_name() -> None:
    """`game` accepts each of these names."""
    assert set(jt.games()) >= set(match_builders.ALL_GAMES)
    for name in jt.games():
        assert jt.game(name).name == name


@pytest.mark.parametrize("error", ["GameError", "IllegalAction", "RecordError"])
def test_errors_are_value_errors(error: str) -> None:
    """So catching ValueError catches every error that input can cause."""
    assert issubclass(getattr(jt, error), ValueError)


@pytest.mark.parametrize("name", ["Molotov", "", "chess", " molotov", None, 5, ["molotov"], {}])
def test_unknown_games_are_refused(name: Any) -> None:
    """An unknown game is refused with the names of all games."""
    with pytest.raises(jt.GameError) as caught:
        jt.game(name)
    for known in jt.games():
        assert known in str(caught.value)


@pytest.mark.parametrize("name", match_builders.ALL_GAMES)
def test_each_game_has_exactly_the_documented_options_and_defaults(name: str) -> None:
    """A game has exactly the documented options, each with its default."""
    game = jt.game(name)
    assert dict(game.options) == {
        option: values[0] for option, values in match_builders.OPTIONS[name].items()
    }
    assert game.players == 4
    assert jt.Match(game).record()["options"] == dict(game.options)


@pytest.mark.parametrize(("name", "option"), EACH_OPTION)
def test_every_value_of_an_option_is_accepted(name: str, option: str) -> None:
    """Each allowed value is in the options of the game, its record and its view."""
    for value in match_builders.OPTIONS[name][option]:
        game = jt.game(name, **{option: value})
        assert game.options[option] == value
        match = jt.Match(game)
        assert match.view(None)["options"] == match.record()["options"] == dict(game.options)


@pytest.mark.parametrize(("name", "option"), EACH_OPTION)
def test_other_values_of_an_option_are_refused(name: str, option: str) -> None:
    """Every other value is refused with the option's name and the allowed values."""
    values = match_builders.OPTIONS[name][option]
    wrong: list[Any] = [True, False, -1, 0.0, 1.0, 5.0, NAN, HUGE, "", "x", "4", [], {}, (), b"x"]
    wrong += [str(value).upper() for value in values if isinstance(value, str)]
    wrong += [float(value) for value in values if isinstance(value, int)]
    wrong += [None] if option != "dealer" else [4]
    wrong += [21, 61, 0, 2] if option in {"target", "rounds", "players", "exact_bonus"} else []
    wrong += [19, 5001] if option == "max_turns" else []
    for value in wrong:
        if type(value) in {int, str} and value in values:
            continue
        with pytest.raises(jt.GameError) as caught:
            jt.game(name, **{option: value})
        assert option in str(caught.value)
        assert len(str(caught.value)) < 500
        if isinstance(values[0], str):
            assert all(allowed in str(caught.value) for allowed in values)
        elif option != "dealer":
            assert str(min(values)) in str(caught.value)
            assert str(max(values)) in str(caught.value)


@pytest.mark.parametrize("players", [2, 3, 5, 8])
def test_defaults_depend_on_the_number_of_players__ID7_ID8(players: int) -> None:
    """One deal and 12 claims for each player, 25 with up to three, unless options say otherwise."""
    claims = (25 if players <= 3 else 12) * players
    game = jt.game("i-doubt-it", players=players)
    assert (game.options["rounds"], game.options["max_turns"]) == (players, claims)
    chosen = jt.game("i-doubt-it", players=players, rounds=4)
    assert (chosen.options["rounds"], chosen.options["max_turns"]) == (4, claims)


@pytest.mark.parametrize("name", match_builders.ALL_GAMES)
@pytest.mark.parametrize("option", ["colour", "Target", "partners", "name", ""])
def test_unknown_options_are_refused(name: str, option: str) -> None:
    """An unknown option is refused with the names of all options."""
    with pytest.raises(jt.GameError) as caught:
        jt.game(name, **{option: 1})
    assert all(known in str(caught.value) for known in match_builders.OPTIONS[name])


def test_dealer_must_be_a_seat_of_the_table() -> None:
    """The fixed dealer is one of the seats of this number of players."""
    assert jt.game("molotov", players=6, dealer=5).options["dealer"] == 5
    for players, dealer in ((3, 3), (4, 4), (5, 5), (6, 6)):
        with pytest.raises(jt.GameError):
            jt.game("molotov", players=players, dealer=dealer)


def test_options_without_effect_are_accepted() -> None:
    """An option without effect for this number of players is accepted and kept."""
    game = jt.game("molotov", players=3, five_player_marks="2-1-2", long_runs="weis")
    assert game.options["five_player_marks"] == "2-1-2"


def test_game_is_immutable() -> None:
    """Neither its attributes nor its options can be set."""
    game = jt.game("molotov")
    options: Any = game.options
    changes: list[Callable[[], Any]] = [
        lambda: options.__setitem__("target", 1),
        lambda: setattr(game, "name", "molotow"),
        lambda: setattr(game, "players", 5),
        lambda: setattr(game, "options", {}),
    ]
    for change in changes:
        with pytest.raises((TypeError, AttributeError)):
            change()
    assert (game.name, game.players, game.options["target"]) == ("molotov", 4, 5)


@pytest.mark.parametrize(("name", "players"), match_builders.ALL_KINDS)
def test_repr_of_a_game_evaluates_to_the_same_game(name: str, players: int) -> None:
    """The representation of a game, evaluated, is that game with its options."""
    game = jt.game(name, players=players, dealer=1)
    again = eval(repr(game), {"jasstisch": jt})
    assert (again.name, again.players, again.options) == (name, players, game.options)


# A match: names, packs, turns.


@pytest.mark.parametrize("game", ["molotov", None, jt.game, {"name": "molotov"}])
def test_a_match_needs_a_game(game: Any) -> None:
    """A match is made of a game, not of its name; the error says how."""
    with pytest.raises(jt.GameError, match="game"):
        jt.Match(game)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_names_are_optional(players: int) -> None:
    """Without names the players are numbered; given names are kept in order."""
    game = jt.game("molotov", players=players)
    assert jt.Match(game).view(None)["players"] == [f"Player {n + 1}" for n in range(players)]
    names = ["Änni", "Beat", "Carla", "Dölf", "Eva", "Fritz"][:players]
    assert jt.Match(game, players=names).view(0)["players"] == names


@pytest.mark.parametrize(
    "names",
    [
        ["Anna"],
        ["Anna", "Beat", "Carla", "Dora", "Eva"],
        [],
        "ABCD",
        ["Anna", "Beat", "Carla", None],
        ["Anna", "Beat", "Carla", 4],
        ["Anna", "Beat", "Carla", ["Dora"]],
        5,
        {"Anna": 1, "Beat": 2, "Carla": 3, "Dora": 4},
    ],
)
def test_wrong_names_are_refused(names: Any) -> None:
    """There must be one text for each player."""
    with pytest.raises(jt.GameError):
        jt.Match(jt.game("molotov"), players=names)


def test_player_can_be_renamed() -> None:
    """All views and the record have the new name; names returned before do not change."""
    match = differenzler(deal({}), "H")
    before = match.players
    match.rename(2, "N. N.")
    renamed = [*before[:2], "N. N.", *before[3:]]
    assert match.players == renamed != before
    assert all(match.view(seat)["players"] == renamed for seat in (None, 0, 1, 2, 3))
    assert match.record()["players"] == renamed
    names: list[Any] = [None, 5, ["Eva"]]
    for name in names:
        with pytest.raises(jt.GameError, match="players are names"):
            match.rename(0, name)
    for seat in WRONG_SEATS:
        with pytest.raises(jt.GameError, match="no seat"):
            match.rename(seat, "Eva")
    assert match.players == renamed


def test_a_pack_may_be_text_or_cards() -> None:
    """A pack is accepted as one text, as a list or as a tuple of cards."""
    game = jt.game("molotov", dealer=0)
    matches = [jt.Match(game) for _ in range(4)]
    pack = match_builders.shuffled(matches[0], random.Random(1))
    matches[0].deal(" ".join(pack))
    matches[1].deal(pack)
    matches[2].deal(tuple(pack))
    matches[3].deal("  " + "   ".join(pack) + " ")
    for match in matches:
        assert match.record() == matches[0].record()
        assert match.record()["log"] == [["pack", " ".join(pack)]]


def wrong_packs() -> list[Any]:
    """Invalid packs."""
    pack = reference.pack(4)
    return [
        "",
        [],
        None,
        5,
        NAN,
        pack[:-1],
        [*pack, "6C"],
        [*pack[:-1], "6C"],
        [*pack[:-1], "2C"],
        [*pack[:-1], "XX"],
        [*pack[:-1], None],
        [*pack[:-1], 7],
        [*pack[:-1], ["AS"]],
        " ".join(pack[:-1]),
        "".join(pack),
        ",".join(pack),
        "10" + " ".join(pack),
        dict.fromkeys(pack[:-1], 1),
        list(range(36)),
        b"6C",
        " ".join(pack) * 1000,
    ]


@pytest.mark.parametrize("number", range(len(wrong_packs())))
@pytest.mark.parametrize("dealer", [None, 0])
def test_wrong_packs_are_refused(number: int, dealer: int | None) -> None:
    """A pack with a card missing, twice or unknown is refused and changes nothing."""
    match = jt.Match(jt.game("molotov", dealer=dealer))
    before = match_builders.everything(match)
    with pytest.raises(jt.IllegalAction) as caught:
        match.deal(wrong_packs()[number])
    assert match_builders.everything(match) == before
    assert caught.value.reason == "pack"
    assert len(str(caught.value)) < 600
    match.deal(match.pack)


def test_unexpected_packs_are_refused() -> None:
    """A pack while somebody is to act, or after the end, is refused and changes nothing."""
    match = jt.Match(jt.game("molotow", dealer=0, rounds=1))
    rng = random.Random(2)
    match_builders.step(match, rng)
    while True:
        if not match.needs_pack:
            before = match_builders.everything(match)
            with pytest.raises(jt.IllegalAction) as caught:
                match.deal(reference.pack(4))
            assert caught.value.reason in {"pack", "over"}
            assert match_builders.everything(match) == before
        if match.over:
            break
        match_builders.step(match, rng)


@pytest.mark.parametrize(("name", "players"), match_builders.ALL_KINDS)
def test_public_state_is_consistent_at_every_step(name: str, players: int) -> None:
    """Types and agreement of all public names, at every step of a match."""
    options = {"rounds": 2} if name == "molotow" else match_builders.SHORT[name]
    match = jt.Match(jt.game(name, players=players, **options))
    rng = random.Random(players)
    while True:
        check_public_state(match)
        if match.over:
            break
        match_builders.step(match, rng)
    assert match.winners


def check_public_state(match: jt.Match) -> None:
    """Checks what always holds of a match."""
    seats = range(match.game.players)
    assert isinstance(match.needs_pack, bool)
    assert isinstance(match.over, bool)
    assert isinstance(match.winners, list)
    assert isinstance(match.to_act, tuple)
    assert list(match.to_act) == sorted(set(match.to_act))
    assert isinstance(match.pack, tuple)
    assert bool(match.pack) == match.needs_pack
    assert bool(match.to_act) != (match.needs_pack or match.over)
    assert bool(match.winners) == match.over
    for seat in seats:
        actions = match.legal(seat)
        assert isinstance(actions, Sequence)
        assert bool(len(actions)) == (seat in match.to_act)
        some = list(actions[:300])
        assert some == list(match.legal(seat)[:300])
        assert len(set(some)) == len(some) == min(len(actions), 300)
        if actions:
            assert actions[0] in actions
            assert actions[-1] == actions[len(actions) - 1]
            assert "play 6X" not in actions
    assert all(isinstance(entry, tuple) for entry in match.trick)
    assert len(match.trick) < match.game.players
    if match.view(None)["phase"] in {"draw", "deal", "over"}:
        assert match.trump is None
        assert match.trick == []
        assert all(list(match.hand(seat)) == [] for seat in seats)


def test_cards_equal_their_text() -> None:
    """Every card that a match returns equals its text."""
    match = differenzler(deal({0: "JC", 1: "QC"}), "H")
    assert "JC" in match.hand(0)
    assert match.hand(0)[0] in match.view(0)["hand"]
    play(match, "JC QC")
    assert match.trick == [(0, "JC"), (1, "QC")]
    assert match.trump == "H"
    fresh = jt.Match(jt.game("molotov"))
    assert set(fresh.pack) == set(reference.pack(4))


SPELLINGS = ["play 6C", "6C", "6c", "PLAY 6C", "Play   6c", "  play 6C  ", " 6C ", "play 6C "]


@pytest.mark.parametrize("text", SPELLINGS)
def test_input_ignores_case_and_repeated_spaces(text: str) -> None:
    """All spellings of a play are the same action; the log stores the printed form."""
    match = start("molotov", deal({0: "6C"}))
    assert match.refusal(0, text) is None
    match.act(0, text)
    assert match.record()["log"][-1] == [0, "play 6C"]


@pytest.mark.parametrize("text", ["bid 42", "BID 42", "  bid   42 "])
def test_bids_ignore_case_and_repeated_spaces(text: str) -> None:
    """All spellings of a bid are the same action; the log stores the printed form."""
    match = start("differenzler", deal({}))
    match.deal(match.pack)
    match.act(1, text)
    assert match.record()["log"][-1] == [1, "bid 42"]


@pytest.mark.parametrize("text", ["bid 042", "bid 00", "bid +42"])
def test_oddly_written_numbers_are_refused_or_logged_plainly(text: str) -> None:
    """The log never contains a number with leading zeros or a sign."""
    match = start("differenzler", deal({}))
    match.deal(match.pack)
    try:
        match.act(1, text)
    except jt.IllegalAction:
        return
    assert match.record()["log"][-1] in [[1, "bid 42"], [1, "bid 0"]]


INVALID_ACTIONS: list[Any] = [
    *("", " ", "play", "6", "C", "C6", "6 C", "10C", "play 6C 7C", "6C 7C", "play6C", "6CC"),
    *("play play 6C", "play 6C weis!", "lay 6C", "bid", "6C\n7C", "\x00", "\ud800", "play \u0660C"),
    *("stay", "drop", "blind", "rob", "doubt", "lay 3C 7D KD as J", "x" * 100_000),
    *(None, 5, NAN, True, b"play 6C", ["play 6C"], {"action": "play 6C"}, ("play", "6C")),
]


@pytest.mark.parametrize("number", range(len(INVALID_ACTIONS)))
def test_invalid_actions_are_refused(number: int) -> None:
    """An invalid action is refused with the legal ones, in a message of bounded length."""
    match = start("molotov", deal({0: "6C"}))
    error = match_builders.refused(match, 0, INVALID_ACTIONS[number])
    assert error.reason == "unknown"
    assert list(error.legal) == list(match.legal(0))
    assert len(str(error)) < 500
    assert match.refusal(0, INVALID_ACTIONS[number]) is not None


@pytest.mark.parametrize("seat", WRONG_SEATS, ids=lambda seat: repr(seat)[:20])
def test_wrong_seats_are_refused(seat: Any) -> None:
    """A seat is a whole number of the table; anything else is refused and changes nothing."""
    match = differenzler(deal({}), "H")
    before = match_builders.everything(match)
    questions: list[Callable[[], Any]] = [
        lambda: match.legal(seat),
        lambda: match.act(seat, match.legal(0)[0]),
        lambda: match.refusal(seat, "play 6C"),
        lambda: match.hand(seat),
        lambda: match.view(seat),
    ]
    for question in questions:
        with pytest.raises(jt.GameError) as caught:
            question()
        assert len(str(caught.value)) < 300
    assert match_builders.everything(match) == before


def test_numbers_too_long_to_print_are_refused() -> None:
    """A whole number of thousands of digits is a wrong option, seat, name or card like others."""
    long: Any = 10**5000
    match = differenzler(deal({}), "H")
    questions: list[Callable[[], Any]] = [
        lambda: jt.game(long),
        lambda: jt.game("molotov", target=long),
        lambda: jt.game("molotov", undertrump=long),
        lambda: jt.game("molotov", dealer=-long),
        lambda: jt.Match(long),
        lambda: jt.Match(jt.game("molotov"), players=["A", "B", "C", long]),
        lambda: match.view(long),
        lambda: match.act(long, "play 6C"),
    ]
    for question in questions:
        with pytest.raises(jt.GameError):
            question()
    with pytest.raises(jt.IllegalAction):
        match.act(0, long)
    with pytest.raises(jt.IllegalAction):
        jt.Match(jt.game("molotov")).deal([*reference.pack(4)[:-1], long])
    record = finished()
    wrong_parts: list[tuple[int, dict[str, Any]]] = [
        (0, {"options": {"rounds": long}}),
        (0, {"players": ["A", "B", "C", long]}),
        (1, {"log": [[long, "play 6C"]]}),
        (1, {"log": [[0, long]]}),
        (39, {"result": long}),
        (39, {"result": {"standing": long, "winners": [long]}}),
    ]
    for step, changed in wrong_parts:
        with pytest.raises(jt.RecordError) as caught:
            jt.Match.from_record({**record, **changed})
        assert caught.value.step == step


def test_none_is_accepted_as_a_reader_of_views_only() -> None:
    """None stands for a spectator, and is no seat for anything else."""
    match: Any = differenzler(deal({}), "H")
    assert match.view(None)["seat"] is None
    for question in (match.legal, match.hand, lambda seat: match.act(seat, "play 6C")):
        with pytest.raises(jt.GameError):
            question(None)


def test_finished_match_refuses_every_action_and_needs_no_pack() -> None:
    """Every seat is refused with the reason `over`."""
    match = jt.Match(jt.game("molotow", rounds=1))
    match_builders.finish(match, random.Random(3))
    assert (match.to_act, match.pack, match.needs_pack) == ((), (), False)
    for seat in range(4):
        assert match_builders.refused(match, seat, "play 6C").reason == "over"
        assert list(match.legal(seat)) == []


# Rounds, marks, standing.

MARKS = {
    "molotov": {"|", "0", "-"},
    "offenbach": {"|", "0", "-"},
    "jass": {"|", "||", "0", "-"},
    "molotow": {"+3", "+1", "0", "-1", "-3"},
}


@pytest.mark.parametrize(("name", "players"), match_builders.ALL_KINDS)
def test_rounds_and_standing_have_exactly_the_public_keys(name: str, players: int) -> None:
    """Also, marks are texts, and there is one standing for each seat."""
    options: dict[str, dict[str, Any]] = {
        "differenzler": {"exact_bonus": 10},
        "schieber": {"multipliers": "swiss", "slalom": "on"},
        "i-doubt-it": {"max_turns": 30},
    }
    match = jt.Match(jt.game(name, players=players, **options.get(name, {})))
    match_builders.finish(match, random.Random(name))
    for result in match.rounds:
        assert set(result) == ROUND_KEYS[name] | {"dealer", "trump", "tricks", "points", "marks"}
        assert all(set(trick) == {"leader", "cards", "winner"} for trick in result["tricks"])
        assert len(result["points"]) == len(result["marks"]) == players
        for mark in result["marks"]:
            if name in {"differenzler", *match_builders.CONTRACT_GAMES}:
                assert mark == str(int(mark))
            elif name == "i-doubt-it":
                assert mark == (f"{int(mark):+d}" if int(mark) else "0")
            else:
                assert mark in MARKS[name]
    assert [set(entry) for entry in match.standing] == [STANDING_KEYS[name]] * players
    for entry in match.standing:
        assert set(entry.get("strokes", "")) <= set("|Ø0")


def test_round_of_jass_has_the_documented_form() -> None:
    """Players, blind and robber are seats or null; Weis and Stöck are points by seat."""
    match = jt.Match(jt.game("jass", players=3, target=9))
    rng = random.Random(11)
    match_builders.finish(match, rng)
    for result in match.rounds:
        assert result["trump"] in set("CDHS")
        assert result["playing"] == sorted(set(result["playing"])) != []
        assert {result["blind"], result["robbed"]} <= {None, 0, 1, 2}
        assert len(result["weis"]) == len(result["stoeck"]) == 3
    for entry in match.standing:
        assert type(entry["safe"]) is bool
        assert entry["tallies"] == entry["strokes"].count("|")
        assert entry["nulls"] == entry["strokes"].count("0")
        assert entry["safe"] == (entry["tallies"] >= 9)


@pytest.mark.parametrize("name", match_builders.CONTRACT_GAMES)
def test_round_of_two_sides_has_the_documented_form(name: str) -> None:
    """Contract, seat, factor and match have their types; every figure is that of the side."""
    match = jt.Match(jt.game(name))
    match_builders.finish(match, random.Random(11))
    for result in match.rounds:
        assert result["trump"] == (result["contract"][-1:] if result["trump"] else None)
        assert result["by"] in {0, 1, 2, 3}
        assert type(result["pushed"]) is bool
        assert type(result["factor"]) is int
        assert result["match"] in {None, 0, 1}
        for key in ("points", "marks", "weis", "stoeck"):
            assert result[key][:2] == result[key][2:], key
        if name == "coiffeur":
            assert result["line"].endswith(result["contract"])
            assert result["weis"] == result["stoeck"] == [0, 0, 0, 0]
    assert [entry["side"] for entry in match.standing] == [0, 1, 0, 1]
    assert [entry["points"] for entry in match.standing] == [
        sum(int(result["marks"][seat]) for result in match.rounds) for seat in range(4)
    ]


def test_round_of_i_doubt_it_has_the_documented_form() -> None:
    """No trump and no tricks; points are the chips of the deal; chips add up to zero."""
    match = jt.Match(jt.game("i-doubt-it", max_turns=30, lie_fee=1))
    match_builders.finish(match, random.Random(11))
    for result in match.rounds:
        assert (result["trump"], result["tricks"]) == (None, [])
        assert result["points"] == result["chips"]
        assert sum(result["chips"]) == 0
        assert 0 < result["claims"] <= 30
        assert len(result["left"]) == 4
    assert [entry["chips"] for entry in match.standing] == [
        sum(result["chips"][seat] for result in match.rounds) for seat in range(4)
    ]


def test_round_without_a_deciding_draw_has_an_empty_list() -> None:
    """A round of Molotow without a tie of three has no draw."""
    match = jt.Match(jt.game("molotow", rounds=1))
    result = match_builders.finish_round(match, random.Random(1))
    assert result["draw"] == []


def test_cards_with_lookalike_letters_are_refused() -> None:
    """A letter that merely looks like S, or becomes one in upper case, is no suit."""
    match = jt.Match(jt.game("molotow"))
    with pytest.raises(jt.IllegalAction, match="unknown card"):
        match.deal(" ".join(match.pack).replace("S", "\u017f"))
    match.deal(" ".join(match.pack).lower())


@pytest.mark.parametrize("pack", [None, 7, [["6C"]], itertools.repeat("6C")])
def test_invalid_pack_is_refused_with_a_short_message(pack: Any) -> None:
    """Values of other types and an infinite iterator of cards are refused."""
    match = jt.Match(jt.game("molotow"))
    with pytest.raises(jt.IllegalAction) as caught:
        match.deal(pack)
    assert caught.value.clause == "C6"
    assert len(str(caught.value)) < 400
    assert match.needs_pack


@pytest.mark.parametrize("given", [None, ["players"], "players"])
def test_options_not_given_by_name_are_refused(given: Any) -> None:
    """`Game` refuses options that are no mapping."""
    with pytest.raises(jt.GameError, match="given by name"):
        jt.Game("molotov", given)


def test_returned_values_are_copies() -> None:
    """Changing a value that a match returned does not change the match."""
    match = jt.Match(jt.game("molotov"))
    rng = random.Random(4)
    match_builders.finish_round(match, rng)
    while not (match.view(0)["molotovs"] and match.trick):
        match_builders.step(match, rng)
    before = match_builders.everything(match)

    def empty_all(value: Any) -> None:
        if isinstance(value, dict):
            for inner in value.values():
                empty_all(inner)
            value.clear()
        elif isinstance(value, list):
            for inner in value:
                empty_all(inner)
            value.clear()

    for value in (
        match.record(),
        match.view(0),
        match.view(None),
        match.rounds,
        match.standing,
        match.winners,
        match.trick,
        match.hand(0),
    ):
        empty_all(value)
        assert match_builders.everything(match) == before


# Views.


PHASES = {
    "differenzler": {"draw", "deal", "bid", "play"},
    "jass": {"draw", "deal", "answer", "play"},
    "schieber": {"draw", "deal", "announce", "play"},
    "coiffeur": {"draw", "deal", "announce", "play"},
    "i-doubt-it": {"draw", "deal", "lay", "answer"},
}


@pytest.mark.parametrize(("name", "players"), match_builders.ALL_KINDS)
def test_views_have_exactly_the_public_keys_and_agree_with_the_match(
    name: str, players: int
) -> None:
    """At every step, and every view is plain JSON."""
    match = jt.Match(jt.game(name, players=players))
    rng = random.Random(name)
    phases = set()
    for _ in range(100):
        for seat in [None, *range(players)]:
            view = match.view(seat)
            assert set(view) == VIEW_KEYS | OWN_KEYS[name]
            assert json.loads(json.dumps(view, allow_nan=False)) == view
            check_view(match, seat, view)
            phases.add(view["phase"])
        if match.over:
            break
        match_builders.step(match, rng)
    expected = PHASES.get(name, {"draw", "deal", "play"})
    assert phases >= expected
    assert phases <= expected | {"trump", "decide", "over"}


def check_view(match: jt.Match, seat: int | None, view: Mapping[str, Any]) -> None:
    """Checks that a view agrees with its match."""
    seats = range(match.game.players)
    assert view["game"] == match.game.name
    assert view["options"] == dict(match.game.options)
    assert view["seat"] == seat
    assert view["to_act"] == list(match.to_act)
    assert view["needs_pack"] == match.needs_pack
    assert view["hand"] == (None if seat is None else list(match.hand(seat)))
    assert view["hand_sizes"] == [len(match.hand(other)) for other in seats]
    assert view["trick"] == [list(entry) for entry in match.trick]
    assert view["trump"] == match.trump
    assert view["rounds"] == match.rounds
    assert view["standing"] == match.standing
    assert view["over"] == match.over
    assert view["winners"] == match.winners
    assert view["last_trick"] == (view["tricks"][-1] if view["tricks"] else None)
    assert view["round"] == len(match.rounds) + (not match.over)
    assert len(view["points"]) == len(view["players"]) == match.game.players
    held = sum(view["hand_sizes"]) + len(view["trick"])
    held += sum(len(trick["cards"]) for trick in view["tricks"])
    if match.game.name == "jass":
        assert held == 9 * len(view["playing"])
    elif match.game.name == "i-doubt-it":
        claim = view["claim"]
        assert held + view["middle"] + (claim["count"] if claim else 0) in {0, 52}
    else:
        assert held in {0, len(reference.pack(match.game.players))}


def test_views_of_a_finished_match_show_the_winners_and_the_last_round() -> None:
    """They are in the phase `over`, and nobody is to act."""
    match = jt.Match(jt.game("differenzler", rounds=4))
    match_builders.finish(match, random.Random(5))
    for seat in SEATS:
        view = match.view(seat)
        assert (view["phase"], view["round"], view["over"]) == ("over", 4, True)
        assert view["winners"] == match.winners
        assert view["to_act"] == []
        assert view["hand_sizes"] == [0, 0, 0, 0]


# The description of the last action.


@pytest.mark.parametrize(("bids", "described"), [("hidden", "bid"), ("open", "bid 42")])
def test_hidden_bid_is_described_to_its_bidder_only__DF3(bids: str, described: str) -> None:
    """To others it is `bid` alone; open bids are described in full."""
    match = start("differenzler", deal({}), bids=bids)
    match.deal(match.pack)
    match.act(0, "bid 42")
    assert match.describe_last_action(0) == "bid 42"
    assert {match.describe_last_action(reader) for reader in (None, 1, 2, 3)} == {described}


@pytest.mark.parametrize("name", match_builders.TRICK_GAMES)
def test_plays_are_described_to_all_readers(name: str) -> None:
    """The description of a card played is the entry of the log."""
    hands = deal({0: "6C"})
    match = differenzler(hands, "H") if name == "differenzler" else start(name, hands)
    match_builders.say_all(match, "stay stay stay stay" if name == "jass" else "")
    if name in match_builders.CONTRACT_GAMES:
        match.act(0, "Tops")
        assert [match.describe_last_action(reader) for reader in SEATS] == ["tops"] * 5
    match.act(0, "6c")
    assert [match.describe_last_action(reader) for reader in SEATS] == ["play 6C"] * 5


def test_describe_last_action_is_refused_before_an_action_or_to_wrong_seats() -> None:
    """There is no last action at the beginning and after a pack."""
    match: Any = jt.Match(jt.game("molotov", dealer=3))
    for _ in range(2):
        for reader in SEATS:
            with pytest.raises(jt.GameError):
                match.describe_last_action(reader)
        if match.needs_pack:
            match.deal(match.pack)
    match.act(0, match.legal(0)[0])
    for seat in WRONG_SEATS:
        with pytest.raises(jt.GameError):
            match.describe_last_action(seat)


# Records.


def finished(name: str = "molotow") -> dict[str, Any]:
    """The record of a short finished match."""
    match = jt.Match(
        jt.game(name, **match_builders.SHORT[name]), players=["Anna", "bot:greedy", "Carla", "Ü 🂡"]
    )
    match_builders.finish(match, random.Random(6))
    return dict(match.record())


@pytest.mark.parametrize(("name", "players"), match_builders.ALL_KINDS)
def test_records_round_trip_at_every_step(name: str, players: int) -> None:
    """A record read back, also through JSON, gives the same match at every step."""
    match = jt.Match(jt.game(name, players=players, dealer=0))
    rng = random.Random(name)
    for _ in range(50):
        again = jt.Match.from_record(json.loads(json.dumps(match.record(), allow_nan=False)))
        assert match_builders.everything(again) == match_builders.everything(match)
        if match.over:
            break
        match_builders.step(match, rng)


@pytest.mark.parametrize("name", match_builders.ALL_GAMES)
def test_record_has_exactly_the_public_keys(name: str) -> None:
    """It has format, game, options, players, log and result, and nothing else."""
    record = finished(name)
    assert list(record) == ["format", "game", "options", "players", "log", "result"]
    assert record["format"] == "jasstisch-record/1"
    assert record["game"] == name
    assert set(record["options"]) == set(match_builders.OPTIONS[name])
    assert record["players"] == ["Anna", "bot:greedy", "Carla", "Ü 🂡"]
    for who, what in record["log"]:
        assert isinstance(what, str)
        assert who == "pack" or type(who) is int
    again = jt.Match.from_record(record)
    assert again.over
    assert record["result"] == {"standing": again.standing, "winners": again.winners}


def test_result_is_null_until_the_match_is_over() -> None:
    """An unfinished match has no result."""
    match = jt.Match(jt.game("molotow", rounds=1))
    rng = random.Random(7)
    while not match.over:
        assert match.record()["result"] is None
        match_builders.step(match, rng)
    assert match.record()["result"] is not None


def test_missing_options_are_filled_with_defaults() -> None:
    """Reading a record without some options uses their defaults."""
    record = finished("differenzler")
    record["options"] = {"rounds": 4}
    match = jt.Match.from_record(record)
    assert match.record()["options"] == dict(jt.game("differenzler", rounds=4).options)


def test_reading_a_record_does_not_change_it() -> None:
    """Not even its options are completed with defaults."""
    record = finished()
    record["options"] = {"rounds": 1}
    before = copy.deepcopy(record)
    jt.Match.from_record(record)
    assert record == before


def wrong(record: Any, step: int) -> jt.RecordError:
    """The error of a record that is refused at this step."""
    before = repr(record)
    with pytest.raises(jt.RecordError) as caught:
        jt.Match.from_record(record)
    assert caught.value.step == step
    assert len(str(caught.value)) < 700
    assert repr(record) == before
    return caught.value


WRONG_HEADERS: dict[str, list[Any]] = {
    "format": ["jasstisch-record/2", "", None, 1, [], "x" * 10_000],
    "game": ["chess", "", None, 1, [], {}, "differenzler "],
    "options": [
        {"rounds": 0},
        {"rounds": True},
        {"rounds": 1.0},
        {"rounds": "1"},
        {"rounds": NAN},
        {"rounds": HUGE},
        {"rounds": None},
        {"players": 3},
        {"players": True},
        {"dealer": 4},
        {"dealer": False},
        {"colour": "green"},
        {"target": 5},
        {5: 5},
        {"undertrump": ["strict"]},
        [],
        [["rounds", 1]],
        "rounds",
        5,
    ],
    "players": [
        None,
        [],
        ["Anna"],
        ["Anna", "Beat", "Carla", "Dora", "Eva"],
        ["Anna", "Beat", "Carla", 4],
        ["Anna", "Beat", "Carla", None],
        "ABCD",
        {"a": 1, "b": 2, "c": 3, "d": 4},
        5,
    ],
    "log": [None, {}, "log", 5, True],
}
HEADERS: list[tuple[str, Any]] = [
    (key, value) for key, values in WRONG_HEADERS.items() for value in values
]


@pytest.mark.parametrize("number", range(len(HEADERS)))
def test_wrong_header_is_refused_as_step_0(number: int) -> None:
    """A wrong format, game, option, list of players or log is refused as step 0."""
    key, value = HEADERS[number]
    wrong({**finished(), key: value}, 0)


@pytest.mark.parametrize("key", ["format", "game", "players", "log"])
def test_missing_header_is_refused_as_step_0(key: str) -> None:
    """A record without its format, game or log is refused as step 0."""
    record = finished()
    del record[key]
    wrong(record, 0)


@pytest.mark.parametrize("key", ["note", "", "Format", 5])
def test_unknown_key_is_refused_as_step_0(key: Any) -> None:
    """The error of a record with an unknown key names the key."""
    assert str(key) in str(wrong({**finished(), key: None}, 0))


@pytest.mark.parametrize("record", [None, [], "{}", 5, True, NAN, b"{}"])
def test_value_that_is_no_json_object_is_refused_as_step_0(record: Any) -> None:
    """A record is a JSON object."""
    wrong(record, 0)


BAD_STEPS: list[Any] = [
    None,
    [],
    [0],
    [0, "play 6C", 1],
    "play 6C",
    {"seat": 0, "action": "play 6C"},
    5,
    [None, "play 6C"],
    [True, "play 6C"],
    [False, "play 6C"],
    [-1, "play 6C"],
    [4, "play 6C"],
    [HUGE, "play 6C"],
    [0.0, "play 6C"],
    [NAN, "play 6C"],
    ["0", "play 6C"],
    ["packs", "6C"],
    ["PACK", "6C"],
    [[0], "play 6C"],
    [{}, "play 6C"],
    [0, None],
    [0, 6],
    [0, ["play 6C"]],
    [0, ""],
    [0, "resign"],
    [0, "bid 5"],
    [0, "x" * 10_000],
    ["pack", None],
    ["pack", 5],
    ["pack", ""],
    ["pack", "6C"],
    ["pack", {}],
]


@pytest.mark.parametrize("number", range(len(BAD_STEPS)))
@pytest.mark.parametrize("step", [1, 2, 3, 20, 38])
def test_invalid_log_entry_is_refused_with_its_step(number: int, step: int) -> None:
    """A log entry that is never valid is refused with its number, counted from 1."""
    record = finished()
    assert len(record["log"]) == 38
    record["log"][step - 1] = BAD_STEPS[number]
    error = wrong(record, step)
    assert str(step) in str(error)


def test_illegal_play_is_refused_with_its_step() -> None:
    """A card played out of turn, not held, or against the rules is refused with its step."""
    record = finished()
    log = record["log"]
    for number in range(2, 38):
        seat, action = log[number]
        for entry in (
            [(seat + 1) % 4, action],
            [(seat + 3) % 4, action],
            log[2 if number > 2 else 3],
        ):
            changed = {**record, "log": [*log[:number], entry, *log[number + 1 :]]}
            wrong(changed, number + 1)


def test_revoke_is_refused_with_its_step() -> None:
    """A play that does not follow suit is refused when the record is read."""
    match = start("molotov", deal({0: "6C", 1: "7C AD"}))
    play(match, "6C")
    record = match.record()
    record["log"].append([1, "play AD"])
    error = wrong(record, 3)
    assert "C8b" in str(error)


def test_wrong_pack_is_refused_with_its_step() -> None:
    """A pack with a card twice, missing, or at the wrong moment is refused with its step."""
    record = finished()
    draw, dealt = record["log"][0], record["log"][1]
    cards = draw[1].split()
    short = ["pack", " ".join(cards[:-1])]
    double = ["pack", " ".join([*cards[:-1], cards[0]])]
    for bad in (short, double):
        wrong({**record, "log": [bad, *record["log"][1:]]}, 1)
        wrong({**record, "log": [draw, bad, *record["log"][2:]]}, 2)
    wrong({**record, "log": [draw, dealt, dealt, *record["log"][2:]]}, 3)
    wrong({**record, "log": [draw, *record["log"][2:]]}, 2)


def test_steps_after_the_end_are_refused() -> None:
    """An additional step is refused with its number."""
    record = finished()
    for extra in (["pack", " ".join(reference.pack(4))], record["log"][-1], [0, "play 6C"]):
        wrong({**record, "log": [*record["log"], extra]}, 39)


def wrong_results(result: dict[str, Any]) -> list[Any]:
    """Results that differ from this one."""
    standing = result["standing"]
    first = {**standing[0], "net": standing[0]["net"] + 1}
    return [
        None,
        {},
        [],
        "over",
        5,
        True,
        {"standing": standing},
        {"winners": result["winners"]},
        {**result, "winners": []},
        {**result, "winners": [*result["winners"], 9]},
        {**result, "winners": [seat + 1 for seat in result["winners"]]},
        {**result, "winners": [float(seat) + 0.5 for seat in result["winners"]]},
        {**result, "winners": None},
        {**result, "standing": standing[:-1]},
        {**result, "standing": [first, *standing[1:]]},
        {**result, "standing": [standing[1], standing[0], *standing[2:]]}
        if standing[0] != standing[1]
        else {**result, "standing": []},
        {**result, "standing": [{**entry, "net": NAN} for entry in standing]},
        {**result, "standing": [{**entry, "sticks": bool(entry["sticks"])} for entry in standing]},
        {**result, "standing": None},
        {**result, "note": "well played"},
    ]


@pytest.mark.parametrize("number", range(20))
def test_wrong_result_is_refused_as_the_step_after_the_log(number: int) -> None:
    """A result is wrong if the log does not lead to it."""
    record = finished()
    record["result"] = wrong_results(record["result"])[number]
    wrong(record, 39)


def test_finished_log_without_a_result_is_refused() -> None:
    """The error is at the step after the last."""
    record = finished()
    del record["result"]
    wrong(record, 39)


def test_unfinished_log_with_a_result_is_refused() -> None:
    """The error is at the step after the last; without result it is a match in progress."""
    record = finished()
    for length in (0, 1, 2, 37):
        wrong({**record, "log": record["log"][:length]}, length + 1)
    assert not jt.Match.from_record({**record, "log": record["log"][:37], "result": None}).over


def test_repr_of_a_match_shows_game_round_phase_and_seats_to_act() -> None:
    match = jt.Match(jt.game("differenzler", rounds=4, dealer=2, players=3))
    rng = random.Random(1)
    assert repr(match) == "<Match differenzler: round 1, deal, awaits a pack>"
    match.deal(shuffled(match.pack, rng))
    match.deal(shuffled(match.pack, rng))
    assert repr(match) == "<Match differenzler: round 1, bid, seats 0, 1, 2 to act>"
    for seat in range(3):
        match.act(seat, "bid 40")
    assert repr(match) == "<Match differenzler: round 1, play, seat 0 to act>"
    while not match.over:
        if match.needs_pack:
            match.deal(shuffled(match.pack, rng))
        else:
            match.act(match.to_act[0], match.legal(match.to_act[0])[0])
    won = ", ".join(map(str, match.winners))
    described = f"seat {won}" if len(match.winners) == 1 else f"seats {won}"
    assert repr(match) == f"<Match differenzler: over after round 4, won by {described}>"


def test_package_version_has_three_numbers() -> None:
    assert [part.isdigit() for part in jt.__version__.split(".")] == [True, True, True]
