"""The conformance kit: plays a game at random and says what its author has to mend.

`check_game` asserts what every game must hold, whatever its rules: views leak nothing, records
replay, actions parse and print, refusals change nothing, a match can be stored and resumed at every
step, and it ends. It drives the game through the public names of `jasstisch.Match` alone and needs
nothing but Python, so that a package with games of its own can use it in its tests:

    from jasstisch.testing import check_game

    def test_ramsch_is_a_game() -> None:
        check_game(jt.game("ramsch"))
"""

from jasstisch.testing.conformance_run import ConformanceError, Report
from jasstisch.testing.runner import check_game

__all__ = ["ConformanceError", "Report", "check_game"]
