"""What the terminal says about the deals of a match at a server."""

from rich.text import Text

from jasstisch.cli.ui.translator import Translator
from jasstisch.client import DealVerdict


def broken_deals_text(pack: int, translator: Translator) -> str:
    """Tells that the server has broken the protocol, at a pack or in the match as a whole (0)."""
    name = "deals_broken_pack" if pack else "deals_broken"
    return translator.shared_text(name, n=pack).plain


def deal_verdict_text(verdict: DealVerdict, translator: Translator) -> Text:
    """Tells what was found about the deals of a match."""
    if verdict.report is not None:
        own, total = verdict.own_pack_count, verdict.report.pack_count
        return translator("join.deals_verified", own=own, total=total)
    pack = 0 if verdict.problem is None else verdict.problem.pack
    match verdict.kind:
        case "broken":
            reason = broken_deals_text(pack, translator)
        case "silent":
            reason = translator.shared_texts["deals_silent"]
        case _:
            name = "deals_wrong_pack" if pack else "deals_wrong_match"
            reason = translator.shared_text(name, n=pack).plain
    return Text(f"{translator.shared_texts['deals_wrong']}: {reason}", "bold red")
