"""Several servers on one store: who writes which table, and what they say to each other.

It decides where a table is and forwards what is asked of it; what a request does is decided at the
server that has the table. Begin with `node`, then `table_proxy`.

A server that has its store to itself needs `SingleNode` at most; `node` and `nats_bus` need the
extra `cluster`, and are imported by who asks for them.
"""

from jasstisch.server.cluster.bus import BusError
from jasstisch.server.cluster.single_node import SingleNode

__all__ = ["BusError", "SingleNode", "nats_bus", "node"]
