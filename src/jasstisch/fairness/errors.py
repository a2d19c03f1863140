"""What is wrong with a deal that does not hold, and with which one."""

__all__ = ["FairError"]


class FairError(ValueError):
    """Something about the deals of a match does not hold or may not be done.

    Attributes:
        pack: number of the pack that is wrong, from 1; 0 for what concerns the whole match.
        text: what is wrong, without the number.
    """

    def __init__(self, pack: int, text: str) -> None:
        super().__init__(pack, text)
        self.pack = pack
        self.text = text

    def __str__(self) -> str:
        return f"pack {self.pack}: {self.text}" if self.pack else self.text
