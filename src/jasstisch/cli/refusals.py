"""Why an action is refused, said to a person at the table.

The match gives a code and the clause; here it becomes a sentence with the suits of the deck in use.
"""

from rich.text import Text

from jasstisch.bots import View
from jasstisch.cli.faces import Faces
from jasstisch.cli.questions import Question, card_played
from jasstisch.errors import Refusal

__all__ = ["explain"]


def explain(refusal: Refusal, action: str, question: Question, faces: Faces) -> Text:
    """A sentence that says what is wrong with an action and what may be done instead.

    Args:
        refusal: what the match says.
        action: the action as it was understood.
        question: what the person was asked.
        faces: the deck.
    """
    held = set(question.view["hand"])
    match refusal.reason:
        case "unknown" | "bid" | "lay" | "answer" | "contract":
            return Text(question.hint)
        case "not_held":
            named = map(faces.read, action.partition(" as ")[0].split())
            absent = dict.fromkeys(card for card in named if card and card not in held)
            cards = Text(", ").join([faces.card(card) for card in absent])
            return Text.assemble("You do not hold ", cards, ".")
        case "blind" | "rob" | "weis":
            text = refusal.text.replace(f"seat {question.view['seat']} holds", "you hold")
            text = text.replace(f"seat {question.view['seat']} does", "you do")
            return Text.assemble(text[0].upper(), text[1:], (f".  {refusal.clause}", "dim"))
        case _ if card_played(action) in held:
            return card_refused(refusal, action, question, faces)
        case _:
            return Text.assemble(
                f"{refusal.text[:1].upper()}{refusal.text[1:]}.",
                (f"  {refusal.clause}", "dim"),
                f"\n{question.hint}",
            )


def card_refused(refusal: Refusal, action: str, question: Question, faces: Faces) -> Text:
    """Why a card of the hand may not be played, and which ones may."""
    open_ = [card for card in dict.fromkeys(map(card_played, question.legal)) if card]
    return Text.assemble(
        faces.card(action.split()[1]),
        " may not be played: ",
        reason(refusal, question.view, faces),
        (f"  {refusal.clause}", "dim"),
        *(("\nYou may play ", Text(", ").join(map(faces.card, open_)), ".") if open_ else ()),
    )


def reason(refusal: Refusal, view: View, faces: Faces) -> Text:
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
