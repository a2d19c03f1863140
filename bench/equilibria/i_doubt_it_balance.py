"""Learns balanced strategies for I Doubt It: how often claims are doubted in an equilibrium.

Tabular policies (`bench.equilibria.i_doubt_it_kernels`) play against themselves. Now and then the
alternatives of a decision are tried out. Actions with better results become more likely, and none
ever becomes impossible; this entropy regularization prevents cycles. In the end one seat learns
against the others, whose strategy is fixed: its gain measures the distance from an equilibrium. The
same is done for simple rule-based strategies. Examples:

    python -m bench.equilibria.i_doubt_it_balance
    python -m bench.equilibria.i_doubt_it_balance --rounds 50 --only usual trusting
"""

import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from bench.equilibria.i_doubt_it_kernels import (
    ABLE,
    ACTIONS,
    ANSWERS,
    CHIPS,
    CLAIMS_MADE,
    DOUBTED,
    LAYS,
    LIE_ABOUT_KNOWN,
    MOVED,
    OUT,
    OUTCOME_SIZE,
    TRUE,
    Floats,
    Rules,
    play_deals,
    sample_trials,
)  # fmt: skip
from bench.figures_page import Section, figures_parser, format_interval, print_section
from jasstisch.cli.arguments import int_range
from jasstisch.search.jit.prng import new_stream

RULES: dict[str, Rules] = {
    "the usual ones": (4, 48, 0, 0),
    "`lie_fee=1`": (4, 48, 0, 1),
    "`last=any`": (4, 48, 1, 0),
    "`max_turns=20`": (4, 20, 0, 0),
}
"""The rules under which strategies are learned."""

LEARNING_RATE = 0.05
"""The change of the log weight of an action per chip of gain and round."""

BEST_RESPONSE_LEARNING_RATE = 0.2
"""The same for one seat that learns against a fixed strategy."""

ENTROPY_WEIGHTS, BEST_RESPONSE_ENTROPY_WEIGHTS = (1.0, 0.2), (0.2, 0.05)
"""The entropy weights in chips, at first and at the end."""

MAX_INITIAL_LOG_ODDS = 3.0
"""The limit of the log odds with which a deviator starts to learn."""

ANNEALING_SHARE = 0.6
"""The share of the rounds after which the entropy weight is constant."""

AVERAGED_SHARE = 0.3
"""The share of the rounds, the last ones, that are averaged."""

PRIOR_VISITS = 10.0
"""Prior visits without gain of each situation."""

TRIAL_RATE, BEST_RESPONSE_TRIAL_RATE = 1 / 24, 1 / 8
"""The share of decisions that are tried out, for all seats and for a single learner."""

EVALUATION_DEALS = 40_000
"""The number of deals in an evaluation."""


@dataclass(frozen=True, slots=True)
class TabularPolicy:
    """A policy: log weights of lays, and log odds of doubts."""

    lays: Floats
    answers: Floats

    def probabilities(self) -> tuple[Floats, Floats]:
        """Returns the weights of lays and the probabilities of doubts."""
        return np.exp(self.lays), 1 / (1 + np.exp(-self.answers))


def with_deviator(others: TabularPolicy, one: TabularPolicy) -> tuple[Floats, Floats]:
    """Returns the tables of a deviator among the others."""
    (lays, answers), (own_lays, own_answers) = others.probabilities(), one.probabilities()
    own_lays = own_lays / own_lays.sum(axis=1, keepdims=True)
    lays = lays / lays.sum(axis=1, keepdims=True)
    return np.stack([lays, own_lays]), np.stack([answers, own_answers])


def truthful_policy(doubts: float) -> TabularPolicy:
    """Returns the policy that tells the truth if it can, and doubts at a fixed rate."""
    lays = np.zeros((LAYS, ACTIONS))
    lays[:, LIE_ABOUT_KNOWN:] = -20.0
    return TabularPolicy(lays, np.full(ANSWERS, np.log(doubts / (1 - doubts))))


def learn(
    rules: Rules, rounds: int, deals: int, rng: Random, against: TabularPolicy | None = None
) -> TabularPolicy:
    """Learns by self-play, or with one seat against a fixed strategy."""
    alone = against is not None
    first, last = BEST_RESPONSE_ENTROPY_WEIGHTS if alone else ENTROPY_WEIGHTS
    rate, step = (
        (BEST_RESPONSE_TRIAL_RATE, BEST_RESPONSE_LEARNING_RATE)
        if alone
        else (TRIAL_RATE, LEARNING_RATE)
    )
    now = TabularPolicy(np.zeros((LAYS, ACTIONS)), np.zeros(ANSWERS))
    if against is not None:
        now = TabularPolicy(
            *(
                np.clip(one, -MAX_INITIAL_LOG_ODDS, MAX_INITIAL_LOG_ODDS)
                for one in (against.lays, against.answers)
            )
        )
    kept, mean = 0, (np.zeros((LAYS, ACTIONS)), np.zeros(ANSWERS))
    for number in range(rounds):
        found = (np.zeros((LAYS, ACTIONS)), np.zeros(LAYS), np.zeros(ANSWERS), np.zeros(ANSWERS))
        sample_trials(
            deals, rules, with_deviator(against or now, now), rate, alone, new_stream(rng), found
        )
        lay_gain, lay_tried, doubt_gain, doubt_tried = found
        pull = first * (last / first) ** min(1.0, number / (ANNEALING_SHARE * rounds))
        now = TabularPolicy(
            update_weights(now.lays, lay_gain, lay_tried[:, None], step, pull),
            update_weights(now.answers, doubt_gain, doubt_tried, step, pull),
        )
        if number >= int((1 - AVERAGED_SHARE) * rounds):
            mean = (mean[0] + now.lays, mean[1] + now.answers)
            kept += 1
    return TabularPolicy(mean[0] / kept, mean[1] / kept)


def update_weights(
    weights: Floats, gain: Floats, tried: Floats, step: float, pull: float
) -> Floats:
    """Returns the weights after a round: more for gains, and regularized towards uniform."""
    sure = tried / (tried + PRIOR_VISITS)
    better: Floats = (weights + step * gain / (tried + PRIOR_VISITS)) / (1 + step * pull * sure)
    return better


def evaluate(
    rules: Rules, others: TabularPolicy, one: TabularPolicy | None, rng: Random, deals: int
) -> Floats:
    """Returns the statistics of many deals, in which one seat may deviate."""
    outcomes = np.zeros((deals, OUTCOME_SIZE))
    play_deals(
        rules, with_deviator(others, one or others), one is not None, new_stream(rng), outcomes
    )
    return outcomes


POLICIES: dict[str, tuple[str, Callable[[Rules, int, int, Random], TabularPolicy]]] = {
    "balanced": ("as learned", learn),
    "trusting": (
        "the truth where it can be told, 1 of 10 claims doubted by each",
        lambda *_: truthful_policy(0.1),
    ),
    "strict": ("the truth where it can be told, all doubted", lambda *_: truthful_policy(1 - 1e-9)),
}
"""The policies, and how each is created."""


def row(name: str, rules: str, rounds: int, deals: int) -> list[str]:
    """Returns the statistics of a policy under some rules, and a deviator's gain."""
    words, kind = POLICIES[name]
    rng = Random(f"balance/{name}/{rules}")
    play = kind(RULES[rules], rounds, deals, rng)
    among = evaluate(RULES[rules], play, None, rng, EVALUATION_DEALS)
    better = learn(RULES[rules], rounds // 2, deals, rng, against=play)
    chips = evaluate(RULES[rules], play, better, rng, EVALUATION_DEALS)[:, CHIPS]
    claims = among[:, CLAIMS_MADE].sum()
    shares = [among[:, place].sum() / claims for place in (DOUBTED, TRUE, ABLE)]
    return [
        words,
        rules,
        *(f"{100 * share:.0f} %" for share in shares),
        f"{100 * among[:, OUT].mean():.0f} %",
        f"{np.median(among[:, CLAIMS_MADE]):g}",
        f"{among[:, MOVED].mean():.1f}",
        format_interval(chips.mean(), 1.96 * chips.std() / len(chips) ** 0.5),
    ]


def section(words: Sequence[str], rows: list[list[str]]) -> Section:
    """Returns the section for docs/figures.md."""
    columns = [
        "play", "rules", "claims doubted", "true", "could be true", "somebody out",
        "claims, median", "chips moved", "a deviator gains",
    ]  # fmt: skip
    given = [word for word in words if word != "--write"]
    note = (
        f"Four of a kind, {EVALUATION_DEALS:,} deals each; who deviates has learned to, "
        "against the kind."
    )
    return Section(
        shlex.join(["python", "-m", "bench.equilibria.i_doubt_it_balance", *given]),
        columns,
        rows,
        [note],
    )


def main() -> int:
    """Learns, plays, prints the table, and saves it if requested."""
    parser = figures_parser("bench.equilibria.i_doubt_it_balance", __doc__)
    parser.add_argument("--rounds", type=int_range(4), default=300, help="of learning (300)")
    parser.add_argument("--deals", type=int_range(1), default=1500, help="in each round (1500)")
    parser.add_argument("--only", nargs="+", choices=POLICIES, help="some of the kinds of play")
    arguments = parser.parse_args()
    rows = []
    for name in arguments.only or POLICIES:
        for rules in RULES if name == "balanced" else list(RULES)[:1]:
            print(f"· {name}, {rules}", file=sys.stderr, flush=True)
            rows.append(row(name, rules, arguments.rounds, arguments.deals))
    print_section("balance", section(sys.argv[1:], rows), keep=arguments.write)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
