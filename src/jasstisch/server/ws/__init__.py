"""The WebSocket: how a connection is accepted, read, written and closed.

It checks the wire protocol and its limits; messages are decided on by the tables. Begin with
`connection`.
"""
