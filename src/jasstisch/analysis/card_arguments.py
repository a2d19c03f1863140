"""Arguments about a card in any trick-taking game, whatever the player wants of the trick.

Each function checks one argument and returns it, or None if it does not hold. Whether it is good or
bad to take a trick depends on the game, which selects the functions that fit its aim at the moment.
"""

from jasstisch.analysis.arguments import Argument
from jasstisch.analysis.card_play import CardPlay
from jasstisch.engine import tricks
from jasstisch.engine.cards import JASS
from jasstisch.i18n.templates import Values

__all__ = [
    "POINT_SEEKING",
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
"""Points from which a card is valuable: ten, ace, Nell and Bur."""

WORTHLESS = 4
"""Points up to which a trick is hardly worth a strong card."""

HARDLY_ANY = 1
"""Up to this many higher cards outstanding, it is unlikely that one of them follows."""


# Where the trick is not wanted.


def leaves(play: CardPlay) -> Argument | None:
    """The card is beaten already."""
    if play.win_status != "lost":
        return None
    if play.points:
        return Argument("leaves", {"card": play.text, "points": play.points})
    return Argument("stays_out", {"card": play.text})


def sheds(play: CardPlay) -> Argument | None:
    """A valuable card goes into a trick that another player has to take."""
    if play.win_status == "lost" and play.card_value >= VALUABLE:
        return Argument("sheds", {"card": play.text, "worth": play.card_value})
    return None


def high_under(play: CardPlay) -> Argument | None:
    """The highest card that still loses is played, and lower ones are kept for later."""
    position = play.position
    if play.win_status != "lost" or play.suit != position.led or play.suit == play.trump:
        return None
    held = position.hand & tricks.SUIT_CARDS[play.suit]
    kept = held & (1 << play.card) - 1
    between = held & ~kept & ~(1 << play.card)
    if position.best // tricks.RANKS == play.suit:
        between &= (1 << position.best) - 1
    if not kept or between:
        return None
    return Argument("high_under", {"card": play.text, "card2": JASS.texts[position.best]})


def low(play: CardPlay) -> Argument | None:
    """Most outstanding cards of the suit are above the one that is best so far."""
    if play.win_status == "open" and play.higher > play.lower:
        return Argument("low", suit_values(play))
    return None


def cheap(play: CardPlay) -> Argument | None:
    """A card that would often win a trick wins one that hardly counts."""
    strong = play.higher <= HARDLY_ANY and play.lower > play.higher
    if play.win_status == "sure" and play.points <= WORTHLESS and strong:
        return Argument("cheap", {"card": play.text, "points": play.points})
    return None


def takes_unwanted(play: CardPlay) -> Argument | None:
    """The card takes the trick for certain."""
    if play.win_status == "sure" and play.points:
        return Argument("takes_unwanted", {"card": play.text, "points": play.points}, against=True)
    return None


def may_take(play: CardPlay) -> Argument | None:
    """Hardly any outstanding card is above this one."""
    if play.win_status != "open" or play.higher > HARDLY_ANY or play.higher >= play.lower:
        return None
    return Argument("may_take", suit_values(play), against=True)


# Where points are wanted.


def takes(play: CardPlay) -> Argument | None:
    """The card takes the trick for certain, and the trick has points."""
    if play.win_status == "sure" and play.points:
        return Argument("takes", {"card": play.text, "points": play.points})
    return None


def sure_lead(play: CardPlay) -> Argument | None:
    """No outstanding card can beat the card led."""
    return (
        Argument("sure_lead", {"card": play.text})
        if play.leads and play.win_status == "sure"
        else None
    )


def leads_through(play: CardPlay) -> Argument | None:
    """Only a trump can beat the card led."""
    if not play.leads or play.is_trump or play.beatable_in_suit or not play.trumps_out:
        return None
    return Argument("only_trump_beats", {"card": play.text, "out": play.trumps_out})


def ruffs(play: CardPlay) -> Argument | None:
    """A trump on a plain suit, which only a few higher ones could beat."""
    if play.leads or not play.is_trump or play.win_status != "open":
        return None
    if play.position.led == play.trump or not play.points:
        return None
    values: Values = {"card": play.text, "points": play.points, "higher": play.higher}
    return Argument("ruffs", values)


def draws(play: CardPlay) -> Argument | None:
    """A trump lead draws trumps from the others."""
    if play.leads and play.is_trump and play.trumps_out > 1:
        return Argument("draws", {"card": play.text, "out": play.trumps_out})
    return None


def should_take(play: CardPlay) -> Argument | None:
    """Hardly any outstanding card is above this one."""
    if play.win_status != "open" or play.higher > HARDLY_ANY or play.higher >= play.lower:
        return None
    return Argument("should_take", suit_values(play))


def spares(play: CardPlay) -> Argument | None:
    """A card without points goes into a trick of another player."""
    if play.win_status == "lost" and not play.card_value and not play.is_trump:
        return Argument("spares", {"card": play.text})
    return None


def gives(play: CardPlay) -> Argument | None:
    """A card with points goes into a trick of another player."""
    if play.win_status == "lost" and play.card_value >= WORTHLESS:
        return Argument("gives", {"card": play.text, "worth": play.card_value}, against=True)
    return None


def wastes(play: CardPlay) -> Argument | None:
    """A strong card is spent on a trick that hardly counts without it."""
    around = play.points - play.card_value
    strong = play.card_value >= VALUABLE and (play.is_trump or play.higher == 0)
    if play.leads or play.win_status == "lost" or around > WORTHLESS or not strong:
        return None
    return Argument("wastes", {"card": play.text, "points": around}, against=True)


# Independent of the aim.


def bares(play: CardPlay) -> Argument | None:
    """The last card of a plain suit is played."""
    if not play.is_last_of_suit or play.is_trump or play.trump < 0:
        return None
    values: Values = {"card": play.text, "suit": play.letter_of(play.suit)}
    return Argument("frees_trump" if play.trumps_held else "frees", values)


def makes_trump(play: CardPlay) -> Argument | None:
    """The discard makes trump; how many of that suit the player and the others hold (MV2)."""
    if not play.makes_trump:
        return None
    values: Values = {"card": play.text, "suit": play.letter_of(play.suit)}
    counted = {**values, "held": play.trumps_held, "out": play.trumps_out}
    return Argument("makes_trump", counted, always=True)


def suit_values(play: CardPlay) -> Values:
    """Returns the card, and the number of outstanding cards of its suit above and below it."""
    return {
        "card": play.text,
        "suit": play.letter_of(play.suit),
        "higher": play.higher,
        "lower": play.lower,
    }


POINT_SEEKING = (
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
"""The rules to check where points are wanted."""
