"""Compiled kernels for search in games with hidden information.

The kernels compile the rule functions of `jasstisch.engine` and `jasstisch.games` with Numba and
work on integers and arrays only. This package decides how a round is represented as an array
(`rounds`), how hidden hands are sampled (`sampling`), how playouts choose cards (`nets`), how a
finished round is valued (`utility`), and how cards are compared (`flat_monte_carlo`, `endgame`).

It does not decide which action a bot plays or how much it may search: that is done in
`jasstisch.bots.searching`. It knows no views, texts or bots, and it has no rules of its own except
the array forms of `jasstisch.games` that it must mirror.

Begin with `rounds.round_state`, then `flat_monte_carlo`; `jit` explains the compilation.
"""

from jasstisch.extras import require

require("search", "searching")
