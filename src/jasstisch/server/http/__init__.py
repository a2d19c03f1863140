"""HTTP: the ASGI application, the REST API, the web client, health and metrics.

It decodes requests and answers them; what a request does is decided in the packages it calls.
Begin with `app`.
"""
