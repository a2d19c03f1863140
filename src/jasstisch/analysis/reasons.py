"""The reasons there are, by their ids; each has a text in every language."""

__all__ = ["REASONS"]

REASONS = (
    # Any decision.
    "only",  # there was no choice
    "alike",  # whatever one does comes out the same
    "equal_cards",  # another card is as good
    "equal",  # another action is as good
    "close",  # what lies between all actions may be chance
    "close_cards",  # what lies between two cards may be
    "close_other",  # another action is nearly as good
    "match",  # better for the match, not for the round
    "match_cost",  # worse for the match, not for the round
    # What came of it when it was played out, in the unit of the game.
    "difference",
    "difference_cost",
    "points",
    "points_cost",
    "scores",
    "scores_cost",
    "lead",  # of one's side
    "lead_cost",
    "sticks",
    "sticks_cost",
    "strokes",
    "strokes_cost",
    "chips",
    "chips_cost",
    # Cards where the trick is not wanted.
    "leaves",  # beaten already: the points go to others
    "stays_out",  # beaten already, and there are no points
    "sheds",  # an expensive card goes into a trick of somebody else
    "high_under",  # the highest that still stays below goes first
    "low",  # most of the suit still out is above
    "cheap",  # a strong card takes a trick that hardly counts
    "takes_unwanted",  # takes the trick for certain
    "may_take",  # hardly any higher card is still out
    # Cards where points are wanted.
    "takes",  # takes the trick for certain
    "sure_lead",  # nothing that is still out beats the card led
    "only_trump_beats",  # only a trump does
    "should_take",  # hardly any higher card is still out
    "ruffs",  # trumps in, and few trumps above are still out
    "draws",  # leads a trump, others lose theirs
    "spares",  # a worthless card goes into a trick of somebody else
    "gives",  # a valuable card does
    "wastes",  # a strong card goes for next to nothing
    # Any cards.
    "frees",  # the last card of a suit goes
    "frees_trump",  # the same, with trumps in hand
    "makes_trump",  # the first discard makes trump
    "apart_sure",  # takes the trick for certain, and the other does not
    "apart_may",  # may take the trick, and the other cannot
    "apart_trump",  # is a trump, and the other is not
    "apart_higher",  # so many cards of its suit are still out above it
    "apart_worth",  # counts so much
    "apart_length",  # so many of its suit are in the hand
    "apart_lower",  # so many cards of its suit are still out below it
    "apart_out",  # so many of its suit are still out
    "apart_rank",  # is stronger than the other one of the suit
    "apart_left",  # so its suit is left in the hand
    # Molotovs.
    "bombs_others",
    "bombs_self",
    "bombs_perhaps",
    "bomb_near",
    # The bid.
    "bid",
    "bid_few",
    "bid_weak",
    "bid_high",
    "bid_low",
    "hits",  # takes just the points still needed
    "brings",  # takes points that are needed
    "overshoots",  # takes points that are not
    "declines",  # leaves points that are not
    # Sticks and potatoes.
    "hundred",
    "pushes",  # brings another to a hundred
    "stays_highest",
    "climbs",
    "stays_lowest",
    # Twenty-one, Weis, the blind.
    "stay",
    "stay_weak",
    "drop",
    "drop_weak",
    "blind",
    "rob",
    "weis",
    "weis_kept",
    "reaches",
    # Contracts of two sides: what to announce.
    "trump_bur_nell",
    "trump_bur_aces",
    "trump_bur",
    "trump_many",
    "trump_few",
    "trump_none",
    "masters",  # best one after the other, without a trump
    "tops_few",  # one ace alone
    "tops_none",
    "bottoms_few",  # one six alone
    "bottoms_none",
    "masters_both",  # where tops and bottoms take turns
    "turns_few",
    "counts",  # several times
    "stoeck_held",
    "longest",  # for want of anything better
    "push_weak",
    "push_lines",  # no open line fits the hand
    "line_kept",  # the hand is too weak for a line that comes once
    "line_dearest",  # of those that fit the hand
    "line_cheapest",  # somebody has to announce
    "line_last",
    "apart_push",  # announcing instead of pushing
    "apart_masters",  # so many cards are masters
    "apart_start",  # so many are for the first trick
    "apart_factor",  # counts so many times
    "apart_bur",  # the Bur is in the hand
    "apart_trumps",  # so many trumps are in the hand
    "joker_kept",  # a joker goes for a hand that is good for another line
    # The tricks of two sides.
    "wins",  # the target is reached
    "keeps_match",
    "breaks_match",
    "trumps_partner",
    "beats_partner",
    "smears",
    "smears_open",  # the partner is ahead, and may be beaten
    "smears_risky",  # the same, against it
    "partner_takes",
    "leaves_to_partner",
    "cuts",  # trumps in for certain
    "brings_home",  # points that a trump might take later
    "keeps_bur",
    "bock",  # nothing still out beats the card led
    "safe_lead",  # nobody of the other side does
    "bock_but_trumps",
    "draws_last",  # trump that is still out
    "draws_along",  # for the partner, who chose trumps
    "draws_for_others",
    "draws_own",  # the partner alone holds trumps
    "others_ruff",
    "risks",
    "throws_bock",
    "bares",
    "throws_weak",
    "partner_ruffs",
    "returns",  # the suit that the partner has led
    "leads_nothing",
    "stoeck",
    # Claims.
    "truth",
    "lie_safe",  # one holds three of the rank: nobody can know better
    "lie_forced",
    "lie_bare",  # forced, and without a card of the rank
    "lie_saves",  # the truth is kept for later
    "lie_known",  # without a card of the rank: many may know better
    "apart_truth",  # is the truth, and the other lay is not
    "apart_own",  # so many of the rank claimed are in the hand
    "apart_known",  # somebody may hold so many of the rank that he knows better
    "apart_truths",  # so many ranks are left to tell the truth with
    "apart_single",  # so many of the cards were the only ones of their rank
    "apart_ranks",  # so many ranks stay in the hand
    "apart_equals",  # so likely another one holds equals of the cards laid
    # Doubts.
    "doubt_sure",
    "pass_sure",  # passes although the claim cannot be true
    "doubt_unlikely",
    "doubt_able",  # he may have held them, and may lie all the same
    "doubt_last",  # the last cards of the layer
    "pass_likely",
    "pass_on",  # others answer later
    "pass_stake",  # nobody answers later
)
"""The ids of all reasons. Values and their names are those of the gaps of the texts."""
