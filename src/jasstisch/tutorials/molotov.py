"""The tutorial of Molotov Jass: the first discard makes trump, and molotovs cost their winner."""

from jasstisch.engine import melds
from jasstisch.engine.cards import JASS, card_set
from jasstisch.i18n.templates import Values
from jasstisch.tutorials.first_discard_triggers import FIRST_DISCARD
from jasstisch.tutorials.match_step import MatchStep
from jasstisch.tutorials.trick_triggers import (
    BUR,
    FIRST_TRICK,
    LAST_TRICK,
    NO_VALUES,
    TRUMP_RANKS,
    on_mark_earned,
)
from jasstisch.tutorials.tutorial import Trigger, Tutorial, parse_scripted_actions


def on_cards_dealt(step: MatchStep) -> Values | None:
    """The first cards are dealt."""
    return NO_VALUES if step.just_dealt else None


def _threat(step: MatchStep) -> Values | None:
    """A card the learner may play would make a molotov with cards of the trick (MV4)."""
    if not step.must_play_card or len(step.on_table) < 2:
        return None
    lying = card_set(JASS.numbers[card] for card in step.on_table)
    for card in step.playable:
        run = melds.first_run(lying | 1 << JASS.numbers[card])
        if run >> JASS.numbers[card] & 1:
            written = JASS.texts_of(run)
            return {
                "card": card,
                "cards": " ".join(one for one in written if one != card),
                "points": melds.molotov_points(run, weis=False),
            }
    return None


def molotov_of_other(step: MatchStep) -> Values | None:
    """A molotov has gone off in somebody else's trick (MV4)."""
    return _bomb(step, mine=False)


def _own_bomb(step: MatchStep) -> Values | None:
    """A molotov has gone off in the learner's trick (MV4)."""
    return _bomb(step, mine=True)


def _bomb(step: MatchStep, *, mine: bool) -> Values | None:
    if step.before is None or step.completed_trick is None:
        return None
    table = step.finished_round or step.view
    for one in table["molotovs"][len(step.before["molotovs"]) :]:
        if (one["seat"] == step.learner_seat) == mine:
            cards = " ".join(one["cards"])
            return {"seat": one["seat"], "cards": cards, "points": one["points"]}
    return None


def _undertrump(step: MatchStep) -> Values | None:
    """A trump lies on a plain lead, and the learner may play a lower one under it (MV3)."""
    suit = step.trump
    if not step.must_play_card or suit is None or step.led_suit in {None, suit}:
        return None
    lying = [TRUMP_RANKS.index(card[0]) for card in step.on_table if card[1] == suit]
    mine = [card for card in step.playable if card[1] == suit]
    lower = [card for card in mine if lying and TRUMP_RANKS.index(card[0]) < max(lying)]
    return {"card": lower[0], "suit": suit} if lower else None


PLAY = (
    *FIRST_TRICK,
    *FIRST_DISCARD,
    Trigger("molotov.threat", _threat),
    Trigger("molotov.bomb", molotov_of_other),
    Trigger("molotov.own_bomb", _own_bomb),
    Trigger("molotov.undertrump", _undertrump),
    BUR,
    LAST_TRICK,
)
"""Triggers between the deal and the score, shared by both forms of the game (MV0)."""

TRIGGERS = (
    Trigger("molotov.aim", on_cards_dealt),
    *PLAY,
    Trigger("molotov.score_tally", on_mark_earned("|")),
    Trigger("molotov.score_nothing", on_mark_earned("-")),
    Trigger("molotov.score_sack", on_mark_earned("0")),
)

_DEAL = (
    "JH 6C TH 7C 8S 7H QC JC 8D QH 9H 6H JD KS 7D 6S 8H KH "
    "9D 9S JS 8C 6D AD 9C TD AS KD QS QD KC TC 7S TS AC AH"
)

TUTORIAL = Tutorial(
    game="molotov",
    options={"dealer": 2},
    packs=(_DEAL,),
    script=parse_scripted_actions(
        "KD; 7H; 7C; QD; KH; QS; 8S; 8H; 6S",
        "9D; 8D; JC; 9S; TC; QC; JS; 7S; KC",
        "6D; AH; 8C; AD; 6H; AC; TS; 9H; QH",
        "7D; TH; 9C; TD; JD; 6C; KS; JH; AS",
    ),
    triggers=TRIGGERS,
)
