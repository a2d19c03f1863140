"""Labels of actions in languages other than English, in which actions are written."""

from rich.text import Text

from jasstisch.cli.ui.card_style import CardStyle
from jasstisch.cli.ui.translator import ENGLISH

__all__ = ["action_label"]


def action_label(game: str, action: str, faces: CardStyle) -> Text:
    """Returns what can be typed for an action: its own words in English, else its label."""
    speech = faces.translator
    said = None if speech == ENGLISH else speech.game_texts(game).action_label(action)
    return Text().join(faces.render_part(*piece) for piece in said) if said else Text(action)
