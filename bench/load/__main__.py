"""`python -m bench.load`."""

from bench.load.generator import main

if __name__ == "__main__":
    main()
