"""A round of a batch as a match: the same deal and the same actions.

A batch stores no log, but all that its log would say about one round.
"""

from typing import TYPE_CHECKING, cast

from jasstisch.engine.cards import JASS, cards_in_set
from jasstisch.engine.tricks import RANKS
from jasstisch.env.actions import STAY, action_texts
from jasstisch.env.kernels.batch_state import (
    ANNOUNCED,
    ANNOUNCES_WEIS,
    ANSWERS_GIVEN,
    BIDDING,
    CONTRACT,
    DEALER,
    LINE,
    PHASE,
    PLAY_COUNT,
    PUSHES,
    ROBBER,
    BatchState,
)
from jasstisch.games.contracts import CONTRACTS, PUSH, ContractGame, contract_text
from jasstisch.games.rules import Game
from jasstisch.games.trick_taking import TrickTaking
from jasstisch.games.weis import WEIS
from jasstisch.match.match import Match
from jasstisch.search.rounds.round_state import ANNOUNCER, TARGET, TURN

if TYPE_CHECKING:
    from jasstisch.games.coiffeur import Coiffeur


def match_of_round(game: Game, state: BatchState, one: int) -> Match:
    """A match that has come to where this round is.

    What the seat to act has said about Weis it has not played yet: `is_weis_announced`. The deal is
    that of this round, and a match that would be decided before the last card goes on.

    Args:
        game: the game of the batch.
        state: the state of the batch.
        one: the number of the round.
    """
    return _Replay(game, state, one).match


def is_weis_announced(state: BatchState, one: int) -> bool:
    """Whether the next card of this round announces the Weis of its seat."""
    return bool(state.round_details[one, ANNOUNCES_WEIS])


class _Replay:
    """Repeats a round in a match."""

    def __init__(self, game: Game, state: BatchState, one: int) -> None:
        self._words, self._row = state.round_states[one], state.round_details[one]
        options = {**game.options, "dealer": int(self._row[DEALER])}
        if "end" in options:
            options["end"] = "round"  # a batch plays to the last card, whatever the target (SC6)
        rules = game.rules(Game(game.name, options))
        assert isinstance(rules, TrickTaking)
        self._rules = rules
        if state.lines_played[one].any():
            _cross_out(cast("Coiffeur", rules), state.lines_played[one].tolist())
        self.match = Match.from_rules(rules, [])
        self._deal(state.packs[one].tolist(), int(state.trumps[one]))
        if self._row[PHASE] == BIDDING:
            return
        self._bid()
        self._answer()
        if isinstance(rules, ContractGame):
            self._announce(rules)
        self._rob_due = int(self._row[ROBBER])
        for seat, card in state.history[one, : self._row[PLAY_COUNT]].tolist():
            self._play(seat, card)
        if self._rob_due >= 0 and self._rob_due == self._words[TURN]:
            self._rob()

    def _deal(self, pack: list[int], trump: int) -> None:
        self.match.deal([JASS.texts[card] for card in pack])
        if self.match.needs_pack:
            front = JASS.texts[RANKS * trump]
            self.match.deal([front, *(text for text in self.match.pack if text != front)])

    def _bid(self) -> None:
        while self._rules.phase == "bid":
            seat = self.match.to_act[0]
            self.match.act(seat, f"bid {self._words[TARGET + seat]}")

    def _answer(self) -> None:
        while self._rules.phase == "answer":
            seat = self.match.to_act[0]
            answer = self._row[ANSWERS_GIVEN + seat]
            if answer < 0:
                return
            self.match.act(seat, action_texts(self._rules)[STAY + answer])

    def _announce(self, rules: ContractGame) -> None:
        for _ in range(self._row[PUSHES]):
            self.match.act(self.match.to_act[0], PUSH)
        if self._row[CONTRACT] >= 0:
            contract = list(CONTRACTS)[self._row[CONTRACT]]
            line = rules.slate_lines[self._row[LINE]] if self._row[LINE] >= 0 else None
            text = next(
                text
                for text, its_line in rules.line_by_announcement.items()
                if contract_text(text) == contract and line in {None, its_line}
            )
            self.match.act(int(self._words[ANNOUNCER]), text)

    def _play(self, seat: int, card: int) -> None:
        if seat == self._rob_due:
            self._rob()
        play = f"play {JASS.texts[card]}"
        if self._row[ANNOUNCED + seat] >= 0 and play + WEIS in self.match.legal(seat):
            play += WEIS
        self.match.act(seat, play)

    def _rob(self) -> None:
        self.match.act(self._rob_due, "rob")
        self._rob_due = -1


def _cross_out(rules: "Coiffeur", lines_played: list[int]) -> None:
    """Marks the lines that each side has played before, which scored nothing (CO1)."""
    for side, lines in enumerate(lines_played):
        for place in cards_in_set(lines):
            rules.played[side][rules.slate_lines[place].text] = 0
