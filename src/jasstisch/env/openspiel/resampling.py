"""Resampling: another history that a player cannot tell from that of the present state.

IS-MCTS and other algorithms for hidden information imagine such histories. In a game of tricks all
deals of the unseen cards that fit what the player has seen are equally likely, and so are all
hidden bids. In I Doubt It the unseen cards are exchanged, and with each hidden claim also the cards
in that hand which no later event shows to the player.

What a game of another package keeps secret besides cards is not known here, and stays.
"""

from collections.abc import Callable, Iterator
from random import Random

from jasstisch.bots.position import Position
from jasstisch.engine.cards import card_set, cards_in_set
from jasstisch.engine.errors import GameError, IllegalAction
from jasstisch.env.actions import BID_TEXTS
from jasstisch.env.matches.encoded_match import ActionLog, EncodedMatch
from jasstisch.games.differenzler import Differenzler
from jasstisch.games.i_doubt_it import IDoubtIt
from jasstisch.games.i_doubt_it_claims import claim_text
from jasstisch.games.rules import Rules
from jasstisch.games.trick_taking import TrickTaking
from jasstisch.search.jit.prng import new_stream
from jasstisch.search.sampling.exact_sampler import HiddenCards

_BIDS = tuple(BID_TEXTS.values())

_MAX_TRIES = 20_000
"""The number of histories tried, each of which fits the cards seen and the known voids."""


class _Round:
    """The round in progress, as a player has seen it.

    Attributes:
        playing: the match.
        player: the seat whose information is kept.
        opening: the rules before the pack of the round.
        start: the position of that pack in the log.
        pack: the cards of the pack.
        last_seen: for each card that the player has seen, the last position in the log after which
            it did.
    """

    def __init__(self, playing: EncodedMatch, player: int, opening: Rules, start: int) -> None:
        self.playing, self.player, self.opening, self.start = playing, player, opening, start
        self.pack = playing.rules.deck.parse_all(playing.log[start][1])
        self.last_seen: dict[int, int] = {}

    @property
    def hidden(self) -> list[int]:
        """The cards that the player has never seen, ascending."""
        return sorted(set(self.pack) - self.last_seen.keys())

    def see(self, cards: int, position: int) -> None:
        """Notes that the player sees a set of cards."""
        self.last_seen |= dict.fromkeys(cards_in_set(cards), position)

    def entries(self) -> Iterator[tuple[int, int, str]]:
        """The actions of the round: position in the log, seat, text."""
        for position, (actor, text) in enumerate(self.playing.log):
            if position > self.start and isinstance(actor, int):
                yield position, actor, text

    def is_possible(self, log: ActionLog) -> bool:
        """Whether a log obeys the rules and tells the player the same."""
        made = self.opening.copy()
        try:
            for actor, text in log[self.start :]:
                _apply(made, actor, text)
        except IllegalAction:
            return False
        return _known_to(made, self.player) == _known_to(self.playing.rules, self.player)

    def log_with(self, cards: dict[int, int], changed: dict[int, str]) -> ActionLog:
        """The log with other cards in the pack, and with other actions at these positions."""
        texts = self.playing.rules.deck.texts
        log = list(self.playing.log)
        log[self.start] = ("pack", " ".join([texts[cards[card]] for card in self.pack]))
        for position, text in changed.items():
            log[position] = (log[position][0], text)
        return log


def resample_log(playing: EncodedMatch, player: int, chance: Random) -> ActionLog:
    """A log that may have led to what a player knows.

    Args:
        playing: the match.
        player: the seat whose information is kept.
        chance: the only source of randomness.

    Raises:
        GameError: no history was found that fits.
    """
    begun = _find_round(playing, player)
    if begun is None:
        return list(playing.log)  # between rounds nothing is hidden
    draw = _claims_sampler(begun) if isinstance(playing.rules, IDoubtIt) else _deal_sampler(begun)
    for _ in range(_MAX_TRIES):
        log = draw(chance)
        if begun.is_possible(log):
            return log
    raise GameError(
        f"none of {_MAX_TRIES:,} random deals fits what seat {player} knows: too many cards are "
        "determined by what was announced"
    )


def _find_round(playing: EncodedMatch, player: int) -> _Round | None:
    """The round in progress as the player has seen it; None between rounds."""
    made = playing.rules.game.rules(playing.rules.game)
    begun = None
    laid = 0
    for position, (actor, text) in enumerate(playing.log):
        before = None if _is_dealt(made) or actor != "pack" else made.copy()
        _apply(made, actor, text)
        if before is not None and _is_dealt(made):
            begun = _Round(playing, player, before, position)
        if begun is None:
            continue
        begun.see(made.hand(player), position)
        if not isinstance(made, IDoubtIt):
            continue
        if _is_claim(text):
            laid = card_set(_cards_laid(made, text))
        elif text == "doubt":
            begun.see(laid, position)  # they are turned up (ID3)
    if begun is None or not _is_dealt(made):
        return None
    if isinstance(made, TrickTaking):
        # A view also names what lies open: tricks, a turned trump, Weis shown.
        begun.see(_cards_named(made, made.table_view(player)), len(playing.log) - 1)
    return begun


def _is_claim(text: str) -> bool:
    """Whether an action of I Doubt It lays cards."""
    return text.startswith("lay ")


def _cards_laid(rules: Rules, claim: str) -> list[int]:
    """The cards that a claim lays."""
    return rules.deck.parse_all(claim.split()[1:-2])


def _is_dealt(rules: Rules) -> bool:
    """Whether anybody holds cards."""
    return any(rules.hand(seat) for seat in range(rules.players))


def _apply(rules: Rules, actor: int | str, text: str) -> None:
    """Applies an entry of a log."""
    if isinstance(actor, int):
        rules.act(actor, text)
    else:
        rules.receive_pack(rules.deck.parse_all(text))


def _known_to(rules: Rules, player: int) -> tuple[object, ...]:
    """What a seat knows of the round in progress."""
    return rules.to_act, rules.hand(player), rules.table_view(player)


def _cards_named(rules: Rules, value: object) -> int:
    """The set of all cards that a JSON value names."""
    if isinstance(value, str):
        return 1 << rules.deck.numbers[value] if value in rules.deck.numbers else 0
    if isinstance(value, dict):
        value = list(value.values())
    named = 0
    if isinstance(value, list | tuple):
        for one in value:
            named |= _cards_named(rules, one)
    return named


def _deal_sampler(begun: _Round) -> Callable[[Random], ActionLog]:
    """Draws deals of the unseen cards to the places where such cards lie, and hidden bids."""
    rules = begun.playing.rules
    assert isinstance(rules, TrickTaking)
    hidden = card_set(begun.hidden)
    seats = [seat for seat in range(rules.players) if seat != begun.player]
    places = [rules.hands[seat] & hidden for seat in seats]
    void = _known_voids(begun)
    possible = [hidden & ~void[seat] for seat in seats]
    # Cards in no hand: laid away, dropped, or in the blind (JS4).
    places.append(hidden & ~sum(places))
    possible.append(hidden)
    sampler = HiddenCards(hidden, [place.bit_count() for place in places], possible)
    known = {card: card for card in begun.pack}
    hidden_bids = [
        position
        for position, seat, text in begun.entries()
        if isinstance(rules, Differenzler) and rules.redact_action(seat, text, begun.player) != text
    ]

    def draw(chance: Random) -> ActionLog:
        cards = dict(known)
        for place, drawn in zip(places, sampler.sample(new_stream(chance)), strict=True):
            cards |= zip(cards_in_set(place), cards_in_set(drawn), strict=True)
        return begun.log_with(cards, {one: chance.choice(_BIDS) for one in hidden_bids})

    return draw


def _known_voids(begun: _Round) -> list[int]:
    """For each seat, the set of the cards that it has shown not to hold; all know the same."""
    rules = begun.playing.rules
    assert isinstance(rules, TrickTaking)
    if not rules.to_act:
        return [0] * rules.players
    view = begun.playing.match().view(rules.to_act[0])
    return Position(view, discard_makes_trump=rules.discard_makes_trump).void


def _claims_sampler(begun: _Round) -> Callable[[Random], ActionLog]:
    """Draws deals of the unseen cards, and for each hidden claim other cards of that hand."""
    deck = begun.playing.rules.deck

    def draw(chance: Random) -> ActionLog:
        # `cards` says which card lies where a card of the true history lies.
        cards = {card: card for card in begun.pack}
        _shuffle_values(cards, begun.hidden, chance)
        dealt = dict(cards)
        rules = begun.opening.copy()
        _apply(rules, *begun.playing.log[begun.start])
        changed = {}
        for position, seat, text in begun.entries():
            if seat != begun.player and _is_claim(text):
                held = cards_in_set(rules.hand(seat))
                free = [card for card in held if begun.last_seen.get(card, -1) < position]
                _shuffle_values(cards, free, chance)
                laid = sorted(cards[card] for card in _cards_laid(rules, text))
                changed[position] = claim_text([deck.texts[card] for card in laid], text[-1])
            rules.act(seat, text)
        return begun.log_with(dealt, changed)

    return draw


def _shuffle_values(values: dict[int, int], keys: list[int], chance: Random) -> None:
    """Exchanges the values of some keys at random."""
    shuffled = [values[key] for key in keys]
    chance.shuffle(shuffled)
    values |= zip(keys, shuffled, strict=True)
