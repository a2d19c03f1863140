"""The attacks of docs/fair-deals.md, each with the check that alone stops it.

To add an attack, write a function that plays the server and returns the record it publishes, and
add it to `ATTACKS` with the check. With that check taken out the attack must succeed, in either
implementation.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from bench.attacks.fair_deals import forgeries
from bench.attacks.fair_deals.checks import Edit, check_saying, python_checks, typescript_checks
from bench.attacks.fair_deals.dishonest_server import (
    HONEST,
    DishonestServer,
    ForgedRecord,
    PublishedPack,
)
from jasstisch.fairness import VoidAttempt


def other_chain(server: DishonestServer) -> ForgedRecord:
    """The record has the secrets of another chain than the one announced."""
    return server.record([deal(server, 1)], seed=1)


def other_chain_in_a_later_call(server: DishonestServer) -> ForgedRecord:
    """A later call names another chain, whose secrets then stand for the earlier packs as well."""
    first = deal(server, 1)
    end = server.chain(1).chain_end(0)
    second = server.call(2, 1, {HONEST: server.committed[2, HONEST]}, end)
    server.tell(3, second)
    return server.record([first, PublishedPack(second.commitments)], seed=1)


def later_secret(server: DishonestServer) -> ForgedRecord:
    """The secret of a pack is chosen after the contributions."""
    return forgeries.later_secret(server, server.record([deal(server, 1)]), 0)


def other_opening(server: DishonestServer) -> ForgedRecord:
    """An accomplice opens something else than they had committed to."""
    return forgeries.other_opening(server, server.record([deal(server, 1)]), 0)


def other_cards(server: DishonestServer) -> ForgedRecord:
    """The server deals another order than was decided."""
    return forgeries.other_cards(server, server.record([deal(server, 1)]), 0)


def other_commitments(server: DishonestServer) -> ForgedRecord:
    """The record has other commitments of an accomplice than the device was shown."""
    return server.record([forgeries.other_commitments(server, deal(server, 1), 1, 1)])


def left_out(server: DishonestServer) -> ForgedRecord:
    """The record leaves out an accomplice who was called."""
    return server.record([forgeries.seat_left_out(server, deal(server, 1, 1, 2), 1, 2)])


def other_missing(server: DishonestServer) -> ForgedRecord:
    """The record says of another accomplice that they did not open."""
    dealt = deal(server, 1, 1, 2)
    server.tell(2, server.told[1][0], VoidAttempt(1, 1, (1,)))
    return server.record([forgeries.other_missing(server, dealt, 1, 2)])


def moved_position(server: DishonestServer) -> ForgedRecord:
    """Void attempts are added to a pack that the device has not seen: secrets move."""
    server.tell(2)
    second = server.open_to_all(2, 1)
    earlier = PublishedPack({1: server.accomplice(1, 1)}, ((1,),))
    return server.record([earlier, PublishedPack(second.commitments)])


def other_persons_commitments(server: DishonestServer) -> ForgedRecord:
    """The call has commitments of the server in the place of those of the device."""
    server.tell(1)
    made = {seat: server.accomplice(1, seat) for seat in (HONEST, 1)}
    call = server.call(1, 0, made)
    server.tell(2, call)
    return server.record([PublishedPack(call.commitments)])


def computers_contribute(server: DishonestServer) -> ForgedRecord:
    """The server contributes for the seat of a computer, so that it seems not to decide alone."""
    server.tell(1)
    call = server.call(1, 0, {1: server.accomplice(1, 1)})
    server.tell(2, call)
    return forgeries.computers(server, server.record([PublishedPack(call.commitments)]), 0)


def replaced_match(server: DishonestServer) -> ForgedRecord:
    """The server begins another match in the place of one whose cards it dislikes."""
    deal(server, 1)
    server.announce_match(2)
    return server.record([deal(server, 1)])


def deal(server: DishonestServer, pack: int, *others: int) -> PublishedPack:
    """Calls a pack as an honest server does; the device opens it."""
    server.tell(pack)
    return PublishedPack(server.open_to_all(pack, pack - 1, *others).commitments)


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack.

    Attributes:
        run: plays the server, and returns the record that it publishes.
        check: the check that alone stops it, as the documentation names it.
        python: what takes this check out of the Python device.
        typescript: what takes it out of the TypeScript device.
    """

    run: Callable[[DishonestServer], ForgedRecord]
    check: str
    python: Edit
    typescript: Edit

    @property
    def title(self) -> str:
        """What the server does, in a sentence."""
        return str(self.run.__doc__)


def _attack(
    run: Callable[[DishonestServer], ForgedRecord],
    check: str,
    python: tuple[str, str],
    typescript: tuple[str, str],
) -> Attack:
    """An attack that is stopped by the check whose error has this text, in these modules."""
    return Attack(
        run,
        check,
        check_saying(python_checks(), *python),
        check_saying(typescript_checks(), *typescript),
    )


ATTACKS: Final = (
    _attack(
        other_chain,
        "the ends in the record are those of the last call",
        ("deal_contributor", 'FairError(0, "the server has bound itself'),
        ("compareEvidence.ts", 'FairError(0, "the server has bound itself'),
    ),
    _attack(
        other_chain_in_a_later_call,
        "the ends in a call begin with those known before",
        ("deal_contributor", 'FairError(pack, "the server has bound itself'),
        ("dealContributor.ts", 'FairError(pack, "the server has bound itself'),
    ),
    _attack(
        later_secret,
        "each secret hashes to the one before it, or to the end of its chain",
        ("verifier", "its secret is not the one"),
        ("verify.ts", "its secret is not the one"),
    ),
    _attack(
        other_opening,
        "each contribution hashes to its commitment",
        ("verifier", "did not commit itself to what it opened"),
        ("verify.ts", "opened something else than it had committed to"),
    ),
    _attack(
        other_cards,
        "the cards lie as the order gives them",
        ("verifier", "its cards lie in another order"),
        ("verify.ts", "its cards lie in another order"),
    ),
    _attack(
        other_commitments,
        "the commitments in the record are those of the call",
        ("deal_contributor", "others were called for attempt"),
        ("compareEvidence.ts", '"others were called")'),
    ),
    _attack(
        left_out,
        "the seats asked first in the record are those of the call",
        ("deal_contributor", "others were called for it"),
        ("compareEvidence.ts", "others were called for it"),
    ),
    _attack(
        other_missing,
        "who is missing in the record is who was told to be",
        ("deal_contributor", "in attempt {number} the seats {told} were missing"),
        ("compareEvidence.ts", '"others were missing")'),
    ),
    _attack(
        moved_position,
        "as many attempts are before a pack as its call said",
        ("deal_contributor", "attempts were before it, not"),
        ("compareEvidence.ts", "other attempts were before it"),
    ),
    Attack(
        other_persons_commitments,
        "only a call with the device's own commitments is opened",
        Edit(
            "jasstisch.fairness.deal_contributor",
            " or not self._is_own(seen.call, seat)",
            "",
        ),
        Edit(
            "dealContributor.ts",
            "if (!same(called, this.commitments(pack, seat).slice(0, called.length))) return null;",
            "",
        ),
    ),
    Attack(
        computers_contribute,
        "what the seats of computers contribute counts for nobody",
        Edit("jasstisch.fairness.verifier", " if one.seat not in computers", ""),
        Edit("verify.ts", ".filter((seat) => !computers.includes(seat))", ""),
    ),
)

REPLACEMENT: Final = Attack(
    replaced_match,
    "a match that was announced and replaced is named until its record is judged",
    Edit("jasstisch.client.fair_deals", "self._unproven.add(seen.number)", "pass"),
    Edit(
        "participant.ts",
        "this.replaced.push(this.latest);",
        ";",
    ),
)
"""The attack that no record shows; it has succeeded if the device names no match."""
