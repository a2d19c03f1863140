"""Explains to the person why an action is illegal.

The match gives a reason code and a clause. This module turns them into the sentence that the page
shows too, with the suits of the deck in use.
"""

from collections.abc import Iterable, Sequence

from rich.text import Text

from jasstisch.bots import View
from jasstisch.cli.game.prompts import Prompt, played_card
from jasstisch.cli.ui.card_style import CardStyle
from jasstisch.cli.ui.score_tables import capitalize
from jasstisch.engine.errors import Refusal, count_seats_from_one

_TRUMP_RANKS = "678TQKA9J"
"""The ranks of trumps, low to high (C2)."""


def explain(refusal: Refusal, action: str, question: Prompt, card_style: CardStyle) -> Text:
    """Returns a sentence that says what is wrong with an action and what is allowed.

    Args:
        refusal: the refusal by the match.
        action: the action as parsed.
        question: the prompt that was answered.
        card_style: the style of the cards.
    """
    view, say = question.view, card_style.translator
    held = set(view["hand"])
    match refusal.reason:
        case "unknown" | "bid" | "lay" | "answer" | "contract":
            return Text(question.short_help)
        case "not_held":
            named = map(card_style.parse_card, action.partition(" as ")[0].split())
            absent = dict.fromkeys(card for card in named if card and card not in held)
            return say("refusal.not_held", cards=_card_list(absent, card_style))
        case "blind" | "weis":
            return _with_clause(say.shared_text(f"reason_{refusal.reason}"), refusal)
        case "rob":
            six = card_style.card_text(f"6{view['trump']}") if view["trump"] else ""
            return _with_clause(say.shared_text("reason_rob", six=six), refusal)
        case _ if played_card(action) in held:
            return _explain_card(refusal, action, question, card_style)
        case _:
            return _with_clause(_reason_sentence(refusal, card_style), refusal).append(
                f"\n{question.short_help}"
            )


def _with_clause(what: Text, refusal: Refusal) -> Text:
    """Appends the clause to a sentence."""
    return what.append(f"  {refusal.clause}", "dim")


def _card_list(cards: Iterable[str], card_style: CardStyle) -> Text:
    """Returns cards separated by commas."""
    return Text(", ").join(map(card_style.card_text, cards))


def _explain_card(refusal: Refusal, action: str, question: Prompt, card_style: CardStyle) -> Text:
    """Explains why a card of the hand may not be played, and which cards may."""
    say = card_style.translator
    open_ = [card for card in dict.fromkeys(map(played_card, question.legal)) if card]
    why = _reason_text(refusal, question.view, open_, card_style)
    text = _with_clause(
        say("refusal.card", card=card_style.card_text(action.split()[1]), why=why), refusal
    )
    if open_:
        text.append("\n").append_text(say("refusal.may", cards=_card_list(open_, card_style)))
    return text


def _reason_text(
    refusal: Refusal, view: View, playable: Sequence[str], card_style: CardStyle
) -> Text:
    """Returns the reason as on the page: the suit led, the hand, and what is allowed."""
    why = _describe_trick(refusal.reason, view, card_style) if view["trick"] and playable else None
    if why is None:
        return _reason_sentence(refusal, card_style)
    may = _describe_allowed(view, playable, card_style)
    return capitalize(card_style.translator.shared_text("why", cause=why, allowed=may))


def _reason_sentence(refusal: Refusal, card_style: CardStyle) -> Text:
    """Returns the sentence of a reason code; that of the rules where the page has none."""
    text = card_style.translator.shared_texts.get(f"reason_{refusal.reason}")
    text = text or count_seats_from_one(refusal.text)
    return Text(f"{text[:1].upper()}{text[1:]}".removesuffix(".") + ".")


def _describe_trick(why: str, view: View, card_style: CardStyle) -> Text | None:
    """Describes the trick and the hand; None if the reason does not depend on them."""
    say, suit = card_style.translator, view["trick"][0][1][1]
    led = card_style.suit_text(suit)
    trump = card_style.suit_text(view["trump"]) if view["trump"] else Text()
    highest = _top_trump(view)
    top = card_style.card_text(highest) if highest else trump
    match why:
        case "follow" | "follow_or_trump":
            return say.shared_text("why_led_held", led=led)
        case "follow_trump":
            return say.shared_text("why_trump_led", trump=trump)
        case "undertrump":
            held = any(card[1] == suit for card in view["hand"])
            return say.shared_text(f"why_trumped_{'held' if held else 'void'}", led=led, top=top)
        case "overtrump":
            return say.shared_text("why_higher_held", led=led, top=top)
        case "trump_if_you_can":
            return say.shared_text("why_trump_held", led=led, trump=trump)
        case _:
            return None


def _describe_allowed(view: View, playable: Sequence[str], card_style: CardStyle) -> Text:
    """Describes what may be played instead."""
    say, led, trump = card_style.translator, view["trick"][0][1][1], view["trump"]
    suits = {card[1] for card in playable}
    trumps = trump in suits
    higher = trumps and led != trump and _must_overtrump(view, playable)
    if led == trump:
        return say.shared_text("may_trump")
    if led in suits:
        name = "follow" if not trumps else "follow_or_higher" if higher else "follow_or_trump"
        return say.shared_text(f"may_{name}", trump=card_style.suit_text(trump) if trumps else "")
    if suits - {trump}:
        return say.shared_text("may_discard_or_higher" if higher else "may_discard")
    return say.shared_text("may_higher" if higher else "may_trump")


def _must_overtrump(view: View, playable: Sequence[str]) -> bool:
    """Returns whether only trumps above the highest one in the trick may be played (C9)."""
    top = _top_trump(view)
    if top is None or view["options"].get("undertrump") == "free":
        return False
    trumps = [card for card in playable if card[1] == view["trump"]]
    return all(_trump_rank(card) > _trump_rank(top) for card in trumps)


def _top_trump(view: View) -> str | None:
    """Returns the highest trump in the trick."""
    trumps = [card for _, card in view["trick"] if card[1] == view["trump"]]
    return max(trumps, key=_trump_rank, default=None)


def _trump_rank(card: str) -> int:
    """Returns the rank of a card among trumps (C2)."""
    return _TRUMP_RANKS.index(card[0])
