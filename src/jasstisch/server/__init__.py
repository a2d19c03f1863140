"""The table server: HTTP and WebSocket around the pure tables of `jasstisch.table`."""
