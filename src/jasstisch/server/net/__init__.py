"""Connections below HTTP and WebSocket: addresses, origins, limits and batching.

It knows no table and no person. Begin with `connection_limiter`, then `origins`.
"""
