"""The command line, as somebody types it and reads it."""
