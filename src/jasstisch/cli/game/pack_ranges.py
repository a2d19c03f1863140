"""Numbers of packs as text."""

from collections.abc import Iterable


def pack_ranges(packs: Iterable[int]) -> str:
    """Writes ascending numbers of packs as text, such as `1–3, 5`."""
    ranges: list[tuple[int, int]] = []
    for pack in packs:
        if ranges and ranges[-1][1] == pack - 1:
            ranges[-1] = ranges[-1][0], pack
        else:
            ranges.append((pack, pack))
    return ", ".join(str(first) if first == last else f"{first}–{last}" for first, last in ranges)
