"""Images of a table show every card in its place, every seat, the seat to act and the winners."""

from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

import jasstisch as jt
from jasstisch.env import pettingzoo
from jasstisch.env.matches import render_image
from jasstisch.extras import MissingExtraError
from tests.rules import match_builders

KINDS = [(name, players) for name, players in match_builders.ALL_KINDS]


def match_after(name: str, steps: int, **options: Any) -> jt.Match:
    """A match after this many random actions."""
    match, chance = jt.Match(jt.game(name, **options)), Random(5)
    for _ in range(steps):
        if not match.over:
            match_builders.step(match, chance)
    return match


def card_corner(pixels: NDArray[np.uint8], spot: tuple[int, int]) -> NDArray[np.uint8]:
    """The pixels of a card's corner: its rank, and its suit below it."""
    left, top = spot
    return pixels[top + 4 : top + 40, left + 4 : left + 15]


def expected_corner(card: str, deck: str) -> NDArray[np.uint8]:
    """The corner of the card's own image."""
    drawn = render_image._rasterize(
        render_image._read_svg(f"{deck}/{card}.svg"), render_image._CARD_SIZE
    )
    return card_corner(np.array(drawn.convert("RGB")), (0, 0))


@pytest.mark.parametrize(("name", "players"), KINDS)
def test_image_shows_the_corner_of_every_card_in_every_hand(name: str, players: int) -> None:
    match = match_after(name, 12, players=players)
    pixels = render_image.render_image(match)
    assert pixels.shape == (render_image.HEIGHT, render_image.WIDTH, 3)
    assert pixels.dtype == np.uint8
    deck = "french" if name == "i-doubt-it" else "swiss"
    for seat, place in enumerate(render_image.seat_areas(match)):
        hand = match.hand(seat)
        for card, spot in zip(hand, render_image._hand_layout(place, len(hand)), strict=True):
            assert (card_corner(pixels, spot) == expected_corner(card, deck)).all(), (seat, card)


@pytest.mark.parametrize("players", render_image._SEAT_AREAS)
@pytest.mark.parametrize("cards", [1, 9, 26, 52])
def test_hands_and_labels_fit_inside_the_image(players: int, cards: int) -> None:
    width, height = render_image._CARD_SIZE
    for place in render_image._SEAT_AREAS[players]:
        spots = render_image._hand_layout(place, cards)
        left, top, wide, _ = render_image._label_box(place, spots)
        assert len(set(spots)) == cards
        assert top > render_image._TITLE_BAR_HEIGHT
        assert left >= 0
        assert left + wide <= render_image.WIDTH
        for across, down in spots:
            assert 0 <= across <= render_image.WIDTH - width
            assert top < down <= render_image.HEIGHT - height


def test_label_colours_mark_the_seat_to_act_and_the_winners() -> None:
    match = match_after("molotow", 8, rounds=1)
    (seat,) = match.to_act
    marks = label_colours(match)
    assert [other for other in range(4) if marks[other] == render_image._ACTING] == [seat]
    match_builders.finish(match, Random(1))
    marks = label_colours(match)
    assert [other for other in range(4) if marks[other] == render_image._WON] == match.winners


def label_colours(match: jt.Match) -> list[str]:
    """The colour of the label of each seat."""
    image = Image.fromarray(render_image.render_image(match))
    found = []
    for seat, place in enumerate(render_image.seat_areas(match)):
        spots = render_image._hand_layout(place, len(match.hand(seat)))
        left, top, _, height = render_image._label_box(place, spots)
        red, green, blue = image.getpixel((left + 4, top + height // 2))  # type: ignore[misc]
        found.append(f"#{red:02x}{green:02x}{blue:02x}")
    return found


def test_playing_a_card_changes_the_centre_of_the_image() -> None:
    match = match_after("molotow", 5)
    before = render_image.render_image(match)
    (seat,) = match.to_act
    match.act(seat, match.legal(seat)[0])
    changed = np.abs(render_image.render_image(match).astype(int) - before).sum(axis=2)
    across, down = render_image._CENTRE
    assert changed[down - 150 : down + 150, across - 180 : across + 180].any()


def test_direction_of_play_decides_on_which_side_seat_1_sits() -> None:
    right, left = (
        render_image.seat_areas(jt.Match(jt.game("molotow", direction=way)))[1].across
        for way in ("anticlockwise", "clockwise")
    )
    assert left < render_image._CENTRE[0] < right


def test_image_shows_the_cards_laid_for_a_claim() -> None:
    """The laid cards are drawn, whichever rank was claimed."""
    match = match_after("i-doubt-it", 3, players=2)
    (seat,) = match.to_act
    before = render_image.render_image(match)
    match.act(seat, match.legal(seat)[-1])
    changed = np.abs(render_image.render_image(match).astype(int) - before).sum(axis=2)
    across, down = render_image._CENTRE
    assert changed[down - 70 : down + 60, across - 100 : across + 100].mean() > 50


class TestEnvironment:
    def test_aec_and_parallel_environments_render_rgb_arrays(self) -> None:
        for make in (pettingzoo.env, pettingzoo.parallel_env):
            table: Any = make("schieber", render_mode="rgb_array")
            table.reset(seed=1)
            drawn = table.render()
            assert (drawn == render_image.render_image(table.match())).all()
            assert table.metadata["render_modes"] == ["ansi", "rgb_array"]
            assert table.metadata["render_fps"] > 0

    def test_returned_image_can_be_modified_without_changing_later_images(self) -> None:
        match = match_after("molotow", 5)
        first = render_image.render_image(match)
        first[:] = 0
        assert render_image.render_image(match).any()

    def test_missing_render_extra_raises_missing_extra_error(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("jasstisch.extras._installed", lambda package: package != "resvg_py")
        with pytest.raises(MissingExtraError, match=r"jasstisch\[render\]"):
            pettingzoo.env("molotow", render_mode="rgb_array")
        pettingzoo.env("molotow", render_mode="ansi")
