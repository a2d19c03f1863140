"""I Doubt It for kernels: the state of a deal, play policies, a particle filter and rollouts.

It estimates what an action is worth by sampling hidden cards and playing the deal out. It does not
choose the action: the bots do. The rules are those of `jasstisch.games.i_doubt_it`. Begin with
`deal_state`, then `policy`.
"""
