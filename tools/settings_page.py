"""Makes docs/settings.md from the list of settings that the command line reads."""

from collections.abc import Mapping, Sequence

from jasstisch.cli.config.settings import SECTIONS, Setting

__all__ = ["page"]

PAGE = "docs/settings.md"

SOURCE = "src/jasstisch/cli/config/settings.py"

PAGE_HEADER = f"""\
<!-- Made by `make docs` from {SOURCE}; change it there. -->

# Settings of a server

Each can be chosen in three ways, of which the one named first counts: by a flag of `jasstisch
serve`, by a variable of the environment, by a key in a file of TOML that `--config FILE` or
`JASSTISCH_CONFIG` names. A flag is the key with hyphens (`public_url`: `--public-url`), a variable
the key in capitals (`JASSTISCH_PUBLIC_URL`). What is unknown or not allowed is refused with the
place where it stands.

    # /etc/jasstisch/jasstisch.toml
    public_url = "https://jass.example.org"
    data = "/srv/jass"
    languages = ["de", "fr"]
    keep_finished_days = 730

    [greeting]
    de = "Grüezi! Freitags ab acht sitzen wir auch in der Krone."
    fr = "Bienvenue ! Vendredi dès vingt heures, on est aussi à la Couronne."

`jasstisch serve --print-config` prints what holds as such a file, with where each value comes from
and without passwords. Flags and variables that take several values have them one after the other
(`--languages de fr`, `JASSTISCH_LANGUAGES="de fr"`), a greeting by language one to a word or line
(`--greeting "de=Grüezi" "fr=Salut"`). A variable that is there and empty chooses nothing. Paths are
seen from where the server is started. Passwords belong into a file that only the server's user can
read or into its environment, not among flags, which everybody on the machine sees.

Kubernetes sets variables of its own for each service, and for one that is called `jasstisch` a
`JASSTISCH_PORT` that is no port: call it otherwise, or say `enableServiceLinks: false`.
"""


def page() -> Mapping[str, str]:
    """The page, by its path."""
    parts = [f"## {heading}\n\n{_settings_table(some)}" for heading, some in SECTIONS.items()]
    return {PAGE: "\n".join([PAGE_HEADER, *parts])}


def _settings_table(settings: Sequence[Setting]) -> str:
    rows = [
        ["key", "value", "without it", "what it is"],
        ["---"] * 4,
        *(
            [f"`{one.name}`", f"`{one.value_type.metavar}`", one.default_text, one.help_text]
            for one in settings
        ),
    ]
    # A vertical line would end the cell of a table.
    cells = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return "".join(f"| {' | '.join(row)} |\n" for row in cells)
