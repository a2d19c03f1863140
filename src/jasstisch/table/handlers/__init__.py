"""Command handlers: functions from a table's state and a command to events.

They check permissions and preconditions, and refuse with `TableError`. They change no state and use
no clock or random generator. Begin reading in `host_commands`.
"""
