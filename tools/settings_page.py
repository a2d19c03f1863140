"""Generates docs/settings.md from the list of settings that the command line reads."""

from collections.abc import Mapping, Sequence

from jasstisch.cli.config.settings import SECTIONS, Setting

PAGE = "docs/settings.md"

SOURCE = "src/jasstisch/cli/config/settings.py"

PAGE_HEADER = f"""\
<!-- Made by `make docs` from {SOURCE}; change it there. -->

# Server settings

You can set each value in three ways. A flag of `jasstisch serve` overrides an environment
variable, and a variable overrides a key in a TOML file, which `--config FILE` or
`JASSTISCH_CONFIG` names. A flag is the key with hyphens (`public_url`: `--public-url`), and a
variable is the key in capitals (`JASSTISCH_PUBLIC_URL`). An unknown setting or a value that is
not allowed is refused, with the place where it stands.

    # /etc/jasstisch/jasstisch.toml
    public_url = "https://jass.example.org"
    data = "/srv/jass"
    languages = ["de", "fr"]
    keep_finished_days = 730

    [greeting]
    de = "Grüezi! Freitags ab acht sitzen wir auch in der Krone."
    fr = "Bienvenue ! Vendredi dès vingt heures, on est aussi à la Couronne."

`jasstisch serve --print-config` prints the effective settings as such a file, with the origin of
each value and without passwords. Flags and variables that take several values list them
(`--languages de fr`, `JASSTISCH_LANGUAGES="de fr"`). A greeting by language has one language per
word or line (`--greeting "de=Grüezi" "fr=Salut"`). An empty variable counts as not set. Paths are
relative to the folder in which the server is started. Put passwords into a file or environment
that only the server's user can read, not into flags, which everybody on the machine can see.

Kubernetes sets variables of its own for each service. For a service called `jasstisch` it sets a
`JASSTISCH_PORT` that is no port: choose another name, or set `enableServiceLinks: false`.
"""


def page() -> Mapping[str, str]:
    """Returns the page by its path."""
    parts = [f"## {heading}\n\n{_settings_table(some)}" for heading, some in SECTIONS.items()]
    return {PAGE: "\n".join([PAGE_HEADER, *parts])}


def _settings_table(settings: Sequence[Setting]) -> str:
    rows = [
        ["key", "value", "default", "meaning"],
        ["---"] * 4,
        *(
            [f"`{one.name}`", f"`{one.value_type.metavar}`", one.default_text, one.help_text]
            for one in settings
        ),
    ]
    # A vertical bar would end the cell.
    cells = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return "".join(f"| {' | '.join(row)} |\n" for row in cells)
