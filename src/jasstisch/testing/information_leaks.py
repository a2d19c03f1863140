"""The check for information leaks: what a reader sees depends only on what the reader may know.

A second match is derived from the log of the first: unseen cards of a pack are permuted, and hidden
actions of others are replaced. The two are indistinguishable to a reader if the reader's own hand
at every step, the redacted text of every action, and all public information agree. Then the
reader's view, legal actions and refusals must agree too. Public is what a spectator reads under the
keys of every game or under the game's `revealing_keys`.

The check uses no rules of a game: it finds out by replaying whether a second match is possible.
"""

from dataclasses import dataclass
from typing import Any

from jasstisch.engine.errors import GameError, IllegalAction
from jasstisch.games.rules import Json
from jasstisch.match.match import Match
from jasstisch.testing.conformance_run import ConformanceRun, Entry, apply_entry, sample_evenly
from jasstisch.testing.json_diff import first_difference, json_text, words_in
from jasstisch.testing.view_checks import PUBLIC_KEYS, REDACT_ADVICE, reader_name

_READERS = 2
_ATTEMPTS = 2
_ONLY_THIS_DEAL = ("trick", "last_trick", "tricks")


@dataclass(frozen=True, slots=True)
class _Observation:
    """The information each reader received at one step, independent of the view."""

    hands: tuple[tuple[str, ...], ...]
    redacted: dict[int | None, str | None]
    public: str
    turned_up: tuple[object, ...]

    @classmethod
    def of(cls, match: Match, *, acted: bool) -> "_Observation":
        """The observation after the last entry of a match's log, an action or a pack."""
        readers = (None, *range(match.game.players))
        view = match.view(None)
        return cls(
            tuple(tuple(match.hand(seat)) for seat in range(match.game.players)),
            {reader: match.describe_last_action(reader) if acted else None for reader in readers},
            _public_text(match, view),
            tuple(view.get(key) for key in (*_ONLY_THIS_DEAL, *match.game.rules.revealing_keys)),
        )

    def matches(self, match: Match, reader: int | None) -> bool:
        """Whether a reader observes the same in another match, at the same step."""
        if reader is not None and tuple(match.hand(reader)) != self.hands[reader]:
            return False
        told = self.redacted[reader]
        if told is not None and match.describe_last_action(reader) != told:
            return False
        return _public_text(match, match.view(None)) == self.public


def _public_text(match: Match, spectator: Json) -> str:
    """The public information as one text; of finished rounds only the last."""
    keys = (*PUBLIC_KEYS, *match.game.rules.revealing_keys)
    return json_text(
        {key: spectator.get(key) for key in keys} | {"rounds": spectator["rounds"][-1:]}
    )


def check_no_leaks(run: ConformanceRun) -> None:
    """Checks that no reader can distinguish the match from one with the same observations."""
    packs = [number for number, (who, _) in enumerate(run.log) if who == "pack"]
    if not packs:
        return
    first = run.rng.choice(packs[-2:])
    truth = _trace_of(run, first)
    for reader in run.rng.sample(run.readers, _READERS):
        known = _known_cards(truth, reader)
        for _ in range(_ATTEMPTS):
            other = _indistinguishable_match(run, first, truth, reader, known)
            if other is not None:
                run.report.indistinguishable_matches += 1
                _compare_views(run, reader, other)


def _trace_of(run: ConformanceRun, first: int) -> list[_Observation]:
    """The observations of the match from the entry `first` on."""
    match = run.replay_match(run.log[:first])
    moments = []
    for who, what in run.log[first:]:
        apply_entry(match, (who, what))
        moments.append(_Observation.of(match, acted=who != "pack"))
    return moments


def _indistinguishable_match(
    run: ConformanceRun, first: int, truth: list[_Observation], reader: int | None, known: set[str]
) -> Match | None:
    """Another match with the same observations for the reader, or None where the attempt fails.

    Args:
        run: the conformance run.
        first: the entry of the pack whose unseen cards are permuted.
        truth: the observations of all readers from there on.
        reader: the reader who must not see a difference.
        known: the cards that keep their positions.
    """
    match = run.replay_match(run.log[:first])
    changed = False
    for moment, (who, what) in zip(truth, run.log[first:], strict=True):
        entry: Entry = (who, what)
        if isinstance(who, str):
            if moment is truth[0]:
                entry = (who, _permute_unknown(run, what, known))
        elif moment.redacted[reader] != what:
            entry = (who, _hidden_action(run, match, (who, what), known))
        changed = changed or entry != (who, what)
        with run.blame_game("replaying the match with other hidden cards"):
            try:
                apply_entry(match, entry)
            except (GameError, IllegalAction):
                return None
        if not moment.matches(match, reader):
            return None
    return match if changed else None


def _known_cards(truth: list[_Observation], reader: int | None) -> set[str]:
    """The cards whose positions the reader knows: held by the reader, played, or turned up."""
    held = [moment.hands[reader] for moment in truth] if reader is not None else []
    told = [moment.redacted[reader] for moment in truth]
    return words_in([held, told, [moment.turned_up for moment in truth[-1:]]])


def _permute_unknown(run: ConformanceRun, pack: str, known: set[str]) -> str:
    """A pack in which all unknown cards, or only two or four of them, are permuted."""
    cards = pack.split()
    free = [place for place, card in enumerate(cards) if card not in known]
    most = run.rng.choice((2, 4, len(free)))
    places = run.rng.sample(free, min(most, len(free)))
    for place, other in zip(places, places[1:] + places[:1], strict=True):
        cards[place] = pack.split()[other]
    return " ".join(cards)


def _hidden_action(
    run: ConformanceRun, match: Match, entry: tuple[int, str], known: set[str]
) -> str:
    """A replacement for an action whose full text is hidden from a reader.

    Cards in it that are revealed later stay; the others become other cards of the same hand.
    """
    seat, action = entry
    deck = match.game.rules.deck.numbers
    free = [card for card in match.hand(seat) if card not in known]
    run.rng.shuffle(free)
    other = " ".join(
        free.pop() if free and word in deck and word not in known else word
        for word in action.split()
    )
    legal = match.legal(seat)
    if len(legal) and not any(word in deck for word in action.split()):
        other = legal[run.rng.randrange(len(legal))]
    return other if match.refusal(seat, other) is None else action


def _compare_views(run: ConformanceRun, reader: int | None, other: Match) -> None:
    """Checks that a reader's view is the same in an indistinguishable match."""
    match = run.match
    mine: dict[str, Any] = {f"view({reader})": match.view(reader)}
    theirs: dict[str, Any] = {f"view({reader})": other.view(reader)}
    if reader is not None:
        tried = run.past_actions[:: max(1, len(run.past_actions) // 20)]
        for told, one in ((mine, match), (theirs, other)):
            legal = one.legal(reader)
            told[f"legal({reader})"] = [len(legal), *sample_evenly(legal)]
            told[f"refusal({reader}, …)"] = {text: str(one.refusal(reader, text)) for text in tried}
    if spot := first_difference(mine, theirs):
        raise run.violation_error(
            f"{reader_name(reader)} is shown what it cannot know: {spot}, "
            "in two matches that differ "
            "only in hidden cards or actions of others",
            REDACT_ADVICE,
        )


def check_redaction(run: ConformanceRun) -> None:
    """Checks that `redact_action` reveals no more of an action than the views do."""
    who, what = run.log[-1] if run.log else ("pack", "")
    if not isinstance(who, int):
        return
    with run.blame_game("describe_last_action(reader)"):
        told = {reader: run.match.describe_last_action(reader) for reader in run.readers}
    if any(not isinstance(text, str) for text in told.values()):
        raise run.violation_error(
            f"redact_action gives {told}", "It is the text of the action as its reader hears it"
        )
    before = run.replay_match(run.log[:-1])
    legal = before.legal(who)
    other = legal[run.rng.randrange(len(legal))]
    if other == what:
        return
    before.act(who, other)
    for reader in run.readers:
        if reader == who or before.describe_last_action(reader) == told[reader]:
            continue
        if json_text(before.view(reader)) == json_text(run.match.view(reader)):
            raise run.violation_error(
                f"view({reader}) hides whether seat {who} did {what!r} or {other!r}, "
                "redact_action does not",
                "Override redact_action(actor, action, reader) so that it says no more than the "
                "view, or let the view show it",
            )
