"""The files for hosts fit the program, each other and the page that tells of them.

What only other programs can tell (`systemd-analyze verify`, `caddy validate`, `nginx -t`) is not
asked here, for few machines have them; what is held is what a change of ours could break.
"""

import configparser
import importlib
import re
import shlex
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from jasstisch.cli.commands import admin
from jasstisch.cli.commands.serve import parser
from jasstisch.cli.config.loader import _OTHER_VARIABLES, EffectiveSettings, load_settings
from jasstisch.cli.config.settings import SETTINGS
from jasstisch.server.http.health import HEALTH_PATHS
from jasstisch.server.ws.uvicorn_protocols.protocol_config import SHUTDOWN_TIMEOUT_S
from tests.cli.screen_player import run_cli, scripted_answers

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
FILES = sorted(file.name for file in DEPLOY.iterdir() if not file.name.startswith("."))
VARIABLES = {*_OTHER_VARIABLES, *(one.env_variable for one in SETTINGS.values())}


def text(name: str) -> str:
    return (DEPLOY / name).read_text(encoding="utf-8")


PAGE = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")


def chosen(*words: str, environment: Mapping[str, str] | None = None) -> EffectiveSettings:
    arguments = parser().parse(words)
    return load_settings(arguments, arguments.config, environment or {})


# The unit


@pytest.fixture(scope="module")
def unit() -> configparser.ConfigParser:
    """The unit; none of its keys stands twice."""
    read = configparser.ConfigParser(delimiters="=", interpolation=None)
    read.optionxform = str  # type: ignore[assignment,method-assign]
    read.read_string(text("jasstisch.service"))
    return read


def test_the_unit_starts_the_program_with_the_settings_that_the_page_installs(
    unit: configparser.ConfigParser,
) -> None:
    program, command, *words = shlex.split(unit["Service"]["ExecStart"])
    assert command == "serve"
    config = parser().parse(words).config
    assert f"install -D -g jasstisch -m 640 deploy/jasstisch.toml {config}\n" in PAGE
    assert f"ln -sfn jasstisch-1 {program.removesuffix('/bin/jasstisch')}\n" in PAGE
    home = f"/var/lib/{unit['Service']['StateDirectory']}"
    user = unit["Service"]["User"]
    assert f"adduser --system --group --home {home} --no-create-home {user}\n" in PAGE


def test_the_folders_of_the_unit_are_those_of_the_settings(
    unit: configparser.ConfigParser,
) -> None:
    service = unit["Service"]
    assert tomllib.loads(text("jasstisch.toml"))["data"] == f"/var/lib/{service['StateDirectory']}"
    assert service["Environment"].split() == [
        f"JASSTISCH_CACHE=/var/cache/{service['CacheDirectory']}",
        f"SQLITE_TMPDIR=/var/lib/{service['StateDirectory']}",
    ]
    assert f'admin = "/run/{service["RuntimeDirectory"]}/admin.sock"' in text("jasstisch.toml")


def test_the_unit_has_rights_to_nothing_but_what_the_server_needs(
    unit: configparser.ConfigParser,
) -> None:
    service = unit["Service"]
    assert service["ProtectSystem"] == "strict"
    assert service["CapabilityBoundingSet"] == ""
    for word in ("NoNewPrivileges", "ProtectHome", "PrivateTmp", "PrivateDevices"):
        assert service[word] == "yes"
    # With it no compiled player could run.
    assert "MemoryDenyWriteExecute" not in service
    assert "AF_UNIX" in service["RestrictAddressFamilies"]  # `jasstisch admin`
    assert int(service["TimeoutStopSec"].removesuffix("s")) > SHUTDOWN_TIMEOUT_S


def test_the_unit_does_not_try_wrong_settings_again(
    unit: configparser.ConfigParser, tmp_path: Path
) -> None:
    (tmp_path / "wrong.toml").write_text("prot = 8000\n", encoding="utf-8")
    status, _, _ = run_cli(["serve", "--config", str(tmp_path / "wrong.toml")], scripted_answers())
    assert unit["Service"]["RestartPreventExitStatus"] == str(status)


# The settings


def test_the_example_of_settings_is_allowed() -> None:
    assert chosen("--config", str(DEPLOY / "jasstisch.toml")).values["public_url"]


def test_what_the_example_of_settings_only_names_is_allowed_as_well(tmp_path: Path) -> None:
    kept = [line for line in text("jasstisch.toml").splitlines() if not line.startswith("data =")]
    named = re.findall(r"^#   (\w+ = .*)$", "\n".join(kept), re.MULTILINE)
    keys = {line.split(" = ")[0] for line in named}
    assert {"host", "trusted_proxy", "store", "bus", "admin", "metrics"} <= keys
    rest = [line for line in kept if line.split(" = ")[0] not in keys]
    (tmp_path / "all.toml").write_text("\n".join([*rest, *named]), encoding="utf-8")
    assert chosen("--config", str(tmp_path / "all.toml")).values["bus"].startswith("nats://")


# The image


def stages() -> list[str]:
    """The stages of the Dockerfile, without comments, each instruction in one line."""
    bare = re.sub(r"^#.*\n", "", text("Dockerfile"), flags=re.MULTILINE).replace("\\\n", " ")
    return re.split(r"^(?=FROM )", bare, flags=re.MULTILINE)[1:]


def test_the_image_runs_without_rights_and_holds_no_password() -> None:
    last = stages()[-1]
    assert re.findall(r"^USER (.+)$", last, re.MULTILINE) == ["10001"]
    assert not re.search(r"password|secret|token", "".join(stages()), re.IGNORECASE)
    # No build argument: its value would stand in the history of the image.
    assert not re.search(r"^ARG ", text("Dockerfile"), re.MULTILINE)
    ignored = text("Dockerfile.dockerignore").splitlines()
    assert {"**/.env", ".git", "**/*.sqlite3*", "data"} <= set(ignored)


def test_the_image_is_made_of_locked_packages() -> None:
    locks = re.findall(r"--requirement (\S+)", "".join(stages()))
    assert locks == ["requirements/serve.txt"]
    installs = re.findall(r"pip install ([^&\n]+)", "".join(stages()))
    for words in installs:
        assert "--require-hashes" in words or "/wheels/" in words, words


def test_the_image_starts_a_server_and_asks_for_its_health() -> None:
    last = stages()[-1]
    found = re.search(r"^ENV (.+)$", last, re.MULTILINE)
    assert found is not None
    environment = dict(pair.split("=", 1) for pair in found[1].split())
    assert {one for one in environment if one.startswith("JASSTISCH_")} <= VARIABLES
    values = chosen(environment=environment).values
    # A place that is chosen already would forbid a host to choose the other.
    assert (values["host"], values["data"], values["store"]) == ("0.0.0.0", None, None)
    asked = re.search(r"http://127\.0\.0\.1:(\d+)(/\w+)", last)
    assert asked is not None
    assert (int(asked[1]), asked[2]) == (values["port"], "/health")
    volumes = re.search(r"^VOLUME (.+)$", last, re.MULTILINE)
    assert volumes is not None
    assert environment["JASSTISCH_CACHE"] in volumes[1]
    assert environment["SQLITE_TMPDIR"] in volumes[1]
    assert f"{environment['XDG_DATA_HOME']}/jasstisch" in volumes[1]


# Several servers in containers


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load(text("compose.yaml"))
    return read


def nodes(compose: dict[str, Any]) -> dict[str, Any]:
    return {name: one for name, one in compose["services"].items() if "build" in one}


def test_the_servers_of_the_composition_share_a_store_and_a_bus(compose: dict[str, Any]) -> None:
    assert len(nodes(compose)) == 2
    for name, one in nodes(compose).items():
        assert one["hostname"] == name
        assert (DEPLOY / one["build"]["context"] / one["build"]["dockerfile"]).is_file()
        filled = {
            key: re.sub(r"\$\{\w+[^}]*\}", "x", value) for key, value in one["environment"].items()
        }
        assert set(filled) <= VARIABLES
        values = chosen(environment=filled).values
        assert values["store"].split("@")[1].split(":")[0] in compose["services"]
        assert values["bus"].split("@")[1].split(":")[0] in compose["services"]
        assert any(values["admin"].startswith(place.split(":")[0]) for place in one["tmpfs"][1:])


def test_the_servers_of_the_composition_believe_its_proxy_alone(compose: dict[str, Any]) -> None:
    caddy = compose["services"]["caddy"]
    address = caddy["networks"]["inside"]["ipv4_address"]
    for one in nodes(compose).values():
        assert one["environment"]["JASSTISCH_TRUSTED_PROXY"] == address
        assert "ports" not in one
    assert caddy["environment"]["JASS_SERVERS"].split() == [f"{one}:8000" for one in nodes(compose)]
    assert [name for name, one in compose["services"].items() if "ports" in one] == ["caddy"]


def test_the_servers_of_the_composition_are_up_once_they_can_serve(
    compose: dict[str, Any],
) -> None:
    for one in nodes(compose).values():
        asked = re.search(r"http://127\.0\.0\.1:(\d+)(/\w+)", one["healthcheck"]["test"][-1])
        assert asked is not None
        assert one["environment"]["JASSTISCH_METRICS"] == f"0.0.0.0:{asked[1]}"
        assert asked[2] == "/ready"


def test_the_composition_holds_no_password_and_keeps_what_must_stay(
    compose: dict[str, Any],
) -> None:
    for word in re.findall(r"""(?:PASSWORD: (?:'")?|://jass:)(.{2})""", text("compose.yaml")):
        assert word == "${"
    # Whoever lists what runs must not read it either.
    assert not any("PASSWORD" in str(one.get("command")) for one in compose["services"].values())
    assert re.findall(r"password: (.+)", text("nats.conf")) == ["$NATS_PASSWORD"]
    assert compose["services"]["nats"]["environment"] == {"NATS_PASSWORD": '"${NATS_PASSWORD}"'}
    assert "POSTGRES_PASSWORD=$(" in PAGE
    mounted = {
        place.split(":")[0]
        for one in compose["services"].values()
        for place in one.get("volumes", [])
        if not place.startswith(".")
    }
    assert mounted == set(compose["volumes"])


def test_git_does_not_take_up_the_passwords() -> None:
    assert "deploy/.env" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()


# The proxies


def test_both_proxies_hand_on_what_the_page_asks_for() -> None:
    section = PAGE.split("## TLS")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    wanted = {name for row in rows for name in re.findall(r"`([\w-]+)`", row)}
    assert {"Upgrade", "Host", "X-Forwarded-For", "X-Request-Id"} <= wanted
    set_by_nginx = dict(re.findall(r"proxy_set_header (\S+) (\S+);", text("nginx.conf")))
    assert set(set_by_nginx) == wanted
    # Caddy hands on all the others by itself.
    assert "header_up X-Request-Id {http.request.uuid}" in text("Caddyfile")


def test_caddy_asks_under_the_public_name_whether_a_server_is_ready() -> None:
    asked = re.search(r"health_uri (\S+)", text("Caddyfile"))
    assert asked is not None
    assert asked[1] == "/ready"
    assert asked[1] in HEALTH_PATHS
    name = re.search(r"^(\{\$JASS_NAME:\S+\}) \{", text("Caddyfile"), re.MULTILINE)
    assert name is not None
    assert f"Host {name[1]}\n" in text("Caddyfile")


def test_proxies_compress_nothing_themselves() -> None:
    assert re.search(r"^        gzip off;$", text("nginx.conf"), re.MULTILINE)
    assert not re.search(r"^\s*encode\b", text("Caddyfile"), re.MULTILINE)


def test_nginx_leaves_no_server_out_for_what_only_a_request_that_ends_would_mend() -> None:
    servers = re.findall(r"^    (?:# )?server (\S+) (.*);$", text("nginx.conf"), re.MULTILINE)
    assert [address for address, _ in servers] == ["127.0.0.1:8000", "127.0.0.1:8001"]
    assert {words for _, words in servers} == {"max_fails=0"}
    # All workers count together who has the fewest.
    assert "    zone jasstisch_servers " in text("nginx.conf")


# The page


def test_the_page_names_every_file_and_every_file_names_its_place_on_the_page() -> None:
    linked = set(re.findall(r"\]\(\.\./deploy/([\w.]+)\)", PAGE))
    assert linked == set(FILES) - {"Dockerfile.dockerignore"}
    headings = set(re.findall(r"^## (.+)$", PAGE, re.MULTILINE))
    for name in FILES:
        for heading in re.findall(r"docs/hosting\.md, ([^.\n]+)\.", text(name)):
            assert heading in headings, name
    for anchor in re.findall(r"\]\(#([\w-]+)\)", PAGE):
        assert anchor in {one.lower().replace(",", "").replace(" ", "-") for one in headings}


def commands() -> list[list[str]]:
    """Each call of the program that the page shows, from its first word on."""
    shown = re.findall(r"^    (.+)$", PAGE.replace("\\\n", ""), re.MULTILINE)
    user = r"(?:sudo -u jasstisch (?:--preserve-env=\w+ +)?)?"
    calls = [re.search(rf"^{user}jasstisch ([a-z]+ .*)$", line) for line in shown]
    return [shlex.split(call[1]) for call in calls if call is not None]


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_every_command_on_the_page_is_one(words: list[str]) -> None:
    command, *rest = words
    if command == "admin":
        assert rest[0] in admin.SUBCOMMANDS
        admin.parser(rest[0]).parse(rest[1:])
        return
    importlib.import_module(f"jasstisch.cli.commands.{command}").parser().parse(rest)


def test_the_page_shows_the_commands_of_a_host() -> None:
    assert {words[0] for words in commands()} >= {"serve", "backup", "restore", "check", "move"}
