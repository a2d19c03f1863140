"""What people may write to each other at a table, and how often they may say something."""

import unicodedata
from pathlib import Path

import pytest

from jasstisch.server.api import messages
from jasstisch.server.identity.text_sanitizer import MAX_CHAT_LENGTH, normalize_chat_line
from jasstisch.table import TableError
from tests.server.identity.test_nicknames import BLANK, REAL
from tests.server.limits.test_quotas import ANNA, RETO, Dated, a_hall, ask, made
from tests.server.tables.test_broadcaster import Listener


@pytest.mark.parametrize("words", [*REAL, "Bin gleich zurück.", "bot: haha", "<b>Grüezi</b>"])
def test_plain_text_of_every_script_is_kept_as_it_is(words: str) -> None:
    assert normalize_chat_line(f"  Ja,   {words} ") == unicodedata.normalize("NFC", f"Ja, {words}")


@pytest.mark.parametrize("blank", BLANK)
def test_what_shows_nothing_or_turns_the_text_is_refused(blank: str) -> None:
    with pytest.raises(TableError) as caught:
        normalize_chat_line(f"gut {blank} gespielt")
    assert caught.value.code == "bad_text"


@pytest.mark.parametrize("line", ["", " \n ", "a" * (MAX_CHAT_LENGTH + 1), "q\u0308\u0308\u0308"])
def test_a_line_that_is_empty_too_long_or_grows_into_others_is_refused(line: str) -> None:
    with pytest.raises(TableError) as caught:
        normalize_chat_line(line)
    assert caught.value.code == "bad_text"


def test_a_line_is_one_line() -> None:
    assert normalize_chat_line("Zum\n\tWohl ") == "Zum Wohl"
    assert normalize_chat_line("a" * MAX_CHAT_LENGTH)


async def test_nobody_says_more_than_some_things_in_short_order_and_others_go_on(
    tmp_path: Path,
) -> None:
    async with a_hall(tmp_path, talk=2, talk_per_minute=30) as hall:
        table = await made(hall)
        live = await hall.load_local(table)
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
        assert isinstance(hall.context, Dated)
        hall.context.time += 2.0
        assert isinstance(
            await ask(live, anna, messages.SendPhrase(6, table, "oops")), messages.Ack
        )
        again = await ask(live, anna, messages.SendPhrase(7, table, "oops"))
        assert isinstance(again, messages.ErrorMessage)
