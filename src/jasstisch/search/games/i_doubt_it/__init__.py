"""I Doubt It for kernels: a deal, ways of playing it, and worlds that agree with what was seen."""
