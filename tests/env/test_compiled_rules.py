"""Every option of a game reaches the batch of rounds, or is listed here with the reason."""

import numpy as np
import pytest

import jasstisch as jt
from jasstisch.env.kernels.compiled_rules import CompiledRules, compile_rules, is_supported
from jasstisch.games.rules import REGISTRY
from jasstisch.testing.runner import _values_to_try

OUTSIDE_A_ROUND = {
    "dealer": "a caller of `Batch.reset` sets the dealer of each round",
    "direction": "seats are numbered in playing order, whichever direction that is",
    "end": "a round is played to its end",
    "five_player_marks": "the reward of a place does not depend on how it is written",
    "rounds": "a batch plays single rounds",
    "target": "a batch plays single rounds",
}
"""The options that do not change a round of a batch, and why."""

SUPPORTED = [name for name, rules in REGISTRY.items() if is_supported(rules)]


def differ(one: CompiledRules, other: CompiledRules) -> bool:
    return not all(np.array_equal(*pair) for pair in zip(one, other, strict=True))


@pytest.mark.parametrize("name", SUPPORTED)
def test_each_value_of_an_option_changes_the_compiled_rules_or_is_exempt(name: str) -> None:
    rules = REGISTRY[name]
    default = jt.game(name)
    compiled = compile_rules(default)
    for option in rules.options:
        for value in _values_to_try(option, default.players):
            game = jt.game(name, **{option.name: value})
            changed = differ(compiled, compile_rules(game))
            expected = option.name not in OUTSIDE_A_ROUND and game.options != default.options
            assert changed == expected, f"{name}: {option.name}={value}"
