"""Who a person is: tokens, devices, codes, bans, nicknames and their data.

It knows no table; what a person may do at one is decided in `jasstisch.server.tables`. Begin with
`service`.
"""

from jasstisch.server.identity import base32_codes
from jasstisch.server.identity.data_export import export_person, stream_export
from jasstisch.server.identity.service import (
    LINK_CODE_LIFETIME_S,
    AuthenticatedPerson,
    IdentityService,
    device_id,
)
from jasstisch.server.identity.text_sanitizer import normalize_chat_line, normalize_nickname
from jasstisch.server.identity.tokens import SetCookie, new_link_key, new_table_id, new_token

__all__ = [
    "LINK_CODE_LIFETIME_S",
    "AuthenticatedPerson",
    "IdentityService",
    "SetCookie",
    "base32_codes",
    "device_id",
    "export_person",
    "new_link_key",
    "new_table_id",
    "new_token",
    "normalize_chat_line",
    "normalize_nickname",
    "stream_export",
]
