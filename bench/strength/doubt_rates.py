"""Measures the liveliness of I Doubt It among four equal bots.

Four equal bots play deals: how many claims they doubt, how many are true, how many claims a deal
has, how often a player goes out before the limit of claims (ID8), and how often with a lie.

Examples:
    python -m bench.strength.doubt_rates
    python -m bench.strength.doubt_rates --deals 50 --only sociable greedy --also lie_fee=1
    last=any --write
"""

import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import median

import jasstisch as jt
from bench.figures_page import Section, figures_parser, print_section
from jasstisch.bots import Bot, bot, strength_order, without_clock
from jasstisch.cli.arguments import int_range, make_game, parse_house_rule
from jasstisch.cli.errors import UsageError

GAME = "i-doubt-it"

NOTE = "Four of a kind at a table. Who reaches the usual limit has made 48 claims."
"""The note below the table."""


@dataclass(frozen=True, slots=True)
class DealStats:
    """The statistics of one deal.

    Attributes:
        claims: the number of claims.
        true: how many of them were true.
        doubted: how many of them were doubted.
        out: whether a player went out.
        lied: whether the last claim of that player was false.
    """

    claims: int
    true: int
    doubted: int
    out: bool
    lied: bool = False


def play_deals(
    player: Bot, deals: int, rules: Mapping[str, object] | None = None
) -> Iterator[DealStats]:
    """Plays deals among four of this bot, always the same ones, with these house rules."""
    for number in range(deals):
        chance = Random(number)
        match = jt.Match(jt.game(GAME, rounds=1, dealer=0, **(rules or {})))
        match.deal(chance.sample(match.pack, len(match.pack)))
        yield _play_deal(match, player, chance)


def _play_deal(match: jt.Match, player: Bot, chance: Random) -> DealStats:
    true = doubted = 0
    latest = False
    while not match.over:
        (seat,) = match.to_act
        action = player.act(match.view(seat), match.legal(seat), chance)
        if action.startswith("lay"):
            latest = _is_true(action)
            true += latest
        doubted += action == "doubt"
        match.act(seat, action)
    (finished,) = match.rounds
    out = 0 in finished["left"]
    return DealStats(finished["claims"], true, doubted, out, lied=out and not latest)


def _is_true(action: str) -> bool:
    """Returns whether an action lays only cards of the claimed rank (ID2)."""
    match action.split():
        case ["lay", *cards, "as", rank]:
            return all(card[0] == rank for card in cards)
        case _:
            return False


def section(words: Sequence[str], found: Mapping[tuple[str, str], Sequence[DealStats]]) -> Section:
    """Returns the section for docs/figures.md, by bot and house rule."""
    columns = [
        "four", "rules", "deals", "claims doubted", "claims true", "somebody out", "by a lie",
        "claims, median",
    ]  # fmt: skip
    rows = []
    for (player, rule), deals in found.items():
        claims = sum(deal.claims for deal in deals)
        shares = (
            sum(deal.doubted for deal in deals) / claims,
            sum(deal.true for deal in deals) / claims,
            sum(deal.out for deal in deals) / len(deals),
            sum(deal.lied for deal in deals) / len(deals),
        )
        middle = median(deal.claims for deal in deals)
        cells = [f"{100 * share:.0f} %" for share in shares]
        rules = f"`{rule}`" if rule else "the usual ones"
        rows.append([player, rules, f"{len(deals):,}", *cells, f"{middle:g}"])
    given = [word for word in words if word != "--write"]
    return Section(
        shlex.join(["python", "-m", "bench.strength.doubt_rates", *given]), columns, rows, [NOTE]
    )


def main() -> int:
    """Plays, prints the table, and saves it if requested."""
    players = strength_order(GAME)
    parser = figures_parser("bench.strength.doubt_rates", __doc__)
    parser.add_argument("--deals", type=int_range(1), default=200, help="of each player (200)")
    parser.add_argument("--only", nargs="+", choices=players, help="bots to measure")
    parser.add_argument(
        "--also",
        nargs="+",
        default=[],
        metavar="RULE=VALUE",
        help="house rules, each measured separately",
    )
    arguments = parser.parse_args()
    try:
        house_rules = {rule: dict([parse_house_rule(GAME, rule)]) for rule in arguments.also}
        for rules in house_rules.values():
            make_game(GAME, rules)
    except UsageError as error:
        parser.error(str(error))
    found = {}
    for name in arguments.only or players:
        for rule, rules in {"": {}, **house_rules}.items():
            print(f"· {name} {rule}", file=sys.stderr, flush=True)
            found[name, rule] = list(play_deals(without_clock(bot(name)), arguments.deals, rules))
    print_section("doubts", section(sys.argv[1:], found), keep=arguments.write)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
