"""Tables owned by one node and used through others."""

import asyncio
import secrets

import msgspec
import pytest

from jasstisch.fairness import PackCall
from jasstisch.server.api import bodies, messages
from jasstisch.server.cluster.bus import MessageHandler
from jasstisch.server.cluster.messages import (
    ListPublicTables,
    NodeMessage,
    ResolveJoinCode,
    Response,
    decode_room,
)
from jasstisch.server.errors import ApiError, TableNotFoundError
from jasstisch.server.tables.handle import ERR_OUTCOME_UNKNOWN
from jasstisch.server.tables.public_tables import PublicTableIndex
from jasstisch.storage import StoreError
from jasstisch.table import commands, events
from tests.server.cluster.in_memory import FakeDatabase, LossyNetwork
from tests.server.cluster.simulation import (
    PEOPLE,
    TABLE,
    InProcessNode,
    SimulatedCluster,
    SimulatedPerson,
    check_consistency,
    logged_actions,
    new_log,
)
from tests.server.tables.test_join_codes import admit
from tests.support.virtual_time import run_in_virtual_time
from tests.table.table_driver import host_table

pytestmark = pytest.mark.usefixtures("no_threads")

NOTHING_LISTED = bodies.PublicTables([], [])


def test_unknown_fields_from_a_newer_node_are_ignored() -> None:
    """At every depth: during a rolling upgrade, nodes of two versions read each other's rooms."""
    host = host_table("ab", "molotow")
    host.execute(commands.SetEntryPolicy("a", "host"), commands.Sit("c", 2, "Cla"))
    room = host.state.room()
    fair = messages.FairDealState({"newer": 1}, 0, None, None, [])
    undo = messages.UndoRequest(0, [1])
    room = msgspec.structs.replace(room, fair=fair, undo=undo)
    told = msgspec.to_builtins(room)
    for part in (told, *told["seats"], *told["requests"], told["fair"], told["undo"]):
        part["newer"] = [{"newer": 1}]
    assert decode_room(told) == room


def test_people_on_three_nodes_play_at_one_table() -> None:
    async def playing() -> None:
        world = await SimulatedCluster().open()
        assert await world.play(30) == ["done"] * 30
        await asyncio.sleep(0.6)  # presence is told twice a second at most
        check_consistency(world.database, world.people)
        assert sum(site.registry.get_local(TABLE) is not None for site in world.sites) == 1
        assert all(one.copy.connected == [True] * 4 for one in world.people)
        await world.close()

    run_in_virtual_time(playing())


def test_chat_reaches_people_on_other_nodes() -> None:
    async def talking() -> None:
        world = await SimulatedCluster().open()
        speaker = next(one for one in world.people if one.site is not world.owner)
        host = world.people[0]
        assert await speaker.request(type="say", phrase="cheers") == "done"
        assert await speaker.request(type="write", text="Zum Wohl!") == "no_writing"
        assert await host.request(type="let_write", allowed=True) == "done"
        assert await speaker.request(type="write", text="Zum  Wohl!") == "done"
        await asyncio.sleep(0.5)
        for one in world.people:
            events_told = (told.event for told in one.told if isinstance(told, messages.Event))
            heard = [(it.kind, it.seat, it.words) for it in events_told if it.words is not None]
            seat = speaker.copy.seat
            assert heard == [("said", seat, "cheers"), ("wrote", seat, "Zum Wohl!")]
        assert await world.play(4) == ["done"] * 4
        await asyncio.sleep(0.5)
        check_consistency(world.database, world.people)
        await world.close()

    run_in_virtual_time(talking())


def test_a_public_table_is_listed_on_every_node() -> None:
    async def listing() -> None:
        world = await SimulatedCluster().open()
        sites = world.sites
        assert [await PublicTableIndex(one.registry).tables() for one in sites] == [
            NOTHING_LISTED
        ] * 3
        assert await world.people[0].request(type="publish", published=True) == "done"
        for site in sites:
            (entry,) = (await PublicTableIndex(site.registry).tables()).running
            assert (entry.table, len(entry.seats)) == (TABLE, 4)
        silent = next(site for site in sites if site is not world.owner)
        silent.partition()  # one that does not answer keeps nobody from the others' tables
        asker = next(site for site in sites if site not in (silent, world.owner))
        assert len((await PublicTableIndex(asker.registry).tables()).running) == 1
        silent.heal()
        await world.close()

    run_in_virtual_time(listing())


def test_an_invalid_reply_from_one_node_does_not_hide_those_of_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def asking() -> None:
        world = await SimulatedCluster().open()
        assert await world.people[0].request(type="publish", published=True) == "done"
        odd, asker = (site for site in world.sites if site is not world.owner)
        take = odd.cluster._dispatch

        def answer(node: str, message: NodeMessage) -> None:
            if isinstance(message, ListPublicTables | ResolveJoinCode):
                odd.cluster.send(node, Response(message.request, "done", body=b'[{"goats": 3}]'))
            else:
                take(node, message)

        monkeypatch.setattr(odd.cluster, "_dispatch", answer)
        assert len((await PublicTableIndex(asker.registry).tables()).running) == 1
        code, _ = world.owner.registry.join_codes.create(TABLE, "key", "here")
        assert (await asker.registry.join_codes.resolve(code, "there", admit)).table == TABLE
        await world.close()

    run_in_virtual_time(asking())


def test_a_join_code_works_on_every_node() -> None:
    async def reading() -> None:
        world = await SimulatedCluster().open()
        code, _ = world.sites[0].registry.join_codes.create(TABLE, "key", "here")
        for site in world.sites:
            found = await site.registry.join_codes.resolve(code, "there", admit)
            assert (found.table, found.key) == (TABLE, "key")
        with pytest.raises(ApiError):
            await world.sites[1].registry.join_codes.resolve("000000", "there", admit)
        # At whatever node the table is: its codes are forgotten when its link is renewed.
        assert await world.people[0].request(type="relink") == "done"
        await asyncio.sleep(0.5)
        assert world.sites[0].registry.join_codes.find_local(code) is None
        await world.close()

    run_in_virtual_time(reading())


def test_spectator_delay_applies_on_other_nodes() -> None:
    async def watching() -> None:
        world = await SimulatedCluster().open()
        assert await world.people[0].request(type="delay", delayed=True) == "done"
        other = next(site for site in world.sites if site is not world.owner)
        watcher = await SimulatedPerson(None, other).follow()
        late = 0
        for _ in range(20):
            assert await world.play(1) == ["done"]
            await asyncio.sleep(0.1)
            live = world.owner.registry.get_local(TABLE)
            assert live is not None
            assert watcher.copy.version == live._state.quiescent_version
            late += live._state.quiescent_version < live._state.version
        assert late > 10
        await world.close()

    run_in_virtual_time(watching())


def test_play_continues_within_five_seconds_after_the_owner_is_killed() -> None:
    async def playing() -> None:
        world = await SimulatedCluster().open()
        await world.play(5)
        holder = world.owner
        await holder.kill()
        for index, one in enumerate(world.people):
            if one.site is holder:
                other = next(site for site in world.sites if site is not holder)
                world.people[index] = await one.move_to(other)
        began = asyncio.get_running_loop().time()
        fates = await world.play(3)
        assert fates[-1] == "done"
        assert asyncio.get_running_loop().time() - began < 5.0
        assert await world.play(10) == ["done"] * 10
        await asyncio.sleep(1.0)
        check_consistency(world.database, world.people)
        for site in world.sites:
            await site.close() if site is not holder else None

    run_in_virtual_time(playing())


def test_a_node_that_returns_serves_no_stale_state_and_its_people_play_on() -> None:
    async def playing() -> None:
        world = await SimulatedCluster().open()
        await world.play(5)
        holder = world.owner
        holder.partition()
        others = [one for one in world.people if one.site is not holder]
        await asyncio.sleep(6.0)
        while world.next_action()[0] in others:
            await world.play()
        told = {one: len(one.told) for one in world.people if one.site is holder}
        holder.heal()
        await asyncio.sleep(2.0)
        check_consistency(world.database, world.people)
        for one, before in told.items():
            versions = [getattr(message, "version", None) for message in one.told[before:]]
            newest = len(world.database.logs[TABLE])
            assert {version for version in versions if version} <= {newest}
        assert await world.play(10) == ["done"] * 10
        await world.close()

    run_in_virtual_time(playing())


def test_a_graceful_stop_causes_no_errors_and_under_two_seconds_of_delay() -> None:
    async def playing() -> None:
        world = await SimulatedCluster().open()
        await world.play(5)
        holder = world.owner
        for index, one in enumerate(world.people):
            if one.site is holder:
                other = next(site for site in world.sites if site is not holder)
                world.people[index] = await one.move_to(other)
        began = asyncio.get_running_loop().time()
        stopping = asyncio.create_task(holder.close())
        assert await world.play(20) == ["done"] * 20
        assert asyncio.get_running_loop().time() - began < 2.0
        await stopping
        await asyncio.sleep(0.5)
        check_consistency(world.database, world.people)
        world.sites.remove(holder)
        await world.close()

    run_in_virtual_time(playing())


async def move_on(world: SimulatedCluster) -> None:
    """Stops the owner; people connected to other nodes notice nothing."""
    holder = world.owner
    left = next(site for site in world.sites if site is not holder)
    world.people = [await one.move_to(left) if one.site is holder else one for one in world.people]
    await holder.close()
    world.sites.remove(holder)


def test_deal_contributions_move_with_the_table() -> None:
    async def playing() -> None:
        world = SimulatedCluster()
        log = world.database.logs[TABLE] = new_log(chance=secrets.token_bytes)
        await world.open()
        people = list(world.people)
        for one in people:
            await one.send_contributions()
        await move_on(world)
        staying = [one for one in world.people if one in people]
        assert len(staying) in (2, 3)
        assert await world.play(36) == ["done"] * 36
        for one in world.people:
            await one.request(type="ready")
        called = next(one for one in reversed(log) if isinstance(one, events.PackCommitmentsCalled))
        asked = PackCall.from_json(called.call).commitments.keys()
        assert sorted(asked) == [one.copy.seat for one in staying]

        early = staying[:-1]
        for one in early:
            await one.send_contributions()
        await move_on(world)
        for one in world.people:
            if one not in early:
                await one.reconnect_contributions()
        await asyncio.sleep(1.0)
        settled = next(
            one for one in reversed(log) if isinstance(one, events.CommitmentOpeningsClosed)
        )
        assert {*map(int, settled.openings)} == asked
        await world.close()

    run_in_virtual_time(playing())


def test_a_request_with_a_lost_reply_runs_once_and_is_answered_after_the_state() -> None:
    async def playing() -> None:
        world = await SimulatedCluster().open()
        while world.next_action()[0].site is world.owner:
            await world.play()
        person, action = world.next_action()
        before = logged_actions(world.database)
        world.network.fault_rate = 1.0
        asked = asyncio.create_task(person.request(type="act", action=action))
        await asyncio.sleep(5.0)
        world.network.fault_rate = 0.0
        fate = await asked
        after = logged_actions(world.database)
        assert len(after) - len(before) in (0, 1)
        if fate != "done":
            assert fate == "busy"
            assert person.copy.version == len(world.database.logs[TABLE])
        await asyncio.sleep(1.0)
        check_consistency(world.database, world.people)
        await world.close()

    run_in_virtual_time(playing())


def test_a_commit_with_a_lost_reply_is_reported_as_outcome_unknown() -> None:
    async def playing() -> None:
        world = await SimulatedCluster().open()
        for _ in range(6):
            person, action = world.next_action()
            world.owner.store.loses_next_answer = True
            assert await person.request(type="act", action=action) == "busy"
            assert person.refused[max(person.refused)].message == ERR_OUTCOME_UNKNOWN
            await asyncio.sleep(0.1)
            assert logged_actions(world.database)[-1][1] == action
            check_consistency(world.database, world.people)
        await world.close()

    run_in_virtual_time(playing())


def test_a_bus_outage_spares_local_people_and_others_reconnect() -> None:
    async def playing() -> None:
        world = await SimulatedCluster(2).open()
        await world.play(3)
        for site in world.sites:
            site.bus.connected = False
        own = [one for one in world.people if one.site is world.owner]
        fates = []
        for _ in range(4):
            person, action = world.next_action()
            fates.append((person in own, await person.request(type="act", action=action)))
        assert {fate for mine, fate in fates if mine} <= {"done"}
        assert {fate for mine, fate in fates if not mine} <= {"busy"}
        for site in world.sites:
            site.bus.connected = True
        await asyncio.sleep(2.0)
        assert await world.play(10) == ["done"] * 10
        await asyncio.sleep(0.6)
        check_consistency(world.database, world.people)
        assert all(one.copy.connected == [True] * 4 for one in world.people)
        await world.close()

    run_in_virtual_time(playing())


def test_people_who_leave_on_another_node_are_shown_as_gone_despite_message_loss() -> None:
    async def playing() -> None:
        world = await SimulatedCluster(2).open()
        away = next(one for one in world.people if one.site is not world.owner)
        world.network.fault_rate = 1.0
        away.disconnect()
        await asyncio.sleep(0.2)
        world.network.fault_rate = 0.0
        await asyncio.sleep(4.0)
        assert away.person is not None
        seat = PEOPLE.index(away.person)
        rest = [one for one in world.people if one is not away]
        assert all(not one.copy.connected[seat] for one in rest)
        await world.close()

    run_in_virtual_time(playing())


def test_a_node_with_older_events_proxies_to_one_that_knows_them() -> None:
    async def playing() -> None:
        database, network = FakeDatabase(), LossyNetwork()
        database.logs[TABLE] = new_log()
        database.newest[TABLE] = 2
        old = await InProcessNode(database, network).open()
        person = SimulatedPerson("a", old)
        assert await person.request(type="watch") == "busy"
        new = await InProcessNode(database, network, events=2).open()
        await asyncio.sleep(1.0)
        await person.follow()
        assert new.registry.get_local(TABLE) is not None
        assert old.registry.get_local(TABLE) is None
        for site in (old, new):
            await site.close()

    run_in_virtual_time(playing())


def test_a_table_that_moves_right_after_a_subscription_keeps_the_subscriber() -> None:
    async def playing() -> None:
        world = await SimulatedCluster(2).open()
        owner = world.owner
        away = next(one for one in world.people if one.site is not owner)
        links = owner.cluster._links
        assert links is not None
        send = links.send

        def send_and_evict(node: str, message: NodeMessage) -> bool:
            sent = send(node, message)
            if isinstance(message, Response):
                # In one frame with the response: the other node reads both at once.
                links.send = send  # type: ignore[method-assign]
                world.evict()
            return sent

        links.send = send_and_evict  # type: ignore[method-assign]
        world.people[world.people.index(away)] = await away.move_to(away.site)
        await asyncio.sleep(1.0)
        assert await world.play(8) == ["done"] * 8
        await asyncio.sleep(0.1)
        check_consistency(world.database, world.people)
        await world.close()

    run_in_virtual_time(playing())


def test_a_request_that_finds_the_table_moved_renews_the_subscription() -> None:
    async def playing() -> None:
        world = await SimulatedCluster(2).open()
        old = world.owner
        away = next(one for one in world.people if one.site is not old)
        for person in world.people:
            if person.site is old:
                person.disconnect()
        away.site.bus.connected = False  # the notice that the table has moved is lost
        world.evict()
        await asyncio.sleep(0.3)
        await away.site.registry.load_local(TABLE)
        away.site.bus.connected = True
        assert await away.request(type="say", phrase="thanks") == "done"
        await asyncio.sleep(0.1)
        moved = world.owner.registry.get_local(TABLE)
        assert moved is not None
        assert moved.has_subscriber(away)
        world.people = [
            await one.move_to(away.site) if one.site is old else one for one in world.people
        ]
        assert await world.play(8) == ["done"] * 8
        await asyncio.sleep(1.0)
        check_consistency(world.database, world.people)
        await world.close()

    run_in_virtual_time(playing())


def test_a_table_can_be_deleted_from_any_node() -> None:
    async def deleting() -> None:
        world = await SimulatedCluster(2).open()
        other = next(site for site in world.sites if site is not world.owner)
        assert await other.registry.delete_table(TABLE)
        assert TABLE not in world.database.logs
        await asyncio.sleep(0.5)
        for one in world.people:
            gone = [message for message in one.told if getattr(message, "code", "") != ""]
            assert [message.code for message in gone] == ["unknown_table"]  # type: ignore[union-attr]
        await world.close()

    run_in_virtual_time(deleting())


def test_a_table_cannot_be_found_while_it_is_being_deleted() -> None:
    async def deleting() -> None:
        world = await SimulatedCluster(2).open()
        owner, delete = world.owner, world.owner.store.delete

        async def slowly(table: str) -> bool:
            await asyncio.sleep(1.0)
            return await delete(table)

        owner.store.delete = slowly  # type: ignore[method-assign]
        deleted = asyncio.create_task(owner.registry.delete_table(TABLE))
        await asyncio.sleep(0.5)
        for site in world.sites:
            with pytest.raises(TableNotFoundError):
                await (await site.registry.get_table(TABLE)).get_room()
        assert await deleted
        assert owner.registry.get_local(TABLE) is None
        await world.close()

    run_in_virtual_time(deleting())


def test_a_node_expired_during_a_load_does_not_serve_what_it_loaded() -> None:
    async def reading() -> None:
        world = await SimulatedCluster(2).open()
        one, other = world.sites
        log = world.database.logs["u" * 22] = new_log(table="u" * 22)
        store = one.store
        load = store.load

        async def slowly(table: str) -> list[events.Event]:
            read = await load(table)
            await asyncio.sleep(8.0 * (table == "u" * 22))
            return read

        store.load = slowly  # type: ignore[method-assign]
        asked = asyncio.create_task(one.registry.load_local("u" * 22))
        await asyncio.sleep(0.1)
        one.partition()
        await asyncio.sleep(5.0)
        await other.registry.load_local("u" * 22)
        log.append(log[-1])
        one.heal()
        with pytest.raises(StoreError):
            await asked
        assert one.registry.get_local("u" * 22) is None
        await world.close()

    run_in_virtual_time(reading())


def test_checking_whether_a_table_is_live_does_not_take_its_lease() -> None:
    async def asking() -> None:
        world = await SimulatedCluster(2).open()
        one = world.sites[0]
        world.database.logs["u" * 22] = new_log(table="u" * 22)
        used, _ = await asyncio.gather(
            one.registry.is_live_anywhere("u" * 22), one.registry.load_local("u" * 22)
        )
        await asyncio.sleep(1.0)
        assert used
        assert "u" * 22 in world.database.leases
        assert one.registry.get_local("u" * 22) is not None
        await world.close()

    run_in_virtual_time(asking())


def test_joining_retries_a_failed_subscription() -> None:
    async def joining() -> None:
        world = await SimulatedCluster(2).open()
        holder = world.owner
        listen, tries = holder.bus.subscribe, 0

        async def fails_once(subject: str, heard: MessageHandler) -> None:
            nonlocal tries
            tries += 1
            if tries == 1:
                raise RuntimeError("the bus has no place")
            await listen(subject, heard)

        holder.bus.subscribe = fails_once  # type: ignore[method-assign]
        holder.partition()
        await asyncio.sleep(6.0)
        while world.next_action()[0].site is not holder:
            await world.play()
        holder.heal()
        await asyncio.sleep(5.0)
        assert tries == 2
        assert await world.play(10) == ["done"] * 10
        await asyncio.sleep(1.0)
        check_consistency(world.database, world.people)
        await world.close()

    run_in_virtual_time(joining())
