"""A small model of the protocol of docs/fair-deals.md: what a device does, and what a record holds.

One honest device, in seat 0, plays with accomplices of the server. The server has two chains of
secrets, each accomplice two contributions to a pack, and the server tells anything in any order.
Hashes are ideal: what is committed to is fixed, and nobody can guess what was not opened. A device
without a rule believes what it was told last. The model runs no code of a device; a test compares
the two.
"""

from enum import Enum
from typing import NamedTuple, Self

DEVICE = 0
"""The seat of the device."""

OWN, OTHER, AGAIN = 0, 1, 2
"""What can stand at the seat of the device: its commitments, some of the server, and those that the
device makes afresh if it forgets the first. Accomplices choose between 0 and 1."""

CHAINS = "ab"
"""The two chains of secrets; the one announced first is called a."""

Seats = frozenset[int]
Commitments = tuple[int | None, ...]
"""By seat, which commitments it made; None for a seat that is not asked."""


class Rule(Enum):
    """A rule of a device: what it says, and a file with a part of the line that keeps it."""

    ANNOUNCEMENT = (
        "the same chain is announced throughout",
        "participant.py",
        "elif announcement != self.contributor.announcement:",
    )
    ONE_CALL = (
        "a pack is called with one thing only",
        "deal_contributor.py",
        "it is called a second time with something else",
    )
    ORDER = (
        "no pack is called after a later one was spoken of",
        "deal_contributor.py",
        "it, or a later one, has been called before",
    )
    MEMORY = (
        "a pack that was called stays called",
        "deal_contributor.py",
        "max(self._last_called_pack, next_pack - 1)",
    )
    POSITION = (
        "a call counts the attempts there were",
        "deal_contributor.py",
        "there cannot have been {call.position} attempts before",
    )
    CHAIN = (
        "a call names the chain known before",
        "deal_contributor.py",
        'FairError(pack, "the server has bound itself',
    )
    SAME_VOID = (
        "a void attempt is told again with the same seats",
        "deal_contributor.py",
        "lacked the seats {known}",
    )
    VOID_IN_TIME = (
        "a decided pack has no further attempt, and each void one has left out somebody else",
        "deal_contributor.py",
        "is not under way",
    )
    MISSING = (
        "only those are missing who were asked",
        "deal_contributor.py",
        "are not some of the seats {asked}",
    )
    MISSED_VOID = (
        "nothing is opened after a void attempt that was not told",
        "deal_contributor.py",
        "[] if None in self.voids else",
    )
    OWN_COMMITMENTS = (
        "only its own commitments are opened",
        "deal_contributor.py",
        "or not self._is_own(seen.call, seat)",
    )
    DECIDED_ONCE = (
        "a pack is decided by one attempt",
        "deal_contributor.py",
        "attempt {seen.attempt} has not decided it",
    )
    RECORD_CHAIN = (
        "the record has the chain of the last call",
        "deal_contributor.py",
        'FairError(0, "the server has bound itself',
    )
    RECORD_POSITION = (
        "the record has as many attempts before a pack as its call said",
        "deal_contributor.py",
        "attempts were before it, not {position}",
    )
    RECORD_SEATS = (
        "the record has the seats that were called",
        "deal_contributor.py",
        '"others were called for it"',
    )
    RECORD_COMMITMENTS = (
        "the record has the commitments that were called",
        "deal_contributor.py",
        "others were called for attempt",
    )
    RECORD_MISSING = (
        "the record names those as missing who were told to be",
        "deal_contributor.py",
        "in attempt {number} the seats {told} were missing",
    )
    RECORD_ATTEMPTS = (
        "the record has as many attempts at a pack as were told",
        "deal_contributor.py",
        "it was decided by attempt {seen.attempt}",
    )
    DECIDING = (
        "a pack counts as its own only if it opened the attempt that decided",
        "deal_contributor.py",
        "and attempt == len(decided[pack - 1])",
    )
    SECRET = (
        "each secret is the one that was committed to",
        "verifier.py",
        "its secret is not the one that was committed to",
    )
    OPENING = (
        "each contribution is the one that was committed to",
        "verifier.py",
        "did not commit itself to what it opened",
    )
    CARDS = (
        "the cards lie as the order gives them",
        "verifier.py",
        "its cards lie in another order than was decided",
    )

    def __init__(self, text: str, module: str, check: str) -> None:
        self.text = text
        self.module = module
        self.check = check


Rules = frozenset[Rule]
ALL_RULES: Rules = frozenset(Rule)


class Call(NamedTuple):
    """The call of a pack.

    Attributes:
        position: the number of attempts before it.
        chain: the chain that it names.
        commitments: by seat, which commitments are called; None where the seat is not asked.
    """

    position: int
    chain: str
    commitments: Commitments


class SeenPack(NamedTuple):
    """What the device has seen of a pack.

    Attributes:
        call: its call.
        least: the number of attempts that decide it, at least, as far as is known.
        most: the same at most.
        voids: who was missing in each void attempt; None for one that was not told.
        opened: the attempt for which the device has opened something last; 0 for none.
    """

    call: Call
    least: int
    most: int
    voids: tuple[Seats | None, ...] = ()
    opened: int = 0

    @classmethod
    def of(cls, call: Call) -> Self:
        """A pack that was just called."""
        return cls(call, 1, len(called(call.commitments)) + 1)

    @property
    def is_decided(self) -> bool:
        """Whether the attempt under way is known to have decided it."""
        return self.least == self.most == self.attempt

    @property
    def attempt(self) -> int:
        """The number of the attempt under way."""
        return len(self.voids) + 1

    @property
    def asked(self) -> Seats:
        """Who may be asked in that attempt."""
        return called(self.call.commitments).difference(*[void for void in self.voids if void])


class Opening(NamedTuple):
    """Something that the device has opened, with all that it knew to be fixed then."""

    chain: str
    call: Call
    voids: tuple[Seats | None, ...]


class Pack(NamedTuple):
    """A pack of the match: what the device knows of it, and what the server has learnt."""

    seen: SeenPack | None = None
    openings: frozenset[Opening] = frozenset()


class State(NamedTuple):
    """The memory of the device, and what the server has learnt from it.

    Attributes:
        packs: the packs of the match.
        announced: the chain that was announced.
        chain: the chain that was called last, or announced.
        last: the last pack that was called.
        own: the commitments that the device has made: OWN, or AGAIN where it has forgotten a pack.
    """

    packs: tuple[Pack, ...]
    announced: str | None = None
    chain: str = CHAINS[0]
    last: int = 0
    own: int = OWN


class Message(NamedTuple):
    """A state of the deals; a call or a void attempt is of the pack before the next."""

    chain: str
    next_pack: int
    call: Call | None = None
    void: tuple[int, Seats] | None = None


class RecordedPack(NamedTuple):
    """A pack in a record.

    Attributes:
        commitments: by seat, which commitments stand in it; None where the seat was not asked.
        voids: who was missing in each void attempt.
        lie: the rule of a verifier that it breaks.
    """

    commitments: Commitments
    voids: tuple[Seats, ...]
    lie: Rule | None = None

    @property
    def attempts(self) -> int:
        """The number of attempts at it."""
        return len(self.voids) + 1

    @property
    def asks_device(self) -> bool:
        """Whether the device is asked in the attempt that decides."""
        return self.commitments[DEVICE] is not None and all(
            DEVICE not in missing for missing in self.voids
        )

    @property
    def has_own(self) -> bool:
        """Whether a contribution of the device decides."""
        return self.asks_device and self.commitments[DEVICE] != OTHER


class Record(NamedTuple):
    """A record: the chain of its secrets, and its packs."""

    chain: str
    packs: tuple[RecordedPack, ...]


def called(commitments: Commitments) -> Seats:
    """The seats that are asked."""
    return frozenset(seat for seat, made in enumerate(commitments) if made is not None)


# --- the device ----------------------------------------------------------------------------------


def react(state: State, message: Message, rules: Rules) -> State | None:
    """The state of a device after a message.

    Returns:
        None if it finds a breach: it opens nothing more, and its verdict says so.
    """
    now = _announce(state, message.chain, rules)
    number = message.next_pack - 1
    if now is not None and message.call is not None:
        now = _call(now, number, message.call, rules)
    if now is not None and number > 0:
        now = _follow(now, number, message, rules)
    return None if now is None else _forget(now, message.next_pack, rules)


def _follow(state: State, number: int, message: Message, rules: Rules) -> State | None:
    """The state after what is told of the last pack called, with its call."""
    state = state._replace(last=max(state.last, number))
    pack = state.packs[number - 1]
    seen = pack.seen
    if seen is not None and message.void is not None:
        seen = _void(seen, *message.void, rules)
    if seen is not None and message.call is None:
        seen = _decide(seen, rules)
    if seen is None:
        return state if pack.seen is None else None
    if message.call is None or not opens(state, seen, rules):
        return _with_pack(state, number, pack._replace(seen=seen))
    opening = Opening(str(state.announced), seen.call, seen.voids)
    opened = Pack(seen._replace(opened=seen.attempt), pack.openings | {opening})
    return _with_pack(state, number, opened)


def _announce(state: State, chain: str, rules: Rules) -> State | None:
    if state.announced in (None, chain):
        return state._replace(announced=chain)
    return None if Rule.ANNOUNCEMENT in rules else state._replace(announced=chain, chain=chain)


def _call(state: State, number: int, call: Call, rules: Rules) -> State | None:
    """The state after a call; None if it is a breach."""
    seen, openings = state.packs[number - 1]
    if seen is not None and seen.call == call:
        return state
    if seen is not None and Rule.ONE_CALL in rules:
        return None
    if seen is None and number <= state.last and Rule.ORDER in rules:
        return None
    counted = _count(state, number, call, rules)
    if counted is None:
        return None
    if call.chain != state.chain and Rule.CHAIN in rules:
        return None
    return _with_pack(counted, number, Pack(SeenPack.of(call), openings))._replace(chain=call.chain)


def _count(state: State, number: int, call: Call, rules: Rules) -> State | None:
    """The state after what a call says of the attempts before it; None if that cannot be."""
    last = max((one for one in range(number) if one and state.packs[one - 1].seen), default=0)
    unseen = number - 1 - last
    shortest, longest = unseen, unseen * (len(call.commitments) + 1)
    if not last:
        fits = shortest <= call.position <= longest
        return state if fits or Rule.POSITION not in rules else None
    pack = state.packs[last - 1]
    assert pack.seen is not None
    taken = call.position - pack.seen.call.position
    seen = _narrow(pack.seen, taken - longest, taken - shortest, Rule.POSITION in rules)
    return None if seen is None else _with_pack(state, last, pack._replace(seen=seen))


def _void(seen: SeenPack, attempt: int, missing: Seats, rules: Rules) -> SeenPack | None:
    """What is known of a pack after a void attempt; None if it is a breach."""
    if attempt < seen.attempt:
        if seen.voids[attempt - 1] in (None, missing):
            return seen
        voids = (*seen.voids[: attempt - 1], missing, *seen.voids[attempt:])
        return None if Rule.SAME_VOID in rules else seen._replace(voids=voids)
    if not missing <= seen.asked and Rule.MISSING in rules:
        return None
    told = seen._replace(voids=(*seen.voids, *[None] * (attempt - seen.attempt), missing))
    left = len(told.asked) - told.voids.count(None)
    return _narrow(told, told.attempt, told.attempt + left, Rule.VOID_IN_TIME in rules)


def _decide(seen: SeenPack, rules: Rules) -> SeenPack | None:
    """What is known of a pack that is told to be decided; None if that is a breach."""
    return _narrow(seen, seen.attempt, seen.attempt, Rule.DECIDED_ONCE in rules)


def _narrow(seen: SeenPack, least: int, most: int, is_checked: bool) -> SeenPack | None:
    """A pack of which it is told how many attempts it takes; None if that cannot be."""
    if not is_checked:
        return seen._replace(least=least, most=most)
    least, most = max(least, seen.least), min(most, seen.most)
    return seen._replace(least=least, most=most) if least <= most else None


def opens(state: State, seen: SeenPack, rules: Rules) -> bool:
    """Whether the device opens its contribution for the attempt under way."""
    if None in seen.voids and Rule.MISSED_VOID in rules:
        return False
    own = seen.call.commitments[DEVICE] == state.own or Rule.OWN_COMMITMENTS not in rules
    return DEVICE in seen.asked and own


def _forget(state: State, next_pack: int, rules: Rules) -> State:
    """The state of a device that forgets a pack of which it is told that it was not called yet."""
    if next_pack > state.last or Rule.MEMORY in rules:
        return state
    kept = [
        pack if number < next_pack else pack._replace(seen=None)
        for number, pack in enumerate(state.packs, start=1)
    ]
    return state._replace(packs=tuple(kept), last=next_pack - 1, own=AGAIN)


def _with_pack(state: State, number: int, pack: Pack) -> State:
    packs = [*state.packs]
    packs[number - 1] = pack
    return state._replace(packs=tuple(packs))


# --- the verdict ---------------------------------------------------------------------------------


def accepts(state: State, record: Record, rules: Rules) -> bool:
    """Whether a device that found no breach calls a record verified."""
    if record.chain != state.chain and Rule.RECORD_CHAIN in rules:
        return False
    position = 0
    for pack, made in zip(state.packs, record.packs, strict=True):
        if not agrees(pack.seen, position, made, rules):
            return False
        position += made.attempts
    return True


def agrees(seen: SeenPack | None, position: int, made: RecordedPack, rules: Rules) -> bool:
    """Whether a pack in a record verifies, and is the one that was seen."""
    if made.lie in rules:
        return False
    if seen is None:
        return True
    told = zip(seen.voids, made.voids, strict=False)
    found = {
        Rule.RECORD_POSITION: position == seen.call.position,
        Rule.RECORD_MISSING: all(one in (None, missing) for one, missing in told),
        Rule.RECORD_ATTEMPTS: seen.least <= made.attempts <= seen.most,
    }
    return are_called(made.commitments, seen.call.commitments, rules) and all(
        fits for rule, fits in found.items() if rule in rules
    )


def are_called(made: Commitments, commitments: Commitments, rules: Rules) -> bool:
    """Whether these are the commitments that were called."""
    if called(made) != called(commitments) and Rule.RECORD_SEATS in rules:
        return False
    pairs = zip(made, commitments, strict=True)
    return Rule.RECORD_COMMITMENTS not in rules or all(
        None in pair or pair[0] == pair[1] for pair in pairs
    )


def is_own(pack: Pack, made: RecordedPack, rules: Rules) -> bool:
    """Whether the device counts a pack as one that it has helped to shuffle."""
    if pack.seen is None or not pack.seen.opened:
        return False
    deciding = pack.seen.opened == made.attempts and made.asks_device
    return deciding or Rule.DECIDING not in rules
