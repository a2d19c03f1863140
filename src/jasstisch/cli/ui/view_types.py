"""What a view tells of, by what its game declares of its views.

A view is never asked which keys it has: it is narrowed to the type of a game that is known here,
where its own game declares all that is in it. So a game that declares the same is told of alike,
and one that declares nothing is shown as it is, whatever it calls its own.
"""

from collections.abc import Sequence
from typing import TypeGuard

from jasstisch.bots import View
from jasstisch.games.differenzler import DifferenzlerView
from jasstisch.games.i_doubt_it import IDoubtItView
from jasstisch.games.jass import JassView
from jasstisch.games.molotov import MolotovView
from jasstisch.games.molotow import MolotowView
from jasstisch.games.views import declares_keys
from jasstisch.games.weis import Meld, WeisView

__all__ = [
    "announceable_melds",
    "has_bids",
    "has_bombs",
    "has_claims",
    "has_drop_out",
    "has_tie_draws",
    "playing_seats",
    "turned_card",
]


def has_claims(view: View) -> TypeGuard[IDoubtItView]:
    """Whether cards are laid under a claim that the others answer (ID2, ID3)."""
    return declares_keys(view, IDoubtItView)


def has_bids(view: View) -> TypeGuard[DifferenzlerView]:
    """Whether everybody bids points, of which it is told who has bid and what may be known."""
    return declares_keys(view, DifferenzlerView)


def has_drop_out(view: View) -> TypeGuard[JassView]:
    """Whether everybody says before the play if he stays, and may announce Weis with a card."""
    return declares_keys(view, JassView)


def has_bombs(view: View) -> TypeGuard[MolotovView]:
    """Whether runs in a trick are written to its winner (MV4)."""
    return declares_keys(view, MolotovView)


def has_tie_draws(view: View) -> TypeGuard[MolotowView]:
    """Whether there are sticks and potatoes, and three who are tied draw for them (MW8, MW9)."""
    return declares_keys(view, MolotowView)


def turned_card(view: View) -> str | None:
    """The card turned up for trump (DF2, JS3); None where trump comes about otherwise."""
    return view["shown"] if has_bids(view) or has_drop_out(view) else None


def announceable_melds(view: View) -> Sequence[Meld]:
    """The Weis that the reader may still announce, best first (JS7, SC3)."""
    return view["melds"] if declares_keys(view, WeisView) else ()


def playing_seats(view: View, place: int | None = None) -> Sequence[int]:
    """The seats that play in a round: in the one in progress, or in the finished one at a place."""
    if not has_drop_out(view):
        return range(len(view["players"]))
    return view["playing"] if place is None else view["rounds"][place]["playing"]
