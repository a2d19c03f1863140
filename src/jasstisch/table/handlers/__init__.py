"""What each kind of command leads to, as functions from a table's state to events.

They decide who may do what and refuse with `TableError`; they change nothing and know no time or
chance. Begin reading in `host_commands`.
"""
