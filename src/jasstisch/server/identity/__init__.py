"""Who a person is: tokens, devices, codes, bans, nicknames and their data.

It knows no table; what a person may do at one is decided in `jasstisch.server.tables`. Begin with
`service`.
"""
