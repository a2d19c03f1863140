"""The languages of the page, in the order in which it lists them."""

LANGUAGES = ("de", "fr", "it", "en")
"""The first one is the default for browsers that accept none, unless the operator chooses
another."""
