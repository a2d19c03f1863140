"""What there is to tell of cards laid face down: claims, doubts, and who takes the middle.

That somebody passes is no news; it stands on the table while a claim is being answered.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from rich.text import Text

from jasstisch.bots import View
from jasstisch.cli.faces import Faces
from jasstisch.cli.hands import cards_side_by_side, in_words
from jasstisch.cli.seats import Seats

__all__ = ["claims_told", "deal_ended", "last_claim"]

Turn = Mapping[str, Any]
"""One turn of a deal, as a view has it."""

UNTOLD: Turn = {"drew": 0, "rank": None, "passed": [], "doubter": None}


def claims_told(before: View, after: View, seats: Seats, faces: Faces) -> Iterator[Text]:
    """The news of the turns of a deal, between two views of the same reader."""
    known = [] if before["phase"] == "deal" else before["turns"]
    for place, turn in enumerate(after["turns"]):
        old = known[place] if place < len(known) else UNTOLD
        if turn["drew"] and not old["drew"]:
            yield drawn(turn, seats, faces)
        if turn["rank"] is None:
            if place >= len(known) and not turn["drew"]:
                yield seats.speech("claim.misses", who=seats.who(turn["seat"]))
            continue
        if old["rank"] is None:
            yield laid(turn, seats, faces)
        if turn["doubter"] is not None and old["doubter"] is None:
            yield doubted(turn, bool(after["options"]["lie_fee"]), seats, faces)
        if len(turn["passed"]) == len(seats) - 1 > len(old["passed"]):
            yield Text.assemble(seats.speech("claim.not_doubted"), middle(after, seats))


def last_claim(view: View, seats: Seats, faces: Faces) -> Text:
    """The last claim of this deal that is settled, and how it went."""
    open_claims = 1 if view["claim"] else 0
    made = [turn for turn in view["turns"] if turn["rank"] is not None]
    settled = made[: len(made) - open_claims]
    if not settled:
        return seats.speech("claim.none")
    turn = settled[-1]
    if turn["doubter"] is None:
        return Text.assemble(laid(turn, seats, faces), seats.speech("claim.was_not_doubted"))
    fee = bool(view["options"]["lie_fee"])
    return Text.assemble(laid(turn, seats, faces), " ", doubted(turn, fee, seats, faces))


def drawn(turn: Turn, seats: Seats, faces: Faces) -> Text:
    """Somebody drew up to three cards (ID5)."""
    cards: Text | str = in_words(turn["drew"], seats.speech)
    if turn["drawn"]:
        cards = cards_side_by_side(turn["drawn"], faces)
    return seats.speech("claim.draws", who=seats.who(turn["seat"]), cards=cards)


def laid(turn: Turn, seats: Seats, faces: Faces) -> Text:
    """Somebody laid cards; which ones, only where the reader knows."""
    who = seats.who(turn["seat"])
    called = faces.several(turn["rank"], turn["count"])
    if turn["doubter"] is None and turn["laid"]:
        cards = cards_side_by_side(turn["laid"], faces)
        return seats.speech("claim.lays_as", who=who, cards=cards, what=called)
    return seats.speech("claim.lays", who=who, what=Text(called, "bold"))


def doubted(turn: Turn, fee: bool, seats: Seats, faces: Faces) -> Text:
    """The cards turned up after a doubt, who takes all of them, and what a lie costs (ID3, ID9)."""
    speech = seats.speech
    colour, verdict = ("bold green", "truth") if turn["truth"] else ("bold red", "lie")
    cards = cards_side_by_side(turn["laid"], faces)
    taken = in_words(turn["taken"], speech)
    return Text.assemble(
        speech("claim.doubts", who=seats.who(turn["doubter"]), cards=cards),
        (speech.plain(f"claim.{verdict}"), colour),
        speech("claim.takes", who=seats.who(turn["taker"]), cards=taken),
        speech("claim.fee") if fee and not turn["truth"] else ".",
    )


def middle(view: View, seats: Seats) -> Text:
    """How many cards lie in the middle, while a deal goes on."""
    if view["phase"] != "lay":
        return Text()
    return seats.speech("news.middle", cards=in_words(view["middle"], seats.speech))


def deal_ended(finished: Mapping[str, Any], seats: Seats) -> Text:
    """Why a deal is over, and who is paid (ID6, ID8)."""
    left = finished["left"]
    best = [seat for seat, cards in enumerate(left) if cards == min(left)]
    if not min(left):
        return seats.speech("claim.out", who=seats.who(best[0]))
    claims = seats.speech("claim.ended", n=finished["claims"])
    if len(best) > 1:
        return claims.append_text(seats.speech("claim.several"))
    return claims.append_text(seats.speech("claim.fewest", who=seats.who(best[0])))
