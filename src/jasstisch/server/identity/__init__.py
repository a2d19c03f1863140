"""People's identities: tokens, devices, codes, bans, nicknames and personal data.

The package does not depend on tables; `jasstisch.server.tables` decides what a person may do at
one. Start reading with `service`.
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
