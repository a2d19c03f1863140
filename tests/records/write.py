"""Plays the matches whose records are in this folder, and writes those that are missing.

`.venv/bin/python -m tests.records.write` does not change existing records, because they must
replay for ever. Delete one only when a rule was wrong, and say so in the commit.
"""

import json
import random
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import jasstisch as jt
from jasstisch.bots.greedy import GreedyBot
from tests.games.covering_options import covering_games
from tests.rules import reference_contracts

FOLDER = Path(__file__).parent

Condition = Callable[[jt.Match], bool]


def decided_by_draw(match: jt.Match) -> bool:
    """Whether three players were tied in a round, and a draw decided between them (MW8)."""
    return any(one["draw"] for one in match.rounds)


def went_out(match: jt.Match) -> bool:
    """Whether a deal ended because somebody had no cards left (ID6)."""
    return any(0 in one["left"] for one in match.rounds)


def ran_out_of_claims(match: jt.Match) -> bool:
    """Whether a deal ended at the limit of claims, `max_turns` (ID8)."""
    return any(one["claims"] == match.game.options["max_turns"] for one in match.rounds)


def ended_by_weis(match: jt.Match) -> bool:
    """Whether the Weis after a first trick ended a Schieber, before its cards counted (SC6)."""
    return cards_left_out(match) and len(match.rounds[-1]["tricks"]) == 1


def ended_by_stoeck(match: jt.Match) -> bool:
    """Whether a Stöck ended a Schieber before the cards of its trick counted (SC6)."""
    return cards_left_out(match) and len(match.rounds[-1]["tricks"]) > 1


def cards_left_out(match: jt.Match) -> bool:
    """Whether the points of the last round lack cards that were played."""
    last = match.rounds[-1]
    besides: int = sum(last["weis"][:2]) + sum(last["stoeck"][:2])
    cards = (card for trick in last["tricks"] for card in trick["cards"])
    worth = sum(reference_contracts.value(card, last["contract"]) for card in cards)
    counted: int = sum(last["points"][:2]) - besides
    return counted < worth


def has_a_match(match: jt.Match) -> bool:
    """Whether a side took all nine tricks of a round (CT6)."""
    return any(one["match"] is not None for one in match.rounds)


def won_by_all(match: jt.Match) -> bool:
    """Whether both sides ended with the same (SC7)."""
    return len(match.winners) == 4


def any_match(match: jt.Match) -> bool:
    """Always true."""
    return True


RARE: dict[str, tuple[jt.Game, Condition]] = {
    "molotow-draw": (jt.game("molotow", rounds=4), decided_by_draw),
    "schieber-weis": (jt.game("schieber", multipliers="swiss"), ended_by_weis),
    "schieber-stoeck": (jt.game("schieber"), ended_by_stoeck),
    "schieber-match": (jt.game("schieber", rounds=4, multipliers="french"), has_a_match),
    "schieber-draw": (jt.game("schieber", rounds=4), won_by_all),
    "coiffeur-match": (jt.game("coiffeur", lines="ten"), has_a_match),
    "i-doubt-it-turns": (jt.game("i-doubt-it", rounds=2), ran_out_of_claims),
    "i-doubt-it-out": (jt.game("i-doubt-it", rounds=2, max_turns=100), went_out),
    "i-doubt-it-out-any": (
        jt.game("i-doubt-it", players=3, rounds=2, last="any", lie_fee=1),
        went_out,
    ),
}
"""Rare events: matches are played until one meets the condition."""


def matches() -> Iterator[tuple[str, jt.Game, Condition]]:
    """Yields the name of each record, its game, and the condition that its match must meet."""
    for name in jt.games():
        for number, game in enumerate(covering_games(name, turns=2), start=1):
            yield f"{name}-{number}", game, any_match
    for name, (game, condition) in RARE.items():
        yield name, game, condition


def first_match_with(name: str, game: jt.Game, condition: Condition) -> jt.Match:
    """The first of many random matches that meets the condition."""
    seeds = (f"{name} {number}" if number else name for number in count())
    return next(filter(condition, (random_match(seed, game) for seed in seeds)))


def random_match(seed: str, game: jt.Game) -> jt.Match:
    """A finished match between random bots and, where the game has them, greedy bots."""
    rng = random.Random(seed)
    kinds = ("random", "greedy") if game.name in GreedyBot().games else ("random",)
    bots = [jt.bot(kinds[seat % len(kinds)]) for seat in range(game.players)]
    match = jt.Match(game, [f"bot:{bot.name}" for bot in bots])
    while not match.over:
        if match.needs_pack:
            match.deal(rng.sample(match.pack, len(match.pack)))
        else:
            seat = rng.choice(match.to_act)
            action = bots[seat].act(match.view(seat), match.legal(seat), rng)
            match.act(seat, action)
    return match


def record_text(match: jt.Match) -> str:
    """The text of a record, with one line for each entry of the log."""
    record = dict(match.record())
    log = ",\n  ".join(json.dumps(entry) for entry in match.record()["log"])
    del record["log"]
    head = json.dumps(record, ensure_ascii=False)
    return f'{head[:-1]}, "log": [\n  {log}\n]}}\n'


def main() -> None:
    """Writes the records that are missing."""
    for name, game, condition in matches():
        file = FOLDER / f"{name}.jass.json"
        if not file.exists():
            file.write_text(record_text(first_match_with(name, game, condition)), encoding="utf-8")
            print(f"wrote {file.name}")


if __name__ == "__main__":
    main()
