"""A table is drawn as a picture: every card where it lies, every seat, the one whose turn it is."""

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


def begun(name: str, steps: int, **options: Any) -> jt.Match:
    """A match played by chance for so many steps."""
    match, chance = jt.Match(jt.game(name, **options)), Random(5)
    for _ in range(steps):
        if not match.over:
            match_builders.step(match, chance)
    return match


def corner(pixels: NDArray[np.uint8], spot: tuple[int, int]) -> NDArray[np.uint8]:
    """Where the index of a card in a hand stands: the rank, and the suit below it."""
    left, top = spot
    return pixels[top + 4 : top + 40, left + 4 : left + 15]


def alone(card: str, deck: str) -> NDArray[np.uint8]:
    """The same of the card by itself."""
    drawn = render_image._rasterize(
        render_image._read_svg(f"{deck}/{card}.svg"), render_image._CARD_SIZE
    )
    return corner(np.array(drawn.convert("RGB")), (0, 0))


@pytest.mark.parametrize(("name", "players"), KINDS)
def test_every_card_of_every_hand_can_be_read_where_it_lies(name: str, players: int) -> None:
    match = begun(name, 12, players=players)
    pixels = render_image.render_image(match)
    assert pixels.shape == (render_image.HEIGHT, render_image.WIDTH, 3)
    assert pixels.dtype == np.uint8
    deck = "french" if name == "i-doubt-it" else "swiss"
    for seat, place in enumerate(render_image.seat_areas(match)):
        hand = match.hand(seat)
        for card, spot in zip(hand, render_image._hand_layout(place, len(hand)), strict=True):
            assert (corner(pixels, spot) == alone(card, deck)).all(), (seat, card)


@pytest.mark.parametrize("players", render_image._SEAT_AREAS)
@pytest.mark.parametrize("cards", [1, 9, 26, 52])
def test_hands_and_labels_lie_on_the_mat(players: int, cards: int) -> None:
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


def test_whose_turn_it_is_and_who_has_won_is_marked() -> None:
    match = begun("molotow", 8, rounds=1)
    (seat,) = match.to_act
    marks = labels(match)
    assert [other for other in range(4) if marks[other] == render_image._ACTING] == [seat]
    match_builders.finish(match, Random(1))
    marks = labels(match)
    assert [other for other in range(4) if marks[other] == render_image._WON] == match.winners


def labels(match: jt.Match) -> list[str]:
    """The colour of the label of each seat."""
    image = Image.fromarray(render_image.render_image(match))
    found = []
    for seat, place in enumerate(render_image.seat_areas(match)):
        spots = render_image._hand_layout(place, len(match.hand(seat)))
        left, top, _, height = render_image._label_box(place, spots)
        red, green, blue = image.getpixel((left + 4, top + height // 2))  # type: ignore[misc]
        found.append(f"#{red:02x}{green:02x}{blue:02x}")
    return found


def test_a_played_card_lies_before_its_seat() -> None:
    match = begun("molotow", 5)
    before = render_image.render_image(match)
    (seat,) = match.to_act
    match.act(seat, match.legal(seat)[0])
    changed = np.abs(render_image.render_image(match).astype(int) - before).sum(axis=2)
    across, down = render_image._CENTRE
    assert changed[down - 150 : down + 150, across - 180 : across + 180].any()


def test_seats_sit_as_play_goes_round() -> None:
    right, left = (
        render_image.seat_areas(jt.Match(jt.game("molotow", direction=way)))[1].across
        for way in ("anticlockwise", "clockwise")
    )
    assert left < render_image._CENTRE[0] < right


def test_of_a_claim_the_cards_lie_open_and_the_middle_face_down() -> None:
    """A claim is drawn with the cards that were laid, whatever was said of them."""
    match = begun("i-doubt-it", 3, players=2)
    (seat,) = match.to_act
    before = render_image.render_image(match)
    match.act(seat, match.legal(seat)[-1])
    changed = np.abs(render_image.render_image(match).astype(int) - before).sum(axis=2)
    across, down = render_image._CENTRE
    assert changed[down - 70 : down + 60, across - 100 : across + 100].mean() > 50


class TestEnvironment:
    def test_both_environments_render_pictures(self) -> None:
        for make in (pettingzoo.env, pettingzoo.parallel_env):
            table: Any = make("schieber", render_mode="rgb_array")
            table.reset(seed=1)
            drawn = table.render()
            assert (drawn == render_image.render_image(table.match())).all()
            assert table.metadata["render_modes"] == ["ansi", "rgb_array"]
            assert table.metadata["render_fps"] > 0

    def test_a_picture_may_be_written_into(self) -> None:
        match = begun("molotow", 5)
        first = render_image.render_image(match)
        first[:] = 0
        assert render_image.render_image(match).any()

    def test_without_its_extra_a_picture_is_refused_by_name(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("jasstisch.extras._installed", lambda package: package != "resvg_py")
        with pytest.raises(MissingExtraError, match=r"jasstisch\[render\]"):
            pettingzoo.env("molotow", render_mode="rgb_array")
        pettingzoo.env("molotow", render_mode="ansi")
