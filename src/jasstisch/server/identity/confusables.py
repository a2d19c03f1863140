"""What a name looks like: letters that are drawn alike, and characters that show nothing.

The table of letters is an extract of Unicode's confusables (`confusables.txt`, Unicode 15), after
compatibility decomposition and case folding, for the letters of the words that belong to computer
players. A library has all 6,000 pairs in a megabyte; these words need
thirteen letters and the colon.
"""

import re
import unicodedata

__all__ = ["impersonates_bot", "is_invisible", "skeleton"]

CONFUSABLES: dict[str, str] = {
    "a": "ɑαаᎪᗅ⍺ꓮ𐊠𖽀",
    "b": "ƅʙβвьᏏᏴᑲᖯᗷꓐꞵ𐊂𐊡𐌁",
    "c": "σсᏟᴄⲥꓚ𐊢𐌂𐐽𐔜𑣩𑣲🝌",
    "d": "ԁᎠᏧᑯᗞᗪꓒꓓᴅ",
    "e": "εеҽᎬ℮⋿ⴹꓰꬲ𐊆𑣆𑣎ᴇ",
    "i": "1ıɩɪιіӏᎥ⍳ꙇ𑣃",
    "m": "μϻмᎷᗰᛖⲙꓟ𐊰𐌑ᴍ",
    "n": "νոռⲛꓠ𐔓ɴ",
    "o": "0οσоօ۵०০੦૦ଠ୦௦౦೦ഠ൦๐໐ဝ၀ჿዐᴏᴑⲟⵔ〇ꓳꬽ𐊒𐊫𐐬𐓪𐔖𑓐𑣈𑣕𑣗𑣠",
    "p": "ρрᏢᑭ⍴ⲣꓑ𐊕ᴘ",
    "r": "ʀгᎡᎱᏒᖇᴦⲅꓣꭇꭈ𐓜𖼵𝈖",
    "t": "τтᎢ⊤⟙ⲧꓔ𐊗𐊱𐌕𑣜𖼊🝨ᴛ",
    "u": "ʋυսሀᑌᴜ∪⋃ꓴꞟꭎꭒ𐓶𑣘𖽂",
    ":": "ː˸։᛬᠃᠉⁚∶ꓽ꞉׃܃܄",
}
"""For each letter what is drawn like it; in two rows stands what is drawn like either."""

_SKELETON_MAP = {ord(one): letter for letter, row in CONFUSABLES.items() for one in row}

INVISIBLE_NAME = re.compile(
    r"\b(FILLER|BLANK|INVISIBLE|INHERENT|NULL NOTEHEAD|GRAPHEME JOINER|VARIATION SELECTOR)\b"
)
"""Words by which Unicode's own names tell letters, signs and marks that are drawn as nothing.

Their categories tell them as letters and signs like any other; the property that would tell them
apart, Default_Ignorable_Code_Point, is not among those that Python knows.
"""

BOT_NAME = re.compile(r"\W*bot\s*:|.*\((computer|ordinateur)\)$|(computer|ordinateur)[\W\d_io]*$")
"""How the names of computer players look: `bot:club`, and as they are shown in our languages.

A digit 1 reads as an i by now, and a 0 as an o.
"""


def skeleton(name: str) -> str:
    """What a name looks like: names with the same likeness can hardly be told apart.

    Case, marks, what is not seen, and letters that are drawn alike make no difference.
    """
    bare = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).casefold())
    seen = (one for one in bare if not unicodedata.category(one).startswith(("M", "C")))
    return " ".join("".join(seen).translate(_SKELETON_MAP).split())


def impersonates_bot(name: str) -> bool:
    """Whether a name is, or looks like, that of a computer player."""
    return (
        BOT_NAME.match(skeleton(name)) is not None
        or BOT_NAME.match(_latin_skeleton(name)) is not None
    )


def _latin_skeleton(name: str) -> str:
    """The likeness where sigma is read as the letter it is not read as there, o for c."""
    return skeleton(unicodedata.normalize("NFKD", name).casefold().replace("σ", "c"))


def is_invisible(char: str) -> bool:
    """Whether a character that stands alone shows nothing at all.

    Spaces, controls, and what is for the formatting of text; and by their names the letters, signs
    and marks that are there to fill a place, as U+2800, U+3164 or U+FFA0.
    """
    if unicodedata.category(char).startswith(("C", "Z")):
        return True
    return INVISIBLE_NAME.search(unicodedata.name(char, "")) is not None
