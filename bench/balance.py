"""What good play is at I Doubt It: how much is doubted where nobody gains by playing otherwise.

Players of a table of chances (`bench.doubt_play`) play against their like. Now and then it is tried
what another action would have come to; what brings more is done oftener, but nothing is ever ruled
out, which keeps such learning from running in circles. In the end one seat learns against the
others, which stay as they are: what it gains says how far they are from a balance. For comparison
the same is asked of players that follow a plain rule. As in:

    python -m bench.balance
    python -m bench.balance --rounds 50 --only usual trusting
"""

import argparse
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from bench.doubt_play import (
    ABLE,
    ACTIONS,
    ANSWERS,
    CHIPS,
    CLAIMS_MADE,
    DOUBTED,
    LAYS,
    LIE_SEEN,
    MOVED,
    OUT,
    OUTCOME,
    TRUE,
    Floats,
    Rules,
    measure,
    probe,
)  # fmt: skip
from bench.figures import Section, interval, show
from jasstisch.cli.arguments import whole
from jasstisch.search.chance import stream

__all__ = ["RULES", "Play", "learn", "main", "measured", "plain", "section"]

RULES: dict[str, Rules] = {
    "the usual ones": (4, 48, 0, 0),
    "`lie_fee=1`": (4, 48, 0, 1),
    "`last=any`": (4, 48, 1, 0),
    "`max_turns=20`": (4, 20, 0, 0),
}
"""The rules under which play is learned."""

STEP = 0.05
"""By how much a chip more makes an action likelier, each round,"""

STEP_ALONE = 0.2
"""by how much where one seat learns against others that stay as they are,"""

PULL, PULL_ALONE = (1.0, 0.2), (0.2, 0.05)
"""and by how many chips' worth all actions are kept alike, at first and in the end."""

UNSURE = 3.0
"""How sure of anything who deviates may be when he begins to learn."""

CALM = 0.6
"""After what part of the rounds the pull stays as it is."""

LAST = 0.3
"""Of what part of the rounds, the last, the mean is kept."""

DOUBTFUL = 10.0
"""How often nothing was gained before a situation was ever met."""

RATE, RATE_ALONE = 1 / 24, 1 / 8
"""How often a decision is tried out, of all seats and where one learns alone."""

MEASURED = 40_000
"""In how many deals players are measured."""


@dataclass(frozen=True, slots=True)
class Play:
    """How players of one kind lay and answer: the logarithms of weights, and of odds to doubt."""

    lays: Floats
    answers: Floats

    def chances(self) -> tuple[Floats, Floats]:
        """The weights of the lays and the chances of doubts."""
        return np.exp(self.lays), 1 / (1 + np.exp(-self.answers))


def beside(others: Play, one: Play) -> tuple[Floats, Floats]:
    """The tables for one that sits among others."""
    (lays, answers), (own_lays, own_answers) = others.chances(), one.chances()
    own_lays = own_lays / own_lays.sum(axis=1, keepdims=True)
    lays = lays / lays.sum(axis=1, keepdims=True)
    return np.stack([lays, own_lays]), np.stack([answers, own_answers])


def plain(doubts: float) -> Play:
    """Who tells the truth whenever he can, and doubts so often, whatever he knows."""
    lays = np.zeros((LAYS, ACTIONS))
    lays[:, LIE_SEEN:] = -20.0
    return Play(lays, np.full(ANSWERS, np.log(doubts / (1 - doubts))))


def learn(rules: Rules, rounds: int, deals: int, rng: Random, against: Play | None = None) -> Play:
    """Learns by playing against its like, or one seat against others that stay as they are."""
    alone = against is not None
    first, last = PULL_ALONE if alone else PULL
    rate, step = (RATE_ALONE, STEP_ALONE) if alone else (RATE, STEP)
    now = Play(np.zeros((LAYS, ACTIONS)), np.zeros(ANSWERS))
    if against is not None:
        now = Play(*(np.clip(one, -UNSURE, UNSURE) for one in (against.lays, against.answers)))
    kept, mean = 0, (np.zeros((LAYS, ACTIONS)), np.zeros(ANSWERS))
    for number in range(rounds):
        found = (np.zeros((LAYS, ACTIONS)), np.zeros(LAYS), np.zeros(ANSWERS), np.zeros(ANSWERS))
        probe(deals, rules, beside(against or now, now), rate, alone, stream(rng), found)
        lay_gain, lay_tried, doubt_gain, doubt_tried = found
        pull = first * (last / first) ** min(1.0, number / (CALM * rounds))
        now = Play(
            moved(now.lays, lay_gain, lay_tried[:, None], step, pull),
            moved(now.answers, doubt_gain, doubt_tried, step, pull),
        )
        if number >= int((1 - LAST) * rounds):
            mean = (mean[0] + now.lays, mean[1] + now.answers)
            kept += 1
    return Play(mean[0] / kept, mean[1] / kept)


def moved(weights: Floats, gain: Floats, tried: Floats, step: float, pull: float) -> Floats:
    """Weights after a round, more for what brought more and all a little more alike."""
    sure = tried / (tried + DOUBTFUL)
    better: Floats = (weights + step * gain / (tried + DOUBTFUL)) / (1 + step * pull * sure)
    return better


def measured(rules: Rules, others: Play, one: Play | None, rng: Random, deals: int) -> Floats:
    """What comes of so many deals, where one may deviate."""
    outcomes = np.zeros((deals, OUTCOME))
    measure(rules, beside(others, one or others), one is not None, stream(rng), outcomes)
    return outcomes


KINDS: dict[str, tuple[str, Callable[[Rules, int, int, Random], Play]]] = {
    "balanced": ("as learned", learn),
    "trusting": (
        "the truth where it can be told, 1 of 10 claims doubted by each",
        lambda *_: plain(0.1),
    ),
    "strict": ("the truth where it can be told, all doubted", lambda *_: plain(1 - 1e-9)),
}
"""The kinds of play, and how each comes about."""


def row(name: str, rules: str, rounds: int, deals: int) -> list[str]:
    """What comes of a kind of play under some rules, and what a deviator gains."""
    words, kind = KINDS[name]
    rng = Random(f"balance/{name}/{rules}")
    play = kind(RULES[rules], rounds, deals, rng)
    among = measured(RULES[rules], play, None, rng, MEASURED)
    better = learn(RULES[rules], rounds // 2, deals, rng, against=play)
    chips = measured(RULES[rules], play, better, rng, MEASURED)[:, CHIPS]
    claims = among[:, CLAIMS_MADE].sum()
    shares = [among[:, place].sum() / claims for place in (DOUBTED, TRUE, ABLE)]
    return [
        words,
        rules,
        *(f"{100 * share:.0f} %" for share in shares),
        f"{100 * among[:, OUT].mean():.0f} %",
        f"{np.median(among[:, CLAIMS_MADE]):g}",
        f"{among[:, MOVED].mean():.1f}",
        interval(chips.mean(), 1.96 * chips.std() / len(chips) ** 0.5),
    ]


def section(words: Sequence[str], rows: list[list[str]]) -> Section:
    """The figures as they stand in docs/figures.md."""
    columns = [
        "play", "rules", "claims doubted", "true", "could be true", "somebody out",
        "claims, median", "chips moved", "a deviator gains",
    ]  # fmt: skip
    given = [word for word in words if word != "--write"]
    note = (
        f"Four of a kind, {MEASURED:,} deals each; who deviates has learned to, against the kind."
    )
    return Section(shlex.join(["python", "-m", "bench.balance", *given]), columns, rows, [note])


def main() -> int:
    """Learns, plays, prints the table, and keeps it if asked to."""
    parser = argparse.ArgumentParser(prog="python -m bench.balance", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--rounds", type=whole(4), default=300, help="of learning (300)")
    parser.add_argument("--deals", type=whole(1), default=1500, help="in each round (1500)")
    parser.add_argument("--only", nargs="+", choices=KINDS, help="some of the kinds of play")
    parser.add_argument("--write", action="store_true", help="keep the table in docs/figures.md")
    arguments = parser.parse_args()
    rows = []
    for name in arguments.only or KINDS:
        for rules in RULES if name == "balanced" else list(RULES)[:1]:
            print(f"· {name}, {rules}", file=sys.stderr, flush=True)
            rows.append(row(name, rules, arguments.rounds, arguments.deals))
    show("balance", section(sys.argv[1:], rows), keep=arguments.write)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
