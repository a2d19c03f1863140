"""The draw for the first dealer, and the deal of a shuffled pack into hands (C5, C6)."""

from collections.abc import Sequence

from jasstisch.engine.cards import Deck


def draw_for_deal(deck: Deck, drawn: Sequence[int]) -> int:
    """The first dealer: the seat whose drawn card is highest by plain rank, then by suit (C5)."""
    return max(range(len(drawn)), key=lambda seat: (deck.rank(drawn[seat]), deck.suit(drawn[seat])))


def deal(pack: Sequence[int], packets: Sequence[int], seats: Sequence[int]) -> list[list[int]]:
    """The cards each seat receives from the front of a pack, in the order received (C6).

    Args:
        pack: the shuffled pack.
        packets: sizes of the packets, such as `(4, 3)`.
        seats: the seats in the order in which they receive, forehand first.

    Returns:
        One list for each of `seats`, in their order.
    """
    hands: list[list[int]] = [[] for _ in seats]
    front = 0
    for size in packets:
        for hand in hands:
            hand.extend(pack[front : front + size])
            front += size
    return hands
