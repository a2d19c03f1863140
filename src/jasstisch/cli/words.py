"""What actions are called where another language is spoken than the one they are written in."""

from rich.text import Text

from jasstisch.cli.faces import Faces
from jasstisch.cli.speech import ENGLISH

__all__ = ["action_called"]


def action_called(game: str, action: str, faces: Faces) -> Text:
    """What may be typed for an action: its own words in English, else what it is called."""
    speech = faces.speech
    said = None if speech == ENGLISH else speech.words(game).action(action)
    return Text().join(faces.piece(*piece) for piece in said) if said else Text(action)
