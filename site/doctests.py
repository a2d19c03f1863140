"""Has the reference show doctests in docstrings as code: Markdown takes `>>>` for a quotation."""

import griffe


class Doctests(griffe.Extension):  # type: ignore[misc]
    """Puts doctests between fences before a docstring is read."""

    def on_object(self, *, obj: griffe.Object, **_: object) -> None:
        """Griffe has found something in the sources."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """The same text with each doctest between fences."""
    lines: list[str] = []
    inside = False
    for line in text.splitlines():
        begins, ends = line.lstrip().startswith(">>> "), not line.strip()
        if begins and not inside:
            lines.append("```python")
            inside = True
        elif ends and inside:
            lines.append("```")
            inside = False
        lines.append(line)
    return "\n".join([*lines, "```"] if inside else lines)
