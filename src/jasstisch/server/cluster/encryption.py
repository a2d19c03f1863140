"""Encryption of the messages between nodes: the bus alone does not allow to read or forge them.

The store gives all nodes the same secret. From it, HKDF-SHA256 derives a key for each direction
between two nodes, for AES-256-GCM. A node gets a new id whenever it joins. The sequence number of a
message is its nonce and never repeats under the same key. The subject and the sender are
authenticated as associated data.
"""

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

_SENDER_ID_BYTES = 16
_SEQUENCE_BYTES = 8
_HEADER_BYTES = _SENDER_ID_BYTES + _SEQUENCE_BYTES
"""The header before the ciphertext: the sender's id and the sequence number."""


class DecryptionError(Exception):
    """A message on the bus was not encrypted by a node of this store, for this node."""


def cluster_id(secret: bytes) -> str:
    """The name under which the nodes of a store meet on the bus; it does not reveal the secret."""
    return _derive_key(secret, b"jasstisch place")[:8].hex()


class MessageCipher:
    """Encrypts and decrypts the messages of a node.

    Args:
        secret: the secret of the store.
        node_id: the id of this node, 32 hexadecimal digits.
    """

    def __init__(self, secret: bytes, node_id: str) -> None:
        self._secret = secret
        self._node_id = node_id
        self._keys: dict[tuple[str, str], AESGCM] = {}

    def encrypt(self, to: str, number: int, subject: str, content: bytes) -> bytes:
        """Encrypts a message for another node.

        Args:
            to: the id of that node.
            number: the sequence number, never used before for that node.
            subject: the subject under which the message is published.
            content: the message.
        """
        head = bytes.fromhex(self._node_id) + number.to_bytes(_SEQUENCE_BYTES)
        sealed = self._key(self._node_id, to).encrypt(
            _nonce(number), content, subject.encode() + head
        )
        return head + sealed

    def decrypt(self, subject: str, data: bytes) -> tuple[str, int, bytes]:
        """Decrypts a message for this node; returns its sender, number and content.

        Raises:
            DecryptionError: it was not encrypted by a node of this store, or not for this node.
        """
        if len(data) < _HEADER_BYTES:
            raise DecryptionError
        head, sealed = data[:_HEADER_BYTES], data[_HEADER_BYTES:]
        sender, number = head[:_SENDER_ID_BYTES].hex(), int.from_bytes(head[_SENDER_ID_BYTES:])
        key = self._keys.get((sender, self._node_id)) or self._new_key(sender, self._node_id)
        try:
            content = key.decrypt(_nonce(number), sealed, subject.encode() + head)
        except InvalidTag:
            raise DecryptionError from None
        # Cache the key only now: forged senders must not fill the memory.
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
