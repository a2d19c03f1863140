"""The languages of the page, in the order in which it names them."""

__all__ = ["LANGUAGES"]

LANGUAGES = ("de", "fr", "it", "en")
"""The first is that of browsers that want none of them, where the host chooses no other."""
