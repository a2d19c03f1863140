"""Playthroughs that a person can check line by line, one for each game and number of players.

`python -m tests.rules.golden --write` writes the files in `golden/`; without `--write` it shows
what would change. Packs and choices are random by a fixed seed. Everything is read from the public
names of the engine, except the points of a trick, which the reference computes, so that the points
of tricks and the running points come from two sources.

Reading a file: each play shows the hand with the cards that may be played in brackets, then the
card. Running points are those each seat sees of itself. At I Doubt It the middle is listed from the
top down. At Schieber and Coiffeur points are those of side 0 and side 1, before the factor; a trick
says how it is ranked. Coiffeur, of twenty rounds, has a line for each trick.
"""

from __future__ import annotations

import argparse
import difflib
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import jasstisch as jt
from tests.rules import match_builders, reference, reference_contracts

FOLDER = Path(__file__).with_name("golden")
SHORT: dict[str, dict[str, Any]] = {
    "molotov": {"target": 2},
    "offenbach": {"target": 2},
    "molotow": {"rounds": 4},
    "differenzler": {"rounds": 4},
    "jass": {"target": 5},
    "schieber": {"multipliers": "swiss", "slalom": "on"},
    "coiffeur": {"lines": "ten"},
    "i-doubt-it": {"rounds": 2, "max_turns": 20},
}

ANSWERS = (5, 6, 4)
"""Weights of staying, dropping and taking the blind at Jass."""


def file_of(name: str, players: int) -> Path:
    """The file of a game with so many players."""
    return FOLDER / f"{name}-{players}.txt"


def playthrough(name: str, players: int) -> str:
    """The lines that describe a whole match."""
    match = jt.Match(jt.game(name, players=players, **SHORT[name]))
    rng = random.Random(f"{name} for {players}")
    lines = [
        f"{name}, {players} players",
        "options: " + " · ".join(f"{key} {value}" for key, value in match.game.options.items()),
    ]
    describers = {"draw": draw, "deal": deal, "trump": trump, "bid": bid, "play": trick}
    describers |= {"decide": decide, **OWN_DESCRIBERS.get(name, {})}
    while not match.over:
        lines += describers[match.view(None)["phase"]](match, rng)
    lines += ["", "the match is over", f"won by: {', '.join(map(str, match.winners))}"]
    return "\n".join(lines) + "\n"


def draw(match: jt.Match, rng: random.Random) -> Iterator[str]:
    """The draw for deal (C5)."""
    match.deal(match_builders.shuffled(match, rng))
    view = match.view(None)
    drawn = " · ".join(f"{seat} {card}" for seat, card in view["draw"])
    yield f"draw for deal: {drawn} -> {view['dealer']} deals first"


def deal(match: jt.Match, rng: random.Random) -> Iterator[str]:
    """The deal (C6)."""
    view = match.view(None)
    pack = match_builders.shuffled(match, rng)
    match.deal(pack)
    yield ""
    yield f"ROUND {view['round']}, dealer {view['dealer']}"
    half = len(pack) // 2
    yield f"pack: {' '.join(pack[:half])}"
    yield f"      {' '.join(pack[half:])}"
    for seat in range(match.game.players):
        if match.hand(seat):
            yield f"hand of {seat}: {' '.join(match.hand(seat))}"


def jass_deal(match: jt.Match, rng: random.Random) -> Iterator[str]:
    """The deal of Jass with the card that makes trump, the blind and the dead hand (JS3)."""
    yield from deal(match, rng)
    pack = match.record()["log"][-1][1].split()
    playing = len(match.view(None)["playing"])
    if playing == 2:
        yield f"blind: {' '.join(pack[18:27])}, dead hand: {' '.join(pack[27:])}"
    elif playing == 3:
        yield f"blind: {' '.join(pack[27:])}"
    yield f"{match.view(None)['shown']} is turned up"


def jass_answer(match: jt.Match, rng: random.Random) -> Iterator[str]:
    """Staying, dropping or taking the blind (JS4); a player left alone writes two strokes (JS6)."""
    done = len(match.rounds)
    (seat,) = match.to_act
    legal = list(match.legal(seat))
    action = rng.choices(legal, ANSWERS[: len(legal)])[0]
    match.act(seat, action)
    told = f", the hand is now {' '.join(match.hand(seat))}" if action == "blind" else ""
    yield f"{seat} says {action} (of {' '.join(legal)}){told}"
    if len(match.rounds) > done:
        yield f"  {match.rounds[-1]['playing'][0]} is alone"
        yield from end_of_round(match)


def jass_trick(match: jt.Match, rng: random.Random) -> Iterator[str]:
    """A trick of Jass with robbing, Weis and Stöck, play by play (JS5, JS7, JS8)."""
    done = len(match.rounds)
    before = match.view(None)
    trump, number = before["trump"], len(before["tricks"]) + 1
    yield ""
    yield f"trick {number}, trump {trump}"
    played: list[str] = []
    while len(played) < len(before["playing"]):
        (seat,) = match.to_act
        turned = match.view(None)["turned"]
        if "rob" in match.legal(seat) and rng.random() < 0.8:
            match.act(seat, "rob")
            yield f"  {seat} robs {turned} with {match.view(None)['turned']}"
        legal = list(match.legal(seat))
        plays = [action for action in legal if len(action.split()) == 2 and action != "rob"]
        hand = in_brackets(match, seat)
        melds = match.view(seat)["melds"]
        action = rng.choice(plays)
        played.append(action.split()[1])
        weis = bool(melds) and rng.random() < 0.8
        match.act(seat, f"{action} weis" if weis else action)
        said = f", Weis of {melds[0]['points']}" if weis else ", silent on a Weis" if melds else ""
        yield f"  {seat} plays {played[-1]}{said}   from {hand}"
    after = match.rounds[-1] if len(match.rounds) > done else match.view(None)
    worth = sum(reference.value(card, trump) for card in played)
    last = " and 5 for the last trick" if len(match.rounds) > done else ""
    yield f"  taken by {after['tricks'][-1]['winner']}, worth {worth}{last}"
    shown = match.view(None)["weis_shown"]
    if number == 1 and shown is not None:
        for meld in shown["melds"]:
            yield f"  Weis of {shown['seat']}: {' '.join(meld['cards'])}, {meld['points']}"
    for seat, points in enumerate(after["stoeck"]):
        if points > before["stoeck"][seat]:
            yield f"  Stöck of {seat}: {points}"
    if len(match.rounds) > done:
        yield from end_of_round(match)
    else:
        yield f"  points: {columns(after['points'])}"


def announcement(match: jt.Match, rng: random.Random) -> Iterator[str]:
    """A push or the announcement of a contract (SC1, CO2)."""
    (seat,) = match.to_act
    legal = list(match.legal(seat))
    who = f"{seat}" if "push" in legal else f"{seat}, who may not push,"
    pushes = legal == ["push"] or ("push" in legal and rng.random() < 0.4)
    action = "push" if pushes else rng.choice([each for each in legal if each != "push"])
    match.act(seat, action)
    yield f"{who} says {action}"
    view = match.view(None)
    if not pushes:
        (leader,) = match.to_act
        yield f"contract {view['contract']}, factor {view['factor']}, {leader} leads"


def schieber_trick(match: jt.Match, rng: random.Random) -> Iterator[str]:
    """A trick of Schieber with Weis and Stöck of the sides, play by play (CT4, SC3, SC4)."""
    before, done = match.view(None), len(match.rounds)
    yield ""
    yield f"trick {len(before['tricks']) + 1}, {ranked(before)}"
    for _ in range(4):
        (seat,) = match.to_act
        hand = in_brackets(match, seat)
        melds = match.view(seat)["melds"]
        action = rng.choice([each for each in match.legal(seat) if not each.endswith(" weis")])
        weis = bool(melds) and rng.random() < 0.8
        match.act(seat, f"{action} weis" if weis else action)
        said = f", Weis of {melds[0]['points']}" if weis else ", silent on a Weis" if melds else ""
        yield f"  {seat} plays {action.split()[1]}{said}   from {hand}"
    after = match.rounds[-1] if len(match.rounds) > done else match.view(None)
    for side in (0, 1):
        if after["stoeck"][side] > before["stoeck"][side]:
            yield f"  Stöck of side {side}: {after['stoeck'][side]}"
    shown = match.view(None)["weis_shown"]
    if not before["tricks"] and shown is not None:
        told = " · ".join(f"{' '.join(each['cards'])} {each['points']}" for each in shown["melds"])
        yield f"  Weis of side {shown['seat'] % 2}: {told}"
    yield f"  {taken(before, after)}"
    yield f"  points of the sides: {columns(after['points'][:2])}"
    if len(match.rounds) > done:
        yield from end_of_contract(match)


def coiffeur_trick(match: jt.Match, rng: random.Random) -> Iterator[str]:
    """A trick of Coiffeur in one line (CT4)."""
    before, done = match.view(None), len(match.rounds)
    (leader,) = match.to_act
    played = []
    for _ in range(4):
        (seat,) = match.to_act
        played.append(rng.choice(match.legal(seat)).split()[1])
        match.act(seat, played[-1])
    after = match.rounds[-1] if len(match.rounds) > done else match.view(None)
    number = len(before["tricks"]) + 1
    yield (
        f"  {number} {ranked(before):9} {leader} leads {' '.join(played)}, "
        f"{taken(before, after)}, points {columns(after['points'][:2])}"
    )
    if len(match.rounds) > done:
        yield from end_of_contract(match)


def ranked(view: dict[str, Any]) -> str:
    """How the next trick is ranked, by the reference: trump S, tops or bottoms (CT4)."""
    contract: str = view["contract"]
    if view["trump"]:
        return contract
    return reference_contracts.way(contract, len(view["tricks"]) + 1)


def taken(before: dict[str, Any], after: dict[str, Any]) -> str:
    """The winner of the trick, and its points by the reference (CT5, CT6)."""
    trick = after["tricks"][-1]
    worth = sum(reference_contracts.value(card, before["contract"]) for card in trick["cards"])
    last = " and 5 for the last trick" if len(after["tricks"]) == 9 else ""
    match = f", match of side {after['match']}" if after.get("match") is not None else ""
    return f"taken by {trick['winner']}, worth {worth}{last}{match}"


def in_brackets(match: jt.Match, seat: int) -> str:
    """A hand with the cards that may be played in brackets."""
    legal = match.legal(seat)
    return " ".join(f"[{card}]" if f"play {card}" in legal else card for card in match.hand(seat))


def end_of_contract(match: jt.Match) -> Iterator[str]:
    """The result of a round of sides, and the slate after it (SC5, CO4)."""
    result, sides = match.rounds[-1], match.standing[:2]
    besides = [sum(result[key][:2]) for key in ("weis", "stoeck")]
    cards = sum(result["points"][:2]) - sum(besides)
    yield f"end of the round, {result.get('line', result['contract'])}"
    yield f"  points:     {columns(result['points'][:2])}   cards and match together {cards}"
    for key, points in zip(("weis", "stoeck"), besides, strict=True):
        if points:
            yield f"  {key + ':':11} {columns(result[key][:2])}"
    yield f"  marks:      {columns(result['marks'][:2])}   factor {result['factor']}"
    yield f"  total:      {columns(one['points'] for one in sides)}"
    written = sides[result["by"] % 2]
    if "lines" in written:
        slate = " · ".join(f"{line} {points}" for line, points in written["lines"].items())
        yield f"  slate of side {written['side']}: {slate}"


def doubt_deal(match: jt.Match, rng: random.Random) -> Iterator[str]:
    """The deal of I Doubt It with the surplus in the middle (ID1)."""
    yield from deal(match, rng)
    middle = match.view(None)["middle"]
    surplus = match.record()["log"][-1][1].split()[52 - middle :]
    yield f"middle from the top: {' '.join(surplus) or 'nothing'}"


def doubt_lay(match: jt.Match, rng: random.Random) -> Iterator[str]:
    """A turn of I Doubt It: missed turns, an automatic draw, the claim (ID2, ID5)."""
    view = match.view(match.to_act[0])
    (seat,) = match.to_act
    turns = view["turns"]
    begun = bool(turns) and turns[-1]["rank"] is None and turns[-1]["seat"] == seat
    finished = turns[:-1] if begun and turns[-1]["drew"] else turns
    missed: list[int] = []
    for turn in reversed(finished):
        if turn["count"]:
            break
        missed.insert(0, turn["seat"])
    yield ""
    for other in missed:
        yield f"{other} misses its turn"
    yield f"{seat} holds {' '.join(match.hand(seat))}"
    if begun and turns[-1]["drew"]:
        yield f"  of them drawn from the middle: {' '.join(turns[-1]['drawn'])}"
    action = rng.choice(match.legal(seat))
    laid = action.split()[1:-2]
    rng.shuffle(laid)
    same = [card for card in match.hand(seat) if card[0] == laid[0][0]][: len(laid)]
    if len(same) == len(laid):
        laid = same
    match.act(seat, f"lay {' '.join(laid)} as {laid[0][0]}")
    (open_claim,) = {
        match.describe_last_action(other) for other in (None, (seat + 1) % match.game.players)
    }
    yield f"  {match.describe_last_action(seat)}, shown to others as: {open_claim}"


def doubt_answer(match: jt.Match, rng: random.Random) -> Iterator[str]:
    """An answer to a claim, and how the claim is settled (ID3, ID4)."""
    done = len(match.rounds)
    (seat,) = match.to_act
    action = "doubt" if rng.random() < 0.15 else "pass"
    match.act(seat, action)
    yield f"  {seat} says {action}"
    turn = next(one for one in reversed(match.view(None)["turns"]) if one["count"])
    if turn["doubter"] is not None:
        verdict = "true" if turn["truth"] else "false"
        yield f"  turned up {' '.join(turn['laid'])}: {verdict}"
        yield f"  {turn['taker']} takes {turn['taken']}"
    view = match.view(None)
    if len(match.rounds) > done:
        yield from end_of_round(match)
    elif view["phase"] == "lay":
        yield f"  hands {columns(view['hand_sizes'])}   middle {view['middle']}"


OWN_DESCRIBERS: dict[str, dict[str, Callable[[jt.Match, random.Random], Iterator[str]]]] = {
    "jass": {"deal": jass_deal, "answer": jass_answer, "play": jass_trick},
    "schieber": {"announce": announcement, "play": schieber_trick},
    "coiffeur": {"announce": announcement, "play": coiffeur_trick},
    "i-doubt-it": {"deal": doubt_deal, "lay": doubt_lay, "answer": doubt_answer},
}
"""The phases that a game describes in its own way."""


def trump(match: jt.Match, rng: random.Random) -> Iterator[str]:
    """The draw of trump (DF2)."""
    pack = match_builders.shuffled(match, rng)
    match.deal(pack)
    yield f"front card of the second pack {pack[0]}: trump is {match.trump}"


def bid(match: jt.Match, rng: random.Random) -> Iterator[str]:
    """A bid, which only its owner sees (DF3)."""
    seat = rng.choice(match.to_act)
    match.act(seat, f"bid {rng.randint(0, 80)}")
    view = match.view(seat)
    others = [match.view(reader)["bids"][seat] for reader in range(match.game.players)]
    seen = [str(reader) for reader, value in enumerate(others) if value is not None]
    yield f"{seat} bids {view['bids'][seat]}, seen by {' '.join(seen)}"


def trick(match: jt.Match, rng: random.Random) -> Iterator[str]:
    """A trick, play by play."""
    done = len(match.rounds)
    number = len(match.view(None)["tricks"]) + 1
    yield ""
    yield f"trick {number}, trump {match.trump or 'not known'}"
    played: list[str] = []
    known = match.trump
    for _ in range(match.game.players):
        (seat,) = match.to_act
        legal = match_builders.legal(match)
        hand = " ".join(f"[{card}]" if card in legal else card for card in match.hand(seat))
        card = rng.choice(sorted(legal))
        match.act(seat, card)
        played.append(card)
        made = known is None and card[1] != played[0][1]
        known = card[1] if made else known
        told = f", trump is {match.trump or known} now" if made else ""
        yield f"  {seat} plays {card}{told}   from {hand}"
    over = len(match.rounds) > done or match.view(None)["phase"] == "decide"
    taken = match.rounds[-1]["tricks"][-1] if len(match.rounds) > done else last_trick(match)
    worth = sum(reference.value(card, known) for card in played)
    last = " and 5 for the last trick" if over else ""
    yield f"  taken by {taken['winner']}, worth {worth}{last}"
    yield from molotovs(match, number, done)
    if len(match.rounds) > done:
        yield from end_of_round(match)
    else:
        points = (match.view(seat)["points"][seat] for seat in range(match.game.players))
        yield f"  points: {columns(points)}"


def last_trick(match: jt.Match) -> dict[str, Any]:
    """The trick just completed."""
    taken: dict[str, Any] = match.view(None)["last_trick"]
    return taken


def molotovs(match: jt.Match, number: int, done: int) -> Iterator[str]:
    """The molotovs of a trick (MV4)."""
    told = match.rounds[-1] if len(match.rounds) > done else match.view(None)
    for run in told.get("molotovs", []):
        if run["trick"] == number:
            yield f"  molotov {' '.join(run['cards'])}: {run['points']} to {run['seat']}"


def decide(match: jt.Match, rng: random.Random) -> Iterator[str]:
    """The draw of three tied players (MW8)."""
    match.deal(match_builders.shuffled(match, rng))
    for drawn in match.rounds[-1]["draw"]:
        yield "three tied draw: " + " · ".join(f"{seat} {card}" for seat, card in drawn)
    yield from end_of_round(match)


def end_of_round(match: jt.Match) -> Iterator[str]:
    """The result of a round and the slate after it."""
    result = match.rounds[-1]
    yield ""
    yield f"end of the round, trump {result['trump']}"
    if "bids" in result:
        yield f"  bids:       {columns(result['bids'])}"
    yield f"  points:     {columns(result['points'])}   together {sum(result['points'])}"
    for key in ("weis", "stoeck", "left"):
        if key in result:
            yield f"  {key + ':':11} {columns(result[key])}"
    if "difference" in result:
        yield f"  difference: {columns(result['difference'])}"
    yield f"  marks:      {columns(result['marks'])}"
    for key in match.standing[0]:
        yield f"  {key + ':':11} {columns(entry[key] for entry in match.standing)}"


def columns(values: Any) -> str:
    """Values by seat, in columns."""
    return " ".join(f"{value!s:>4}" for value in values)


def changes(name: str, players: int) -> str:
    """How the file and the current playthrough differ; empty if they do not."""
    path = file_of(name, players)
    written = path.read_text() if path.exists() else ""
    return "".join(
        difflib.unified_diff(
            written.splitlines(keepends=True),
            playthrough(name, players).splitlines(keepends=True),
            fromfile=str(path.relative_to(FOLDER.parent)),
            tofile="the engine now",
            n=6,
        )
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Show what differs from the files, or write them."""
    parser = argparse.ArgumentParser(prog="python -m tests.rules.golden", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the files")
    options = parser.parse_args(arguments)
    different = 0
    for name, players in match_builders.ALL_KINDS:
        if options.write:
            FOLDER.mkdir(exist_ok=True)
            file_of(name, players).write_text(playthrough(name, players))
        elif text := changes(name, players):
            different = 1
            sys.stdout.write(text)
    return different


if __name__ == "__main__":
    sys.exit(main())
