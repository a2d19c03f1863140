"""Why an action is refused, said to a person at the table.

The match gives a code and the clause; here it becomes a sentence with the suits of the deck in use.
"""

from collections.abc import Sequence

from rich.text import Text

from jasstisch.cli.faces import Faces
from jasstisch.errors import Refusal
from jasstisch.games.rules import Json

__all__ = ["explain"]


def explain(refusal: Refusal, action: str, legal: Sequence[str], view: Json, faces: Faces) -> Text:
    """A sentence that says what is wrong with an action and what may be done instead.

    Args:
        refusal: what the match says.
        action: the action as it was understood.
        legal: the actions that may be done.
        view: what the person sees.
        faces: the deck.
    """
    match refusal.reason:
        case "bid":
            return Text("A bid is a whole number from 0 to 157, such as 42. Type ? for help.")
        case "unknown":
            hand = view["hand"]
            card = faces.typed(hand[0])
            return Text(f"Type a number below a card, a card such as {card}, or ? for help.")
        case "not_held":
            return Text.assemble("You do not hold ", faces.card(action[-2:]), ".")
        case _:
            return card_refused(refusal, action, legal, view, faces)


def card_refused(
    refusal: Refusal, action: str, legal: Sequence[str], view: Json, faces: Faces
) -> Text:
    """Why a card of the hand may not be played, and which ones may."""
    playable = Text(", ").join([faces.card(text[-2:]) for text in legal])
    return Text.assemble(
        faces.card(action[-2:]),
        " may not be played: ",
        reason(refusal, view, faces),
        (f"  {refusal.clause}", "dim"),
        "\nYou may play ",
        playable,
        ".",
    )


def reason(refusal: Refusal, view: Json, faces: Faces) -> Text:
    """The reason, as a sentence of its own."""
    led = faces.suit(view["trick"][0][1][1]) if view["trick"] else Text()
    trump = faces.suit(view["trump"]) if view["trump"] else Text()
    match refusal.reason:
        case "follow":
            return Text.assemble(led, " were led and you hold some: follow suit.")
        case "follow_trump":
            return Text.assemble(led, " were led, they are trump and you hold some: follow suit.")
        case "follow_or_trump":
            return Text.assemble(
                led, " were led and you hold some: follow suit or trump with ", trump, "."
            )
        case "undertrump":
            return Text(
                "a higher trump lies in the trick already, and a lower one may not be added."
            )
        case "overtrump":
            return Text("you hold a higher trump than lies in the trick: play it.")
        case "trump_if_you_can":
            return Text.assemble("you must play a trump, ", trump, ".")
        case _:
            return Text(f"{refusal.text}.")
