"""The tables that a server holds in memory.

The registry loads tables. Each table has one actor, which is its only writer. A directory finds the
tables that other servers hold. The rules of a table are in `jasstisch.table`. Start reading with
`registry`, then `actor`.
"""

from jasstisch.server.tables.actor import TableActor
from jasstisch.server.tables.analysis_jobs import ANALYSIS_FORMAT, AnalysisStatus, StoredAnalysis
from jasstisch.server.tables.broadcaster import Subscriber, encode_message
from jasstisch.server.tables.directory import JoinCodeEntry, PublicTableEntry
from jasstisch.server.tables.erasure import ErasureJob
from jasstisch.server.tables.handle import (
    ERR_NO_SUCH_TABLE,
    ERR_OUTCOME_UNKNOWN,
    ERR_UNAVAILABLE,
    NO_ACK,
    OnAnswered,
    TableHandle,
    TableMessage,
)
from jasstisch.server.tables.join_codes import JoinCodes
from jasstisch.server.tables.local_directory import LocalDirectory
from jasstisch.server.tables.lookup import TableLookup, Visitor
from jasstisch.server.tables.personal_match_history import Cursor, PersonalMatchHistory
from jasstisch.server.tables.public_tables import PublicTableIndex, local_entries
from jasstisch.server.tables.registry import TableRegistry
from jasstisch.server.tables.replays import ERR_MATCH_NOT_OVER, ReplayService
from jasstisch.server.tables.retention import RetentionJob

__all__ = [
    "ANALYSIS_FORMAT",
    "ERR_MATCH_NOT_OVER",
    "ERR_NO_SUCH_TABLE",
    "ERR_OUTCOME_UNKNOWN",
    "ERR_UNAVAILABLE",
    "NO_ACK",
    "AnalysisStatus",
    "Cursor",
    "ErasureJob",
    "JoinCodeEntry",
    "JoinCodes",
    "LocalDirectory",
    "OnAnswered",
    "PersonalMatchHistory",
    "PublicTableEntry",
    "PublicTableIndex",
    "ReplayService",
    "RetentionJob",
    "StoredAnalysis",
    "Subscriber",
    "TableActor",
    "TableHandle",
    "TableLookup",
    "TableMessage",
    "TableRegistry",
    "Visitor",
    "encode_message",
    "local_entries",
]
