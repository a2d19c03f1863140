"""Whole matches by numbers: what all environments of single matches have in common.

An action is a number, or a few one after the other; what a seat may know is one array of numbers.
The libraries for which there are environments only differ in how they ask for both.
"""
