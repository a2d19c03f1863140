import json
import re
import string
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jasstisch as jt
from jasstisch.match import notation
from tests.cli.screen_player import run_cli, scripted_answers


def played(game: str, seed: int = 1, **options: object) -> jt.Match:
    """A whole match of random play."""
    chance = Random(seed)
    match = jt.Match(jt.game(game, **options))
    while not match.over:
        if match.needs_pack:
            pack = list(match.pack)
            chance.shuffle(pack)
            match.deal(pack)
        else:
            seat = match.to_act[0]
            match.act(seat, chance.choice(match.legal(seat)))
    return match


def kept(record: object, folder: Path) -> str:
    """A file with this record."""
    path = folder / "m.jass.json"
    path.write_text(json.dumps(record))
    return str(path)


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("molotov", {}),
        ("molotov", {"players": 3, "no_trump": "annul"}),
        ("molotov", {"players": 6, "target": 2}),
        ("offenbach", {"players": 5, "target": 1}),
        ("molotow", {"rounds": 12}),
        ("differenzler", {"rounds": 4}),
        ("differenzler", {"rounds": 4, "bids": "open", "trump": "bottom", "players": 3}),
        ("jass", {"target": 5}),
        ("jass", {"target": 5, "players": 3}),
        ("jass", {"target": 5, "players": 2}),
    ],
)
def test_replay_prints_every_trick_and_the_result(
    game: str, options: dict[str, Any], tmp_path: Path
) -> None:
    match = played(game, **options)
    status, printed, errors = run_cli(
        ["replay", kept(match.record(), tmp_path)], scripted_answers()
    )
    assert (status, errors) == (0, "")
    tricks = sum(len(one["tricks"]) for one in match.rounds)
    voided = printed.count("the round is void")
    per_round = len(match.rounds[0]["tricks"])
    # The last trick of a void round is gone with it.
    assert len(re.findall(r"^Trick \d+ ", printed, re.MULTILINE)) == tricks + voided * (
        per_round - 1
    )
    assert printed.count("After round ") == len(match.rounds)
    assert re.search(r"(wins the match|share the win|loses; .+ wins?)\.", printed)


@pytest.mark.parametrize(
    "options",
    [{}, {"players": 2, "last": "any"}, {"players": 8, "lie_fee": 1, "max_turns": 30}],
    ids=str,
)
def test_replay_prints_every_claim_with_its_cards_and_the_result(
    options: dict[str, Any], tmp_path: Path
) -> None:
    match = played("i-doubt-it", **options)
    record = match.record()
    status, printed, errors = run_cli(["replay", kept(record, tmp_path)], scripted_answers())
    assert (status, errors) == (0, "")
    told = re.findall(r" lays (.+) as (?:one|two|three) \w+\.$", printed, re.MULTILINE)
    laid = [action for _, action in record["log"] if action.startswith("lay ")]
    assert [len(cards.split()) for cards in told] == [len(one.split()) - 3 for one in laid]
    signs = "".join(told).translate(str.maketrans("♣♦♥♠", "CDHS")).replace("10", "T")
    assert sorted(signs.replace(" ", "")) == sorted(
        "".join(word for one in laid for word in one.split()[1:-2])
    )
    doubts = sum(action == "doubt" for _, action in record["log"])
    assert len(re.findall(r" doubts it: .+(?:A lie|True)! ", printed)) == doubts
    assert printed.count("Nobody doubts it.") == len(laid) - doubts
    assert printed.count("After round ") == len(match.rounds)


def test_replay_shows_who_stays_drops_robs_and_takes_the_blind(tmp_path: Path) -> None:
    records = (played("jass", seed, players=3, target=9).record() for seed in range(100))
    record = next(one for one in records if {"rob", "blind"} <= {said for _, said in one["log"]})
    said = [action for _, action in record["log"]]
    _, printed, _ = run_cli(["replay", kept(record, tmp_path)], scripted_answers())
    for action, line in (
        ("stay", r"^Player \d stays\.$"),
        ("drop", r"^Player \d drops\.$"),
        ("blind", r"^(Player \d) takes the blind\.$"),
        ("rob", r"^Player \d takes (\S+) from the table for the 6\S\.$"),
    ):
        assert len(re.findall(line, printed, re.MULTILINE)) == said.count(action)
    weis = sum(action.endswith(" weis") for action in said)
    assert printed.count(" announces a Weis of ") == weis
    new_hand = r"^(Player \d) takes the blind\.\n(?:Player \d leads\.\n)?\1 +(\S+ +){8}\S+$"
    assert len(re.findall(new_hand, printed, re.MULTILINE)) == said.count("blind")


def test_replay_shows_all_hands_bids_and_totals(tmp_path: Path) -> None:
    match = played("differenzler", rounds=4)
    _, printed, _ = run_cli(["replay", kept(match.record(), tmp_path)], scripted_answers())
    first = match.rounds[0]
    bids = "  ".join(f"Player {seat + 1} {bid}" for seat, bid in enumerate(first["bids"]))
    assert f"Bids      {bids}\n" in printed
    hand = re.search(r"^Player 1  ((?:\S+ +){8}\S+)\n", printed, re.MULTILINE)
    assert hand is not None
    own = [
        trick["cards"][(0 - trick["leader"]) % 4].replace("T", "10") for trick in first["tricks"]
    ]
    signs = hand[1].translate(str.maketrans("♣♦♥♠", "CDHS")).split()
    assert sorted(signs) == sorted(own)
    totals = re.search(r"^Total((?: +\d+)+) *$", printed, re.MULTILINE)
    assert totals is not None
    assert [int(one) for one in totals[1].split()] == [one["difference"] for one in match.standing]


def test_changed_house_rules_are_named(tmp_path: Path) -> None:
    match = played("molotov", players=3, target=1, ties="generous")
    _, printed, _ = run_cli(["replay", kept(match.record(), tmp_path)], scripted_answers())
    assert printed.startswith("Molotov Jass, 3 players · ties generous, target 1\n")


def test_an_unfinished_record_is_shown_as_far_as_it_goes(tmp_path: Path) -> None:
    record = played("molotow", rounds=2).record()
    record |= {"log": record["log"][:30], "result": None}
    status, printed, _ = run_cli(["replay", kept(record, tmp_path)], scripted_answers())
    assert status == 0
    assert printed.endswith("The record ends in round 1: the match is not over.\n")


def test_a_draw_between_three_is_shown__MW8(tmp_path: Path) -> None:
    seed = next(
        seed
        for seed in range(10_000)
        if any(one["draw"] for one in played("molotow", seed, rounds=1).rounds)
    )
    match = played("molotow", seed, rounds=1)
    _, printed, _ = run_cli(["replay", kept(match.record(), tmp_path)], scripted_answers())
    assert re.search(r"^Tied, draw", printed, re.MULTILINE)


@pytest.mark.parametrize(
    ("change", "step", "why"),
    [
        ({"format": "jasstisch-record/9"}, 0, "format"),
        ({"game": "poker"}, 0, "unknown game 'poker'"),
        ({"options": {"players": 9}}, 0, "players is a whole number from 3 to 6"),
        ({"players": ["a"]}, 0, "4 players have 4 names"),
        ({"log": [["pack", "6C"]]}, 1, "missing"),
        ({"log": [[0, "play JC"]]}, 1, "a shuffled pack of 36 cards is awaited"),
        ({"log": [5]}, 1, "an entry is ['pack', cards] or [seat, action], not 5"),
        ({"log": []}, 1, "the match is not over"),
        ({"result": None}, -1, "the result is not what the log yields"),
        ({"extra": 1}, 0, "unknown key 'extra'"),
    ],
)
def test_an_invalid_record_is_reported_with_step_and_reason(
    change: dict[str, Any], step: int, why: str, tmp_path: Path
) -> None:
    record: dict[str, Any] = {**played("molotov", target=1).record(), **change}
    path = kept(record, tmp_path)
    status, printed, errors = run_cli(["replay", path], scripted_answers())
    number = step if step >= 0 else len(record["log"]) + 1
    assert (status, printed) == (1, "")
    assert errors.startswith(f"jasstisch: {path}: step {number}: ")
    assert why in errors
    assert errors.count("\n") == 1


def test_an_illegal_card_is_reported_with_its_step(tmp_path: Path) -> None:
    record = played("molotov", target=1).record()
    record["log"][7][1] = "play XX"
    status, _, errors = run_cli(["replay", kept(record, tmp_path)], scripted_answers())
    assert status == 1
    assert "step 8: 'play XX': " in errors


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "not a record: not valid JSON from line 1, column 1 on"),
        (b"\xff\xfe\x00", "not a record: not valid UTF-8 from byte 1 on"),
        (b"{\n  7", "not a record: not valid JSON from line 2, column 3 on"),
        (b"[" * 100_000, "nested too deeply"),
        (b"\xef\xbb\xbf\xff", "from byte 4 on"),
        (b"9" * 10_000, "not a record: a number of 10000 digits; 100 are allowed"),
        (b"null", "a record is an object"),
        (b'{"game": "molotov", "game": "molotow"}', "an object has the same key twice"),
        (b" " * (2**24 + 1), "larger than 16 MiB"),
    ],
)
def test_a_file_that_is_not_a_record_is_refused(content: bytes, why: str, tmp_path: Path) -> None:
    path = tmp_path / "m"
    path.write_bytes(content)
    status, printed, errors = run_cli(["replay", str(path)], scripted_answers())
    assert (status, printed) == (1, "")
    assert why in errors
    assert errors.count("\n") == 1


@pytest.mark.parametrize("name", [".", "none", "x" * 300, "a\0b"])
def test_unreadable_files_are_refused(name: str, tmp_path: Path) -> None:
    status, printed, errors = run_cli(["replay", str(tmp_path / name)], scripted_answers())
    assert (status, printed) == (1, "")
    assert errors.startswith("jasstisch: cannot read ")
    assert errors.count("\n") == 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=20,
)
KEYS = st.sampled_from(["format", "game", "options", "players", "log", "result"])


@given(st.binary(max_size=200))
def test_no_bytes_cause_a_crash(content: bytes) -> None:
    assert refused(content)


@given(JSON)
def test_no_json_causes_a_crash(value: object) -> None:
    assert refused(json.dumps(value).encode())


@given(st.dictionaries(KEYS, JSON, min_size=1))
def test_no_change_of_a_record_causes_a_crash(changes: dict[str, object]) -> None:
    record = played("molotov", target=1).record()
    changed = record | changes
    content = json.dumps(changed).encode()
    assert refused(content) == (not holds(content))


@given(st.data())
def test_no_change_of_a_log_causes_a_crash(data: st.DataObject) -> None:
    record = played("differenzler", rounds=4).record()
    step = data.draw(st.integers(0, len(record["log"]) - 1))
    text = st.text(string.ascii_letters + string.digits + " ", max_size=12)
    entry = st.one_of(JSON, st.tuples(st.integers(-1, 4) | st.just("pack"), text).map(list))
    record["log"][step] = data.draw(entry)
    content = json.dumps(record).encode()
    assert refused(content) == (not holds(content))


def holds(content: bytes) -> bool:
    """Whether the content is a valid record."""
    try:
        jt.Match.from_record(json.loads(content))
    except ValueError:
        return False
    return True


def refused(content: bytes) -> bool:
    """Whether a file is refused with exactly one line; otherwise it must replay."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "m"
        path.write_bytes(content)
        status, printed, errors = run_cli(["replay", str(path)], scripted_answers())
    if status == 0:
        assert errors == ""
        return False
    assert (status, printed) == (1, "")
    assert errors.startswith("jasstisch: ")
    assert errors.count("\n") == 1
    return True


def test_names_in_a_record_cannot_control_the_terminal(tmp_path: Path) -> None:
    record = played("molotov", target=1).record()
    record["players"] = ["\x1b[2J", "[bold]", "\ud800", "x" * 999]
    status, printed, _ = run_cli(["replay", kept(record, tmp_path)], scripted_answers())
    assert status == 0
    assert "\x1b" not in printed
    assert "[bold]" in printed
    assert "x" * 21 not in printed


@pytest.mark.parametrize("game", ["differenzler", "schieber", "jass", "i-doubt-it"])
def test_json_output_is_the_outcome_of_the_match(game: str, tmp_path: Path) -> None:
    match = played(game)
    names = ["\ud800", "Zoë", *match.players[2:]]
    record = match.record() | {"players": names}
    status, printed, errors = run_cli(
        ["replay", kept(record, tmp_path), "--json"], scripted_answers()
    )
    assert (status, errors) == (0, "")
    assert json.loads(printed) == {
        "game": game,
        "options": dict(match.game.options),
        "players": names,
        "rounds": match.rounds,
        "standing": match.standing,
        "over": True,
        "winners": match.winners,
    }


def test_an_invalid_record_prints_no_json(tmp_path: Path) -> None:
    record = played("molotow").record() | {"result": None}
    status, printed, errors = run_cli(
        ["replay", kept(record, tmp_path), "--json"], scripted_answers()
    )
    assert (status, printed) == (1, "")
    assert "the result is not what the log yields" in errors


def test_a_round_is_printed_as_one_line_of_notation(tmp_path: Path) -> None:
    match = played("schieber", rounds=4)
    path = kept(match.record(), tmp_path)
    for flag, play in (("--line", True), ("--deal", False)):
        status, printed, errors = run_cli(
            ["replay", path, "--round", "2", flag], scripted_answers()
        )
        assert (status, errors) == (0, "")
        assert printed == notation.write(match, 2, play=play) + "\n"


def test_a_missing_round_is_refused(tmp_path: Path) -> None:
    path = kept(played("schieber", rounds=4).record(), tmp_path)
    answer = run_cli(["replay", path, "--round", "5", "--line"], scripted_answers())
    assert answer == (1, "", "jasstisch: round 5 is not finished; 4 of this match are\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--line"], "--line and --deal need a round: --round N"),
        (["--line", "--deal", "--round", "1"], "one of --line, --deal, --json and --analyse"),
        (["--line", "--json", "--round", "1"], "one of --line, --deal, --json and --analyse"),
        (["--deal", "--analyse", "--round", "1"], "one of --line, --deal, --json and --analyse"),
        (["--line", "--round", "1", "--seat", "1"], "--seat goes with --analyse"),
    ],
)
def test_notation_excludes_other_output_options(
    words: list[str], said: str, tmp_path: Path
) -> None:
    path = kept(played("molotow").record(), tmp_path)
    status, printed, errors = run_cli(["replay", path, *words], scripted_answers())
    assert (status, printed) == (2, "")
    assert said in errors
