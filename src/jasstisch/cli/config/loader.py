"""The effective settings of a server: flag before variable before file before default.

A settings file is TOML; its keys are the names in `cli.config.settings`. An error names the source
of the value and what is allowed. An unknown key is refused: a limit that is not in force because of
a typing error would be noticed too late.
"""

import json
import tomllib
from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from jasstisch.cli.config.settings import SECTIONS, SETTINGS, Setting
from jasstisch.cli.config.value_types import Bool
from jasstisch.cli.errors import CommandError, UsageError
from jasstisch.engine.errors import shorten

CONFIG_VARIABLE = "JASSTISCH_CONFIG"
"""The environment variable that names the settings file."""

_ENV_PREFIX = "JASSTISCH_"

_OTHER_VARIABLES = ("JASSTISCH_CACHE",)
"""Variables with the same prefix that are not settings: the cache of compiled code (`search`)."""

_MAX_FILE_BYTES = 64 * 1024
"""Maximum size of a settings file in bytes."""


@dataclass(frozen=True, slots=True)
class EffectiveSettings:
    """The effective settings and their sources.

    Attributes:
        values: the value of every setting.
        sources: the source of each value that is not a default: a flag, a variable, a file.
        unknown_variables: environment variables that look like settings and are not.
    """

    values: Mapping[str, Any]
    sources: Mapping[str, str]
    unknown_variables: tuple[str, ...] = ()


def add_flags(parser: ArgumentParser) -> None:
    """Adds a flag for each setting, by section; a flag that is not given is None."""
    for heading, some in SECTIONS.items():
        group = parser.add_argument_group(heading)
        for setting in some:
            text = f"{setting.help_text} (default: {setting.default_text}) [{setting.env_variable}]"
            if isinstance(setting.value_type, Bool):
                group.add_argument(
                    setting.flag, action=BooleanOptionalAction, default=None, help=text
                )
            else:
                words = None if setting.value_type.separator is None else "+"
                form = setting.value_type.metavar
                group.add_argument(setting.flag, metavar=form, help=text, nargs=words)


def load_settings(
    given: Namespace, file: str | None, environment: Mapping[str, str]
) -> EffectiveSettings:
    """Returns the effective settings from flags, settings file and environment.

    Raises:
        UsageError: a value or a key is not allowed; the message names its source.
        CommandError: the file cannot be read.
    """
    name = file or environment.get(CONFIG_VARIABLE)
    values: dict[str, Any] = {one.name: one.default for one in SETTINGS.values()}
    sources: dict[str, str] = {}
    places = [
        _from_file(Path(name)) if name else {},
        _from_environment(environment),
        _from_flags(given),
    ]
    for place in places:
        for key, (value, source) in place.items():
            values[key], sources[key] = value, source
    known = {CONFIG_VARIABLE, *_OTHER_VARIABLES, *(one.env_variable for one in SETTINGS.values())}
    unknown = sorted(one for one in environment if one.startswith(_ENV_PREFIX) and one not in known)
    return EffectiveSettings(values, sources, tuple(unknown))


_SourcedValues = dict[str, tuple[object, str]]
"""Values by the names of their settings, each with its source."""


def _from_flags(given: Namespace) -> _SourcedValues:
    found: _SourcedValues = {}
    for setting in SETTINGS.values():
        words = getattr(given, setting.name)
        if isinstance(words, list):
            words = (setting.value_type.separator or " ").join(words)
        if isinstance(words, str):
            found[setting.name] = _parse_value(setting, words, setting.flag), setting.flag
        elif words is not None:
            found[setting.name] = words, setting.flag
    return found


def _from_environment(environment: Mapping[str, str]) -> _SourcedValues:
    return {
        setting.name: (_parse_value(setting, text, setting.env_variable), setting.env_variable)
        for setting in SETTINGS.values()
        # Many tools write an unset value as an empty variable.
        if (text := environment.get(setting.env_variable))
    }


def _parse_value(setting: Setting, text: str, source: str) -> object:
    try:
        return setting.value_type.parse(text)
    except ValueError as error:
        raise UsageError(f"{source}: {error}; see jasstisch serve --help") from error


def _from_file(file: Path) -> _SourcedValues:
    found: _SourcedValues = {}
    for key, value in _parse_toml(file).items():
        if key not in SETTINGS:
            raise UsageError(f"{file}: {shorten(key)!r} is not a setting{_suggestion(key)}")
        try:
            found[key] = SETTINGS[key].value_type.from_toml(value), str(file)
        except ValueError as error:
            raise UsageError(f"{file}: {key}: {error}") from error
    return found


def _parse_toml(file: Path) -> dict[str, Any]:
    """Returns the keys of a settings file."""
    try:
        with file.open("rb") as opened:
            data = opened.read(_MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise CommandError(f"cannot read the settings in {file}: {reason}") from error
    if len(data) > _MAX_FILE_BYTES:
        raise UsageError(f"{file}: a settings file has at most {_MAX_FILE_BYTES // 1024} KiB")
    try:
        return tomllib.loads(data.decode())
    except RecursionError:
        raise UsageError(f"{file}: nested too deeply; settings are plain keys") from None
    except ValueError as error:  # not UTF-8, not TOML, or a number of thousands of digits
        raise UsageError(f"{file}: not valid TOML: {shorten(str(error), 200)}") from error


def _suggestion(key: str) -> str:
    """Returns similar settings, or the list of all."""
    near = get_close_matches(key.replace("-", "_"), SETTINGS, 3)
    if near:
        return f"; similar: {', '.join(near)}"
    return f"; the settings are {', '.join(SETTINGS)}"


def dump_toml(choices: EffectiveSettings) -> str:
    """Returns the effective settings as a TOML file, with their sources and without secrets."""
    return "\n".join(_toml_lines(choices)) + "\n"


def _toml_lines(choices: EffectiveSettings) -> Iterator[str]:
    tables: list[str] = []
    for number, (heading, some) in enumerate(SECTIONS.items()):
        yield from [f"# {heading}"] if not number else ["", f"# {heading}"]
        for setting in some:
            value = choices.values[setting.name]
            written = None if value is None else setting.value_type.to_toml(value)
            source = choices.sources.get(setting.name, "default")
            if written is None:
                yield f"# {setting.name}: {setting.default_text}"
            elif isinstance(written, Mapping):
                tables += ["", f"[{setting.name}]  # {_toml_comment(source)}"]
                tables += [f"{key} = {_toml_value(text)}" for key, text in written.items()]
            else:
                yield f"{setting.name} = {_toml_value(written)}  # {_toml_comment(source)}"
    # A TOML table includes all keys below it, so tables come last.
    yield from tables


def _toml_value(value: object) -> str:
    """Formats a string, number, boolean or list of them as TOML."""
    # JSON escapes are valid TOML, except for lone surrogates, which no value contains.
    return json.dumps(value, ensure_ascii=False)


def _toml_comment(text: str) -> str:
    """Returns a text that cannot end the comment line."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)
