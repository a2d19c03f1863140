"""What to do next, where no moment of the guide has come: said whenever it is the learner's turn.

The suggested action stands beside it, so a prompt only says what kind of choice there is.
"""

from jasstisch.guides.scene import Scene

__all__ = ["PROMPTS", "prompt"]

PROMPTS = (
    "lead",
    "only",
    "follow",
    "follow_trump",
    "follow_or_trump",
    "free",
    "bid",
    "stay",
    "announce",
    "lay",
    "doubt",
)
"""The names of all prompts."""


def prompt(scene: Scene) -> str:
    """The name of the prompt for the learner's turn."""
    phase = scene.view["phase"]
    if phase == "play":
        return _card(scene)
    if phase == "answer":
        return "doubt" if "doubt" in scene.legal else "stay"
    return {"announce": "announce", "bid": "bid", "lay": "lay"}[phase]


def _card(scene: Scene) -> str:
    playable = set(scene.playable)
    if scene.led is None:
        return "lead" if len(playable) > 1 else "only"
    if len(playable) == 1:
        return "only"
    suits = {card[1] for card in playable}
    if scene.led not in suits:
        return "free"
    if scene.led == scene.trump:
        return "follow_trump" if suits == {scene.led} else "free"
    return "follow" if suits == {scene.led} else "follow_or_trump"
