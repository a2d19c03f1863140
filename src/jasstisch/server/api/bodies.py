"""The bodies of REST requests and responses, as typed structs.

Unknown fields, wrong types and values beyond the stated limits are rejected in requests. The
messages over the WebSocket are in `messages`.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from jasstisch.server.api.messages import ErrorCode, Face, Nickname, Seat
from jasstisch.table.client_state import Card, OptionValue


class OptionInfo(Struct, forbid_unknown_fields=True, frozen=True):
    """An option of a game: either a list of `values`, or whole numbers from `min` to `max`.

    `default` is the value for the game's usual number of players; null is "not given". If it
    depends on the number of players, `defaults` has the value for each number, which is a text.
    """

    name: str
    default: OptionValue
    values: list[OptionValue] | None = None
    min: int | None = None
    max: int | None = None
    defaults: dict[str, int] | None = None


class GameInfo(Struct, forbid_unknown_fields=True, frozen=True):
    """A game that can be played here and its options, including the number of players.

    `guided` is the number of seats in its tutorial, null if it has none. `computers` are the bots
    that play it: our own from weakest to strongest, then others; `preparing` are those of them that
    are not ready yet, as for a minute after the very first start. `hints`: tables of this game can
    offer hints.
    """

    name: str
    options: list[OptionInfo]
    guided: int | None
    computers: list[str]
    preparing: list[str]
    hints: bool


class SiteConfig(Struct, forbid_unknown_fields=True, frozen=True):
    """The operator's configuration of the page.

    `languages` are the offered languages; browsers that accept none of them get English, or the
    first where it is not offered. `greeting` is a plain text for the start page by language, of at
    most 300 characters; readers of other languages see the first one. It is empty without a
    greeting.
    """

    languages: list[str]
    greeting: dict[str, str]


class Emblem(Struct, forbid_unknown_fields=True, frozen=True):
    """An emblem on a field of 72 by 72: the paths of its white lines and of its red ones."""

    chalk: list[str]
    fire: list[str]


class PageConfig(SiteConfig, forbid_unknown_fields=True, frozen=True):
    """What the page needs to know first: the operator's configuration, and the games.

    `games` are the names of all games, as they are listed. `texts` is the version of the texts of
    the games: requested with it, as in `?v=1f6a…`, they may be kept for good.
    """

    games: list[str]
    texts: str


class GameSummary(Struct, forbid_unknown_fields=True, frozen=True):
    """A game in the list of games: its name in a language, for how many it is, and its emblem."""

    name: str
    label: str
    players: list[int]
    emblem: Emblem | None


class OptionTexts(Struct, forbid_unknown_fields=True, frozen=True):
    """The texts of an option: its name and description, and the names of its values.

    The keys are the texts of the values; a value that is missing needs no name.
    """

    label: str
    help: str
    values: dict[str, str]


class ActionTexts(Struct, forbid_unknown_fields=True, frozen=True):
    """The texts of an action: its label, as on a button, and its meaning."""

    label: str
    note: str


class RuleSheetExample(Struct, forbid_unknown_fields=True, frozen=True):
    """The example of a rule sheet: the cards of each numbered step of a section, counted from 0.

    `best` is the step whose card takes the trick.
    """

    section: int
    steps: list[list[Card]]
    best: int | None


class GameTexts(Struct, forbid_unknown_fields=True, frozen=True):
    """How a game is shown: its texts in a language, and what is the same in every language.

    `phases` holds the questions shown when somebody chooses among actions. The keys of `actions`
    and `contracts` are their texts, or patterns such as `trump {suit}`, whose placeholders occur in
    the texts too; the keys of `columns` are those of a round or standing. `places` gives for an
    option the section of the rule sheet, from 0, that it changes; `effects` gives, for an option
    that has an effect only with certain values of others, these values. `seats` are the keys of its
    views whose value is a seat. `ranks` are those of its pack; `sheet`: it has a rule sheet, if
    only in another language.
    """

    name: str
    about: str
    options: dict[str, OptionTexts]
    phases: dict[str, str]
    actions: dict[str, ActionTexts]
    contracts: dict[str, str]
    columns: dict[str, str]
    places: dict[str, int]
    effects: dict[str, dict[str, list[OptionValue]]]
    example: RuleSheetExample | None
    seats: list[str]
    ranks: str
    sheet: bool


class NewTable(Struct, forbid_unknown_fields=True, frozen=True):
    """A table to be created: one entry of `seats` per player, in order of play.

    An entry is `me` (at most once), `open`, or a bot such as `bot:greedy`. `thinking_time` in
    seconds for a card, twice that for a bid and the first card; null for the default: a minute if
    two people or more may play, otherwise no limit. `match_time`: seconds for all turns of a match
    together, in addition. `pause` in milliseconds before a bot's move; `starters`: who may start
    the match; `start`: start at once, with bots in the open seats. `face`: that of the creator, as
    in `sit`. `guided`: the first round is the tutorial of the game; `me` has the first seat, bots
    have the others, and nothing else is chosen. `hints`: the player whose turn it is may ask what a
    strong player would do. `stand_in`: the bot for seats still open at the start, and for people
    who are away or have left; null for the usual bot of the game, as in the terminal.
    """

    game: Annotated[str, Meta(max_length=40)]
    seats: Annotated[
        list[Annotated[str, Meta(max_length=40)]],
        Meta(min_length=2, max_length=16),
    ]
    options: Annotated[dict[str, OptionValue], Meta(max_length=32)] = {}
    name: Annotated[str, Meta(max_length=64)] = ""
    face: Face = 0
    thinking_time: Annotated[int, Meta(ge=5, le=3600)] | Literal["unlimited"] | None = None
    match_time: Annotated[int, Meta(ge=60, le=6 * 3600)] | None = None
    pause: Annotated[int, Meta(ge=0, le=3000)] = 700
    start: bool = False
    starters: Literal["all", "host"] = "host"
    guided: bool = False
    hints: bool = False
    stand_in: Annotated[str, Meta(max_length=40)] | None = None


class ResumeMatch(Struct, forbid_unknown_fields=True, frozen=True):
    """Continue a finished match from one of its steps, at a new table, against bots.

    `step` is the number of completed steps in the record's `log`; the match continues with the
    first decision after them. `seat`: the caller's seat; null for their seat in the match, or if
    they had none, for that of the player to act. `name` and `face` are as in `sit`.
    """

    step: Annotated[int, Meta(ge=0, le=10**6)]
    name: Nickname
    seat: Seat | None = None
    face: Face = 0


class PublicSeat(Struct, frozen=True):
    """A seat of a published table: the nickname and face of a person, or the bot.

    `program`: as in `SeatInfo`.
    """

    kind: Literal["person", "computer", "open"]
    name: str
    bot: str | None
    face: int
    program: bool = False


class PublicTable(Struct, frozen=True):
    """A published table. People who find it here need no key.

    `running`: a match is in progress and may be watched; otherwise the table waits for people.
    `since`: the time, in seconds since 1970, when it was first published, started, or loaded again
    into the server's memory. `entry`: who may take a seat.
    """

    table: str
    game: str
    options: dict[str, OptionValue]
    running: bool
    since: float
    seats: list[PublicSeat]
    entry: Literal["link", "host", "nobody"]
    thinking_time: int | None


class PublicTables(Struct, forbid_unknown_fields=True, frozen=True):
    """The published tables, newest first: those with free seats, and those in play."""

    waiting: list[PublicTable]
    running: list[PublicTable]


class CreatedTable(Struct, forbid_unknown_fields=True, frozen=True):
    """The new table's id, which is also the secret part of its link, and the creator's seat."""

    table: str
    seat: int | None


class Device(Struct, forbid_unknown_fields=True, frozen=True):
    """A device of a person.

    `made` and `used` are the days it was added and last used, as in 2026-05-31; no exact times and
    no addresses are stored. `here`: it is the device that asks. `recovery`: it made the recovery
    code, which ends when the device is forgotten and another one is left.
    """

    id: str
    made: str
    used: str
    here: bool
    recovery: bool


class IdentityInfo(Struct, forbid_unknown_fields=True, frozen=True):
    """The caller's devices, and the day their recovery code was created, if they have one.

    Without an identity there are no devices. `grace_days` is the number of days after which the
    server erases somebody whom no device and no code leads to any more.
    """

    devices: list[Device]
    recovery: str | None
    grace_days: int


class IssuedCode(Struct, forbid_unknown_fields=True, frozen=True):
    """A new code, in groups, and its lifetime in seconds; null: valid until it is replaced."""

    code: str
    seconds: int | None


class JoinCodeTarget(Struct, forbid_unknown_fields=True, frozen=True):
    """The table to which a join code leads: its id, and the key in its link, or null."""

    table: str
    key: str | None


class CodeInput(Struct, forbid_unknown_fields=True, frozen=True):
    """A code as a person has typed it; case, spaces and hyphens are ignored."""

    code: Annotated[str, Meta(min_length=1, max_length=64)]


class RedeemCode(CodeInput, forbid_unknown_fields=True, frozen=True):
    """A code that makes the calling device somebody else's.

    `give_up` consents that nothing may lead to the device's former person any more.
    """

    give_up: bool = False


class ForgetDevice(Struct, forbid_unknown_fields=True, frozen=True):
    """One of the caller's devices, by its id.

    `give_up` consents that nothing may lead to the caller any more.
    """

    device: Annotated[str, Meta(min_length=1, max_length=32)]
    give_up: bool = False


class NicknameReport(Struct, forbid_unknown_fields=True, frozen=True):
    """The seat with an offensive nickname."""

    seat: Seat


class AnalysisProgress(Struct, forbid_unknown_fields=True, frozen=True):
    """The progress of an analysis: rounds done of all rounds, decisions done of all decisions."""

    rounds: int
    of_rounds: int
    decisions: int
    of_decisions: int


class CandidateAction(Struct, forbid_unknown_fields=True, frozen=True):
    """An action that was evaluated, and its average result, rounded for display."""

    action: str
    figure: float


class AnalysedDecision(Struct, forbid_unknown_fields=True, frozen=True):
    """A decision of a player, judged by what they could know at the time.

    `step` is its index in the `log` of the record; `trick` is the number of the trick to which a
    card was played, from 1, and 0 for any other action. `alternatives` are the fully evaluated
    actions, best first, including the one `played`. `loss` is the difference between the results of
    `best` and `played` in the unit of the game; it may be negative if `best` is better only for the
    match. `mistake`: the loss exceeds the random error of the evaluation. `reason` and `values` are
    as in a `HintReply`; `text` gives the reason as text, with French cards.
    """

    round: int
    step: int
    seat: int
    trick: int
    played: str
    best: str
    loss: float
    mistake: bool
    alternatives: list[CandidateAction]
    reason: str
    values: dict[str, int | str]
    text: str = ""


class MatchAnalysis(Struct, forbid_unknown_fields=True, frozen=True):
    """The best action in each decision of a match, and the cost of each choice.

    `unit` is the internal name of the unit of all results, and `unit_text` its name in the
    language; they are rounded to `digits` digits, and higher ones are better if `high_is_good`.
    `decisions` are in the order of the record; `dearest` are the indices of the mistakes among
    them, costliest first; `lost` is the total cost of mistakes for each seat.
    """

    game: str
    lang: str
    unit: str
    unit_text: str
    digits: int
    high_is_good: bool
    rounds: list[int]
    decisions: list[AnalysedDecision]
    dearest: list[int]
    lost: list[float]


class AnalysisState(Struct, forbid_unknown_fields=True, frozen=True):
    """The status of the analysis of a match of the table, by its number.

    `none`: it was not requested; `running`: it is being computed, with its `progress` once known;
    `failed`: it has failed and may be requested again; `ready`: the `analysis` is available.
    """

    match: int
    state: Literal["none", "running", "failed", "ready"]
    progress: AnalysisProgress | None
    analysis: MatchAnalysis | None


class PlayedMatch(Struct, forbid_unknown_fields=True, frozen=True):
    """A finished match, as shown to a person who has played it.

    `match` is its number at the table; `ended` is when it ended, as in 2026-05-31T20:15:00+00:00;
    `players` are by seat, `seat` is the caller's own, `winners` are the seats that won, and `sides`
    the partnerships. `standing` is the score of each seat, null if the game does not define what
    decides a match.
    If the match was analysed, `lost` is the cost of the caller's mistakes, in so many `decisions`.
    `resumed`: the number of steps taken over from another match; if there are any, the match counts
    in none of the results.
    `characters` are those of the bots, by seat, as in `SeatInfo`; null if they are the seat
    numbers.
    """

    table: str
    match: int
    game: str
    ended: str
    players: list[str]
    seat: int
    winners: list[int]
    sides: list[list[int]]
    standing: list[int | float | str] | None
    lost: float | None
    decisions: int | None
    resumed: int = 0
    characters: list[int] | None = None


class GameResults(Struct, forbid_unknown_fields=True, frozen=True):
    """A person's results in a game: the number of matches, how many they won, and a mean.

    `mean` is the average metric of the game in a round, rounded to `digits` digits, and `unit_text`
    is its unit; higher values are better if `high_is_good`. It is null in a game without a metric.
    """

    game: str
    matches: int
    won: int
    mean: float | None
    unit_text: str
    digits: int
    high_is_good: bool


class MatchMistakes(Struct, forbid_unknown_fields=True, frozen=True):
    """The cost of a person's mistakes in a match; as in a `PlayedMatch`."""

    table: str
    match: int
    game: str
    ended: str
    lost: float
    decisions: int


class MistakesByUnit(Struct, forbid_unknown_fields=True, frozen=True):
    """The cost of a person's mistakes, in the games with the same unit.

    `matches` are the analysed ones, the latest 500, in chronological order; their values are
    rounded to `digits` digits.
    """

    unit: str
    unit_text: str
    digits: int
    matches: list[MatchMistakes]


class MatchHistoryPage(Struct, forbid_unknown_fields=True, frozen=True):
    """A page of the matches that the caller has played and finished, latest first.

    `next` is the cursor of the next page, null on the last one. `unread` tables are not included
    yet: ask again. `whole`: the matches of all tables are included; otherwise only those of the
    most recently changed tables. `games`, most played first, and `given` cover all matches, not
    only those of this page; they come with the first page and are null on the others.
    """

    matches: list[PlayedMatch]
    next: str | None
    unread: int
    whole: bool
    games: list[GameResults] | None
    given: list[MistakesByUnit] | None


class ErrorBody(Struct, forbid_unknown_fields=True, frozen=True):
    """The reason why a REST request was refused."""

    code: ErrorCode
    message: str
