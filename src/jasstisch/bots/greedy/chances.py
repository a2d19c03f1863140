"""What to expect of a trick: how likely a card is to take it, and what it will be worth.

The figures are those seen when these bots play each other. They need not be exact: they only have
to put one card before another.
"""

from jasstisch import tricks

FOLLOW=.7
FEXP=.65
RUFF=.75
OVER=.7
def above(card: int, trump: int) -> int:
    """The set of cards of the same suit that beat a card."""
    suit = card // tricks.RANKS
    if suit == trump:
        return tricks.HIGHER_TRUMPS[card]
    return tricks.SUIT_CARDS[suit] & (-2 << card)

def shares(pos, cards):
    """For each seat to come the chance to hold a given unseen card of a suit"""
    den=0
    for s in range(pos.players):
        if s!=pos.seat and pos.void[s]&cards!=cards: den+=pos.sizes[s]
    return [0.0 if pos.void[s]&cards==cards else pos.sizes[s]/den for s in pos.to_come] if den else [0.0]*len(pos.to_come)

def chance(pos, card, trump):
    if pos.best >= 0 and not tricks.beats(card, pos.best, trump): return 0.0
    if not pos.to_come: return 1.0
    suit=card//9
    led = pos.led if pos.led >= 0 else suit
    p=1.0
    higher=(pos.unseen&above(card,trump)).bit_count()
    sl=shares(pos,tricks.SUIT_CARDS[led])
    if suit==led and higher:
        p*=(1-FOLLOW*sum(sl))**(higher**FEXP)
    if trump>=0 and led!=trump:
        n=(pos.unseen&tricks.SUIT_CARDS[led]).bit_count()
        t=higher if suit==trump else (pos.unseen&tricks.SUIT_CARDS[trump]).bit_count()
        st=shares(pos,tricks.SUIT_CARDS[trump])
        for a,b in zip(sl,st):
            p*=1-RUFF*(1-a)**n*(1-(1-b)**t)
    return p

def more(pos,card,trump,worth):
    """Points still to come to trick if card wins it"""
    suit=card//9
    led = pos.led if pos.led >= 0 else suit
    follow=pos.unseen&tricks.SUIT_CARDS[led]
    if suit==led:
        lower=follow&~above(card,trump)
    else: lower=follow
    disc=pos.unseen&~tricks.SUIT_CARDS[trump] &~tricks.SUIT_CARDS[led]if trump>=0 else pos.unseen
    sl=shares(pos,tricks.SUIT_CARDS[led])
    n=follow.bit_count()
    al=worth(lower)/lower.bit_count() if lower else 0
    ad=worth(disc)/disc.bit_count() if disc else 0
    r=0.0
    for a in sl:
        void=(1-a)**n
        r+= (1-void)*al+void*ad
    return r
