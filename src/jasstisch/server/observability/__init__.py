"""What operators see: logs, request ids, metrics, alerts and pauses of the loop.

It records and changes nothing that people notice. Begin with `structured_log`.
"""
