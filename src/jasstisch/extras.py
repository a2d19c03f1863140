"""The check that the packages of an optional extra are installed.

The rules, matches, records, the bots without search and the table in the terminal need only a few
small packages. Other parts need an extra, as in `pip install 'jasstisch[search]'`. They call
`require` first, so that the error names the extra instead of a missing module.
"""

from importlib.util import find_spec
from typing import Literal

Extra = Literal[
    "search", "server", "cluster", "plot", "ray", "pettingzoo", "gymnasium", "openspiel", "render",
    "data", "ladder",
]  # fmt: skip

PACKAGES: dict[Extra, tuple[str, ...]] = {
    "search": ("numba", "numpy"),
    "server": (
        *("h11", "msgspec", "prometheus_client", "starlette", "structlog", "uvicorn", "websockets"),
    ),
    "cluster": ("asyncpg", "cryptography", "nats"),
    "plot": ("matplotlib",),
    "ray": ("ray",),
    "pettingzoo": ("gymnasium", "numba", "numpy", "pettingzoo"),
    "gymnasium": ("gymnasium", "numba", "numpy"),
    "openspiel": ("numba", "numpy", "pyspiel"),
    "render": ("PIL", "numpy", "resvg_py"),
    "data": ("numba", "numpy", "pyarrow"),
    "ladder": ("matplotlib", "openskill"),
}
"""The packages of each extra, by their import names."""


class MissingExtraError(ModuleNotFoundError):
    """A part needs an extra that is not installed; the message says how to install it.

    Attributes:
        extra: the name of the extra.
    """

    def __init__(self, extra: Extra, what: str, package: str) -> None:
        text = f"{what} needs {package}, which is not installed: pip install 'jasstisch[{extra}]'"
        super().__init__(text, name=package)
        self.extra = extra


def require(extra: Extra, what: str) -> None:
    """Checks that the packages of an extra are installed.

    Args:
        extra: the name of the extra.
        what: the part that needs it, which begins the message.

    Raises:
        MissingExtraError: one of the packages is not installed.
    """
    for package in PACKAGES[extra]:
        if not _installed(package):
            raise MissingExtraError(extra, what, package)


def _installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ValueError:  # already imported without a spec
        return True
