"""The source of packs at a table: a random shuffle passed in, or verifiable deals.

With verifiable deals a match begins with a seed in the log, and each pack takes up to three steps:
a call with all commitments, the openings of the seats in it, and the pack in the resulting order.
`docs/fair-deals.md` is the specification, and `jasstisch.fairness` computes the order.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from jasstisch.fairness import Ledger, PendingContributions
from jasstisch.fairness.encoding import DIGEST_SIZE
from jasstisch.match.match import Match
from jasstisch.table import commands, events
from jasstisch.table.errors import TableError

Shuffle = Callable[[Sequence[str]], Sequence[str]]
"""Returns the cards of a pack in a random order."""


@dataclass(slots=True)
class PackSource:
    """The source of randomness of a table.

    Attributes:
        shuffle: returns a pack in random order, for matches without verifiable deals.
        random_bytes: returns random bytes for the seed of verifiable deals; None to deal without
            them.
        contributions: the pending commitments and openings.
        is_first_pack_deferred: whether the call of the first pack waits, because people have only
            just been asked for commitments.
    """

    shuffle: Shuffle
    random_bytes: Callable[[int], bytes] | None = None
    contributions: PendingContributions = field(default_factory=PendingContributions)
    is_first_pack_deferred: bool = False

    def new_seed(self) -> str | None:
        """The seed of a new match; None where its deals are not verifiable."""
        return None if self.random_bytes is None else self.random_bytes(DIGEST_SIZE).hex()


def next_pack_event(
    ledger: Ledger | None, dealt: int, match: Match, dealer: PackSource
) -> events.Event | None:
    """The next event for the pack that a match awaits; None while contributions are awaited.

    Args:
        ledger: the deals of the match; None where they are not verifiable.
        dealt: the number of packs dealt in the match.
        match: the match, which awaits a pack.
        dealer: the source of packs.
    """
    if ledger is None:
        return events.PackDealt(" ".join(dealer.shuffle(match.pack)))
    if ledger.pending_pack_call is not None:
        return None
    if len(ledger.attempts_by_pack) > dealt:
        return events.PackDealt(" ".join(ledger.derive_order(match.pack)))
    if dealer.is_first_pack_deferred and not ledger.attempts_by_pack:
        return None
    return events.PackCommitmentsCalled(dealer.contributions.next_pack_call(ledger).to_json())


def close_contributions(ledger: Ledger | None, command: commands.DealCommand) -> list[events.Event]:
    """The events at the end of the wait for contributions.

    Raises:
        TableError: no openings are awaited.
    """
    match command:
        case commands.EndCommitmentWait():
            return []
        case commands.CloseCommitmentOpenings(openings):
            if ledger is None or ledger.pending_pack_call is None:
                raise TableError("wrong_phase", "no openings are awaited")
            return [
                events.CommitmentOpeningsClosed(
                    {str(seat): one.hex() for seat, one in openings.items()}
                )
            ]
