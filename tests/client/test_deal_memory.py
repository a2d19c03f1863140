"""The files in which a client keeps what it has seen of matches with verifiable deals."""

import errno
import os
import stat
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jasstisch.client import DealMemory
from jasstisch.client.deal_memory import DamagedMemoryError, read_seen_match
from jasstisch.client.fair_deals import TableDeals
from jasstisch.client.seen_match import SeenMatch
from jasstisch.fairness import DealState, MatchId, PackCall, SendOpening
from tests.client.seen_matches import TABLE, SeenTable, new_client

ANNA, RETO = 0, 3
HASH = MatchId.of(TABLE, 1).table_hash


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "deals"


@pytest.fixture
def memory(folder: Path) -> DealMemory:
    return DealMemory(folder)


def kept(memory: DealMemory, number: int = 1) -> Path:
    """The only file of a match."""
    (path,) = memory.find(HASH, number)
    return path


def restarted(memory: DealMemory, seen: SeenMatch, number: int = 1) -> SeenMatch:
    """What a client goes on with after its process has ended."""
    seen.close()
    again = memory.resume(TABLE)
    assert again is not None
    assert again is not seen
    return again


def state_of(seen: SeenMatch) -> object:
    """All that was seen, to compare it."""
    contributor = seen.participant.contributor
    parts: dict[str, Any] = {}
    if contributor is not None:
        parts = {key: value for key, value in vars(contributor).items() if key != "_chance"}
    return parts, vars(seen._witness)["_views"], vars(seen._witness)["_optional"]


def test_client_restarted_after_each_step_goes_on_as_if_it_had_not_been(
    memory: DealMemory,
) -> None:
    table = SeenTable({ANNA: memory.begin(new_client()), RETO: new_client()}, deaf={2: [RETO]})

    def restart() -> None:
        before = state_of(table.clients[ANNA])
        table.clients[ANNA] = restarted(memory, table.clients[ANNA])
        assert state_of(table.clients[ANNA]) == before

    record = table.play(restart)
    verdict = read_seen_match(kept(memory)).judge(record, closed=False)
    assert verdict is not None
    assert verdict.kind == "verified"
    assert memory.problems == []


def test_same_commitments_are_sent_after_a_restart(memory: DealMemory) -> None:
    table = SeenTable({ANNA: memory.begin(new_client())})
    table.tell()
    before = table.pending.next_pack_call(table.ledger)
    table.clients[ANNA] = restarted(memory, table.clients[ANNA])
    table.tell()
    assert table.pending.next_pack_call(table.ledger) == before


def test_same_call_is_answered_again_after_a_restart_and_a_second_one_never(
    memory: DealMemory,
) -> None:
    table = SeenTable({ANNA: memory.begin(new_client()), RETO: new_client()}, deaf={1: [ANNA]})
    table.tell()
    call = table.pending.next_pack_call(table.ledger)
    before = table.ledger
    table.ledger = before.with_pack_call(call)
    (opened,) = table.tell([ANNA])
    table.clients[ANNA] = restarted(memory, table.clients[ANNA])
    assert table.tell([ANNA]) == [opened]
    table.clients[ANNA] = restarted(memory, table.clients[ANNA])
    others = {**call.commitments, RETO: call.commitments[ANNA]}
    table.ledger = before.with_pack_call(PackCall(1, 0, call.ends, others))
    assert table.tell([ANNA]) == []
    assert "called a second time" in str(table.clients[ANNA].problem)
    again = restarted(memory, table.clients[ANNA])
    assert str(again.problem) == str(table.clients[ANNA].problem)
    table.clients[ANNA], table.ledger = again, before.with_pack_call(call)
    assert table.tell([ANNA]) == []


def test_pack_cannot_be_drawn_again_by_a_restart(memory: DealMemory) -> None:
    """The server says after the restart that the pack was never called."""
    table = SeenTable({ANNA: memory.begin(new_client())})
    table.tell()
    before = table.ledger
    table.ledger = before.with_pack_call(table.pending.next_pack_call(before))
    assert len(table.tell()) == 1
    table.clients[ANNA] = restarted(memory, table.clients[ANNA])
    table.ledger, table.pending = before, type(table.pending)()
    table.tell()
    assert table.pending.committed_seats(before) == ()


def test_opening_is_on_the_disk_before_it_is_sent(
    memory: DealMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = SeenTable({ANNA: memory.begin(new_client())})
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    table.tell()
    table.ledger = table.ledger.with_pack_call(table.pending.next_pack_call(table.ledger))
    synced.clear()
    assert len(table.tell()) == 1
    assert len(synced) == 1
    stored = read_seen_match(kept(memory))
    assert state_of(stored) == state_of(table.clients[ANNA])


def test_file_is_for_its_owner_only_and_does_not_grow_by_what_is_known(memory: DealMemory) -> None:
    table = SeenTable({ANNA: memory.begin(new_client())})
    table.step()
    path = kept(memory)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(memory.folder.stat().st_mode) == 0o700
    before = path.read_bytes()
    table.tell()
    table.tell()
    table.show("final")
    settled = path.read_bytes()
    assert settled.startswith(before)
    table.tell()
    table.show("final")
    assert path.read_bytes() == settled


def test_two_processes_at_one_table_keep_files_of_their_own(folder: Path) -> None:
    first, second = DealMemory(folder), DealMemory(folder)
    table = SeenTable({ANNA: first.begin(new_client()), RETO: second.begin(new_client())})
    record = table.play()
    paths = first.find(HASH, 1)
    assert len(paths) == 2
    verdicts = [read_seen_match(path).judge(record, closed=False) for path in paths]
    assert [one is not None and one.kind == "verified" for one in verdicts] == [True, True]
    assert first.problems == second.problems == []


def test_what_another_process_keeps_is_not_taken_from_it(folder: Path) -> None:
    first, second = DealMemory(folder), DealMemory(folder)
    busy = first.begin(new_client())
    assert second.resume(TABLE) is None
    other = second.begin(new_client())
    assert other is not busy
    other.close()
    busy.close()
    assert second.resume(TABLE) is not None


def test_client_goes_on_with_what_was_seen_of_most(folder: Path) -> None:
    """With an earlier state it could contribute to a pack a second time."""
    memory = DealMemory(folder)
    table = SeenTable({ANNA: memory.begin(new_client()), RETO: memory.begin(new_client())})
    table.step()
    table.clients[ANNA].close()
    late = table.clients.pop(ANNA)
    for _ in range(60):
        table.step()
    reto = table.clients[RETO]
    reto.close()
    assert late.next_pack < reto.next_pack
    again = memory.resume(TABLE)
    assert again is not None
    assert again.next_pack == reto.next_pack


def test_later_match_is_taken_up_where_the_server_speaks_of_an_earlier_one(
    memory: DealMemory,
) -> None:
    """An announced match cannot be taken back by a restart of the client."""
    second = SeenTable({ANNA: memory.begin(new_client(2))}, number=2)
    second.tell()
    second.clients[ANNA].close()
    deals = TableDeals(TABLE, memory)
    room: dict[str, Any] = {"number": 1, "fair": None, "seats": [0, 1, 2, 3]}
    assert list(deals.contributions(room, ANNA)) == []
    assert deals.latest is not None
    assert "match 2 was announced before match 1" in str(deals.latest.problem)


def test_match_announced_before_a_restart_does_not_become_one_without_proof(
    memory: DealMemory,
) -> None:
    table = SeenTable({ANNA: memory.begin(new_client())})
    table.tell()
    table.clients[ANNA].close()
    deals = TableDeals(TABLE, memory)
    room: dict[str, Any] = {"number": 1, "fair": None, "seats": [0, 1, 2, 3]}
    deals.contributions(room, ANNA)
    assert deals.latest is not None
    assert deals.latest.problem is not None


@pytest.mark.parametrize("keeps", [True, False])
@pytest.mark.parametrize("number", [1, 2, 3])
def test_match_without_proof_after_one_with_it_is_a_breach_whatever_is_told_then(
    memory: DealMemory, number: int, *, keeps: bool
) -> None:
    first = SeenTable({})
    deals = TableDeals(TABLE, memory if keeps else None)
    deals.contributions(room_of(first), ANNA)
    assert list(deals.contributions(room_of(first) | {"number": 2, "fair": None}, ANNA)) == []
    assert deals.unproven_before(2) == [1]
    if keeps:
        deals.close()
        deals = TableDeals(TABLE, DealMemory(memory.folder))
    told = deals.contributions(room_of(SeenTable({}, number=number)), ANNA)
    assert deals.unproven_before(2) == [1]
    broken = deals.of_match(2)
    assert broken is not None
    assert broken.problem is not None
    assert bool(told) is (number == 3)


def test_number_that_no_match_has_is_a_breach_of_the_first_one(memory: DealMemory) -> None:
    room = room_of(SeenTable({}))
    before = TableDeals(TABLE, memory)
    before.contributions(room | {"number": -1}, ANNA)
    before.close()
    deals = TableDeals(TABLE, memory)
    assert list(deals.contributions(room, ANNA)) == []
    assert deals.latest is not None
    assert deals.latest.problem is not None


def test_view_of_a_match_that_is_said_not_to_have_begun_is_compared_with_its_record(
    memory: DealMemory,
) -> None:
    table = SeenTable({ANNA: memory.begin(new_client())})
    record = table.play()
    table.clients[ANNA].close()
    deals = TableDeals(TABLE, memory)
    deals.note_view(room_of(table) | {"number": 0}, ANNA, {"hand": []}, "gap")
    assert deals.latest is not None
    verdict = deals.judge(deals.latest, record, closed=False)
    assert verdict is not None
    assert verdict.kind == "wrong"


def test_match_that_is_asked_for_before_the_server_speaks_goes_on_with_what_was_kept(
    memory: DealMemory,
) -> None:
    table = SeenTable({ANNA: memory.begin(new_client())})
    table.tell()
    table.clients[ANNA].close()
    deals = TableDeals(TABLE, memory)
    asked = deals.of_match(1)
    deals.contributions(room_of(table), ANNA)
    assert asked is not None
    assert deals.latest is asked
    assert len(memory.find(HASH, 1)) == 1


def test_match_without_deals_leaves_no_file(memory: DealMemory) -> None:
    deals = TableDeals(TABLE, memory)
    room: dict[str, Any] = {"number": 1, "fair": None, "seats": [0, 1, 2, 3]}
    assert list(deals.contributions(room, ANNA)) == []
    deals.note_view(room, ANNA, {"hand": []}, "final")
    assert not memory.folder.exists()


# Matches whose record did not come.


def room_of(table: SeenTable) -> dict[str, Any]:
    """What the server tells at the beginning of a match."""
    state = DealState(table.ledger.announcement, 1, None, None)
    fair = {**state.to_json(), "asked": []}
    return {"number": table.number, "fair": fair, "seats": [0, 1, 2, 3]}


@pytest.mark.parametrize("keeps", [True, False])
def test_match_replaced_before_its_record_came_is_unproven(
    memory: DealMemory, *, keeps: bool
) -> None:
    deals = TableDeals(TABLE, memory if keeps else None)
    for number in range(1, 9):
        deals.contributions(room_of(SeenTable({}, number=number)), ANNA)
        assert deals.unproven_before(number) == list(range(1, number))
    deals.contributions({"number": 9, "fair": None, "seats": [0, 1, 2, 3]}, ANNA)
    assert deals.unproven_before(9) == list(range(1, 9))
    deals.close()
    if keeps:
        again = TableDeals(TABLE, DealMemory(memory.folder))
        again.contributions(room_of(SeenTable({}, number=9)), ANNA)
        assert again.unproven_before(9) == list(range(1, 9))


def test_match_is_proven_by_its_record_though_it_comes_late_and_after_a_restart(
    memory: DealMemory,
) -> None:
    first = SeenTable({ANNA: memory.begin(new_client())})
    record = first.play()
    first.clients[ANNA].close()
    second = room_of(SeenTable({}, number=2))
    deals = TableDeals(TABLE, memory)
    deals.contributions(second, ANNA)
    assert deals.unproven_before(2) == [1]
    seen = deals.of_match(1)
    assert seen is not None
    verdict = deals.judge(seen, record, closed=False)
    assert verdict is not None
    assert verdict.kind == "verified"
    assert deals.unproven_before(2) == []
    deals.close()
    again = TableDeals(TABLE, DealMemory(memory.folder))
    again.contributions(second, ANNA)
    assert again.unproven_before(2) == []


# Damage.


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a match up to its second round."""
    memory = DealMemory(tmp_path_factory.mktemp("whole"))
    table = SeenTable({ANNA: memory.begin(new_client()), RETO: new_client()}, deaf={2: [RETO]})
    for _ in range(50):
        table.step()
    return kept(memory).read_bytes()


@given(data=st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_file_that_breaks_off_is_what_it_was_after_its_last_whole_line(
    whole: bytes, tmp_path: Path, data: st.DataObject
) -> None:
    path = tmp_path / "broken-off.seen"
    length = data.draw(st.integers(0, len(whole)))
    lines = whole[:length].count(b"\n")
    path.write_bytes(whole[:length])
    if lines == 0:
        with pytest.raises(DamagedMemoryError, match="its first line is missing"):
            read_seen_match(path)
        return
    found = state_of(read_seen_match(path))
    path.write_bytes(b"".join(whole.splitlines(keepends=True)[:lines]))
    assert found == state_of(read_seen_match(path))


@given(data=st.data())
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
def test_changed_file_is_refused_with_its_line_or_is_one_that_broke_off(
    whole: bytes, tmp_path: Path, data: st.DataObject
) -> None:
    """Whatever bytes are changed, removed or put in: only what was kept is believed."""
    path = tmp_path / "changed.seen"
    place = data.draw(st.integers(0, len(whole) - 1))
    gone = data.draw(st.integers(0, 3))
    put = data.draw(st.binary(max_size=4))
    content = whole[:place] + put + whole[place + gone :]
    path.write_bytes(content)
    try:
        found = read_seen_match(path)
    except DamagedMemoryError:
        return
    kept_lines = content.count(b"\n")
    path.write_bytes(b"".join(whole.splitlines(keepends=True)[:kept_lines]))
    assert state_of(found) == state_of(read_seen_match(path))


@given(content=st.binary(max_size=200))
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_file_is_refused_in_words(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "any.seen"
    path.write_bytes(content)
    with pytest.raises(DamagedMemoryError, match=r"any\.seen: "):
        read_seen_match(path)


def test_line_in_another_place_is_refused(whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "moved.seen"
    first, second, third, *rest = whole.splitlines(keepends=True)
    path.write_bytes(b"".join([first, third, second, *rest]))
    with pytest.raises(DamagedMemoryError, match="line 2: its checksum does not fit"):
        read_seen_match(path)


def test_damaged_file_is_set_aside_said_and_not_used(folder: Path, whole: bytes) -> None:
    memory = DealMemory(folder)
    seen = memory.begin(new_client())
    seen.close()
    path = kept(memory)
    damaged = whole.replace(b'"seat":0', b'"seat":1')
    path.write_bytes(damaged)
    again = memory.begin(new_client())
    assert again.commitment is None
    (problem,) = memory.problems
    assert problem.startswith(f"{path}: line ")
    assert path.with_name(f"{path.name}.damaged").read_bytes() == damaged
    again.close()
    assert memory.resume(TABLE) is not None


def test_nothing_is_used_beside_a_damaged_file(folder: Path) -> None:
    """The damaged one may be the one in which most was seen."""
    memory = DealMemory(folder)
    for seen in [memory.begin(new_client()), memory.begin(new_client())]:
        SeenTable({ANNA: seen}).tell()
    path, other = memory.find(HASH, 1)
    for file in (path, other):
        file.write_bytes(file.read_bytes())
    path.write_bytes(b"no such file\n")
    fresh = DealMemory(folder)
    fresh_seen = fresh.begin(new_client())
    assert fresh_seen.commitment is None


def test_file_of_another_match_is_not_believed(folder: Path) -> None:
    memory = DealMemory(folder)
    seen = memory.begin(new_client())
    seen.close()
    path = kept(memory)
    path.rename(path.with_name(path.name.replace("-1.", "-2.")))
    assert memory.resume(TABLE) is None
    (problem,) = memory.problems
    assert problem.endswith("it is of another match")


def test_memory_that_cannot_be_written_is_forgotten_and_said(
    memory: DealMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An earlier state on the disk could lead to a second answer after a restart."""
    table = SeenTable({ANNA: memory.begin(new_client())})
    table.tell()
    path = kept(memory)

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "write", full)
    record = table.play()
    assert not path.exists()
    assert len(memory.problems) == 1
    assert str(path) in memory.problems[0]
    verdict = table.clients[ANNA].judge(record, closed=False)
    assert verdict is not None
    assert verdict.kind == "verified"


def fill(memory: DealMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves no room in the file of a match but for saying so."""
    size = kept(memory).stat().st_size + 1024
    monkeypatch.setattr("jasstisch.client.deal_memory._MAX_BYTES", size)


def test_a_server_that_tells_very_much_does_not_make_a_client_forget(
    memory: DealMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = SeenTable({ANNA: memory.begin(new_client())})
    table.tell()
    before, pending = table.ledger, table.pending
    table.ledger = before.with_pack_call(pending.next_pack_call(before))
    assert len(table.tell()) == 1
    fill(memory, monkeypatch)
    for _ in range(2):
        table.ledger, table.pending = before, type(pending)()
        assert table.tell() == []
        assert table.pending.committed_seats(before) == ()
        table.clients[ANNA] = restarted(memory, table.clients[ANNA])
    record = SeenTable({RETO: new_client()}).play()
    verdict = table.clients[ANNA].judge(record, closed=False)
    assert verdict is not None
    assert verdict.kind == "wrong"
    (problem,) = memory.problems
    assert problem.startswith(f"{kept(memory)}: larger than")


def test_nothing_is_opened_that_cannot_be_kept_and_no_pack_called_its_own(
    memory: DealMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = SeenTable({ANNA: memory.begin(new_client())})
    table.tell()
    fill(memory, monkeypatch)
    table.ledger = table.ledger.with_pack_call(table.pending.next_pack_call(table.ledger))
    assert table.tell() == []
    again = restarted(memory, table.clients[ANNA])
    table = SeenTable({ANNA: again, RETO: new_client()})
    verdict = again.judge(table.play(), closed=False)
    assert verdict is not None
    assert (verdict.kind, verdict.own_packs) == ("partial", ())
    assert verdict.excluded_packs == (1, 2, 3)  # to which it had committed before


@pytest.mark.parametrize("breach", [None, {"announcement": "x" * 5_000}], ids=["short", "long"])
def test_breach_is_kept_where_nothing_else_can_be(
    memory: DealMemory, monkeypatch: pytest.MonkeyPatch, breach: object
) -> None:
    table = SeenTable({ANNA: memory.begin(new_client())})
    table.tell()
    fill(memory, monkeypatch)
    if breach is None:
        table.step()  # already too much
    table.clients[ANNA].tell(breach, 1, ANNA)
    assert restarted(memory, table.clients[ANNA]).problem is not None


def test_folder_that_cannot_be_made_is_said_and_the_match_goes_on(tmp_path: Path) -> None:
    (tmp_path / "deals").write_text("a file")
    memory = DealMemory(tmp_path / "deals")
    table = SeenTable({ANNA: memory.begin(new_client())})
    table.play()
    assert len(memory.problems) == 1


def test_old_files_and_the_oldest_of_too_many_are_deleted(
    memory: DealMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy = memory.begin(new_client(1))
    for number in range(2, 7):
        memory.begin(new_client(number)).close()
    for number in range(1, 7):
        os.utime(kept(memory, number), (0, time.time() - 1000 + number))
    os.utime(kept(memory, 5), (1, 1))  # long ago

    def left_after(number: int) -> list[int]:
        memory.begin(new_client(number)).close()
        return [one for one in range(1, 9) if memory.find(HASH, one)]

    monkeypatch.setattr("jasstisch.client.deal_memory._MAX_FILES", 4)
    assert left_after(7) == [1, 2, 3, 4, 6, 7]
    assert left_after(8) == [1, 3, 4, 6, 7, 8]  # the first is in use
    busy.close()


def test_many_matches_at_one_table_do_not_displace_those_of_others(
    memory: DealMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server could otherwise make a client forget what it has seen elsewhere."""
    monkeypatch.setattr("jasstisch.client.deal_memory._MAX_FILES", 4)
    memory.begin(SeenMatch("another table", 1, 4)).close()
    for number in range(1, 9):
        memory.begin(new_client(number)).close()
    assert len(memory.find(MatchId.of("another table", 1).table_hash, 1)) == 1
    assert memory.find(HASH, 1) == []


def test_client_goes_on_where_the_server_broke_the_protocol_though_more_was_seen_elsewhere(
    memory: DealMemory,
) -> None:
    table = SeenTable({ANNA: memory.begin(new_client()), RETO: memory.begin(new_client())})
    table.step()
    broken = table.clients.pop(ANNA)
    broken.tell(None, 1, ANNA)
    assert broken.problem is not None
    broken.close()
    for _ in range(60):
        table.step()
    table.clients[RETO].close()
    again = memory.resume(TABLE)
    assert again is not None
    assert str(again.problem) == str(broken.problem)


def test_what_a_server_tells_in_another_form_is_kept_as_a_breach(memory: DealMemory) -> None:
    for number, deals in enumerate(([], 5, "deals", {"announcement": 1}), start=1):
        seen = memory.begin(new_client(number))
        assert list(seen.tell(deals, number, ANNA)) == []
        assert seen.problem is not None
        assert str(restarted(memory, seen, number).problem) == str(seen.problem)


def test_opening_goes_out_even_if_it_is_all_that_a_client_was_told(memory: DealMemory) -> None:
    """The first word after a restart is a call that was made meanwhile."""
    table = SeenTable({ANNA: memory.begin(new_client())})
    table.tell()
    table.clients[ANNA].close()
    table.ledger = table.ledger.with_pack_call(table.pending.next_pack_call(table.ledger))
    again = memory.resume(TABLE)
    assert again is not None
    table.clients[ANNA] = again
    assert [type(one) for one in table.tell()] == [SendOpening]
