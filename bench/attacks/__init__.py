"""How long others wait while somebody attacks the server, and whether bot timing leaks information.

It decides no limit; those are in `jasstisch.server.limits`. Begin with `server_attacks`, which
`python -m bench.attacks` runs.
"""
