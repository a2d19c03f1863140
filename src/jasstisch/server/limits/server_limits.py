"""How much one server, table or connection takes on. A host may give other figures."""

from dataclasses import dataclass

__all__ = ["Limits"]


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds of a server.

    Attributes:
        tables: tables the store may hold; beyond, no new one is made.
        live_tables: tables in memory at once.
        running_per_person: tables one person may have made that are in memory at once.
        running_per_address: the same for the people behind one address, with those they have
            fetched from the store.
        idle_seconds: a table nobody follows leaves memory after this time, whatever its clock says.
        keep_unplayed_days: a table at which no round has been finished is deleted when nothing has
            happened there for so long.
        keep_unfinished_days: the same for one at which no match has been finished.
        keep_finished_days: and for one at which a match has been.
        identities: tokens and codes the store may hold; beyond, nobody new is known.
        new_identities_per_minute: people who may become known from one address.
        keep_unseated_days: who has sat at no table and has not come for so long is forgotten.
        inbox: requests that may wait for one table.
        connections: WebSocket connections at once.
        seatings: how often a person may sit down, stand up or swap at a table in short order.
        seatings_per_minute: and how often in the long run.
        table_seatings: how often all people together may do so at one table in short order.
        table_seatings_per_minute: and how often in the long run.
        talk: how often a person may say something at a table in short order.
        talk_per_minute: and how often in the long run.
        hurries: how often a person may hurry the computers at a table in short order.
        hurries_per_minute: and how often in the long run.
        watched: tables one connection may follow.
        message_bytes: longest message a client may send.
        messages_per_second: how many messages a connection may send in the long run.
        burst: how many at once.
        strikes: refused messages in a row (too fast, too large) before a connection is closed.
        outgoing: messages that may wait for a slow client before it is disconnected.
        outgoing_bytes: and how much they may hold, where more than one waits.
        new_tables_per_minute: tables one address may make in the long run; the burst is the same.
        new_tables_per_day: and how many in a day.
        body_bytes: longest body of a REST call.
        bot_seconds: a computer player that thinks longer is passed over.
        committing_seconds: so long the first pack of a match waits for its people to commit
            themselves to what they add to it.
        header_seconds: the headers of a request are complete after this time, from the accepted
            connection or the end of the answer before; an answer of which nothing can be delivered
            in as long is given up.
        body_seconds: the same for its body, from the end of the headers.
        body_pieces: in how many pieces a body may come.
        sockets: connections at once, of all kinds; fewer where the system grants fewer descriptors.
        connections_per_address: connections of one IPv4 address or IPv6 /64.
        new_connections_per_second: connections one address may open in the long run; at once as
            many as it may have.
        requests_per_second: requests and handshakes of one address in the long run.
        request_burst: how many at once: a club opens the page, a dozen files for everybody.
        connections_per_person: WebSocket connections of one person.
        fragments: frames in which one message may come.
        pong_bytes: while more waits to be written to a client, its pings are not answered.
        analyses_per_person: analyses of matches one person may wait for at once.
        analysed_steps: steps that the record of a match may have which is analysed.
        replayed_steps: steps that the record of a match may have which is replayed.
        resumed_steps: steps that a table takes over from a match that is played on from one.
        replays_per_address: replays of matches for which one address may wait at once.
        replays_waiting: replays of matches that may wait to be made.
        listed_tables: tables of one person, those touched last, of which matches are listed.
        match_lists_per_minute: how often one person may have his matches listed, or all that is
            kept of him, in the long run; the burst is the same.
        match_lists_per_address: lists of matches for which one address may wait at once.
        match_lists_waiting: lists of matches that may wait to be made.
        exports_per_address: files of all that is kept of people that one address may fetch at once.
        exports_under_way: such files that may be fetched at once.
        export_seconds: after so long such a file ends, however much of it was fetched.
        unknown_tables_per_minute: tables that do not exist one address may ask for in the long run;
            the burst is the same.
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
    inbox: int = 128
    connections: int = 10_000
    seatings: int = 20
    seatings_per_minute: int = 6
    table_seatings: int = 200
    table_seatings_per_minute: int = 60
    talk: int = 4
    talk_per_minute: int = 30
    hurries: int = 30
    hurries_per_minute: int = 240
    watched: int = 16
    message_bytes: int = 16 * 1024
    messages_per_second: float = 20.0
    burst: int = 60
    strikes: int = 100
    outgoing: int = 1024
    outgoing_bytes: int = 2 * 1024 * 1024
    new_tables_per_minute: int = 120
    new_tables_per_day: int = 2_000
    body_bytes: int = 16 * 1024
    bot_seconds: float = 20.0
    committing_seconds: float = 2.0
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
    pong_bytes: int = 16 * 1024
    analyses_per_person: int = 2
    analysed_steps: int = 10_000
    replayed_steps: int = 10_000
    resumed_steps: int = 3_000
    replays_per_address: int = 8
    replays_waiting: int = 16
    listed_tables: int = 5_000
    match_lists_per_minute: int = 120
    match_lists_per_address: int = 8
    match_lists_waiting: int = 32
    exports_per_address: int = 2
    exports_under_way: int = 16
    export_seconds: float = 300.0
    unknown_tables_per_minute: int = 60
