"""The parts of Jasstisch that need more than is installed with it, and how to get them.

The rules, matches, records, the players that do not search and the table in the terminal run with
few small packages. What needs more belongs to an extra, as in `pip install 'jasstisch[search]'`,
and asks here first, so that whoever lacks it reads which one and not the name of some module.
"""

from importlib.util import find_spec
from typing import Literal

__all__ = ["PACKAGES", "Extra", "MissingExtraError", "require"]

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
"""The packages of each extra, by the names they are imported under."""


class MissingExtraError(ModuleNotFoundError):
    """Something needs an extra that is not installed; the message says how to install it.

    Attributes:
        extra: its name.
    """

    def __init__(self, extra: Extra, what: str, package: str) -> None:
        text = f"{what} needs {package}, which is not installed: pip install 'jasstisch[{extra}]'"
        super().__init__(text, name=package)
        self.extra = extra


def require(extra: Extra, what: str) -> None:
    """Refuses to go on without the packages of an extra.

    Args:
        extra: its name.
        what: what needs it, as the message begins.

    Raises:
        MissingExtraError: one of them is not installed.
    """
    for package in PACKAGES[extra]:
        if not _installed(package):
            raise MissingExtraError(extra, what, package)


def _installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ValueError:  # imported by hand, without a spec
        return True
