"""HTTP: the ASGI application, the REST API, the web client, health and metrics.

The package decodes requests and encodes responses; the packages it calls decide what a request
does. Start reading with `app`.
"""

from jasstisch.server.http.app import App, Endpoints
from jasstisch.server.http.docs_site import DOCS_FOLDER, DocsSite
from jasstisch.server.http.health import HealthEndpoints
from jasstisch.server.http.localized_texts import LocalizedTexts
from jasstisch.server.http.prometheus import MetricsCollector
from jasstisch.server.http.rest_api import build_rest_api
from jasstisch.server.http.static_client import CLIENT_FOLDER, StaticClient

__all__ = [
    "CLIENT_FOLDER",
    "DOCS_FOLDER",
    "App",
    "DocsSite",
    "Endpoints",
    "HealthEndpoints",
    "LocalizedTexts",
    "MetricsCollector",
    "StaticClient",
    "build_rest_api",
]
