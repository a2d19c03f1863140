"""Schieber and Coiffeur: which card to play, what to announce, and when to push.

Cards are found as in any game of tricks, for the side and not for the seat. What to announce is
found by playing: every contract that is open is played to the end in the same imagined deals, and
so is a push, for whose partner it is known what he would announce by heart. Weis are announced
whenever there are any: they may bring points, and say to the partner what one holds.
"""

from jasstisch.bots import View
from jasstisch.bots.searching.situation import Situation
from jasstisch.games.contracts import CONTRACTS
from jasstisch.search import contracts, rounds

__all__ = ["Announcing", "weigh", "weigh_by"]

PLACE_OF = {text: place for place, text in enumerate(CONTRACTS)}
"""The number of each contract."""

WEIS_COUNTS = 0.7
"""The part of the points of one's Weis that it brings on average."""


class Side(Situation):
    """What a seat knows at a game of two sides."""

    def first_leader(self, view: View) -> int:
        """Who led the first trick, or will lead it; while a contract is due, forehand."""
        if view["tricks"]:
            return int(view["tricks"][0]["leader"])
        if view["trick"]:
            return int(view["trick"][0][0])
        return int(view["to_act"][0]) if view["contract"] else (int(view["dealer"]) + 1) % 4

    def read_ranking(self, view: View) -> None:
        """The contract, and who announced it."""
        if view["contract"] is not None:
            leader = int(self.opening[rounds.TURN])
            place = PLACE_OF[view["contract"]]
            contracts.begin(self.opening, place, view["by"], int(view["pushed"]), leader)
        else:
            self.opening[rounds.SIDES] = 1
