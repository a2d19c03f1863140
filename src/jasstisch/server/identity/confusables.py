"""The visual similarity of names: letters that look alike, and invisible characters.

The table of letters is an extract of Unicode's confusables (`confusables.txt`, Unicode 15), after
compatibility decomposition and case folding, for the letters of the words that occur in bots'
names. A library has all 6,000 pairs in a megabyte; these words need thirteen letters and the colon.
"""

import re
import unicodedata

_CONFUSABLES: dict[str, str] = {
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
"""For each letter, the characters that look like it; those that look like two are in both rows."""

_SKELETON_MAP = {ord(one): letter for letter, row in _CONFUSABLES.items() for one in row}

_INVISIBLE_NAME = re.compile(
    r"\b(FILLER|BLANK|INVISIBLE|INHERENT|NULL NOTEHEAD|GRAPHEME JOINER|VARIATION SELECTOR)\b"
)
"""Words in Unicode names that identify letters, signs and marks that are rendered as nothing.

Their categories are those of ordinary letters and signs. The property that would identify them,
Default_Ignorable_Code_Point, is not available in Python.
"""

_BOT_NAME = re.compile(r"\W*bot\s*:|.*\((computer|ordinateur)\)$|(computer|ordinateur)[\W\d_io]*$")
"""The pattern of bots' names: `bot:club`, and as they are displayed in the supported languages.

At this point, the digit 1 has been replaced by an i, and 0 by an o.
"""


def skeleton(name: str) -> str:
    """The skeleton of a name (Unicode TR39): names with equal skeletons are hard to tell apart.

    It ignores case, marks, invisible characters and the differences between similar letters.
    """
    bare = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).casefold())
    seen = (one for one in bare if not unicodedata.category(one).startswith(("M", "C")))
    return " ".join("".join(seen).translate(_SKELETON_MAP).split())


def impersonates_bot(name: str) -> bool:
    """Whether a name is, or looks like, the name of a bot."""
    return (
        _BOT_NAME.match(skeleton(name)) is not None
        or _BOT_NAME.match(_latin_skeleton(name)) is not None
    )


def _latin_skeleton(name: str) -> str:
    """The skeleton with the other reading of sigma, which looks like both o and c."""
    return skeleton(unicodedata.normalize("NFKD", name).casefold().replace("σ", "c"))


def is_invisible(char: str) -> bool:
    """Whether a character is invisible on its own.

    These are spaces, control and formatting characters, and filler letters, signs and marks, which
    their Unicode names identify, such as U+2800, U+3164 or U+FFA0.
    """
    if unicodedata.category(char).startswith(("C", "Z")):
        return True
    return _INVISIBLE_NAME.search(unicodedata.name(char, "")) is not None
