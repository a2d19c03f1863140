"""Type guards for views: which features a view has, by the keys that its game declares.

A view is not tested for single keys. It is narrowed to the view type of a known game that declares
the feature. A new game that declares the same keys is shown in the same way; a game that declares
none of them is shown generically.
"""

from collections.abc import Sequence
from typing import TypeGuard

from jasstisch.bots import View
from jasstisch.games.differenzler import DifferenzlerView
from jasstisch.games.handjass import HandjassView
from jasstisch.games.i_doubt_it import IDoubtItView
from jasstisch.games.molotov import MolotovView
from jasstisch.games.molotow import MolotowView
from jasstisch.games.views import declares_keys
from jasstisch.games.weis import Meld, WeisView


def has_claims(view: View) -> TypeGuard[IDoubtItView]:
    """Returns whether cards are laid under a claim that the others answer (ID2, ID3)."""
    return declares_keys(view, IDoubtItView)


def has_bids(view: View) -> TypeGuard[DifferenzlerView]:
    """Returns whether players bid points, with the public bids and who has bid."""
    return declares_keys(view, DifferenzlerView)


def has_drop_out(view: View) -> TypeGuard[HandjassView]:
    """Returns whether players say before the play if they stay, and may announce Weis."""
    return declares_keys(view, HandjassView)


def has_molotovs(view: View) -> TypeGuard[MolotovView]:
    """Returns whether runs in a trick score for its winner (MV4)."""
    return declares_keys(view, MolotovView)


def has_tie_draws(view: View) -> TypeGuard[MolotowView]:
    """Returns whether there are sticks and potatoes, with draws among three who tie (MW8, MW9)."""
    return declares_keys(view, MolotowView)


def turned_card(view: View) -> str | None:
    """Returns the card turned up for trump (DF2, JS3); None if trump is chosen otherwise."""
    return view["shown"] if has_bids(view) or has_drop_out(view) else None


def announceable_melds(view: View) -> Sequence[Meld]:
    """Returns the Weis that the reader may still announce, best first (JS7, SC3)."""
    return view["melds"] if declares_keys(view, WeisView) else ()


def playing_seats(view: View, place: int | None = None) -> Sequence[int]:
    """Returns the active seats of the round in progress, or of the finished one at an index."""
    if not has_drop_out(view):
        return range(len(view["players"]))
    return view["playing"] if place is None else view["rounds"][place]["playing"]
