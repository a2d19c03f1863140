"""Reason texts: complete in all languages, short, and without hidden information."""

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

import jasstisch as jt
from jasstisch.analysis import LANGUAGES, REASONS, hint, hints, reason_texts, report_texts
from jasstisch.analysis.texts import suit_and_rank_names
from jasstisch.bots.searching.budget import SearchBudget
from jasstisch.engine.errors import GameError
from jasstisch.i18n.templates import placeholders, render
from tests.analysis.search_stubs import random_search
from tests.rules import match_builders
from tests.support.example_counts import examples

LONGEST = 90
"""The most characters of a text, so that it takes one line, or two on a phone."""

QUICK = SearchBudget("hint", max_deals=8, max_cards_played=0, time_limit_s=60.0)
OTHERS = [language for language in LANGUAGES if language != "en"]
KINDS = [(name, players) for name, players in match_builders.ALL_KINDS if players <= 6]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_a_text_and_every_text_is_a_reason(language: str) -> None:
    assert tuple(reason_texts(language)) == REASONS


@pytest.mark.parametrize("language", OTHERS)
def test_texts_of_all_languages_have_the_same_placeholders(language: str) -> None:
    for texts, english in (
        (reason_texts(language), reason_texts("en")),
        (report_texts(language), report_texts("en")),
        (suit_and_rank_names(language), suit_and_rank_names("en")),
    ):
        assert texts.keys() == english.keys()
        for name, text in texts.items():
            assert sorted(placeholders(text)) == sorted(placeholders(english[name])), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_short_and_use_swiss_spelling(language: str) -> None:
    for name, text in reason_texts(language).items():
        assert len(text) <= LONGEST, name
        assert text.endswith("."), name
        assert "ß" not in text, name
        if language == "fr":
            assert not re.search(r"[^\u202f][;:!?]", text), name


def test_an_unknown_language_is_refused_with_the_known_ones() -> None:
    with pytest.raises(GameError, match="no analysis in 'rm'; the languages are en, de, fr, it"):
        reason_texts("rm")


def positions(name: str, seed: int, **options: Any) -> Iterator[tuple[jt.Match, int]]:
    """A random match, before each action that is a choice."""
    rng = random.Random(seed)
    match = jt.Match(jt.game(name, **options))
    while not match.over and len(match.rounds) < 2:
        if not match.needs_pack and len(match.legal(match.to_act[0])) > 1:
            yield match, match.to_act[0]
        match_builders.step(match, rng)


@pytest.mark.parametrize(("name", "players"), KINDS)
def test_reasons_name_only_cards_their_player_can_see(
    name: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In all languages, the cards named are in the player's hand or lie open."""
    monkeypatch.setattr(hints, "evaluate_actions", random_search)
    given: set[str] = set()
    for seed in range(examples(3, 1)):
        for match, seat in positions(name, seed, players=players):
            view = match.view(seat)
            told = hint(view, match.legal(seat), random.Random(len(given)))
            given.add(told.reason)
            for language in LANGUAGES:
                list(render(reason_texts(language)[told.reason], told.placeholder_values))
            values = told.placeholder_values.items()
            cards = [str(text) for gap, text in values if gap.startswith("card")]
            named = {card for text in cards for card in text.split()}
            assert named <= seen(view), told
    assert len(given) > examples(4, 1)


def seen(view: dict[str, Any]) -> set[str]:
    """The open cards and those of the player's hand."""
    cards = {*view["hand"], *(card for _, card in view["trick"])}
    cards.update(card for one in view["tricks"] for card in one["cards"])
    cards.update(view[name] for name in ("shown", "turned") if view.get(name))
    return cards


@pytest.mark.parametrize(("name", "players"), match_builders.KINDS)
def test_hidden_cards_do_not_change_hints(name: str, players: int) -> None:
    """Two deals that differ in the hands of the others alone, evaluated by the same search."""
    hands = match_builders.random_hands(players, random.Random(players))
    told = []
    for other in (hands, [hands[0], *hands[:0:-1]]):
        match = match_builders.start(name, other)
        if match.needs_pack:
            match.deal(match_builders.ordered("AC"))
        told.append(hint(match.view(0), match.legal(0), random.Random(5), QUICK))
    assert told[0] == told[1]
