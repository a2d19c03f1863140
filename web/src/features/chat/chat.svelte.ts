// The remarks of the people at a table, while they are shown. They appear at once, however far the
// animation lags behind, and do not affect it.
import { m } from "../../i18n";
import type { EventInfo } from "../../api/messages";
import { mutedNames } from "../../table/mutedNames.svelte";
import type { TableState } from "../../table/tableState";
import { settings } from "../../settings/settings.svelte";
import type { BotRemark } from "./botChatter";
import { isPhrase, PHRASES } from "../../table/phrases";
import { seatName } from "../../table/playerNames";

export interface Remark {
  id: number;
  seat: number;
  name: string;
  words: string;
}

const REMARK_DURATION_MS = 4_500;
/** Additional milliseconds for each character of free text, which takes longer to read. */
const MS_PER_CHARACTER = 35;

/** Whether an event is a chat message or a phrase. */
export function isChatEvent({ kind }: EventInfo): boolean {
  return kind === "said" || kind === "wrote";
}

/** The text of a remark in the reader's language; null for a phrase unknown to this page. */
export function chatText({ kind, words }: EventInfo): string | null {
  if (words === null) return null;
  if (kind === "wrote") return words;
  return isPhrase(words) ? PHRASES[words]() : null;
}

/** Whether remarks are shown to the reader; their own always are. */
function heard(seat: number, { room, seat: me }: TableState): boolean {
  return seat === me || (settings.talk && !mutedNames.has(room.seats[seat]?.name ?? ""));
}

export class Chat {
  /** The remarks shown now, in chronological order; the latest of each seat. */
  remarks = $state.raw<readonly Remark[]>([]);
  #count = 0;
  #timers = new Set<ReturnType<typeof setTimeout>>();

  /** Adds a player's remark unless the reader hides it; returns the sentence for it, else null. */
  receive(event: EventInfo, state: TableState): string | null {
    const words = chatText(event);
    if (words === null || event.seat === null || !heard(event.seat, state)) return null;
    const { seat } = event;
    this.#show(seat, words, state);
    return seat === state.seat ? m.you_say({ words }) : m.says({ name: seatName(state.room, seat), words });
  }

  /** Adds a bot's remark unless the reader hides the chat; returns the sentence for it, else null. */
  addBotRemark({ seat, phrase }: BotRemark, state: TableState): string | null {
    if (!settings.talk) return null;
    const words = PHRASES[phrase]();
    this.#show(seat, words, state);
    return m.says({ name: seatName(state.room, seat), words });
  }

  #show(seat: number, words: string, state: TableState): void {
    const remark = { id: ++this.#count, seat, name: seatName(state.room, seat), words };
    this.remarks = [...this.remarks.filter((one) => one.seat !== seat), remark];
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        this.remarks = this.remarks.filter(({ id }) => id !== remark.id);
      },
      REMARK_DURATION_MS + MS_PER_CHARACTER * words.length,
    );
    this.#timers.add(timer);
  }

  /** The remark shown for a seat. */
  remarkOf(seat: number | null): Remark | undefined {
    return this.remarks.find((one) => one.seat === seat);
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.remarks = [];
  }
}
