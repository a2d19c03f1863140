"""Trains the nets that imitate rules of thumb: `python -m tools.imitate GAME`.

Rounds of `greedy` are played, half of them with some seats left to chance so that it is seen in odd
places too, and a net learns to foretell its cards; at Differenzler a glance at a hand learns its
bids. The same seed gives the same weights on the same machine. Progress is printed for rounds that
the net has not learned from: how often its likeliest card was played, and its surprise.
"""

import argparse
import random
import sys
import time

import numpy as np
from numpy.typing import NDArray

import jasstisch as jt
from jasstisch.bots import Bot, bot
from jasstisch.cards import JASS, SUITS
from jasstisch.search import bids, learning, policy, rounds, strokes
from jasstisch.search.imitating import Games, imitate
from tools.nets import RECIPES, Adam, Recipe, empty_round, keep

ODD_SEATS = 0.3
"""How many seats of every second round are left to chance."""

HELD_BACK = 0.1
"""The part of the rounds that the net does not learn from."""

ROUNDS = 32
"""Rounds of one step."""

REPORTS = 10


def played(game: jt.Game, recipe: Recipe, number: int, seed: int) -> Games:
    """Rounds of `greedy`, some of them in the company of chance."""
    rng = random.Random(seed)  # noqa: S311 - a training can be repeated
    openings: list[rounds.Round] = []
    plays: list[list[int]] = []
    shown: list[int] = []
    while len(openings) < number:
        mixed = len(openings) % 2
        odd = {seat for seat in range(game.players) if mixed and rng.random() < ODD_SEATS}
        told = play_round(game, recipe, odd, rng)
        if told is None:
            continue  # nobody played a card
        opening, cards = told
        openings.append(opening)
        plays.append(cards + [-1] * (36 - len(cards)))
        shown.append(sum(1 << seat for seat in range(game.players) if seat not in odd))
    return Games(np.array(openings), np.array(plays), np.array(shown))


def play_round(
    game: jt.Game, recipe: Recipe, odd: set[int], rng: random.Random
) -> tuple[rounds.Round, list[int]] | None:
    """One round: as it was before its first card, and the cards in order; None without any."""
    match = jt.Match(game)
    plays: list[tuple[int, int]] = []
    forehand, trump, targets = 0, -1, [0] * game.players
    while not match.rounds:
        if match.needs_pack:
            pack = list(match.pack)
            rng.shuffle(pack)
            match.shuffle(pack)
            continue
        seat = match.to_act[0]
        view = match.view(seat)
        action = player_of(seat in odd and view["phase"] == "play").act(
            view, match.legal(seat), rng
        )
        word, _, rest = action.partition(" ")
        if word == "bid":
            targets[seat] = int(rest)
        if word == "play":
            if not plays and view["trump"]:
                trump = SUITS.index(view["trump"])
            plays.append((seat, JASS.numbers[rest[:2]]))
        forehand = (view["dealer"] + 1) % game.players
        match.act(seat, action)
    if not plays:
        return None
    opening = empty_round(recipe)
    opening[rounds.TRUMP] = trump
    for seat, card in plays:
        opening[rounds.HANDS + seat] |= 1 << card
    for seat, target in enumerate(targets):
        opening[rounds.TARGET + seat] = target
    rounds.lead(opening, plays[0][0])
    if recipe.aim == learning.STROKES:
        strokes.sit_down(opening, sum(1 << seat for seat in {seat for seat, _ in plays}), forehand)
        strokes.count_melds(opening, opening[rounds.TURN])
    return opening, [card for _, card in plays]


def player_of(odd: bool) -> Bot:
    """Who plays: `greedy`, or chance in an odd seat."""
    return bot("random" if odd else "greedy")


def glance_at(games: Games) -> NDArray[np.float64]:
    """The weights of `bids.glance` that come nearest to the bids made (least squares)."""
    features, made = [], []
    for opening in games.openings:
        for seat in range(opening[rounds.PLAYING]):
            row = np.zeros(bids.FEATURES)
            bids.describe(int(opening[rounds.HANDS + seat]), int(opening[rounds.TRUMP]), row)
            features.append(row)
            made.append(opening[rounds.TARGET + seat])
    weights: NDArray[np.float64] = np.linalg.lstsq(np.array(features), np.array(made))[0]
    return weights


def fresh(rng: np.random.Generator) -> policy.Net:
    """A net that has learned nothing."""
    weights = np.zeros(policy.NET, dtype=np.float32)
    inner = policy.OUT_WEIGHTS
    weights[:inner] = rng.normal(scale=0.25, size=inner)
    weights[inner:] = rng.normal(scale=0.1, size=policy.HIDDEN)
    return weights


def some(games: Games, rows: NDArray[np.int64]) -> Games:
    """Some of the games."""
    return Games(games.openings[rows], games.plays[rows], games.shown[rows])


def train(name: str, number: int, epochs: int, seed: int) -> None:
    """Trains the net of one game and writes its weights."""
    recipe = RECIPES[name]
    begun = time.monotonic()
    games = played(jt.game(name), recipe, number, seed)
    print(f"{name}: {number} rounds played in {time.monotonic() - begun:.0f} s", flush=True)
    if recipe.aim == learning.DIFFERENCE:
        keep(f"{name}-thumb-bids", glance_at(games))
    held_back = int(number * HELD_BACK)
    unknown, known = some(games, np.arange(held_back)), np.arange(held_back, number)
    rng = np.random.default_rng(seed)
    weights, paper, adam = fresh(rng), policy.work(), Adam(policy.NET)
    steps = epochs * len(known) // ROUNDS
    for step in range(1, steps + 1):
        change = np.zeros(policy.NET, np.float32)
        rows = rng.choice(known, ROUNDS, replace=False)
        found = imitate(some(games, rows), weights, change, paper)
        change /= found.plays
        weights += adam.step(change.astype(np.float64), step / steps).astype(np.float32)
        if step % max(1, steps // REPORTS) == 0 or step == steps:
            found = imitate(unknown, weights, change, paper)
            print(
                f"{name} {step:6} of {steps}  {time.monotonic() - begun:6.0f} s  "
                f"{found.hits / found.plays:.1%} foretold, surprise {found.surprise:.3f}",
                flush=True,
            )
    keep(f"{name}-thumb", weights)


def main() -> int:
    """Trains the net of the game named on the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game", choices=RECIPES)
    parser.add_argument("--rounds", type=int, default=8000)
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    train(arguments.game, arguments.rounds, arguments.epochs, arguments.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
