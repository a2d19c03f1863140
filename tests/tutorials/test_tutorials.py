"""Guided rounds: legal fixed deals, their moments in order, and texts for all of them."""

import re
from collections.abc import Iterator
from random import Random

import pytest

import jasstisch as jt
from jasstisch.bots import bot
from jasstisch.engine.cards import JASS
from jasstisch.engine.errors import GameError
from jasstisch.i18n.templates import LANGUAGES, load_tutorial_texts, placeholders, render
from jasstisch.tutorials import (
    GAMES,
    LEARNER_SEAT,
    MatchStep,
    Tutorial,
    TutorialMessage,
    TutorialSession,
    get_tutorial,
)
from jasstisch.tutorials.prompts import PROMPTS

FEWEST_MOMENTS = 7
"""The aim, five moments that make the game different, and how the score came about."""

MAIN_LINES = {
    "molotov": """
        molotov.aim tricks.follow tricks.taken_own trump.made trump.revalued_own
        tricks.follow_or_trump_free molotov.threat molotov.bomb molotov.undertrump tricks.last_trick
        molotov.score_tally
    """,
    "offenbach": """
        offenbach.aim offenbach.pack tricks.follow tricks.taken molotov.threat molotov.bomb
        trump.made trump.revalued molotov.undertrump tricks.follow_or_trump_free molotov.own_bomb
        tricks.last_trick offenbach.score_tally
    """,
    "molotow": """
        molotow.aim molotow.turn tricks.follow tricks.taken trump.own_discard trump.made_own
        trump.revalued tricks.follow_or_trump_if_void molotow.middle molotow.low molotow.hundred
        tricks.last_trick molotow.score_stick
    """,
    "differenzler": """
        differenzler.aim differenzler.trump differenzler.bid tricks.follow_trump
        tricks.taken_with_trump tricks.bur differenzler.ruff tricks.follow_or_trump_if_void
        differenzler.count differenzler.near differenzler.overshot tricks.last_trick
        differenzler.score
    """,
    "jass": """
        jass.aim jass.trump jass.answer_blind jass.rob jass.weis jass.own_weis
        tricks.follow_or_trump_strict tricks.taken_with_trump jass.reached tricks.bur jass.stoeck
        tricks.last_trick jass.score_stroke
    """,
    "i-doubt-it": """
        i-doubt-it.aim i-doubt-it.claim i-doubt-it.truth i-doubt-it.middle i-doubt-it.lie
        i-doubt-it.believed i-doubt-it.impossible i-doubt-it.caught i-doubt-it.others
        i-doubt-it.draw i-doubt-it.score_won
    """,
    "schieber": """
        schieber.aim schieber.choose schieber.weis partners.draw_trumps schieber.side_weis_own
        partners.points_trump partners.smeared partners.master partners.to_partner
        partners.partner_leads partners.not_partner partners.match tricks.follow_or_trump_strict
        partners.partner_low schieber.slate partners.ruff schieber.stoeck_own tricks.last_trick
        schieber.score_more
    """,
    "coiffeur": """
        coiffeur.aim coiffeur.slate coiffeur.joker coiffeur.choose coiffeur.ours partners.lead_sure
        partners.points_bottoms partners.lead_last partners.smeared partners.match tricks.last_trick
        coiffeur.score_ours
    """,
}
"""What whoever follows the coach is told, in order, apart from what to do next."""

LONGEST = 240
"""Signs of a text; a phone shows that beside hand and trick."""


class Learning:
    """A match whose first round is guided, at the pace of a learner who reads everything."""

    def __init__(self, taught: Tutorial) -> None:
        self.match = jt.Match(jt.game(taught.game, **taught.options))
        self.lesson = TutorialSession.start(taught)
        self.read: list[TutorialMessage] = []
        self.suggested: list[str | None] = []

    def steps(self, choose: str, seed: int = 0) -> Iterator[None]:
        """Plays the round; `choose` is what the learner goes by: "coach" or "chance"."""
        rng = Random(seed)
        while not self.match.rounds:
            self.take(choose, rng)
            while self.lesson.is_paused:
                self.note()
                self.lesson = self.lesson.acknowledge()
            self.note()
            yield

    def take(self, choose: str, rng: Random) -> None:
        match, lesson = self.match, self.lesson
        if match.needs_pack:
            match.deal(lesson.next_pack or rng.sample(match.pack, len(match.pack)))
            self.lesson = lesson.after_pack(match.view(LEARNER_SEAT), match.legal(LEARNER_SEAT))
            return
        seat = rng.choice(match.to_act)
        legal = match.legal(seat)
        if seat != LEARNER_SEAT:
            action = lesson.scripted_action(seat, legal) or bot("greedy").act(
                match.view(seat), legal, rng
            )
        elif choose == "coach":
            action = lesson.suggestion(legal) or ""
        else:
            action = rng.choice(legal)
        match.act(seat, action)
        told = match.describe_last_action(seat)
        seen = match.view(LEARNER_SEAT), match.legal(LEARNER_SEAT)
        self.lesson = self.lesson.after_action(seat, told, *seen)

    def note(self) -> None:
        hint = self.lesson.message
        if hint is not None and (not self.read or hint is not self.read[-1]):
            self.read.append(hint)

    @property
    def moments(self) -> list[str]:
        return [hint.id for hint in self.read if not hint.id.startswith("prompt.")]


def learned(game: str, choose: str, seed: int = 0) -> Learning:
    learning = Learning(get_tutorial(game))
    for _ in learning.steps(choose, seed):
        pass
    return learning


def section(id_: str) -> str:
    return id_.partition(".")[0]


def test_a_game_without_one_is_refused_with_those_there_are() -> None:
    with pytest.raises(
        GameError, match=r"no guided round of 'chess'; there is one of coiffeur, differenzler"
    ):
        get_tutorial("chess")


def test_every_game_has_a_guided_round() -> None:
    assert set(GAMES) == set(jt.games())


@pytest.mark.parametrize("game", GAMES)
def test_whoever_follows_the_coach_meets_the_moments_in_their_order(game: str) -> None:
    """The main line is legal to its end, and tells its moments one after the other."""
    learning = learned(game, "coach")
    assert learning.lesson.is_on_script
    assert learning.lesson.action_counts == tuple(map(len, get_tutorial(game).script))
    assert learning.moments == MAIN_LINES[game].split()
    assert len(learning.moments) >= FEWEST_MOMENTS


@pytest.mark.parametrize("game", GAMES)
def test_every_moment_of_a_guide_is_named_once(game: str) -> None:
    ids = [moment.id for moment in get_tutorial(game).triggers]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("game", GAMES)
def test_whoever_plays_as_he_likes_comes_to_the_end_with_aim_and_score(
    game: str, seed: int
) -> None:
    learning = learned(game, "chance", seed)
    assert learning.moments[0] == f"{game}.aim"
    assert learning.moments[-1].startswith(f"{game}.score")
    assert len(set(learning.moments)) == len(learning.moments)
    assert learning.lesson.over
    assert not learning.lesson.is_paused


@pytest.mark.parametrize("game", GAMES)
def test_the_learner_is_told_what_to_do_and_a_legal_action_whenever_it_is_his_turn(
    game: str,
) -> None:
    for seed, choose in enumerate(("coach", "chance", "chance")):
        learning = Learning(get_tutorial(game))
        for _ in learning.steps(choose, seed):
            legal = learning.match.legal(LEARNER_SEAT)
            if legal:
                assert learning.lesson.message is not None
                assert learning.lesson.suggestion(legal) in legal


@pytest.mark.parametrize("game", GAMES)
def test_the_match_goes_on_after_the_guided_round_and_its_record_replays(game: str) -> None:
    match = learned(game, "coach").match
    rng = Random(1)
    while not match.over:
        if match.needs_pack:
            match.deal(rng.sample(match.pack, len(match.pack)))
        else:
            seat = rng.choice(match.to_act)
            match.act(seat, rng.choice(match.legal(seat)))
    assert jt.Match.from_record(match.record()).record() == match.record()


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_says_the_same_whatever_the_learner_cannot_see(game: str) -> None:
    """Two lessons that were given equal views are equal: nothing else goes into them."""
    first, second = (Learning(get_tutorial(game)) for _ in range(2))
    for _, _ in zip(first.steps("coach"), second.steps("coach"), strict=True):
        assert first.lesson.messages == second.lesson.messages
    for moment in get_tutorial(game).triggers:
        scene = MatchStep(None, first.match.view(LEARNER_SEAT), ())
        assert moment.evaluate(scene) == moment.evaluate(scene)


def test_a_lesson_waits_until_what_is_said_has_been_read_unless_it_is_his_turn() -> None:
    learning = Learning(get_tutorial("molotov"))
    rng = Random(0)
    learning.take("coach", rng)
    lesson = learning.lesson
    assert (lesson.message, lesson.is_paused) == (TutorialMessage("molotov.aim", {}), True)
    assert lesson.suggestion(learning.match.legal(LEARNER_SEAT)) is None
    learning.lesson = lesson.acknowledge()
    assert (learning.lesson.message, learning.lesson.is_paused) == (None, False)
    learning.take("coach", rng)
    told = learning.lesson.message
    assert told is not None
    assert (told.id, learning.lesson.is_paused) == ("tricks.follow", False)


def test_whoever_leaves_the_line_is_advised_by_the_computer_from_then_on() -> None:
    learning = Learning(get_tutorial("molotov"))
    steps = learning.steps("coach")
    while not learning.match.legal(LEARNER_SEAT):
        next(steps)
    legal = learning.match.legal(LEARNER_SEAT)
    other = next(
        action for action in legal if action != learning.lesson.scripted_action(LEARNER_SEAT, legal)
    )
    learning.match.act(LEARNER_SEAT, other)
    match = learning.match
    lesson = learning.lesson.after_action(
        LEARNER_SEAT, other, match.view(LEARNER_SEAT), match.legal(LEARNER_SEAT)
    )
    assert not lesson.is_on_script
    assert all(lesson.scripted_action(seat, [one]) is None for seat in range(4) for one in legal)


ADVISING = {
    f"partners.{name}"
    for name in (
        "draw_trumps", "master", "to_partner", "lead_last", "lead_sure", "lead_loser", "not_partner"
    )
}  # fmt: skip
"""Moments that name the card to play."""


@pytest.mark.parametrize("game", ["schieber", "coiffeur"])
def test_words_that_advise_a_card_and_the_tip_never_disagree(game: str) -> None:
    advised = 0
    for seed in range(30):
        learning, rng = Learning(get_tutorial(game)), Random(seed)
        while not learning.match.rounds:
            learning.take("chance" if seed else "coach", rng)
            view, legal = learning.match.view(LEARNER_SEAT), learning.match.legal(LEARNER_SEAT)
            for hint in learning.lesson.messages:
                if legal and hint.id in ADVISING:
                    tip = learning.lesson.suggest(view, legal).removesuffix(" weis")
                    assert (hint.id, tip) == (hint.id, f"play {hint.values['card']}")
                    advised += 1
            while learning.lesson.is_paused:
                learning.lesson = learning.lesson.acknowledge()
    assert advised > 15


def test_a_learner_who_pushes_is_told_what_his_partner_makes_trump() -> None:
    learning = Learning(get_tutorial("schieber"))
    steps = learning.steps("coach")
    while not learning.match.legal(LEARNER_SEAT):
        next(steps)
    match = learning.match
    match.act(LEARNER_SEAT, "push")
    seen = match.view(LEARNER_SEAT), match.legal(LEARNER_SEAT)
    learning.lesson = learning.lesson.after_action(LEARNER_SEAT, "push", *seen)
    next(steps)
    assert match.view(LEARNER_SEAT)["by"] == 2
    assert learning.moments[-2:] == ["partners.trump", "schieber.weis"]


# The texts.


def ids() -> set[str]:
    moments = [moment for game in GAMES for moment in get_tutorial(game).triggers]
    said = {moment.id for moment in moments}
    said |= {f"{moment.id}_own" for moment in moments if moment.has_learner_text}
    return said | {f"prompt.{name}" for name in PROMPTS}


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_is_a_text_for_every_hint_and_none_without(language: str) -> None:
    assert set(load_tutorial_texts(language)) == ids()


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_speak_of_the_same_things(language: str) -> None:
    for id_, text in load_tutorial_texts(language).items():
        assert sorted(set(placeholders(text))) == sorted(
            set(placeholders(load_tutorial_texts("en")[id_]))
        ), id_


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_short_and_written_as_in_switzerland(language: str) -> None:
    for id_, text in load_tutorial_texts(language).items():
        assert len(text) <= LONGEST, id_
        assert "ß" not in text, id_
        if language == "fr":
            assert not re.search(r"[^\u202f][;:!?»]|«[^\u202f]", text), id_


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_gap_is_filled_with_what_its_name_says(game: str, language: str) -> None:
    for choose in ("coach", "chance"):
        for hint in learned(game, choose).read:
            for kind, text in render(load_tutorial_texts(language)[hint.id], hint.values):
                if kind == "card":
                    assert text in JASS.numbers or game == "i-doubt-it"
                elif kind == "suit":
                    assert text in set("CDHS")
                elif kind in {"rank", "ranks"}:
                    assert text in set("23456789TJQKA")
                elif kind == "seat":
                    assert int(text) in range(len(get_tutorial(game).script))


def test_an_unknown_language_is_refused_with_those_there_are() -> None:
    with pytest.raises(GameError, match="no hints in 'rm'; the languages are en, de, fr, it"):
        load_tutorial_texts("rm")
