"""Arguments about a card in games of two sides: smearing, ruffing, drawing trumps, discarding.

Each function checks one certain fact and returns it as an argument, or None if it does not hold
(CT1, CT3, CT4).
"""

from jasstisch.analysis import card_arguments
from jasstisch.analysis.arguments import Argument
from jasstisch.analysis.side_play import SidePlay
from jasstisch.engine import tricks
from jasstisch.engine.cards import JASS, members
from jasstisch.i18n.templates import Values

__all__ = ["ARGUMENT_RULES"]

SMEAR_POINTS = 4
"""Points from which a card is worth smearing: a king's."""

VALUABLE = 10
"""Points from which a card is valuable."""

MANY_TRICKS = 4
"""Tricks in a row from which a match seems possible."""


# Match, and the partner's tricks.


def keeps_match(play: SidePlay) -> Argument | None:
    """The side has all tricks so far and will win this one (CT6)."""
    taken = len(play.view["tricks"])
    if (
        taken < MANY_TRICKS
        or play.sides_with_tricks != {play.seat % 2}
        or play.side_win_status != "sure"
    ):
        return None
    return Argument("keeps_match", {"card": play.text, "taken": taken})


def breaks_match(play: SidePlay) -> Argument | None:
    """The other side has all tricks so far and loses this one to the card (CT6)."""
    taken = len(play.view["tricks"])
    others = play.sides_with_tricks == {play.opponents[0] % 2}
    if taken < MANY_TRICKS or not others or play.side_win_status != "sure" or not play.beats:
        return None
    return Argument("breaks_match", {"card": play.text, "taken": taken})


def trumps_partner(play: SidePlay) -> Argument | None:
    """A trump is played on the partner's winning card."""
    if not play.partner_ahead or not play.is_trump or play.follows or not play.beats:
        return None
    return Argument("trumps_partner", with_best(play), against=True)


def beats_partner(play: SidePlay) -> Argument | None:
    """The card beats the partner's, which would win the trick anyway."""
    if not play.partner_is_sure or not play.beats or not play.follows:
        return None
    return Argument("beats_partner", with_best(play), against=True)


def smears(play: SidePlay) -> Argument | None:
    """A card with points goes into the partner's trick."""
    if not play.partner_ahead or play.beats or play.card_value < SMEAR_POINTS:
        return None
    if play.partner_is_sure:
        return Argument("smears", {"card": play.text, "worth": play.card_value})
    return Argument("smears_open", {**with_best(play), "worth": play.card_value})


def smears_risky(play: SidePlay) -> Argument | None:
    """The same, as an argument against it: the trick is not safely the partner's."""
    if (
        not play.partner_ahead
        or play.beats
        or play.partner_is_sure
        or play.card_value < SMEAR_POINTS
    ):
        return None
    return Argument("smears_risky", {**with_best(play), "worth": play.card_value}, against=True)


def partner_takes(play: SidePlay) -> Argument | None:
    """A card with few points goes into a trick that the partner already wins."""
    if not play.partner_is_sure or play.beats or play.card_value >= SMEAR_POINTS:
        return None
    return Argument("partner_takes", {"card": play.text})


def leaves_to_partner(play: SidePlay) -> Argument | None:
    """The partner is still to play and may beat the trick."""
    if play.leads or play.beats or play.partner_ahead or play.side_win_status != "open":
        return None
    return Argument("leaves_to_partner", {"card2": play.best_card_text})


# Winning a trick.


def takes(play: SidePlay) -> Argument | None:
    """The card wins a trick with points for the side."""
    if play.leads or not play.beats or play.side_win_status != "sure" or not play.points:
        return None
    if play.partner_is_sure:
        return None
    values: Values = {"card": play.text, "points": play.points}
    return Argument("cuts" if play.is_trump and not play.follows else "takes", values)


def brings_home(play: SidePlay) -> Argument | None:
    """A valuable card of a plain suit wins a trick in which no trump can beat it."""
    if play.leads or play.is_trump or play.trump < 0 or play.card_value < VALUABLE:
        return None
    if not play.beats or play.side_win_status != "sure":
        return None
    return Argument("brings_home", {"card": play.text, "worth": play.card_value})


def ruffs(play: SidePlay) -> Argument | None:
    """A trump on a plain suit, which the other side may still beat."""
    if play.leads or not play.is_trump or play.follows or play.partner_ahead:
        return None
    if not play.beats or play.side_win_status != "open" or not play.points:
        return None
    values: Values = {"card": play.text, "points": play.points, "higher": play.higher}
    return Argument("ruffs", values)


def should_take(play: SidePlay) -> Argument | None:
    """Hardly any outstanding card is above this card of the suit led."""
    if play.side_win_status != "open" or not play.higher:  # with none it is a bock
        return None
    return card_arguments.should_take(play)


def wastes(play: SidePlay) -> Argument | None:
    """A strong card is spent on a trick that hardly counts without it."""
    return None if play.partner_ahead else card_arguments.wastes(play)


def gives(play: SidePlay) -> Argument | None:
    """A card with points goes into the opponents' trick."""
    if play.leads or play.side_win_status != "lost" or play.card_value < SMEAR_POINTS:
        return None
    return Argument("gives", {"card": play.text, "worth": play.card_value}, against=True)


def spares(play: SidePlay) -> Argument | None:
    """A card without points goes into the opponents' trick."""
    if play.leads or play.side_win_status != "lost" or play.card_value or play.is_trump:
        return None
    return Argument("spares", {"card": play.text})


def keeps_bur(play: SidePlay) -> Argument | None:
    """On a trump lead the Bur stays in the hand (C8)."""
    bur = tricks.BURS[play.ranking]
    kept = play.position.hand & bur & ~(1 << play.card)
    if play.leads or play.position.led != play.trump or not kept:
        return None
    return Argument("keeps_bur", {"card": play.text, "card2": JASS.texts[bur.bit_length() - 1]})


# Leading.


def bock(play: SidePlay) -> Argument | None:
    """No opponent can beat the card led."""
    if not play.leads or play.side_win_status != "sure":
        return None
    return Argument("safe_lead" if play.higher else "bock", {"card": play.text})


def bock_but_trumps(play: SidePlay) -> Argument | None:
    """The best card of a plain suit, led or followed, that only a trump can beat."""
    if not play.beats or play.side_win_status != "open" or play.higher or play.is_trump:
        return None
    return Argument("bock_but_trumps", {"card": play.text, "out": play.trumps_out})


def draws(play: SidePlay) -> Argument | None:
    """A trump lead draws trumps of the opponents, for the partner who chose them or not."""
    if not play.leads or not play.is_trump or not play.can_be_drawn(*play.opponents):
        return None
    values: Values = {"card": play.text, "suit": play.suit_letter}
    if play.view["by"] == play.partner:
        return Argument("draws_along", values)
    if not play.own_side_announced:
        return Argument("draws_for_others", values, against=True)
    if play.trumps_out == 1:
        return Argument("draws_last", {"card": play.text})
    return Argument("draws", {"card": play.text, "out": play.trumps_out})


def draws_own(play: SidePlay) -> Argument | None:
    """A trump lead, when nobody but the partner can hold any."""
    if not play.leads or not play.is_trump or not play.can_be_drawn(play.partner):
        return None
    if any(map(play.may_trump, play.opponents)):
        return None
    return Argument("draws_own", {"card": play.text}, against=True)


def partner_ruffs(play: SidePlay) -> Argument | None:
    """The partner is void in the suit led, and may hold trumps."""
    if not play.leads or play.is_trump or play.trump < 0:
        return None
    if not play.has_none(play.partner, play.suit) or not play.may_trump(play.partner):
        return None
    return Argument("partner_ruffs", {"suit": play.suit_letter})


def others_ruff(play: SidePlay) -> Argument | None:
    """An opponent is void in the suit led, and may hold trumps."""
    if not play.leads or play.is_trump or play.trump < 0:
        return None
    for seat in play.opponents:
        if play.has_none(seat, play.suit) and play.may_trump(seat):
            values: Values = {"seat": seat, "card": play.text, "suit": play.suit_letter}
            return Argument("others_ruff", values, against=True)
    return None


def returns(play: SidePlay) -> Argument | None:
    """The suit led is one that the partner has led before."""
    if not play.leads or play.is_trump:
        return None
    led = [one["cards"][0] for one in play.view["tricks"] if one["leader"] == play.partner]
    if all(card[1] != play.suit_letter for card in led):
        return None
    return Argument("returns", {"card": play.text, "suit": play.suit_letter})


def risks(play: SidePlay) -> Argument | None:
    """A valuable card is led that is not the best of its suit."""
    if (
        not play.leads
        or not play.higher
        or play.card_value < VALUABLE
        or play.side_win_status == "sure"
    ):
        return None
    values: Values = {"card": play.text, "worth": play.card_value, "higher": play.higher}
    return Argument("risks", values, against=True)


def leads_nothing(play: SidePlay) -> Argument | None:
    """A card without points is led that will hardly win the trick."""
    if not play.leads or play.card_value or play.is_trump or play.higher <= play.lower:
        return None
    return Argument("leads_nothing", {"card": play.text})


# Discarding.


def throws_bock(play: SidePlay) -> Argument | None:
    """The best remaining card of a suit is discarded."""
    if play.leads or play.beats or play.later_ranking is None or play.higher_later(play.card):
        return None
    if not play.position.unseen & tricks.SUIT_CARDS[play.suit]:
        return None
    return Argument("throws_bock", {"card": play.text}, against=True)


def bares(play: SidePlay) -> Argument | None:
    """A discard leaves a card alone that only a single higher one keeps from being best."""
    if not play.discarded or play.later_ranking is None or play.suit_cards_left.bit_count() != 1:
        return None
    (alone,) = members(play.suit_cards_left)
    if play.higher_later(alone) != 1:
        return None
    return Argument("bares", {"card": play.text, "card2": JASS.texts[alone]}, against=True)


def throws_weak(play: SidePlay) -> Argument | None:
    """A worthless card is discarded from a weak suit."""
    if (
        not play.discarded
        or play.card_value
        or not play.suit_cards_left
        or play.later_ranking is None
    ):
        return None
    best = play.best_later(play.suit_cards_left | 1 << play.card)
    higher = play.higher_later(best)
    if best == play.card or higher <= 1:
        return None
    values: Values = {"card": play.text, "card2": JASS.texts[best], "higher": higher}
    return Argument("throws_weak", values)


def frees(play: SidePlay) -> Argument | None:
    """The last card of a plain suit is discarded, with trumps to ruff that suit later."""
    others = play.position.hand & ~(1 << play.card) & ~tricks.TRUMP_CARDS[play.ranking]
    led_again = play.position.unseen & tricks.SUIT_CARDS[play.suit]
    return card_arguments.bares(play) if play.trumps_held and others and led_again else None


def with_best(play: SidePlay) -> Values:
    """Returns the card, and the best one in the trick."""
    return {"card": play.text, "card2": play.best_card_text}


ARGUMENT_RULES = (
    keeps_match,
    breaks_match,
    trumps_partner,
    beats_partner,
    smears,
    takes,
    brings_home,
    ruffs,
    bock,
    bock_but_trumps,
    draws,
    draws_own,
    smears_risky,
    gives,
    wastes,
    throws_bock,
    bares,
    others_ruff,
    risks,
    keeps_bur,
    partner_takes,
    spares,
    leaves_to_partner,
    partner_ruffs,
    returns,
    should_take,
    frees,
    throws_weak,
    leads_nothing,
)
"""The rules to check, the most specific first."""
