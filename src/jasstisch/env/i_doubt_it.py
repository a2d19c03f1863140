"""A batch of deals of I Doubt It, stepped together from Python with NumPy arrays.

A claim takes several actions, as in `env.matches.i_doubt_it`: its cards one after the other,
ascending, then the rank claimed; the other seats answer in turn. Legal actions and the taker of the
middle follow `jasstisch.games.i_doubt_it`; a test plays both versions side by side.
"""

from collections.abc import Mapping
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jasstisch.engine.errors import GameError, quote
from jasstisch.env.array_validation import checked_int_array
from jasstisch.env.batch import Step
from jasstisch.env.checkpoint import ResumableBatch
from jasstisch.env.kernels.observations import Observation
from jasstisch.env.kernels.transitions import seed_streams
from jasstisch.env.matches.i_doubt_it import (
    CARDS,
    CLAIM,
    DOUBT,
    PASS,
    RANKS,
    ROW_SIZE,
    DoubtActionEncoder,
)
from jasstisch.games.i_doubt_it import CLAIM_SIZE, IDoubtIt
from jasstisch.games.rules import Game
from jasstisch.search.jit import prng
from jasstisch.search.jit.compiler import kernel
from jasstisch.search.jit.prng import Stream, pick_card
from jasstisch.search.rounds.random_playouts import shuffle

_WordArray = NDArray[np.int64]
_RowMask = NDArray[np.bool_]

_SEATS = 8

(
    _IS_LAYING,  # 1 while cards or a rank are chosen, 0 while an answer is due
    _TURN,  # seat to act, -1 when the deal is over
    _CLAIMANT,  # the seat that lays, or whose claim is answered
    _DEALER,
    _LIES,  # number of cards in the middle, without those of an open claim
    _CLAIMS,  # number of claims so far
    _TOLD,  # number of rows of the history
    _DRAWN,  # 1 if the turn has its row already because it started with a draw (ID5)
    _CARDS_DUE,  # number of cards of this claim
    _CHOSEN_CARDS,  # number of those already chosen
) = range(10)
_HANDS = 10  # + seat: set of cards held
_NET_CHIPS = _HANDS + _SEATS  # + seat: chips won less lost
_OPEN_CARDS = _NET_CHIPS + _SEATS  # + place: the cards chosen, or of the open claim
_PILE = _OPEN_CARDS + CLAIM_SIZE  # + place: the cards in the middle, the top one last
_STATE_SIZE = _PILE + CARDS

_PLAYERS, _CLAIM_LIMIT, _LAST_ANY, _LIE_FEE = range(4)
"""The words of the rules: seats, claims of a deal (ID8), whether `last` is `any`, the lie fee."""

(
    _SEAT,  # the seat whose turn it was
    _DREW,  # number of cards it drew
    _CARDS_DRAWN,  # these cards, three places
) = range(3)
_RANK = _CARDS_DRAWN + CLAIM_SIZE
_COUNT = _RANK + 1
_LAID = _COUNT + 1
_PASSED = _LAID + CLAIM_SIZE
_DOUBTER = _PASSED + 1
_TRUTH = _DOUBTER + 1
_TAKER = _TRUTH + 1
_TAKEN = _TAKER + 1
assert _TAKEN + 1 == ROW_SIZE

_ANSWER_BITS = 1 << DOUBT - CLAIM | 1 << PASS - CLAIM
_CLAIM_BITS = (1 << RANKS) - 1


class _DealBatch(NamedTuple):
    """The state of n deals.

    Attributes:
        words: `_STATE_SIZE` words of each deal, at the indices above (n, STATE_SIZE).
        history: a row for each turn in which cards were drawn or laid (n, turns, ROW_SIZE).
        packs: the pack that each was dealt from (n, cards).
        streams: the random stream of each (n,).
    """

    words: _WordArray
    history: NDArray[np.int8]
    packs: _WordArray
    streams: Stream


@kernel
def _shuffle_packs(deals: _DealBatch, chosen: _RowMask) -> None:
    """Shuffles the packs of these deals, each with its own random stream."""
    for one in range(len(chosen)):
        if chosen[one]:
            shuffle(deals.packs[one], deals.streams[one : one + 1])


@kernel
def _deal(rules: _WordArray, deals: _DealBatch, chosen: _RowMask) -> None:
    """Deals the cards one by one, equally many to each seat; the surplus is the middle (ID1)."""
    players = rules[_PLAYERS]
    each = CARDS // players
    for one in range(len(chosen)):
        if not chosen[one]:
            continue
        words, pack = deals.words[one], deals.packs[one]
        dealer = words[_DEALER]
        words[:] = 0
        words[_DEALER] = dealer
        deals.history[one] = -1
        for place in range(each * players):
            words[_HANDS + (dealer + 1 + place) % players] |= 1 << pack[place]
        for place in range(CARDS - 1, each * players - 1, -1):
            words[_PILE + words[_LIES]] = pack[place]
            words[_LIES] += 1
        _begin_turn(rules, words, deals.history[one], (dealer + 1) % players)


@kernel
def _cards_due(rules: _WordArray, words: _WordArray, seat: int) -> int:
    """The number of cards that a seat has to lay (ID2, ID5)."""
    held = words[_HANDS + seat].bit_count()
    return min(CLAIM_SIZE, held) if rules[_LAST_ANY] else CLAIM_SIZE


@kernel
def _begin_turn(rules: _WordArray, words: _WordArray, history: NDArray[np.int8], seat: int) -> None:
    """Starts the turn of this seat, or of the next one that has or can draw enough cards (ID5)."""
    while _cards_due(rules, words, seat) - words[_HANDS + seat].bit_count() > words[_LIES]:
        seat = (seat + 1) % rules[_PLAYERS]
    words[_IS_LAYING] = 1
    words[_TURN] = words[_CLAIMANT] = seat
    words[_CARDS_DUE] = _cards_due(rules, words, seat)
    words[_CHOSEN_CARDS] = words[_DRAWN] = 0
    missing = words[_CARDS_DUE] - words[_HANDS + seat].bit_count()
    if missing > 0:
        _begin_history_row(words, history)
        words[_DRAWN] = 1
        row = history[words[_TOLD] - 1]
        row[_DREW] = missing
        for place in range(missing):
            words[_LIES] -= 1
            card = words[_PILE + words[_LIES]]
            words[_HANDS + seat] |= 1 << card
            row[_CARDS_DRAWN + place] = card


@kernel
def _begin_history_row(words: _WordArray, history: NDArray[np.int8]) -> None:
    """Starts the row of this turn in the history."""
    row = history[words[_TOLD]]
    words[_TOLD] += 1
    row[_SEAT] = words[_CLAIMANT]
    row[_DREW] = row[_COUNT] = row[_PASSED] = row[_TAKEN] = 0


@kernel
def _legal(words: _WordArray) -> tuple[int, int]:
    """The set of the cards that may be chosen, and the set of the ranks and answers after them.

    A card is higher than those already chosen and leaves as many higher cards as are still due, so
    that each claim can be made in exactly one way.
    """
    if words[_TURN] < 0:
        return 0, 0
    if not words[_IS_LAYING]:
        return 0, _ANSWER_BITS
    more = words[_CARDS_DUE] - words[_CHOSEN_CARDS]
    if more == 0:
        return 0, _CLAIM_BITS
    left = words[_HANDS + words[_TURN]]
    if words[_CHOSEN_CARDS]:
        last = words[_OPEN_CARDS + words[_CHOSEN_CARDS] - 1]
        left = left >> last + 1 << last + 1
    for _ in range(more - 1):
        left ^= 1 << left.bit_length() - 1
    return left, 0


@kernel
def _first_refused(deals: _DealBatch, actions: _WordArray) -> int:
    """The first deal whose action is illegal, -1 if none; deals that are over take -1."""
    for one in range(len(actions)):
        action = actions[one]
        cards, others = _legal(deals.words[one])
        if cards == 0 and others == 0:
            if action != -1:
                return one
        elif action < 0 or action > PASS:
            return one
        elif action < CLAIM:
            if cards >> action & 1 == 0:
                return one
        elif others >> action - CLAIM & 1 == 0:
            return one
    return -1


@kernel
def _choose(deals: _DealBatch, stream: Stream, actions: _WordArray) -> None:
    """Writes a random legal action for each deal, -1 if it is over."""
    for one in range(len(actions)):
        cards, others = _legal(deals.words[one])
        actions[one] = -1
        if cards:
            actions[one] = pick_card(stream, cards)
        elif others:
            actions[one] = CLAIM + pick_card(stream, others)


@kernel
def _unpack_legal(deals: _DealBatch, masks: _RowMask) -> None:
    """Writes the legal actions in each deal, a column for each action."""
    for one in range(len(masks)):
        cards, others = _legal(deals.words[one])
        for card in range(CARDS):
            masks[one, card] = cards >> card & 1
        for place in range(PASS + 1 - CLAIM):
            masks[one, CLAIM + place] = others >> place & 1


@kernel
def _act(
    rules: _WordArray,
    deals: _DealBatch,
    actions: _WordArray,
    rewards: NDArray[np.int32],
    ended: _RowMask,
) -> int:
    """Performs a legal action in each deal; returns the number of deals that have ended."""
    count = 0
    for one in range(len(actions)):
        action = actions[one]
        if action < 0:
            continue
        words, history = deals.words[one], deals.history[one]
        if action < CLAIM:
            words[_OPEN_CARDS + words[_CHOSEN_CARDS]] = action
            words[_CHOSEN_CARDS] += 1
        elif action < DOUBT:
            _apply_claim(rules, words, history, action - CLAIM)
        else:
            _apply_answer(rules, words, history, action)
        if words[_TURN] < 0:
            count += 1
            ended[one] = True
            for seat in range(rules[_PLAYERS]):
                rewards[one, seat] = words[_NET_CHIPS + seat]
    return count


@kernel
def _apply_claim(
    rules: _WordArray, words: _WordArray, history: NDArray[np.int8], rank: int
) -> None:
    """Lays the chosen cards and claims a rank for them (ID2)."""
    if not words[_DRAWN]:
        _begin_history_row(words, history)
    row, seat = history[words[_TOLD] - 1], words[_CLAIMANT]
    row[_RANK] = rank
    row[_COUNT] = words[_CARDS_DUE]
    for place in range(words[_CARDS_DUE]):
        card = words[_OPEN_CARDS + place]
        row[_LAID + place] = card
        words[_HANDS + seat] ^= 1 << card
    words[_CLAIMS] += 1
    words[_IS_LAYING] = 0
    words[_TURN] = (seat + 1) % rules[_PLAYERS]


@kernel
def _apply_answer(
    rules: _WordArray, words: _WordArray, history: NDArray[np.int8], said: int
) -> None:
    """Doubts the claim or passes; the claim stands when all seats have passed (ID3, ID4)."""
    row, layer, seat = history[words[_TOLD] - 1], words[_CLAIMANT], words[_TURN]
    taker = -1
    if said == PASS:
        row[_PASSED] += 1
        words[_TURN] = (seat + 1) % rules[_PLAYERS]
        if words[_TURN] != layer:
            return
    else:
        truth = 1
        for place in range(words[_CARDS_DUE]):
            if words[_OPEN_CARDS + place] % RANKS != row[_RANK]:
                truth = 0
        row[_DOUBTER], row[_TRUTH] = seat, truth
        taker = seat if truth else layer
        if not truth:
            words[_NET_CHIPS + layer] -= rules[_LIE_FEE]
            words[_NET_CHIPS + seat] += rules[_LIE_FEE]
    _settle_claim(rules, words, history, taker)


@kernel
def _settle_claim(
    rules: _WordArray, words: _WordArray, history: NDArray[np.int8], taker: int
) -> None:
    """Moves the laid cards to the taker or the middle; ends the deal or the turn (ID3 - ID8)."""
    for place in range(words[_CARDS_DUE]):
        words[_PILE + words[_LIES]] = words[_OPEN_CARDS + place]
        words[_LIES] += 1
    words[_CHOSEN_CARDS] = 0
    if taker >= 0:
        row = history[words[_TOLD] - 1]
        row[_TAKER], row[_TAKEN] = taker, words[_LIES]
        for place in range(words[_LIES]):
            words[_HANDS + taker] |= 1 << words[_PILE + place]
        words[_LIES] = 0
    if words[_HANDS + words[_CLAIMANT]] == 0:
        _pay_winner(rules, words, words[_CLAIMANT])
    elif words[_CLAIMS] == rules[_CLAIM_LIMIT]:
        _pay_winner(rules, words, _unique_fewest(rules, words))
    else:
        _begin_turn(rules, words, history, (words[_CLAIMANT] + 1) % rules[_PLAYERS])


@kernel
def _unique_fewest(rules: _WordArray, words: _WordArray) -> int:
    """The only seat with the fewest cards, -1 if several tie (ID8)."""
    fewest, found = CARDS + 1, -1
    for seat in range(rules[_PLAYERS]):
        held = words[_HANDS + seat].bit_count()
        if held < fewest:
            fewest, found = held, seat
        elif held == fewest:
            found = -1
    return found


@kernel
def _pay_winner(rules: _WordArray, words: _WordArray, winner: int) -> None:
    """Ends the deal: each other seat pays the winner, if any, for its surplus of cards (ID6)."""
    words[_TURN] = -1
    if winner < 0:
        return
    own = words[_HANDS + winner].bit_count()
    for seat in range(rules[_PLAYERS]):
        chips = words[_HANDS + seat].bit_count() - own
        words[_NET_CHIPS + seat] -= chips
        words[_NET_CHIPS + winner] += chips


@kernel
def _mask_history(history: NDArray[np.int8], readers: _WordArray) -> None:
    """Removes from each history what its observer may not know (ID3 - ID5)."""
    for one in range(len(readers)):
        for place in range(history.shape[1]):
            row = history[one, place]
            if row[_SEAT] < 0:
                break
            if row[_SEAT] != readers[one]:
                for number in range(CLAIM_SIZE):
                    row[_CARDS_DRAWN + number] = -1
                    if row[_TRUTH] < 0:
                        row[_LAID + number] = -1


class DoubtBatch(ResumableBatch):
    """Many deals of I Doubt It at once; the counterpart of `Batch` for games of tricks.

    Args:
        game: I Doubt It, from `jasstisch.game`.
        num_envs: the number of deals.
        seed: the seed of all deals: deal i is the same in a batch of any size.
        redeal: whether a deal that has ended is dealt again in the same step, by the next dealer.

    Attributes:
        game: the rules.
        num_envs: the number of deals.
        num_actions: actions are numbers below this one.
        redeal: as given.

    Raises:
        GameError: the game is not I Doubt It, or a number is invalid.
    """

    def __init__(self, game: Game, num_envs: int, *, seed: int = 0, redeal: bool = False) -> None:
        given: object = game
        rules = game.rules(game) if isinstance(given, Game) else None
        if not isinstance(rules, IDoubtIt):
            asked = game.name if isinstance(given, Game) else quote(given)
            raise GameError(f"a batch of deals plays i-doubt-it, not {asked}")
        if type(num_envs) is not int or num_envs < 1:
            raise GameError(f"num_envs is a whole number from 1 on, not {quote(num_envs)}")
        self.game = game
        self.num_envs = num_envs
        self.redeal = redeal
        self._actions = DoubtActionEncoder().texts
        self.num_actions = len(self._actions)
        longest = game.options["max_turns"]
        assert isinstance(longest, int)
        any_last = game.options["last"] == "any"
        self._rules = np.array([game.players, longest, any_last, rules.lie_fee], dtype=np.int64)
        self._deals = _DealBatch(
            words=np.zeros((num_envs, _STATE_SIZE), dtype=np.int64),
            history=np.full((num_envs, longest, ROW_SIZE), -1, dtype=np.int8),
            packs=np.tile(np.arange(CARDS), (num_envs, 1)),
            streams=np.zeros(num_envs, dtype=np.uint64),
        )
        self._choices = np.zeros(1, dtype=np.uint64)
        self.reset(seed=seed)

    @property
    def actions(self) -> Mapping[int, str]:
        """All actions by number: a card to lay, a rank to claim, an answer."""
        return MappingProxyType(self._actions)

    def state_arrays(self) -> Mapping[str, NDArray[Any]]:
        """The arrays that change while the batch is stepped, by name; not copies."""
        return {**self._deals._asdict(), "choices": self._choices}

    def reset(
        self,
        *,
        seed: int | None = None,
        packs: ArrayLike | None = None,
        dealers: ArrayLike | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts all deals.

        Args:
            seed: restarts the random streams of this batch; they continue if omitted.
            packs: the shuffled packs to deal from, front card first (n, 52); random if omitted.
            dealers: the seats that deal (n,); deal i is dealt by seat i modulo the seats if
                omitted.

        Returns:
            The observation of the seats to act, and an empty info.

        Raises:
            GameError: an argument is invalid; nothing has changed.
        """
        players = self.game.players
        every = (self.num_envs,)
        given = None if packs is None else checked_int_array("packs", packs, (*every, CARDS))
        if given is not None:
            wrong = np.flatnonzero((np.sort(given, axis=1) != np.arange(CARDS)).any(axis=1))
            if len(wrong):
                raise GameError(f"packs[{wrong[0]}] must hold each card of the pack once")
        by = np.arange(self.num_envs) % players
        if dealers is not None:
            by = checked_int_array("dealers", dealers, every, 0, players - 1)
        if seed is not None:
            self._seed(seed)
        everyone = np.ones(self.num_envs, dtype=np.bool_)
        self._deals.words[:, _DEALER] = by
        _shuffle_packs(self._deals, everyone)
        if given is not None:
            self._deals.packs[:] = given
        _deal(self._rules, self._deals, everyone)
        return self.observe(), {}

    def _seed(self, seed: int) -> None:
        if type(seed) is not int:
            raise GameError(f"seed is a whole number, not {quote(seed)}")
        rng = Random(seed)  # noqa: S311 - chance must be repeatable from a seed
        seed_streams(prng.new_stream(rng), self._deals.streams)
        self._deals.packs[:] = np.arange(CARDS)
        self._choices[:] = prng.new_stream(rng)

    def step(self, actions: ArrayLike) -> Step:
        """Performs one action in each deal.

        Args:
            actions: the action of the seat to act in each deal (n,), one of `actions` by its
                number; -1 for deals that are over.

        Returns:
            observation: of the seats that act next, see `observe`.
            rewards: (n, p), 0 until a deal ends; then the chips that each seat has won less lost.
            terminations: (n,), whether the deal has ended in this step.
            truncations: (n,), always False.
            info: for ended deals `left` (n, p), the number of cards that each seat still held.

        Raises:
            GameError: an action is illegal; nothing has changed.
        """
        done = checked_int_array("actions", actions, (self.num_envs,))
        refused = _first_refused(self._deals, done)
        if refused >= 0:
            raise GameError(self._describe_illegal(refused, int(done[refused])))
        rewards = np.zeros((self.num_envs, self.game.players), dtype=np.int32)
        ended = np.zeros(self.num_envs, dtype=np.bool_)
        info: dict[str, Any] = {}
        if _act(self._rules, self._deals, done, rewards, ended):
            info["left"] = self._sizes()
            if self.redeal:
                self._deals.words[ended, _DEALER] += 1
                self._deals.words[:, _DEALER] %= self.game.players
                _shuffle_packs(self._deals, ended)
                _deal(self._rules, self._deals, ended)
        return self.observe(), rewards, ended, np.zeros_like(ended), info

    def _describe_illegal(self, one: int, action: int) -> str:
        mask = self.action_masks()[one]
        tried = f"{action} ({self.actions[action]})" if action in self.actions else str(action)
        if not mask.any():
            return f"actions[{one}] is {tried}, but that deal is over: give -1, or reset"
        allowed = ", ".join(
            f"{number} ({self.actions[int(number)]})" for number in np.flatnonzero(mask)
        )
        return (
            f"actions[{one}] is {tried}, which seat {self.turn[one]} may not do; legal: {allowed}"
        )

    # Observations.

    @property
    def turn(self) -> NDArray[np.int8]:
        """The seat to act in each deal (n,), -1 if it is over."""
        return self._deals.words[:, _TURN].astype(np.int8)

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions in each deal, one column for each action (n, num_actions)."""
        masks = np.zeros((self.num_envs, self.num_actions), dtype=np.bool_)
        _unpack_legal(self._deals, masks)
        return masks

    def random_legal(self) -> NDArray[np.int64]:
        """One random legal action for each deal (n,); -1 if it is over."""
        actions = np.empty(self.num_envs, dtype=np.int64)
        _choose(self._deals, self._choices, actions)
        return actions

    def points(self) -> NDArray[np.int32]:
        """The net chips of each seat so far (n, p)."""
        words = self._deals.words[:, _NET_CHIPS : _NET_CHIPS + self.game.players]
        return words.astype(np.int32)

    def _sizes(self) -> NDArray[np.int8]:
        hands = self._deals.words[:, _HANDS : _HANDS + self.game.players]
        return np.bitwise_count(hands).astype(np.int8)

    def observe(self, seats: ArrayLike | None = None) -> Observation:
        """The information of one seat in each deal.

        Args:
            seats: the observing seat in each deal (n,), or one for all, -1 for a spectator; the
                seat to act if omitted.

        Returns:
            Arrays by name; docs/batch-environment.md describes each. They are copies.

        Raises:
            GameError: a seat does not exist.
        """
        words, players = self._deals.words, self.game.players
        if seats is None:
            readers = words[:, _TURN].copy()
        else:
            wide = np.broadcast_to(np.asarray(seats), (self.num_envs,))
            readers = checked_int_array("seats", wide, (self.num_envs,), -1, players - 1)
        history = self._deals.history.copy()
        _mask_history(history, readers)
        everyone = np.arange(self.num_envs)
        told = history[everyone, np.maximum(words[:, _TOLD] - 1, 0)]
        answering = (words[:, _IS_LAYING] == 0) & (words[:, _TURN] >= 0)
        hand = np.where(readers >= 0, words[everyone, _HANDS + np.maximum(readers, 0)], 0)
        chosen = np.zeros(self.num_envs, dtype=np.int64)
        for place in range(CLAIM_SIZE):
            there = (words[:, _IS_LAYING] == 1) & (place < words[:, _CHOSEN_CARDS])
            chosen |= np.where(
                there & (readers == words[:, _TURN]), 1 << words[:, _OPEN_CARDS + place], 0
            )
        return {
            "seat": readers.astype(np.int8),
            "turn": self.turn,
            "dealer": words[:, _DEALER].astype(np.int8),
            "claims": words[:, _CLAIMS].astype(np.int16),
            "middle": words[:, _LIES].astype(np.int8),
            "claimer": np.where(answering, words[:, _CLAIMANT], -1).astype(np.int8),
            "claimed": np.where(answering, told[:, _RANK], -1).astype(np.int8),
            "claim_cards": np.where(answering, told[:, _COUNT], 0).astype(np.int8),
            "hand_sizes": self._sizes(),
            "points": self.points(),
            "hand": hand.astype(np.uint64),
            "chosen": chosen.astype(np.uint64),
            "history": history,
        }
