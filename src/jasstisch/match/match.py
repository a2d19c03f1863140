"""The class `Match`: one match, as a fold over its log of packs and actions.

Tables, bots, replays and research code drive a match. It awaits a shuffled pack or an action,
refuses what the rules refuse, and says what each seat may know. It decides nothing about any game.
"""

import json
import marshal
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Self, TypeVar, cast

from jasstisch.engine.errors import GameError, IllegalAction, RecordError, Refusal, quote
from jasstisch.fairness import Evidence, FairError, VerificationReport, verify
from jasstisch.games.rules import Game, Json, Rules, ViewDelta
from jasstisch.games.views import round_type, round_type_declares
from jasstisch.match.record import BOT_PREFIX, OPTIONAL_KEYS, RECORD_FORMAT, RECORD_KEYS, Record

_Plain = TypeVar("_Plain", Json, list[Json])
_Finished = TypeVar("_Finished")


class Match:
    """One match of a game, from the first deal to the result.

    Args:
        game: the rules, from `jasstisch.game`.
        players: the players' names in order of seats; `Player 1`, … when none are given.

    Raises:
        GameError: the names are not one text for each seat.
    """

    def __init__(self, game: Game, players: Sequence[str] | None = None) -> None:
        if not isinstance(game, Game):
            raise GameError(
                f"a match needs a game such as jasstisch.game('molotov'), not {quote(game)}"
            )
        self._game = game
        self._names = _checked_names(game, players)
        self._options = dict(game.options)
        self._rules = game.rules(game)
        self._log: list[tuple[int | str, str]] = []
        self._after_last_pack: tuple[int, Rules] | None = None
        self._fair: Json | None = None
        self._about: Json | None = None

    @property
    def game(self) -> Game:
        """The rules of this match."""
        return self._game

    @property
    def players(self) -> list[str]:
        """The players' names in order of seats."""
        return list(self._names)

    def rename(self, seat: int, name: str) -> None:
        """Changes a player's name in all views and in the record.

        Raises:
            GameError: the seat does not exist, or the name is not a text.
        """
        self._check_seat(seat)
        # A new list: callers compare the list they kept with this one.
        names = [*self._names[:seat], name, *self._names[seat + 1 :]]
        self._names = _checked_names(self._game, names)

    def copy(self) -> Self:
        """An independent copy of the match: changes to one do not affect the other.

        The copy includes the rules, the log, the names and all other parts of the record.
        """
        made = object.__new__(type(self))
        vars(made).update(vars(self))
        made._rules = self._rules.copy()
        made._log = self._log[:]
        made._after_last_pack = None  # a cache for undoing, advanced by its own match only
        return made

    @classmethod
    def from_rules(cls, rules: Rules, log: Iterable[tuple[int | str, str]]) -> Self:
        """The match of rules that were driven without one.

        Args:
            rules: the rules in their present state; they belong to the match from now on.
            log: the log that led to this state, as in a record; it is not replayed.
        """
        made = cls(rules.game)
        made._rules, made._log = rules, list(log)
        return made

    def __copy__(self) -> Self:
        """Like `copy`: two matches may not share one `Rules` object."""
        return self.copy()

    def __deepcopy__(self, _memo: object) -> Self:
        """Like `copy`, which shares only immutable parts."""
        return self.copy()

    def __repr__(self) -> str:
        """Game, round, phase and the seats to act, for debugging."""
        rules, acting = self._rules, self.to_act
        if self.over:
            won = _format_seats(self.winners) if self.winners else "nobody"
            return f"<Match {self._game.name}: over after round {rules.round_number}, won by {won}>"
        awaited = f"{_format_seats(acting)} to act" if acting else "awaits a pack"
        return f"<Match {self._game.name}: round {rules.round_number}, {rules.phase}, {awaited}>"

    # Packs.

    @property
    def needs_pack(self) -> bool:
        """Whether a shuffled pack is awaited (C6)."""
        return bool(self._rules.pack)

    @property
    def pack(self) -> tuple[str, ...]:
        """The cards that the awaited pack must hold, in order; () when none is awaited."""
        texts = self._rules.deck.texts
        return tuple(texts[card] for card in self._rules.pack)

    def deal(self, cards: str | Iterable[str]) -> None:
        """Gives the awaited pack, in its shuffled order (C6).

        Args:
            cards: all cards of `pack`, as a text `"6C 9H …"` or as card texts, front card first.

        Raises:
            IllegalAction: no pack is awaited, or the cards are not those of the pack.
        """
        rules = self._rules
        if not rules.pack:
            raise IllegalAction("pack", Refusal("C6", "pack", "no pack is awaited now"))
        try:
            given = cards if isinstance(cards, str) else islice(cards, len(rules.pack) + 1)
            pack = rules.deck.parse_all(given)
        except TypeError:
            text = f"a pack is a text of cards or a list of card texts, not {quote(cards)}"
            raise IllegalAction("pack", Refusal("C6", "pack", text)) from None
        except GameError as error:
            raise IllegalAction("pack", Refusal("C6", "pack", str(error))) from None
        if len(pack) != len(rules.pack) or set(pack) != set(rules.pack):
            raise IllegalAction("pack", _pack_refusal(rules.deck.texts, rules.pack, pack))
        rules.receive_pack(pack)
        self._fair = None  # the evidence does not cover this pack
        self._log.append(("pack", " ".join([rules.deck.texts[card] for card in pack])))

    # Actions.

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that may act now, ascending; () while a pack is awaited or at the end."""
        return self._rules.to_act

    def is_out_of_round(self, seat: int) -> bool:
        """Whether a seat has no more actions in this round, such as one that has dropped out.

        Raises:
            GameError: no such seat.
        """
        self._check_seat(seat)
        return self._rules.is_out_of_round(seat)

    def sure_tricks(self, seat: int) -> Sequence[str]:
        """The actions by which a leading seat takes all remaining tricks, whatever the others do.

        Only the information of that seat is used. () where not every play of the others has the
        same result.

        Raises:
            GameError: no such seat.
        """
        self._check_seat(seat)
        return self._rules.sure_tricks(seat)

    def play_out_sure_tricks(self, seat: int) -> list[tuple[int, str]]:
        """All actions to the end of a round in which a seat is sure of all remaining tricks.

        The others take their first legal action, which is to play their lowest legal card.

        Returns:
            Each action with its seat, in order.

        Raises:
            GameError: no such seat, or it is not sure of all remaining tricks.
        """
        own = list(self.sure_tricks(seat))
        if not own:
            raise GameError(f"it is not sure that seat {seat} takes all tricks that are left")
        rules, done = self._rules.copy(), []
        while own or rules.trick_in_progress():
            (acting,) = rules.to_act
            action = own.pop(0) if acting == seat else rules.legal(acting)[0]
            done.append((acting, rules.act(acting, action)))
        return done

    def legal(self, seat: int) -> Sequence[str]:
        """The texts of the actions open to a seat, in a fixed order; empty when it may not act.

        Raises:
            GameError: no such seat.
        """
        self._check_seat(seat)
        return self._rules.legal(seat)

    def act(self, seat: int, action: str) -> None:
        """Carries out an action.

        Args:
            seat: the seat that acts.
            action: its text, such as `"play JC"`, `"JC"` or `"bid 42"`; case and repeated spaces
                do not matter.

        Raises:
            IllegalAction: it is unparsable or illegal; nothing has changed (C12).
            GameError: no such seat.
        """
        if seat.__class__ is not int or not 0 <= seat < self._rules.players:
            self._check_seat(seat)
        if not isinstance(action, str):
            raise IllegalAction(
                quote(action),
                Refusal("C12", "unknown", "an action is a text"),
                self.legal(seat),
            )
        self._log.append((seat, self._rules.act(seat, action)))

    @property
    def step_count(self) -> int:
        """The number of packs and actions in the log."""
        return len(self._log)

    @property
    def can_undo(self) -> bool:
        """Whether the last action may be undone: a card that revealed nothing else."""
        actor, action = self._log[-1] if self._log else ("pack", "")
        return isinstance(actor, int) and self._rules.is_undoable(action)

    def undo(self, actions: int = 1) -> None:
        """Undoes the last actions, as if they had never been done.

        The earlier actions since the last pack are replayed.

        Args:
            actions: how many; a pack and the actions before it cannot be undone.

        Raises:
            GameError: there are fewer actions since the last pack.
        """
        kept = len(self._log) - actions
        if actions < 1 or kept < 0 or any(actor == "pack" for actor, _ in self._log[kept:]):
            raise GameError(f"there are no {quote(actions)} actions to take back")
        steps, dealt = self._rules_after_last_pack()
        rules = dealt.copy()
        for entry in self._log[steps:kept]:
            _replay_entry(rules, entry)
        self._rules, self._fair = rules, None
        del self._log[kept:]

    def _rules_after_last_pack(self) -> tuple[int, Rules]:
        """The state of the rules after the last pack, and the number of steps before it.

        It is computed at the first undo and then advanced. So all undos of one match together
        replay it only once.
        """
        steps, rules = self._after_last_pack or (0, self._game.rules(self._game))
        last = len(self._log)
        while last > steps and self._log[last - 1][0] != "pack":
            last -= 1
        for entry in self._log[steps:last]:
            _replay_entry(rules, entry)
        self._after_last_pack = last, rules
        return self._after_last_pack

    def refusal(self, seat: int, action: str) -> Refusal | None:
        """Why `act` would refuse this action now; None when it would accept it.

        Raises:
            GameError: no such seat.
        """
        self._check_seat(seat)
        return self._rules.refusal(seat, action)

    def card_refusals(self, seat: int) -> dict[str, Refusal]:
        """The refusal of each card in hand that a seat may not play now; {} out of its turn.

        Raises:
            GameError: no such seat.
        """
        self._check_seat(seat)
        return self._rules.card_refusals(seat)

    def _check_seat(self, seat: int) -> None:
        if type(seat) is not int or not 0 <= seat < self._rules.players:
            last = self._rules.players - 1
            raise GameError(f"no seat {quote(seat)}; the seats are 0 to {last}")

    # Public state and views.

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self._rules.phase == "over"

    @property
    def winners(self) -> list[int]:
        """The seats that won; empty before the end."""
        return list(self._rules.winners)

    def hand(self, seat: int) -> list[str]:
        """The cards a seat holds, in order.

        Raises:
            GameError: no such seat.
        """
        self._check_seat(seat)
        return self._rules.deck.texts_of(self._rules.hand(seat))

    @property
    def trick(self) -> list[tuple[int, str]]:
        """The trick in progress: seat and card, in order of play; [] once it is complete."""
        texts = self._rules.deck.texts
        return [(seat, texts[card]) for seat, card in self._rules.current_trick()]

    @property
    def trick_in_progress(self) -> bool:
        """Whether a trick is in progress, or a claim is still being answered."""
        return self._rules.trick_in_progress()

    @property
    def trump(self) -> str | None:
        """The letter of the trump suit; None while there is none."""
        return self._rules.trump_letter()

    @property
    def rounds(self) -> list[Json]:
        """The finished rounds; public."""
        return _copy_json(self._rules.rounds)

    def typed_rounds(self, kind: type[_Finished]) -> list[_Finished]:
        """The finished rounds, typed as their game declares them.

        Args:
            kind: the `TypedDict` of a finished round, such as `DifferenzlerRound`, of this game or
                of a similar one; `CommonRound` fits every game.

        Raises:
            GameError: the rounds of this game have another type.
        """
        declared = round_type(self._game.rules)
        if not round_type_declares(declared, kind):
            called = f"are {declared.__name__}" if declared else "have no declared type"
            raise GameError(f"the rounds of {self._game.name} {called}, not {kind.__name__}")
        return cast("list[_Finished]", self.rounds)

    @property
    def standing(self) -> list[Json]:
        """One object for each seat with its score in the match."""
        return self._rules.standing()

    def view(self, seat: int | None) -> Json:
        """All that a seat may know, and nothing else; plain JSON.

        Two matches that differ only in cards the seat cannot know give equal views. What the seat
        may not know is null.

        Args:
            seat: the seat; None for a spectator, who sees what all seats see.

        Raises:
            GameError: no such seat.
        """
        if seat is not None:
            self._check_seat(seat)
        copies = {
            "options": dict(self._game.options),
            "players": self.players,
            "rounds": self.rounds,
        }
        return self._shared_view(seat) | copies

    def spectator_view(self) -> Json:
        """The view of a spectator, read-only.

        It shares the finished rounds with the match, so that such views are cheap to make and to
        compare.
        """
        return self._shared_view(None)

    def _shared_view(self, seat: int | None) -> Json:
        """The view of a seat or a spectator; it shares options, names and rounds with the match."""
        rules = self._rules
        texts = rules.deck.texts
        return {
            "game": self._game.name,
            "options": self._options,
            "players": self._names,
            "seat": seat,
            "phase": rules.phase,
            "round": rules.round_number,
            "dealer": rules.dealer,
            "draw": rules.draw and [[other, texts[card]] for other, card in rules.draw],
            "to_act": list(rules.to_act),
            "needs_pack": self.needs_pack,
            "hand": None if seat is None else self.hand(seat),
            **rules.table_view(seat),
            "rounds": list(rules.rounds),
            "standing": rules.standing(),
            "over": self.over,
            "winners": self.winners,
        }

    def private_view(self, seat: int) -> Json:
        """The part in which a seat's view differs from `spectator_view`, read-only.

        Raises:
            GameError: no such seat.
        """
        return {"seat": seat, "hand": self.hand(seat), **self._rules.private_view(seat)}

    def last_delta(self) -> ViewDelta | None:
        """The changes of the last action in the views; None where anything may have changed.

        Like `spectator_view` it is read-only.
        """
        actor, action = self._log[-1] if self._log else ("pack", "")
        return self._rules.action_delta(action) if isinstance(actor, int) else None

    def describe_last_action(self, seat: int | None) -> str:
        """The text of the last action for a seat or a spectator (None).

        It is the canonical text without secret parts: another seat's hidden bid is `bid`.

        Raises:
            GameError: no such seat, or the last step was not an action.
        """
        if seat is not None:
            self._check_seat(seat)
        actor, action = self._log[-1] if self._log else ("pack", "")
        if not isinstance(actor, int):
            raise GameError("no action was done last")
        return self._rules.redact_action(actor, action, seat)

    # Records.

    @property
    def fair(self) -> Json | None:
        """The evidence that the deals were fair, see docs/fair-deals.md; None while there is none.

        Setting it verifies it first. The next pack removes it, because it does not cover that pack.

        Raises:
            FairError: it does not prove the packs of this match; `pack` is the wrong one.
        """
        return None if self._fair is None else _copy_json(self._fair)

    @fair.setter
    def fair(self, evidence: Json | None) -> None:
        if evidence is not None:
            read = Evidence.from_json(evidence)
            verify(read, self._packs(), self._game.players)
            evidence = read.to_json()
        self._fair = evidence

    def verify_deals(self) -> VerificationReport | None:
        """Verifies the evidence of the deals; None where the match has none.

        Raises:
            FairError: a deal contradicts the evidence.
        """
        if self._fair is None:
            return None
        computers = {seat for seat, name in enumerate(self.players) if name.startswith(BOT_PREFIX)}
        return verify(Evidence.from_json(self._fair), self._packs(), self._game.players, computers)

    @property
    def about(self) -> Json | None:
        """The metadata in its record (date, event, place, comments, …); None where there is none.

        Raises:
            GameError: the value set is not a JSON object.
        """
        return None if self._about is None else _copy_json(self._about)

    @about.setter
    def about(self, about: Json | None) -> None:
        if about is not None and not isinstance(about, dict):
            raise GameError(f"about is a JSON object, not {quote(about)}")
        try:
            self._about = json.loads(json.dumps(about, allow_nan=False))
        except (TypeError, ValueError, RecursionError):
            raise GameError("about holds more than JSON does, or is nested too deeply") from None

    def _packs(self) -> list[list[str]]:
        return [cards.split() for actor, cards in self._log if actor == "pack"]

    def record(self) -> Record:
        """The whole match as plain JSON, hidden cards included; `from_record` replays it."""
        over = self.over
        record: Record = {
            "format": RECORD_FORMAT,
            "game": self._game.name,
            "options": dict(self._game.options),
            "players": self.players,
            "log": [list(entry) for entry in self._log],
            "result": {"standing": self.standing, "winners": self.winners} if over else None,
        }
        if (fair := self.fair) is not None:
            record["fair"] = fair
        if (about := self.about) is not None:
            record["about"] = about
        return record

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        """Replays a record, verifying every step.

        Raises:
            RecordError: it is not a record, a step is illegal, the result differs from that of the
                log, or the order of a pack contradicts `fair`; `step` is 0 for the header and
                `len(log) + 1` for the result.
        """
        match, log = cls._parse_header(record)
        for step, entry in enumerate(log, start=1):
            try:
                _apply_entry(match, entry)
            except ValueError as error:
                raise RecordError(step, str(error)) from error
        if not _json_equal(record.get("result"), match.record()["result"]):
            text = (
                "the result is not what the log yields" if match.over else "the match is not over"
            )
            raise RecordError(len(log) + 1, text)
        _add_optional_parts(match, record)
        return match

    @classmethod
    def _parse_header(cls, record: object) -> tuple[Self, list[object]]:
        if not isinstance(record, dict) or record.get("format") != RECORD_FORMAT:
            raise RecordError(0, f"a record is an object whose format is {RECORD_FORMAT!r}")
        allowed = (*RECORD_KEYS, *OPTIONAL_KEYS)
        unknown = [key for key in record if key not in allowed]
        if unknown:
            keys = ", ".join(allowed)
            raise RecordError(0, f"unknown key {quote(unknown[0])}; a record has {keys}")
        name, options, log = record.get("game"), record.get("options", {}), record.get("log")
        if not isinstance(name, str) or not isinstance(options, dict) or not isinstance(log, list):
            raise RecordError(0, "game is a text, options an object and log a list")
        if record.get("players") is None:
            raise RecordError(0, "players are missing: one name for each seat")
        try:
            return cls(Game(name, options), record.get("players")), log
        except GameError as error:
            raise RecordError(0, str(error)) from error


def _format_seats(seats: Sequence[int]) -> str:
    """`seat 1`, or `seats 0, 2, 3`."""
    numbers = ", ".join(map(str, seats))
    return f"seat {numbers}" if len(seats) == 1 else f"seats {numbers}"


def _apply_entry(match: Match, entry: object) -> None:
    """Carries out one entry of a log, and validates its form."""
    match entry:
        case ["pack", str(cards)]:
            match.deal(cards)
        case [int(seat), str(action)]:
            match.act(seat, action)
        case _:
            raise GameError(f"an entry is ['pack', cards] or [seat, action], not {quote(entry)}")


def _replay_entry(rules: Rules, entry: tuple[int | str, str]) -> None:
    """Carries out one entry of the log of a match, which was validated before."""
    actor, text = entry
    if isinstance(actor, int):
        rules.act(actor, text)
    else:
        rules.receive_pack(rules.deck.parse_all(text))


def _add_optional_parts(match: Match, record: Mapping[str, Any]) -> None:
    """Sets the optional parts of a record on the match replayed from its log."""
    try:
        match.about = record.get("about")
    except GameError as error:
        raise RecordError(0, str(error)) from error
    try:
        match.fair = record.get("fair")
    except FairError as error:
        raise RecordError(_step_of_pack(match, error.pack), f"fair: {error}", error.pack) from error


def _step_of_pack(match: Match, pack: int) -> int:
    """The step at which a match received a pack; 0 where there is no such pack."""
    steps = [step for step, entry in enumerate(match.record()["log"], 1) if entry[0] == "pack"]
    return steps[pack - 1] if 0 < pack <= len(steps) else 0


def _checked_names(game: Game, players: Sequence[str] | None) -> list[str]:
    if players is None:
        return [f"Player {number}" for number in range(1, game.players + 1)]
    if not isinstance(players, list | tuple) or not all(isinstance(one, str) for one in players):
        raise GameError("players are names, one text for each seat")
    if len(players) != game.players:
        raise GameError(f"{game.players} players have {game.players} names, not {len(players)}")
    return list(players)


def _pack_refusal(texts: Sequence[str], wanted: Sequence[int], given: Sequence[int]) -> Refusal:
    missing = [texts[card] for card in wanted if card not in given]
    surplus = [texts[card] for card in dict.fromkeys(given) if given.count(card) > 1]
    foreign = [texts[card] for card in dict.fromkeys(given) if card not in wanted]
    parts = [
        f"{what} {' '.join(cards)}"
        for what, cards in (("missing", missing), ("twice", surplus), ("foreign", foreign))
        if cards
    ]
    text = f"the pack must hold each of its {len(wanted)} cards once: {', '.join(parts)}"
    return Refusal("C6", "pack", text)


def _json_equal(one: object, other: object) -> bool:
    """Whether two pieces of plain JSON are equal and of equal types, so that true is not 1."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_json_equal(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_json_equal, one, other))
    return type(one) is type(other) and one == other


def _copy_json(plain: _Plain) -> _Plain:
    """A deep copy of plain JSON, so that callers cannot modify the match.

    Every view contains one of all finished rounds; `marshal` is the fastest way to copy them.
    """
    copied: _Plain = marshal.loads(marshal.dumps(plain))  # noqa: S302 - the bytes were written here
    return copied
