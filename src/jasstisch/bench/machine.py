"""The machine on which a result was measured."""

import os
import platform
from dataclasses import dataclass
from pathlib import Path

_GIGABYTE = 1 << 30


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine and its Python."""

    processor: str
    cores: int
    memory_gb: int | None
    system: str
    python: str

    def __str__(self) -> str:
        memory = "" if self.memory_gb is None else f", {self.memory_gb} GB"
        return (
            f"{self.processor}, {self.cores} cores{memory}, {self.system}, "
            f"{platform.python_implementation()} {self.python}"
        )


def this_machine() -> Machine:
    """Returns this machine."""
    return Machine(
        processor=_processor(Path("/proc/cpuinfo")),
        cores=os.cpu_count() or 1,
        memory_gb=_memory_gb(),
        system=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
    )


def _processor(listing: Path) -> str:
    """Returns the name of the processor, from /proc/cpuinfo on Linux, else from Python."""
    if listing.is_file():
        for line in listing.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _memory_gb() -> int | None:
    """Returns the memory in gigabytes; None if the system does not say."""
    try:
        return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / _GIGABYTE)
    except (AttributeError, ValueError, OSError):
        return None
