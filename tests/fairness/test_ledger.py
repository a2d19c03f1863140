"""The server's side: attempts at a pack, who is left out, and how it goes on after a restart."""

from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jasstisch.engine.cards import JASS
from jasstisch.fairness import (
    Chain,
    FairError,
    Ledger,
    MatchId,
    PendingContributions,
    VoidAttempt,
    Witness,
    verify,
)
from jasstisch.fairness.chain import CHAIN_LENGTH, next_link
from jasstisch.fairness.contributions import commitment, read_commitments
from jasstisch.fairness.evidence import Contribution
from jasstisch.fairness.shuffle import derive_order, transcript
from tools.fairness_vectors import MATCH, SEATS, SEED, deal_pack, play_match, pseudo_random_bytes

CARDS = list(JASS.texts)


class Table:
    """A table whose people commit themselves and open as they are told to."""

    def __init__(self, seed: bytes = SEED) -> None:
        self.ledger = Ledger.begin(seed, MATCH, SEATS)
        self.gathering = PendingContributions()
        self.held: dict[tuple[int, int, int], bytes] = {}
        self.chance = pseudo_random_bytes("table")

    def commit(self, *seats: int) -> None:
        """These seats commit themselves ahead."""
        pack = self.ledger.next_pack
        for seat in seats:
            made = [self.chance(32) for _ in range(SEATS)]
            for attempt, one in enumerate(made, start=1):
                self.held[pack, attempt, seat] = one
            hashes = [commitment(MATCH, pack, at, seat, one) for at, one in enumerate(made, 1)]
            self.gathering.commit(self.ledger, seat, pack, hashes)

    def call(self) -> None:
        """The next pack is called."""
        self.ledger = self.ledger.with_call(self.gathering.next_call(self.ledger))

    def own(self, seat: int) -> bytes:
        """What a seat is to open now."""
        return self.held[len(self.ledger.packs), self.ledger.attempt, seat]

    def open(self, *seats: int) -> None:
        """These seats open."""
        for seat in seats:
            self.gathering.add_opening(self.ledger, seat, self.ledger.attempt, self.own(seat))

    def settle(self) -> None:
        """All is there, or the time is up."""
        self.ledger = self.ledger.with_openings(self.gathering.openings(self.ledger))


@pytest.fixture
def table() -> Table:
    return Table()


def test_a_pack_is_decided_once_all_who_committed_themselves_have_opened(table: Table) -> None:
    table.commit(0, 2)
    assert table.gathering.committed_seats(table.ledger) == (0, 2)
    table.call()
    table.open(2)
    assert table.gathering.awaited_seats(table.ledger) == (0,)
    with pytest.raises(FairError, match="not decided yet"):
        table.ledger.derive_order(CARDS)
    table.open(0)
    assert table.gathering.awaited_seats(table.ledger) == ()
    table.settle()
    assert table.ledger.call is None
    assert table.ledger.last_void_attempt is None
    assert sorted(table.ledger.derive_order(CARDS)) == sorted(CARDS)


def test_who_does_not_open_is_named_and_left_out_for_this_pack(table: Table) -> None:
    table.commit(0, 1, 3)
    table.call()
    table.open(0, 3)
    table.settle()
    assert table.ledger.last_void_attempt == VoidAttempt(1, 1, (1,))
    assert (table.ledger.attempt, table.ledger.asked) == (2, (0, 3))
    with pytest.raises(FairError, match="nothing is awaited from seat 1 for attempt 2"):
        table.gathering.add_opening(table.ledger, 1, 2, table.held[1, 2, 1])
    table.open(0, 3)
    table.settle()
    assert table.ledger.call is None
    assert table.ledger.last_void_attempt == VoidAttempt(1, 1, (1,))
    table.commit(1)
    table.call()
    assert table.ledger.asked == (1,)
    assert table.ledger.last_void_attempt is None


def test_each_attempt_takes_the_next_secret_and_fresh_contributions(table: Table) -> None:
    table.commit(0, 1)
    table.call()
    first = table.own(0)
    table.open(0)
    table.settle()
    assert table.own(0) != first
    with pytest.raises(FairError, match="not what seat 0 committed itself to"):
        table.gathering.add_opening(table.ledger, 0, 2, first)
    table.open(0)
    table.settle()
    ((void, last),) = table.ledger.evidence().packs
    assert void.secret != last.secret
    assert [one.opening for one in last.people] == [table.held[1, 2, 0]]


def test_when_nobody_remains_the_committed_secret_alone_decides(table: Table) -> None:
    table.commit(0, 1)
    table.call()
    table.settle()
    assert table.ledger.call is None
    assert table.ledger.last_void_attempt == VoidAttempt(1, 1, (0, 1))
    ((void, last),) = table.ledger.evidence().packs
    assert (void.missing, last.people) == ((0, 1), ())
    assert table.ledger.derive_order(CARDS)


def test_where_nobody_commits_himself_the_pack_is_decided_at_once(table: Table) -> None:
    table.call()
    assert table.ledger.call is None
    first = table.ledger.derive_order(CARDS)
    table.call()
    assert table.ledger.derive_order(CARDS) != first


def test_who_commits_himself_too_late_is_not_asked_before_the_next_pack(table: Table) -> None:
    table.commit(0)
    table.call()
    table.commit(1)
    assert table.ledger.asked == (0,)
    assert table.gathering.committed_seats(table.ledger) == (1,)
    table.open(0)
    table.settle()
    table.call()
    assert table.ledger.asked == (1,)


def test_what_was_not_called_yet_may_be_replaced_and_what_was_may_not(table: Table) -> None:
    table.commit(0)
    old = table.held[1, 1, 0]
    table.commit(0)
    table.call()
    with pytest.raises(FairError, match="not what seat 0 committed itself to"):
        table.gathering.add_opening(table.ledger, 0, 1, old)
    with pytest.raises(FairError, match="commitments are taken for the packs 2 to 4 now"):
        table.gathering.commit(table.ledger, 0, 1, [bytes(32)] * SEATS)
    table.open(0)


def test_who_has_left_is_not_asked(table: Table) -> None:
    table.commit(0, 1)
    table.gathering.remove_seat(1)
    table.call()
    assert table.ledger.asked == (0,)


def test_who_has_missed_three_packs_of_a_match_is_asked_no_more(table: Table) -> None:
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
    assert table.ledger.asked == (0,)


def test_who_had_committed_himself_before_his_third_miss_is_asked_no_more_either(
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
    assert table.ledger.asked == (0,)


@pytest.mark.parametrize(
    ("seat", "attempt", "opening", "said"),
    [
        (1, 1, bytes(32), "nothing is awaited from seat 1"),
        (0, 2, bytes(32), "nothing is awaited from seat 0 for attempt 2"),
        (0, 1, bytes(32), "not what seat 0 committed itself to"),
        (0, 1, b"", "not what seat 0 committed itself to"),
    ],
)
def test_an_opening_that_was_not_asked_for_is_refused_and_changes_nothing(
    table: Table, seat: int, attempt: int, opening: bytes, said: str
) -> None:
    table.commit(0)
    table.call()
    with pytest.raises(FairError, match=said):
        table.gathering.add_opening(table.ledger, seat, attempt, opening)
    with pytest.raises(FairError, match=said if attempt == 1 else "not what"):
        table.ledger.with_openings({seat: opening})
    assert table.gathering.openings(table.ledger) == {}
    table.open(0)


def test_what_somebody_else_sent_is_worth_nothing_in_another_seat(table: Table) -> None:
    """A copied commitment cannot be opened, even once its contribution is known."""
    table.commit(0)
    copied = [
        commitment(MATCH, 1, attempt, 0, table.held[1, attempt, 0])
        for attempt in range(1, SEATS + 1)
    ]
    table.gathering.commit(table.ledger, 2, 1, copied)
    table.call()
    with pytest.raises(FairError, match="not what seat 2 committed itself to"):
        table.gathering.add_opening(table.ledger, 2, 1, table.own(0))


def test_what_was_opened_once_is_worth_nothing_in_another_pack_or_match(table: Table) -> None:
    made = bytes(32)
    here = commitment(MATCH, 1, 1, 0, made)
    other = MatchId(MATCH.table, MATCH.number + 1)
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
def test_commitments_that_are_none_are_refused(wrong: object) -> None:
    with pytest.raises(FairError, match=r"64 digits|a list of 4 hashes"):
        read_commitments(wrong, SEATS)
    assert read_commitments(["0f" * 32] * SEATS, SEATS) == (b"\x0f" * 32,) * SEATS


def test_steps_out_of_turn_are_refused(table: Table) -> None:
    with pytest.raises(FairError, match="no openings are awaited"):
        table.ledger.with_openings({})
    with pytest.raises(FairError, match="not decided yet"):
        table.ledger.derive_order(CARDS)
    table.commit(0)
    call = table.gathering.next_call(table.ledger)
    table.call()
    for step in (
        lambda: table.ledger.with_call(call),
        lambda: table.gathering.next_call(table.ledger),
        table.ledger.evidence,
    ):
        with pytest.raises(FairError):
            step()


def test_a_server_that_starts_again_goes_on_from_its_log(table: Table) -> None:
    """The log has the seed, the calls and what settled each attempt; openings come once more."""
    table.commit(0, 1)
    call = table.gathering.next_call(table.ledger)
    table.call()
    table.open(0)
    opened = dict(table.gathering.openings(table.ledger))
    table.settle()
    table.open(0)
    again = Table()
    again.held = table.held
    again.ledger = Ledger.begin(SEED, MATCH, SEATS).with_call(call).with_openings(opened)
    assert again.ledger == table.ledger
    assert again.gathering.awaited_seats(again.ledger) == (0,)
    again.open(0)
    for one in (table, again):
        one.settle()
    assert again.ledger.derive_order(CARDS) == table.ledger.derive_order(CARDS)


def test_an_earlier_ledger_is_as_it_was(table: Table) -> None:
    table.commit(0)
    before = table.ledger
    table.call()
    assert (before.call, before.packs) == (None, ())
    assert "seed" not in repr(before)


def test_a_rematch_has_a_chain_of_its_own() -> None:
    ends = {
        Ledger.begin(SEED, MatchId.of(table, number), SEATS).announcement.end
        for table in ("one", "two")
        for number in (1, 2)
    }
    assert len(ends) == 4


def test_a_chain_is_made_of_links_that_anybody_can_check() -> None:
    chain = Chain(SEED, MATCH)
    secrets = chain.secrets(CHAIN_LENGTH + 2)
    assert secrets == [chain.secret(position) for position in range(CHAIN_LENGTH + 2)]
    assert next_link(MATCH, secrets[0]) == chain.end(0)
    assert next_link(MATCH, secrets[CHAIN_LENGTH]) == chain.end(1)
    for earlier, later in pairwise(secrets[:CHAIN_LENGTH]):
        assert next_link(MATCH, later) == earlier


def test_a_match_longer_than_a_chain_goes_on_with_the_next_one() -> None:
    """Each chain is announced before anybody opens anything for its secrets."""
    ledger, gathering = Ledger.begin(SEED, MATCH, SEATS), PendingContributions()
    witness = Witness(ledger.announcement, SEATS, pseudo_random_bytes("long"))
    packs = []
    for pack in range(1, CHAIN_LENGTH + 3):
        if pack in (1, CHAIN_LENGTH, CHAIN_LENGTH + 1):
            gathering.commit(ledger, 1, pack, witness.commit(pack, 1))
        call = gathering.next_call(ledger)
        assert len(call.ends) == (2 if pack >= CHAIN_LENGTH else 1)
        ledger = ledger.with_call(call)
        opening = witness.open(call, 1)
        if opening is not None:
            ledger = ledger.with_openings({1: opening})
        packs.append(ledger.derive_order(["6C", "7C", "8C"]))
    evidence = ledger.evidence()
    assert len(evidence.ends) == 2
    assert verify(evidence, packs, SEATS).contributed == {1: 3}
    assert witness.check_evidence(evidence) == 3


scenes = st.lists(
    st.dictionaries(st.integers(0, SEATS - 1), st.integers(0, 3)), min_size=1, max_size=6
)


@settings(max_examples=50)
@given(scenes)
def test_whoever_stays_away_the_deals_are_verified(scene: list[dict[int, int]]) -> None:
    asked: list[dict[int, int]] = []
    missed = dict.fromkeys(range(SEATS), 0)
    for absences in scene:
        present = {seat: at for seat, at in absences.items() if missed[seat] < 3}
        asked.append(present)
        evidence, packs, witnesses = play_match(asked)
        misses = [miss.seat for miss in verify(evidence, packs, SEATS).misses]
        missed = {seat: misses.count(seat) for seat in missed}
        for witness in witnesses.values():
            witness.check_evidence(evidence)


# What is published while a match runs.


def orders_without(
    people: Sequence[Contribution], secret: bytes, hidden: Sequence[int | None]
) -> set[tuple[str, ...]]:
    """The orders in two worlds that differ in what is hidden alone; None is the secret."""
    found = set()
    for world in (b"\0", b"\1"):
        other = world * 32
        opened = [
            Contribution(one.seat, one.commitment, other if one.seat in hidden else one.opening)
            for one in people
        ]
        deal = transcript(MATCH, 1, [opened])
        found.add(tuple(derive_order(CARDS, other if None in hidden else secret, deal)))
    return found


@given(st.sets(st.integers(0, SEATS - 1)), st.binary(min_size=32, max_size=32))
def test_without_any_one_of_secret_and_openings_the_order_is_open(
    seats: set[int], secret: bytes
) -> None:
    """Without any one contribution, two worlds with different orders remain possible."""
    made = pseudo_random_bytes("secrecy")
    people = [Contribution(seat, made(32), made(32)) for seat in sorted(seats)]
    parts: list[int | None] = [None, *sorted(seats)]
    for size in range(1, len(parts) + 1):
        for hidden in combinations(parts, size):
            assert len(orders_without(people, secret, hidden)) == 2


def test_what_everybody_is_told_is_hashed_once_for_a_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ledger = Ledger.begin(SEED, MATCH, SEATS)
    announced = ledger.announcement
    monkeypatch.setattr(Chain, "end", None)
    for _ in range(3):
        ledger = ledger.with_call(ledger.next_call({}))
        assert ledger.announcement is announced


def told(seed: bytes, scene: Sequence[Mapping[int, int]]) -> list[Any]:
    """All that people hear of a match until before its end."""
    ledger, gathering = Ledger.begin(seed, MATCH, SEATS), PendingContributions()
    witnesses = {
        seat: Witness(ledger.announcement, SEATS, pseudo_random_bytes(f"seat {seat}"))
        for seat in range(SEATS)
    }
    heard: list[Any] = []
    for absences in scene:
        for seat in absences:
            made = witnesses[seat].commit(ledger.next_pack, seat)
            gathering.commit(ledger, seat, ledger.next_pack, made)
        call = gathering.next_call(ledger)
        ledger = deal_pack(ledger, gathering, witnesses, dict(absences))
        heard += [call.pack, call.position, call.commitments, ledger.last_void_attempt]
    return heard


def test_what_is_told_during_a_match_depends_on_its_secrets_by_the_end_alone() -> None:
    scene: list[dict[int, int]] = [{0: 0, 1: 0}, {0: 0, 1: 1}, {}]
    assert told(SEED, scene) == told(bytes(32), scene)
