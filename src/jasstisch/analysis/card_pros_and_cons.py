"""Arguments about a card in any trick-taking game, whatever the player wants of the trick.

Each function checks one argument and returns it, or None if it does not hold. Whether it is good or
bad to take a trick depends on the game, which selects the functions that fit its aim at the moment.
"""

from jasstisch.analysis.candidate_card import CandidateCard
from jasstisch.analysis.pros_and_cons import Argument
from jasstisch.engine import tricks
from jasstisch.engine.cards import JASS
from jasstisch.i18n.templates import Values

_VALUABLE = 10
"""Points from which a card is valuable: ten, ace, Nell and Bur."""

_WORTHLESS = 4
"""Points up to which a trick is hardly worth a strong card."""

_HARDLY_ANY = 1
"""Up to this many higher cards outstanding, it is unlikely that one of them follows."""


# Where the trick is not wanted.


def already_beaten(card: CandidateCard) -> Argument | None:
    """The card is beaten already."""
    if card.win_status != "lost":
        return None
    if card.trick_points:
        return Argument("leaves", {"card": card.text, "points": card.trick_points})
    return Argument("stays_out", {"card": card.text})


def sheds(card: CandidateCard) -> Argument | None:
    """A valuable card goes into a trick that another player has to take."""
    if card.win_status == "lost" and card.card_value >= _VALUABLE:
        return Argument("sheds", {"card": card.text, "worth": card.card_value})
    return None


def high_under(card: CandidateCard) -> Argument | None:
    """The highest card that still loses is played, and lower ones are kept for later."""
    position = card.position
    if card.win_status != "lost" or card.suit != position.led or card.suit == card.trump:
        return None
    held = position.hand & tricks.SUIT_CARDS[card.suit]
    kept = held & (1 << card.number) - 1
    between = held & ~kept & ~(1 << card.number)
    if position.best // tricks.RANKS == card.suit:
        between &= (1 << position.best) - 1
    if not kept or between:
        return None
    return Argument("high_under", {"card": card.text, "card2": JASS.texts[position.best]})


def mostly_higher_out(card: CandidateCard) -> Argument | None:
    """Most outstanding cards of the suit are above the one that is best so far."""
    if card.win_status == "open" and card.higher_unseen_count > card.lower_unseen_count:
        return Argument("low", _suit_values(card))
    return None


def wins_cheap_trick(card: CandidateCard) -> Argument | None:
    """A card that would often win a trick wins one that hardly counts."""
    strong = (
        card.higher_unseen_count <= _HARDLY_ANY
        and card.lower_unseen_count > card.higher_unseen_count
    )
    if card.win_status == "sure" and card.trick_points <= _WORTHLESS and strong:
        return Argument("cheap", {"card": card.text, "points": card.trick_points})
    return None


def takes_unwanted(card: CandidateCard) -> Argument | None:
    """The card takes the trick for certain."""
    if card.win_status == "sure" and card.trick_points:
        return Argument(
            "takes_unwanted", {"card": card.text, "points": card.trick_points}, is_against=True
        )
    return None


def may_take(card: CandidateCard) -> Argument | None:
    """Hardly any outstanding card is above this one."""
    if (
        card.win_status != "open"
        or card.higher_unseen_count > _HARDLY_ANY
        or card.higher_unseen_count >= card.lower_unseen_count
    ):
        return None
    return Argument("may_take", _suit_values(card), is_against=True)


# Where points are wanted.


def takes(card: CandidateCard) -> Argument | None:
    """The card takes the trick for certain, and the trick has points."""
    if card.win_status == "sure" and card.trick_points:
        return Argument("takes", {"card": card.text, "points": card.trick_points})
    return None


def sure_lead(card: CandidateCard) -> Argument | None:
    """No outstanding card can beat the card led."""
    return (
        Argument("sure_lead", {"card": card.text})
        if card.leads and card.win_status == "sure"
        else None
    )


def only_trump_beats(card: CandidateCard) -> Argument | None:
    """Only a trump can beat the card led."""
    if not card.leads or card.is_trump or card.beatable_in_suit or not card.unseen_trump_count:
        return None
    return Argument("only_trump_beats", {"card": card.text, "out": card.unseen_trump_count})


def ruffs(card: CandidateCard) -> Argument | None:
    """A trump on a plain suit, which only a few higher ones could beat."""
    if card.leads or not card.is_trump or card.win_status != "open":
        return None
    if card.position.led == card.trump or not card.trick_points:
        return None
    values: Values = {
        "card": card.text,
        "points": card.trick_points,
        "higher": card.higher_unseen_count,
    }
    return Argument("ruffs", values)


def draws_trumps(card: CandidateCard) -> Argument | None:
    """A trump lead draws trumps from the others."""
    if card.leads and card.is_trump and card.unseen_trump_count > 1:
        return Argument("draws", {"card": card.text, "out": card.unseen_trump_count})
    return None


def probably_takes(card: CandidateCard) -> Argument | None:
    """Hardly any outstanding card is above this one."""
    if (
        card.win_status != "open"
        or card.higher_unseen_count > _HARDLY_ANY
        or card.higher_unseen_count >= card.lower_unseen_count
    ):
        return None
    return Argument("should_take", _suit_values(card))


def gives_no_points(card: CandidateCard) -> Argument | None:
    """A card without points goes into a trick of another player."""
    if card.win_status == "lost" and not card.card_value and not card.is_trump:
        return Argument("spares", {"card": card.text})
    return None


def gives_points(card: CandidateCard) -> Argument | None:
    """A card with points goes into a trick of another player."""
    if card.win_status == "lost" and card.card_value >= _WORTHLESS:
        return Argument("gives", {"card": card.text, "worth": card.card_value}, is_against=True)
    return None


def wastes(card: CandidateCard) -> Argument | None:
    """A strong card is spent on a trick that hardly counts without it."""
    around = card.trick_points - card.card_value
    strong = card.card_value >= _VALUABLE and (card.is_trump or card.higher_unseen_count == 0)
    if card.leads or card.win_status == "lost" or around > _WORTHLESS or not strong:
        return None
    return Argument("wastes", {"card": card.text, "points": around}, is_against=True)


# Independent of the aim.


def last_of_plain_suit(card: CandidateCard) -> Argument | None:
    """The last card of a plain suit is played."""
    if not card.is_last_of_suit or card.is_trump or card.trump < 0:
        return None
    values: Values = {"card": card.text, "suit": card.letter_of_suit(card.suit)}
    return Argument("frees_trump" if card.own_other_trump_count else "frees", values)


def makes_trump(card: CandidateCard) -> Argument | None:
    """The discard makes trump; how many of that suit the player and the others hold (MV2)."""
    if not card.makes_trump:
        return None
    values: Values = {"card": card.text, "suit": card.letter_of_suit(card.suit)}
    counted = {**values, "held": card.own_other_trump_count, "out": card.unseen_trump_count}
    return Argument("makes_trump", counted, is_absolute=True)


def _suit_values(card: CandidateCard) -> Values:
    """Returns the card, and the number of outstanding cards of its suit above and below it."""
    return {
        "card": card.text,
        "suit": card.letter_of_suit(card.suit),
        "higher": card.higher_unseen_count,
        "lower": card.lower_unseen_count,
    }


POINT_SEEKING = (
    sure_lead,
    only_trump_beats,
    ruffs,
    probably_takes,
    wastes,
    gives_points,
    gives_no_points,
    draws_trumps,
    mostly_higher_out,
    last_of_plain_suit,
)
"""The rules to check where points are wanted."""
