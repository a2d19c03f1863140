"""Trains a net to play Molotov, in NumPy alone; docs/training.md goes through it.

    python -m examples.train                             ten minutes on two cores
    python -m examples.train --rounds 50000 --out short.npz

Four copies of the net play each other, a thousand rounds side by side. A card that went better than
was to be expected is played more often from then on (PPO). What was to be expected says a second
net, which sees all hands: it only teaches, and never sits at a table.
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
    number,
    of_batch,
    shown,
)
from jasstisch.env import Batch, unpack_masks

__all__ = ["Course", "against_chance", "main", "taught", "train"]

UNIT = 20.0
"""So many points are one for the nets, which like small numbers."""

OTHERS = (PLAYERS - 1) * CARDS
"""What the teacher is shown besides: a flag for each card of each other hand."""

UNLIKELY = np.float32(-1e9)

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Course:
    """How a net learns.

    Attributes:
        rounds: how many are played in all.
        side_by_side: how many of them at once; after each such lesson the nets learn.
        hidden: the sizes of the hidden layers.
        rate: how far a step goes at first; towards the end it goes to nothing.
        trust: how far what came of a card is believed, beyond what the teacher says a trick later.
        clip: by which part the chance of a card may move in one lesson.
        spice: what it is worth to go on trying different cards.
        repeats: how often each lesson is gone through.
        portion: how many decisions make a step.
        seed: where all chance comes from; the same seed gives the same net.
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


class Learner:
    """A net, and what it remembers of its last steps (Adam).

    Args:
        net: the net.
    """

    def __init__(self, net: Net) -> None:
        self.net = net
        self.steps = 0
        self.means = [[np.zeros_like(one) for one in layer] for layer in net.layers]
        self.squares = [[np.zeros_like(one) for one in layer] for layer in net.layers]

    def step(self, answers: Sequence[Floats], slope: Floats, rate: float) -> None:
        """Moves the weights so that what they answered goes against the slope."""
        self.steps += 1
        length = np.float32(rate * (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps))
        found = slopes(self.net, answers, slope / np.float32(len(slope)))
        for layer, *told in zip(self.net.layers, found, self.means, self.squares, strict=True):
            for weights, change, mean, square in zip(layer, *told, strict=True):
                np.add(mean, np.float32(0.1) * (change - mean), out=mean)
                np.add(square, np.float32(0.001) * (change * change - square), out=square)
                move = length * mean / (np.sqrt(square) + np.float32(1e-8))
                np.subtract(weights, move, out=weights)


def slopes(net: Net, answers: Sequence[Floats], slope: Floats) -> list[tuple[Floats, Floats]]:
    """How the weights and biases of each layer lead to what comes out."""
    found: list[tuple[Floats, Floats]] = []
    for place in reversed(range(len(net.layers))):
        found.insert(0, (answers[place].T @ slope, slope.sum(axis=0)))
        slope = (slope @ net.layers[place][0].T) * (answers[place] > 0)
    return found


# Playing.


class Step(NamedTuple):
    """One decision in each of n rounds.

    Attributes:
        inputs: what the player was shown, then the hands of the others.
        legal: the cards that were legal, as shown.
        chosen: the card that was played, as shown.
        chance: the logarithm of how likely that was.
        seat: who played it.
        points: what he had taken before.
        value: what the teacher thought he would still take, in units.
    """

    inputs: Floats
    legal: Flags
    chosen: NDArray[np.int64]
    chance: Floats
    seat: NDArray[np.int64]
    points: NDArray[np.int16]
    value: Floats


def played(
    batch: Batch, net: Net, teacher: Net, rng: np.random.Generator
) -> tuple[list[Step], NDArray[np.int32]]:
    """Plays the rounds of a batch to their end, each card by its chance; steps and round scores."""
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
        logs = chances(net(inputs[:, :FEATURES]), legal)
        chosen = (logs + rng.gumbel(size=logs.shape)).argmax(axis=1)
        points, value = batch.points()[rounds, seat], teacher(inputs)[:, 0]
        steps.append(Step(inputs, legal, chosen, logs[rounds, chosen], seat, points, value))
        card = number(chosen[:, None], trump)[:, 0]
        hands[rounds, seat, card] = False
        observation, rewards, *_ = batch.step(card)
    return steps, -rewards


def chances(scores: Floats, legal: Flags) -> Floats:
    """The logarithm of how likely each card is, of those that are legal."""
    scores = np.where(legal, scores, UNLIKELY)
    scores = scores - scores.max(axis=1, keepdims=True)
    logs: Floats = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    return logs


def against_chance(net: Net, rounds: int = 2000, seed: int = 0) -> float:
    """The mean round score of a net alone among three who play by chance; fewer is better."""
    batch = Batch(GAME, rounds, seed=seed)
    own = np.arange(rounds) % PLAYERS
    rewards = np.zeros((rounds, PLAYERS), dtype=np.int32)
    for _ in range(TRICKS * PLAYERS):
        seen = of_batch(batch.observe())
        cards = np.where(seen["seat"] == own, best_cards(net, seen), batch.random_legal())
        _, rewards, *_ = batch.step(cards)
    return float(-rewards[np.arange(rounds), own].mean())


# Learning.


class Lesson(NamedTuple):
    """Decisions to learn from, one a row.

    Attributes:
        inputs, legal, chosen, chance: as in a step.
        gain: by how much better it went than was to be expected.
        value: what was still taken, in units, as far as that is believed.
    """

    inputs: Floats
    legal: Flags
    chosen: NDArray[np.int64]
    chance: Floats
    gain: Floats
    value: Floats

    def part(self, rows: NDArray[np.int64]) -> "Lesson":
        """Some of them."""
        inputs, legal, chosen, chance, gain, value = self
        return Lesson(
            *(inputs[rows], legal[rows], chosen[rows], chance[rows], gain[rows], value[rows])
        )


def judged(steps: Sequence[Step], scores: NDArray[np.int32], trust: float) -> Lesson:
    """Says of each decision how it went.

    Each seat plays a card in each trick: what it has taken between two of them came of the first.
    """
    rounds = np.arange(len(scores))
    values = np.zeros((TRICKS + 1, len(scores), PLAYERS), dtype=np.float32)
    points = np.zeros_like(values)
    places = [(number // PLAYERS, rounds, step.seat) for number, step in enumerate(steps)]
    for place, step in zip(places, steps, strict=True):
        values[place], points[place] = step.value, step.points
    points[TRICKS] = scores
    worse = surprises(np.diff(points, axis=0) / UNIT, values, trust)
    inputs, legal, chosen, chance, *_ = (np.concatenate(part) for part in zip(*steps, strict=True))
    lost = np.concatenate([worse[place] for place in places])
    value = np.concatenate([values[place] for place in places]) + lost
    gain = ((lost.mean() - lost) / (lost.std() + np.float32(1e-6))).astype(np.float32)
    return Lesson(inputs, legal, chosen, chance, gain, value)


def surprises(taken: Floats, values: Floats, trust: float) -> Floats:
    """By how many more points each decision has led to than was to be expected (GAE).

    Args:
        taken: in each trick by each seat (tricks, n, seats).
        values: what was still to be expected before each, and 0 after the last.
        trust: how far what came later is believed.
    """
    result = np.zeros_like(values)
    for trick in reversed(range(TRICKS)):
        surprise = taken[trick] + values[trick + 1] - values[trick]
        result[trick] = surprise + np.float32(trust) * result[trick + 1]
    return result[:TRICKS]


def learn(
    pupil: Learner, teacher: Learner, told: Lesson, course: Course, rate: float,
    rng: np.random.Generator,
) -> None:  # fmt: skip
    """Goes through a lesson."""
    for _ in range(course.repeats):
        order = rng.permutation(len(told.chosen))
        for rows in np.array_split(order, max(1, len(order) // course.portion)):
            part = told.part(rows)
            answers = pupil.net.forward(part.inputs[:, :FEATURES])
            pupil.step(answers, blame(answers[-1], part, course), rate)
            guesses = teacher.net.forward(part.inputs)
            teacher.step(guesses, guesses[-1] - part.value[:, None], rate)


def blame(scores: Floats, part: Lesson, course: Course) -> Floats:
    """Which way the scores of the cards should not go (n, cards).

    A card that went well gets more likely, unless it already is by more than `clip`: what was
    played by another chance than today's says little.
    """
    rows = np.arange(len(scores))
    logs = chances(scores, part.legal)
    share = np.exp(logs)
    ratio = np.exp(logs[rows, part.chosen] - part.chance)
    free = np.where(part.gain > 0, ratio < 1 + course.clip, ratio > 1 - course.clip)
    push = np.where(free, ratio * part.gain, 0)
    spread = -(share * logs).sum(axis=1, keepdims=True)
    result: Floats = share * (push[:, None] + np.float32(course.spice) * (logs + spread))
    result[rows, part.chosen] -= push
    return result


def train(course: Course) -> Iterator[tuple[int, Net]]:
    """Trains a net: after each lesson how many rounds have been played, and the net."""
    rng = np.random.default_rng(course.seed)
    pupil = Learner(Net.new([FEATURES, *course.hidden, CARDS], rng))
    teacher = Learner(Net.new([FEATURES + OTHERS, *course.hidden, 1], rng))
    batch = Batch(GAME, course.side_by_side, seed=course.seed)
    for before in range(0, course.rounds, course.side_by_side):
        steps, scores = played(batch, pupil.net, teacher.net, rng)
        rate = course.rate * (1 - before / course.rounds)
        learn(pupil, teacher, judged(steps, scores, course.trust), course, rate, rng)
        yield before + course.side_by_side, pupil.net


def main() -> int:
    """Trains, tells how it goes, and writes the net."""
    parser = argparse.ArgumentParser(prog="python -m examples.train", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--rounds", type=int, default=Course.rounds, help="how many are played")
    parser.add_argument("--seed", type=int, default=Course.seed, help="of all chance (1)")
    parser.add_argument("--out", type=Path, default=NET, help="where the net is written")
    arguments = parser.parse_args()
    taught(Course(arguments.rounds, seed=arguments.seed), arguments.out)
    print(f"{arguments.out} is a player of Molotov")
    return 0


def taught(course: Course, path: Path) -> None:
    """Trains, tells ten times how it goes, and writes the net each time."""
    start, told = time.monotonic(), 0
    for rounds, net in train(course):
        if rounds * 10 // course.rounds > told:
            told = rounds * 10 // course.rounds
            seconds, score = time.monotonic() - start, against_chance(net)
            print(f"{rounds:9,} rounds, {seconds:4.0f} s: {score:.1f} points", flush=True)
            net.save(path)


if __name__ == "__main__":
    raise SystemExit(main())
