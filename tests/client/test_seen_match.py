"""What a client has seen of a match: which packs it vouches for, and which record it accepts."""

import json

import pytest

import jasstisch as jt
from jasstisch.client.deal_verdict import DealVerdict
from jasstisch.client.match_witness import MatchWitness
from jasstisch.fairness import FairError
from tests.client.seen_matches import SeenTable, new_client

ANNA, RETO = 0, 3


def judged(table: SeenTable, seat: int = ANNA, *, closed: bool = False) -> DealVerdict:
    """The verdict of the client of a seat on the record as it is."""
    verdict = table.clients[seat].judge(table.record(), closed=closed)
    assert verdict is not None
    return verdict


def test_client_that_contributed_to_every_pack_vouches_for_all() -> None:
    table = SeenTable({ANNA: new_client(), RETO: new_client()})
    table.play()
    verdict = judged(table)
    packs = table.ledger.next_pack_number - 1
    assert (verdict.kind, verdict.own_packs) == ("verified", tuple(range(1, packs + 1)))
    assert verdict.commitment == table.ledger.announcement.end


def test_packs_decided_without_a_client_that_was_ready_are_named() -> None:
    """The server says that the opening did not come; the client knows that it was sent."""
    table = SeenTable({ANNA: new_client(), RETO: new_client()}, deaf={2: [ANNA]})
    table.play()
    verdict = judged(table)
    assert verdict.kind == "partial"
    assert (verdict.excluded_packs, verdict.unseen_packs) == ((2,), ())
    assert judged(table, RETO).kind == "verified"


def test_packs_that_a_later_client_has_not_seen_are_named() -> None:
    table = SeenTable({RETO: new_client()})
    table.step()  # the dealer is drawn
    while not table.match.needs_pack:
        table.step()
    before = table.ledger.next_pack_number
    table.clients[ANNA] = new_client()
    table.play()
    verdict = judged(table)
    assert verdict.kind == "partial"
    assert verdict.unseen_packs == tuple(range(1, before))
    assert verdict.own_packs == tuple(range(before, table.ledger.next_pack_number))


def test_closed_match_is_judged_as_far_as_it_went_and_only_at_a_closed_table() -> None:
    table = SeenTable({ANNA: new_client()})
    for _ in range(20):
        table.step()
    assert judged(table).kind == "wrong"
    verdict = judged(table, closed=True)
    assert (verdict.kind, verdict.ended_early) == ("verified", True)


def test_record_that_ends_before_what_was_seen_is_wrong() -> None:
    table = SeenTable({ANNA: new_client()})
    for _ in range(20):
        table.step()
    early = table.record()
    table.play()
    verdict = table.clients[ANNA].judge(early, closed=True)
    assert verdict is not None
    assert verdict.kind == "wrong"


@pytest.mark.parametrize("deals", [None, {"announcement": "none"}])
def test_first_breach_remains_the_verdict_and_ends_the_clients_part(deals: object) -> None:
    table = SeenTable({ANNA: new_client()})
    table.step()
    anna = table.clients[ANNA]
    anna.tell(deals, 1, ANNA)
    problem = anna.problem
    assert isinstance(problem, FairError)
    assert table.tell() == []
    anna.tell({"announcement": "another"}, 1, ANNA)
    assert anna.problem is problem
    assert judged(table, closed=True).kind == "broken"


def test_wrong_announcement_is_not_made_good_by_a_right_one() -> None:
    table = SeenTable({ANNA: new_client()})
    elsewhere = SeenTable({}, number=2).ledger.announcement
    state = {"announcement": elsewhere.to_json(), "next_pack": 1, "call": None, "void": None}
    table.clients[ANNA].tell(state, 1, ANNA)
    table.step()
    assert judged(table, closed=True).kind == "broken"


def test_earlier_match_spoken_of_after_a_later_one_is_a_breach() -> None:
    table = SeenTable({ANNA: new_client(number=2)}, number=1)
    table.tell()
    assert "match 2 was announced before match 1" in str(table.clients[ANNA].problem)


@pytest.mark.parametrize("number", [0, -1])
def test_number_that_no_match_has_does_not_hide_that_the_server_is_silent(number: int) -> None:
    table = SeenTable({ANNA: new_client()})
    table.step()
    table.clients[ANNA].tell(None, number, ANNA)
    assert table.clients[ANNA].problem is not None


# Undoing.


def shown(match: jt.Match, seat: int = ANNA) -> dict[str, object]:
    """The view of a seat as a server sends it."""
    return json.loads(json.dumps(match.view(seat)))  # type: ignore[no-any-return]


def played(cards: int) -> jt.Match:
    """A match of four people after some cards."""
    match = jt.Match(jt.game("differenzler", rounds=4), ["A", "B", "C", "D"])
    while cards:
        if match.needs_pack:
            match.deal(match.pack)
            continue
        seat = match.to_act[0]
        action = match.legal(seat)[-1]
        match.act(seat, action)
        cards -= action.startswith("play ")
    return match


def test_card_that_was_undone_while_the_client_was_away_is_no_contradiction() -> None:
    match = played(6)
    undone = match.copy()
    undone.act(undone.to_act[0], undone.legal(undone.to_act[0])[0])
    match.act(match.to_act[0], match.legal(match.to_act[0])[-1])
    assert shown(match) != shown(undone)
    witness = MatchWitness()
    witness.note(ANNA, shown(played(5)), "card")
    witness.note(ANNA, shown(undone), "card")
    assert not witness.is_of(match)
    witness.note(ANNA, shown(match), "gap")
    assert witness.is_of(match)
    assert not witness.is_of(undone)


def test_view_before_the_last_card_stands_whatever_was_missed() -> None:
    match = played(8)
    witness = MatchWitness()
    other = played(6)
    other.act(other.to_act[0], other.legal(other.to_act[0])[0])
    witness.note(ANNA, shown(other), "card")
    other.act(other.to_act[0], other.legal(other.to_act[0])[0])
    witness.note(ANNA, shown(other), "card")
    witness.note(ANNA, shown(match), "gap")
    assert not witness.is_of(match)


def test_cards_of_bots_are_undone_with_the_card_before_them() -> None:
    match = played(8)
    witness = MatchWitness()
    other = played(5)
    for change in ("card", "reply", "reply"):
        other.act(other.to_act[0], other.legal(other.to_act[0])[0])
        witness.note(ANNA, shown(other), change)
    witness.note(ANNA, shown(match), "gap")
    assert witness.is_of(match)


def test_undo_of_a_card_seen_from_another_seat_forgets_it() -> None:
    match = played(7)
    undone = played(6)
    undone.act(undone.to_act[0], undone.legal(undone.to_act[0])[0])
    witness = MatchWitness()
    witness.note(None, json.loads(json.dumps(undone.view(None))), "card")
    witness.note(ANNA, shown(undone), "reply")  # takes a seat
    witness.note(ANNA, shown(played(6)), "undone")
    assert witness.is_of(match)


def test_plays_cannot_be_explained_away_by_missing_much() -> None:
    """A server that sends a snapshot each time could otherwise have played anything."""
    match = played(12)
    witness = MatchWitness()
    for cards in range(1, 6):
        other = played(cards)
        other.act(other.to_act[0], other.legal(other.to_act[0])[0])
        if shown(other) != shown(played(cards + 1)):
            witness.note(ANNA, shown(other), "gap")
    witness.note(ANNA, shown(match), "gap")
    assert not witness.is_of(match)
