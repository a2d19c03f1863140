"""Arguments about a card in games of two sides: smearing, ruffing, drawing trumps, discarding.

Each function checks one certain fact and returns it as an argument, or None if it does not hold
(CT1, CT3, CT4).
"""

from jasstisch.analysis import card_pros_and_cons
from jasstisch.analysis.partner_game_candidate_card import PartnerGameCandidateCard
from jasstisch.analysis.pros_and_cons import Argument
from jasstisch.engine import tricks
from jasstisch.engine.cards import JASS, cards_in_set
from jasstisch.i18n.templates import Values

_SMEAR_POINTS = 4
"""Points from which a card is worth smearing: a king's."""

_VALUABLE = 10
"""Points from which a card is valuable."""

_MANY_TRICKS = 4
"""Tricks in a row from which a match seems possible."""


# Match, and the partner's tricks.


def _keeps_match(card: PartnerGameCandidateCard) -> Argument | None:
    """The side has all tricks so far and will win this one (CT6)."""
    taken = len(card.view["tricks"])
    if (
        taken < _MANY_TRICKS
        or card.sides_with_tricks != {card.seat % 2}
        or card.side_win_status != "sure"
    ):
        return None
    return Argument("keeps_match", {"card": card.text, "taken": taken})


def _breaks_match(card: PartnerGameCandidateCard) -> Argument | None:
    """The other side has all tricks so far and loses this one to the card (CT6)."""
    taken = len(card.view["tricks"])
    others = card.sides_with_tricks == {card.opponents[0] % 2}
    if (
        taken < _MANY_TRICKS
        or not others
        or card.side_win_status != "sure"
        or not card.is_best_so_far
    ):
        return None
    return Argument("breaks_match", {"card": card.text, "taken": taken})


def _trumps_partner(card: PartnerGameCandidateCard) -> Argument | None:
    """A trump is played on the partner's winning card."""
    if not card.partner_ahead or not card.is_trump or card.follows or not card.is_best_so_far:
        return None
    return Argument("trumps_partner", _with_best(card), is_against=True)


def _beats_partner(card: PartnerGameCandidateCard) -> Argument | None:
    """The card beats the partner's, which would win the trick anyway."""
    if not card.partner_is_sure or not card.is_best_so_far or not card.follows:
        return None
    return Argument("beats_partner", _with_best(card), is_against=True)


def _smears(card: PartnerGameCandidateCard) -> Argument | None:
    """A card with points goes into the partner's trick."""
    if not card.partner_ahead or card.is_best_so_far or card.card_value < _SMEAR_POINTS:
        return None
    if card.partner_is_sure:
        return Argument("smears", {"card": card.text, "worth": card.card_value})
    return Argument("smears_open", {**_with_best(card), "worth": card.card_value})


def _smears_risky(card: PartnerGameCandidateCard) -> Argument | None:
    """The same, as an argument against it: the trick is not safely the partner's."""
    if (
        not card.partner_ahead
        or card.is_best_so_far
        or card.partner_is_sure
        or card.card_value < _SMEAR_POINTS
    ):
        return None
    return Argument("smears_risky", {**_with_best(card), "worth": card.card_value}, is_against=True)


def _partner_takes(card: PartnerGameCandidateCard) -> Argument | None:
    """A card with few points goes into a trick that the partner already wins."""
    if not card.partner_is_sure or card.is_best_so_far or card.card_value >= _SMEAR_POINTS:
        return None
    return Argument("partner_takes", {"card": card.text})


def _leaves_to_partner(card: PartnerGameCandidateCard) -> Argument | None:
    """The partner is still to play and may beat the trick."""
    if card.leads or card.is_best_so_far or card.partner_ahead or card.side_win_status != "open":
        return None
    return Argument("leaves_to_partner", {"card2": card.best_card_text})


# Winning a trick.


def _takes(card: PartnerGameCandidateCard) -> Argument | None:
    """The card wins a trick with points for the side."""
    if (
        card.leads
        or not card.is_best_so_far
        or card.side_win_status != "sure"
        or not card.trick_points
    ):
        return None
    if card.partner_is_sure:
        return None
    values: Values = {"card": card.text, "points": card.trick_points}
    return Argument("cuts" if card.is_trump and not card.follows else "takes", values)


def _brings_home(card: PartnerGameCandidateCard) -> Argument | None:
    """A valuable card of a plain suit wins a trick in which no trump can beat it."""
    if card.leads or card.is_trump or card.trump < 0 or card.card_value < _VALUABLE:
        return None
    if not card.is_best_so_far or card.side_win_status != "sure":
        return None
    return Argument("brings_home", {"card": card.text, "worth": card.card_value})


def _ruffs(card: PartnerGameCandidateCard) -> Argument | None:
    """A trump on a plain suit, which the other side may still beat."""
    if card.leads or not card.is_trump or card.follows or card.partner_ahead:
        return None
    if not card.is_best_so_far or card.side_win_status != "open" or not card.trick_points:
        return None
    values: Values = {
        "card": card.text,
        "points": card.trick_points,
        "higher": card.higher_unseen_count,
    }
    return Argument("ruffs", values)


def _probably_takes(card: PartnerGameCandidateCard) -> Argument | None:
    """Hardly any outstanding card is above this card of the suit led."""
    if card.side_win_status != "open" or not card.higher_unseen_count:  # with none it is a bock
        return None
    return card_pros_and_cons.probably_takes(card)


def _wastes(card: PartnerGameCandidateCard) -> Argument | None:
    """A strong card is spent on a trick that hardly counts without it."""
    return None if card.partner_ahead else card_pros_and_cons.wastes(card)


def _gives(card: PartnerGameCandidateCard) -> Argument | None:
    """A card with points goes into the opponents' trick."""
    if card.leads or card.side_win_status != "lost" or card.card_value < _SMEAR_POINTS:
        return None
    return Argument("gives", {"card": card.text, "worth": card.card_value}, is_against=True)


def _spares(card: PartnerGameCandidateCard) -> Argument | None:
    """A card without points goes into the opponents' trick."""
    if card.leads or card.side_win_status != "lost" or card.card_value or card.is_trump:
        return None
    return Argument("spares", {"card": card.text})


def _keeps_bur(card: PartnerGameCandidateCard) -> Argument | None:
    """On a trump lead the Bur stays in the hand (C8)."""
    bur = tricks.BURS[card.ranking]
    kept = card.position.hand & bur & ~(1 << card.number)
    if card.leads or card.position.led != card.trump or not kept:
        return None
    return Argument("keeps_bur", {"card": card.text, "card2": JASS.texts[bur.bit_length() - 1]})


# Leading.


def _bock(card: PartnerGameCandidateCard) -> Argument | None:
    """No opponent can beat the card led."""
    if not card.leads or card.side_win_status != "sure":
        return None
    return Argument("safe_lead" if card.higher_unseen_count else "bock", {"card": card.text})


def _bock_but_trumps(card: PartnerGameCandidateCard) -> Argument | None:
    """The best card of a plain suit, led or followed, that only a trump can beat."""
    if (
        not card.is_best_so_far
        or card.side_win_status != "open"
        or card.higher_unseen_count
        or card.is_trump
    ):
        return None
    return Argument("bock_but_trumps", {"card": card.text, "out": card.unseen_trump_count})


def _draws(card: PartnerGameCandidateCard) -> Argument | None:
    """A trump lead draws trumps of the opponents, for the partner who chose them or not."""
    if not card.leads or not card.is_trump or not card.can_draw_trumps_from(*card.opponents):
        return None
    values: Values = {"card": card.text, "suit": card.suit_letter}
    if card.view["by"] == card.partner:
        return Argument("draws_along", values)
    if not card.own_side_announced:
        return Argument("draws_for_others", values, is_against=True)
    if card.unseen_trump_count == 1:
        return Argument("draws_last", {"card": card.text})
    return Argument("draws", {"card": card.text, "out": card.unseen_trump_count})


def _draws_own(card: PartnerGameCandidateCard) -> Argument | None:
    """A trump lead, when nobody but the partner can hold any."""
    if not card.leads or not card.is_trump or not card.can_draw_trumps_from(card.partner):
        return None
    if any(map(card.may_hold_trumps, card.opponents)):
        return None
    return Argument("draws_own", {"card": card.text}, is_against=True)


def _partner_ruffs(card: PartnerGameCandidateCard) -> Argument | None:
    """The partner is void in the suit led, and may hold trumps."""
    if not card.leads or card.is_trump or card.trump < 0:
        return None
    if not card.has_shown_void(card.partner, card.suit) or not card.may_hold_trumps(card.partner):
        return None
    return Argument("partner_ruffs", {"suit": card.suit_letter})


def _others_ruff(card: PartnerGameCandidateCard) -> Argument | None:
    """An opponent is void in the suit led, and may hold trumps."""
    if not card.leads or card.is_trump or card.trump < 0:
        return None
    for seat in card.opponents:
        if card.has_shown_void(seat, card.suit) and card.may_hold_trumps(seat):
            values: Values = {"seat": seat, "card": card.text, "suit": card.suit_letter}
            return Argument("others_ruff", values, is_against=True)
    return None


def _returns(card: PartnerGameCandidateCard) -> Argument | None:
    """The suit led is one that the partner has led before."""
    if not card.leads or card.is_trump:
        return None
    led = [one["cards"][0] for one in card.view["tricks"] if one["leader"] == card.partner]
    if all(text[1] != card.suit_letter for text in led):
        return None
    return Argument("returns", {"card": card.text, "suit": card.suit_letter})


def _risks(card: PartnerGameCandidateCard) -> Argument | None:
    """A valuable card is led that is not the best of its suit."""
    if (
        not card.leads
        or not card.higher_unseen_count
        or card.card_value < _VALUABLE
        or card.side_win_status == "sure"
    ):
        return None
    values: Values = {
        "card": card.text,
        "worth": card.card_value,
        "higher": card.higher_unseen_count,
    }
    return Argument("risks", values, is_against=True)


def _leads_nothing(card: PartnerGameCandidateCard) -> Argument | None:
    """A card without points is led that will hardly win the trick."""
    if (
        not card.leads
        or card.card_value
        or card.is_trump
        or card.higher_unseen_count <= card.lower_unseen_count
    ):
        return None
    return Argument("leads_nothing", {"card": card.text})


# Discarding.


def _throws_bock(card: PartnerGameCandidateCard) -> Argument | None:
    """The best remaining card of a suit is discarded."""
    if (
        card.leads
        or card.is_best_so_far
        or card.later_ranking is None
        or card.higher_later_count(card.number)
    ):
        return None
    if not card.position.unseen & tricks.SUIT_CARDS[card.suit]:
        return None
    return Argument("throws_bock", {"card": card.text}, is_against=True)


def _bares(card: PartnerGameCandidateCard) -> Argument | None:
    """A discard leaves a card alone that only a single higher one keeps from being best."""
    if (
        not card.is_discard
        or card.later_ranking is None
        or card.own_suit_cards_left.bit_count() != 1
    ):
        return None
    (alone,) = cards_in_set(card.own_suit_cards_left)
    if card.higher_later_count(alone) != 1:
        return None
    return Argument("bares", {"card": card.text, "card2": JASS.texts[alone]}, is_against=True)


def _throws_weak(card: PartnerGameCandidateCard) -> Argument | None:
    """A worthless card is discarded from a weak suit."""
    if (
        not card.is_discard
        or card.card_value
        or not card.own_suit_cards_left
        or card.later_ranking is None
    ):
        return None
    best = card.best_later(card.own_suit_cards_left | 1 << card.number)
    higher = card.higher_later_count(best)
    if best == card.number or higher <= 1:
        return None
    values: Values = {"card": card.text, "card2": JASS.texts[best], "higher": higher}
    return Argument("throws_weak", values)


def _frees(card: PartnerGameCandidateCard) -> Argument | None:
    """The last card of a plain suit is discarded, with trumps to ruff that suit later."""
    others = card.position.hand & ~(1 << card.number) & ~tricks.TRUMP_CARDS[card.ranking]
    led_again = card.position.unseen & tricks.SUIT_CARDS[card.suit]
    return (
        card_pros_and_cons.last_of_plain_suit(card)
        if card.own_other_trump_count and others and led_again
        else None
    )


def _with_best(card: PartnerGameCandidateCard) -> Values:
    """Returns the card, and the best one in the trick."""
    return {"card": card.text, "card2": card.best_card_text}


ARGUMENT_RULES = (
    _keeps_match,
    _breaks_match,
    _trumps_partner,
    _beats_partner,
    _smears,
    _takes,
    _brings_home,
    _ruffs,
    _bock,
    _bock_but_trumps,
    _draws,
    _draws_own,
    _smears_risky,
    _gives,
    _wastes,
    _throws_bock,
    _bares,
    _others_ruff,
    _risks,
    _keeps_bur,
    _partner_takes,
    _spares,
    _leaves_to_partner,
    _partner_ruffs,
    _returns,
    _probably_takes,
    _frees,
    _throws_weak,
    _leads_nothing,
)
"""The rules to check, the most specific first."""
