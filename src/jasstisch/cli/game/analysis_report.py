"""Renders the analysis of a recorded match for the terminal, in any of the four languages.

Each round shows the table and the decisions of each player: a good choice with its arguments, a
mistake with the better action and the reason. The costliest decisions and the losses of each player
come last, where they stay visible on the screen.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from rich.cells import cell_len
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

import jasstisch as jt
from jasstisch import i18n
from jasstisch.analysis import Analysis, Decision, analyse, metric_of
from jasstisch.analysis.decision_points import check_analysable
from jasstisch.analysis.texts import reason_texts, report_texts, suit_and_rank_names
from jasstisch.bots import bot
from jasstisch.cli.errors import CommandError
from jasstisch.cli.game.bot_warmup import warm_up
from jasstisch.cli.ui.card_style import CardStyle
from jasstisch.cli.ui.contract_view import has_contracts, plays_each_line_once
from jasstisch.cli.ui.hand_view import wrap_parts
from jasstisch.cli.ui.player_names import PlayerNames
from jasstisch.cli.ui.terminal import stderr_console
from jasstisch.cli.ui.view_features import has_claims, playing_seats
from jasstisch.engine.errors import GameError, count_seats_from_one
from jasstisch.games.rules import Json
from jasstisch.i18n.templates import Segment, Values, render

_NARROW_NBSP = "\u202f"
"""Precedes a colon in French; dropped in the terminal, which would break the line there."""

_MAX_CANDIDATES = 9
"""The most candidates to list: as many as a hand of tricks has cards."""

_MAX_MISTAKES = 5
"""The most mistakes in the summary."""

_MAX_WORKERS = 8
_ANALYSIS_BOT = "master"
"""The bot whose search evaluates the decisions."""


def analyse_match(match: jt.Match, number: int | None, seat: int | None) -> Analysis:
    """Analyses a match on all cores, with progress on a terminal.

    Raises:
        CommandError: the round is not finished, or there is no such seat.
    """
    workers = min(os.cpu_count() or 1, _MAX_WORKERS)
    try:
        check_analysable(match, number, seat)
        warm_up([bot(_ANALYSIS_BOT)], match.game.name, stderr_console())
        with ThreadPoolExecutor(workers) as executor, _show_progress() as advance:
            return analyse(match, number, seat=seat, executor=executor, progress=advance)
    except GameError as error:
        raise CommandError(count_seats_from_one(str(error))) from error


@contextmanager
def _show_progress() -> Iterator[Callable[[int, int], None]]:
    """Shows on a terminal how many decisions have been evaluated.

    Yields the function to call after each one.
    """
    console = stderr_console()
    if not console.is_terminal:
        yield lambda _done, _total: None
        return
    columns = (TextColumn("Analysing"), BarColumn(20), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True) as shown:
        task = shown.add_task("", total=None)
        yield lambda done, total: shown.update(task, completed=done, total=total)


class AnalysisRenderer:
    """Renders an analysis in one language.

    Args:
        analysis: the analysis.
        match: the analysed match.
        language: one of the languages of the texts.
        card_style: the style of the cards.
        width: columns.
        candidates: whether to list all candidates with their values.
    """

    def __init__(
        self,
        analysis: Analysis,
        match: jt.Match,
        language: str,
        card_style: CardStyle,
        width: int,
        *,
        candidates: bool = False,
    ) -> None:
        self.analysis = analysis
        self.match = match
        self.seen = match.view(None)
        self.card_style = card_style
        self.width = width
        self.candidates = candidates
        self.seats = PlayerNames(match.players)
        self.measure = metric_of(analysis.game)
        self.reasons = reason_texts(language)
        self.words = report_texts(language)
        self.called = i18n.load_game_texts(analysis.game, language)
        self.names = suit_and_rank_names(language)
        self.unit = self.words.get(analysis.unit, analysis.unit)

    def lines(self) -> Iterator[RenderableType]:
        """Yields the whole report."""
        for number in self.analysis.rounds:
            own = [one for one in self.analysis.decisions if one.round == number]
            yield from self.round_lines(number, own)
        yield from self.costliest_mistake_lines()
        yield ""
        yield from self.losses_by_player()

    # Rounds.

    def round_lines(self, number: int, decisions: Sequence[Decision]) -> Iterator[RenderableType]:
        """Yields the decisions of one round, each below the table at that moment."""
        finished = self.seen["rounds"][number - 1]
        title = Text(self.words["round"].format(number=number), "bold")
        if has_contracts(self.match.game.name):
            title.append(" · ").append_text(self.contract_line(finished))
        elif finished["trump"]:
            trump = self.fill_template(self.words["trump"], {"suit": finished["trump"]})
            title.append(" · ").append_text(trump)
        yield title
        for head, some in self.decision_groups(number - 1, decisions):
            yield ""
            yield head
            yield Padding(self.decision_table(some), (0, 0, 0, 2))
        yield ""

    def contract_line(self, finished: Json) -> Text:
        """Returns the contract and its factor."""
        text = self.action_text(
            finished["line" if plays_each_line_once(self.match.game.name) else "contract"]
        )
        factor = f" ×{finished['factor']}"
        return text if finished["factor"] == 1 or factor in text.plain else text.append(factor)

    def decision_groups(
        self, place: int, decisions: Sequence[Decision]
    ) -> Iterator[tuple[Text, list[Decision]]]:
        """Yields the decisions grouped by trick or claim, each group with its heading."""
        groups: list[tuple[Text, list[Decision]]] = []
        shown = ""
        for one in decisions:
            belongs = self.group_heading(one)
            if belongs != shown:
                head = self.trick_line(place, one.trick) if one.trick else Text(belongs, "dim")
                groups.append((head, []))
                shown = belongs
            groups[-1][1].append(one)
        yield from groups

    def group_heading(self, decision: Decision) -> str:
        """Returns the heading of a group: a trick, a claim, or the part before the first trick."""
        if decision.trick:
            return self.words["trick"].format(number=decision.trick)
        if has_claims(self.seen):
            number = decision.view["claims"] + (decision.view["phase"] == "lay")
            return self.words["claim"].format(number=number)
        phase: str = decision.view["phase"]
        return self.words.get(f"phase_{phase}") or self.called.phases.get(phase, phase)

    def trick_line(self, place: int, number: int) -> Text:
        """Returns a complete trick in order of play, with its winner."""
        trick = self.seen["rounds"][place]["tricks"][number - 1]
        seats = playing_seats(self.seen, place)
        first = seats.index(trick["leader"])
        order = [*seats[first:], *seats[:first]]
        parts = []
        for seat, card in zip(order, trick["cards"], strict=True):
            name = Text(f"{self.seats[seat]} ", "bold" if seat == trick["winner"] else "")
            parts.append(name.append_text(self.card_text(card)))
        parts.append(Text(f"→ {self.seats[trick['winner']]}"))
        return wrap_parts(self.words["trick"].format(number=number), parts, self.width)

    def decision_table(self, decisions: Sequence[Decision]) -> Table:
        """Returns a table of players, their choices and the remarks on them."""
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(min_width=max(map(cell_len, self.seats.names)), no_wrap=True)
        table.add_column(min_width=self.card_style.max_card_width, max_width=24)
        table.add_column(ratio=1)
        for one in decisions:
            remark = self.remark(one)
            cell = Group(remark, *self.candidate_list(one)) if self.candidates else remark
            table.add_row(Text(self.seats[one.seat]), self.action_text(one.played), cell)
        return table

    def candidate_list(self, decision: Decision) -> Iterator[RenderableType]:
        """Yields the candidates, best first, with their figures; the chosen one is bold."""
        head = "expected_lead" if self.match.game.rules.sides else "expected"
        yield Text(self.words[head].format(unit=self.unit), "dim")
        cells = []
        for candidate in decision.candidates[:_MAX_CANDIDATES]:
            cell = self.action_text(candidate.action).append(
                f" {self.format_metric(candidate.figure)}"
            )
            if candidate.action == decision.played:
                cell.stylize("bold")
            cells.append(cell)
        if len(decision.candidates) > len(cells):
            cells.append(Text("…"))
        yield Columns(cells, padding=(0, 3))

    def remark(self, decision: Decision) -> Text:
        """Returns the better action with the reason, or why a good choice was good."""
        why = self.reason_text(decision)
        if not decision.mistake and decision.loss <= self.measure.costly_from:
            why.stylize("dim")
            return why
        better = self.improvement_text(decision)
        redundant = (f"{self.measure.gain_reason_id}_cost", "match_cost")
        if decision.reason in redundant:  # it repeats the reason
            return better
        return better.append(" ").append_text(why)

    def reason_text(self, decision: Decision) -> Text:
        """Returns the reason in words."""
        return self.fill_template(self.reasons[decision.reason], decision.values)

    def improvement_text(self, decision: Decision) -> Text:
        """Returns the better action and by how much it is better."""
        loss = self.format_metric(decision.loss)
        key = "better" if decision.loss > 0 else "better_match"
        key, style = (key, "bold yellow") if decision.mistake else ("better_perhaps", "dim")
        before, after = self.words[key].split("{best}")
        text = Text(before).append_text(self.action_text(decision.best))
        return text.append(after.format(loss=loss, unit=self.unit), style)

    # Summary.

    def costliest_mistake_lines(self) -> Iterator[RenderableType]:
        """Yields the decisions that cost most, the costliest first."""
        mistakes = self.analysis.mistakes_by_cost
        if not mistakes:
            yield Text(self.words["faultless"])
            return
        yield Text(self.words["mistakes"], "bold")
        table = Table.grid(padding=(0, 2, 0, 0))
        for _ in range(3):
            table.add_column(no_wrap=True)
        table.add_column(ratio=1)
        for one in mistakes[:_MAX_MISTAKES]:
            name = Text(self.seats[one.seat])
            table.add_row(
                self.location_text(one), name, self.action_text(one.played), self.remark(one)
            )
        yield Padding(table, (0, 0, 0, 2))

    def location_text(self, decision: Decision) -> Text:
        """Returns where in the match a decision was made."""
        rounds = [self.words["round"].format(number=decision.round)] * (
            len(self.analysis.rounds) > 1
        )
        return Text(", ".join([*rounds, self.group_heading(decision)]), "dim")

    def losses_by_player(self) -> Iterator[RenderableType]:
        """Yields what each player lost, and in how many decisions."""
        yield Text(self.words["given_away"], "bold")
        table = Table.grid(padding=(0, 2, 0, 0))
        for seat, lost in enumerate(self.analysis.lost):
            own = [one for one in self.analysis.decisions if one.seat == seat]
            if own:
                cell = self.words["in_decisions"].format(
                    loss=self.format_metric(lost),
                    unit=self.unit,
                    mistakes=sum(one.mistake for one in own),
                    decisions=len(own),
                )
                table.add_row(Text(self.seats[seat]), Text(cell))
        yield Padding(table, (0, 0, 0, 2))

    # Texts and cards.

    def action_text(self, action: str) -> Text:
        """Returns an action in words: a card, a bid, or cards and the claimed rank.

        Other actions have the labels of their game.
        """
        verb, *words = action.split()
        match verb:
            case "play":
                weis = [Text(f"+ {self.words['weis']}") for _ in words[1:]]
                return Text(" ").join([self.card_text(words[0]), *weis])
            case "bid":
                return Text(words[0])
            case "lay":
                *cards, _, rank = words
                return self.card_row(cards).append(f" → {self.names[rank]}")
            case _:
                said = self.called.action_label(action)
                return Text(action) if said is None else Text().join(map(self.render_part, said))

    def card_text(self, card: str) -> Text:
        """Returns a card; the suit by its name where it has no symbol."""
        if self.card_style.suit_symbols:
            return self.card_style.card_text(card)
        return Text(
            f"{self.card_style.rank_text(card)} {self.names[card[1]]}",
            self.card_style.suit_colours[card[1]],
        )

    def card_row(self, cards: Iterable[str]) -> Text:
        """Returns cards side by side."""
        return Text(" ").join([self.card_text(card) for card in cards])

    def fill_template(self, text: str, values: Values) -> Text:
        """Fills the placeholders of a text."""
        result = Text()
        for piece in render(text.replace(_NARROW_NBSP, ""), values):
            result.append_text(self.render_part(piece))
        return result

    def render_part(self, piece: Segment) -> Text:
        """Renders one part of a text."""
        kind, text = piece
        match kind:
            case "card":
                return self.card_text(text)
            case "suit":
                return Text(
                    self.card_style.suit_symbols.get(text) or self.names[text],
                    self.card_style.suit_colours[text],
                )
            case "ranks":
                return Text(self.names[text])
            case "seat":
                return Text(self.seats[int(text)])
            case "number":
                return Text(self.localize_number(text))
            case _:
                return Text(text)

    def format_metric(self, figure: float) -> str:
        """Formats a value in the unit of the game."""
        return self.localize_number(self.measure.format_difference(figure))

    def localize_number(self, text: str) -> str:
        """Formats a number with the separators of the language."""
        return text.replace("-", "−").replace(".", self.words["decimal"])
