"""What one server, address or person may use.

It counts and refuses; what is then answered is decided by the caller. Begin with `server_limits`,
then `token_bucket`.
"""
