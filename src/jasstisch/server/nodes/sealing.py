"""Sealing what nodes say: who is on the bus without the store can neither read nor say anything.

The store gives each node the same secret. From it each direction between two nodes has a key of its
own (HKDF-SHA256), for AES-256-GCM; a node's id is new whenever it joins. The number of a message is
its nonce, and never comes twice under a key. Where it goes and who says it is sealed with it.
"""

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

__all__ = ["Seal", "SealError", "place_of"]

ID = 16
NUMBER = 8
HEAD = ID + NUMBER
"""Bytes before what is sealed: the sender's id, and the number of the message."""


class SealError(Exception):
    """What came over the bus was not sealed by a node of this store, for this one."""


def place_of(secret: bytes) -> str:
    """Under which name the nodes of a store meet on the bus; it does not tell the secret."""
    return _derived(secret, b"jasstisch place")[:8].hex()


class Seal:
    """What a node seals and opens.

    Args:
        secret: that of the store.
        me: the id of this node, 32 hexadecimal digits.
    """

    def __init__(self, secret: bytes, me: str) -> None:
        self._secret = secret
        self._me = me
        self._keys: dict[tuple[str, str], AESGCM] = {}

    def seal(self, to: str, number: int, subject: str, content: bytes) -> bytes:
        """Seals a message for another node.

        Args:
            to: its id.
            number: of the message, never used before towards it.
            subject: where it is published.
            content: the message.
        """
        head = bytes.fromhex(self._me) + number.to_bytes(NUMBER)
        sealed = self._key(self._me, to).encrypt(_nonce(number), content, subject.encode() + head)
        return head + sealed

    def open(self, subject: str, data: bytes) -> tuple[str, int, bytes]:
        """Who says what comes for this node, its number, and the message.

        Raises:
            SealError: it was not sealed by a node of this store, or not for this one.
        """
        if len(data) < HEAD:
            raise SealError
        head, sealed = data[:HEAD], data[HEAD:]
        sender, number = head[:ID].hex(), int.from_bytes(head[ID:])
        key = self._keys.get((sender, self._me)) or self._new_key(sender, self._me)
        try:
            content = key.decrypt(_nonce(number), sealed, subject.encode() + head)
        except InvalidTag:
            raise SealError from None
        # Only now: whoever invents senders must not fill the memory.
        self._keys[sender, self._me] = key
        return sender, number, content

    def _key(self, sender: str, to: str) -> AESGCM:
        key = self._keys.get((sender, to))
        if key is None:
            key = self._keys[sender, to] = self._new_key(sender, to)
        return key

    def _new_key(self, sender: str, to: str) -> AESGCM:
        return AESGCM(_derived(self._secret, f"jasstisch line {sender} {to}".encode()))


def _derived(secret: bytes, info: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=info).derive(secret)


def _nonce(number: int) -> bytes:
    return number.to_bytes(12)
