"""How packs are dealt at a table: by chance from outside, or so that anybody can check it.

Where a table deals fairly, a match begins with a seed in the log, and each pack takes up to three
steps: a call, which names all commitments; what those named have opened; and the pack, in the order
that follows. `docs/fair-deals.md` is the specification, `jasstisch.fairness` does the arithmetic.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from jasstisch.fairness import Ledger, PendingContributions
from jasstisch.fairness.encoding import DIGEST_SIZE
from jasstisch.match.match import Match
from jasstisch.table import commands, events
from jasstisch.table.errors import TableError

__all__ = ["PackSource", "Shuffle", "close_contributions", "next_pack_event"]

Shuffle = Callable[[Sequence[str]], Sequence[str]]
"""Gives the cards of a pack in a random order."""


@dataclass(slots=True)
class PackSource:
    """Where the chance of a table comes from.

    Attributes:
        shuffle: gives packs in a random order, where they are not dealt fairly.
        chance: gives so many random bytes for a match that is; None where none is.
        gathering: what people have committed themselves to, and opened.
        waits: the first pack of a match is not called yet, for its people have just been told what
            they are to commit themselves to.
    """

    shuffle: Shuffle
    random_bytes: Callable[[int], bytes] | None = None
    contributions: PendingContributions = field(default_factory=PendingContributions)
    defer_first_pack: bool = False

    def new_seed(self) -> str | None:
        """The seed of a new match; None where it is not dealt fairly."""
        return None if self.random_bytes is None else self.random_bytes(DIGEST_SIZE).hex()


def next_pack_event(
    ledger: Ledger | None, dealt: int, match: Match, dealer: PackSource
) -> events.Event | None:
    """What is to be done for the pack that a match awaits; None while people are waited for.

    Args:
        ledger: the deals of the match; None where it is not dealt fairly.
        dealt: how many packs have been dealt in it.
        match: which awaits a pack.
        dealer: where chance comes from.
    """
    if ledger is None:
        return events.PackDealt(" ".join(dealer.shuffle(match.pack)))
    if ledger.call is not None:
        return None
    if len(ledger.packs) > dealt:
        return events.PackDealt(" ".join(ledger.derive_order(match.pack)))
    if dealer.defer_first_pack and not ledger.packs:
        return None
    return events.PackCalled(dealer.contributions.next_call(ledger).to_json())


def close_contributions(ledger: Ledger | None, command: commands.DealCommand) -> list[events.Event]:
    """What follows when nobody is waited for any longer.

    Raises:
        TableError: no openings are awaited.
    """
    match command:
        case commands.CallFirstPack():
            return []
        case commands.CloseOpenings(openings):
            if ledger is None or ledger.call is None:
                raise TableError("wrong_phase", "no openings are awaited")
            return [events.OpeningsClosed({str(seat): one.hex() for seat, one in openings.items()})]
