"""The public protocol as data: every REST and WebSocket message as a struct.

JSON schema, AsyncAPI and view schemas are made from them; it sends and receives nothing. Begin
with `messages`.
"""
