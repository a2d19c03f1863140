"""Several servers on one store: who writes which table, and what they say to each other."""
