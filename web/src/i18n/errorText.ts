// Texts for the reader about the server's error codes.
import { capitalized, m } from ".";
import type { ConnectionStatus, RejectionReason } from "../api/connection";
import { ServerError, type ErrorCode } from "../api/rest";

/** The sentence for an error code; `message` is the server's own explanation. */
export function errorText(code: ErrorCode, message = ""): string {
  switch (code) {
    case "network":
      return m.error_network();
    case "bad_message":
      return m.error_bad_message();
    case "banned":
      return m.error_banned({ message });
    case "damaged":
      return m.error_damaged();
    case "bad_code":
      return m.error_bad_code();
    case "bad_name":
      return m.error_bad_name();
    case "bad_text":
      return m.error_bad_text();
    case "bad_option":
      return m.error_bad_option({ message });
    case "busy":
      return m.error_busy();
    case "forbidden_origin":
      return m.error_forbidden_origin();
    case "illegal_action":
      return m.error_illegal_action();
    case "limit":
      return m.error_limit();
    case "no_identity":
      return m.error_no_identity();
    case "not_ready":
      return m.error_not_ready();
    case "not_found":
      return m.unknown_page_text();
    case "no_entry":
      return m.entry_nobody_note();
    case "no_writing":
      return m.error_no_writing();
    case "no_swap":
      return m.error_no_swap();
    case "no_undo":
      return m.error_no_undo();
    case "no_rest":
      return m.error_no_rest();
    case "not_host":
      return m.error_not_host();
    case "not_seated":
      return m.error_not_seated();
    case "seat_taken":
      return m.error_seat_taken();
    case "too_fast":
      return m.error_too_fast();
    case "too_large":
      return m.error_too_large();
    case "unknown_table":
      return m.unknown_table_text();
    case "last_device": // the page asks before
    case "not_fair":
    case "wrong_phase":
      return m.error_wrong_phase();
    case "internal":
      return m.error_internal();
  }
}

/** Why the page is not connected; `full` is the server's reason for rejecting it, if it gave one. */
export function disconnectedText(full: RejectionReason | null): string {
  if (full?.code === "banned") return errorText(full.code, full.message);
  if (full?.code === "limit") return m.too_many_connections();
  return full === null ? m.reconnecting() : m.server_full();
}

/** The text that replaces the turn text while the page is not connected. */
export function offlineText(status: ConnectionStatus): string {
  return status === "outdated" ? capitalized(m.offline_badge()) : m.reconnecting_now();
}

/** The sentence for an error of a call to the server; other errors are rethrown. */
export function errorTextOf(error: unknown): string {
  if (error instanceof ServerError) return errorText(error.code, error.message);
  throw error;
}
