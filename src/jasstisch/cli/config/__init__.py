"""The settings of a server: names, types, and which source of a value wins.

It decides what a value may be and reads flags, environment variables and the file; what a setting
does is decided in the server. Begin with `settings`, then `loader`.
"""
