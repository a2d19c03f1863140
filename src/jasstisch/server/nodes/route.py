"""A table as it is reached from this node, for those whose connections are here.

It is in memory here, or at the node that has leased it; who has it may change at any moment, and
nobody need notice. Each of those who follow it is a guest: of one at another node it is known what
he has been shown, so that he is shown the rest wherever the table is next. What has surely not been
done is asked again there; where nobody knows, he is told so, after he has been shown how it stands.
"""

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal, get_args

import msgspec

from jasstisch.fair import AHEAD
from jasstisch.record import Record
from jasstisch.server import messages
from jasstisch.server.analyst import AnalysisStanding
from jasstisch.server.audience import Follower, encode
from jasstisch.server.hall import BusyError, UnknownTableError
from jasstisch.server.live import NOT_KNOWN, QUIET, UNKNOWN, Answered, Live, TableMessage
from jasstisch.server.nodes.talk import Answer, Ask, Call, Leave, Operation
from jasstisch.store import StoreError
from jasstisch.table import Room, TableError, commands

if TYPE_CHECKING:
    from jasstisch.server.nodes.cluster import Cluster

__all__ = ["Guest", "Route"]

REQUEST_SECONDS = 6.0
"""So long a request may wait for a table; longer than a lease lasts that nobody gives back."""

TRY_SECONDS = 1.0
"""After so long without an answer one asks again, where asking twice does no harm."""

AGAIN = 0.05
"""Seconds until the table is asked for again where it has just moved."""

SHOWING_SECONDS = 3.0
"""So much longer it may take until somebody is shown how a table stands."""

AWAY = "the table cannot be reached now; try again"
"""What is told of a request that has not been done, as nobody who has the table could be asked."""

FULL = "too much is asked of this table; try again"
"""What is told of a request that has not been done, as too many wait already."""

NUMBERS = 4
"""So many of the numbers a guest has had are known still: answers may be on their way."""

Fate = Literal["done", "full", "unknown", "elsewhere", "lost", "away"]
"""What has become of a request; see `talk.Outcome`. Nobody knows what has become of a lost one;
nobody could be asked for one that is away."""


HARMLESS = (messages.Watch, messages.Unwatch)
"""What may be asked twice."""


class _Glance(msgspec.Struct):
    """What must be known of a text to pass it on."""

    type: str
    version: int | None = None
    seat: int | None = None
    seq: int | None = None


_glance = msgspec.json.Decoder(_Glance)


class Guest:
    """Somebody whose connection is here.

    Args:
        follower: the connection.
        name: a number that stays his.

    Attributes:
        numbers: under which he is told of a table at another node, the last one now.
        node: at which node that is; None where it is here.
        follows: he wants to follow the table.
        current: he is told of it by whoever has it.
        version: what he has been shown by another node; None where that is not known.
        seat: the seat he had then.
        key: of his link.
        asked: the numbers of his requests that are not answered.
        missed: something may have been lost since he was last told anew.
        moving: he is told anew, once at a time.
        commits: what he has committed himself to for the next packs, by pack.
        opened: what he has opened last.
    """

    def __init__(self, follower: Follower, name: int) -> None:
        self.follower = follower
        self.name = name
        self.numbers: list[int] = []
        self.node: str | None = None
        self.follows = False
        self.current = False
        self.version: int | None = None
        self.seat: int | None = None
        self.key: str | None = None
        self.asked: set[int] = set()
        self.missed = False
        self.moving = asyncio.Lock()
        self.commits: dict[int, messages.Commit] = {}
        self.opened: messages.Open | None = None

    def keep(self, message: TableMessage) -> None:
        """Keeps what he adds to the deals, for whoever has the table has it in memory alone."""
        match message:
            case messages.Commit(pack=pack):
                self.commits.pop(pack, None)
                self.commits[pack] = message
                if len(self.commits) > AHEAD:
                    del self.commits[next(iter(self.commits))]
            case messages.Open():
                self.opened = message

    @property
    def behind(self) -> bool:
        """Whether he is not told of the table he wants to follow."""
        return self.follows and not self.current


class Route:
    """A table as it is reached from this node; see `Hosted`.

    Args:
        table: its id.
        cluster: this node among others.

    Attributes:
        id: the table's id.
        node: which node has it; None where it is here, or that is not known.
        used: when somebody last asked for it.
    """

    def __init__(self, table: str, cluster: "Cluster") -> None:
        self.id = table
        self.node: str | None = None
        self.used = cluster.now()
        self._cluster = cluster
        self._guests: dict[Follower, Guest] = {}
        self._finding = asyncio.Lock()
        self._recovering: asyncio.Task[None] | None = None

    # For connections and calls.

    async def ask(self, follower: Follower, message: TableMessage) -> bool:
        """Has a request done and answered, wherever the table is; see `Hosted.ask`."""
        self.used = self._cluster.now()
        guest = self._guests.get(follower)
        if guest is None:
            guest = self._guests[follower] = Guest(follower, self._cluster.new_number())
        until = self._cluster.now() + REQUEST_SECONDS
        if isinstance(message, HARMLESS):
            async with guest.moving:
                return await self._ask(guest, message, until)
        return await self._ask(guest, message, until)

    def post(self, follower: Follower, message: TableMessage, answered: Answered) -> bool:
        """Has a request done, and tells when it is answered; see `Hosted.post`."""
        self._cluster.begin_work(self._post(follower, message, answered))
        return True

    async def _post(self, follower: Follower, message: TableMessage, answered: Answered) -> None:
        if not await self.ask(follower, message):
            full = messages.ErrorMessage("busy", FULL, message.seq, self.id)
            follower.send(encode(full))
        answered(True)

    async def _ask(self, guest: Guest, message: TableMessage, until: float) -> bool:
        harmless = isinstance(message, HARMLESS)
        while True:
            match await self._try_in_order(guest, message, until):
                case "done":
                    guest.keep(message)
                    return True
                case "full":
                    return False
                case "unknown":
                    return self._refuse(guest, message, UNKNOWN, "unknown_table")
                case "away":
                    return self._refuse(guest, message, AWAY)
                case "lost" if not harmless:
                    self._cluster.incidents.note("request_lost", "table")
                    await self._show(guest, until + SHOWING_SECONDS)
                    return self._refuse(guest, message, NOT_KNOWN)
                case _:
                    pass
            if self._cluster.now() > until:
                return self._refuse(guest, message, AWAY)
            await asyncio.sleep(AGAIN)

    def leave(self, follower: Follower) -> None:
        """Stops telling a connection about this table."""
        guest = self._guests.pop(follower, None)
        if guest is not None:
            guest.follows = guest.current = False
            self._unbind(guest)
            live = self._cluster.hall.here(self.id)
            if live is not None:
                live.leave(follower)

    async def admits(self, person: str | None, key: str | None, match: int | None = None) -> bool:
        """Whether somebody may know of the table, and of a match; see `Hosted.admits`."""
        return bool(await self._call("admits", person, key, match=match or 0))

    async def look(self) -> Room:
        """The room as last committed; see `Hosted.look`."""
        return _known_room(await self._call("room"))

    async def look_as(self, person: str | None) -> Room:
        """The room as somebody may see it; see `Hosted.look_as`."""
        return _known_room(await self._call("room_for", person))

    async def record(self) -> Record | None:
        """The record of the match that is over; see `Hosted.record`."""
        record: Record | None = await self._call("record")
        return record

    async def analysis(self, match: int) -> AnalysisStanding:
        """How it stands with the analysis of a match; see `Hosted.analysis`."""
        return msgspec.convert(await self._call("analysis", match=match), AnalysisStanding)

    async def analyse(self, match: int, person: str) -> AnalysisStanding:
        """Has a match analysed; see `Hosted.analyse`."""
        standing = await self._call("analyse", person, match=match)
        return msgspec.convert(standing, AnalysisStanding)

    async def operate(self, command: commands.Operating) -> None:
        """Has something done that only the server may; see `Hosted.operate`."""
        match command:
            case commands.Forget(person):
                refused = await self._call("forget", person)
            case commands.Unname(seat):
                refused = await self._call("unname", seat=seat)
            case commands.Unlist():
                refused = await self._call("unlist")
            case _:
                refused = await self._call("shut")
        if refused:
            raise TableError(*refused)

    async def reach(self, address: str = "") -> None:
        """Finds out where the table is.

        Raises:
            UnknownTableError: there is none.
            BusyError: too many tables are in memory, or in use at this address.
            StoreError: it cannot be read, or reached.
        """
        await self._reach(self._cluster.now() + REQUEST_SECONDS, address)

    # What others say of it.

    @property
    def unused(self) -> bool:
        """Whether nobody here asks for it."""
        for follower in [one for one in self._guests if one.closed]:
            self.leave(follower)
        return not self._guests

    @property
    def followed(self) -> bool:
        """Whether somebody here follows it."""
        return any(guest.follows for guest in self._guests.values())

    def places(self) -> set[str]:
        """The nodes that tell somebody here of it."""
        return {guest.node for guest in self._guests.values() if guest.node is not None}

    def visitors(self, node: str) -> list[int]:
        """Those of here who are known to a node."""
        return [guest.name for guest in self._guests.values() if guest.node == node]

    def told(self, guest: Guest, number: int, text: bytes) -> None:
        """Passes on what another node tells a guest, unless he knows it or it has gaps."""
        glance = _glance.decode(text)
        now = guest.current and number == guest.numbers[-1]
        match glance:
            case _Glance(type="ack" | "error" | "advice", seq=int(seq)):
                guest.asked.discard(seq)
            case _Glance(type="error"):
                guest.follows = guest.current = False
            case _Glance(type="snapshot"):
                if number != guest.numbers[-1]:
                    return
                guest.version, guest.seat = glance.version, glance.seat
            case _Glance(type="event", version=int(version)):
                if number != guest.numbers[-1] or guest.version is None:
                    return
                if version != guest.version + 1:
                    self.anew(guest, missed=now and version > guest.version)
                    return
                guest.version = version
            case _Glance(type="presence") if number != guest.numbers[-1]:
                return
            case _:
                pass
        guest.follower.send(text)

    def anew(self, guest: Guest | None = None, *, missed: bool = True) -> None:
        """Something may have been missed: guests of another node watch anew."""
        for one in [guest] if guest else self._guests.values():
            if missed and one.node is not None:
                one.current, one.missed = False, True
        self._recover()

    def lost(self, node: str | None) -> None:
        """A node, or this one (None), has the table no more: all watch it where it is next."""
        if node == self.node:
            self.node = None
        for guest in self._guests.values():
            if guest.node == node:
                guest.current = False
                if node is None:
                    guest.version = None  # it was told him here
        self._recover()

    def end(self) -> None:
        """There is no such table any more, and whoever follows it has been told."""
        for guest in list(self._guests.values()):
            self._unbind(guest)
        self._guests.clear()

    def close(self) -> None:
        """This node ends."""
        if self._recovering is not None:
            self._recovering.cancel()

    # Where it is.

    async def _reach(self, until: float, address: str = "") -> Live | str:
        live = self._cluster.hall.here(self.id)
        if live is not None:
            return live
        async with self._finding:
            if self.node is None:
                place = await self._cluster.place(self.id, address, until)
                if isinstance(place, Live):
                    return place
                self.node = place
            return self.node

    def _left(self, place: Live | str) -> None:
        """The table is not where it was thought to be."""
        if place == self.node:
            self.lost(self.node)

    # Asking for somebody.

    async def _try_in_order(self, guest: Guest, message: TableMessage, until: float) -> Fate:
        """Asks where the table is, once the guest has been shown how it stands there."""
        if not isinstance(message, HARMLESS) and guest.behind:
            await self._show(guest, until)
            if guest.behind:
                return "away"
        try:
            return await self._try(guest, message, until)
        except UnknownTableError:
            return "unknown"
        except (BusyError, StoreError):
            return "away"

    async def _try(self, guest: Guest, message: TableMessage, until: float) -> Fate:
        place = await self._reach(until)
        if guest.follower.closed:
            return "away"  # and would never leave
        if isinstance(place, Live):
            return await self._ask_here(place, guest, message, until)
        fate = await self._ask_there(place, guest, message, until)
        if fate in ("elsewhere", "lost") and not guest.follower.closed:
            self._left(place)
        return fate

    async def _ask_here(
        self, live: Live, guest: Guest, message: TableMessage, until: float
    ) -> Fate:
        self._unbind(guest)
        try:
            async with asyncio.timeout(until - self._cluster.now()):
                taken = await live.ask(guest.follower, message)
        except TimeoutError:
            return "lost"  # the store does not answer
        if not taken:
            return "elsewhere" if live.closed else "full"
        if isinstance(message, HARMLESS):
            guest.follows = guest.current = live.follows(guest.follower)
            guest.version = None
            guest.key = message.key if isinstance(message, messages.Watch) else None
        return "done"

    async def _ask_there(
        self, node: str, guest: Guest, message: TableMessage, until: float
    ) -> Fate:
        watch = isinstance(message, messages.Watch)
        if isinstance(message, messages.Watch):
            guest.version, guest.seat, guest.key = message.since, message.seat, message.key
        self._bind(guest, node, anew=watch)
        quiet = message.seq == QUIET
        body = encode_request(message)
        if not quiet:
            guest.asked.add(message.seq)

        def question(request: int) -> Ask:
            person = guest.follower.person
            number = guest.numbers[-1]
            return Ask(request, guest.name, number, self.id, person, body, quiet=quiet)

        seconds = until - self._cluster.now()
        harmless = isinstance(message, HARMLESS)
        try:
            answer = await self._cluster.ask(
                node, question, min(seconds, TRY_SECONDS) if harmless else seconds
            )
            return self._fate(guest, message, answer)
        finally:
            guest.asked.discard(message.seq)

    def _fate(self, guest: Guest, message: TableMessage, answer: Answer | None) -> Fate:
        """What has become of a request to another node, by its answer."""
        if answer is None or answer.outcome == "failed":
            return "lost"
        if answer.outcome != "done":
            return answer.outcome
        hinted = isinstance(message, messages.AskHint)
        if message.seq in guest.asked and not hinted:
            return "lost"  # what was told him about it was lost
        if isinstance(message, messages.Watch):
            known = not answer.follows or (guest.version is not None and not guest.missed)
            guest.follows, guest.current = answer.follows, answer.follows and known
            return "done" if known else "lost"
        if isinstance(message, messages.Unwatch):
            guest.follows = guest.current = False
        return "done"

    def _bind(self, guest: Guest, node: str, *, anew: bool) -> None:
        """Has a guest told by a node, under a new number where he is told anew."""
        if guest.node != node:
            self._unbind(guest)
            live = self._cluster.hall.here(self.id)
            if live is not None:
                live.leave(guest.follower)
        elif not anew:
            return
        guest.node, guest.missed = node, False
        guest.numbers.append(self._cluster.new_number())
        self._cluster.bind(guest.numbers[-1], self, guest)
        for old in guest.numbers[:-NUMBERS]:
            self._cluster.unbind(old)
        del guest.numbers[:-NUMBERS]

    def _unbind(self, guest: Guest) -> None:
        if guest.node is None:
            return
        self._cluster.say(guest.node, Leave([guest.name]))
        guest.node = None
        for old in guest.numbers:
            self._cluster.unbind(old)
        guest.numbers.clear()

    def _refuse(
        self,
        guest: Guest,
        message: TableMessage,
        text: str,
        code: Literal["busy", "unknown_table"] = "busy",
    ) -> bool:
        if code == "unknown_table":
            guest.follows = guest.current = False
        error = messages.ErrorMessage(code, text, message.seq, self.id)
        guest.follower.send(encode(error))
        return True

    # Showing somebody what he has missed.

    async def _show(self, guest: Guest, until: float) -> None:
        """Has a guest who follows the table shown how it stands, wherever it is, if that can be."""
        while guest.behind and not guest.follower.closed:
            async with guest.moving:
                if not guest.current:
                    await self._watch_again(guest, until)
            if guest.current:
                await self._contribute_again(guest, until)
            if self._cluster.now() > until:
                return
            if not guest.current:
                await asyncio.sleep(AGAIN)

    async def _watch_again(self, guest: Guest, until: float) -> None:
        again = messages.Watch(QUIET, self.id, guest.version, guest.seat, guest.key)
        with suppress(BusyError, StoreError):
            try:
                fate = await self._try(guest, again, until)
            except UnknownTableError:
                fate = "unknown"
            if fate == "unknown":
                guest.follows = False
                gone = messages.ErrorMessage("unknown_table", UNKNOWN, table=self.id)
                guest.follower.send(encode(gone))

    async def _contribute_again(self, guest: Guest, until: float) -> None:
        """Tells whoever has the table now what a guest has added to its deals.

        He has not noticed that it has moved, and would be passed over until he does. What is past
        by now is refused, which nobody is told.
        """
        opened = () if guest.opened is None else (guest.opened,)
        with suppress(BusyError, StoreError, UnknownTableError):
            for message in (*opened, *guest.commits.values()):
                again = msgspec.structs.replace(message, seq=QUIET)
                if await self._try(guest, again, until) != "done":
                    return

    def _recover(self) -> None:
        """Sees to it that all who follow the table are told of it again."""
        if self._cluster.stopping or not self.followed:
            return
        if self._recovering is None or self._recovering.done():
            self._recovering = asyncio.create_task(self._recover_all())

    async def _recover_all(self) -> None:
        while True:
            behind = [one for one in self._guests.values() if one.behind]
            if not behind:
                return
            async with self._cluster.recovering:
                until = self._cluster.now() + REQUEST_SECONDS
                await asyncio.gather(*(self._show(guest, until) for guest in behind))

    # Calls.

    async def _call(
        self,
        what: Literal["admits", "room", "room_for", "record", "analysis", "analyse", Operation],
        person: str | None = None,
        key: str | None = None,
        seat: int | None = None,
        match: int = 0,
    ) -> Any:  # noqa: ANN401 - as JSON has it
        """Asks the table something that may be asked twice.

        Raises:
            UnknownTableError: there is none.
            StoreError: nobody could be asked.
        """
        self.used = self._cluster.now()
        until = self._cluster.now() + REQUEST_SECONDS

        def question(request: int) -> Call:
            return Call(request, self.id, what, person, key, seat, match=match)

        while self._cluster.now() < until:
            place = await self._reach(until)
            if isinstance(place, Live):
                with suppress(StoreError):  # it has moved
                    return await self._cluster.done_here(place, question(0))
            else:
                answer = await self._cluster.ask(place, question, TRY_SECONDS)
                if answer is not None and answer.outcome == "done":
                    return msgspec.json.decode(answer.body)
                if answer is not None and answer.outcome == "unknown":
                    raise UnknownTableError(self.id)
                self._left(place)
            await asyncio.sleep(AGAIN)
        raise StoreError("the table cannot be reached now")


def encode_request(message: TableMessage) -> bytes:
    """A request as a client sends it."""
    known = msgspec.structs.replace(message, seq=max(0, message.seq))
    return msgspec.json.encode(known)


def _known_room(room: Any) -> Room:  # noqa: ANN401 - as JSON has it
    """A room as it is here, or as another node tells it, which may know more of it."""
    if isinstance(room, Room):
        return room
    return msgspec.convert(_known(room, Room), Room)


def _known(told: Any, kind: Any) -> Any:  # noqa: ANN401 - as JSON has it, and any type
    """What is told for a value of such a type, without the keys that its structs do not have."""
    struct = _struct_in(kind)
    if struct is not None and isinstance(told, list):
        return [_known(one, struct) for one in told]
    if struct is not None and isinstance(told, dict):
        fields = msgspec.structs.fields(struct)
        return {one.name: _known(told[one.name], one.type) for one in fields if one.name in told}
    return told


def _struct_in(kind: Any) -> type[msgspec.Struct] | None:  # noqa: ANN401 - any type
    """The struct of which values of such a type are made; None where they are of none."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return kind
    return next((one for one in map(_struct_in, get_args(kind)) if one is not None), None)
