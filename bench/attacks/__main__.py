"""`python -m bench.attacks`."""

from bench.attacks.server_attacks import main

if __name__ == "__main__":
    main()
