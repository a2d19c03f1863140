"""Sealing what nodes say: who is on the bus without the store can neither read nor say anything.

The store gives each node the same secret. From it each direction between two nodes has a key of its
own (HKDF-SHA256), for AES-256-GCM; a node's id is new whenever it joins. The number of a message is
its nonce, and never comes twice under a key. Where it goes and who says it is sealed with it.
"""

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

__all__ = ["DecryptionError", "MessageCipher", "cluster_id"]

SENDER_ID_BYTES = 16
SEQUENCE_BYTES = 8
HEADER_BYTES = SENDER_ID_BYTES + SEQUENCE_BYTES
"""Bytes before what is sealed: the sender's id, and the number of the message."""


class DecryptionError(Exception):
    """What came over the bus was not sealed by a node of this store, for this one."""


def cluster_id(secret: bytes) -> str:
    """Under which name the nodes of a store meet on the bus; it does not tell the secret."""
    return _derive_key(secret, b"jasstisch place")[:8].hex()


class MessageCipher:
    """What a node seals and opens.

    Args:
        secret: that of the store.
        me: the id of this node, 32 hexadecimal digits.
    """

    def __init__(self, secret: bytes, me: str) -> None:
        self._secret = secret
        self._node_id = me
        self._keys: dict[tuple[str, str], AESGCM] = {}

    def encrypt(self, to: str, number: int, subject: str, content: bytes) -> bytes:
        """Seals a message for another node.

        Args:
            to: its id.
            number: of the message, never used before towards it.
            subject: where it is published.
            content: the message.
        """
        head = bytes.fromhex(self._node_id) + number.to_bytes(SEQUENCE_BYTES)
        sealed = self._key(self._node_id, to).encrypt(
            _nonce(number), content, subject.encode() + head
        )
        return head + sealed

    def decrypt(self, subject: str, data: bytes) -> tuple[str, int, bytes]:
        """Who says what comes for this node, its number, and the message.

        Raises:
            SealError: it was not sealed by a node of this store, or not for this one.
        """
        if len(data) < HEADER_BYTES:
            raise DecryptionError
        head, sealed = data[:HEADER_BYTES], data[HEADER_BYTES:]
        sender, number = head[:SENDER_ID_BYTES].hex(), int.from_bytes(head[SENDER_ID_BYTES:])
        key = self._keys.get((sender, self._node_id)) or self._new_key(sender, self._node_id)
        try:
            content = key.decrypt(_nonce(number), sealed, subject.encode() + head)
        except InvalidTag:
            raise DecryptionError from None
        # Only now: whoever invents senders must not fill the memory.
        self._keys[sender, self._node_id] = key
        return sender, number, content

    def _key(self, sender: str, to: str) -> AESGCM:
        key = self._keys.get((sender, to))
        if key is None:
            key = self._keys[sender, to] = self._new_key(sender, to)
        return key

    def _new_key(self, sender: str, to: str) -> AESGCM:
        return AESGCM(_derive_key(self._secret, f"jasstisch line {sender} {to}".encode()))


def _derive_key(secret: bytes, info: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=info).derive(secret)


def _nonce(number: int) -> bytes:
    return number.to_bytes(12)
