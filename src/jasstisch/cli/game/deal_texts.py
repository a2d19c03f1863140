"""What the terminal says about the deals of a match at a server."""

from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import Any

from rich.text import Text

from jasstisch.cli.game.number_ranges import number_ranges
from jasstisch.cli.ui.player_names import PlayerNames
from jasstisch.cli.ui.translator import Translator
from jasstisch.client import PASSING, ConnectionLostError, DealVerdict, RequestError
from jasstisch.fairness import VerificationReport

_SHORT_DIGITS = 16
"""The digits of a commitment in its short form, enough to compare it by eye."""


def broken_deals_text(pack: int, translator: Translator) -> str:
    """Tells that the server has broken the protocol, at a pack or in the match as a whole (0)."""
    name = "deals_broken_pack" if pack else "deals_broken"
    return translator.shared_text(name, n=pack).plain


def deal_verdict_lines(
    verdict: DealVerdict, record: Mapping[str, Any], translator: Translator
) -> Iterator[Text]:
    """Tells what was found about the deals of a match.

    Args:
        verdict: what was found.
        record: the record of the match.
        translator: the language.
    """
    if verdict.report is None:
        reason = _fault_text(verdict, translator)
        yield Text(f"{translator.shared_texts['deals_wrong']}: {reason}", "bold red")
        return
    name = "deals_verified" if verdict.kind == "verified" else "deals_hold"
    own, total = verdict.own_pack_count, verdict.report.pack_count
    yield Text(". ").join(
        [
            translator.shared_text(name),
            translator(
                "join.deals_field",
                label=translator.shared_text("deals_own"),
                value=translator.shared_text("deals_of", n=own, total=total),
            ),
        ]
    )
    if verdict.ended_early:
        yield translator("join.deals_early")
    for name, packs in (
        ("deals_excluded_packs", verdict.excluded_packs),
        ("deals_unseen_packs", verdict.unseen_packs),
    ):
        if packs:
            yield translator.shared_text(name, packs=number_ranges(packs))
    yield from _report_lines(verdict.report, PlayerNames(record["players"]), translator)
    if verdict.commitment is not None:
        label = translator.shared_text("deals_commitment")
        value = short_commitment(verdict.commitment)
        yield translator("join.deals_field", label=label, value=value)
        yield translator.shared_text("deals_same" if verdict.compared else "deals_not_told")


def is_refusal(error: Exception) -> bool:
    """Whether a server refuses something for good, or cannot be asked."""
    refusal = error.__cause__ if isinstance(error, ConnectionLostError) else error
    return isinstance(refusal, RequestError) and refusal.code not in PASSING


def unproven_deals_lines(
    error: Exception, translator: Translator, *, with_reason: bool
) -> Iterator[Text]:
    """Tells that a match was announced with a proof of its deals, and the record does not come.

    Args:
        error: why it does not come.
        translator: the language.
        with_reason: whether to tell that as well.
    """
    texts = translator.shared_texts
    why = texts["deals_refused" if is_refusal(error) else "deals_unreached"]
    reason = f" ({error})" if with_reason else ""
    yield Text(f"{texts['deals_unproven']}: {why}{reason}", "bold")
    yield Text(texts["deals_record_later"])


def short_commitment(commitment: bytes) -> str:
    """Returns the beginning of a commitment in groups, such as `7c42 8e23 5185 f63a …`."""
    digits = commitment.hex()[:_SHORT_DIGITS]
    return " ".join([*wrap(digits, 4), "…"])


def _fault_text(verdict: DealVerdict, translator: Translator) -> str:
    """Tells what is wrong with the deals."""
    pack = 0 if verdict.problem is None else verdict.problem.pack
    told, found = verdict.told_commitment, verdict.commitment
    match verdict.kind:
        case "broken":
            return broken_deals_text(pack, translator)
        case "silent":
            return translator.shared_texts["deals_silent"]
        case _ if verdict.other_match:
            return translator.shared_texts["deals_other_match"]
        case _ if told is not None and found is not None and told != found:
            both = {"told": short_commitment(told), "found": short_commitment(found)}
            return translator.shared_text("deals_replaced", **both).plain
        case _:
            name = "deals_wrong_pack" if pack else "deals_wrong_match"
            return translator.shared_text(name, n=pack).plain


def _report_lines(
    report: VerificationReport, names: PlayerNames, translator: Translator
) -> Iterator[Text]:
    """Tells which packs were drawn again, and which ones the server alone decided."""
    for miss in report.missed_openings:
        yield translator.shared_text("deals_missed", n=miss.pack_number, name=names[miss.seat])
    if report.secret_only_packs:
        yield translator("join.deals_alone", packs=number_ranges(report.secret_only_packs))
