"""The error of verifiable deals."""


class FairError(ValueError):
    """The deals of a match violate the protocol, or an operation is not allowed in it now.

    Attributes:
        pack: number of the wrong pack, from 1; 0 for an error of the whole match.
        text: the error message without the number.
    """

    def __init__(self, pack: int, text: str) -> None:
        super().__init__(pack, text)
        self.pack = pack
        self.text = text

    def __str__(self) -> str:
        return f"pack {self.pack}: {self.text}" if self.pack else self.text
