"""Narrates a match: describes in words what changed between two views.

It says who deals, which suit became trump, who took a trick and how a round ended. Playing and
replaying use the same narration.
"""

from collections.abc import Callable, Iterator, Sequence

from rich.console import RenderableType
from rich.rule import Rule
from rich.text import Text

from jasstisch.bots import View
from jasstisch.cli.ui.card_style import CardStyle
from jasstisch.cli.ui.contract_view import (
    contract_slate_table,
    contract_summary,
    describe_all_tricks_won,
    describe_announcement,
    describe_weis,
    has_contracts,
    side_round_table,
)
from jasstisch.cli.ui.hand_view import (
    card_count_text,
    card_row,
    hand_line,
    melds_line,
    trick_line,
    wrap_parts,
)
from jasstisch.cli.ui.i_doubt_it_view import describe_claims, describe_deal_end
from jasstisch.cli.ui.player_names import PlayerNames
from jasstisch.cli.ui.score_tables import match_table, round_result_table
from jasstisch.cli.ui.translator import ENGLISH
from jasstisch.cli.ui.view_features import (
    has_bids,
    has_claims,
    has_drop_out,
    has_molotovs,
    has_tie_draws,
    playing_seats,
    turned_card,
)
from jasstisch.games.options import Option, display_value
from jasstisch.games.rules import Game
from jasstisch.games.views import declares_keys
from jasstisch.games.weis import WeisView

_NARRATED_PHASES: dict[str, Callable[[View], bool]] = {
    "answer": lambda view: has_drop_out(view) or has_claims(view),
    "lay": has_claims,
    "play": lambda _: True,
    "bid": has_bids,
}
"""Phases whose actions are narrated in sentences, each with its games.

The actions of other phases are shown as they are written.
"""

_SEPARATELY_NARRATED = {"play", "rob"}
"""Actions in the play of tricks that have a narration of their own."""


class Narrator:
    """Narrates one match.

    Args:
        seats: the players.
        card_style: the style of the cards.
        width: columns.
    """

    def __init__(self, seats: PlayerNames, card_style: CardStyle, width: int) -> None:
        self.seats = seats
        self.say = seats.translator
        self.who = seats.subject
        self.card_style = card_style
        self.width = width

    def match_start(self, game: Game) -> Iterator[RenderableType]:
        """Yields the game and its house rules."""
        usual = Game(game.name, {"players": game.players}).options
        rules = [
            self.house_rule(game, option)
            for option in game.rules.options
            if game.options[option.name] != usual[option.name]
        ]
        called = self.say.game_texts(game.name).name
        title = Text(self.say.plain("news.players", game=called, n=game.players), "bold")
        if rules:
            title.append(f" · {', '.join(rules)}", "not bold")
        yield title
        if self.seats.sides:
            first, second = self.seats.sides
            yield self.say(
                "news.against", who=self.who(first), others=self.seats.join_names(second)
            )

    def house_rule(self, game: Game, option: Option) -> str:
        """Returns a house rule in force: as typed in English, else with its label."""
        value = display_value(option, game.options[option.name])
        texts = None if self.say == ENGLISH else self.say.game_texts(game.name)
        words = texts.options.get(option.name) if texts else None
        if words is None:
            return f"{option.name} {value}"
        return f"{words.label}: {words.values.get(value, value)}"

    def narrate_step(
        self, before: View, after: View, done: tuple[int, str] | None = None
    ) -> Iterator[RenderableType]:
        """Yields what happened between two views of the same reader, one step apart.

        Args:
            before: the view before the step.
            after: the view after it.
            done: the seat that acted, and the action as far as the reader may know it; None after a
                pack.
        """
        if after["draw"] and not before["draw"]:
            yield from self.draw_for_deal(after)
        if before["phase"] == "deal" and after["phase"] != "deal":
            yield from self.round_start(after)
        if done is not None:
            yield from self.choice(before, after, *done)
        yield from self.bidding(before, after)
        ended = len(after["rounds"]) > len(before["rounds"])
        yield from self.trump(before, after, ended=ended)
        yield from self.staying(before, after)
        yield from self.robbing(before, after)
        yield from self.announcing_weis(before, after)
        yield from self.tricks(before, after, ended=ended)
        yield from self.molotovs(before, after, ended=ended)
        yield from self.weis(before, after)
        yield from self.stoeck(before, after, ended=ended)
        if has_claims(after):
            yield from describe_claims(before, after, self.seats, self.card_style)
        if ended:
            yield from self.round_end(before, after)
        elif before["phase"] == "play" and after["phase"] == "deal" and before["trump"] is None:
            # MV7
            yield self.say("news.no_trump")

    def draw_for_deal(self, view: View) -> Iterator[RenderableType]:
        """Yields the draw for the deal: the highest card deals (C5)."""
        yield Text()
        drawn = [self.drawn_card(seat, card) for seat, card in view["draw"]]
        deals = self.say("news.deals_first", who=self.who(view["dealer"]))
        parts = [*drawn, Text.assemble("→ ", deals)]
        yield wrap_parts(self.say.plain("news.draw"), parts, self.width)

    def round_start(self, view: View) -> Iterator[RenderableType]:
        """Yields the title of a round, and who deals and leads."""
        dealer = view["dealer"]
        rounds = view["options"].get("rounds")
        name = "news.round_of" if rounds else "news.round"
        title = self.say.plain(name, n=view["round"], total=rounds or 0)
        yield Text()
        yield Rule(Text(title, "bold"), align="left", style="dim")
        if dealer is None:
            return
        # If all bid at once, or trump is drawn first, nobody begins before forehand leads.
        begins = view["phase"] != "play" and len(view["to_act"]) == 1
        first = view["to_act"][0] if begins else (dealer + 1) % len(self.seats)
        line = self.say("news.deals", who=self.who(dealer)).append(" ")
        line.append_text(self.say("news.begins" if begins else "news.leads", who=self.who(first)))
        if has_claims(view) and view["middle"]:
            line.append_text(
                self.say("news.middle", cards=card_count_text(view["middle"], self.say))
            )
        yield line

    def choice(self, before: View, after: View, seat: int, action: str) -> Iterator[RenderableType]:
        """Yields an announcement, or another player's choice in a phase unknown here."""
        phase, word = before["phase"], action.split(maxsplit=1)[0]
        if phase == "announce" and has_contracts(after["game"]):
            yield describe_announcement(after, seat, action, self.seats, self.card_style)
            return
        known = phase in _NARRATED_PHASES and _NARRATED_PHASES[phase](before)
        if seat == self.seats.own or (known and (phase != "play" or word in _SEPARATELY_NARRATED)):
            return
        what = Text(self.card_style.action_label(after["game"], action).plain, "bold")
        yield self.say("news.chose", who=self.who(seat), what=what)

    def said_before(self, view: View, said: Sequence[str | None]) -> Iterator[RenderableType]:
        """Yields what the players have said in this round before the reader came.

        The bids of games that score by them stand in the line about the round.
        """
        if has_bids(view):
            return
        for seat, action in enumerate(said):
            if action is not None:
                what = Text(self.card_style.action_label(view["game"], action).plain, "bold")
                yield self.say("news.chose", who=self.who(seat), what=what)

    def bidding(self, before: View, after: View) -> Iterator[RenderableType]:
        """Yields the public bids, and that all players have bid (DF3)."""
        if before["phase"] != "bid" or not has_bids(after):
            return
        if after["options"].get("bids") == "open":
            seat = before["to_act"][0]
            if seat != self.seats.own and after["bids"][seat] is not None:
                yield self.say("news.bids", who=self.who(seat), n=after["bids"][seat] or 0)
        elif after["phase"] == "play":
            yield self.say("news.all_bids")

    def trump(self, before: View, after: View, *, ended: bool) -> Iterator[RenderableType]:
        """Yields the new trump suit."""
        trump = after["rounds"][-1]["trump"] if ended else after["trump"]
        if not trump or before["trump"] or has_contracts(before["game"]):
            return
        suit = self.card_style.suit_text(trump)
        if before["phase"] != "play":
            line = self.say("news.trump", suit=suit)
            shown = turned_card(after)
            if shown:
                line.append_text(self.say("news.turned", card=self.card_style.card_text(shown)))
            if has_drop_out(after) and after["blind_open"]:
                line.append_text(self.say("news.blind_lies"))
            elif shown:
                line.append_text(self.say("news.holds", who=self.who(after["dealer"])))
            yield line
            return
        seat, card = _last_played_card(after, ended=ended)
        made = self.card_style.card_text(card)
        yield self.say("news.made_trump", who=self.who(seat), card=made, suit=suit)

    def staying(self, before: View, after: View) -> Iterator[RenderableType]:
        """Yields who drops, stays or takes the blind, and who leads (JS4, JS6)."""
        if before["phase"] != "answer" or not has_drop_out(after):
            return
        seat = before["to_act"][0]
        said = after["said"][seat] or "drop"  # the answer that ended the round before it began
        if seat != self.seats.own:
            yield self.say(f"news.{said}", who=self.who(seat))
        elif said == "blind":
            assert after["hand"] is not None, "a player sees their own hand"
            now = self.say.plain("news.hand_now")
            yield hand_line(now, after["hand"], self.seats, self.card_style, self.width)
        if after["phase"] == "play":
            yield self.say("news.leads", who=self.who(after["to_act"][0]))

    def robbing(self, before: View, after: View) -> Iterator[RenderableType]:
        """Yields who robbed the turned card (JS5)."""
        if not has_drop_out(before) or not has_drop_out(after) or before["robbed"] is not None:
            return
        seat, taken, six = after["robbed"], before["turned"], after["turned"]
        if seat is not None and taken and six:
            card = self.card_style.card_text
            yield self.say("news.robs", who=self.who(seat), card=card(taken), six=card(six))

    def announcing_weis(self, before: View, after: View) -> Iterator[RenderableType]:
        """Yields who announced a Weis (JS7, SC3)."""
        if not declares_keys(before, WeisView) or not declares_keys(after, WeisView):
            return
        for one in after["announced"][len(before["announced"]) :]:
            text = self.say("news.weis_said", who=self.who(one["seat"]), n=one["points"])
            mine = self.seats.is_partner(one["seat"])
            yield self.say("news.your_partner", what=text) if mine else text

    def weis(self, before: View, after: View) -> Iterator[RenderableType]:
        """Yields the best Weis, shown after the first trick (JS7, SC3)."""
        if not declares_keys(before, WeisView) or not declares_keys(after, WeisView):
            return
        shown = after["weis_shown"]
        if shown and not before["weis_shown"]:
            yield melds_line(
                self.weis_owner_text(after, shown["seat"]),
                shown["melds"],
                self.card_style,
                self.width,
            )
            if not self.seats.sides:
                seat = shown["seat"]
                yield self.say("news.weis_points", who=self.who(seat), n=after["weis"][seat])

    def stoeck(self, before: View, after: View, *, ended: bool) -> Iterator[RenderableType]:
        """Yields Stöck, and the points of a side from Stöck and Weis (JS8, SC3, SC4)."""
        table = after["rounds"][-1] if ended else after
        if has_contracts(after["game"]):
            yield from describe_weis(before, table, self.seats)
            return
        if not declares_keys(before, WeisView) or (ended and not has_drop_out(after)):
            return
        for seat, points in enumerate(table["stoeck"]):
            if points and not before["stoeck"][seat]:
                gets = self.say("news.points_more", who=self.who(seat), n=points)
                yield Text.assemble((self.say.plain("news.stoeck"), "bold"), gets)

    def weis_owner_text(self, view: WeisView, seat: int) -> str:
        """Returns who shows their Weis; a partner who announced one shows it too (SC3)."""
        side = self.seats.seats_of_side(seat)
        if len(side) == 1:
            yours = seat in self.seats.you
            name = "news.your_weis" if yours else "news.weis_of"
            return self.say.plain(name, names=self.seats[seat])
        announced = {one["seat"] for one in view["announced"]}
        shown = [one for one in side if one in announced]
        if self.seats.you & set(shown):
            return self.say.plain("news.weis_of_your_side" if shown[1:] else "news.your_weis")
        return self.say.plain("news.weis_of", names=self.seats.join_names(shown))

    def tricks(self, before: View, after: View, *, ended: bool) -> Iterator[RenderableType]:
        """Yields the tricks that were completed."""
        seats = playing_seats(after, -1 if ended else None)
        tricks = after["rounds"][-1]["tricks"] if ended else after["tricks"]
        for number in range(len(before["tricks"]), len(tricks)):
            trick = tricks[number]
            yield trick_line(number + 1, trick, seats, self.seats, self.card_style, self.width)

    def molotovs(self, before: View, after: View, *, ended: bool) -> Iterator[RenderableType]:
        """Yields the molotovs that went off (MV4)."""
        if not has_molotovs(before) or not has_molotovs(after):
            return
        bombs = after["rounds"][-1]["molotovs"] if ended else after["molotovs"]
        for one in bombs[len(before["molotovs"]) :]:
            cards = card_row(one["cards"], self.card_style)
            gets = self.say("news.points_more", who=self.who(one["seat"]), n=one["points"])
            bang = Text(self.say.plain("news.molotov"), "bold red")
            yield Text.assemble(bang, cards, " · ", gets)

    def round_end(self, before: View, after: View) -> Iterator[RenderableType]:
        """Yields the result of the round."""
        yield Text()
        for drawn in after["rounds"][-1]["draw"] if has_tie_draws(after) else ():  # MW8
            cards = [self.drawn_card(seat, card) for seat, card in drawn]
            yield wrap_parts(self.say.plain("news.tied"), [Text(), *cards], self.width)
        if self.seats.sides and has_contracts(after["game"]):
            yield from self.side_round(after)
            return
        if has_drop_out(after) and len(playing_seats(after, -1)) == 1:  # JS6
            yield self.say("news.alone", who=self.who(playing_seats(after, -1)))
        if has_claims(after):
            yield describe_deal_end(after["rounds"][-1], self.seats)
        yield Text(self.say.plain("news.after_round", n=len(after["rounds"])), "dim")
        yield round_result_table(after, self.seats)
        yield from self.players_safe(before, after)

    def players_safe(self, before: View, after: View) -> Iterator[RenderableType]:
        """Yields who is now safe, and so out of the match (JS10)."""
        if not has_drop_out(before) or not has_drop_out(after):
            return
        for seat, standing in enumerate(after["standing"]):
            if standing["safe"] and not before["standing"][seat]["safe"]:
                yield self.say("news.safe", who=self.who(seat), n=standing["tallies"])

    def side_round(self, after: View) -> Iterator[RenderableType]:
        """Yields the contract and the result of the round for each side (CT1, CT6)."""
        finished = after["rounds"][-1]
        yield from describe_all_tricks_won(finished, self.seats)
        played = contract_summary(finished, after["game"], self.seats, self.card_style)
        number = self.say.plain("news.after_round", n=len(after["rounds"]))
        yield Text.assemble((number, "dim"), " · ", played)
        yield side_round_table(after, self.seats)

    def slate_table(self, view: View) -> RenderableType:
        """Returns the whole slate."""
        if self.seats.sides and has_contracts(view["game"]):
            return contract_slate_table(view, self.seats, self.card_style)
        return match_table(view, self.seats)

    def match_end(self, view: View) -> Iterator[RenderableType]:
        """Yields the winners, and every round of every player (DF9)."""
        yield Text()
        yield Rule(Text(self.outcome(view), "bold green"), align="left", style="green")
        yield self.slate_table(view)

    def outcome(self, view: View) -> str:
        """Returns who won, or who lost if all others have won (JS10)."""
        winners = view["winners"]
        losers = [seat for seat in range(len(self.seats)) if seat not in winners]
        if len(losers) == 1 and has_drop_out(view):
            lost, won = self.who(losers), self.who(winners)
            return self.say.plain("news.loses", loser=lost, who=won)
        side = self.seats.seats_of_side(winners[0])
        if set(winners) == set(side):
            return self.say.plain("news.wins", who=self.who(side))
        name = "news.share" if len(winners) > 1 else "news.wins"
        return self.say.plain(name, who=self.who(winners))

    def drawn_card(self, seat: int, card: str) -> Text:
        """Returns a player and the card they drew."""
        return Text(f"{self.seats[seat]} ").append_text(self.card_style.card_text(card))


def _last_played_card(view: View, *, ended: bool) -> tuple[int, str]:
    """Returns the card played last and its player; the round may have ended with it."""
    if view["trick"]:
        seat, card = view["trick"][-1]
        return seat, card
    trick = (view["rounds"][-1] if ended else view)["tricks"][-1]
    players = len(trick["cards"])
    return (trick["leader"] + players - 1) % players, trick["cards"][-1]
