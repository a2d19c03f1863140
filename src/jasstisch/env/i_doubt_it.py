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
from jasstisch.env.arrays import int_array
from jasstisch.env.batch import Step
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

__all__ = ["DoubtBatch"]

WordArray = NDArray[np.int64]
RowMask = NDArray[np.bool_]

SEATS = 8

(
    IS_LAYING,  # 1 while cards or a rank are chosen, 0 while an answer is due
    TURN,  # seat to act, -1 when the deal is over
    CLAIMANT,  # the seat that lays, or whose claim is answered
    DEALER,
    LIES,  # number of cards in the middle, without those of an open claim
    CLAIMS,  # number of claims so far
    TOLD,  # number of rows of the history
    DRAWN,  # 1 if the turn has its row already because it started with a draw (ID5)
    CARDS_DUE,  # number of cards of this claim
    CHOSEN_CARDS,  # number of those already chosen
) = range(10)
HANDS = 10  # + seat: set of cards held
NET_CHIPS = HANDS + SEATS  # + seat: chips won less lost
OPEN_CARDS = NET_CHIPS + SEATS  # + place: the cards chosen, or of the open claim
PILE = OPEN_CARDS + CLAIM_SIZE  # + place: the cards in the middle, the top one last
STATE_SIZE = PILE + CARDS

PLAYERS, CLAIM_LIMIT, LAST_ANY, LIE_FEE = range(4)
"""The words of the rules: seats, claims of a deal (ID8), whether `last` is `any`, the lie fee."""

(
    SEAT,  # the seat whose turn it was
    DREW,  # number of cards it drew
    CARDS_DRAWN,  # these cards, three places
) = range(3)
RANK = CARDS_DRAWN + CLAIM_SIZE
COUNT = RANK + 1
LAID = COUNT + 1
PASSED = LAID + CLAIM_SIZE
DOUBTER = PASSED + 1
TRUTH = DOUBTER + 1
TAKER = TRUTH + 1
TAKEN = TAKER + 1
assert TAKEN + 1 == ROW_SIZE

ANSWER_BITS = 1 << DOUBT - CLAIM | 1 << PASS - CLAIM
CLAIM_BITS = (1 << RANKS) - 1


class DealBatch(NamedTuple):
    """The state of n deals.

    Attributes:
        words: `STATE_SIZE` words of each deal, at the indices above (n, STATE_SIZE).
        history: a row for each turn in which cards were drawn or laid (n, turns, ROW_SIZE).
        packs: the pack that each was dealt from (n, cards).
        streams: the random stream of each (n,).
    """

    words: WordArray
    history: NDArray[np.int8]
    packs: WordArray
    streams: Stream


@kernel
def shuffle_packs(deals: DealBatch, chosen: RowMask) -> None:
    """Shuffles the packs of these deals, each with its own random stream."""
    for one in range(len(chosen)):
        if chosen[one]:
            shuffle(deals.packs[one], deals.streams[one : one + 1])


@kernel
def deal(rules: WordArray, deals: DealBatch, chosen: RowMask) -> None:
    """Deals the cards one by one, equally many to each seat; the surplus is the middle (ID1)."""
    players = rules[PLAYERS]
    each = CARDS // players
    for one in range(len(chosen)):
        if not chosen[one]:
            continue
        words, pack = deals.words[one], deals.packs[one]
        dealer = words[DEALER]
        words[:] = 0
        words[DEALER] = dealer
        deals.history[one] = -1
        for place in range(each * players):
            words[HANDS + (dealer + 1 + place) % players] |= 1 << pack[place]
        for place in range(CARDS - 1, each * players - 1, -1):
            words[PILE + words[LIES]] = pack[place]
            words[LIES] += 1
        begin_turn(rules, words, deals.history[one], (dealer + 1) % players)


@kernel
def cards_due(rules: WordArray, words: WordArray, seat: int) -> int:
    """The number of cards that a seat has to lay (ID2, ID5)."""
    held = words[HANDS + seat].bit_count()
    return min(CLAIM_SIZE, held) if rules[LAST_ANY] else CLAIM_SIZE


@kernel
def begin_turn(rules: WordArray, words: WordArray, history: NDArray[np.int8], seat: int) -> None:
    """Starts the turn of this seat, or of the next one that has or can draw enough cards (ID5)."""
    while cards_due(rules, words, seat) - words[HANDS + seat].bit_count() > words[LIES]:
        seat = (seat + 1) % rules[PLAYERS]
    words[IS_LAYING] = 1
    words[TURN] = words[CLAIMANT] = seat
    words[CARDS_DUE] = cards_due(rules, words, seat)
    words[CHOSEN_CARDS] = words[DRAWN] = 0
    missing = words[CARDS_DUE] - words[HANDS + seat].bit_count()
    if missing > 0:
        begin_history_row(words, history)
        words[DRAWN] = 1
        row = history[words[TOLD] - 1]
        row[DREW] = missing
        for place in range(missing):
            words[LIES] -= 1
            card = words[PILE + words[LIES]]
            words[HANDS + seat] |= 1 << card
            row[CARDS_DRAWN + place] = card


@kernel
def begin_history_row(words: WordArray, history: NDArray[np.int8]) -> None:
    """Starts the row of this turn in the history."""
    row = history[words[TOLD]]
    words[TOLD] += 1
    row[SEAT] = words[CLAIMANT]
    row[DREW] = row[COUNT] = row[PASSED] = row[TAKEN] = 0


@kernel
def legal(words: WordArray) -> tuple[int, int]:
    """The set of the cards that may be chosen, and the set of the ranks and answers after them.

    A card is higher than those already chosen and leaves as many higher cards as are still due, so
    that each claim can be made in exactly one way.
    """
    if words[TURN] < 0:
        return 0, 0
    if not words[IS_LAYING]:
        return 0, ANSWER_BITS
    more = words[CARDS_DUE] - words[CHOSEN_CARDS]
    if more == 0:
        return 0, CLAIM_BITS
    left = words[HANDS + words[TURN]]
    if words[CHOSEN_CARDS]:
        last = words[OPEN_CARDS + words[CHOSEN_CARDS] - 1]
        left = left >> last + 1 << last + 1
    for _ in range(more - 1):
        left ^= 1 << left.bit_length() - 1
    return left, 0


@kernel
def first_refused(deals: DealBatch, actions: WordArray) -> int:
    """The first deal whose action is illegal, -1 if none; deals that are over take -1."""
    for one in range(len(actions)):
        action = actions[one]
        cards, others = legal(deals.words[one])
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
def choose(deals: DealBatch, stream: Stream, actions: WordArray) -> None:
    """Writes a random legal action for each deal, -1 if it is over."""
    for one in range(len(actions)):
        cards, others = legal(deals.words[one])
        actions[one] = -1
        if cards:
            actions[one] = pick_card(stream, cards)
        elif others:
            actions[one] = CLAIM + pick_card(stream, others)


@kernel
def unpack_legal(deals: DealBatch, masks: RowMask) -> None:
    """Writes the legal actions in each deal, a column for each action."""
    for one in range(len(masks)):
        cards, others = legal(deals.words[one])
        for card in range(CARDS):
            masks[one, card] = cards >> card & 1
        for place in range(PASS + 1 - CLAIM):
            masks[one, CLAIM + place] = others >> place & 1


@kernel
def act(
    rules: WordArray,
    deals: DealBatch,
    actions: WordArray,
    rewards: NDArray[np.int32],
    ended: RowMask,
) -> int:
    """Performs a legal action in each deal; returns the number of deals that have ended."""
    count = 0
    for one in range(len(actions)):
        action = actions[one]
        if action < 0:
            continue
        words, history = deals.words[one], deals.history[one]
        if action < CLAIM:
            words[OPEN_CARDS + words[CHOSEN_CARDS]] = action
            words[CHOSEN_CARDS] += 1
        elif action < DOUBT:
            apply_claim(rules, words, history, action - CLAIM)
        else:
            apply_answer(rules, words, history, action)
        if words[TURN] < 0:
            count += 1
            ended[one] = True
            for seat in range(rules[PLAYERS]):
                rewards[one, seat] = words[NET_CHIPS + seat]
    return count


@kernel
def apply_claim(rules: WordArray, words: WordArray, history: NDArray[np.int8], rank: int) -> None:
    """Lays the chosen cards and claims a rank for them (ID2)."""
    if not words[DRAWN]:
        begin_history_row(words, history)
    row, seat = history[words[TOLD] - 1], words[CLAIMANT]
    row[RANK] = rank
    row[COUNT] = words[CARDS_DUE]
    for place in range(words[CARDS_DUE]):
        card = words[OPEN_CARDS + place]
        row[LAID + place] = card
        words[HANDS + seat] ^= 1 << card
    words[CLAIMS] += 1
    words[IS_LAYING] = 0
    words[TURN] = (seat + 1) % rules[PLAYERS]


@kernel
def apply_answer(rules: WordArray, words: WordArray, history: NDArray[np.int8], said: int) -> None:
    """Doubts the claim or passes; the claim stands when all seats have passed (ID3, ID4)."""
    row, layer, seat = history[words[TOLD] - 1], words[CLAIMANT], words[TURN]
    taker = -1
    if said == PASS:
        row[PASSED] += 1
        words[TURN] = (seat + 1) % rules[PLAYERS]
        if words[TURN] != layer:
            return
    else:
        truth = 1
        for place in range(words[CARDS_DUE]):
            if words[OPEN_CARDS + place] % RANKS != row[RANK]:
                truth = 0
        row[DOUBTER], row[TRUTH] = seat, truth
        taker = seat if truth else layer
        if not truth:
            words[NET_CHIPS + layer] -= rules[LIE_FEE]
            words[NET_CHIPS + seat] += rules[LIE_FEE]
    settle_claim(rules, words, history, taker)


@kernel
def settle_claim(rules: WordArray, words: WordArray, history: NDArray[np.int8], taker: int) -> None:
    """Moves the laid cards to the taker or the middle; ends the deal or the turn (ID3 - ID8)."""
    for place in range(words[CARDS_DUE]):
        words[PILE + words[LIES]] = words[OPEN_CARDS + place]
        words[LIES] += 1
    words[CHOSEN_CARDS] = 0
    if taker >= 0:
        row = history[words[TOLD] - 1]
        row[TAKER], row[TAKEN] = taker, words[LIES]
        for place in range(words[LIES]):
            words[HANDS + taker] |= 1 << words[PILE + place]
        words[LIES] = 0
    if words[HANDS + words[CLAIMANT]] == 0:
        pay_winner(rules, words, words[CLAIMANT])
    elif words[CLAIMS] == rules[CLAIM_LIMIT]:
        pay_winner(rules, words, unique_fewest(rules, words))
    else:
        begin_turn(rules, words, history, (words[CLAIMANT] + 1) % rules[PLAYERS])


@kernel
def unique_fewest(rules: WordArray, words: WordArray) -> int:
    """The only seat with the fewest cards, -1 if several tie (ID8)."""
    fewest, found = CARDS + 1, -1
    for seat in range(rules[PLAYERS]):
        held = words[HANDS + seat].bit_count()
        if held < fewest:
            fewest, found = held, seat
        elif held == fewest:
            found = -1
    return found


@kernel
def pay_winner(rules: WordArray, words: WordArray, winner: int) -> None:
    """Ends the deal: each other seat pays the winner, if any, for its surplus of cards (ID6)."""
    words[TURN] = -1
    if winner < 0:
        return
    own = words[HANDS + winner].bit_count()
    for seat in range(rules[PLAYERS]):
        chips = words[HANDS + seat].bit_count() - own
        words[NET_CHIPS + seat] -= chips
        words[NET_CHIPS + winner] += chips


@kernel
def mask_history(history: NDArray[np.int8], readers: WordArray) -> None:
    """Removes from each history what its observer may not know (ID3 - ID5)."""
    for one in range(len(readers)):
        for place in range(history.shape[1]):
            row = history[one, place]
            if row[SEAT] < 0:
                break
            if row[SEAT] != readers[one]:
                for number in range(CLAIM_SIZE):
                    row[CARDS_DRAWN + number] = -1
                    if row[TRUTH] < 0:
                        row[LAID + number] = -1


class DoubtBatch:
    """Many deals of I Doubt It at once; the counterpart of `Batch` for games of tricks.

    Args:
        game: I Doubt It, from `jasstisch.game`.
        num_envs: the number of deals.
        seed: the seed of all deals: deal i is the same in a batch of any size.
        redeal: whether a deal that has ended is dealt again in the same step, by the next dealer.

    Attributes:
        game: the rules.
        num_envs: the number of deals.
        actions: all actions by number: a card to lay, a rank to claim, an answer.
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
        self.actions: Mapping[int, str] = MappingProxyType(DoubtActionEncoder().texts)
        self.num_actions = len(self.actions)
        longest = game.options["max_turns"]
        assert isinstance(longest, int)
        any_last = game.options["last"] == "any"
        self._rules = np.array([game.players, longest, any_last, rules.lie_fee], dtype=np.int64)
        self._deals = DealBatch(
            words=np.zeros((num_envs, STATE_SIZE), dtype=np.int64),
            history=np.full((num_envs, longest, ROW_SIZE), -1, dtype=np.int8),
            packs=np.tile(np.arange(CARDS), (num_envs, 1)),
            streams=np.zeros(num_envs, dtype=np.uint64),
        )
        self._choices = np.zeros(1, dtype=np.uint64)
        self.reset(seed=seed)

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
        given = None if packs is None else int_array("packs", packs, (*every, CARDS))
        if given is not None:
            wrong = np.flatnonzero((np.sort(given, axis=1) != np.arange(CARDS)).any(axis=1))
            if len(wrong):
                raise GameError(f"packs[{wrong[0]}] must hold each card of the pack once")
        by = np.arange(self.num_envs) % players
        if dealers is not None:
            by = int_array("dealers", dealers, every, 0, players - 1)
        if seed is not None:
            self._seed(seed)
        everyone = np.ones(self.num_envs, dtype=np.bool_)
        self._deals.words[:, DEALER] = by
        shuffle_packs(self._deals, everyone)
        if given is not None:
            self._deals.packs[:] = given
        deal(self._rules, self._deals, everyone)
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
        done = int_array("actions", actions, (self.num_envs,))
        refused = first_refused(self._deals, done)
        if refused >= 0:
            raise GameError(self._describe_illegal(refused, int(done[refused])))
        rewards = np.zeros((self.num_envs, self.game.players), dtype=np.int32)
        ended = np.zeros(self.num_envs, dtype=np.bool_)
        info: dict[str, Any] = {}
        if act(self._rules, self._deals, done, rewards, ended):
            info["left"] = self._sizes()
            if self.redeal:
                self._deals.words[ended, DEALER] += 1
                self._deals.words[:, DEALER] %= self.game.players
                shuffle_packs(self._deals, ended)
                deal(self._rules, self._deals, ended)
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
        return self._deals.words[:, TURN].astype(np.int8)

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions in each deal, one column for each action (n, num_actions)."""
        masks = np.zeros((self.num_envs, self.num_actions), dtype=np.bool_)
        unpack_legal(self._deals, masks)
        return masks

    def random_legal(self) -> NDArray[np.int64]:
        """One random legal action for each deal (n,); -1 if it is over."""
        actions = np.empty(self.num_envs, dtype=np.int64)
        choose(self._deals, self._choices, actions)
        return actions

    def points(self) -> NDArray[np.int32]:
        """The net chips of each seat so far (n, p)."""
        words = self._deals.words[:, NET_CHIPS : NET_CHIPS + self.game.players]
        return words.astype(np.int32)

    def _sizes(self) -> NDArray[np.int8]:
        hands = self._deals.words[:, HANDS : HANDS + self.game.players]
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
            readers = words[:, TURN].copy()
        else:
            wide = np.broadcast_to(np.asarray(seats), (self.num_envs,))
            readers = int_array("seats", wide, (self.num_envs,), -1, players - 1)
        history = self._deals.history.copy()
        mask_history(history, readers)
        everyone = np.arange(self.num_envs)
        told = history[everyone, np.maximum(words[:, TOLD] - 1, 0)]
        answering = (words[:, IS_LAYING] == 0) & (words[:, TURN] >= 0)
        hand = np.where(readers >= 0, words[everyone, HANDS + np.maximum(readers, 0)], 0)
        chosen = np.zeros(self.num_envs, dtype=np.int64)
        for place in range(CLAIM_SIZE):
            there = (words[:, IS_LAYING] == 1) & (place < words[:, CHOSEN_CARDS])
            chosen |= np.where(
                there & (readers == words[:, TURN]), 1 << words[:, OPEN_CARDS + place], 0
            )
        return {
            "seat": readers.astype(np.int8),
            "turn": self.turn,
            "dealer": words[:, DEALER].astype(np.int8),
            "claims": words[:, CLAIMS].astype(np.int16),
            "middle": words[:, LIES].astype(np.int8),
            "claimer": np.where(answering, words[:, CLAIMANT], -1).astype(np.int8),
            "claimed": np.where(answering, told[:, RANK], -1).astype(np.int8),
            "claim_cards": np.where(answering, told[:, COUNT], 0).astype(np.int8),
            "hand_sizes": self._sizes(),
            "points": self.points(),
            "hand": hand.astype(np.uint64),
            "chosen": chosen.astype(np.uint64),
            "history": history,
        }
