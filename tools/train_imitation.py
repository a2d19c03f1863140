"""Trains the nets that imitate a bot: `python -m tools.train_imitation GAME [PLAYER]`.

The bot plays rounds, half of them with weaker opponents in some seats, so that unusual positions
occur too. A net learns to predict its cards; for Differenzler a linear bid model learns its bids.
The net for `greedy` starts from random weights, that for `club` from the net learned by self-play
(`python -m tools.train_policy`). The imitated `club` uses the nets that exist: without an imitation
net of `club` it assumes that nobody searches, so a second run reflects the improved bot. The same
seed gives the same weights on the same machine, if the existing nets are the same. Progress is
printed for validation rounds: the accuracy of the likeliest card and the cross-entropy, first for
the net to be replaced.
"""

import argparse
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

import jasstisch as jt
from jasstisch.bots import Bot, View, bot
from jasstisch.bots.searching import contracts as contracts_search
from jasstisch.bots.searching import handjass, trick_games
from jasstisch.bots.searching.budget import CLUB
from jasstisch.bots.searching.match_utility import utility_params
from jasstisch.bots.searching.root_state import rules_of
from jasstisch.cli.arguments import int_range
from jasstisch.engine.cards import JASS, SUITS, shuffled
from jasstisch.games import scoring_kinds
from jasstisch.games.contracts import CONTRACTS
from jasstisch.search import flat_monte_carlo
from jasstisch.search.nets import bid_model, features, policy
from jasstisch.search.nets.imitation import Demonstrations, ImitationStats, imitation_gradient
from jasstisch.search.nets.weight_folding import fold_net_weights, unfold_gradient
from jasstisch.search.rounds import contracts, round_state
from jasstisch.search.rounds import handjass as jass_round
from tools.training_recipes import (
    RECIPES,
    Adam,
    Recipe,
    empty_round,
    has_weights,
    load_weights,
    save_weights,
)

VALIDATION_SHARE = 0.1
"""The share of the rounds held back for validation."""

ROUNDS_PER_STEP = 32
"""Rounds per training step."""

MIN_ROUNDS = 40
"""The minimum number of rounds: with fewer, no step is left after the validation split."""

PROGRESS_REPORTS = 10


EVALUATORS = {
    "jass": handjass.evaluate_with_rollout,
    "schieber": contracts_search.evaluate_with_rollout,
    "coiffeur": contracts_search.evaluate_with_rollout,
}
"""The evaluation functions of games in which more than cards is chosen."""


class Searcher:
    """`club` with the existing nets and without a time limit."""

    name = "searcher"

    def act(self, view: View, legal: Sequence[str], rng: random.Random) -> str:
        """Returns the action with the highest value."""
        if len(legal) == 1:
            return legal[0]
        ways = flat_monte_carlo.RolloutConfig(
            available_nets(rules_of(view).net_family), policy.new_scratch(), utility_params(view)
        )
        think = EVALUATORS.get(view["game"], trick_games.evaluate_with_rollout)
        return think(ways, view, legal, rng, replace(CLUB, time_limit_s=60.0))[0].action


@cache
def available_nets(family: str) -> policy.Nets:
    """Returns the existing nets of all policies."""
    return policy.fold_nets(
        [
            load_weights(name)
            for one in policy.POLICY_NAMES
            if has_weights(name := f"{family}-{one}")
        ]
    )


@dataclass(frozen=True, slots=True)
class ImitationSpec:
    """Which bot is imitated, and how.

    Attributes:
        manner: the policy that the net is for.
        player: the imitated bot.
        opponents: the bot in the other seats.
        odd_seats: the probability that a seat is one of these, in every second round.
        initial_weights: the policy whose net the training starts from; None for random weights.
        rounds: the number of rounds played.
        epochs: the number of passes over them.
        learning_rate: the initial learning rate.
    """

    manner: str
    player: Bot
    opponents: Bot
    odd_seats: float
    initial_weights: str | None
    rounds: int
    epochs: int
    learning_rate: float


SPECS = {
    "greedy": ImitationSpec("thumb", bot("greedy"), bot("random"), 0.3, None, 8000, 40, 0.004),
    "club": ImitationSpec("search", Searcher(), bot("greedy"), 0.5, "learned", 9000, 20, 0.002),
}


def generate_rounds(recipe: Recipe, model: ImitationSpec, number: int, seed: int) -> Demonstrations:
    """Plays rounds of the bot, some with other opponents, alternating between the games."""
    rng = random.Random(seed)  # noqa: S311 - a training is reproducible
    openings: list[round_state.Round] = []
    plays: list[list[int]] = []
    shown: list[int] = []
    while len(openings) < number:
        mixed = len(openings) % 2
        game = recipe.games[len(openings) // 2 % len(recipe.games)]
        odd = {seat for seat in range(game.players) if mixed and rng.random() < model.odd_seats}
        told = play_round(game, recipe, model, odd, rng)
        if told is None:
            continue  # nobody played a card
        opening, cards = told
        openings.append(opening)
        plays.append(cards + [-1] * (36 - len(cards)))
        shown.append(sum(1 << seat for seat in range(game.players) if seat not in odd))
    return Demonstrations(np.array(openings), np.array(plays), np.array(shown))


def play_round(
    game: jt.Game, recipe: Recipe, model: ImitationSpec, odd: set[int], rng: random.Random
) -> tuple[round_state.Round, list[int]] | None:
    """Plays one round; returns its initial state and its cards, or None without any."""
    match = jt.Match(game)
    plays: list[tuple[int, int]] = []
    first: View = {}
    forehand, targets = 0, [0] * game.players
    while not match.rounds:
        if match.needs_pack:
            match.deal(shuffled(match.pack, rng))
            continue
        seat = match.to_act[0]
        view = match.view(seat)
        company = seat in odd and view["phase"] == "play"
        player = model.opponents if company else model.player
        action = player.act(view, match.legal(seat), rng)
        word, _, rest = action.partition(" ")
        if word == "bid":
            targets[seat] = int(rest)
        if word == "play":
            if not plays:
                first = view
            plays.append((seat, JASS.numbers[rest[:2]]))
        forehand = (view["dealer"] + 1) % game.players
        match.act(seat, action)
    if not plays:
        return None
    return initial_round(recipe, plays, first, targets, forehand), [card for _, card in plays]


def initial_round(
    recipe: Recipe, plays: list[tuple[int, int]], first: View, targets: list[int], forehand: int
) -> round_state.Round:
    """Returns the state of a round before its first card.

    Args:
        recipe: its rules.
        plays: seat and card of each play.
        first: the view of the leader before the first card.
        targets: the bids.
        forehand: the seat that led, or could have.
    """
    opening = empty_round(recipe)
    round_state.set_ranking(opening, SUITS.index(first["trump"]) if first["trump"] else -1)
    for seat, card in plays:
        opening[round_state.HANDS + seat] |= 1 << card
    for seat, target in enumerate(targets):
        opening[round_state.TARGET + seat] = target
    leader = plays[0][0]
    round_state.start_trick(opening, leader)
    if recipe.aim == scoring_kinds.BY_SIDE:
        contract = tuple(CONTRACTS).index(first["contract"])
        contracts.start_contract(opening, contract, first["by"], int(first["pushed"]), leader)
    if recipe.aim == scoring_kinds.BY_STROKES:
        jass_round.set_players(
            opening, sum(1 << seat for seat in {seat for seat, _ in plays}), forehand
        )
        jass_round.score_melds(opening, opening[round_state.TURN])
    return opening


def fit_bid_model(games: Demonstrations) -> NDArray[np.float64]:
    """Fits the weights of the bid model to the bids made (least squares)."""
    features, made = [], []
    for opening in games.initial_states:
        for seat in range(opening[round_state.PLAYER_COUNT]):
            row = np.zeros(bid_model.FEATURE_COUNT)
            bid_model.write_hand_features(
                int(opening[round_state.HANDS + seat]), int(opening[round_state.RANKING]), row
            )
            features.append(row)
            made.append(opening[round_state.TARGET + seat])
    weights: NDArray[np.float64] = np.linalg.lstsq(np.array(features), np.array(made))[0]
    return weights


def random_net(rng: np.random.Generator, partners: bool) -> features.Net:
    """Returns a net with random weights."""
    weights = np.zeros(
        features.PARTNER_NET_SIZE if partners else features.NET_SIZE, dtype=np.float32
    )
    inner = features.OUT_WEIGHTS
    weights[:inner] = rng.normal(scale=0.25, size=inner)
    weights[inner : features.NET_SIZE] = rng.normal(scale=0.1, size=features.HIDDEN)
    weights[features.NET_SIZE :] = rng.normal(scale=0.25, size=len(weights) - features.NET_SIZE)
    return weights


def subset(games: Demonstrations, rows: NDArray[np.int64]) -> Demonstrations:
    """Returns the demonstrations at these indices."""
    return Demonstrations(games.initial_states[rows], games.plays[rows], games.imitated_seats[rows])


def train(name: str, model: ImitationSpec, seed: int) -> None:
    """Trains the net of one game and writes its weights."""
    recipe, number = RECIPES[name], model.rounds
    begun = time.monotonic()
    bidden = f"{name}-{model.manner}-bids"
    if (
        recipe.aim == scoring_kinds.BY_DIFFERENCE
        and model.initial_weights
        and not has_weights(bidden)
    ):
        # The bots read the bid models of all policies, although this one takes no part here.
        save_weights(bidden, load_weights(f"{name}-{model.initial_weights}-bids"))
    games = generate_rounds(recipe, model, number, seed)
    print(f"{name}: {number} rounds played in {time.monotonic() - begun:.0f} s", flush=True)
    if recipe.aim == scoring_kinds.BY_DIFFERENCE:
        save_weights(bidden, fit_bid_model(games))
    held_back = int(number * VALIDATION_SHARE)
    unknown, known = subset(games, np.arange(held_back)), np.arange(held_back, number)
    rng = np.random.default_rng(seed)
    weights = random_net(rng, recipe.aim == scoring_kinds.BY_SIDE)
    if model.initial_weights:
        weights[:] = load_weights(f"{name}-{model.initial_weights}")
    adam = Adam(len(weights), model.learning_rate)
    if has_weights(f"{name}-{model.manner}"):
        found, _ = evaluate(unknown, load_weights(f"{name}-{model.manner}"))
        print(f"{name} before: {format_stats(found)}", flush=True)
    steps = model.epochs * len(known) // ROUNDS_PER_STEP
    for step in range(1, steps + 1):
        rows = rng.choice(known, ROUNDS_PER_STEP, replace=False)
        found, change = evaluate(subset(games, rows), weights)
        weights += adam.step(change / found.plays, step / steps).astype(np.float32)
        if step % max(1, steps // PROGRESS_REPORTS) == 0 or step == steps:
            found, _ = evaluate(unknown, weights)
            print(
                f"{name} {step:6} of {steps}  {time.monotonic() - begun:6.0f} s  "
                f"{format_stats(found)}",
                flush=True,
            )
    save_weights(f"{name}-{model.manner}", weights)


def evaluate(
    games: Demonstrations, weights: NDArray[np.float32] | NDArray[np.float64]
) -> tuple[ImitationStats, NDArray[np.float64]]:
    """Returns the accuracy of a net in these games, and the gradient of its weights."""
    net = fold_net_weights(weights)
    change = np.zeros(len(net))
    found = imitation_gradient(games, net, change, policy.new_scratch(), policy.new_tape())
    return found, unfold_gradient(change)


def format_stats(found: ImitationStats) -> str:
    """Formats the accuracy of a net."""
    return f"{found.hits / found.plays:.1%} foretold, surprise {found.cross_entropy:.3f}"


def main() -> int:
    """Trains the net of the game and bot named on the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game", choices=RECIPES)
    parser.add_argument("player", nargs="?", choices=SPECS, default="greedy")
    parser.add_argument(
        "--rounds", type=int_range(MIN_ROUNDS), help="instead of those of the model"
    )
    parser.add_argument("--epochs", type=int_range(1), help="instead of those of the model")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    model = SPECS[arguments.player]
    model = replace(
        model,
        rounds=arguments.rounds or model.rounds,
        epochs=arguments.epochs or model.epochs,
    )
    train(arguments.game, model, arguments.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
