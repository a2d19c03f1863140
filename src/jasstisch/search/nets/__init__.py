"""The small policy networks that play the cards of a playout.

Features, inference on folded weights, and training are here; which bot uses a net is decided in
`jasstisch.bots.searching`. Begin with `policy`.
"""
