"""This node among the others of its store: who has which table, and how it is reached.

Every node serves every table: one that it has leased from its memory, another over the bus from the
node that has. Without a bus there is none of this, and tables are asked as they are.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Any

import msgspec

from jasstisch.server import messages
from jasstisch.server.hall import BusyError, UnknownTableError
from jasstisch.server.identity import new_key
from jasstisch.server.invitations import Invitation
from jasstisch.server.listing import Listed as Found
from jasstisch.server.listing import listed_here
from jasstisch.server.live import QUIET, Live, TableMessage
from jasstisch.server.log import failure, log
from jasstisch.server.nodes.bus import Bus
from jasstisch.server.nodes.leasing import ElsewhereError, Leasing
from jasstisch.server.nodes.lines import Lines
from jasstisch.server.nodes.membership import Heed, Membership
from jasstisch.server.nodes.questions import Questions
from jasstisch.server.nodes.route import Guest, Route
from jasstisch.server.nodes.spending import Spending
from jasstisch.server.nodes.talk import (
    TALK,
    Answer,
    Ask,
    Beat,
    Call,
    Farewell,
    Forget,
    Going,
    Invited,
    Leave,
    LinkEnded,
    Listed,
    Outcome,
    Released,
    Spent,
    Talk,
    Told,
    Visiting,
    understand,
)
from jasstisch.server.nodes.visitors import Visitor, Visitors
from jasstisch.server.services import Services
from jasstisch.server.word import awake
from jasstisch.store import StoreError
from jasstisch.store.leases import Leases, Node, TooNewError
from jasstisch.table import TableError, commands

if TYPE_CHECKING:
    from jasstisch.server.hall import Hall

__all__ = ["Cluster"]

TICK = 0.25
"""Seconds between two tellings of what was spent; every other time a beat goes with it."""

SILENT = 1.25
"""After so many seconds without a word it is asked whether a node is gone."""

FAREWELL = 1.0
"""So long a node that ends waits until the others know, in seconds."""

STRANGE = 3.0
"""After so many seconds without a word a node is forgotten that was never seen to be there."""

AGAIN = 0.1
"""Seconds until it is asked again who has a table."""

ANSWER_SECONDS = 1.0
"""So long other nodes may take to answer what all of them are asked."""

UNUSED = 60.0
"""Seconds until the way to a table is forgotten for which nobody asks."""

FORGOTTEN = 600.0
"""So long a device that was forgotten is told to nodes that may have missed it."""

MOST_RECOVERING = 64
"""So many tables are found anew at the same time."""

_decode: Callable[[bytes], TableMessage] = msgspec.json.Decoder(TableMessage).decode


class Cluster:
    """This node among the others of its store.

    Args:
        services: what the tables need.
        leases: the store, as far as leases are concerned.
        bus: reaches the others.
        name: what this node is called.
        events: the version of the events that it can read.
        talk: the version of what it says.
        now: seconds on a clock that never goes back nor stands still.

    Attributes:
        hall: the tables of this node.
        incidents: where trouble is noted.
        recovering: lets some tables at a time be found anew.
        stopping: this node gives its tables back.
        now: see there.
    """

    hall: "Hall"

    def __init__(
        self,
        services: Services,
        leases: Leases,
        bus: Bus,
        name: str,
        events: int,
        talk: int = TALK,
        now: Callable[[], float] = awake,
    ) -> None:
        self.now = now
        self.incidents = services.incidents
        self.recovering = asyncio.Semaphore(MOST_RECOVERING)
        self.stopping = False
        self._services = services
        self._bus = bus
        self._talk = talk
        self._events = events
        heed = Heed(self._joined, self._fenced, self._came, self._gone)

        def node(new: str) -> Node:
            return Node(new, name, joined=True, talk=talk, events=events)

        self._membership = Membership(leases, node, heed, services.incidents, now)
        self._leasing = Leasing(leases, self._membership, services.incidents)
        self._visitors = Visitors(self.say, self._visitor_left)
        self._questions = Questions(self.say)
        self._spending = Spending(services.shared, self.say)
        self._lines: Lines | None = None
        self._routes: dict[str, Route] = {}
        self._numbers = count(1)
        self._guests: dict[int, tuple[Route, Guest]] = {}
        self._heard_at: dict[str, float] = {}
        self._going: set[str] = set()
        self._missed: set[str] = set()
        self._dismissed: dict[str, set[str]] = {}
        self._deleting: set[str] = set()
        self._forgotten: deque[tuple[float, str]] = deque()
        self._tasks: set[asyncio.Task[None]] = set()
        self._posted: set[asyncio.Task[None]] = set()
        self._awaited: set[str] = set()
        self._ending = asyncio.Lock()
        self._farewell = asyncio.Event()
        self._ticking: asyncio.Task[None] | None = None
        services.standing = self._membership.word

    # For the hall.

    def serve(self, hall: "Hall") -> None:
        """Learns which tables are those of this node."""
        self.hall = hall
        hall.people.heed(self._device_forgotten)

    async def begin(self) -> None:
        """Joins the others; before anybody is served.

        Raises:
            BusError: the bus cannot be used.
            AloneError: another server uses the store without a bus.
            StoreError: the store failed.
        """
        await self._bus.open()
        self._services.join()
        await self._membership.join()
        self._ticking = asyncio.create_task(self._tick())

    def end(self) -> None:
        """Nobody is served any more; what was begun is finished in `close`."""

    async def close(self) -> None:
        """Finishes what is being done, gives all tables back and tells the others."""
        self.stopping = True
        for route in self._routes.values():
            route.close()
        await self._release_all()
        try:
            await self._membership.leave()
        except StoreError as error:
            log.error("leases_not_given_back", **failure(error))
        await self._take_leave()
        for task in [*self._tasks, *self._posted, *([self._ticking] if self._ticking else [])]:
            task.cancel()
        if self._lines is not None:
            await self._lines.close()
        await self._bus.close()

    async def _take_leave(self) -> None:
        """Tells the others that this node ends, and answers what they have asked before they knew.

        What is asked of it now is answered by `elsewhere`, so that it is asked elsewhere at once.
        """
        others = self._membership.others.keys() - self._going
        self._awaited = {node for node in others if self.say(node, Going())}
        with suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL):
                while self._awaited or self._tasks:
                    self._farewell.clear()
                    await self._farewell.wait()

    def known(self, table: str) -> Route | None:
        """The table of this id if it has been asked for."""
        return self._routes.get(table)

    async def find(self, table: str, address: str) -> Route:
        """The table of this id; see `Hall.find`."""
        route = self._routes.get(table)
        if route is None:
            route = Route(table, self)
            await route.reach(address)
            route = self._routes.setdefault(table, route)
        return route

    async def claim(self, table: str) -> str:
        """Leases a table to this node; see `Leasing.claim`."""
        if self.stopping:
            raise StoreError("this server is about to end")
        return await self._leasing.claim(table)

    def check_still(self, node: str) -> None:
        """Makes sure that this node is still the one that has claimed something.

        Raises:
            StoreError: it has been taken for gone since, and may have joined again as another.
        """
        if self._membership.me != node:
            raise StoreError("this server has been taken for gone meanwhile")

    async def leases(self, table: str) -> bool:
        """Leases a table, or a job, unless another node has it; whether this one has it now.

        Raises:
            StoreError: the store cannot tell.
        """
        try:
            await self.claim(table)
        except ElsewhereError:
            return False
        return True

    def give_back(self, table: str) -> None:
        """Gives a lease back soon, unless it is claimed before."""
        self._leasing.give_back(table)

    def let_go(self, table: str) -> None:
        """A table has left the memory of this node: whoever follows it finds it anew."""
        if table in self._deleting:
            return
        if not self.stopping:
            self.give_back(table)
        self._visitors.release(table)
        route = self._routes.get(table)
        if route is not None:
            route.lost(None)

    async def delete(self, table: str) -> bool:
        """Deletes a table, whoever has it; see `Hall.delete`."""
        try:
            await self.claim(table)
        except ElsewhereError as error:
            answer = await self.ask(error.node, lambda request: Call(request, table, "delete"), 5.0)
            if answer is None or answer.outcome != "done":
                raise StoreError("the node that has the table could not delete it") from None
            return bool(msgspec.json.decode(answer.body))
        self._deleting.add(table)
        try:
            return await self.hall.delete_here(table)
        finally:
            self._deleting.discard(table)
            self._visitors.release(table)
            self.give_back(table)
            route = self._routes.pop(table, None)
            if route is not None:
                route.end()

    # For routes.

    def begin_work(self, work: Any) -> None:  # noqa: ANN401 - a coroutine, whatever it awaits
        """Has something done beside what is being done."""
        task = asyncio.create_task(work)
        self._posted.add(task)
        task.add_done_callback(self._posted.discard)

    def new_number(self) -> int:
        """A number that nobody has had."""
        return next(self._numbers)

    def bind(self, number: int, route: Route, guest: Guest) -> None:
        """From now on a guest is told what comes under a number."""
        self._guests[number] = route, guest

    def unbind(self, number: int) -> None:
        """Nobody is told any more what comes under a number."""
        self._guests.pop(number, None)

    def say(self, node: str, message: Talk) -> bool:
        """Says something to a node; whether it is on its way."""
        if self._lines is None:
            return False
        if not isinstance(message, Told):
            self._visitors.flush(node)
        return self._lines.say(node, message)

    async def ask(
        self, node: str, question: Callable[[int], Talk], seconds: float
    ) -> Answer | None:
        """Asks a node something; see `Questions.put`."""
        return await self._questions.put(node, question, seconds)

    def link_ended(self, table: str) -> None:
        """Has the other nodes forget the codes for a table; nothing hangs on it but their room."""
        for node in self._membership.others:
            self.say(node, LinkEnded(table))

    async def listed_elsewhere(self) -> list[Found]:
        """The published tables of the other nodes, as far as these answer at once."""
        answers = await self._ask_all(Listed, list[Found])
        return [one for tables in answers for one in tables]

    async def invitation_elsewhere(self, code: str) -> Invitation | None:
        """Where a code leads that another node has made, as far as these answer at once."""
        answers = await self._ask_all(lambda request: Invited(request, code), Invitation | None)
        return next((one for one in answers if one is not None), None)

    async def _ask_all(self, question: Callable[[int], Talk], kind: Any) -> list[Any]:  # noqa: ANN401 - any type that is told
        """What the other nodes answer to a question for all of them, those that do so at once.

        What one of another version says that cannot be read here is passed over.
        """
        nodes = [node for node in self._membership.others if self._is_there(node)]
        answers = await asyncio.gather(
            *(self.ask(node, question, ANSWER_SECONDS) for node in nodes)
        )
        found: list[Any] = []
        for answer in answers:
            if answer is not None and answer.outcome == "done":
                with suppress(msgspec.MsgspecError):
                    found.append(msgspec.json.decode(answer.body, type=kind))
        return found

    async def place(self, table: str, address: str, until: float) -> Live | str:
        """Where a table is: in memory here, from now on, or at another node.

        Raises:
            UnknownTableError: there is none.
            BusyError: too many tables are in memory, or in use at this address.
            StoreError: that could not be found out until then.
        """
        while True:
            try:
                return await self.hall.fetch(table, address)
            except ElsewhereError as error:
                if self._is_there(error.node):
                    return error.node
                self._membership.hurry()
                failed: StoreError = error
            except TooNewError as error:
                newer = self._newer()
                if newer is not None:
                    return newer
                failed = error
            except StoreError as error:
                failed = error
            if self.now() + AGAIN > until:
                raise failed
            await asyncio.sleep(AGAIN)

    def _newer(self) -> str | None:
        """A node that knows more kinds of events than this one."""
        others = self._membership.others.values()
        newer = [one for one in others if one.events > self._events and self._is_there(one.id)]
        return max(newer, key=lambda one: one.events).id if newer else None

    def _is_there(self, node: str) -> bool:
        known = self._membership.others.get(node)
        return known is not None and node not in self._going and understand(self._talk, known.talk)

    async def done_here(self, live: Live, call: Call) -> Any:  # noqa: ANN401 - as JSON has it
        """Does what is called for at a table of this node.

        Raises:
            StoreError: it could not be done, or not now.
        """
        if not await self._membership.word.settled(AGAIN) or live.closed:
            raise StoreError("this node cannot tell now whether it has the table")
        match call.what:
            case "admits":
                return await live.admits(call.person, call.key, call.match or None)
            case "room":
                return await live.look()
            case "room_for":
                return await live.look_as(call.person)
            case "record":
                return await live.record()
            case "analysis":
                return await live.analysis(call.match)
            case "analyse":
                return await live.analyse(call.match, call.person or "")
            case "forget" | "shut" | "unname" | "unlist":
                try:
                    return await live.operate(_operating(call))
                except TableError as error:
                    return [error.code, str(error)]
            case _:
                raise StoreError("this is not asked of a table in memory")

    # Who is there.

    async def _joined(self, secret: bytes) -> None:
        me = self._membership.me
        self._lines = Lines(self._bus, secret, me, self._heard, self._gap, self.incidents)
        await self._lines.open()

    async def _fenced(self) -> None:
        """Lets all tables go: others may have them by now."""
        self._questions.gone(None)
        if self._lines is not None:
            await self._lines.close()
            self._lines = None
        self._visitors.all_gone()
        await self._release_all()

    async def _release_all(self) -> None:
        await asyncio.gather(*(live.release() for live in self.hall.all_here()))

    def _came(self, node: Node) -> None:
        self._heard_at[node.id] = self.now()
        if not understand(self._talk, node.talk):
            self.incidents.note("node_not_understood", "talk")
            return
        # It may have been taken for gone, and not know: then its visitors are to come again.
        self.say(node.id, Released(list(self._dismissed.pop(node.id, ()))))
        self._spending.tell_all(node.id)
        self._tell_forgotten(node.id)

    def _gone(self, node: str) -> None:
        """A node has not been heard of, by the store, for as long as a lease lasts."""
        self._heard_at.pop(node, None)
        self._going.discard(node)
        self._missed.discard(node)
        self._dismissed[node] = self._visitors.gone(node)
        self._spending.gone(node)
        self._questions.gone(node)
        self._find_anew(node)

    def _find_anew(self, node: str) -> None:
        """A node has its tables no more."""
        for route in list(self._routes.values()):
            if node in (route.node, *route.places()):
                route.lost(node)

    # What others say.

    def _heard(self, node: str, message: Talk) -> None:
        self._heard_at[node] = self.now()
        try:
            self._take(node, message)
        except Exception as error:  # noqa: BLE001 - one message must not end the others
            log.error("bus_message_failed", **failure(error))

    def _take(self, node: str, message: Talk) -> None:
        match message:
            case Told():
                self._told(message)
            case Answer():
                self._questions.answered(node, message)
            case Ask():
                visitor = self._visitors.of(node, message)
                self._begin(self._asked(node, message, visitor))
            case Call():
                self._begin(self._called(node, message))
            case Listed(request):
                body = msgspec.json.encode(listed_here(self.hall))
                self.say(node, Answer(request, "done", body=body))
            case Invited(request, code):
                known = self.hall.invitations.known(code)
                self.say(node, Answer(request, "done", body=msgspec.json.encode(known)))
            case Leave():
                self._visitors.left(node, message)
            case Released(tables=tables):
                for route in filter(None, map(self._routes.get, tables)):
                    route.lost(node)
            case _:
                self._take_news(node, message)

    def _take_news(self, node: str, message: Talk) -> None:
        match message:
            case Beat(lost=True):
                self._tell_again(node)
            case Visiting(visitors=visitors):
                self._missed.discard(node)
                self._visitors.keep_only(node, visitors)
            case Forget(hashes=hashes):
                self.begin_work(self._end_connections(hashes))
            case LinkEnded(table):
                self.hall.invitations.drop(table)
            case Spent():
                self._spending.heard(node, message)
            case _:
                self._take_leaving(node, message)

    def _take_leaving(self, node: str, message: Talk) -> None:
        match message:
            case Going():
                self._going.add(node)
                self._visitors.gone(node)
                self._find_anew(node)
                self.say(node, Farewell())
            case Farewell():
                self._awaited.discard(node)
                self._farewell.set()
            case _:
                pass

    def _told(self, told: Told) -> None:
        for number in told.numbers:
            route, guest = self._guests.get(number, (None, None))
            if route is not None and guest is not None:
                route.told(guest, number, told.text)

    def _gap(self, node: str) -> None:
        """Something that a node said is lost: whoever it told of a table watches anew."""
        self._missed.add(node)
        self.say(node, Beat(lost=True))
        for route in list(self._routes.values()):
            if node in route.places():
                route.anew()

    def _tell_again(self, node: str) -> None:
        """Another has missed something: it is told what stands."""
        routes = self._routes.values()
        visiting = [one for route in routes for one in route.visitors(node)]
        self.say(node, Visiting(visiting))
        self._spending.tell_all(node)
        self._tell_forgotten(node)

    def _begin(self, work: Any) -> None:  # noqa: ANN401 - a coroutine, whatever it awaits
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._farewell.set()

    async def _asked(self, node: str, ask: Ask, visitor: Visitor) -> None:
        follows = False
        try:
            message = _decode(ask.message)
            live = await self.hall.fetch(ask.table, ask.address)
            if ask.quiet:
                message = msgspec.structs.replace(message, seq=QUIET)
            taken = await live.ask(visitor, message)
            outcome: Outcome = "done" if taken else "elsewhere" if live.closed else "full"
            follows = live.follows(visitor)
            if visitor.closed and isinstance(message, messages.Watch):
                outcome = "elsewhere"  # the table has moved before he could follow it
        except UnknownTableError:
            outcome = "unknown"
        except (BusyError, msgspec.MsgspecError):
            outcome = "full"
        except StoreError:
            outcome = "elsewhere"
        except Exception as error:  # noqa: BLE001 - whoever asks must be answered
            log.error("visitor_failed", **failure(error))
            outcome = "failed"
        self.say(node, Answer(ask.request, outcome, follows))

    async def _called(self, node: str, call: Call) -> None:
        body: Any = None
        try:
            if call.what == "delete":
                body = await self.delete(call.table)
            else:
                live = await self.hall.fetch(call.table, call.address)
                body = await self.done_here(live, call)
            outcome: Outcome = "done"
        except UnknownTableError:
            outcome = "unknown"
        except BusyError:
            outcome = "full"
        except StoreError:
            outcome = "elsewhere"
        except Exception as error:  # noqa: BLE001 - whoever asks must be answered
            log.error("call_failed", **failure(error))
            outcome = "failed"
        self.say(node, Answer(call.request, outcome, body=msgspec.json.encode(body)))

    def _visitor_left(self, visitor: Visitor) -> None:
        live = self.hall.here(visitor.table)
        if live is not None:
            live.leave(visitor)

    # Devices.

    def _device_forgotten(self, hashed: str) -> None:
        now = self.now()
        self._forgotten.append((now, hashed))
        while self._forgotten[0][0] < now - FORGOTTEN:
            self._forgotten.popleft()
        for node in self._membership.others:
            self.say(node, Forget([hashed]))

    async def _end_connections(self, hashes: Sequence[str]) -> None:
        """Has devices leave; those of people who are kept out from now on find it out again."""
        # One after the other: who is kept out is told so, and not that a device is forgotten.
        async with self._ending:
            try:
                await self.hall.people.read_bans()
            except StoreError as error:
                log.error("bans_not_read", **failure(error))
            for one in hashes:
                self.hall.people.end_connections(one)

    def _tell_forgotten(self, node: str) -> None:
        if self._forgotten:
            self.say(node, Forget([hashed for _, hashed in self._forgotten]))

    # Again and again.

    async def _tick(self) -> None:
        for tick in count():
            await asyncio.sleep(TICK)
            try:
                others = list(self._membership.others)
                self._spending.tell(others)
                if tick % 2 == 0:
                    for node in others:
                        self.say(node, Beat(node in self._missed))
                self._look_for_silence()
                self._forget_strangers()
                if tick % 64 == 0:
                    self._forget_unused()
            except Exception as error:  # noqa: BLE001 - it goes on
                log.error("tick_failed", **failure(error))

    def _look_for_silence(self) -> None:
        since = self.now() - SILENT
        if any(self._heard_at.get(node, since) < since for node in self._membership.others):
            self.incidents.note("node_silent", "bus")
            self._membership.hurry()

    def _forget_strangers(self) -> None:
        """Forgets nodes that came and went between two looks at who is there."""
        since = self.now() - STRANGE
        for node in self._heard_at.keys() - self._membership.others.keys():
            if self._heard_at[node] < since:
                self._gone(node)

    def _forget_unused(self) -> None:
        since = self.now() - UNUSED
        for table, route in list(self._routes.items()):
            if route.unused and route.used < since:
                del self._routes[table]


def _operating(call: Call) -> commands.Operating:
    """What a node asks to be done to a table."""
    match call:
        case Call(what="forget", person=str(person)):
            return commands.Forget(person)
        case Call(what="unname", seat=int(seat)):
            return commands.Unname(seat)
        case Call(what="shut"):
            return commands.Shut()
        case Call(what="unlist"):
            return commands.Unlist(new_key())
        case _:
            raise StoreError("another node asks for something that is not known")
