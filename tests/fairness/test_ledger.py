"""The server's side: attempts at a pack, missed openings, and continuing after a restart."""

from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jasstisch.engine.cards import JASS
from jasstisch.fairness import (
    DealContributor,
    FairError,
    Ledger,
    MatchId,
    PackCall,
    PendingContributions,
    SecretChains,
    VoidAttempt,
    verify,
)
from jasstisch.fairness.chain import CHAIN_LENGTH, next_link
from jasstisch.fairness.contributions import commitment, read_commitments
from jasstisch.fairness.evidence import Contribution
from jasstisch.fairness.shuffle import derive_order, transcript_hash
from tools.fairness_vectors import MATCH, SEATS, SEED, deal_pack, play_match
from tools.pseudo_random_bytes import pseudo_random_bytes

CARDS = list(JASS.texts)


class Table:
    """A table whose seats commit and open when a test says so."""

    def __init__(self, seed: bytes = SEED) -> None:
        self.ledger = Ledger.begin(seed, MATCH, SEATS)
        self.pending = PendingContributions()
        self.held: dict[tuple[int, int, int], bytes] = {}
        self.chance = pseudo_random_bytes("table")

    def commit(self, *seats: int) -> None:
        """Sends commitments of these seats for the next pack."""
        pack = self.ledger.next_pack_number
        for seat in seats:
            made = [self.chance(32) for _ in range(SEATS)]
            for attempt, one in enumerate(made, start=1):
                self.held[pack, attempt, seat] = one
            hashes = [commitment(MATCH, pack, at, seat, one) for at, one in enumerate(made, 1)]
            self.pending.add_commitments(self.ledger, seat, pack, hashes)

    def call(self) -> PackCall:
        """Calls the next pack."""
        call = self.pending.next_pack_call(self.ledger)
        self.ledger = self.ledger.with_pack_call(call)
        return call

    def expected_opening(self, seat: int) -> bytes:
        """The contribution that a seat is asked to open now."""
        return self.held[len(self.ledger.attempts_by_pack), self.ledger.attempt_number, seat]

    def open(self, *seats: int) -> None:
        """Sends the openings of these seats for the present attempt."""
        for seat in seats:
            self.pending.add_opening(
                self.ledger, seat, self.ledger.attempt_number, self.expected_opening(seat)
            )

    def settle(self) -> None:
        """Ends the attempt with the openings that have arrived."""
        self.ledger = self.ledger.with_openings(self.pending.openings(self.ledger))


@pytest.fixture
def table() -> Table:
    return Table()


def test_pack_is_decided_once_all_committed_seats_have_opened(table: Table) -> None:
    table.commit(0, 2)
    assert table.pending.committed_seats(table.ledger) == (0, 2)
    table.call()
    table.open(2)
    assert table.pending.awaited_seats(table.ledger) == (0,)
    with pytest.raises(FairError, match="not decided yet"):
        table.ledger.derive_order(CARDS)
    table.open(0)
    assert table.pending.awaited_seats(table.ledger) == ()
    table.settle()
    assert table.ledger.pending_pack_call is None
    assert table.ledger.last_void_attempt is None
    assert sorted(table.ledger.derive_order(CARDS)) == sorted(CARDS)


def test_seat_without_opening_is_reported_and_left_out_of_this_pack_only(table: Table) -> None:
    table.commit(0, 1, 3)
    table.call()
    table.open(0, 3)
    table.settle()
    assert table.ledger.last_void_attempt == VoidAttempt(1, 1, (1,))
    assert (table.ledger.attempt_number, table.ledger.asked_seats) == (2, (0, 3))
    with pytest.raises(FairError, match="nothing is awaited from seat 1 for attempt 2"):
        table.pending.add_opening(table.ledger, 1, 2, table.held[1, 2, 1])
    table.open(0, 3)
    table.settle()
    assert table.ledger.pending_pack_call is None
    assert table.ledger.last_void_attempt == VoidAttempt(1, 1, (1,))
    table.commit(1)
    table.call()
    assert table.ledger.asked_seats == (1,)
    assert table.ledger.last_void_attempt is None


def test_each_attempt_uses_the_next_secret_and_fresh_contributions(table: Table) -> None:
    table.commit(0, 1)
    table.call()
    first = table.expected_opening(0)
    table.open(0)
    table.settle()
    assert table.expected_opening(0) != first
    with pytest.raises(FairError, match="not what seat 0 committed itself to"):
        table.pending.add_opening(table.ledger, 0, 2, first)
    table.open(0)
    table.settle()
    ((void, last),) = table.ledger.evidence().attempts_by_pack
    assert void.secret != last.secret
    assert [one.opening for one in last.contributions] == [table.held[1, 2, 0]]


def test_secret_alone_decides_after_all_seats_miss_their_opening(table: Table) -> None:
    table.commit(0, 1)
    table.call()
    table.settle()
    assert table.ledger.pending_pack_call is None
    assert table.ledger.last_void_attempt == VoidAttempt(1, 1, (0, 1))
    ((void, last),) = table.ledger.evidence().attempts_by_pack
    assert (void.missing_seats, last.contributions) == ((0, 1), ())
    assert table.ledger.derive_order(CARDS)


def test_call_without_commitments_decides_the_pack_at_once(table: Table) -> None:
    table.call()
    assert table.ledger.pending_pack_call is None
    first = table.ledger.derive_order(CARDS)
    table.call()
    assert table.ledger.derive_order(CARDS) != first


def test_seat_that_commits_after_the_call_is_first_asked_for_the_next_pack(table: Table) -> None:
    table.commit(0)
    table.call()
    table.commit(1)
    assert table.ledger.asked_seats == (0,)
    assert table.pending.committed_seats(table.ledger) == (1,)
    table.open(0)
    table.settle()
    table.call()
    assert table.ledger.asked_seats == (1,)


def test_commitments_can_be_replaced_only_before_their_pack_is_called(table: Table) -> None:
    table.commit(0)
    old = table.held[1, 1, 0]
    table.commit(0)
    table.call()
    with pytest.raises(FairError, match="not what seat 0 committed itself to"):
        table.pending.add_opening(table.ledger, 0, 1, old)
    with pytest.raises(FairError, match="commitments are taken for the packs 2 to 4 now"):
        table.pending.add_commitments(table.ledger, 0, 1, [bytes(32)] * SEATS)
    table.open(0)


def test_removed_seat_is_not_asked(table: Table) -> None:
    table.commit(0, 1)
    table.pending.remove_seat(1)
    table.call()
    assert table.ledger.asked_seats == (0,)


def test_seat_is_excluded_from_the_match_after_missing_three_packs(table: Table) -> None:
    for _ in range(3):
        table.commit(0, 1)
        table.call()
        table.open(0)
        table.settle()
        table.open(0)
        table.settle()
    assert table.ledger.excluded_seats == {1}
    with pytest.raises(FairError, match="seat 1 has missed too often"):
        table.commit(1)
    table.commit(0)
    table.call()
    assert table.ledger.asked_seats == (0,)


def test_commitments_made_before_the_third_missed_pack_are_ignored(
    table: Table,
) -> None:
    for _ in range(3):
        table.commit(0, 1)
        table.call()
        table.commit(0, 1)
        table.open(0)
        table.settle()
        table.open(0)
        table.settle()
    table.call()
    assert table.ledger.asked_seats == (0,)


@pytest.mark.parametrize(
    ("seat", "attempt", "opening", "message"),
    [
        (1, 1, bytes(32), "nothing is awaited from seat 1"),
        (0, 2, bytes(32), "nothing is awaited from seat 0 for attempt 2"),
        (0, 1, bytes(32), "not what seat 0 committed itself to"),
        (0, 1, b"", "not what seat 0 committed itself to"),
    ],
)
def test_unrequested_or_mismatched_opening_is_refused_without_effect(
    table: Table, seat: int, attempt: int, opening: bytes, message: str
) -> None:
    table.commit(0)
    table.call()
    with pytest.raises(FairError, match=message):
        table.pending.add_opening(table.ledger, seat, attempt, opening)
    with pytest.raises(FairError, match=message if attempt == 1 else "not what"):
        table.ledger.with_openings({seat: opening})
    assert table.pending.openings(table.ledger) == {}
    table.open(0)


def test_commitment_copied_from_another_seat_cannot_be_opened(table: Table) -> None:
    """Not even once the copied contribution is known."""
    table.commit(0)
    copied = [
        commitment(MATCH, 1, attempt, 0, table.held[1, attempt, 0])
        for attempt in range(1, SEATS + 1)
    ]
    table.pending.add_commitments(table.ledger, 2, 1, copied)
    table.call()
    with pytest.raises(FairError, match="not what seat 2 committed itself to"):
        table.pending.add_opening(table.ledger, 2, 1, table.expected_opening(0))


def test_commitment_depends_on_match_pack_attempt_and_seat(table: Table) -> None:
    made = bytes(32)
    here = commitment(MATCH, 1, 1, 0, made)
    other = MatchId(MATCH.table_hash, MATCH.number + 1)
    elsewhere = MatchId.of("another table", MATCH.number)
    assert (
        len(
            {
                here,
                commitment(MATCH, 2, 1, 0, made),
                commitment(MATCH, 1, 2, 0, made),
                commitment(MATCH, 1, 1, 1, made),
                commitment(other, 1, 1, 0, made),
                commitment(elsewhere, 1, 1, 0, made),
            }
        )
        == 6
    )


@pytest.mark.parametrize("wrong", [None, "", [], ["0" * 64] * 3, ["0" * 63] * 4, [1] * 4, {}])
def test_malformed_commitments_are_refused(wrong: object) -> None:
    with pytest.raises(FairError, match=r"64 digits|a list of 4 hashes"):
        read_commitments(wrong, SEATS)
    assert read_commitments(["0f" * 32] * SEATS, SEATS) == (b"\x0f" * 32,) * SEATS


def test_ledger_steps_in_the_wrong_order_are_refused(table: Table) -> None:
    with pytest.raises(FairError, match="no openings are awaited"):
        table.ledger.with_openings({})
    with pytest.raises(FairError, match="not decided yet"):
        table.ledger.derive_order(CARDS)
    table.commit(0)
    call = table.pending.next_pack_call(table.ledger)
    table.call()
    for step in (
        lambda: table.ledger.with_pack_call(call),
        lambda: table.pending.next_pack_call(table.ledger),
        table.ledger.evidence,
    ):
        with pytest.raises(FairError):
            step()


def test_restarted_server_rebuilds_its_ledger_from_the_log(table: Table) -> None:
    """The log has the seed, the calls and the openings that ended each attempt.

    Openings of the attempt in progress are sent again.
    """
    table.commit(0, 1)
    call = table.pending.next_pack_call(table.ledger)
    table.call()
    table.open(0)
    opened = dict(table.pending.openings(table.ledger))
    table.settle()
    table.open(0)
    restarted = Table()
    restarted.held = table.held
    restarted.ledger = Ledger.begin(SEED, MATCH, SEATS).with_pack_call(call).with_openings(opened)
    assert restarted.ledger == table.ledger
    assert restarted.pending.awaited_seats(restarted.ledger) == (0,)
    restarted.open(0)
    for one in (table, restarted):
        one.settle()
    assert restarted.ledger.derive_order(CARDS) == table.ledger.derive_order(CARDS)


def test_ledger_is_immutable_and_its_repr_hides_the_seed(table: Table) -> None:
    table.commit(0)
    before = table.ledger
    table.call()
    assert (before.pending_pack_call, before.attempts_by_pack) == (None, ())
    assert "seed" not in repr(before)


def test_each_match_of_each_table_has_its_own_chain() -> None:
    ends = {
        Ledger.begin(SEED, MatchId.of(table, number), SEATS).announcement.end
        for table in ("one", "two")
        for number in (1, 2)
    }
    assert len(ends) == 4


def test_each_secret_of_a_chain_hashes_to_the_one_before_it() -> None:
    chain = SecretChains(SEED, MATCH)
    secrets = chain.secrets(CHAIN_LENGTH + 2)
    assert secrets == [chain.secret(position) for position in range(CHAIN_LENGTH + 2)]
    assert next_link(MATCH, secrets[0]) == chain.chain_end(0)
    assert next_link(MATCH, secrets[CHAIN_LENGTH]) == chain.chain_end(1)
    for earlier, later in pairwise(secrets[:CHAIN_LENGTH]):
        assert next_link(MATCH, later) == earlier


def test_match_that_ends_while_a_pack_is_awaited_has_evidence_of_the_packs_before(
    table: Table,
) -> None:
    table.commit(0, 1)
    witness = DealContributor(table.ledger.announcement, SEATS, pseudo_random_bytes("spectator"))
    witness.open(table.call(), None)
    table.open(0, 1)
    table.settle()
    pack = table.ledger.derive_order(["6C", "7C", "8C"])
    table.commit(0, 1)
    witness.open(table.call(), None)
    table.open(0)
    table.settle()
    with pytest.raises(FairError, match="pack 2: the openings for this pack are still awaited"):
        table.ledger.evidence()
    evidence = table.ledger.evidence(1)
    assert verify(evidence, [pack], SEATS).contribution_counts == {0: 1, 1: 1}
    assert witness.check_evidence(evidence, ended_early=True) == 0
    with pytest.raises(FairError, match="pack 2: it was called and is not in the evidence"):
        witness.check_evidence(evidence)


def test_match_longer_than_one_chain_continues_with_the_next_chain() -> None:
    """Each chain is announced before anybody opens anything for its secrets."""
    ledger, pending = Ledger.begin(SEED, MATCH, SEATS), PendingContributions()
    contributor = DealContributor(ledger.announcement, SEATS, pseudo_random_bytes("long"))
    packs = []
    for pack in range(1, CHAIN_LENGTH + 3):
        if pack in (1, CHAIN_LENGTH, CHAIN_LENGTH + 1):
            pending.add_commitments(ledger, 1, pack, contributor.commit(pack, 1))
        call = pending.next_pack_call(ledger)
        assert len(call.ends) == (2 if pack >= CHAIN_LENGTH else 1)
        ledger = ledger.with_pack_call(call)
        opening = contributor.open(call, 1)
        if opening is not None:
            ledger = ledger.with_openings({1: opening})
        packs.append(ledger.derive_order(["6C", "7C", "8C"]))
    evidence = ledger.evidence()
    assert len(evidence.chain_ends) == 2
    assert verify(evidence, packs, SEATS).contribution_counts == {1: 3}
    assert contributor.check_evidence(evidence) == 3


absence_plans = st.lists(
    st.dictionaries(st.integers(0, SEATS - 1), st.integers(0, 3)), min_size=1, max_size=6
)


@settings(max_examples=50)
@given(absence_plans)
def test_deals_verify_whichever_seats_miss_their_openings(plan: list[dict[int, int]]) -> None:
    asked: list[dict[int, int]] = []
    missed = dict.fromkeys(range(SEATS), 0)
    for absences in plan:
        present = {seat: at for seat, at in absences.items() if missed[seat] < 3}
        asked.append(present)
        evidence, packs, contributors = play_match(asked)
        misses = [miss.seat for miss in verify(evidence, packs, SEATS).missed_openings]
        missed = {seat: misses.count(seat) for seat in missed}
        for contributor in contributors.values():
            contributor.check_evidence(evidence)


# What is published while a match runs.


def orders_without(
    people: Sequence[Contribution], secret: bytes, hidden: Sequence[int | None]
) -> set[tuple[str, ...]]:
    """The orders for two values of the hidden parts: openings by seat, None for the secret."""
    found = set()
    for byte in (b"\0", b"\1"):
        other = byte * 32
        opened = [
            Contribution(one.seat, one.commitment, other if one.seat in hidden else one.opening)
            for one in people
        ]
        deal = transcript_hash(MATCH, 1, [opened])
        found.add(tuple(derive_order(CARDS, other if None in hidden else secret, deal)))
    return found


@given(st.sets(st.integers(0, SEATS - 1)), st.binary(min_size=32, max_size=32))
def test_order_is_undetermined_while_the_secret_or_an_opening_is_unknown(
    seats: set[int], secret: bytes
) -> None:
    """Two values of any of the hidden parts lead to two orders."""
    made = pseudo_random_bytes("secrecy")
    people = [Contribution(seat, made(32), made(32)) for seat in sorted(seats)]
    parts: list[int | None] = [None, *sorted(seats)]
    for size in range(1, len(parts) + 1):
        for hidden in combinations(parts, size):
            assert len(orders_without(people, secret, hidden)) == 2


def test_announcement_is_computed_once_per_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ledger = Ledger.begin(SEED, MATCH, SEATS)
    announced = ledger.announcement
    monkeypatch.setattr(SecretChains, "chain_end", None)
    for _ in range(3):
        ledger = ledger.with_pack_call(ledger.next_pack_call({}))
        assert ledger.announcement is announced


def messages_sent(seed: bytes, plan: Sequence[Mapping[int, int]]) -> list[Any]:
    """The messages to the people during a match, without the ends of the chains."""
    ledger, pending = Ledger.begin(seed, MATCH, SEATS), PendingContributions()
    contributors = {
        seat: DealContributor(ledger.announcement, SEATS, pseudo_random_bytes(f"seat {seat}"))
        for seat in range(SEATS)
    }
    messages: list[Any] = []
    for absences in plan:
        for seat in absences:
            made = contributors[seat].commit(ledger.next_pack_number, seat)
            pending.add_commitments(ledger, seat, ledger.next_pack_number, made)
        call = pending.next_pack_call(ledger)
        ledger = deal_pack(ledger, pending, contributors, dict(absences))
        messages += [call.pack, call.position, call.commitments, ledger.last_void_attempt]
    return messages


def test_messages_depend_on_the_seed_only_through_the_chain_ends() -> None:
    plan: list[dict[int, int]] = [{0: 0, 1: 0}, {0: 0, 1: 1}, {}]
    assert messages_sent(SEED, plan) == messages_sent(bytes(32), plan)
