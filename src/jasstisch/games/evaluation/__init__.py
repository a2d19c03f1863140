"""How good a hand or a card is, estimated without search.

Search and bots share these estimates; neither plays a card here. Begin with `hand_evaluation`,
then `trick_odds`.
"""
