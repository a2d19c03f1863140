"""Validation and rate limits of chat."""

import unicodedata
from pathlib import Path

import pytest

from jasstisch.server.api import messages
from jasstisch.server.identity.text_sanitizer import MAX_CHAT_LENGTH, normalize_chat_line
from jasstisch.table import TableError
from tests.server.identity.test_nicknames import BLANK, REAL
from tests.server.limits.test_quotas import ANNA, RETO, ClockServices, ask, made, make_registry
from tests.server.tables.test_broadcaster import Listener


@pytest.mark.parametrize("words", [*REAL, "Bin gleich zurück.", "bot: haha", "<b>Grüezi</b>"])
def test_plain_text_in_any_script_is_unchanged(words: str) -> None:
    assert normalize_chat_line(f"  Ja,   {words} ") == unicodedata.normalize("NFC", f"Ja, {words}")


@pytest.mark.parametrize("blank", BLANK)
def test_invisible_and_bidi_control_characters_are_refused(blank: str) -> None:
    with pytest.raises(TableError) as caught:
        normalize_chat_line(f"gut {blank} gespielt")
    assert caught.value.code == "bad_text"


@pytest.mark.parametrize("line", ["", " \n ", "a" * (MAX_CHAT_LENGTH + 1), "q\u0308\u0308\u0308"])
def test_empty_overlong_and_expanding_lines_are_refused(line: str) -> None:
    with pytest.raises(TableError) as caught:
        normalize_chat_line(line)
    assert caught.value.code == "bad_text"


def test_line_breaks_become_spaces() -> None:
    assert normalize_chat_line("Zum\n\tWohl ") == "Zum Wohl"
    assert normalize_chat_line("a" * MAX_CHAT_LENGTH)


async def test_chat_is_rate_limited_by_person(
    tmp_path: Path,
) -> None:
    async with make_registry(tmp_path, talk=2, talk_per_minute=30) as registry:
        table = await made(registry)
        live = await registry.load_local(table)
        anna, reto = Listener(ANNA), Listener(RETO)
        await ask(live, reto, messages.Sit(1, table, 1, "Reto"))
        await ask(live, anna, messages.SetChatPolicy(1, table, allowed=True))
        assert isinstance(
            await ask(live, anna, messages.SendPhrase(2, table, "hello")), messages.Ack
        )
        assert isinstance(await ask(live, anna, messages.SendChat(3, table, "Sali")), messages.Ack)
        refused = await ask(live, anna, messages.SendPhrase(4, table, "hello"))
        assert isinstance(refused, messages.ErrorMessage)
        assert (refused.code, "wait" in refused.message) == ("too_fast", True)
        assert isinstance(
            await ask(live, reto, messages.SendPhrase(5, table, "hello")), messages.Ack
        )
        assert isinstance(registry.context, ClockServices)
        registry.context.time += 2.0
        assert isinstance(
            await ask(live, anna, messages.SendPhrase(6, table, "oops")), messages.Ack
        )
        again = await ask(live, anna, messages.SendPhrase(7, table, "oops"))
        assert isinstance(again, messages.ErrorMessage)
