"""Server settings from flags, environment variables and file, and their errors."""

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import jasstisch.server
from jasstisch import i18n
from jasstisch.cli.commands.serve import parser
from jasstisch.cli.config.loader import EffectiveSettings, dump_toml, load_settings
from jasstisch.cli.config.settings import _LANGUAGES, LIMIT_NAMES, SETTINGS
from jasstisch.cli.config.value_types import SecretUrl
from jasstisch.cli.errors import CommandError, UsageError
from jasstisch.server.limits.server_limits import Limits
from tests.cli.screen_player import run_cli, scripted_answers

TEXTS: Mapping[str, st.SearchStrategy[Any]] = {
    "host": st.sampled_from(["0.0.0.0", "::", "jass.example.org"]),
    "port": st.integers(0, 65_535),
    "public_url": st.sampled_from(["https://jass.example.org", "http://[::1]:8000/"]),
    "trusted_proxy": st.lists(
        st.sampled_from(["10.0.0.5", "172.18.0.0/16", "::1"]), min_size=1, unique=True
    ),
    "open": st.booleans(),
    "data": st.sampled_from(["/srv/jass", "data \\ \"quoted\" 'ü'"]),
    "store": st.just("postgresql://db/jass"),
    "languages": st.lists(st.sampled_from(_LANGUAGES), min_size=1, unique=True),
    "greeting": st.dictionaries(
        st.sampled_from(_LANGUAGES),
        st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp", "Zs"]), min_size=1)
        .map(lambda text: text[:300].strip())
        .filter(bool),
        min_size=1,
    ),
    "metrics": st.sampled_from(["127.0.0.1:9100", "[::1]:0"]),
    "log": st.sampled_from(["auto", "json", "text"]),
    "keep_finished_days": st.integers(1, 36_500),
    "tables": st.integers(1, 10**9),
}
"""Values that are allowed, as a file has them, for each kind of setting."""


def read(*words: str, environment: Mapping[str, str] | None = None) -> EffectiveSettings:
    """The settings for these arguments and variables."""
    arguments = parser().parse(words)
    return load_settings(arguments, arguments.config, environment or {})


def refusal(*words: str, environment: Mapping[str, str] | None = None) -> str:
    """The error for these arguments and variables; empty if there is none."""
    try:
        read(*words, environment=environment)
    except UsageError as error:
        return str(error)
    return ""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "jass.toml"


def test_default_limits_are_those_of_the_server() -> None:
    usual = Limits()
    assert {name: SETTINGS[name].default for name in LIMIT_NAMES} == {
        name: getattr(usual, name) for name in LIMIT_NAMES
    }
    assert set(LIMIT_NAMES) <= {one.name for one in fields(Limits)}


def test_languages_are_those_of_the_rules_and_the_page() -> None:
    assert set(_LANGUAGES) == set(i18n.LANGUAGES)
    assert _LANGUAGES == jasstisch.server.LANGUAGES


def test_help_names_each_flag_and_its_variable() -> None:
    status, printed, _ = run_cli(["serve", "--help"], scripted_answers())
    assert status == 0
    for one in SETTINGS.values():
        assert re.search(rf"^  {one.flag}\b", printed, re.MULTILINE), one.name
        assert f"[{one.env_variable}]" in printed.replace("\n", " ")
    assert "[JASSTISCH_CONFIG]" in printed


def test_flags_override_variables_and_variables_override_the_file(file: Path) -> None:
    file.write_text("port = 1\nthinkers = 1\nkeep_unplayed_days = 1\n")
    environment = {"JASSTISCH_PORT": "2", "JASSTISCH_THINKERS": "2", "JASSTISCH_CONFIG": str(file)}
    found = read("--port", "3", environment=environment)
    chosen = [found.values[name] for name in ("port", "thinkers", "keep_unplayed_days", "log")]
    assert chosen == [3, 2, 1, "auto"]
    sources = {"port": "--port", "thinkers": "JASSTISCH_THINKERS", "keep_unplayed_days": str(file)}
    assert found.sources == sources


def test_the_config_flag_overrides_its_variable(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    file.write_text("port = 1\n")
    other.write_text("port = 2\n")
    found = read("--config", str(other), environment={"JASSTISCH_CONFIG": str(file)})
    assert found.values["port"] == 2


def test_an_empty_variable_is_ignored() -> None:
    assert read(environment={"JASSTISCH_PORT": "", "JASSTISCH_CONFIG": ""}).sources == {}


def test_variables_hold_lists_and_texts_by_language() -> None:
    environment = {
        "JASSTISCH_LANGUAGES": "fr, de",
        "JASSTISCH_GREETING": "de=Willkommen beim Jassclub\nfr=Bienvenue\n",
        "JASSTISCH_OPEN": "yes",
    }
    values = read(environment=environment).values
    assert values["languages"] == ("fr", "de")
    assert values["greeting"] == {"de": "Willkommen beim Jassclub", "fr": "Bienvenue"}
    assert values["open"] is True


def test_one_greeting_applies_to_all_languages(file: Path) -> None:
    file.write_text('greeting = "2 + 2 = 4"\n')
    expected = dict.fromkeys(_LANGUAGES, "2 + 2 = 4")
    assert read("--config", str(file)).values["greeting"] == expected
    assert read("--greeting", "2 + 2 = 4").values["greeting"] == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("prot = 8000", "'prot' is not a setting; similar: port"),
        ("[limits]\ntables = 1", "'limits' is not a setting"),
        ("zzz = 1", "the settings are host, port, "),
        ("port = 70000", "port: a whole number from 0 to 65535 is needed, not 70000"),
        ('port = "8000"', "port: a whole number from 0 to 65535 is needed, not '8000'"),
        ("port = true", "port: a whole number from 0 to 65535 is needed, not True"),
        ("open = 1", "open: yes or no is needed (in a file true or false), not 1"),
        ('languages = "de"', "languages: a list such as [...] is needed, not 'de'"),
        ('languages = ["de", "rm"]', "languages: one of de, fr, it, en is needed, not 'rm'"),
        ("languages = []", "languages: one or more values are needed"),
        ('greeting = {rm = "Bainvegni"}', "greeting: a language of de, fr, it, en is needed"),
        ('greeting = {de = ""}', "greeting: a line of 1 to 300 characters is needed"),
        (f'greeting = "{"a" * 301}"', "greeting: a line of 1 to 300 characters is needed"),
        ('greeting = "a\\nb"', "greeting: a line of 1 to 300 characters is needed"),
        ('metrics = "9100"', "metrics: an address with a port, such as 127.0.0.1:9100"),
        ('log = "xml"', "log: one of auto, json, text is needed, not 'xml'"),
        ('trusted_proxy = ["proxy"]', "trusted_proxy: an address or a network, such as 10.0.0.5"),
        (
            'public_url = "jass.ch"',
            "public_url: an address such as https://jass.example.org is needed",
        ),
        ('data = ""', "data: a line of 1 to 1000 characters is needed"),
        ("keep_finished_days = 0", "keep_finished_days: a whole number from 1 to 36500 is needed"),
        ("port = 1\nport = 2", "not valid TOML"),
        ("port", "not valid TOML"),
    ],
)
def test_errors_in_a_file_name_file_and_key(file: Path, text: str, said: str) -> None:
    file.write_text(text)
    status, printed, errors = run_cli(["serve", "--config", str(file)], scripted_answers())
    assert (status, printed, errors.count("\n")) == (2, "", 1)
    assert errors.startswith(f"jasstisch: {file}: ")
    assert said in errors


@pytest.mark.parametrize(
    ("words", "environment", "said"),
    [
        (["--port", "x"], {}, "--port: a whole number from 0 to 65535 is needed, not 'x'"),
        ([], {"JASSTISCH_PORT": "x"}, "JASSTISCH_PORT: a whole number from 0 to 65535"),
        ([], {"JASSTISCH_OPEN": "maybe"}, "JASSTISCH_OPEN: yes or no is needed"),
        (["--languages", "de", "de"], {}, "--languages: one or more values are needed, each"),
        (["--greeting", "de=a", "de=b"], {}, "--greeting: each language can have only one text"),
        (["--public-url", ""], {}, "--public-url: an address such as"),
    ],
)
def test_errors_in_flags_and_variables_name_them(
    words: list[str], environment: dict[str, str], said: str
) -> None:
    with patch.dict(os.environ, environment):
        status, printed, errors = run_cli(["serve", *words], scripted_answers())
    assert (status, printed, errors.count("\n")) == (2, "", 1)
    assert said in errors


def test_the_example_in_the_docs_is_valid(file: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "settings.md").read_text(encoding="utf-8")
    lines = [line[4:] for line in page.splitlines() if line.startswith("    ")]
    file.write_text("\n".join(lines), encoding="utf-8")
    found = read("--config", str(file))
    assert set(found.sources) == {
        *("public_url", "data", "languages", "keep_finished_days", "greeting"),
    }


def test_an_unreadable_file_is_reported_in_one_line(tmp_path: Path) -> None:
    for name in (tmp_path, tmp_path / "none.toml"):
        status, _, errors = run_cli(["serve", "--config", str(name)], scripted_answers())
        assert (status, errors.count("\n")) == (1, 1)
        assert f"cannot read the settings in {name}: " in errors


def test_an_unknown_variable_is_only_reported() -> None:
    with patch.dict(os.environ, {"JASSTISCH_PROT": "1", "JASSTISCH_CACHE": "c"}, clear=True):
        status, printed, errors = run_cli(["serve", "--print-config"], scripted_answers())
    assert status == 0
    assert "port = 8000" in printed
    assert errors == "jasstisch: unknown settings in the environment: JASSTISCH_PROT\n"


SOUND = st.fixed_dictionaries({}, optional=dict(TEXTS))


@given(SOUND)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_printed_settings_can_be_read_back(file: Path, chosen: dict[str, Any]) -> None:
    values = {name: SETTINGS[name].value_type.from_toml(value) for name, value in chosen.items()}
    usual = {one.name: one.default for one in SETTINGS.values()}
    file.write_text(
        dump_toml(EffectiveSettings(usual | values, dict.fromkeys(chosen, "x\ny"))), "utf-8"
    )
    assert read("--config", str(file)).values == usual | values


LINES = st.builds(
    "{} = {}".format,
    st.sampled_from([*SETTINGS, "prot", "[greeting]", '"a b"', ""]),
    st.sampled_from(["1", "-1", '"de"', '["de"]', "{de = 'a'}", "1e9", "nan", "9" * 5_000])
    | st.text(max_size=20)
    | st.integers(1, 3_000).map(lambda deep: "[" * deep),
)


@given(st.binary(max_size=200) | st.lists(LINES, max_size=5).map("\n".join).map(str.encode))
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_file_causes_a_traceback(file: Path, data: bytes) -> None:
    file.write_bytes(data)
    said = refusal("--config", str(file))
    assert said == "" or said.startswith(f"{file}: ")
    assert len(said) < 1_500


@given(st.dictionaries(st.sampled_from([one.env_variable for one in SETTINGS.values()]), st.text()))
@settings(max_examples=100)
def test_no_variable_causes_a_traceback(environment: dict[str, str]) -> None:
    said = refusal(environment=environment)
    assert said == "" or any(said.startswith(f"{name}: ") for name in environment)


def test_an_oversized_file_is_refused(file: Path) -> None:
    file.write_text("#" * 70_000)
    with pytest.raises(UsageError, match="at most 64 KiB"):
        read("--config", str(file))
    with pytest.raises(CommandError, match="cannot read"):
        read("--config", "\0")


@pytest.mark.parametrize(
    "link",
    [
        "postgresql://me:geheim@db:5432/jass",
        "postgresql://me:ge:hei@m@db/jass?sslmode=require&password=geheim",
        "postgresql://db/jass?password=geheim",
        "nats://geheim@host:4222",
        "postgresql:///jass?user=me&password=geheim",
        "postgresql://[me:geheim@db/jass",
        "postgresql://me:ge/heim@db/jass",
        "postgresql://me:12/geheim@db/jass",
        "postgresql://me:geheim#hei@db/jass",
        "nats://me:ge/heim@host:4222",
        "postgresql://me:ge@heim/x@db/jass",
        "nats://me:ge@heim/x@host",
        "host=db user=me password=geheim",
    ],
)
def test_passwords_are_never_printed(link: str) -> None:
    for shown in (dump_toml(read("--store", link)), refusal("--store", f"{link}\0x")):
        assert shown
        assert "geheim" not in shown
        assert "hei" not in shown


@pytest.mark.parametrize(
    ("store", "bus", "said"),
    [
        ("postgresql://me:ge/heim@db:5432/jass", None, "%2F %3F %23 %25 %40 stand for"),
        ("postgresql://me:12/geheim@db/jass", None, "%2F %3F %23 %25 %40 stand for"),
        ("postgresql://me:ge@heim/x@db/jass", None, "%2F %3F %23 %25 %40 stand for"),
        ("host=db user=me password=geheim", None, "not written in words"),
        ("host = db user = me password = geheim", None, "not written in words"),
        ("postgresql:/me:geheim@db/jass", None, "no kind of store called 'postgresql'"),
        ("postgresql://me:geheim@db/jass", "nats://me:ge@heim/x@host", "a bus is named like"),
        ("mysql://me:geheim@db/jass", None, "no kind of store called 'mysql'"),
        ("postgresql://me:geheim@db/jass", "nats://me:12/geheim@host", "a bus is named like"),
        (None, "nats://me:geheim@host", "give --store postgresql://"),
        ("/srv/jass", "nats://me:geheim@host", "give --store postgresql://"),
    ],
)
def test_an_invalid_store_or_bus_is_a_usage_error_before_anything_is_printed(
    store: str | None, bus: str | None, said: str
) -> None:
    chosen = {"JASSTISCH_STORE": store, "JASSTISCH_BUS": bus}
    variables = {name: text for name, text in chosen.items() if text is not None}
    with patch.dict(os.environ, variables, clear=True):
        status, printed, errors = run_cli(["serve", "--print-config"], scripted_answers())
    assert (status, printed, errors.count("\n")) == (2, "", 1)
    assert said in errors
    assert errors.startswith(f"jasstisch: {', '.join(variables)}: ")
    assert "heim" not in errors


def test_addresses_without_secrets_are_printed_in_full() -> None:
    for link in ("postgresql://me@db:5432/jass", "sqlite:/srv/my jass", "/srv/jass"):
        assert SecretUrl().to_toml(link) == link


def test_printed_settings_name_their_source(file: Path) -> None:
    file.write_text("thinkers = 3\n")
    printed = dump_toml(read("--config", str(file), "--port", "9", "--greeting", "Grüezi"))
    assert "port = 9  # --port\n" in printed
    assert f"thinkers = 3  # {file}\n" in printed
    assert 'host = "127.0.0.1"  # default\n' in printed
    assert printed.endswith('en = "Grüezi"\n')
    assert tomllib.loads(printed)["greeting"]["it"] == "Grüezi"
