"""Arguments at Schieber and Coiffeur.

For every argument a position in which it holds, and one in which a condition of it fails.
"""

from __future__ import annotations

from typing import Any

import pytest

import jasstisch as jt
from jasstisch.analysis import reason_texts
from jasstisch.analysis.explainers import explainer_of
from jasstisch.analysis.explanation import Reason, explain
from jasstisch.analysis.game_metric import min_significant
from jasstisch.bots.searching import Candidate
from jasstisch.i18n.templates import render
from tests.analysis.explainers.test_argument_truth import TRUE
from tests.analysis.search_stubs import card_view

View = dict[str, Any]

OURS = ("0: 6S 7S KS QS > 2", "2: TS 8S JS 9S > 2", "2: AS 6D AD 7D > 0", "0: JD 8D QD 9D > 2")
"""Four tricks that all go to seat 2."""

THEIRS = ("0: 6S AS 7S QS > 1", "1: TS 8S JS 9S > 3", "3: 6D AD KS 7D > 3", "3: KD 8D JD 9D > 3")
"""Four tricks that all go to the other side."""

NO_TRUMPS_THERE = ("0: JC 6H 6C 7H > 0",)
"""Trump C was led: neither opponent has any."""

ALL_TRUMPS_BUT_TWO = ("0: JC 6C 7C 9C > 0", "0: AC KC QC 7H > 0")
ALL_TRUMPS_BUT_THE_BUR = ("0: 9C 6C 7C TC > 0", "0: AC KC QC 7H > 0")
NO_TRUMPS_WITH_PARTNER = ("0: JC 6C 6H 7C > 0",)
OPPONENTS_HAVE_NO_HEARTS = ("0: 6H 6D 7H 7D > 2", "2: 6S 7S 8S 9S > 3")
PARTNER_HAS_NO_HEARTS = ("1: 6H 6D 7H 8H > 0",)
"""Seats in order of play: 1, 2, 3, 0."""


def view(
    hand: str, trick: str = "", contract: str | None = "trump C", by: int = 0, **more: Any
) -> View:
    """The view of seat 0 during a round; its partner is seat 2, the trick comes from 3."""
    game = more.pop("game", "schieber")
    chosen = more.pop("options", {})
    here: View = {
        "options": dict(jt.game(game, **chosen).options),
        "dealer": 3,
        "contract": contract,
        "by": by if contract else None,
        "factor": 1 if contract else None,
        "pushed": False,
        "pushes": 0,
        "trump": contract[-1] if contract and contract.startswith("trump") else None,
        "announced": [],
        "weis_shown": None,
        "standing": [{"side": seat % 2, "points": 0, "lines": {}} for seat in range(4)],
    }
    if contract is None:
        here["phase"] = "announce"
    return card_view(game, hand, trick, **(here | more))


def asked(hand: str, game: str = "schieber", **more: Any) -> View:
    """The view of a seat that is to announce."""
    return view(hand, contract=None, game=game, **more)


def lines(*played: str) -> list[View]:
    """The standing at Coiffeur once the side of seat 0 has played these lines."""
    own = [dict.fromkeys(played, 100), {}]
    return [{"side": seat % 2, "points": 0, "lines": own[seat % 2]} for seat in range(4)]


EIGHT = ("trump C", "trump H", "trump S", "trump D", "tops", "bottoms", "joker 7", "joker 8")
SHORT_OF = {it: lines(*(line for line in EIGHT if line not in it.split(", "))) for it in (
    "trump C", "trump C, joker 8", "trump C, trump S", "joker 7, joker 8",
)}  # fmt: skip
"""The standing with just these lines open."""

MELDS = [{"cards": ["6H", "7H", "8H"], "points": 20}]
WEAK = "6C 7C 8D TD QH KH TS QS KS"
BUR_AND_NELL = "JC 9C 6C AD 6D 7H 8H 9S TS"
BUR_IN_FOUR = "JC 6C 7C 8C 6D 7H 8H 9S TS"
FIVE = "AC KC TC 8C 7C 6D 7H 9S TS"
THREE_ACES = "AC AD AH 7C 8D 9H 9S TS JS"
THREE_SIXES = "6C 6D 6H 9C 8D 9H 9S TS JS"
AT_950 = [{"side": seat % 2, "points": 950 * (seat % 2 == 0)} for seat in range(4)]
BOTH_AT_950 = [{"side": seat % 2, "points": 950} for seat in range(4)]
ONE_TRICK = ("0: 6S 7S KS QS > 2",)

CASES: list[tuple[str, View, str, bool]] = [
    # The argument, the view, the action, and whether the argument is given.
    ("trump_bur_nell", asked(BUR_AND_NELL), "trump C", True),
    ("trump_bur_nell", asked(BUR_IN_FOUR), "trump C", False),
    ("trump_bur_aces", asked(BUR_AND_NELL), "trump C", True),
    ("trump_bur_aces", asked(BUR_IN_FOUR), "trump C", False),
    ("trump_bur", asked(BUR_IN_FOUR), "trump C", True),
    ("trump_bur", asked(FIVE), "trump C", False),
    ("trump_many", asked(FIVE), "trump C", True),
    ("trump_many", asked(BUR_IN_FOUR), "trump C", False),
    ("trump_few", asked(WEAK), "trump C", True),
    ("trump_few", asked(BUR_AND_NELL), "trump C", False),
    ("trump_none", asked("6D 7D 8D 9D TD 7H 8H 9S TS"), "trump C", True),
    ("trump_none", asked(WEAK), "trump C", False),
    ("masters", asked("AC KC AD 7D 8D 9H TH 9S TS"), "tops", True),
    ("masters", asked("AC QC AD 7D 8D 9H TH 9S TS"), "tops", False),
    ("masters", asked("6C 7C 8C 7D 8D 9H TH 9S TS"), "bottoms", True),
    ("masters", asked("6C 7C 8C 7D 8D 9H TH 9S TS"), "tops", False),
    ("tops_few", asked(BUR_AND_NELL), "tops", True),
    ("tops_few", asked(THREE_ACES), "tops", False),
    ("tops_none", asked(WEAK), "tops", True),
    ("tops_none", asked(BUR_AND_NELL), "tops", False),
    ("bottoms_few", asked(WEAK), "bottoms", True),
    ("bottoms_few", asked(THREE_SIXES), "bottoms", False),
    ("bottoms_none", asked(THREE_ACES), "bottoms", True),
    ("bottoms_none", asked(WEAK), "bottoms", False),
    ("masters_both", asked("AC KC 6D 7D AH 9H TH 9S TS"), "slalom tops", True),
    ("masters_both", asked(THREE_ACES), "slalom tops", False),
    ("masters_both", asked("AC KC QC AD AH 9H TH 9S TS"), "slalom tops", False),
    ("masters_both", asked("AC KC 6D 9D QH 9H TH 9S TS"), "slalom tops", False),
    ("turns_few", asked(BUR_AND_NELL.replace("6D", "8D")), "slalom tops", True),
    ("turns_few", asked(THREE_ACES), "slalom tops", False),
    ("counts", asked(WEAK, options={"multipliers": "swiss"}), "trump D", True),
    ("counts", asked(WEAK, options={"multipliers": "swiss"}), "trump C", False),
    ("counts", asked(WEAK), "trump D", False),
    ("stoeck_held", asked(WEAK), "trump H", True),
    ("stoeck_held", asked(WEAK, options={"weis": "off"}), "trump H", False),
    ("stoeck_held", asked(WEAK), "tops", False),
    ("longest", asked(WEAK, pushed=True, pushes=1), "trump S", True),
    ("longest", asked(WEAK, pushed=True, pushes=1), "trump C", False),
    ("longest", asked(WEAK), "trump S", False),
    ("longest", asked(FIVE, pushed=True, pushes=1), "trump C", False),
    ("longest", asked(WEAK, "coiffeur", pushed=True, pushes=4), "joker 8 trump S", True),
    ("longest", asked(WEAK, "coiffeur", pushed=True, pushes=3), "joker 8 trump S", False),
    ("push_weak", asked(WEAK), "push", True),
    ("push_weak", asked(BUR_IN_FOUR), "push", False),
    ("push_weak", asked(THREE_ACES), "push", False),
    ("push_weak", asked(THREE_SIXES), "push", False),
    ("push_lines", asked(WEAK, "coiffeur"), "push", True),
    ("push_lines", asked(THREE_ACES, "coiffeur"), "push", False),
    ("push_lines", asked(THREE_ACES, "coiffeur", standing=SHORT_OF["trump C"]), "push", True),
    ("line_kept", asked(WEAK, "coiffeur"), "joker 8 trump S", True),
    ("line_kept", asked(WEAK, "coiffeur"), "trump C", False),
    ("line_kept", asked(FIVE, "coiffeur"), "joker 8 trump C", False),
    ("joker_kept", asked(FIVE, "coiffeur"), "joker 7 trump C", True),
    ("joker_kept", asked(FIVE, "coiffeur"), "trump C", False),
    ("joker_kept", asked(WEAK, "coiffeur"), "joker 7 trump S", False),
    (
        "joker_kept",
        asked(FIVE, "coiffeur", standing=SHORT_OF["joker 7, joker 8"]),
        "joker 7 trump C",
        False,
    ),
    ("line_dearest", asked(FIVE, "coiffeur"), "joker 8 trump C", True),
    ("line_dearest", asked(FIVE, "coiffeur"), "joker 7 trump C", False),
    ("line_dearest", asked(WEAK, "coiffeur"), "joker 8 trump C", False),
    ("line_dearest", asked(FIVE, "coiffeur", standing=SHORT_OF["trump C"]), "trump C", False),
    ("line_cheapest", asked(WEAK, "coiffeur", pushed=True, pushes=4), "trump C", True),
    ("line_cheapest", asked(WEAK, "coiffeur", pushed=True, pushes=4), "trump S", False),
    ("line_cheapest", asked(WEAK, "coiffeur", pushed=True, pushes=2), "trump C", False),
    ("line_last", asked(WEAK, "coiffeur", standing=SHORT_OF["trump C"]), "trump C", True),
    ("line_last", asked(WEAK, "coiffeur", standing=SHORT_OF["trump C, trump S"]), "trump C", False),
    # The match of nine tricks, and the end.
    ("keeps_match", view("AH 6H 8H 9H TH", tricks=OURS, contract="tops"), "play AH", True),
    ("keeps_match", view("AH 6H 8H 9H TH", tricks=OURS, contract="tops"), "play TH", False),
    ("keeps_match", view("AH 6H 8H 9H TH 7H", tricks=OURS[:3], contract="tops"), "play AH", False),
    ("breaks_match", view("AH 6H 8H 9H TH", tricks=THEIRS, contract="tops"), "play AH", True),
    ("breaks_match", view("AH 6H 8H 9H TH", tricks=OURS, contract="tops"), "play AH", False),
    (
        "wins",
        view("AH 8H", "TH KH QH", tricks=ONE_TRICK, points=[25, 0, 25, 0], standing=AT_950),
        "play AH",
        True,
    ),
    (
        "wins",
        view("AH 8H", "TH KH QH", tricks=ONE_TRICK, points=[5, 0, 5, 0], standing=AT_950),
        "play 8H",
        False,
    ),
    (  # The other side might call Stöck in this trick, and be there first (SC6).
        "wins",
        view("AH 8H", "TH KH QH", tricks=ONE_TRICK, points=[25, 30, 25, 30], standing=BOTH_AT_950),
        "play AH",
        False,
    ),
    (
        "wins",
        view(
            "AH 8H",
            "TH KH QH",
            tricks=ONE_TRICK,
            points=[25, 0, 25, 0],
            standing=AT_950,
            options={"rounds": 8},
        ),
        "play AH",
        False,
    ),
    # The partner's trick.
    ("trumps_partner", view("7C KS", "6H AH 7H"), "play 7C", True),
    ("trumps_partner", view("7C KS", "AH 6H 7H"), "play 7C", False),
    ("trumps_partner", view("7C KS", "8C TC 6C"), "play 7C", False),
    ("beats_partner", view("AH 8H", "6H KH 7H"), "play AH", True),
    ("beats_partner", view("AH 8H", "QH 6H", contract="tops"), "play AH", False),
    ("smears", view("TH 8H", "6H AH 7H"), "play TH", True),
    ("smears", view("TH 8H", "6H AH 7H"), "play 8H", False),
    ("smears", view("TH 8H", "AH 6H 7H"), "play TH", False),
    ("smears", view("TH 8H", "KH 6H"), "play TH", False),
    ("smears", view("TH AH", "KH 6H", contract="tops"), "play TH", True),
    ("smears_open", view("TH 8H", "KH 6H"), "play TH", True),
    ("smears_open", view("TH 8H", "6H AH 7H"), "play TH", False),
    ("smears_risky", view("TH 8H", "KH 6H"), "play TH", True),
    ("smears_risky", view("TH 8H", "6H AH 7H"), "play TH", False),
    ("partner_takes", view("TH 8H", "6H AH 7H"), "play 8H", True),
    ("partner_takes", view("TH 8H", "KH 6H"), "play 8H", False),
    ("leaves_to_partner", view("TH 8H", "KH"), "play 8H", True),
    ("leaves_to_partner", view("TH 8H", "AH", contract="tops"), "play 8H", False),
    ("leaves_to_partner", view("TH 8H", "KH 6H 7H"), "play 8H", False),
    # Taking tricks.
    ("takes", view("KH 8H", "9H 6H 7H"), "play KH", True),
    ("takes", view("KH 8H", "6H 9H 7H"), "play KH", False),
    ("takes", view("KH 8H", "9H"), "play KH", False),
    ("cuts", view("7C KS", "AH 6H 7H"), "play 7C", True),
    ("cuts", view("7C KS", "AH"), "play 7C", False),
    ("ruffs", view("7C KS", "AH"), "play 7C", True),
    ("ruffs", view("7C KS", "6C"), "play 7C", False),
    ("ruffs", view("7C KS", "AH 6H"), "play 7C", False),
    ("brings_home", view("AH 8H", "9H 6H 7H"), "play AH", True),
    ("brings_home", view("AH 8H", "9H 6H 7H", contract="tops"), "play AH", False),
    ("brings_home", view("AH 8H", "9H"), "play AH", False),
    ("should_take", view("KH 8H", "9H"), "play KH", True),
    ("should_take", view("KH AH", "9H"), "play KH", False),
    ("should_take", view("TH 8H", "9H"), "play TH", False),
    ("wastes", view("AH 8H", "9H"), "play AH", True),
    ("wastes", view("AH 8H", "TH"), "play AH", False),
    ("wastes", view("AH 8H", "9H 7H"), "play AH", False),
    ("gives", view("TH 8H", "AH 6H 7H"), "play TH", True),
    ("gives", view("TH 8H", "AH"), "play TH", False),
    ("spares", view("TH 8H", "AH 6H 7H"), "play 8H", True),
    ("spares", view("TH 8H", "AH 6H 7H", contract="tops"), "play 8H", False),
    ("keeps_bur", view("JC 8C", "6C 7C KC"), "play 8C", True),
    ("keeps_bur", view("JC 8C", "6C 7C KC"), "play JC", False),
    ("keeps_bur", view("JC 8H", "6H 7H KH"), "play 8H", False),
    # Leading.
    ("bock", view("AH 8H", contract="tops"), "play AH", True),
    ("bock", view("KH 8H", contract="tops"), "play KH", False),
    ("bock", view("AH 8H"), "play AH", False),
    ("bock", view("AH 8H", tricks=NO_TRUMPS_THERE), "play AH", True),
    ("bock", view("6H 8H", contract="bottoms"), "play 6H", True),
    ("safe_lead", view("KH 8C", contract="tops", tricks=OPPONENTS_HAVE_NO_HEARTS), "play KH", True),
    ("safe_lead", view("KH 8C", contract="tops"), "play KH", False),
    ("bock_but_trumps", view("AH 8H"), "play AH", True),
    ("bock_but_trumps", view("KH 8H"), "play KH", False),
    ("bock_but_trumps", view("AH 8H", tricks=NO_TRUMPS_THERE), "play AH", False),
    ("draws", view("8C 8H"), "play 8C", True),
    ("draws", view("8C 8H"), "play 8H", False),
    ("draws", view("8C 8H", by=2), "play 8C", False),
    ("draws_last", view("8C 8H", tricks=ALL_TRUMPS_BUT_TWO), "play 8C", True),
    ("draws_last", view("8C 8H"), "play 8C", False),
    ("draws_last", view("8C 8H", tricks=ALL_TRUMPS_BUT_THE_BUR), "play 8C", False),
    ("draws", view("8C 8H", tricks=ALL_TRUMPS_BUT_THE_BUR), "play 8C", False),
    ("draws_along", view("8C 8H", by=2), "play 8C", True),
    ("draws_along", view("8C 8H", by=0), "play 8C", False),
    ("draws_along", view("8C 8H", by=2, tricks=NO_TRUMPS_THERE), "play 8C", False),
    ("draws_for_others", view("8C 8H", by=1), "play 8C", True),
    ("draws_for_others", view("8C 8H", by=2), "play 8C", False),
    ("draws_own", view("8C 8H", tricks=NO_TRUMPS_THERE), "play 8C", True),
    ("draws_own", view("8C 8H"), "play 8C", False),
    ("others_ruff", view("KH 8C", tricks=OPPONENTS_HAVE_NO_HEARTS), "play KH", True),
    ("others_ruff", view("KH 8C", tricks=PARTNER_HAS_NO_HEARTS), "play KH", False),
    (
        "others_ruff",
        view("KH 8C", contract="tops", tricks=OPPONENTS_HAVE_NO_HEARTS),
        "play KH",
        False,
    ),
    ("partner_ruffs", view("KH 8C", tricks=PARTNER_HAS_NO_HEARTS), "play KH", True),
    ("partner_ruffs", view("KH 8C", tricks=OPPONENTS_HAVE_NO_HEARTS), "play KH", False),
    (
        "partner_ruffs",
        view("KH 8C", tricks=(*PARTNER_HAS_NO_HEARTS, *NO_TRUMPS_WITH_PARTNER)),
        "play KH",
        False,
    ),
    ("returns", view("KS 8H", tricks=OPPONENTS_HAVE_NO_HEARTS), "play KS", True),
    ("returns", view("KS 8H", tricks=OPPONENTS_HAVE_NO_HEARTS), "play 8H", False),
    ("risks", view("TH 8H"), "play TH", True),
    ("risks", view("AH 8H"), "play AH", False),
    ("risks", view("QH 8H"), "play QH", False),
    ("leads_nothing", view("7H 8H"), "play 7H", True),
    ("leads_nothing", view("6H 8H", contract="bottoms"), "play 6H", False),
    ("leads_nothing", view("7H 8H", "6H"), "play 7H", False),
    # Throwing off, and what is left.
    ("throws_bock", view("AS 8D 7D", "AH 6H 7H"), "play AS", True),
    ("throws_bock", view("KS 8D 7D", "AH 6H 7H"), "play KS", False),
    ("throws_bock", view("KH 8H 7D", "6D AH 7H"), "play KH", True),
    ("throws_bock", view("AS 8D 7D", "AH 6H 7H", contract="slalom tops"), "play AS", False),
    ("bares", view("KS 8S 7D", "AH 6H 7H"), "play 8S", True),
    ("bares", view("QS 8S 7D", "AH 6H 7H"), "play 8S", False),
    ("bares", view("KS QS 8S", "AH 6H 7H"), "play 8S", False),
    ("throws_weak", view("TS 8S 7D", "AH 6H 7H"), "play 8S", True),
    ("throws_weak", view("KS 8S 7D", "AH 6H 7H"), "play 8S", False),
    ("throws_weak", view("8S 7D AD", "AH 6H 7H"), "play 8S", False),
    ("frees_trump", view("8S 7D 7C", "AH 6H 7H"), "play 8S", True),
    ("frees_trump", view("8S 7D 6S", "AH 6H 7H"), "play 8S", False),
    ("frees_trump", view("8S 9C 7C", "AH 6H 7H"), "play 8S", False),
    # Weis and Stöck.
    ("stoeck", view("QC 8H", tricks=("0: KC 7C 8C 6C > 0",)), "play QC", True),
    ("stoeck", view("QC 8H", tricks=("1: 7C 8C 6C KC > 0",)), "play QC", True),
    ("stoeck", view("QC 8H", tricks=("1: KC 8C 6C JC > 0",)), "play QC", False),
    (
        "stoeck",
        view("QC 8H", tricks=("0: KC 7C 8C 6C > 0",), options={"weis": "off"}),
        "play QC",
        False,
    ),
    ("weis", view("6H 7H 8H", melds=MELDS), "play 6H weis", True),
    ("weis", view("6H 7H 8H", melds=MELDS), "play 6H", False),
    ("weis_kept", view("6H 7H 8H", melds=MELDS), "play 6H", True),
    ("weis_kept", view("6H 7H 8H"), "play 6H", False),
]


def ids(here: View, action: str) -> list[str]:
    """The ids of the arguments about an action."""
    return [argument.id for argument in explainer_of(here["game"])(here, action, action)]


@pytest.mark.parametrize(
    ("reason", "here", "action", "said"),
    CASES,
    ids=[f"{one[0]}-{number}" for number, one in enumerate(CASES)],
)
def test_an_argument_is_given_exactly_where_it_holds(
    reason: str, here: View, action: str, *, said: bool
) -> None:
    assert (reason in ids(here, action)) == said


def test_every_argument_is_tested_in_both_directions() -> None:
    for said in (True, False):
        assert {reason for reason, _, _, one in CASES if one == said} == set(TRUE)


# Explanations made of the arguments.


def said(reason: Reason) -> str:
    """The reason in English."""
    return "".join(
        text for _, text in render(reason_texts("en")[reason.id], reason.placeholder_values)
    )


def weighed(**values: float) -> list[Candidate]:
    """Actions with the lead they bring, best first."""
    found = [Candidate(name.replace("_", " "), one, one, 100) for name, one in values.items()]
    return sorted(found, key=lambda one: -one.value)


def test_smearing_names_the_points() -> None:
    here = view("TH 8H 7S", "6H AH 7H")
    found = weighed(play_TH=30, play_8H=12)
    assert (
        said(explain(here, found, "play TH")) == "The trick is your partner’s: TH smears 10 points."
    )
    assert explain(here, found, "play 8H") == explain(here, found, "play TH")


def test_trumping_the_partner_is_pointed_out() -> None:
    here = view("7C 8H KS", "6D AD 7D")
    found = weighed(play_KS=30, play_8H=26, play_7C=4)
    assert said(explain(here, found, "play 7C")) == "7C trumps your partner, who is ahead with AD."


def test_a_weak_hand_should_push_and_the_reason_names_the_announcer__SC1() -> None:
    found = weighed(push=40, trump_S=5, tops=-30)
    assert explain(asked(WEAK), found, "push") == Reason("push_weak")
    assert explain(asked(WEAK), found, "trump S").id in {"push_weak", "trump_few"}


def test_a_push_is_not_explained_by_a_single_contract__SC1() -> None:
    found = weighed(push=40, trump_C=5, tops=-30)
    assert "trump_none" in ids(asked(FIVE.replace("6D", "6S")), "trump D")
    reason = explain(asked(FIVE.replace("6D", "6S")), weighed(push=40, trump_D=5, tops=-30), "push")
    assert reason == Reason("lead", {"gain": "35.0"})
    assert explain(asked(FIVE), found, "push").id == "lead"


def test_an_expensive_line_is_saved_for_a_better_hand__CO1() -> None:
    found = weighed(push=0, trump_C=-30, joker_8_trump_S=-250)
    reason = explain(asked(WEAK, "coiffeur"), found, "joker 8 trump S")
    assert reason == Reason("line_kept", {"factor": 8})


def test_differences_count_with_the_factor_of_the_round__CO1() -> None:
    here = view("TH 8H 7S", "6H AH 7H", game="coiffeur", factor=8)
    assert min_significant(here, "play TH", "play 8H") == 8 * min_significant(view("TH"), "play TH")
    assert explain(here, weighed(play_TH=30, play_8H=28), "play 8H").id == "close"
    # A larger loss is no mistake yet, and is explained only by an argument.
    assert explain(here, weighed(play_TH=30, play_8H=12), "play 8H").id == "smears"
    assert explain(here, weighed(play_TH=60, play_8H=12), "play 8H").id == "smears"


def test_announcements_count_with_their_own_factor__SC5__CO1() -> None:
    swiss = asked(WEAK, options={"multipliers": "swiss"})
    least = min_significant(asked(WEAK), "trump C", "push")
    assert min_significant(swiss, "trump C", "push") == least
    assert min_significant(swiss, "trump C", "trump D") == 2 * least
    assert min_significant(swiss, "tops", "push") == 3 * least
    assert min_significant(asked(WEAK, "coiffeur"), "joker 7 tops", "push") == 7 * least


def test_a_costly_action_without_argument_is_explained_by_the_best_one() -> None:
    here = view("KH QH JS", "9H 6H 7H", contract="tops")
    reason = explain(here, weighed(play_KH=20, play_QH=9), "play QH")
    assert said(reason) == "QH counts 3, KH counts 4."


def test_without_a_distinguishing_argument_one_for_a_better_action_is_given() -> None:
    """The ace of trumps is as good as the others, so being bock is not the whole argument."""
    here = view("AH AD AC 8C 6S 7S")
    found = weighed(play_AH=30, play_AD=29, play_AC=28, play_8C=27, play_6S=8, play_7S=5)
    assert explain(here, found, "play 7S") == Reason("bock_but_trumps", {"card": "AH", "out": 7})
