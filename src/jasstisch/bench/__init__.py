"""The speed figures of one machine: this engine's, and those of other engines beside them.

`own` says what is measured here, `peers` what other published engines do on the same core, and
`timing` how a figure comes about. `jasstisch bench` prints them; `python -m bench.peers` in the
sources writes them into docs/figures.md.
"""

from jasstisch.extras import require

require("search", "measuring the speed")
