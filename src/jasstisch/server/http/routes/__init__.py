"""The REST routes, one module for each subject.

The routes validate and translate requests and call the services; they hold no state and no rules of
their own. Begin with `site`, the shortest, or with `join_codes`, which has a POST.
"""

from jasstisch.server.http.routes.analysis import analysis_routes
from jasstisch.server.http.routes.games import game_routes
from jasstisch.server.http.routes.identity import identity_routes
from jasstisch.server.http.routes.join_codes import join_code_routes
from jasstisch.server.http.routes.matches import match_routes
from jasstisch.server.http.routes.me import me_routes
from jasstisch.server.http.routes.server_info import server_info_routes
from jasstisch.server.http.routes.tables import table_routes
from jasstisch.server.http.routing import Endpoint

__all__ = ["api_routes"]


def api_routes() -> list[Endpoint]:
    """All routes, in the order of the API description."""
    return [
        *game_routes(),
        *server_info_routes(),
        *table_routes(),
        *match_routes(),
        *analysis_routes(),
        *join_code_routes(),
        *identity_routes(),
        *me_routes(),
    ]
