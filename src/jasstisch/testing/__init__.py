"""The conformance tests for games: they play a game at random and report violations to its author.

`check_game` asserts the properties of every game, whatever its rules: views leak nothing, records
replay, action texts round-trip, refusals change nothing, a match can be stored and resumed at every
step, and it ends. It does not check whether the rules themselves are right. It uses only the public
names of `jasstisch.Match` and the standard library, so that other packages can use it in their
tests. Begin with `runner`.

    from jasstisch.testing import check_game

    def test_ramsch_is_a_game() -> None:
        check_game(jt.game("ramsch"))
"""

from jasstisch.testing.conformance_run import ConformanceError, Report
from jasstisch.testing.runner import check_game

__all__ = ["ConformanceError", "Report", "check_game"]
