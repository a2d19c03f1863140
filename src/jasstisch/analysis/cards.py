"""What may be said of a card in any game of tricks, whatever the player wants of the trick.

Each function tells one thing, or None where it does not hold. Whether it is good or bad to take a
trick a game decides: it picks from these those that fit its aim at the moment.
"""

from jasstisch import tricks
from jasstisch.analysis.grounds import Ground
from jasstisch.analysis.plays import Play
from jasstisch.cards import JASS
from jasstisch.guides.guide import Values

__all__ = [
    "EAGER",
    "bares",
    "cheap",
    "draws",
    "gives",
    "high_under",
    "leads_through",
    "leaves",
    "low",
    "makes_trump",
    "may_take",
    "ruffs",
    "sheds",
    "should_take",
    "spares",
    "sure_lead",
    "takes",
    "takes_unwanted",
    "wastes",
]

VALUABLE = 10
"""Points from which a card is an expensive one: ten, ace, Nell and Bur."""

WORTHLESS = 4
"""Points of a trick that is hardly worth a strong card."""

HARDLY_ANY = 1
"""So many higher cards still out leave little hope that one of them comes."""


# Where the trick is not wanted.


def leaves(play: Play) -> Ground | None:
    """The card is beaten already."""
    if play.fate != "lost":
        return None
    if play.points:
        return Ground("leaves", {"card": play.text, "points": play.points})
    return Ground("stays_out", {"card": play.text})


def sheds(play: Play) -> Ground | None:
    """An expensive card goes where somebody else has to take it."""
    if play.fate == "lost" and play.worth >= VALUABLE:
        return Ground("sheds", {"card": play.text, "worth": play.worth})
    return None


def high_under(play: Play) -> Ground | None:
    """The highest card that still stays below goes, and lower ones are kept for later."""
    position = play.position
    if play.fate != "lost" or play.suit != position.led or play.suit == play.trump:
        return None
    held = position.hand & tricks.SUIT_CARDS[play.suit]
    kept = held & (1 << play.card) - 1
    between = held & ~kept & ~(1 << play.card)
    if position.best // tricks.RANKS == play.suit:
        between &= (1 << position.best) - 1
    if not kept or between:
        return None
    return Ground("high_under", {"card": play.text, "card2": JASS.texts[position.best]})


def low(play: Play) -> Ground | None:
    """Most cards of the suit still out are above the one that is best so far."""
    if play.fate == "open" and play.higher > play.lower:
        return Ground("low", values_of_rest(play))
    return None


def cheap(play: Play) -> Ground | None:
    """A card that would often take a trick takes one that hardly counts."""
    strong = play.higher <= HARDLY_ANY and play.lower > play.higher
    if play.fate == "sure" and play.points <= WORTHLESS and strong:
        return Ground("cheap", {"card": play.text, "points": play.points})
    return None


def takes_unwanted(play: Play) -> Ground | None:
    """The card takes the trick for certain."""
    if play.fate == "sure" and play.points:
        return Ground("takes_unwanted", {"card": play.text, "points": play.points}, against=True)
    return None


def may_take(play: Play) -> Ground | None:
    """Hardly any card that is still out is above this one."""
    if play.fate != "open" or play.higher > HARDLY_ANY or play.higher >= play.lower:
        return None
    return Ground("may_take", values_of_rest(play), against=True)


# Where points are wanted.


def takes(play: Play) -> Ground | None:
    """The card takes the trick for certain, and there is something in it."""
    if play.fate == "sure" and play.points:
        return Ground("takes", {"card": play.text, "points": play.points})
    return None


def sure_lead(play: Play) -> Ground | None:
    """The card led cannot be beaten by anything that is still out."""
    return Ground("sure_lead", {"card": play.text}) if play.leads and play.fate == "sure" else None


def leads_through(play: Play) -> Ground | None:
    """Only a trump can beat the card led."""
    if not play.leads or play.is_trump or play.beaten_in_suit or not play.trumps_out:
        return None
    return Ground("only_trump_beats", {"card": play.text, "out": play.trumps_out})


def ruffs(play: Play) -> Ground | None:
    """A trump on a plain suit, which only few higher ones could beat."""
    if play.leads or not play.is_trump or play.fate != "open":
        return None
    if play.position.led == play.trump or not play.points:
        return None
    values: Values = {"card": play.text, "points": play.points, "higher": play.higher}
    return Ground("ruffs", values)


def draws(play: Play) -> Ground | None:
    """A trump led takes trumps away from the others."""
    if play.leads and play.is_trump and play.trumps_out > 1:
        return Ground("draws", {"card": play.text, "out": play.trumps_out})
    return None


def should_take(play: Play) -> Ground | None:
    """Hardly any card that is still out is above this one."""
    if play.fate != "open" or play.higher > HARDLY_ANY or play.higher >= play.lower:
        return None
    return Ground("should_take", values_of_rest(play))


def spares(play: Play) -> Ground | None:
    """A card that counts nothing goes into a trick that is somebody else's."""
    if play.fate == "lost" and not play.worth and not play.is_trump:
        return Ground("spares", {"card": play.text})
    return None


def gives(play: Play) -> Ground | None:
    """A card that counts goes into a trick that is somebody else's."""
    if play.fate == "lost" and play.worth >= WORTHLESS:
        return Ground("gives", {"card": play.text, "worth": play.worth}, against=True)
    return None


def wastes(play: Play) -> Ground | None:
    """A strong card goes for a trick that hardly counts without it."""
    around = play.points - play.worth
    strong = play.worth >= VALUABLE and (play.is_trump or play.higher == 0)
    if play.leads or play.fate == "lost" or around > WORTHLESS or not strong:
        return None
    return Ground("wastes", {"card": play.text, "points": around}, against=True)


# Whatever is wanted.


def bares(play: Play) -> Ground | None:
    """The last card of a plain suit goes."""
    if not play.alone or play.is_trump or play.trump < 0:
        return None
    values: Values = {"card": play.text, "suit": play.letter(play.suit)}
    return Ground("frees_trump" if play.trumps_held else "frees", values)


def makes_trump(play: Play) -> Ground | None:
    """The discard makes trump, of which the player and the others hold so many (MV2)."""
    if not play.makes_trump:
        return None
    values: Values = {"card": play.text, "suit": play.letter(play.suit)}
    counted = {**values, "held": play.trumps_held, "out": play.trumps_out}
    return Ground("makes_trump", counted, always=True)


def values_of_rest(play: Play) -> Values:
    """The card, and how many of its suit are still out above and below it."""
    return {
        "card": play.text,
        "suit": play.letter(play.suit),
        "higher": play.higher,
        "lower": play.lower,
    }


EAGER = (
    sure_lead,
    leads_through,
    ruffs,
    should_take,
    wastes,
    gives,
    spares,
    draws,
    low,
    bares,
)
"""What is looked at where points are wanted."""
