"""Trains a neural net to play Molotov, in NumPy alone; docs/training.md explains it.

    python -m examples.train                             ten minutes on two cores
    python -m examples.train --rounds 50000 --out short.npz

Four copies of the net play each other, a thousand rounds at once. Cards that did better than
expected become more likely (PPO). The expectation comes from a second net, the teacher or critic,
which sees all hands: it is used for training only and never plays.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from examples.trained import (
    CARDS,
    FEATURES,
    GAME,
    NET,
    PLAYERS,
    TRICKS,
    Floats,
    Net,
    best_cards,
    features,
    of_batch,
    shown,
    swap_suits,
)
from jasstisch.env import Batch, unpack_masks

UNIT = 20.0
"""The points that count as 1 for the nets, which learn best with small numbers."""

OTHERS = (PLAYERS - 1) * CARDS
"""The additional inputs of the teacher: a flag for each card of each other hand."""

UNLIKELY = np.float32(-1e9)

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Course:
    """The configuration of a training run.

    Attributes:
        rounds: the total number of rounds.
        side_by_side: the number of rounds of a batch; the nets are updated after each batch.
        hidden: the sizes of the hidden layers.
        rate: the initial learning rate; it decreases to zero.
        trust: the parameter λ of GAE: the weight of later results against the teacher's estimate.
        clip: the maximum relative change of the probability of a card in one update (PPO).
        spice: the weight of the entropy bonus, which keeps up exploration.
        repeats: the number of passes over each batch.
        portion: the number of decisions in a gradient step (minibatch size).
        seed: the seed of all randomness; equal seeds give equal nets.
    """

    rounds: int = 400_000
    side_by_side: int = 1024
    hidden: tuple[int, ...] = (128, 128)
    rate: float = 4e-3
    trust: float = 0.7
    clip: float = 0.2
    spice: float = 0.003
    repeats: int = 2
    portion: int = 4096
    seed: int = 1


class Trainee:
    """A net with its optimizer (Adam).

    Args:
        net: the net.
    """

    def __init__(self, net: Net) -> None:
        self.net = net
        self.steps = 0
        self.means = [[np.zeros_like(one) for one in layer] for layer in net.layers]
        self.squares = [[np.zeros_like(one) for one in layer] for layer in net.layers]

    def step(self, answers: Sequence[Floats], slope: Floats, rate: float) -> None:
        """Takes one step of Adam against the gradient `slope` of the loss at the outputs."""
        self.steps += 1
        length = np.float32(rate * (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps))
        found = backpropagate(self.net, answers, slope / np.float32(len(slope)))
        for layer, *told in zip(self.net.layers, found, self.means, self.squares, strict=True):
            for weights, change, mean, square in zip(layer, *told, strict=True):
                np.add(mean, np.float32(0.1) * (change - mean), out=mean)
                np.add(square, np.float32(0.001) * (change * change - square), out=square)
                move = length * mean / (np.sqrt(square) + np.float32(1e-8))
                np.subtract(weights, move, out=weights)


def backpropagate(
    net: Net, answers: Sequence[Floats], slope: Floats
) -> list[tuple[Floats, Floats]]:
    """The gradients of the weights and biases of each layer (backpropagation)."""
    found: list[tuple[Floats, Floats]] = []
    for place in reversed(range(len(net.layers))):
        found.insert(0, (answers[place].T @ slope, slope.sum(axis=0)))
        slope = (slope @ net.layers[place][0].T) * (answers[place] > 0)
    return found


# Self-play.


class Step(NamedTuple):
    """One decision in each of n rounds.

    Attributes:
        inputs: the inputs of the player's net, then the hands of the others.
        legal: the legal cards, in the order of the inputs.
        chosen: the card played, in that order.
        chance: the log-probability of that card.
        seat: the seat that played it.
        points: the points that the seat had captured before.
        value: the teacher's estimate of the points still to come, in units.
    """

    inputs: Floats
    legal: Flags
    chosen: NDArray[np.int64]
    chance: Floats
    seat: NDArray[np.int64]
    points: NDArray[np.int16]
    value: Floats


def play_rounds(
    batch: Batch, net: Net, teacher: Net, rng: np.random.Generator
) -> tuple[list[Step], NDArray[np.int32]]:
    """Plays the rounds of a batch to their end by self-play; returns steps and round scores."""
    observation, _ = batch.reset()
    rounds, steps = np.arange(batch.num_envs), []
    rewards = np.zeros((batch.num_envs, PLAYERS), dtype=np.int32)
    hands = unpack_masks(np.stack([batch.observe(seat)["hand"] for seat in range(PLAYERS)], axis=1))
    for _ in range(TRICKS * PLAYERS):
        seen = of_batch(observation)
        seat, trump = seen["seat"].astype(np.int64), seen["trump"]
        others = (seat[:, None] + np.arange(1, PLAYERS)) % PLAYERS
        theirs = shown(hands[rounds[:, None], others, :CARDS], trump).reshape(len(rounds), OTHERS)
        inputs = np.concatenate([features(seen), theirs], axis=1, dtype=np.float32)
        legal = shown(seen["legal"], trump)
        logs = log_probabilities(net(inputs[:, :FEATURES]), legal)
        chosen = (logs + rng.gumbel(size=logs.shape)).argmax(axis=1)
        points, value = batch.points()[rounds, seat], teacher(inputs)[:, 0]
        steps.append(Step(inputs, legal, chosen, logs[rounds, chosen], seat, points, value))
        card = swap_suits(chosen[:, None], trump)[:, 0]
        hands[rounds, seat, card] = False
        observation, rewards, *_ = batch.step(card)
    return steps, -rewards


def log_probabilities(scores: Floats, legal: Flags) -> Floats:
    """The log-probabilities of the legal cards (masked log-softmax)."""
    scores = np.where(legal, scores, UNLIKELY)
    scores = scores - scores.max(axis=1, keepdims=True)
    logs: Floats = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    return logs


def against_chance(net: Net, rounds: int = 2000, seed: int = 0) -> float:
    """The mean round score of a net against three random players; fewer is better."""
    batch = Batch(GAME, rounds, seed=seed)
    own = np.arange(rounds) % PLAYERS
    rewards = np.zeros((rounds, PLAYERS), dtype=np.int32)
    for _ in range(TRICKS * PLAYERS):
        seen = of_batch(batch.observe())
        cards = np.where(seen["seat"] == own, best_cards(net, seen), batch.random_legal())
        _, rewards, *_ = batch.step(cards)
    return float(-rewards[np.arange(rounds), own].mean())


# Updates.


class Samples(NamedTuple):
    """Decisions to learn from, one in each row.

    Attributes:
        inputs, legal, chosen, chance: as in `Step`.
        gain: the normalized advantage.
        value: the target for the teacher, in units.
    """

    inputs: Floats
    legal: Flags
    chosen: NDArray[np.int64]
    chance: Floats
    gain: Floats
    value: Floats

    def part(self, rows: NDArray[np.int64]) -> "Samples":
        """The selected rows."""
        inputs, legal, chosen, chance, gain, value = self
        return Samples(
            *(inputs[rows], legal[rows], chosen[rows], chance[rows], gain[rows], value[rows])
        )


def build_samples(steps: Sequence[Step], scores: NDArray[np.int32], trust: float) -> Samples:
    """Computes the advantages and value targets of all decisions.

    Each seat plays one card in each trick: points captured between two of its cards result from the
    first.
    """
    rounds = np.arange(len(scores))
    values = np.zeros((TRICKS + 1, len(scores), PLAYERS), dtype=np.float32)
    points = np.zeros_like(values)
    places = [(number // PLAYERS, rounds, step.seat) for number, step in enumerate(steps)]
    for place, step in zip(places, steps, strict=True):
        values[place], points[place] = step.value, step.points
    points[TRICKS] = scores
    worse = estimate_advantages(np.diff(points, axis=0) / UNIT, values, trust)
    inputs, legal, chosen, chance, *_ = (np.concatenate(part) for part in zip(*steps, strict=True))
    lost = np.concatenate([worse[place] for place in places])
    value = np.concatenate([values[place] for place in places]) + lost
    gain = ((lost.mean() - lost) / (lost.std() + np.float32(1e-6))).astype(np.float32)
    return Samples(inputs, legal, chosen, chance, gain, value)


def estimate_advantages(taken: Floats, values: Floats, trust: float) -> Floats:
    """Generalized advantage estimation (GAE), in points: positive if more than expected were taken.

    Args:
        taken: the points taken in each trick by each seat (tricks, n, seats).
        values: the teacher's estimates before each trick, and 0 after the last.
        trust: the parameter λ.
    """
    result = np.zeros_like(values)
    for trick in reversed(range(TRICKS)):
        difference = taken[trick] + values[trick + 1] - values[trick]
        result[trick] = difference + np.float32(trust) * result[trick + 1]
    return result[:TRICKS]


def update_nets(
    pupil: Trainee, teacher: Trainee, told: Samples, course: Course, rate: float,
    rng: np.random.Generator,
) -> None:  # fmt: skip
    """Updates the net and the teacher with one batch, in minibatches."""
    for _ in range(course.repeats):
        order = rng.permutation(len(told.chosen))
        for rows in np.array_split(order, max(1, len(order) // course.portion)):
            part = told.part(rows)
            answers = pupil.net.forward(part.inputs[:, :FEATURES])
            pupil.step(answers, ppo_gradient(answers[-1], part, course), rate)
            guesses = teacher.net.forward(part.inputs)
            teacher.step(guesses, guesses[-1] - part.value[:, None], rate)


def ppo_gradient(scores: Floats, part: Samples, course: Course) -> Floats:
    """The gradient of the PPO loss with respect to the scores of the cards (n, cards).

    The probability of a card stops changing once it has moved by more than `clip` in this update:
    the old policy says little about a much different one.
    """
    rows = np.arange(len(scores))
    logs = log_probabilities(scores, part.legal)
    share = np.exp(logs)
    ratio = np.exp(logs[rows, part.chosen] - part.chance)
    free = np.where(part.gain > 0, ratio < 1 + course.clip, ratio > 1 - course.clip)
    push = np.where(free, ratio * part.gain, 0)
    spread = -(share * logs).sum(axis=1, keepdims=True)
    result: Floats = share * (push[:, None] + np.float32(course.spice) * (logs + spread))
    result[rows, part.chosen] -= push
    return result


def train(course: Course) -> Iterator[tuple[int, Net]]:
    """Trains a net; yields the number of rounds played and the net after each batch."""
    rng = np.random.default_rng(course.seed)
    pupil = Trainee(Net.new([FEATURES, *course.hidden, CARDS], rng))
    teacher = Trainee(Net.new([FEATURES + OTHERS, *course.hidden, 1], rng))
    batch = Batch(GAME, course.side_by_side, seed=course.seed)
    for before in range(0, course.rounds, course.side_by_side):
        steps, scores = play_rounds(batch, pupil.net, teacher.net, rng)
        rate = course.rate * (1 - before / course.rounds)
        update_nets(pupil, teacher, build_samples(steps, scores, course.trust), course, rate, rng)
        yield before + course.side_by_side, pupil.net


def main() -> int:
    """Trains a net, prints its progress, and writes it to a file."""
    parser = argparse.ArgumentParser(prog="python -m examples.train", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "--rounds", type=int, default=Course.rounds, help="number of rounds to play"
    )
    parser.add_argument("--seed", type=int, default=Course.seed, help="seed of all randomness (1)")
    parser.add_argument("--out", type=Path, default=NET, help="file for the trained net")
    arguments = parser.parse_args()
    taught(Course(arguments.rounds, seed=arguments.seed), arguments.out)
    print(f"{arguments.out} is a player of Molotov")
    return 0


def taught(course: Course, path: Path) -> None:
    """Trains a net; prints its score and writes it to a file ten times."""
    start, told = time.monotonic(), 0
    for rounds, net in train(course):
        if rounds * 10 // course.rounds > told:
            told = rounds * 10 // course.rounds
            seconds, score = time.monotonic() - start, against_chance(net)
            print(f"{rounds:9,} rounds, {seconds:4.0f} s: {score:.1f} points", flush=True)
            net.save(path)


if __name__ == "__main__":
    raise SystemExit(main())
