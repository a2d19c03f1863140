"""Tests of the command line by its input and output."""
