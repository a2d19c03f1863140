"""The notation of a deal or a round as one line of text, for print and correspondence.

A line is ASCII and may be broken between words. It holds the game with the options that differ from
their defaults, the dealer, the hands by suit, and, for a round, all actions. docs/records.md
specifies it. Parsing a line yields a match that begins with this round, played as far as the line
goes.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from jasstisch.engine.cards import SUITS, Deck
from jasstisch.engine.errors import GameError, quote
from jasstisch.games.options import Choice, Value
from jasstisch.games.rules import REGISTRY, Game
from jasstisch.match.match import Match

_NUMBER = re.compile(r"-?[0-9]{1,9}")
_EMPTY_HAND = "-"
"""The text of a hand without cards."""

_PART_STARTS = ("play ", "lay ")
"""The prefixes of actions that may begin a new part: a trick or a claim."""

_Entry = tuple[int | str, str]
"""One entry of a log: `("pack", cards)` or `(seat, action)`."""


# Writing.


def write(match: Match, number: int, *, play: bool = True) -> str:
    """The line of a finished round.

    Args:
        match: the match.
        number: the round, from 1.
        play: whether the line includes the actions; without them it is the line of the deal.

    Raises:
        GameError: the round is not finished, or it depends on earlier rounds, because they decide
            who takes part or who may announce what.
    """
    if type(number) is not int or not 1 <= number <= len(match.rounds):
        raise GameError(
            f"round {quote(number)} is not finished; {len(match.rounds)} of this match are"
        )
    dealer = match.rounds[number - 1]["dealer"]
    hands, ((_, pack), *entries) = _round_log(match, number)
    again, words = _deal_fields(_fresh_match(match.game, dealer), pack.split())
    is_complete = [again.hand(seat) for seat in range(match.game.players)] == hands
    if play and is_complete:
        parts = list(_play_parts(again, entries))
        is_complete = bool(parts) and again.rounds in ([], match.rounds[number - 1 : number])
        words.append(" / ".join(parts))
    if not is_complete:
        raise GameError(
            f"round {number} cannot be told by itself: who takes part or who may announce what in "
            "it goes back to the rounds before"
        )
    return "; ".join(words)


def _fresh_match(game: Game, dealer: int) -> Match:
    """A new match of a game with this first dealer."""
    return Match(Game(game.name, {**game.options, "dealer": dealer}))


def _round_log(match: Match, number: int) -> tuple[list[list[str]], list[_Entry]]:
    """The hands of a round, and its part of the log, from the last deal on."""
    again = Match(match.game, match.players)
    hands, found = list[list[str]](), list[_Entry]()
    for actor, text in match.record()["log"]:
        found.append((actor, text))
        if actor != "pack":
            again.act(actor, text)
        elif again.spectator_view()["phase"] == "deal":
            again.deal(text)
            hands = [again.hand(seat) for seat in range(match.game.players)]
            found = found[-1:]
        else:
            again.deal(text)
        if len(again.rounds) == number:
            break
    return hands, found


def _deal_fields(match: Match, pack: Sequence[str]) -> tuple[Match, list[str]]:
    """A new match dealt from this pack, and the fields that describe the deal."""
    seats = _receivers(match)
    as_it_was = _with_pack(match, pack)
    hands = [as_it_was.hand(seat) for seat in range(match.game.players)]
    left = [card for card, seat in zip(pack, seats, strict=True) if seat is None]
    words = [_game_field(match.game), f"dealer {match.game.options['dealer']}"]
    words.append(
        " ".join(["hands", *(_format_hand(hand, match.game.rules.deck) for hand in hands)])
    )
    words += [" ".join(["left", *left])] * bool(left)
    again = _with_pack(match, _build_pack(seats, hands, left, None))
    if again.spectator_view() != as_it_was.spectator_view():
        # The last card dealt was shown, and belongs to the hand that received it.
        last = next(card for card in reversed(pack) if card not in left)
        words.append(f"last {last}")
        again = _with_pack(match, _build_pack(seats, hands, left, last))
    return again, words


def _game_field(game: Game) -> str:
    """The game, with the options that differ from their defaults."""
    usual = Game(game.name, {"players": game.players}).options
    by_default = Game(game.name, {}).players
    changed = [
        f"{name}={value}"
        for name, value in game.options.items()
        if name != "dealer" and value != (by_default if name == "players" else usual[name])
    ]
    return " ".join([game.name, *changed])


def _format_hand(cards: Sequence[str], deck: Deck) -> str:
    """A hand by suit: the ranks of clubs, diamonds, hearts and spades, separated by dots."""
    held = sorted(cards, key=deck.parse)
    suits = ["".join([card[0] for card in held if card[1] == suit]) for suit in SUITS]
    return ".".join(suits) if cards else _EMPTY_HAND


def _play_parts(match: Match, entries: Sequence[_Entry]) -> Iterator[str]:
    """The actions as one text for each trick or claim; the match carries them out on the way.

    The texts end where the match would differ from the recorded actions.
    """
    left, part = list(entries), list[str]()
    while left and not match.rounds:
        actor = "pack" if match.needs_pack else match.to_act[0]
        place = next((at for at, entry in enumerate(left) if entry[0] == actor), None)
        text = "" if place is None else left.pop(place)[1]
        if isinstance(actor, str):
            part.append(_apply_draw(match, text.split()))
            continue
        if match.refusal(actor, text) is not None:
            return
        if part and text.startswith(_PART_STARTS) and not match.trick_in_progress:
            yield _join_items(part)
            part = []
        match.act(actor, text)
        part.append(text.removeprefix("play "))
    yield _join_items(part)


def _join_items(items: Sequence[str]) -> str:
    """Joins items: cards with spaces, everything else with commas."""
    text = items[0]
    for before, item in pairwise(items):
        text += f" {item}" if _is_card(before) and _is_card(item) else f", {item}"
    return text


def _is_card(item: str) -> bool:
    return len(item) == 2 and item[1].upper() in SUITS


def _apply_draw(match: Match, pack: Sequence[str]) -> str:
    """Gives the pack of a draw; returns as many of its cards as decide the draw."""
    count = 1
    drawn = _with_pack(match, pack).spectator_view()
    while _with_pack(match, _pack_starting_with(match, pack[:count])).spectator_view() != drawn:
        count += 1
    match.deal(_pack_starting_with(match, pack[:count]))
    return " ".join(["drawn", *pack[:count]])


# Packs.


def _with_pack(match: Match, pack: Sequence[str]) -> Match:
    """A copy of the match that has received this pack."""
    again = Match.from_record(match.record())
    again.deal(pack)
    return again


def _pack_starting_with(match: Match, cards: Sequence[str]) -> list[str]:
    """The awaited pack with these cards in front."""
    return [*cards, *(card for card in match.pack if card not in cards)]


def _receivers(match: Match) -> list[int | None]:
    """The seat that receives the card at each index of the awaited pack; None where none does."""
    dealt = _with_pack(match, match.pack)
    holder = {card: seat for seat in range(match.game.players) for card in dealt.hand(seat)}
    return [holder.get(card) for card in match.pack]


def _build_pack(
    places: Sequence[int | None],
    hands: Sequence[Sequence[str]],
    left: Sequence[str],
    last: str | None,
) -> list[str]:
    """A pack that deals these hands; `last` is the last card dealt where it matters."""
    piles = {
        seat: [*(card for card in hand if card != last), *(card for card in hand if card == last)]
        for seat, hand in enumerate(hands)
    }
    cards = {seat: iter(pile) for seat, pile in piles.items()}
    rest = iter(left)
    return [next(rest) if seat is None else next(cards[seat]) for seat in places]


# Reading.


def parse(text: str) -> Match:
    """The match described by a line; its first round is that of the line.

    Args:
        text: the line, of a deal or of a round; it may be broken where it has a space.

    Raises:
        GameError: the text is not valid; the message says in which field or part, and why.
    """
    if not isinstance(text, str):
        raise GameError(f"a line is a text, not {quote(text)}")
    head, *fields = [" ".join(field.split()) for field in text.split(";")]
    dealer, hands = _take_field(fields, "dealer"), _take_field(fields, "hands").split()
    match = _match_from_fields(head, dealer)
    match.deal(_parse_pack(match, hands, fields))
    if len(fields) > 1:
        raise GameError(f"nothing stands behind what was done, not {quote(fields[1])}")
    for number, part in enumerate(fields[0].split("/") if fields and fields[0] else (), start=1):
        if number > 1 and match.trick_in_progress:
            raise GameError(f"part {number - 1} of the play ends within a trick")
        for item in map(str.strip, part.split(",")):
            _apply_item(match, item, f"part {number} of the play")
    return match


def _take_field(fields: list[str], label: str, *, needed: bool = True) -> str:
    """Removes the next field and returns its text after the label."""
    first, _, text = (fields[0] if fields else "").partition(" ")
    if first.lower() == label:
        fields.pop(0)
        return text
    if needed:
        found = quote(fields[0]) if fields else "the end"
        raise GameError(f"the field `{label}` is awaited, not {found}")
    return ""


def _match_from_fields(head: str, dealer: str) -> Match:
    """The match of the first two fields."""
    name, *rules = head.split() or [""]
    given: dict[str, object] = {"dealer": int(dealer) if _NUMBER.fullmatch(dealer) else dealer}
    for rule in rules:
        option, equals, value = rule.partition("=")
        if not equals:
            raise GameError(f"a house rule is written name=value, not {quote(rule)}")
        if option in given:
            raise GameError(f"{option} is given twice")
        given[option] = _option_value(name, option, value)
    return Match(Game(name, given))


def _option_value(game: str, option: str, text: str) -> Value:
    """The option value that a text stands for; an invalid text is left for the game to refuse."""
    options = REGISTRY[game].options if game in REGISTRY else ()
    for one in options:
        if one.name == option and isinstance(one, Choice):
            return next((value for value in one.values if str(value) == text), text)
    return int(text) if _NUMBER.fullmatch(text) else text


def _parse_pack(match: Match, texts: Sequence[str], fields: list[str]) -> list[str]:
    """A pack that deals the hands of a line; removes the fields that describe the pack."""
    deck, places = match.game.rules.deck, _receivers(match)
    if len(texts) != match.game.players:
        raise GameError(f"hands: {match.game.players} are awaited, not {len(texts)}")
    hands = [_parse_hand(text, deck) for text in texts]
    for seat, hand in enumerate(hands):
        if len(hand) != places.count(seat):
            raise GameError(
                f"hands: seat {seat} is dealt {places.count(seat)} cards, not {len(hand)}"
            )
    left = _parse_cards(deck, _take_field(fields, "left", needed=False), "left")
    if len(left) != places.count(None):
        raise GameError(f"left: {places.count(None)} cards are left, not {len(left)}")
    last = _parse_cards(deck, _take_field(fields, "last", needed=False), "last")
    dealt = max(place for place, seat in enumerate(places) if seat is not None)
    holder = places[dealt]
    assert holder is not None
    if last and (len(last) != 1 or last[0] not in hands[holder]):
        raise GameError(f"last: it is one card, of seat {holder}")
    pack = _build_pack(places, hands, left, last[0] if last else None)
    if sorted(pack) != sorted(match.pack):
        twice = [card for card in dict.fromkeys(pack) if pack.count(card) > 1]
        problem = f"{' '.join(twice)} twice" if twice else "a card that is not in the pack"
        raise GameError(f"hands: {problem}")
    return pack


def _parse_hand(text: str, deck: Deck) -> list[str]:
    """The cards of a hand, in order."""
    suits = text.split(".")
    if text == _EMPTY_HAND:
        return []
    if len(suits) != len(SUITS):
        raise GameError(
            f"hands: a hand is four suits with dots between them, or {_EMPTY_HAND}, "
            f"not {quote(text)}"
        )
    ranks = [f"{rank}{suit}" for suit, some in zip(SUITS, suits, strict=True) for rank in some]
    return _parse_cards(deck, " ".join(ranks), "hands")


def _parse_cards(deck: Deck, text: str, field: str) -> list[str]:
    """Parses the cards of a text, with the field in the error message."""
    try:
        return [deck.texts[card] for card in deck.parse_all(text)]
    except GameError as error:
        raise GameError(f"{field}: {error}") from error


def _apply_item(match: Match, item: str, where: str) -> None:
    """Carries out one item: the play of cards, a draw, or any other action."""
    first, *others = item.split() or [""]
    try:
        if match.rounds:
            raise GameError("the round is over")
        if first.lower() == "drawn":
            match.deal(
                _pack_starting_with(
                    match, _parse_cards(match.game.rules.deck, " ".join(others), "drawn")
                )
            )
        elif match.needs_pack:
            raise GameError("a draw is awaited, such as `drawn 7D`")
        elif all(map(_is_card, (first, *others))):
            for card in (first, *others):
                match.act(match.to_act[0], card)
        else:
            match.act(match.to_act[0], item)
    except ValueError as error:
        raise GameError(f"{where}, {quote(item)}: {error}") from error
