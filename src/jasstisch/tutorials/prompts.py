"""Prompts: short hints on the learner's turn when no trigger of the tutorial fires.

The suggested action is shown beside the prompt, so a prompt only names the kind of decision.
"""

from jasstisch.tutorials.match_step import MatchStep

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


def prompt_name(step: MatchStep) -> str:
    """The name of the prompt for the learner's turn."""
    phase = step.view["phase"]
    if phase == "play":
        return _card_prompt(step)
    if phase == "answer":
        return "doubt" if "doubt" in step.legal else "stay"
    return {"announce": "announce", "bid": "bid", "lay": "lay"}[phase]


def _card_prompt(step: MatchStep) -> str:
    playable = set(step.playable)
    if step.led_suit is None:
        return "lead" if len(playable) > 1 else "only"
    if len(playable) == 1:
        return "only"
    suits = {card[1] for card in playable}
    if step.led_suit not in suits:
        return "free"
    if step.led_suit == step.trump:
        return "follow_trump" if suits == {step.led_suit} else "free"
    return "follow" if suits == {step.led_suit} else "follow_or_trump"
