"""Reads rounds of Schieber in the JSON form of the game logs that jass-kit writes.

An entry is one round: the game, and with it a date and the ids of the players. Players are numbered
clockwise and play counterclockwise, cards are written as `D10`. A log does not hold the order of
the pack, the names, Weis and Stöck, nor the rounds before it. So an entry becomes a match that has
just begun, without Weis, with a pack that deals the same hands.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from jasstisch.engine.cards import JASS, card_set
from jasstisch.engine.errors import GameError, IllegalAction, quote
from jasstisch.engine.tricks import LAST_TRICK
from jasstisch.games import game as make_game
from jasstisch.games.contracts import CONTRACTS, PUSH
from jasstisch.games.dealing import deal
from jasstisch.games.schieber import Schieber
from jasstisch.games.trick_taking import points_of
from jasstisch.match.match import Match

UNKNOWN = "the order of the pack, the players' names, Weis and Stöck, and the rounds before"
"""What a log does not hold."""

_CONTRACTS = ("trump D", "trump H", "trump S", "trump C", "tops", "bottoms")
_DATE = re.compile(r"(\d\d)\.(\d\d)\.(\d\d) (\d\d:\d\d:\d\d)")
_PLAYERS = 4
_TRICKS = 9
_CARDS = {
    suit + rank: rank.replace("10", "T") + suit
    for suit in "DHSC"
    for rank in ("A", "K", "Q", "J", "10", "9", "8", "7", "6")
}


def match_of(entry: object) -> Match:
    """The match whose first round is the round of an entry, as far as it was played.

    Args:
        entry: a line of a log as JSON, or its `game` alone.

    Raises:
        GameError: it is no such entry, or what it says contradicts itself or the rules; the message
            says where.
    """
    whole = _mapping(entry, "the entry")
    logged = _mapping(whole.get("game", whole), "game")
    tricks = [_mapping(one, f"tricks[{number}]") for number, one in enumerate(_tricks(logged))]
    dealer = _seat(_number(logged, "dealer", 0, _PLAYERS - 1))
    match = Match(make_game("schieber", dealer=dealer, weis="off"), _names(whole))
    plays = list(_plays(tricks))
    match.deal(" ".join(_pack(dealer, _hands(logged, plays))))
    for action in _announcement(logged):
        _act(match, match.to_act[0], action, "the announcement")
    for number, place, seat, card in plays:
        where = f"card {place + 1} of tricks[{number}]"
        if match.to_act != (seat,):
            raise GameError(f"{where}: it is not this player's turn")
        _act(match, seat, f"play {card}", where)
    _check_tricks(tricks, match)
    match.about = _about(whole)
    return match


def _act(match: Match, seat: int, action: str, where: str) -> None:
    try:
        match.act(seat, action)
    except IllegalAction as error:
        raise GameError(f"{where}: {error}") from error


# The parts of an entry.


def _mapping(value: object, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise GameError(f"{where} is an object, not {quote(value)}")
    return value


def _number(logged: Mapping[str, Any], key: str, low: int, high: int) -> int:
    value = logged.get(key)
    if type(value) is not int or not low <= value <= high:
        raise GameError(f"{key} is a number from {low} to {high}, not {quote(value)}")
    return value


def _seat(player: int) -> int:
    """The seat of a player: seats are counted in order of play."""
    return -player % _PLAYERS


def _tricks(logged: Mapping[str, Any]) -> Sequence[object]:
    tricks = logged.get("tricks")
    if not isinstance(tricks, list) or len(tricks) > _TRICKS:
        raise GameError(f"tricks is a list of at most {_TRICKS} tricks, not {quote(tricks)}")
    return tricks


def _plays(tricks: Sequence[Mapping[str, Any]]) -> Iterator[tuple[int, int, int, str]]:
    """The plays in order: number of the trick, place in it, seat and card."""
    for number, trick in enumerate(tricks):
        cards = _cards(trick.get("cards", []), f"cards of tricks[{number}]")
        if not cards:
            continue
        first = _number(trick, "first", 0, _PLAYERS - 1)
        for place, card in enumerate(cards):
            yield number, place, (_seat(first) + place) % _PLAYERS, card


def _cards(value: object, where: str) -> list[str]:
    if not isinstance(value, list):
        raise GameError(f"{where} are a list, not {quote(value)}")
    for card in value:
        if not isinstance(card, str) or card not in _CARDS:
            raise GameError(f"{where}: {quote(card)} is no card; cards are written like D10")
    return [_CARDS[card] for card in value]


def _hands(
    logged: Mapping[str, Any], plays: Sequence[tuple[int, int, int, str]]
) -> list[list[str]]:
    """The nine cards dealt to each seat: those it has played and those it still holds."""
    holders = logged.get("player", [{}] * _PLAYERS)
    if not isinstance(holders, list) or len(holders) != _PLAYERS:
        raise GameError(f"player is a list of {_PLAYERS} hands, not {quote(holders)}")
    hands: list[list[str]] = [[] for _ in range(_PLAYERS)]
    for player, holder in enumerate(holders):
        held = _mapping(holder, f"player[{player}]").get("hand", [])
        hands[_seat(player)] += _cards(held, f"hand of player[{player}]")
    for _, _, seat, card in plays:
        hands[seat].append(card)
    dealt = [card for hand in hands for card in hand]
    if len(set(dealt)) != len(_CARDS) or any(len(hand) != _TRICKS for hand in hands):
        raise GameError(
            f"the cards played and held are not {_TRICKS} of each player but "
            f"{', '.join(str(len(hand)) for hand in hands)}, {len(set(dealt))} different ones: "
            "a log of what one player saw does not hold the whole deal"
        )
    return hands


def _pack(dealer: int, hands: Sequence[Sequence[str]]) -> list[str]:
    """A pack from which these hands are dealt (C6)."""
    seats = [(dealer + 1 + place) % _PLAYERS for place in range(_PLAYERS)]
    places = deal(range(len(_CARDS)), Schieber.PACKETS[_PLAYERS], seats)
    pack = [""] * len(_CARDS)
    for seat, own in zip(seats, places, strict=True):
        for place, card in zip(own, hands[seat], strict=True):
            pack[place] = card
    return pack


def _announcement(logged: Mapping[str, Any]) -> list[str]:
    """The push, if there was one, and the contract, if it is known."""
    trump = _number(logged, "trump", -1, len(_CONTRACTS) - 1) if "trump" in logged else -1
    if "forehand" in logged:
        pushed = _number(logged, "forehand", -1, 1) == 0
    else:  # the form before version V0.2
        pushed = logged.get("tss") == 1
    return [PUSH] * pushed + ([] if trump < 0 else [_CONTRACTS[trump]])


def _check_tricks(tricks: Sequence[Mapping[str, Any]], match: Match) -> None:
    """Checks the winners and points that the log holds for complete tricks."""
    known = match.rounds[0] if match.rounds else match.view(None)
    for number, (trick, ours) in enumerate(zip(tricks, known["tricks"], strict=False)):
        if "win" in trick and _seat(_number(trick, "win", 0, _PLAYERS - 1)) != ours["winner"]:
            raise GameError(f"tricks[{number}] was won by another player than it says")
        ranking = CONTRACTS[known["contract"]].value_ranking
        points = points_of(card_set(JASS.numbers[card] for card in ours["cards"]), ranking)
        points += LAST_TRICK * (number == _TRICKS - 1)
        if trick.get("points", points) != points:
            raise GameError(
                f"tricks[{number}] counts {points} points, not {quote(trick['points'])}"
            )


def _names(whole: Mapping[str, Any]) -> list[str]:
    """The names by seat: the ids of the players, or their places at the table."""
    ids = whole.get("player_ids")
    if isinstance(ids, list) and len(ids) == _PLAYERS and all(type(one) is int for one in ids):
        by_player = [f"player {one}" for one in ids]
    else:
        by_player = ["North", "East", "South", "West"]
    return [by_player[-seat % _PLAYERS] for seat in range(_PLAYERS)]


def _about(whole: Mapping[str, Any]) -> dict[str, Any]:
    about: dict[str, Any] = {"source": "jass-kit", "unknown": UNKNOWN}
    date = whole.get("date")
    if isinstance(date, str):
        about["date"] = _DATE.sub(r"20\3-\2-\1T\4", date)
    return about
