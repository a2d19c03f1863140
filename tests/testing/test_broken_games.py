"""The conformance kit finds a game that is broken in one place, and says what to mend."""

import copy
import itertools
import random
import re
from collections.abc import Sequence
from typing import Any, ClassVar, Self, TypedDict

import pytest

import jasstisch as jt
from jasstisch.engine.cards import JASS, cards_in_set
from jasstisch.engine.errors import IllegalAction, Refusal
from jasstisch.games.metrics import ScoreMetric, round_scores
from jasstisch.games.options import Choice, Whole
from jasstisch.games.rules import Game, Json, ViewDelta
from jasstisch.games.views import CommonRound, CommonView, SeatCard
from jasstisch.testing import ConformanceError, check_game
from tests.testing.sample_game import NAME, Sample, registered_name


class ShowsHands(Sample):
    def table_view(self, seat: int | None) -> Json:
        return super().table_view(seat) | {"hands": [JASS.texts_of(hand) for hand in self.hands]}


class ShowsStrength(Sample):
    def table_view(self, seat: int | None) -> Json:
        ranks = [sum(JASS.rank(card) for card in cards_in_set(hand)) for hand in self.hands]
        return super().table_view(seat) | {"strength": ranks}


class ShowsBids(Sample):
    def table_view(self, seat: int | None) -> Json:
        return super().table_view(seat) | {"bids": list(self.bids)}


class KeepsItsOwnBidFromEverybody(Sample):
    def private_view(self, seat: int) -> Json:
        return {}


class TracesTooLittle(Sample):
    def action_delta(self, action: str) -> ViewDelta | None:
        return ViewDelta({}, {}, only_hand_changed=False)


class TracesNoHiddenBid(Sample):
    def action_delta(self, action: str) -> ViewDelta | None:
        if self.phase != "bid":
            return None
        return ViewDelta(
            self.table_view(None) | {"to_act": list(self.to_act)}, {}, only_hand_changed=True
        )


class TellsBids(Sample):
    def redact_action(self, actor: int, action: str, reader: int | None) -> str:
        return action


class LegalByOthersCards(Sample):
    def legal(self, seat: int) -> Sequence[str]:
        actions = list(super().legal(seat))
        red = bool(self.hands[(seat + 1) % self.players] & 0b111111111 << 9)
        return actions[::-1] if red else actions


class RefusalNamesHolder(Sample):
    def refusal(self, seat: int, action: str) -> Refusal | None:
        refusal = super().refusal(seat, action)
        for other, hand in enumerate(self.hands):
            if refusal and any(
                card in self.spelled(action).split() for card in JASS.texts_of(hand)
            ):
                return Refusal("C12", "not_held", f"seat {other} holds that card")
        return refusal


class RefusalCounts(Sample):
    tries = 0

    def act(self, seat: int, action: str) -> str:
        self.tries += 1
        done = super().act(seat, action)
        self.tries -= 1
        return done

    def table_view(self, seat: int | None) -> Json:
        return super().table_view(seat) | {"tries": self.tries}


class CrashesOnJunk(Sample):
    def act(self, seat: int, action: str) -> str:
        assert action.split()[1]
        return super().act(seat, action)


class RefusalCrashesOnJunk(Sample):
    def refusal(self, seat: int, action: str) -> Refusal | None:
        if action.split(maxsplit=1)[0].startswith("bid") and self.phase != "bid":
            return Refusal("C12", "bid", "no bid is due")
        return super().refusal(seat, action)


class AcceptsJunk(Sample):
    def act(self, seat: int, action: str) -> str:
        try:
            return super().act(seat, action)
        except IllegalAction:
            return action


class ReordersLegal(Sample):
    turns = itertools.count()

    def legal(self, seat: int) -> Sequence[str]:
        actions = list(super().legal(seat))
        return actions[::-1] if next(self.turns) % 2 else actions


class ListsWhatItRefuses(Sample):
    def refusal(self, seat: int, action: str) -> Refusal | None:
        if self.spelled(action) == "bid 3":
            return Refusal("C12", "bid", "nobody has three red cards")
        return super().refusal(seat, action)


class DoesWhatItDoesNotList(Sample):
    def legal(self, seat: int) -> Sequence[str]:
        return super().legal(seat)[:1] if self.phase == "play" else super().legal(seat)

    def refusal(self, seat: int, action: str) -> Refusal | None:
        held = [f"play {card}" for card in JASS.texts_of(self.hands[seat])]
        if self.phase == "play" and seat in self.to_act and self.spelled(action) in held:
            return None
        return super().refusal(seat, action)


class MindsCase(Sample):
    def spelled(self, action: str) -> str:
        return action


class LogsWhatWasTyped(Sample):
    def act(self, seat: int, action: str) -> str:
        super().act(seat, action)
        return action


class NeverEnds(Sample):
    def finish(self, winners: list[int]) -> None:
        self.next_deal()


class NobodyWins(Sample):
    def finish(self, winners: list[int]) -> None:
        super().finish([])


class ThrowsDice(Sample):
    def deal(self, pack: Sequence[int]) -> None:
        super().deal(random.sample(pack, len(pack)))


class SharesTotals(Sample):
    TOTAL: ClassVar[list[int]] = [0] * 4

    def score(self) -> None:
        for seat, bid in enumerate(self.bids):
            self.TOTAL[seat] += bid or 0
        super().score()

    def standing(self) -> list[Json]:
        return [{"total": total} for total in self.TOTAL[: self.players]]


class AsksWhoHasNothing(Sample):
    def play(self, seat: int, card: int) -> None:
        super().play(seat, card)
        if self.phase == "play" and not self.hands[self.to_act[0]]:
            self.finish([0])
        elif self.phase == "play":
            self.to_act = (seat,)


class ActsWithoutLegal(Sample):
    def legal(self, seat: int) -> Sequence[str]:
        return [] if seat == 1 else super().legal(seat)


class NoDealForTwo(Sample):
    def deal(self, pack: Sequence[int]) -> None:
        assert {3: "packets", 4: "packets"}[self.players]
        super().deal(pack)


class TupleInView(Sample):
    def table_view(self, seat: int | None) -> Json:
        return super().table_view(seat) | {"laid": tuple(self.laid)}


class HandsOutItsList(Sample):
    def table_view(self, seat: int | None) -> Json:
        return super().table_view(seat) | {"points": self.total}


class HandsOutItsListToASeat(Sample):
    def private_view(self, seat: int) -> Json:
        return super().private_view(seat) | {"points": self.total}


class SpectatorIsSeatZero(Sample):
    def table_view(self, seat: int | None) -> Json:
        return super().table_view(seat or 0)


class SpectatorSeesNothing(Sample):
    def table_view(self, seat: int | None) -> Json:
        return super().table_view(seat) | ({"has_bid": None} if seat is None else {})


class OtherKeysForSpectators(Sample):
    def table_view(self, seat: int | None) -> Json:
        return super().table_view(seat) | ({} if seat is None else {"mine": self.total[seat]})


class WritesOnInOldRounds(Sample):
    def add_round(self, points: list[int]) -> None:
        super().add_round(points)
        self.every = [*getattr(self, "every", []), points]
        for one in self.rounds:
            one["points"] = [sum(column) for column in zip(*self.every, strict=True)]


class DealsTwice(Sample):
    def deal(self, pack: Sequence[int]) -> None:
        super().deal(pack)
        self.hands[1] |= self.hands[0] & -self.hands[0]


class LacksHandSizes(Sample):
    def table_view(self, seat: int | None) -> Json:
        return {
            key: value for key, value in super().table_view(seat).items() if key != "hand_sizes"
        }


class StillAwaitsThePack(Sample):
    def deal(self, pack: Sequence[int]) -> None:
        super().deal(pack)
        self.pack = self.whole_pack


class NoCommonOptions(Sample):
    options = (Whole("players", 3, low=2, high=4), Whole("rounds", 2, low=1, high=4))

    def __init__(self, game: Game) -> None:
        raise AssertionError("the options are looked at before a match is made")


class RoundsFirst(Sample):
    options = tuple(sorted(Sample.options, key=lambda option: option.name != "rounds"))


class OptionTwice(Sample):
    options = (*Sample.options, Choice("rounds", (1, 2)))


class RoundWithoutMarks(Sample):
    def add_round(self, points: list[int]) -> None:
        super().add_round(points)
        del self.rounds[-1]["marks"]


class KeepsHands(Sample):
    def next_deal(self) -> None:
        super().next_deal()
        self.hands[0] = 1


class SampleRound(CommonRound):
    bids: list[int]


class SampleStanding(TypedDict):
    total: int


class SampleView(CommonView):
    rounds: list[SampleRound]
    standing: list[SampleStanding]
    bids: list[int | None]
    has_bid: list[bool]
    laid: list[SeatCard]


class Declared(Sample):
    view_type: ClassVar[type[Any] | None] = SampleView


class LacksWhatItDeclares(Declared):
    def table_view(self, seat: int | None) -> Json:
        whole = super().table_view(seat)
        del whole["laid"]
        return whole


class ShowsWhatItDoesNotDeclare(Declared):
    def table_view(self, seat: int | None) -> Json:
        return super().table_view(seat) | {"cheers": 3}


class BidsAreTexts(Declared):
    def table_view(self, seat: int | None) -> Json:
        whole = super().table_view(seat)
        bids = [None if bid is None else str(bid) for bid in whole["bids"]]
        return whole | {"bids": bids}


class FigureStandsNowhere(Sample):
    metric = ScoreMetric(
        "points", "points", True, round_scores, min_significant=1.0, standing_key="sum"
    )


class TotalIsYesOrNo(Declared):
    def standing(self) -> list[Json]:
        return [{"total": total > 0} for total in self.total]


class RoundForgetsBids(Declared):
    def add_round(self, points: list[int]) -> None:
        super().add_round(points)
        self.rounds[-1]["bids"] = [None] * self.players


class NamesNoTypedDict(Declared):
    view_type = dict


class KeepsAGenerator(Sample):
    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.turns = (seat for seat in range(self.players))


class CopiesTooLittle(Sample):
    def copy(self) -> Self:
        return copy.copy(self)


BROKEN: dict[type[Sample], str] = {
    ShowsHands: r"\['hands'\] names .* neither held nor seen.*put None",
    ShowsStrength: r"shown what it cannot know: \['view\(.*\)'\]\['strength'\].*table_view\(seat\)",
    ShowsBids: r"shown what it cannot know: \['view\(.*\)'\]\['bids'\]",
    KeepsItsOwnBidFromEverybody: (
        r"private_view\(.\) does not tell that table_view\(.\)\['bids'\] is \["
    ),
    TracesTooLittle: (
        r"action_delta\(action\) does not tell that table_view\(None\)\['to_act'\] is .*compared"
    ),
    TracesNoHiddenBid: r"says hand_only, but private_view\(.\)\['has_bid'\] has changed",
    TellsBids: r"view\(.*\) hides whether seat . did 'bid .' or .*Override redact_action",
    LegalByOthersCards: r"shown what it cannot know: \['legal",
    RefusalNamesHolder: r"shown what it cannot know: \['refusal",
    RefusalCounts: r"was refused and changed the match: .*'tries'.*before you set an attribute",
    CrashesOnJunk: r"raised IndexError.*let act ask refusal first",
    RefusalCrashesOnJunk: r"refusal\(0, ''\) raised IndexError.*returning a Refusal",
    AcceptsJunk: r"was accepted\. Refuse it",
    ReordersLegal: r"comes in another order.*sort",
    ListsWhatItRefuses: r"'bid 3' .*It is listed as legal: legal, refusal and act must agree",
    DoesWhatItDoesNotList: r"may do 'play ..', which legal\(.\) does not list",
    MindsCase: r"input ignores case and repeated spaces",
    LogsWhatWasTyped: r"is logged as .* and not as .*printed form",
    NeverEnds: r"not over after 300 steps\. Call finish",
    NobodyWins: r"over is True and winners are \[\]",
    ThrowsDice: r"replaying the match from its record raised .*take chance from packs alone",
    SharesTotals: r"keep it in self, begin it in __init__ \(never in the class",
    ActsWithoutLegal: r"seat 1 is in to_act, yet legal\(1\) is empty",
    NoDealForTwo: r"players=2\), step .*raised KeyError",
    TupleInView: r"not plain JSON: .*'laid'.*Use lists",
    HandsOutItsList: r"writing into view\(None\) changes the match.*Hand out copies",
    HandsOutItsListToASeat: r"writing into private_view\(0\) changes the match.*Hand out copies",
    SpectatorIsSeatZero: r"view\(None\)\['bids'\]\[0\] is ., which not every seat sees",
    SpectatorSeesNothing: r"'has_bid'\] is None although every seat sees",
    OtherKeysForSpectators: r"not the same keys",
    WritesOnInOldRounds: r"a finished round was changed: rounds\[0\]\['points'\]",
    DealsTwice: r"is in more than one place",
    LacksHandSizes: r"view\(None\) lacks hand_sizes",
    StillAwaitsThePack: r"set self\.pack = \(\)",
    NoCommonOptions: r"lacks the options \['dealer', 'direction'\]",
    RoundsFirst: r"players must be the first",
    OptionTwice: r"an option stands twice",
    RoundWithoutMarks: r"rounds\[0\] lacks marks",
    LacksWhatItDeclares: (
        r"view\(None\) lacks 'laid', which SampleView declares\. .*table_view\(seat\)"
    ),
    ShowsWhatItDoesNotDeclare: r"view\(None\) has 'cheers', which SampleView does not declare",
    BidsAreTexts: r"view\(.\)\['bids'\]\[.\] is '.', where int \| None is declared",
    FigureStandsNowhere: r"'total': .* has its standing under 'sum'\. Name there the key",
    TotalIsYesOrNo: r"\['standing'\]\[0\]\['total'\] is False, where int is declared",
    RoundForgetsBids: r"\['rounds'\]\[0\]\['bids'\]\[0\] is None, where int is declared",
    NamesNoTypedDict: r"Name a TypedDict there",
    KeepsAGenerator: r"taking the last action back raised TypeError.*plain data in self",
    CopiesTooLittle: r"taking the last action back raised .*so that copy\(\) copies all",
    KeepsHands: r"Between rounds hands and trick are empty",
}


@pytest.mark.parametrize("rules", BROKEN, ids=lambda rules: rules.__name__)
def test_a_broken_game_is_found_and_the_message_says_what_to_mend(rules: type[Sample]) -> None:
    with registered_name(rules) as name, pytest.raises(ConformanceError) as caught:
        check_game(name, matches=4, most_steps=300)
    assert re.search(BROKEN[rules], str(caught.value)), caught.value
    assert str(caught.value).startswith(f"{NAME}(")
    assert len(str(caught.value)) < 1000


def test_a_game_in_order_passes() -> None:
    with registered_name(Sample) as name:
        report = check_game(name, matches=5)
    assert report.matches == 5
    assert report.rounds == 10
    assert report.indistinguishable_matches > 50
    assert min(report.tried_actions, report.refusals, report.resumed) > 100


def test_a_game_that_shows_what_it_declares_passes() -> None:
    with registered_name(Declared) as name:
        assert check_game(name, matches=2).rounds == 4


def test_every_game_here_declares_its_views() -> None:
    assert [name for name in jt.games() if jt.game(name).rules.view_type is None] == []


def test_a_fault_carries_the_match_that_shows_it() -> None:
    with registered_name(DealsTwice) as name:
        with pytest.raises(ConformanceError) as caught:
            check_game(name)
        record: Any = caught.value.record
        match = jt.Match.from_record(record)
    assert len(record["log"]) == caught.value.step
    assert set(match.hand(0)) & set(match.hand(1))
    assert caught.value.game.name == NAME


def test_equal_seeds_find_the_same() -> None:
    found = []
    for _ in range(2):
        with registered_name(ShowsStrength) as name, pytest.raises(ConformanceError) as caught:
            check_game(name, seed=5)
        found.append((str(caught.value), caught.value.record))
    assert found[0] == found[1]


def test_what_a_game_reveals_is_no_leak() -> None:
    """Hands laid open for all are known to all, once the game says so."""

    class Open(ShowsHands):
        revealing_keys = ("hands",)

    with registered_name(Open) as name:
        assert check_game(name, matches=2).matches == 2


def test_an_unknown_game_is_refused_with_the_games_there_are() -> None:
    with pytest.raises(jt.GameError, match=r"'halma'; the games are coiffeur"):
        check_game("halma")
