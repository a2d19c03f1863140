"""A game as a game of OpenSpiel, with its options as parameters."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import pyspiel

from jasstisch.engine.errors import GameError
from jasstisch.env.matches.encoded_match import EncodedMatch
from jasstisch.env.matches.encoding import encoding_for
from jasstisch.env.openspiel.bounds import match_bounds
from jasstisch.env.openspiel.observers import MatchObserver
from jasstisch.env.openspiel.parameters import Parameter, default_parameters, game_from_parameters
from jasstisch.env.openspiel.states import MatchState
from jasstisch.games.options import Choice, Whole
from jasstisch.games.rules import REGISTRY, Game

__all__ = ["MatchGame", "register"]

PREFIX = "jasstisch_"


def register() -> None:
    """Makes the games known to `pyspiel.load_game`, as `jasstisch_molotow` and so on.

    What is known already stays as it is. Games of other packages are left out where their actions
    have no numbers.
    """
    known = {one.short_name for one in pyspiel.registered_games()}
    for name in REGISTRY:
        made = make_game_class(name)
        if made is not None and made.game_type.short_name not in known:
            pyspiel.register_game(made.game_type, made)


def load_from_text(text: str) -> "MatchGame":
    """The game that a text tells, such as `str(game)`, in a process that may not know it yet."""
    register()
    game: MatchGame = pyspiel.load_game(text)
    return game


def openspiel_name(game: str) -> str:
    """What OpenSpiel calls a game: names of Python and its own have no hyphens."""
    return PREFIX + game.replace("-", "_")


def make_game_class(game: str) -> type["MatchGame"] | None:
    """What makes a game when it is loaded; None where its actions have no numbers.

    A class and no other callable: OpenSpiel lets go of it when Python has ended, and Python must
    have nothing to do then. A class, which refers to itself, is not freed by it.
    """
    try:
        encoding_for(Game(game, {}))
    except GameError:
        return None

    class Loaded(MatchGame):
        name = game
        game_type = make_game_type(game)

    return Loaded


def make_game_type(game: str) -> Any:  # noqa: ANN401 - OpenSpiel has no types
    """What OpenSpiel is told of a game before it is loaded.

    Matches have several rounds, which are paid one by one, and what one wins the others need not
    lose.
    """
    options = REGISTRY[game].options
    fewest, most = _player_range(game)
    return pyspiel.GameType(
        short_name=openspiel_name(game),
        long_name=f"{game} (Jasstisch)",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.REWARDS,
        max_num_players=most,
        min_num_players=fewest,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=default_parameters(options),
    )


def _player_range(game: str) -> tuple[int, int]:
    (option,) = (one for one in REGISTRY[game].options if one.name == "players")
    if isinstance(option, Whole):
        return option.low, option.high
    assert isinstance(option, Choice)
    counts = [one for one in option.values if isinstance(one, int)]
    return min(counts), max(counts)


class MatchGame(pyspiel.Game):
    """One of the games, with options chosen; each game is a class of its own.

    Args:
        parameters: the options that are given, as `pyspiel.load_game` hands them over.

    Attributes:
        name: of the game.
        game_type: what OpenSpiel is told of it before it is loaded.
        kind: the game with its options, its actions and what is seen of it.
        bounds: what no match goes beyond.

    Raises:
        GameError: a value that is not allowed.
    """

    name: ClassVar[str]
    game_type: ClassVar[Any]

    def __init__(self, parameters: Mapping[str, Parameter] | None = None) -> None:
        self.kind = encoding_for(game_from_parameters(self.name, parameters or {}))
        self.bounds = match_bounds(self.kind.game)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.kind.actions.count,
            max_chance_outcomes=len(self.kind.game.rules.deck.texts),
            num_players=self.kind.game.players,
            min_utility=float(-self.bounds.utility),
            max_utility=float(self.bounds.utility),
            max_game_length=self.bounds.actions,
        )
        super().__init__(self.game_type, info, dict(parameters or {}))

    def __reduce__(self) -> tuple[Callable[[str], "MatchGame"], tuple[str]]:
        """Written as its name and parameters."""
        return load_from_text, (str(self),)

    def new_initial_state(self) -> MatchState:
        """A match before its first pack."""
        return MatchState(self, EncodedMatch(self.kind))

    def max_chance_nodes_in_history(self) -> int:
        """The most cards that chance can deal in a match."""
        return self.bounds.cards

    def make_py_observer(
        self,
        iig_obs_type: Any = None,  # noqa: ANN401 - OpenSpiel has no types
        params: Mapping[str, Any] | None = None,
    ) -> MatchObserver:
        """What tells how a player sees a state."""
        return MatchObserver(self.kind.observations.parts, iig_obs_type, params)
