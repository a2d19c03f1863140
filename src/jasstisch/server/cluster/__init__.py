"""A cluster of servers that share one store: the leases of tables and the messages between nodes.

The package finds the node that holds a table and forwards requests to it; the node that holds the
table decides what a request does. Start reading with `node`, then `table_proxy`.

A server that has its store to itself needs `SingleNode` at most. `node` and `nats_bus` need the
extra `cluster` and are imported only where they are used.
"""

from jasstisch.server.cluster.bus import BusError
from jasstisch.server.cluster.single_node import SingleNode

__all__ = ["BusError", "SingleNode", "nats_bus", "node"]
