"""Speed benchmarks of one machine: this engine, and other engines for comparison.

`engine_benchmarks` defines what is measured here, `competitors` what other published engines do on
the same core, and `measurement` how it is measured. `jasstisch bench` prints the results; `python
-m bench.peers` in the sources writes them to docs/figures.md.
"""

from jasstisch.extras import require

require("search", "measuring the speed")
