"""Narrates claims: cards laid face down, doubts, and who takes the middle.

A pass is not narrated; the table shows it while a claim is being answered.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from rich.text import Text

from jasstisch.bots import View
from jasstisch.cli.ui.card_style import CardStyle
from jasstisch.cli.ui.hand_view import card_count_text, card_row
from jasstisch.cli.ui.player_names import PlayerNames

_Turn = Mapping[str, Any]
"""One turn of a deal, as in a view."""

_EMPTY_TURN: _Turn = {"drew": 0, "rank": None, "passed": [], "doubter": None}


def describe_claims(
    before: View, after: View, seats: PlayerNames, card_style: CardStyle
) -> Iterator[Text]:
    """Yields the turns of a deal between two views of the same reader."""
    known = [] if before["phase"] == "deal" else before["turns"]
    for place, turn in enumerate(after["turns"]):
        old = known[place] if place < len(known) else _EMPTY_TURN
        if turn["drew"] and not old["drew"]:
            yield _describe_draw(turn, seats, card_style)
        if turn["rank"] is None:
            if place >= len(known) and not turn["drew"]:
                yield seats.translator("claim.misses", who=seats.subject(turn["seat"]))
            continue
        if old["rank"] is None:
            yield _describe_lay(turn, seats, card_style)
        if turn["doubter"] is not None and old["doubter"] is None:
            yield _describe_doubt(turn, bool(after["options"]["lie_fee"]), seats, card_style)
        if len(turn["passed"]) == len(seats) - 1 > len(old["passed"]):
            yield Text.assemble(seats.translator("claim.not_doubted"), _describe_pile(after, seats))


def describe_last_claim(view: View, seats: PlayerNames, card_style: CardStyle) -> Text:
    """Returns the last settled claim of this deal and its outcome."""
    open_claims = 1 if view["claim"] else 0
    made = [turn for turn in view["turns"] if turn["rank"] is not None]
    settled = made[: len(made) - open_claims]
    if not settled:
        return seats.translator("claim.none")
    turn = settled[-1]
    if turn["doubter"] is None:
        return Text.assemble(
            _describe_lay(turn, seats, card_style), seats.translator("claim.was_not_doubted")
        )
    fee = bool(view["options"]["lie_fee"])
    return Text.assemble(
        _describe_lay(turn, seats, card_style), " ", _describe_doubt(turn, fee, seats, card_style)
    )


def _describe_draw(turn: _Turn, seats: PlayerNames, card_style: CardStyle) -> Text:
    """Returns that a player drew up to three cards (ID5)."""
    cards: Text | str = card_count_text(turn["drew"], seats.translator)
    if turn["drawn"]:
        cards = card_row(turn["drawn"], card_style)
    return seats.translator("claim.draws", who=seats.subject(turn["seat"]), cards=cards)


def _describe_lay(turn: _Turn, seats: PlayerNames, card_style: CardStyle) -> Text:
    """Returns that a player laid cards, with the cards if the reader knows them."""
    who = seats.subject(turn["seat"])
    called = card_style.count_text(turn["rank"], turn["count"])
    if turn["doubter"] is None and turn["laid"]:
        cards = card_row(turn["laid"], card_style)
        return seats.translator("claim.lays_as", who=who, cards=cards, what=called)
    return seats.translator("claim.lays", who=who, what=Text(called, "bold"))


def _describe_doubt(turn: _Turn, fee: bool, seats: PlayerNames, card_style: CardStyle) -> Text:
    """Returns the cards turned up after a doubt, their taker, and the fee for a lie (ID3, ID9)."""
    speech = seats.translator
    colour, verdict = ("bold green", "truth") if turn["truth"] else ("bold red", "lie")
    cards = card_row(turn["laid"], card_style)
    taken = card_count_text(turn["taken"], speech)
    return Text.assemble(
        speech("claim.doubts", who=seats.subject(turn["doubter"]), cards=cards),
        (speech.plain(f"claim.{verdict}"), colour),
        speech("claim.takes", who=seats.subject(turn["taker"]), cards=taken),
        speech("claim.fee") if fee and not turn["truth"] else ".",
    )


def _describe_pile(view: View, seats: PlayerNames) -> Text:
    """Returns the number of cards in the middle while a deal is in progress."""
    if view["phase"] != "lay":
        return Text()
    return seats.translator("news.middle", cards=card_count_text(view["middle"], seats.translator))


def describe_deal_end(finished: Mapping[str, Any], seats: PlayerNames) -> Text:
    """Returns why a deal is over and who is paid (ID6, ID8)."""
    left = finished["left"]
    best = [seat for seat, cards in enumerate(left) if cards == min(left)]
    if not min(left):
        return seats.translator("claim.out", who=seats.subject(best[0]))
    claims = seats.translator("claim.ended", n=finished["claims"])
    if len(best) > 1:
        return claims.append_text(seats.translator("claim.several"))
    return claims.append_text(seats.translator("claim.fewest", who=seats.subject(best[0])))
