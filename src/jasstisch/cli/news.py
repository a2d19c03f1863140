"""What there is to tell when a match has gone a step further.

The difference between two views, in words: who deals, that a suit became trump, who took a trick,
how a round ended. Playing and replaying tell the same.
"""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.rule import Rule
from rich.text import Text

from jasstisch.cli.faces import Faces
from jasstisch.cli.seats import Seats
from jasstisch.cli.sheets import flow, match_sheet, round_sheet, trick_line
from jasstisch.games.rules import Game, Json

__all__ = ["Reporter"]


class Reporter:
    """Tells the news of one match.

    Args:
        seats: the players.
        faces: the deck.
        width: columns there are.
    """

    def __init__(self, seats: Seats, faces: Faces, width: int) -> None:
        self.seats = seats
        self.faces = faces
        self.width = width

    def match_begins(self, game: Game) -> Iterator[RenderableType]:
        """What is played, and by which house rules."""
        usual = Game(game.name, {"players": game.players}).options
        rules = [f"{name} {value}" for name, value in game.options.items() if value != usual[name]]
        title = Text(f"{game.name.capitalize()}, {game.players} players", "bold")
        if rules:
            title.append(f" · {', '.join(rules)}", "not bold")
        yield title

    def news(self, before: Json, after: Json) -> Iterator[RenderableType]:
        """What happened between two views of the same reader, one step apart."""
        if after["draw"] and not before["draw"]:
            yield from self.draw_for_deal(after)
        if before["phase"] == "deal" and after["phase"] != "deal":
            yield from self.round_begins(after)
        yield from self.bidding(before, after)
        ended = len(after["rounds"]) > len(before["rounds"])
        table = after["rounds"][-1] if ended else after
        yield from self.trump(before, table)
        yield from self.tricks(before, table)
        yield from self.molotovs(before, table)
        if ended:
            yield from self.round_ends(after)
        elif before["phase"] == "play" and after["phase"] == "deal":  # MV7
            yield "No trump appeared: the round is void, and the same dealer deals again."

    def draw_for_deal(self, view: Json) -> Iterator[RenderableType]:
        """Everybody drew a card; the highest deals (C5)."""
        yield Text()
        drawn = [self.drawn(seat, card) for seat, card in view["draw"]]
        yield flow(
            "The draw",
            [*drawn, Text(f"→ {self.seats.does(view['dealer'], 'deal')} first")],
            self.width,
        )

    def round_begins(self, view: Json) -> Iterator[RenderableType]:
        """The title of a round, and who deals and leads."""
        dealer = view["dealer"]
        rounds = view["options"].get("rounds")
        title = f"Round {view['round']}" + (f" of {rounds}" if rounds else "")
        yield Text()
        yield Rule(Text(title, "bold"), align="left", style="dim")
        leads = self.seats.does((dealer + 1) % len(self.seats), "lead")
        yield f"{self.seats.does(dealer, 'deal')}. {leads}."

    def bidding(self, before: Json, after: Json) -> Iterator[RenderableType]:
        """The bids that all may see, and that all have bid (DF3)."""
        if before["phase"] != "bid":
            return
        if after["options"]["bids"] == "open":
            seat = before["to_act"][0]
            if seat != self.seats.own and after["bids"][seat] is not None:
                yield f"{self.seats.does(seat, 'bid')} {after['bids'][seat]}."
        elif after["phase"] == "play":
            yield "All bids are in."

    def trump(self, before: Json, table: Json) -> Iterator[RenderableType]:
        """The suit that is trump from now on; `table` is a view or the round that ended."""
        if not table["trump"] or before["trump"]:
            return
        suit = self.faces.suit(table["trump"])
        if before["phase"] != "play":
            line = Text.assemble("Trump: ", suit)
            if table.get("shown"):
                line.append(", turned up was ").append_text(self.faces.card(table["shown"]))
            yield line
            return
        seat, card = last_card(table)
        discards = self.seats.does(seat, "discard")
        yield Text.assemble(
            f"{discards} ", self.faces.card(card), ": ", suit, " are trump from now on."
        )

    def tricks(self, before: Json, table: Json) -> Iterator[RenderableType]:
        """The tricks that have become complete."""
        for number in range(len(before["tricks"]), len(table["tricks"])):
            yield trick_line(
                number + 1, table["tricks"][number], self.seats, self.faces, self.width
            )

    def molotovs(self, before: Json, table: Json) -> Iterator[RenderableType]:
        """The molotovs that have gone off (MV4)."""
        for one in table.get("molotovs", [])[len(before.get("molotovs", [])) :]:
            cards = Text(" ").join([self.faces.card(card) for card in one["cards"]])
            takes = f" · {self.seats.does(one['seat'], 'get')} {one['points']} points more."
            yield Text.assemble(Text("Molotov! ", "bold red"), cards, takes)

    def round_ends(self, view: Json) -> Iterator[RenderableType]:
        """What the round brought everybody."""
        finished = view["rounds"][-1]
        yield Text()
        for drawn in finished.get("draw", []):  # MW8
            cards = [self.drawn(seat, card) for seat, card in drawn]
            yield flow("Tied, draw", [Text(), *cards], self.width)
        yield Text(f"After round {len(view['rounds'])}", "dim")
        yield round_sheet(finished, view["standing"], self.seats)

    def match_ends(self, view: Json) -> Iterator[RenderableType]:
        """Who won, and every round of every player (DF9)."""
        winners = view["winners"]
        shared = len(winners) > 1
        won = (
            f"{self.seats.all(winners)} share the win."
            if shared
            else f"{self.seats.does(winners, 'win')} the match."
        )
        yield Text()
        yield Rule(Text(won, "bold green"), align="left", style="green")
        yield match_sheet(view["rounds"], view["standing"], self.seats)

    def drawn(self, seat: int, card: str) -> Text:
        """A player and his card."""
        return Text(f"{self.seats[seat]} ").append_text(self.faces.card(card))


def last_card(table: Json) -> tuple[int, str]:
    """The card played last, and who played it."""
    if table.get("trick"):
        seat, card = table["trick"][-1]
        return seat, card
    trick = table["tricks"][-1]
    players = len(trick["cards"])
    return (trick["leader"] + players - 1) % players, trick["cards"][-1]
