"""What a dishonest server may do without gain, and what a device must notice all the same.

Each function plays the server; one that returns a record publishes it. Together with the attacks
they are the test vectors of a device.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from bench.attacks.fair_deals.dishonest_server import (
    HONEST,
    SEATS,
    TABLE,
    DishonestServer,
    ForgedRecord,
    PublishedPack,
)
from jasstisch.fairness import Announcement, MatchId, VoidAttempt
from jasstisch.fairness.chain import CHAIN_LENGTH


def silence(server: DishonestServer) -> None:
    """A match announced as verifiable goes on without a proof."""
    server.tell(1)
    server.tell_plain(None)


def other_match_announced(server: DishonestServer) -> None:
    """The announcement is that of another match."""
    other = Announcement(MatchId.of(TABLE, 2), server.end)
    server.tell_plain({**server.state(1), "announcement": other.to_json()})


def other_match_announced_first(server: DishonestServer) -> None:
    """The first announcement is that of another match, and the next one is right."""
    other_match_announced(server)
    server.tell(1)


def malformed_beginning(server: DishonestServer) -> ForgedRecord:
    """The first state of the next match has another form, and the next one is right."""
    server.tell(1)
    server.announce_match(2)
    server.tell_plain({})
    server.tell(1)
    return server.record([PublishedPack({1: server.accomplice(1, 1)})])


def other_end_announced(server: DishonestServer) -> None:
    """The same match is announced again with another chain."""
    server.tell(1)
    server.end = server.chain(1).chain_end(0)
    server.tell(1)


def earlier_match(server: DishonestServer) -> None:
    """A match goes on after the next one was announced."""
    server.tell(1)
    end = server.end
    server.match = 2
    server.end = server.chain(0).chain_end(0)
    server.tell(1)
    server.match, server.end = 1, end
    server.tell(1)


def next_match_without_fair_deals(server: DishonestServer) -> None:
    """A match that was announced as verifiable is replaced by one that is not."""
    server.tell(1)
    server.announce_match(2)
    server.tell_plain(None)


def earlier_match_after_silence(server: DishonestServer) -> ForgedRecord:
    """Another match is said to be played, without fair deals, and then the first one goes on."""
    server.tell(1)
    first = server.open_to_all(1)
    server.match = 2
    server.tell_plain(None)
    server.match = 1
    server.tell(2)
    return server.record([PublishedPack(first.commitments)])


def second_call(server: DishonestServer) -> None:
    """A pack is called a second time, with another commitment of an accomplice."""
    server.tell(1)
    first = server.open_to_all(1)
    server.tell(
        2, replace(first, commitments={**first.commitments, 1: server.accomplice(1, 1, 1)[:2]})
    )


def call_of_an_earlier_pack(server: DishonestServer) -> None:
    """A pack is called after a later one was spoken of."""
    server.tell(1)
    server.tell(3)
    server.open_to_all(1)


def commitments_for_an_earlier_pack(server: DishonestServer) -> None:
    """A server that has spoken of a later pack asks for commitments to an earlier one."""
    server.tell(3)
    server.tell(1)


def impossible_position(server: DishonestServer) -> None:
    """The first pack is called as if attempts had been before it."""
    server.tell(1)
    server.open_to_all(1, 3)


def more_attempts_than_people(server: DishonestServer) -> None:
    """Nobody was left for another attempt at a pack, and the next call counts another one."""
    server.tell(1)
    call = server.open_to_all(1)
    server.tell(2, call, VoidAttempt(1, 1, (HONEST, 1)))
    server.open_to_all(2, 3)


def more_attempts_than_seats(server: DishonestServer) -> None:
    """A call counts more attempts at a pack that the device has not seen than there can be."""
    server.tell(1)
    server.open_to_all(2, SEATS + 2)


def more_attempts_than_seats_after_a_pack(server: DishonestServer) -> None:
    """A call counts more attempts than there can have been since the last pack seen."""
    server.tell(1)
    server.open_to_all(1)
    server.open_to_all(3, 3 + SEATS + 2)


def impossible_seat(server: DishonestServer) -> None:
    """A seat is called that the table does not have."""
    server.tell(1)
    server.tell(2, server.call(1, 0, {7: server.accomplice(1, 3)}))


def void_after_the_decision(server: DishonestServer) -> None:
    """A decided pack is said to have had a void attempt."""
    server.tell(1)
    call = server.open_to_all(1)
    server.tell(2)
    server.tell(2, call, VoidAttempt(1, 1, (1,)))


def void_told_otherwise(server: DishonestServer) -> None:
    """The same void attempt is told again with another seat missing."""
    server.tell(1)
    call = server.open_to_all(1, 0, 1, 2)
    server.tell(2, call, VoidAttempt(1, 1, (1,)))
    server.tell(2, call, VoidAttempt(1, 1, (2,)))


def void_of_a_seat_not_asked(server: DishonestServer) -> None:
    """A seat is said to be missing that was not asked."""
    server.tell(1)
    server.tell(2, server.open_to_all(1), VoidAttempt(1, 1, (3,)))


def void_that_was_not_told(server: DishonestServer) -> None:
    """The second attempt is told to be void, and the first was not: nothing more is opened."""
    server.tell(1)
    call = server.open_to_all(1, 0, 1, 2)
    server.tell(2, call, VoidAttempt(1, 2, (2,)))


def void_with_nobody_left(server: DishonestServer) -> None:
    """The second attempt is told to lack all who were called, and so nobody the first."""
    server.tell(1)
    server.tell(2, server.open_to_all(1), VoidAttempt(1, 2, (HONEST, 1)))


def void_after_a_later_call(server: DishonestServer) -> None:
    """A pack is said to have had a void attempt, after a later call that counts none."""
    server.tell(1)
    call = server.open_to_all(1)
    server.open_to_all(3, 2)
    server.tell(2, call, VoidAttempt(1, 1, (1,)))


def decided_by_another_attempt(server: DishonestServer) -> None:
    """A pack is told to be decided by the first attempt, after a call that counts two."""
    server.tell(1)
    server.open_to_all(1)
    server.tell(3, server.call(2, 2, {1: server.accomplice(2, 1)}))
    server.tell(2)


def call_of_another_pack(server: DishonestServer) -> None:
    """A state holds the call of a pack that is not the last one called."""
    server.tell(1)
    server.tell(4, server.call(1, 0, {1: server.accomplice(1, 1)}))


def next_end_withheld(server: DishonestServer) -> None:
    """A pack is called that may reach the next chain, without the end of that chain."""
    server.tell(100)
    server.open_to_all(100, CHAIN_LENGTH - 2)


def next_end_told_otherwise(server: DishonestServer) -> None:
    """The end of the next chain is told, then not needed, then told otherwise."""
    server.tell(100)
    ends = [(server.end, server.chain(seed).chain_end(1)) for seed in (0, 1)]
    two = {seat: server.accomplice(100, seat) for seat in (1, 2)}
    one = {1: server.accomplice(102, 1)}
    server.tell(101, replace(server.call(100, CHAIN_LENGTH - 2, two), ends=ends[0]))
    server.tell(102, server.call(101, CHAIN_LENGTH - 1, {}))
    server.tell(103, replace(server.call(102, CHAIN_LENGTH, one), ends=ends[1]))


def commitment_withheld(server: DishonestServer) -> None:
    """An accomplice has fewer commitments in the call than there are people."""
    server.tell(1)
    seats = {HONEST: server.committed[1, HONEST], 1: server.accomplice(1, 1)[:1]}
    server.tell(2, server.call(1, 0, seats))


def record_of_another_match(server: DishonestServer) -> ForgedRecord:
    """The chain that was announced is that of the next match, whose record is published."""
    server.match = 2
    end = server.chain(0).chain_end(0)
    server.match = 1
    server.end = end
    server.seat = None
    server.tell(1)
    server.match = 2
    record = server.record([PublishedPack({1: server.accomplice(1, 1)})])
    server.match = 1
    return record


def packs_missing_at_the_end(server: DishonestServer) -> ForgedRecord:
    """Packs that were called are not in the record."""
    server.tell(1)
    first = server.open_to_all(1)
    server.tell(5)
    return server.record([PublishedPack(first.commitments)])


def void_attempt_added(server: DishonestServer) -> ForgedRecord:
    """The record has a further attempt at a pack that was told to be decided."""
    server.seat = None
    server.tell(1)
    call = server.call(1, 0, {seat: server.accomplice(1, seat) for seat in (1, 2)})
    server.tell(2, call)
    server.tell(2)
    return server.record([PublishedPack(call.commitments, ((1,),))])


def record_after_a_breach(server: DishonestServer) -> ForgedRecord:
    """The record is sound, and the server has not kept to the protocol in between."""
    server.tell(1)
    first = server.open_to_all(1)
    server.tell_plain(None)
    return server.record([PublishedPack(first.commitments)])


def malformed(change: Callable[[dict[str, object]], object]) -> Callable[[DishonestServer], None]:
    """A state of another form."""

    def breach(server: DishonestServer) -> None:
        server.tell(1)
        call = server.call(1, 0, {HONEST: server.committed[1, HONEST]})
        server.tell_plain(change(server.state(2, call)))

    return breach


def _with_call(**changes: object) -> Callable[[dict[str, object]], object]:
    def change(state: dict[str, object]) -> object:
        call = state["call"]
        assert isinstance(call, dict)
        return {**state, "call": {**call, **changes}}

    return change


def _ends(state: dict[str, object]) -> list[str]:
    call = state["call"]
    assert isinstance(call, dict)
    return list(call["ends"])


MALFORMED: Final = {
    "a state that is no object": malformed(lambda _: []),
    "a state without its announcement": malformed(
        lambda state: {key: value for key, value in state.items() if key != "announcement"}
    ),
    "a state with something more": malformed(lambda state: {**state, "more": 1}),
    "a state that begins with pack 0": malformed(
        lambda state: {**state, "next_pack": 0, "call": None}
    ),
    "a call at a position that is no number": malformed(_with_call(position="0")),
    "a call whose ends are no list": malformed(
        lambda state: _with_call(ends=dict.fromkeys(_ends(state)))(state)
    ),
    "a call with an end in upper case": malformed(_with_call(ends=["A" * 64])),
    "a call with a commitment in upper case": malformed(_with_call(commitments={"1": ["A" * 64]})),
    "a call whose commitments are a list": malformed(_with_call(commitments=[])),
    "a call with a seat in two digits": malformed(_with_call(commitments={"01": ["a" * 64]})),
}
"""States of another form than is published."""

BREACHES: Final[tuple[Callable[[DishonestServer], ForgedRecord | None], ...]] = (
    silence,
    other_match_announced,
    other_match_announced_first,
    malformed_beginning,
    other_end_announced,
    earlier_match,
    next_match_without_fair_deals,
    earlier_match_after_silence,
    second_call,
    call_of_an_earlier_pack,
    commitments_for_an_earlier_pack,
    impossible_position,
    more_attempts_than_people,
    more_attempts_than_seats,
    more_attempts_than_seats_after_a_pack,
    impossible_seat,
    void_after_the_decision,
    void_told_otherwise,
    void_of_a_seat_not_asked,
    void_that_was_not_told,
    void_with_nobody_left,
    void_after_a_later_call,
    decided_by_another_attempt,
    call_of_another_pack,
    next_end_withheld,
    next_end_told_otherwise,
    commitment_withheld,
    record_of_another_match,
    packs_missing_at_the_end,
    void_attempt_added,
    record_after_a_breach,
)
