"""Plays the matches whose records lie in this folder, or adds those that are missing.

`.venv/bin/python -m tests.records.write` leaves every record that is there untouched: a record is
kept because it must replay for ever. Take one away only when a rule was wrong, and say so.
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
    """Whether a deal ended because nobody had won it after so many claims (ID8)."""
    return any(one["claims"] == match.game.options["max_turns"] for one in match.rounds)


def ended_by_weis(match: jt.Match) -> bool:
    """Whether the Weis after a first trick ended a Schieber, before its cards counted (SC6)."""
    return cards_left_out(match) and len(match.rounds[-1]["tricks"]) == 1


def ended_by_stoeck(match: jt.Match) -> bool:
    """Whether a Stöck ended a Schieber before the cards of its trick counted (SC6)."""
    return cards_left_out(match) and len(match.rounds[-1]["tricks"]) > 1


def cards_left_out(match: jt.Match) -> bool:
    """Whether the cards of the last trick stand in no figure."""
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


def anything(match: jt.Match) -> bool:
    """Any match will do."""
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
"""What seldom happens by itself: matches are played until it has."""


def matches() -> Iterator[tuple[str, jt.Game, Condition]]:
    """The name of each record, the game with its options, and what is to happen in the match."""
    for name in jt.games():
        for number, game in enumerate(covering_games(name, turns=2), start=1):
            yield f"{name}-{number}", game, anything
    for name, (game, wanted) in RARE.items():
        yield name, game, wanted


def first_match_with(name: str, game: jt.Game, wanted: Condition) -> jt.Match:
    """The first match, of many that chance makes, in which the wanted has happened."""
    seeds = (f"{name} {number}" if number else name for number in count())
    return next(filter(wanted, (random_match(seed, game) for seed in seeds)))


def random_match(seed: str, game: jt.Game) -> jt.Match:
    """A whole match, by chance in some seats and by rules of thumb, if any, in the others."""
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
    """A record as it lies in the folder: one line for each entry of the log."""
    record = dict(match.record())
    log = ",\n  ".join(json.dumps(entry) for entry in match.record()["log"])
    del record["log"]
    head = json.dumps(record, ensure_ascii=False)
    return f'{head[:-1]}, "log": [\n  {log}\n]}}\n'


def main() -> None:
    """Writes the records that are missing."""
    for name, game, wanted in matches():
        file = FOLDER / f"{name}.jass.json"
        if not file.exists():
            file.write_text(record_text(first_match_with(name, game, wanted)), encoding="utf-8")
            print(f"wrote {file.name}")


if __name__ == "__main__":
    main()
