"""How much likelier the true hands are to `master` than by the cards seen alone.

Of each deal of four of a kind one decision is taken by chance. Many deals are imagined there that
agree with what the seat has seen, all equally likely, and the true one is put among them; then each
is weighed, as `master` weighs the deals it keeps, by how likely the others play in it as they did.
Told is by how much that makes the true one likelier, as a natural logarithm: at 0.69 it is twice as
likely as before. How far one trusts in the weights is a power of them: 0 leaves all alike. As in:

    python -m bench.beliefs molotov --company club --deals 400 --write
"""

import argparse
import random
import sys
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

import jasstisch as jt
from bench.ceiling import true_deals
from bench.figures import Section, interval, refuse_without_place, show
from jasstisch.arena.estimates import estimate
from jasstisch.arena.running import FEWEST_DEALS
from jasstisch.bots import Bot, View, bot
from jasstisch.bots.searching import manners
from jasstisch.bots.searching.preparing import prepare_game
from jasstisch.bots.searching.situation import Situation
from jasstisch.bots.searching.tricks import TRUST, ways_of
from jasstisch.cards import shuffled
from jasstisch.cli.arguments import whole
from jasstisch.search import policy
from jasstisch.search.chance import Stream, stream
from jasstisch.search.deals import Deals, weigh_plays

__all__ = ["TRUSTS", "decision", "gains", "gains_by", "main", "row"]

Floats = NDArray[np.float64]

GAMES = ("differenzler", "molotov", "molotow")
COMPANY = ("greedy", "club")
TRUSTS = (0.25, TRUST, 0.75, 1.0)
"""How far the weights are trusted; `master` trusts them by `TRUST`."""

IMAGINED = 4_000
"""In so many imagined deals the true one stands."""

TRUE = 64
"""The true one is weighed so often, for the others' manners and bids are drawn anew each time."""

SOONEST, LATEST = 4, 27
"""So many cards have been played at least and at most: a trick has been seen, two are to come."""


def decision(game: jt.Game, number: int, player: Bot) -> jt.Match:
    """The deal of a number among players of a kind, up to a decision about a card."""
    match, chance = jt.Match(game), random.Random(f"beliefs/{number}")
    left = chance.randint(SOONEST, LATEST)
    while match.needs_pack or left or match.view(match.to_act[0])["phase"] != "play":
        if match.needs_pack:
            match.shuffle(shuffled(match.pack, chance))
            continue
        seat = match.to_act[0]
        view = match.view(seat)
        left -= view["phase"] == "play"
        match.act(seat, player.act(view, match.legal(seat), chance))
    return match


def weighed(match: jt.Match, view: View, chance: Stream) -> Floats:
    """How likely the others play as they did: in imagined deals, at last in copies of the true one.

    Args:
        match: a match at a decision about a card.
        view: that of the seat that decides.
        chance: where chance comes from.
    """
    situation, ways = Situation(view), ways_of(view)
    true = true_deals(match, situation, TRUE, policy.LEARNED)
    # What seats are taken for is asked of the first deals: the true ones, last, have no say in it.
    deals: Deals = np.concatenate([situation.openings(IMAGINED, chance), true])
    manners.give(deals, situation, ways, chance)
    found = np.zeros(len(deals))
    weigh_plays(deals, situation.seat, situation.plays, ways.nets, ways.paper, found)
    return found


def gains_by(found: Floats) -> list[float]:
    """The logarithm of how much likelier the last `TRUE` are than all, by each of `TRUSTS`."""
    logarithms = []
    for trust in TRUSTS:
        worth = found**trust
        true, others = worth[-TRUE:].mean(), worth[:-TRUE]
        all_alike = (true + others.sum()) / (1 + len(others))
        logarithms.append(float(np.log(true / all_alike)))
    return logarithms


def gains(name: str, company: str, deals: int) -> list[list[float]]:
    """For each of so many deals those of a decision in it."""
    game, player = jt.game(name, players=4), bot(company)
    prepare_game(name)
    found = []
    for number in range(deals):
        match = decision(game, number, player)
        view = match.view(match.to_act[0])
        found.append(gains_by(weighed(match, view, stream(random.Random(number)))))
    return found


def row(name: str, company: str, found: Sequence[Sequence[float]]) -> list[str]:
    """The cells of one game among four of a kind."""
    columns = [estimate(column) for column in zip(*found, strict=True)]
    return [name, company, *(interval(one.mean, one.ci95) for one in columns)]


def main() -> int:
    """Plays, weighs, prints the table, and keeps it if asked to."""
    parser = argparse.ArgumentParser(prog="python -m bench.beliefs", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("games", nargs="+", choices=GAMES, metavar="GAME")
    parser.add_argument(
        "--company", nargs="+", choices=COMPANY, default=COMPANY, help="who plays (both)"
    )
    parser.add_argument(
        "--deals", type=whole(FEWEST_DEALS), default=400, help="deals of each game (400)"
    )
    parser.add_argument("--write", action="store_true", help="keep the table in docs/figures.md")
    arguments = parser.parse_args()
    if arguments.write:
        refuse_without_place(parser, "beliefs")
    table = []
    for name in arguments.games:
        for company in arguments.company:
            print(f"· {name}, {company}", file=sys.stderr, flush=True)
            table.append(row(name, company, gains(name, company, arguments.deals)))
    columns = ["game", "four", *(f"trust {trust:g}" for trust in TRUSTS)]
    note = (
        f"{arguments.deals:,} deals, one decision in each, {IMAGINED:,} deals imagined there; "
        "means with 95 % intervals."
    )
    words = f"{' '.join(arguments.games)} --company {' '.join(arguments.company)}"
    command = f"python -m bench.beliefs {words} --deals {arguments.deals}"
    show("beliefs", Section(command, columns, table, [note]), keep=arguments.write)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
