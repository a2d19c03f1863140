"""Trains the policy nets of the playouts by self-play: `python -m tools.train_policy GAME`.

In each round some seats play by the learning net and the others by the net that imitates `greedy`,
which must exist (`python -m tools.train_imitation GAME`).

Each game has a recipe: rules, objective and length. The same recipe, seed and initial weights give
the same weights on the same machine. Progress is printed as the mean gain of the learning seats: in
Differenzler a tenth of the mean difference, with deliberately inexact bids.

A training can stop at any time, after `--minutes` or on Ctrl-C; the same command resumes it from
its checkpoint in build/training. The weights are written at the end. `python -m
tools.learning_curve` draws the progress.
"""

import argparse
import sys
import time

import numpy as np

from jasstisch.cli.arguments import int_range
from jasstisch.games import scoring_kinds
from jasstisch.search.nets import bid_model, policy, policy_training
from jasstisch.search.nets.policy import Scratch
from jasstisch.search.nets.weight_folding import unfold_gradient
from jasstisch.search.rounds import round_state
from tools import training_recipes
from tools.training_checkpoint import Training, TrainingFileError, find_unfinished
from tools.training_recipes import RECIPES, empty_round, save_weights

ROUNDS_PER_STEP, PLAYS_STUDIED, PLAYOUTS = 64, 4, 2
"""Rounds of a step, plays sampled in each, and playouts of each legal card there."""

ENTROPY_WEIGHT, FINAL_ENTROPY_SHARE = 0.02, 0.02
"""The initial weight of the entropy bonus, and the share of it that remains at the end."""

REPORT_EVERY_STEPS = 100
"""Steps between two progress reports and checkpoints."""


def train(game: str, steps: int, seed: int, minutes: float | None = None) -> bool:
    """Trains the net of one game, and writes its weights at the end.

    Args:
        game: the game, which selects the recipe.
        steps: the total number of steps.
        seed: the random seed.
        minutes: when to stop, to be resumed by the next call; None for no limit.

    Returns:
        Whether the training is finished.
    """
    run = find_unfinished(game, steps, seed) or Training.start(game, steps, seed)
    if run.gains:
        print(f"{game} goes on after {len(run.gains)} of {steps} steps", flush=True)
    paper, rules, begun = policy.new_scratch(), empty_round(RECIPES[game]), time.monotonic()
    before = run.seconds
    while not run.is_finished:
        if minutes is not None and time.monotonic() - begun >= 60 * minutes:
            print(f"{game} stops; the same command goes on")
            return False
        for _ in range(min(REPORT_EVERY_STEPS, steps - len(run.gains))):
            train_step(run, rules, paper)
        run.seconds = before + time.monotonic() - begun
        gain = np.mean(run.gains[-REPORT_EVERY_STEPS:])
        told = f"{len(run.gains):6} of {steps}  {run.seconds:6.0f} s  gain {gain:.4f}"
        print(f"{game} {told}", flush=True)
        run.save()
    save_weights(f"{game}-learned", run.nets[policy.LEARNED])
    if RECIPES[game].aim == scoring_kinds.BY_DIFFERENCE:
        save_weights(f"{game}-learned-bids", run.bidding[policy.LEARNED])
    print(
        f"{game} is over: its weights are in {training_recipes.WEIGHTS_DIR}, and bots play with "
        "them"
    )
    return True


def train_step(run: Training, rules: round_state.Round, paper: Scratch) -> None:
    """Plays some rounds and updates the net, and for Differenzler the bid model.

    Args:
        run: the training.
        rules: an empty round of its game.
        paper: preallocated scratch memory.
    """
    aim, done = RECIPES[run.game].aim, (len(run.gains) + 1) / run.steps
    spice = ENTROPY_WEIGHT * max(FINAL_ENTROPY_SHARE, 1 - done)
    course = policy_training.TrainingConfig(aim, PLAYS_STUDIED, PLAYOUTS, spice)
    playing = policy.fold_nets(run.nets)
    change, bid_change = np.zeros(playing.shape[1]), np.zeros(bid_model.FEATURE_COUNT)
    pupil = policy_training.Trainee(
        playing, change, run.bidding, bid_change, paper, policy.new_tape()
    )
    run.gains.append(
        policy_training.train_batch(
            rules, run.round_order, ROUNDS_PER_STEP, course, pupil, run.chance
        )
    )
    step = run.adam.step(unfold_gradient(change), done)
    run.nets[policy.LEARNED] += step.astype(np.float32)
    if aim == scoring_kinds.BY_DIFFERENCE:
        run.bidding[policy.LEARNED] += run.bid_adam.step(bid_change, done)


def main() -> int:
    """Trains the net of the game named on the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game", choices=RECIPES)
    parser.add_argument("--steps", type=int_range(1), help="instead of those of the recipe")
    parser.add_argument("--seed", type=int_range(0), default=1)
    parser.add_argument("--minutes", type=int_range(1), help="stop then; the same command goes on")
    arguments = parser.parse_args()
    game, seed = arguments.game, arguments.seed
    steps = arguments.steps or RECIPES[game].steps
    try:
        train(game, steps, seed, arguments.minutes)
    except TrainingFileError as problem:
        parser.error(f"{problem}; delete it to begin anew")
    except FileNotFoundError as missing:
        parser.error(
            f"{missing.filename} is not there; python -m tools.train_imitation {game} makes it"
        )
    except KeyboardInterrupt:
        print(f"{game} stops; the same command goes on where it was last kept")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
