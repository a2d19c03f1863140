"""Administration of a running server over a local socket.

It holds the messages, the socket and the service that carries them out; every change goes the way
of an ordinary request. Begin with `service`.
"""
