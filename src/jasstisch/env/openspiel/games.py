"""A game as a game of OpenSpiel, with its options as parameters."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import pyspiel

from jasstisch.engine.errors import GameError
from jasstisch.env.matches.encoded_match import MATCH, ROUND, EncodedMatch
from jasstisch.env.matches.encoding import encoding_for
from jasstisch.env.openspiel.bounds import episode_bounds
from jasstisch.env.openspiel.observers import MatchObserver
from jasstisch.env.openspiel.parameters import (
    Parameter,
    default_parameters,
    episode_from_parameters,
    game_from_parameters,
)
from jasstisch.env.openspiel.perfect_recall import is_round_in_tensor
from jasstisch.env.openspiel.states import MatchState
from jasstisch.games.options import Choice, Whole
from jasstisch.games.rules import REGISTRY, Game

_PREFIX = "jasstisch_"


def register() -> None:
    """Registers the games with `pyspiel.load_game`, as `jasstisch_molotow` and so on.

    Games already registered are unchanged. Games of other packages without an encoding are left
    out.
    """
    known = {one.short_name for one in pyspiel.registered_games()}
    for name in REGISTRY:
        made = _make_game_class(name)
        if made is not None and made.game_type.short_name not in known:
            pyspiel.register_game(made.game_type, made)


def _load_from_text(text: str) -> "MatchGame":
    """Loads the game of a text such as `str(game)`, which this process need not have registered."""
    register()
    game: MatchGame = pyspiel.load_game(text)
    return game


def _openspiel_name(game: str) -> str:
    """The OpenSpiel name of a game: Python identifiers and OpenSpiel names have no hyphens."""
    return _PREFIX + game.replace("-", "_")


def _make_game_class(game: str) -> type["MatchGame"] | None:
    """The class that OpenSpiel instantiates for a game; None if the game has no encoding.

    It must be a class: OpenSpiel releases it after the Python interpreter has shut down, when no
    Python code may run. A class refers to itself and is therefore not freed by that.
    """
    try:
        encoding_for(Game(game, {}))
    except GameError:
        return None

    class Loaded(MatchGame):
        name = game
        game_type = _make_game_type(game)

    return Loaded


def _make_game_type(game: str, episode: str = MATCH, *, recall_tensor: bool = False) -> Any:  # noqa: ANN401 - OpenSpiel has no types
    """The static description of a game.

    OpenSpiel needs it before loading the game, for the default parameters. Rewards are paid after
    each round, and the game is of general sum: gains of one player need not be losses of others.

    Args:
        game: the name of the game.
        episode: what an episode is.
        recall_tensor: whether there is a tensor with perfect recall.
    """
    models = pyspiel.GameType.RewardModel
    options = REGISTRY[game].options
    fewest, most = _player_range(game)
    return pyspiel.GameType(
        short_name=_openspiel_name(game),
        long_name=f"{game} (Jasstisch)",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=models.TERMINAL if episode == ROUND else models.REWARDS,
        max_num_players=most,
        min_num_players=fewest,
        provides_information_state_string=True,
        provides_information_state_tensor=recall_tensor,
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
    """A game of OpenSpiel with its options; each game is a class of its own.

    Args:
        parameters: the given options, as passed by `pyspiel.load_game`.

    Attributes:
        name: the name of the game.
        game_type: the static description for OpenSpiel, with the default parameters.
        kind: the game with its options and encoders.
        episode: what an episode is, `"match"` or `"round"`.
        bounds: the bounds of an episode.

    Raises:
        GameError: a value that is not allowed.
    """

    name: ClassVar[str]
    game_type: ClassVar[Any]

    def __init__(self, parameters: Mapping[str, Parameter] | None = None) -> None:
        self.kind = encoding_for(game_from_parameters(self.name, parameters or {}))
        self.episode = episode_from_parameters(parameters or {})
        self.bounds = episode_bounds(self.kind.game, self.episode)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.kind.action_encoder.count,
            max_chance_outcomes=len(self.kind.game.rules.deck.texts),
            num_players=self.kind.game.players,
            min_utility=float(self.bounds.min_utility),
            max_utility=float(self.bounds.max_utility),
            max_game_length=self.bounds.max_actions,
        )
        self._has_recall_tensor = self.episode == ROUND and is_round_in_tensor(self.kind.game)
        described = _make_game_type(self.name, self.episode, recall_tensor=self._has_recall_tensor)
        super().__init__(described, info, dict(parameters or {}))

    def __reduce__(self) -> tuple[Callable[[str], "MatchGame"], tuple[str]]:
        """Pickles the game as its name and parameters."""
        return _load_from_text, (str(self),)

    def new_initial_state(self) -> MatchState:
        """An episode before its first pack."""
        return MatchState(self, EncodedMatch(self.kind, self.episode))

    def max_chance_nodes_in_history(self) -> int:
        """The maximum number of cards that chance deals in an episode."""
        return self.bounds.max_cards_dealt

    def make_py_observer(
        self,
        iig_obs_type: Any = None,  # noqa: ANN401 - OpenSpiel has no types
        params: Mapping[str, Any] | None = None,
    ) -> MatchObserver:
        """Makes an observer of a player's information."""
        return MatchObserver(
            self.kind.observation_encoder.parts,
            iig_obs_type,
            params,
            has_recall_tensor=self._has_recall_tensor,
        )
