"""Verifies the deals of a record; written from docs/fair-deals.md alone.

It shares no code with the package and none of its authors' knowledge: whatever the page leaves open
shows here, where it disagrees with the package (test_independent_verifier).
"""

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

FORMAT: Final = "jasstisch-fair/1"
CHAIN_LENGTH: Final = 256
MOST_MISSES: Final = 3
MOST_SEATS: Final = 16
LARGEST: Final = 2**32 - 1
SUITS: Final = "CDHS"
RANKS: Final = "23456789TJQKA"
DIGITS: Final = frozenset("0123456789abcdef")

Part = bytes | int


class FaultError(Exception):
    """The record does not hold: at the pack of this number, 0 for the whole match."""

    def __init__(self, pack: int, reason: str) -> None:
        super().__init__(f"pack {pack}: {reason}" if pack else reason)
        self.pack = pack
        self.reason = reason


@dataclass(frozen=True)
class Person:
    seat: int
    commitment: bytes
    opening: bytes | None


@dataclass(frozen=True)
class Attempt:
    secret: bytes
    people: tuple[Person, ...]

    @property
    def seats(self) -> list[int]:
        return [one.seat for one in self.people]

    @property
    def missing(self) -> list[int]:
        return [one.seat for one in self.people if one.opening is None]


@dataclass(frozen=True)
class Proof:
    """What a record says of its deals, and what they are to prove."""

    table: bytes
    match: int
    ends: tuple[bytes, ...]
    packs: tuple[tuple[Attempt, ...], ...]
    players: tuple[str, ...]
    dealt: tuple[str, ...]

    @property
    def computers(self) -> frozenset[int]:
        return frozenset(seat for seat, name in enumerate(self.players) if name.startswith("bot:"))

    @property
    def contributed(self) -> Counter[int]:
        """How many packs each person has helped to decide, by seat."""
        seats = (seat for attempts in self.packs for seat in attempts[-1].seats)
        return Counter(seat for seat in seats if seat not in self.computers)

    @property
    def alone(self) -> int:
        """How many packs the server alone has decided."""
        return sum(self.computers.issuperset(attempts[-1].seats) for attempts in self.packs)

    @property
    def misses(self) -> list[tuple[int, int, int]]:
        """Who did not open: pack, attempt and seat."""
        return [
            (number, count, seat)
            for number, attempts in enumerate(self.packs, 1)
            for count, attempt in enumerate(attempts, 1)
            for seat in attempt.missing
        ]


def verify(record: Any) -> Proof:
    """What the deals of the record prove; `FaultError` at the first thing that does not hold."""
    proof = parse(record)
    misses: Counter[int] = Counter()
    position = 0
    before = b""
    for number, attempts in enumerate(proof.packs[: len(proof.dealt)], 1):
        check_people(number, attempts, len(proof.players), misses)
        for attempt in attempts:
            before = check_secret(proof, number, position, attempt.secret, before)
            position += 1
        check_openings(proof, number, attempts)
        check_cards(proof, number)
    if len(proof.packs) < len(proof.dealt):
        raise FaultError(len(proof.packs) + 1, "the log has a pack that is not proved")
    if len(proof.packs) > len(proof.dealt):
        raise FaultError(0, "a pack is proved that the log does not have")
    if len(proof.ends) != max(1, -(-position // CHAIN_LENGTH)):
        raise FaultError(0, "there are not as many ends as chains were used")
    return proof


def check_people(
    number: int, attempts: Sequence[Attempt], seats: int, misses: Counter[int]
) -> None:
    """Who was asked in each attempt, and who was left out."""
    if not attempts:
        raise FaultError(number, "there is no attempt")
    asked = attempts[0].seats
    if asked != sorted(set(asked)) or any(seat >= seats for seat in asked):
        raise FaultError(number, "the seats are not ascending, or none of the table")
    if any(misses[seat] >= MOST_MISSES for seat in asked):
        raise FaultError(number, "somebody was asked who had missed three packs")
    for attempt in attempts:
        if attempt.seats != asked:
            raise FaultError(number, "others were asked than those who were left")
        if bool(attempt.missing) == (attempt is attempts[-1]):
            raise FaultError(number, "a void attempt has all openings, or the last one has not")
        asked = [seat for seat in asked if seat not in attempt.missing]
        misses.update(attempt.missing)


def check_secret(proof: Proof, number: int, position: int, secret: bytes, before: bytes) -> bytes:
    chain, place = divmod(position, CHAIN_LENGTH)
    if place == 0:
        if chain >= len(proof.ends):
            raise FaultError(number, "the chain of the secret has no end")
        before = proof.ends[chain]
    if digest("link", proof.table, proof.match, secret) != before:
        raise FaultError(number, "the secret does not lead to the one before it")
    return secret


def check_openings(proof: Proof, number: int, attempts: Sequence[Attempt]) -> None:
    for count, attempt in enumerate(attempts, 1):
        for one in attempt.people:
            if one.opening is not None and one.commitment != commitment_to(
                proof.table, proof.match, number, count, one.seat, one.opening
            ):
                raise FaultError(number, "a contribution does not fit its commitment")


def check_cards(proof: Proof, number: int) -> None:
    cards = proof.dealt[number - 1].split(" ")
    if any(len(card) != 2 or card[0] not in RANKS or card[1] not in SUITS for card in cards):
        raise FaultError(number, "a card of the pack is none")
    if len(set(cards)) < len(cards):
        raise FaultError(number, "a card of the pack is there twice")
    attempts = proof.packs[number - 1]
    transcript = transcript_of(proof.table, proof.match, number, attempts)
    if cards != order_of(cards, attempts[-1].secret, transcript):
        raise FaultError(number, "the cards lie in another order than was decided")


# Bytes, commitments and the order


def field(value: bytes) -> bytes:
    return len(value).to_bytes(4, "big") + value


def encoding(purpose: str, *parts: Part) -> bytes:
    name = f"{FORMAT} {purpose}".encode("ascii")
    whole = (one.to_bytes(4, "big") if isinstance(one, int) else one for one in parts)
    return field(name) + b"".join(map(field, whole))


def digest(purpose: str, *parts: Part) -> bytes:
    return hashlib.sha256(encoding(purpose, *parts)).digest()


def commitment_to(  # the parts of the hash, in their order
    table: bytes, match: int, pack: int, attempt: int, seat: int, contribution: bytes
) -> bytes:
    return digest("contribution", table, match, pack, attempt, seat, contribution)


def transcript_of(table: bytes, match: int, pack: int, attempts: Sequence[Attempt]) -> bytes:
    parts: list[Part] = [table, match, pack, len(attempts)]
    for attempt in attempts:
        parts.append(len(attempt.people))
        for one in attempt.people:
            parts += [one.seat, one.commitment]
    parts += [one.opening for one in attempts[-1].people if one.opening is not None]
    return digest("deal", *parts)


def order_of(cards: Sequence[str], secret: bytes, transcript: bytes) -> list[str]:
    """The cards, given in any order, as they lie in the pack."""
    order = sorted(cards, key=lambda card: (SUITS.index(card[1]), RANKS.index(card[0])))
    stream = stream_of(secret, transcript)
    for last in range(len(order) - 1, 0, -1):
        count = last + 1
        byte = next(byte for byte in stream if byte < 256 - 256 % count)
        place = byte % count
        order[last], order[place] = order[place], order[last]
    return order


def stream_of(secret: bytes, transcript: bytes) -> Iterator[int]:
    block = 0
    while True:
        message = transcript + block.to_bytes(4, "big")
        yield from hmac.digest(secret, message, "sha256")
        block += 1


# The form


def parse(record: Any) -> Proof:
    if not isinstance(record, dict):
        raise FaultError(0, "the record is no object")
    players, log = parse_list(record.get("players")), parse_list(record.get("log"))
    if not all(isinstance(name, str) for name in players):
        raise FaultError(0, "a player has no name")
    if not all(len(step) == 2 and isinstance(step[1], str) for step in map(parse_list, log)):
        raise FaultError(0, "a step of the log is not who did something and what")
    fair = parse_object(record.get("fair"), "format", "table", "match", "ends", "packs")
    if fair["format"] != FORMAT:
        raise FaultError(0, "the format is another one")
    return Proof(
        table=parse_hash(fair["table"]),
        match=parse_number(fair["match"], 1),
        ends=tuple(parse_hash(end) for end in parse_list(fair["ends"])),
        packs=tuple(
            tuple(parse_attempt(one, number) for one in parse_list(attempts, number))
            for number, attempts in enumerate(parse_list(fair["packs"]), 1)
        ),
        players=tuple(players),
        dealt=tuple(cards for who, cards in log if who == "pack"),
    )


def parse_attempt(value: Any, pack: int) -> Attempt:
    attempt = parse_object(value, "secret", "people", pack=pack)
    people = parse_list(attempt["people"], pack)
    return Attempt(
        parse_hash(attempt["secret"], pack), tuple(parse_person(one, pack) for one in people)
    )


def parse_person(value: Any, pack: int) -> Person:
    person = parse_object(value, "seat", "commitment", "opening", pack=pack)
    opening = person["opening"]
    return Person(
        seat=parse_seat(person["seat"], pack),
        commitment=parse_hash(person["commitment"], pack),
        opening=None if opening is None else parse_hash(opening, pack),
    )


def parse_object(value: Any, *keys: str, pack: int = 0) -> dict[str, Any]:
    if not isinstance(value, dict) or value.keys() != set(keys):
        raise FaultError(pack, f"not an object with {', '.join(keys)}")
    return value


def parse_list(value: Any, pack: int = 0) -> list[Any]:
    if not isinstance(value, list):
        raise FaultError(pack, "not a list")
    return value


def parse_hash(value: Any, pack: int = 0) -> bytes:
    if not isinstance(value, str) or len(value) != 64 or not DIGITS.issuperset(value):
        raise FaultError(pack, "not 64 digits 0-9a-f")
    return bytes.fromhex(value)


def parse_seat(value: Any, pack: int) -> int:
    return parse_number(value, 0, pack, MOST_SEATS - 1)


def parse_number(value: Any, least: int, pack: int = 0, most: int = LARGEST) -> int:
    if type(value) is not int or not least <= value <= most:
        raise FaultError(pack, f"not a whole number from {least} to {most}")
    return value
