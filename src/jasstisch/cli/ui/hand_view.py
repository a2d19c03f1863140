"""Hands, melds and tricks as lines for a terminal.

Cards are sorted by suit, or by rank in a game in which suits do not matter, and wrapped to the
width.
"""

from collections.abc import Collection, Sequence

from rich.cells import cell_len
from rich.text import Text

from jasstisch.cli.ui.card_style import RANKS, CardStyle
from jasstisch.cli.ui.player_names import PlayerNames
from jasstisch.cli.ui.translator import Translator
from jasstisch.engine.cards import SUITS
from jasstisch.games.views import Trick
from jasstisch.games.weis import Meld

_LABEL_WIDTH = 10
"""Columns of the label before a row of parts."""

_COLUMN_GAP = "  "


def numbered_hand(
    hand: Sequence[str], playable: Collection[str] | None, card_style: CardStyle, width: int
) -> Text:
    """Returns the hand by suits, each card above its number; unplayable cards are in brackets.

    Args:
        hand: the cards in order.
        playable: the cards that may be played; None prints no numbers.
        card_style: the style of the cards.
        width: columns; a suit is never split.
    """
    blocks = [_suit_block(hand, suit, playable, card_style) for suit in SUITS]
    lines: list[list[Text]] = []
    for block in filter(None, blocks):
        if not lines or lines[-1][0].cell_len + block[0].cell_len > width:
            lines.append(block)
        else:
            lines[-1] = [one + other for one, other in zip(lines[-1], block, strict=True)]
    shown = [line for group in lines for line in group if line.plain.strip()]
    for line in shown:
        line.rstrip()
    return Text("\n").join(shown)


def _suit_block(
    hand: Sequence[str], suit: str, playable: Collection[str] | None, card_style: CardStyle
) -> list[Text]:
    """Returns the cards of one suit: its name where it has no symbol, the cards, their numbers."""
    cards = [(number, card) for number, card in enumerate(hand, start=1) if card[1] == suit]
    if not cards:
        return []
    sign = card_style.suit_symbols.get(suit, "")
    names, faced, numbers = Text(), Text(), Text()
    for number, card in cards:
        open_ = playable is None or card in playable
        faced.append(
            f" {card_style.rank_text(card)}{sign}".ljust(6),
            card_style.suit_colours[suit] if open_ else "dim",
        )
        if playable is not None:
            numbers.append(f" {number}".ljust(6) if open_ else f"({number})".ljust(6), "dim")
    if not card_style.has_suit_letters:
        names.append(f" {card_style.suit_names[suit]}", card_style.suit_colours[suit])
    width = max(len(names), len(faced)) + 2
    return [line + " " * (width - len(line)) for line in (names, faced, numbers)]


def hand_by_rank(
    hand: Sequence[str], card_style: CardStyle, width: int, *, numbered: bool
) -> tuple[list[str], Text]:
    """Returns a hand by ranks, for a game in which suits do not matter.

    Returns:
        The cards in the order shown, and the hand, each card above its number if numbers are
        wanted.
    """
    cards = sorted(hand, key=lambda card: RANKS.index(card[0]))
    column = max((card_style.card_text(card).cell_len for card in cards), default=0) + 2
    lines: list[list[Text]] = []
    for rank in RANKS:
        block = [Text(), Text()]
        for number, card in enumerate(cards, start=1):
            if card[0] == rank:
                face = card_style.card_text(card)
                face.pad_right(column - face.cell_len)
                block[0].append_text(face)
                block[1].append(f"{number}".ljust(column), "dim")
        if lines and lines[-1][0].cell_len + block[0].cell_len <= width:
            lines[-1] = [
                one.append(_COLUMN_GAP * bool(new)).append_text(new)
                for one, new in zip(lines[-1], block, strict=True)
            ]
        elif block[0]:
            lines.append(block)
    shown = [line for faced, numbers in lines for line in (faced, numbers)[: 1 + numbered]]
    for line in shown:
        line.rstrip()
    return cards, Text("\n").join(shown)


def card_count_text(count: int, translator: Translator) -> str:
    """Returns a number of cards in words: `no cards`, `1 card`, `2 cards`."""
    return translator.plain("word.cards" if count else "word.no_cards", n=count)


def card_row(cards: Sequence[str], card_style: CardStyle) -> Text:
    """Returns cards in the given order."""
    return Text(" ").join([card_style.card_text(card) for card in cards])


def melds_line(label: str, melds: Sequence[Meld], card_style: CardStyle, width: int) -> Text:
    """Returns melds with their points, such as `Q♣ K♣ A♣ (20)` (JS7)."""
    parts = [card_row(one["cards"], card_style).append(f" ({one['points']})") for one in melds]
    return wrap_parts(label, parts, width, gap="   ")


def hand_line(
    name: str, hand: Sequence[str], seats: PlayerNames, card_style: CardStyle, width: int
) -> Text:
    """Returns a player's hand by suits, in one line if it fits."""
    suits = [[card for card in hand if card[1] == suit] for suit in SUITS]
    return _labelled_parts(
        name, [_suit_line(cards, card_style) for cards in suits if cards], seats, width
    )


def hand_line_by_rank(
    name: str, hand: Sequence[str], seats: PlayerNames, card_style: CardStyle, width: int
) -> Text:
    """Does the same by ranks, for a game in which suits do not matter."""
    ranks = [[card for card in hand if card[0] == rank] for rank in RANKS]
    return _labelled_parts(
        name, [card_row(cards, card_style) for cards in ranks if cards], seats, width
    )


def _labelled_parts(name: str, parts: Sequence[Text], seats: PlayerNames, width: int) -> Text:
    """Returns parts in a row after a name, aligned with those of other players."""
    label = name + " " * (max(map(cell_len, [name, *seats.names])) + 2 - cell_len(name))
    return wrap_parts(label, parts, width)


def _suit_line(cards: Sequence[str], card_style: CardStyle) -> Text:
    """Returns cards of one suit side by side; a suit without a symbol is named once."""
    suit = cards[0][1]
    if suit in card_style.suit_symbols:
        return card_row(cards, card_style)
    ranks = " ".join([card_style.rank_text(card) for card in cards])
    return Text(f"{card_style.suit_names[suit]} {ranks}", card_style.suit_colours[suit])


def trick_line(
    number: int,
    trick: Trick,
    playing: Sequence[int],
    seats: PlayerNames,
    card_style: CardStyle,
    width: int,
) -> Text:
    """Returns a complete trick in order of play with its winner; `playing` are the active seats."""
    parts = []
    first = playing.index(trick["leader"])
    order = [*playing[first:], *playing[:first]]
    for seat, card in zip(order, trick["cards"], strict=True):
        name = Text(f"{seats[seat]} ", "bold" if seat == trick["winner"] else "")
        parts.append(name.append_text(card_style.card_text(card)))
    taken = Text(f"→ {seats[trick['winner']]}")
    column = max(map(cell_len, seats.names)) + 1 + card_style.max_card_width
    if _LABEL_WIDTH + len(parts) * (column + len(_COLUMN_GAP)) + taken.cell_len <= width:
        for part in parts:
            part.pad_right(column - part.cell_len)
    return wrap_parts(seats.translator.plain("news.trick", n=number), [*parts, taken], width)


def wrap_parts(label: str, parts: Sequence[Text], width: int, gap: str = _COLUMN_GAP) -> Text:
    """Returns parts side by side after a label, wrapped between parts."""
    label = label.ljust(_LABEL_WIDTH)
    lines = [Text.assemble((label, "dim"))]
    for part in parts:
        line = lines[-1]
        begun = len(line) > len(label)
        if begun and line.cell_len + len(gap) + part.cell_len > width:
            lines.append(Text(" " * len(label)) + part)
        else:
            line.append(gap if begun else "").append_text(part)
    return Text("\n").join(lines)
