"""I Doubt It in kernels: the deal as an array, policies, rollouts and a particle filter.

This package decides how a deal is represented and sampled, and how it is rolled out with
parametrized policies. It does not decide which action a bot plays: that is done in
`jasstisch.bots.searching.i_doubt_it`. Begin with `deal_state`.
"""
