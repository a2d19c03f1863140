"""Work outside the event loop: bots, hints and analyses in worker processes.

It shares the workers fairly between people and tables; what is computed is in `jasstisch.bots` and
`jasstisch.analysis`. Begin with `fair_scheduler`.
"""
