"""The small neural nets that choose the cards of a playout (playout policies).

This package decides what the nets see (`features`), how they are evaluated fast (`policy`, on
folded weights), and how they are trained. It does not decide which bot uses a net: that is done in
`jasstisch.bots.searching`; the training programs are in `tools/`. Begin with `features`, then
`weight_folding` and `policy`.
"""
