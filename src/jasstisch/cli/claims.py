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
                does = seats.does(turn["seat"], "miss")
                yield Text(f"{does} a turn: the middle holds too few cards to draw.")
            continue
        if old["rank"] is None:
            yield laid(turn, seats, faces)
        if turn["doubter"] is not None and old["doubter"] is None:
            yield doubted(turn, bool(after["options"]["lie_fee"]), seats, faces)
        if len(turn["passed"]) == len(seats) - 1 > len(old["passed"]):
            yield Text(f"Nobody doubts it.{middle(after)}")


def last_claim(view: View, seats: Seats, faces: Faces) -> Text:
    """The last claim of this deal that is settled, and how it went."""
    open_claims = 1 if view["claim"] else 0
    made = [turn for turn in view["turns"] if turn["rank"] is not None]
    settled = made[: len(made) - open_claims]
    if not settled:
        return Text("No claim is settled in this deal yet.")
    turn = settled[-1]
    if turn["doubter"] is None:
        return Text.assemble(laid(turn, seats, faces), " Nobody doubted it.")
    fee = bool(view["options"]["lie_fee"])
    return Text.assemble(laid(turn, seats, faces), " ", doubted(turn, fee, seats, faces))


def drawn(turn: Turn, seats: Seats, faces: Faces) -> Text:
    """Somebody drew up to three cards (ID5)."""
    does = seats.does(turn["seat"], "draw")
    if turn["drawn"]:
        cards = cards_side_by_side(turn["drawn"], faces)
        return Text.assemble(f"{does} ", cards, " from the middle.")
    return Text(f"{does} {in_words(turn['drew'])} from the middle.")


def laid(turn: Turn, seats: Seats, faces: Faces) -> Text:
    """Somebody laid cards; which ones, only where the reader knows."""
    does = seats.does(turn["seat"], "lay")
    called = faces.several(turn["rank"], turn["count"])
    if turn["doubter"] is None and turn["laid"]:
        cards = cards_side_by_side(turn["laid"], faces)
        return Text.assemble(f"{does} ", cards, f" as {called}.")
    return Text.assemble(f"{does} ", (called, "bold"), ".")


def doubted(turn: Turn, fee: bool, seats: Seats, faces: Faces) -> Text:
    """The cards turned up after a doubt, who takes all of them, and what a lie costs (ID3, ID9)."""
    colour, verdict = ("bold green", "True") if turn["truth"] else ("bold red", "A lie")
    return Text.assemble(
        f"{seats.does(turn['doubter'], 'doubt')} it: ",
        cards_side_by_side(turn["laid"], faces),
        ". ",
        (f"{verdict}!", colour),
        f" {seats.does(turn['taker'], 'take')} {in_words(turn['taken'])}",
        "; the lie costs a chip." if fee and not turn["truth"] else ".",
    )


def middle(view: View) -> str:
    """How many cards lie in the middle, while a deal goes on."""
    return f" The middle holds {in_words(view['middle'])}." if view["phase"] == "lay" else ""


def deal_ended(finished: Mapping[str, Any], seats: Seats) -> Text:
    """Why a deal is over, and who is paid (ID6, ID8)."""
    left = finished["left"]
    best = [seat for seat, cards in enumerate(left) if cards == min(left)]
    if not min(left):
        has = seats.does(best[0], "have")
        return Text(f"{has} no cards left: a chip for each card of the others.")
    claims = f"{finished['claims']} claims end the deal: "
    if len(best) > 1:
        return Text(f"{claims}several hold the fewest cards, and nothing is paid.")
    has = seats.does(best[0], "have")
    return Text(f"{claims}{has} the fewest cards, and a chip for each further one of the others.")
