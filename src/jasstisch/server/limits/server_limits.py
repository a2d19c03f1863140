"""The configurable limits of a server, its tables and its connections."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a server.

    Attributes:
        tables: tables in the store; beyond, no new one is created.
        live_tables: tables in memory at once.
        running_per_person: tables in memory at once that one person has created.
        running_per_address: the same for an address, including the tables it has loaded from the
            store.
        idle_seconds: the time after which a table without subscribers leaves memory, whatever its
            clock says.
        keep_unplayed_days: a table without a finished round is deleted after this time without
            events.
        keep_unfinished_days: the same for a table without a finished match.
        keep_finished_days: the same for a table with a finished match.
        identities: tokens and codes in the store; beyond, no new identity is created.
        new_identities_per_minute: new identities for each address.
        keep_unseated_days: a person who has never sat at a table is deleted after this time without
            a visit.
        keep_abandoned_days: somebody whom no device and no code leads to any more is erased after
            this time, as if they had asked for it.
        keep_forgotten_days: a file of the list of the forgotten is deleted this long after its
            month.
        max_waiting_requests: requests that may wait for one table.
        connections: WebSocket connections at once.
        seatings: the burst of sitting down, standing up or swapping, for a person at a table.
        seatings_per_minute: the sustained rate of the same.
        table_seat_change_burst: the burst of the same for all people at a table together.
        table_seat_changes_per_minute: the sustained rate of the same.
        talk: the burst of chat messages, for a person at a table.
        talk_per_minute: the sustained rate of the same.
        hurries: the burst of skipped bot pauses, for a person at a table.
        hurries_per_minute: the sustained rate of the same.
        max_watched_tables: tables that one connection may subscribe to.
        message_bytes: the maximum size of a client message.
        messages_per_second: the sustained rate of messages on a connection.
        message_burst: the burst of the same.
        max_refused_messages: refused messages in a row (too fast, too large) before a connection is
            closed.
        max_outgoing_messages: messages that may wait for a slow client before it is disconnected.
        outgoing_bytes: the maximum size of these messages together, if more than one waits.
        new_tables_per_minute: the sustained rate of new tables for each address; the burst is the
            same number.
        new_tables_per_day: new tables for each address in a day.
        body_bytes: the maximum size of a REST request's body.
        bot_seconds: the time limit for a bot's move; beyond, a legal action is drawn instead.
        commitment_wait_s: how long the first deal of a match waits for people's commitments.
        header_seconds: the time limit for the headers of a request, from the accepted connection or
            the end of the previous response. A response of which nothing can be delivered for as
            long is aborted.
        body_seconds: the time limit for the body of a request, from the end of its headers.
        body_pieces: the maximum number of pieces in which a body may arrive.
        sockets: connections of all kinds at once; fewer where the system grants fewer descriptors.
        connections_per_address: connections of one IPv4 address or IPv6 /64.
        new_connections_per_second: the sustained rate of new connections for each address; the
            burst is the number of its connections.
        requests_per_second: the sustained rate of requests and handshakes for each address.
        request_burst: the burst of the same; a club opens the page with a dozen files for each
            member.
        connections_per_person: WebSocket connections of one person.
        fragments: the maximum number of frames in one message.
        max_unsent_bytes_for_pong: while more bytes wait to be written to a client, its pings are
            not answered.
        analyses_per_person: analyses of matches that one person may wait for at once.
        max_analysed_steps: the maximum number of steps of a match that can be analysed.
        max_replayed_steps: the maximum number of steps of a match that can be replayed.
        max_resumed_steps: the maximum number of steps that a new table takes over from a match.
        replays_per_address: replays that one address may wait for at once.
        replays_waiting: replays that may wait in total.
        max_history_tables: tables of one person, most recently changed first, whose matches are
            listed.
        match_lists_per_minute: the sustained rate of match lists and exports for each person; the
            burst is the same number.
        match_lists_per_address: match lists that one address may wait for at once.
        match_lists_waiting: match lists that may wait in total.
        exports_per_address: exports of personal data that one address may download at once.
        exports_under_way: exports that may run in total.
        export_seconds: the time limit for the download of an export.
        unknown_tables_per_minute: the sustained rate of requests for non-existent tables for each
            address; the burst is the same number.
    """

    tables: int = 100_000
    live_tables: int = 5_000
    running_per_person: int = 50
    running_per_address: int = 500
    idle_seconds: float = 60.0
    keep_unplayed_days: int = 7
    keep_unfinished_days: int = 90
    keep_finished_days: int = 365
    identities: int = 1_000_000
    new_identities_per_minute: int = 240
    keep_unseated_days: int = 30
    keep_abandoned_days: int = 7
    keep_forgotten_days: int = 400
    max_waiting_requests: int = 128
    connections: int = 10_000
    seatings: int = 20
    seatings_per_minute: int = 6
    table_seat_change_burst: int = 200
    table_seat_changes_per_minute: int = 60
    talk: int = 4
    talk_per_minute: int = 30
    hurries: int = 30
    hurries_per_minute: int = 240
    max_watched_tables: int = 16
    message_bytes: int = 16 * 1024
    messages_per_second: float = 20.0
    message_burst: int = 60
    max_refused_messages: int = 100
    max_outgoing_messages: int = 1024
    outgoing_bytes: int = 2 * 1024 * 1024
    new_tables_per_minute: int = 120
    new_tables_per_day: int = 2_000
    body_bytes: int = 16 * 1024
    bot_seconds: float = 20.0
    commitment_wait_s: float = 2.0
    header_seconds: float = 10.0
    body_seconds: float = 20.0
    body_pieces: int = 256
    sockets: int = 20_000
    connections_per_address: int = 200
    new_connections_per_second: int = 50
    requests_per_second: int = 100
    request_burst: int = 2000
    connections_per_person: int = 32
    fragments: int = 64
    max_unsent_bytes_for_pong: int = 16 * 1024
    analyses_per_person: int = 2
    max_analysed_steps: int = 10_000
    max_replayed_steps: int = 10_000
    max_resumed_steps: int = 3_000
    replays_per_address: int = 8
    replays_waiting: int = 16
    max_history_tables: int = 5_000
    match_lists_per_minute: int = 120
    match_lists_per_address: int = 8
    match_lists_waiting: int = 32
    exports_per_address: int = 2
    exports_under_way: int = 16
    export_seconds: float = 300.0
    unknown_tables_per_minute: int = 60
