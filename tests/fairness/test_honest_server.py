"""An honest server is never accused, whatever befalls connections and devices."""

from collections.abc import Callable, Iterator
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench.attacks.fair_deals.devices import EditableDevice, PythonDevice, TypeScriptDevice
from jasstisch.table import commands
from tests.fairness.honest_table import HonestTable, Person
from tests.support.example_counts import examples
from tests.table.table_driver import ID

pytestmark = pytest.mark.outside

Act = Callable[[HonestTable, Person], None]


@pytest.fixture(scope="module")
def typescript() -> Iterator[TypeScriptDevice]:
    with TypeScriptDevice(ID, 4) as device:
        yield device


@pytest.fixture(scope="module")
def python() -> list[PythonDevice]:
    return [PythonDevice(ID, 4) for _ in range(3)]


def play_to_the_next_pack(table: HonestTable, person: Person) -> None:
    """Everybody takes part, until a pack is called that nobody has received yet."""
    table.settle()
    while table.play() and not table.awaits_openings:
        table.settle()


def play(table: HonestTable, person: Person) -> None:
    """The match goes on while nobody receives anything."""
    while table.play() and table.rng.random() < 0.9:
        pass


def settle(table: HonestTable, person: Person) -> None:
    table.settle()


def receive(table: HonestTable, person: Person) -> None:
    table.receive(person)


def skip(table: HonestTable, person: Person) -> None:
    """Everybody receives only the newest state, as after a gap."""
    for one in table.people:
        while len(one.told) > 1:
            one.told.popleft()
        table.receive(one)


def send(table: HonestTable, person: Person) -> None:
    table.take_in(person)


def wait(table: HonestTable, person: Person) -> None:
    table.wait()


def miss(table: HonestTable, person: Person) -> None:
    """All others open in time, and perhaps nobody in the next attempts."""
    table.settle(person)
    for _ in range(table.rng.randint(1, 3)):
        table.wait()


def lose_connection(table: HonestTable, person: Person) -> None:
    table.disconnect(person)


def reconnect(table: HonestTable, person: Person) -> None:
    table.disconnect(person)
    table.connect(person)


def reload(table: HonestTable, person: Person) -> None:
    table.disconnect(person)
    person.reload()
    table.connect(person)


def lose_memory(table: HonestTable, person: Person) -> None:
    table.disconnect(person)
    person.lose_memory()
    table.connect(person)


def leave(table: HonestTable, person: Person) -> None:
    table.attempt(commands.Stand(person.name))


def sit_down(table: HonestTable, person: Person) -> None:
    for seat in range(4):
        table.attempt(commands.Sit(person.name, seat, person.name.upper()))


def take_back(table: HonestTable, person: Person) -> None:
    table.attempt(commands.RequestUndo(person.name))


def restart(table: HonestTable, person: Person) -> None:
    table.restart()


def close(table: HonestTable, person: Person) -> None:
    table.attempt(commands.AdminClose())


USUAL = (play_to_the_next_pack, play, settle, receive, skip, send, wait, miss, miss)
UNUSUAL = (lose_connection, reconnect, reload, lose_memory, leave, sit_down, take_back, restart)
ACTS = (*USUAL, *USUAL, *UNUSUAL)


@given(
    game=st.sampled_from(["molotov", "differenzler", "jass"]),
    seated=st.integers(1, 3),
    seed=st.integers(0, 99),
    acts=st.lists(st.tuples(st.sampled_from(ACTS), st.integers(0, 2)), min_size=20, max_size=80),
    last=st.sampled_from([close, play_to_the_next_pack]),
)
@settings(
    max_examples=examples(120, 10),
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
def test_an_honest_server_is_verified_with_exactly_what_was_contributed(
    python: list[PythonDevice],
    typescript: TypeScriptDevice,
    game: str,
    seated: int,
    seed: int,
    acts: list[tuple[Act, int]],
    last: Act,
) -> None:
    devices: list[list[EditableDevice]] = [[python[0], typescript], [python[1]], [python[2]]]
    people = [Person("abc"[index], devices[index], Random(index)) for index in range(3)]
    table = HonestTable(people, seated, game, seed)
    for act, index in [*acts, (last, 0)]:
        act(table, people[index])
    table.check_verdicts()
