"""The ids of all reasons; each has a text in every language."""

REASONS = (
    # Any decision.
    "only",  # there was no choice
    "alike",  # all actions have the same result
    "equal_cards",  # another card is as good
    "equal",  # another action is as good
    "close",  # the difference between all actions may be chance
    "close_cards",  # the difference between two cards may be chance
    "close_other",  # another action is nearly as good
    "match",  # better for the match, not for the round
    "match_cost",  # worse for the match, not for the round
    # The result of the playouts, in the unit of the game.
    "difference",
    "difference_cost",
    "points",
    "points_cost",
    "scores",
    "scores_cost",
    "lead",  # of the own side
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
    "sheds",  # a valuable card goes into a trick of another player
    "high_under",  # the highest card that still loses goes first
    "low",  # most outstanding cards of the suit are above
    "cheap",  # a strong card takes a trick that hardly counts
    "takes_unwanted",  # takes the trick for certain
    "may_take",  # hardly any higher card is outstanding
    # Cards where points are wanted.
    "takes",  # takes the trick for certain
    "sure_lead",  # no outstanding card beats the card led
    "only_trump_beats",  # only a trump does
    "should_take",  # hardly any higher card is outstanding
    "ruffs",  # ruffs, and few higher trumps are outstanding
    "draws",  # draws trumps
    "spares",  # a card without points goes into a trick of another player
    "gives",  # a valuable card does
    "wastes",  # a strong card wins next to nothing
    # Any cards.
    "frees",  # the last card of a suit is played
    "frees_trump",  # the same, with trumps in hand
    "makes_trump",  # the first discard makes trump
    "apart_sure",  # takes the trick for certain, and the other does not
    "apart_may",  # may take the trick, and the other cannot
    "apart_trump",  # is a trump, and the other is not
    "apart_higher",  # outstanding cards of its suit above it
    "apart_worth",  # its points
    "apart_length",  # cards of its suit in the hand
    "apart_lower",  # outstanding cards of its suit below it
    "apart_out",  # outstanding cards of its suit
    "apart_rank",  # is stronger than the other one of the suit
    "apart_left",  # what remains of its suit in the hand
    # Molotovs.
    "bombs_others",
    "bombs_self",
    "bombs_perhaps",
    "bomb_near",
    # Bids.
    "bid",
    "bid_few",
    "bid_weak",
    "bid_high",
    "bid_low",
    "hits",  # takes exactly the points still needed
    "brings",  # takes points that are needed
    "overshoots",  # takes points that are not needed
    "declines",  # leaves points that are not needed
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
    "masters",  # masters in sequence, without trump
    "tops_few",  # one ace alone
    "tops_none",
    "bottoms_few",  # one six alone
    "bottoms_none",
    "masters_both",  # where tops and bottoms alternate
    "turns_few",
    "counts",  # several times
    "stoeck_held",
    "longest",  # for lack of anything better
    "push_weak",
    "push_lines",  # no open line fits the hand
    "line_kept",  # the hand is too weak for a line that comes once
    "line_dearest",  # of those that fit the hand
    "line_cheapest",  # somebody has to announce
    "line_last",
    "apart_push",  # announcing instead of pushing
    "apart_masters",  # number of masters
    "apart_start",  # masters for the first trick
    "apart_factor",  # the factor
    "apart_bur",  # the Bur is in the hand
    "apart_trumps",  # trumps in the hand
    "joker_kept",  # a joker is spent on a hand that is good for another line
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
    "cuts",  # ruffs for certain
    "brings_home",  # points that a trump might take later
    "keeps_bur",
    "bock",  # no outstanding card beats the card led
    "safe_lead",  # no opponent can beat it
    "bock_but_trumps",
    "draws_last",  # outstanding trumps
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
    "lie_safe",  # holds three of the rank: nobody can disprove it
    "lie_forced",
    "lie_bare",  # forced, and without a card of the rank
    "lie_saves",  # the truth is kept for later
    "lie_known",  # without a card of the rank: many may disprove it
    "apart_truth",  # is the truth, and the other lay is not
    "apart_own",  # cards of the claimed rank in the hand
    "apart_known",  # another player may hold enough of the rank to disprove it
    "apart_truths",  # ranks left for true claims
    "apart_single",  # cards that were the only ones of their rank
    "apart_ranks",  # ranks that stay in the hand
    "apart_equals",  # probability that another player holds equals of the cards laid
    # Doubts.
    "doubt_sure",
    "pass_sure",  # passes although the claim cannot be true
    "doubt_unlikely",
    "doubt_able",  # the claim may be true, and may be a lie all the same
    "doubt_last",  # the last cards of the claimant
    "pass_likely",
    "pass_on",  # others answer later
    "pass_stake",  # nobody answers later
)
"""The ids of all reasons. The names of values are the placeholders of the texts."""
