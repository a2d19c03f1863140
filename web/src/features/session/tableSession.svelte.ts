// A table as this page follows it: the state folded from the server's messages, and the display, which lags
// a little behind so that people can follow every card.
import { applyEvent, applyPresence, fromSnapshot, presenceOf, type TableState } from "../../table/tableState";
import {
  Connection,
  ConnectionLostError,
  RequestRefusedError,
  type ClientRequest,
  type ConnectionStatus,
  type RejectionReason,
} from "../../api/connection";
import { socketUrl, takeEarlySocket } from "../../api/earlySocket";
import { claimTabStorage } from "../../browser/tabStorage";
import { saveTableKey, loadTableKey } from "../../browser/tableLinkKeys";
import { ensureIdentity, ServerError, type ErrorCode } from "../../api/rest";
import { Participant } from "../fairness/participant";
import { contributionStorage } from "../fairness/contributionStorage";
import { SeenMatch } from "../witness/seenMatch";
import type { ReplacedMatches } from "../fairness/replacedMatches";
import type { Witness } from "../fairness/verdict";
import type { FairError } from "../fairness/errors";
import type { EventInfo, HintReply, RoomInfo, ServerMessage } from "../../api/messages";
import { splitReveal } from "../../games/i-doubt-it/model";
import { splitMelds } from "../../games/weis/events";
import { settings } from "../../settings/settings.svelte.ts";
import { reader } from "../../table/readerSeat.svelte";
import { canSkipPause, canSkipToRoundEnd } from "./skipPauses";
import { splitRoundEnd } from "./splitRoundEnd";
import { botRemarks } from "../chat/botChatter";
import { eventsOf, recentDraw, type GameEvent } from "../play/gameEvents";
import type { CompletedTrick, PlaySource, RevealedClaim } from "../play/playSource";
import type { Phrase } from "../../table/phrases";
import { claimRestEvents, isClaimingRest } from "./claimedRestEvents";
import { isChatEvent, Chat } from "../chat/chat.svelte.ts";
import { displayTime } from "../play/pacing";

interface Frame {
  state: TableState;
  events: GameEvent[];
  deadline: number | null;
  /** Whether this is a snapshot of the whole table, after which readers need orientation. */
  whole: boolean;
  /** The trick that ends a round. */
  last?: boolean;
}

export interface SessionCallbacks {
  /** Called once for each frame that is shown, in order, and with `whole` for a snapshot. */
  events(events: GameEvent[], shown: TableState, whole: boolean): void;
  /** A player said something that the reader has not hidden; a sentence about it. */
  chatted(sentence: string): void;
  /** A request was refused, or `lost` if the connection broke before the answer. */
  requestFailed(error: RequestRefusedError | "lost"): void;
  /** The hint that the reader requested did not come. */
  hintMissing(): void;
  /** The connection was restored. */
  reconnected(): void;
  /** The reader's join request was declined. */
  joinDeclined(): void;
  /** The reader lost their seat without an action on this page; `how` is the event, if known. */
  seatLost(how: EventInfo["kind"] | null): void;
}

/** Milliseconds in which the page draws what the reader does, before it draws what follows from it. */
const DRAWING_MS = 50;
/** After this time without an answer the reader is told that a request is being sent. */
const LATE_MS = 1_500;
/** The longest wait for a hint: a thought may take 20 s (`bot_seconds`), after those of others. */
const HINT_LIMIT_MS = 30_000;

/** Kinds of events that are announced over the mat. */
const ANNOUNCED_KINDS: ReadonlySet<GameEvent["kind"]> = new Set([
  "trump",
  "molotov",
  "drawn",
  "drew",
  "missed",
  "accepted",
  "said",
  "chose",
  "robbed",
  "melds",
  "stoeck",
  "alone",
  "rest_taken",
] as const);

export class TableSession implements PlaySource {
  /** The state that the page shows; null before the first message of the server. */
  shown = $state.raw<TableState | null>(null);
  completedTrick = $state.raw<CompletedTrick | null>(null);
  /** The claim being turned up; the table is still shown as it was before. */
  revealedClaim = $state.raw<RevealedClaim | null>(null);
  /** Trump, molotovs and draws being announced over the mat right now. */
  announced = $state.raw<GameEvent[]>([]);
  status = $state<ConnectionStatus>("connecting");
  /** The connection is back, and missed events have arrived. */
  current = $state(false);
  /** Why the server rejected this page, which tries again; null if unknown. */
  rejection = $state<RejectionReason | null>(null);
  /** Whether the last round was void (MV7), in which case no list of rounds contains it. */
  annulled = $state(false);
  /** Why there is nothing to show: the table is unknown or access to it was refused. */
  refused = $state<ErrorCode | null>(null);
  /** Whether the host renewed the link while this page was open, so that its key is invalid. */
  linkRevoked = $state(false);
  /** Whether this browser keeps no cookies, so that its reader can only watch. */
  anonymous = $state(false);
  /** The action sent and not yet answered. */
  sent = $state<string | null>(null);
  /** Whether that action has been on its way for so long that the reader should know. */
  actLate = $state(false);
  /** How many other requests of the reader have been on their way for so long. */
  lateRequests = $state(0);
  /** The hint the reader requested, until they act. */
  advice = $state.raw<HintReply | null>(null);
  /** Whether a hint was requested and has not arrived yet. */
  hintPending = $state(false);
  /** When the reader's thinking time ends, in milliseconds since the epoch; null without a limit. */
  deadline = $state<number | null>(null);

  /** What the server did in the deals that it may not do; null if nothing. */
  dealTrouble = $state.raw<FairError | null>(null);
  /** Earlier matches at the table whose deals are wrong, or whose proof has not come. */
  replaced = $state.raw<ReplacedMatches | null>(null);

  /** The remarks of the people at the table. */
  readonly chat = new Chat();

  #latest: TableState | null = null;
  #queue: Frame[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #connection: Connection;
  #wasOffline = false;
  #readyPending = false;
  #undoPending = false;
  #leavingSeat = false;
  /** The answers to the claim on the table are shown without a pause. */
  #skipsAnswers = false;
  /** The rest of the round is shown without a pause. */
  #skipsToRoundEnd = false;
  /** A player has claimed the rest of the round, and its cards are being played. */
  #claimingRest = false;
  #key: string | null;
  /** What the server has sent before the storage of this tab was its own; null afterwards. */
  #early: ServerMessage[] | null = [];
  #participant: Participant | null = null;
  /** Resolves once the storage of this tab is its own. */
  #claimed: Promise<void>;
  /** Read before the first message is handled. */
  #seen!: SeenMatch;
  /** The match before which the replaced ones were judged since the last connection; 0 for none. */
  #judged = 0;

  constructor(
    readonly table: string,
    private readonly hooks: SessionCallbacks,
    key: string | null = null,
  ) {
    this.#key = key ?? loadTableKey(table);
    this.#claimed = claimTabStorage().then(() => {
      this.#seen = new SeenMatch(table);
      const early = this.#early ?? [];
      this.#early = null;
      for (const message of early) this.#onMessage(message);
    });
    this.#connection = new Connection(
      socketUrl(),
      {
        message: (message) => {
          if (this.#early) this.#early.push(message);
          else this.#onMessage(message);
        },
        status: (status, full) => this.#onStatus(status, full),
        anonymous: () => (this.anonymous = true),
        stillMeant: (request) => this.#stillMeant(request),
      },
      ensureIdentity,
      takeEarlySocket(table, this.#key),
    );
  }

  close(): void {
    clearTimeout(this.#timer);
    this.chat.close();
    this.#connection.close();
  }

  /** Performs an action of the game; the display first catches up with the table. */
  act(action: string): Promise<boolean> {
    return this.#act(action, { type: "act", table: this.table, action }, true);
  }

  /** Sends an action that the reader did not choose; a failure is not reported. */
  actAutomatically(action: string): Promise<boolean> {
    return this.#act(action, { type: "act", table: this.table, action }, false);
  }

  /** Claims all remaining tricks of the round. */
  claimRest(): Promise<boolean> {
    return this.#act("rest", { type: "take_rest", table: this.table }, true);
  }

  /** Sends an action; `chosen` by the reader, who is told of a failure. Resolves with whether it is done. */
  async #act(action: string, request: ClientRequest, chosen: boolean): Promise<boolean> {
    if (this.sent !== null) return false;
    this.sent = action;
    this.advice = null;
    this.catchUp();
    if (this.#timer === undefined) this.#timer = setTimeout(() => this.#showNext(), DRAWING_MS);
    const drawing = new Promise((done) => setTimeout(done, DRAWING_MS));
    const late = setTimeout(() => (this.actLate = true), LATE_MS);
    const failure = await this.#send(request);
    clearTimeout(late);
    // What follows from the action is shown first, or its panel would be open once more.
    await drawing;
    this.sent = null;
    this.actLate = false;
    // If the server cannot say whether the action arrived, the table does: it is no longer to be done.
    const seen = failure === "lost" && this.current && !this.#stillMeant(request);
    if (chosen && failure !== null && !seen) this.hooks.requestFailed(failure);
    return failure === null || seen;
  }

  /** Takes the reader's last card back, or asks the others to agree. */
  async undo(): Promise<boolean> {
    if (this.#undoPending) return false;
    this.#undoPending = true;
    this.catchUp();
    const done = await this.#tryRequest({ type: "undo", table: this.table });
    this.#undoPending = false;
    return done;
  }

  /** Accepts or declines another player's undo request. */
  answerUndo(accept: boolean): Promise<boolean> {
    return this.#tryRequest({ type: "answer_undo", table: this.table, accept });
  }

  /** Withdraws the reader's undo request. */
  withdrawUndo(): Promise<boolean> {
    return this.#tryRequest({ type: "withdraw_undo", table: this.table });
  }

  /** Requests the move of a strong bot. */
  async requestHint(): Promise<void> {
    if (this.hintPending) return;
    this.hintPending = true;
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const limit = new Promise<"late">((done) => (waiting = setTimeout(() => done("late"), HINT_LIMIT_MS)));
    const request = this.#connection.request({ type: "hint", table: this.table });
    try {
      if ((await Promise.race([request, limit])) === "late") this.hooks.hintMissing();
    } catch (error) {
      if (error instanceof ConnectionLostError) this.hooks.hintMissing();
      else if (error instanceof RequestRefusedError) this.hooks.requestFailed(error);
      else throw error;
    } finally {
      clearTimeout(waiting);
      this.hintPending = false;
    }
  }

  /** Shows the next event at once, and skips the pause of the bot to move if nobody else is watching. */
  advance(): void {
    if (this.#timer !== undefined) {
      clearTimeout(this.#timer);
      this.#showNext();
    }
    if (this.#latest && canSkipPause(this.#latest)) this.#skipBotPause(false);
  }

  /** Tells the server that the tutorial's text was read; resolves with whether that succeeded. */
  readHint(): Promise<boolean> {
    this.advance();
    return this.ready();
  }

  /** Shows the rest of the round without pauses, once no person here has anything to do in it. */
  skipToRoundEnd(): void {
    if (this.#latest && canSkipToRoundEnd(this.#latest)) {
      this.#skipsToRoundEnd = true;
      this.#skipBotPause(true);
    }
    clearTimeout(this.#timer);
    this.#showNext();
  }

  /** Asks the server to skip a bot's pause; if it refuses (too late, too often), nothing is reported. */
  #skipBotPause(to_end: boolean): void {
    this.#connection.request({ type: "hurry", table: this.table, to_end }).catch(() => undefined);
  }

  /** Shows the outcome of the claim on the table at once (ID3), including pending answers. */
  skipAnswers(): void {
    this.#skipsAnswers = true;
    clearTimeout(this.#timer);
    this.#showNext();
  }

  /** Sits down, or asks for the seat if the host decides. */
  sit(seat: number, name: string, face: number): Promise<boolean> {
    return this.#tryRequest({ type: "sit", table: this.table, seat, name, face });
  }

  async stand(): Promise<boolean> {
    this.#leavingSeat = true;
    const done = await this.#tryRequest({ type: "stand", table: this.table });
    this.#leavingSeat = false;
    return done;
  }

  sendPhrase(phrase: Phrase): Promise<boolean> {
    return this.#tryRequest({ type: "say", table: this.table, phrase });
  }

  /** Sends a chat line in free text, if the host permits it. */
  sendChat(text: string): Promise<boolean> {
    return this.#tryRequest({ type: "write", table: this.table, text });
  }

  // The host's actions.

  setEntryPolicy(entry: RoomInfo["entry"]): Promise<boolean> {
    return this.#tryRequest({ type: "admit", table: this.table, entry });
  }

  answerEntryRequest(number: number, accept: boolean): Promise<boolean> {
    return this.#tryRequest({ type: "let_in", table: this.table, number, accept });
  }

  revokeLink(): Promise<boolean> {
    return this.#tryRequest({ type: "relink", table: this.table });
  }

  setStartPolicy(who: RoomInfo["starters"]): Promise<boolean> {
    return this.#tryRequest({ type: "let_start", table: this.table, who });
  }

  setChatPolicy(allowed: boolean): Promise<boolean> {
    return this.#tryRequest({ type: "let_write", table: this.table, allowed });
  }

  setPublished(published: boolean): Promise<boolean> {
    return this.#tryRequest({ type: "publish", table: this.table, published });
  }

  setSpectatorDelay(delayed: boolean): Promise<boolean> {
    return this.#tryRequest({ type: "delay", table: this.table, delayed });
  }

  extendTime(seat: number, patient: boolean): Promise<boolean> {
    return this.#tryRequest({ type: "give_patience", table: this.table, seat, patient });
  }

  removePlayer(seat: number): Promise<boolean> {
    return this.#tryRequest({ type: "remove", table: this.table, seat });
  }

  /** Gives a seat to a bot, or opens it (null). */
  assignSeat(seat: number, bot: string | null): Promise<boolean> {
    return this.#tryRequest({ type: "give", table: this.table, seat, bot });
  }

  closeTable(): Promise<boolean> {
    return this.#tryRequest({ type: "close", table: this.table });
  }

  /** Lets a bot play for an absent person. */
  takeOverFor(seat: number): Promise<boolean> {
    return this.#tryRequest({ type: "cover", table: this.table, seat });
  }

  /** Uses the key of another link; a page that was refused tries again with it. */
  useLinkKey(key: string): void {
    this.#key = key;
    saveTableKey(this.table, key);
    if (this.refused !== null) void this.#watch();
  }

  /** Swaps seats with a bot, or asks the person on that seat to swap. */
  requestSwap(seat: number): Promise<boolean> {
    return this.#tryRequest({ type: "swap", table: this.table, seat });
  }

  /** Accepts or declines to swap with the person of that seat. */
  answerSwap(seat: number, accept: boolean): Promise<boolean> {
    return this.#tryRequest({ type: "answer", table: this.table, seat, accept });
  }

  /** Withdraws the reader's offer to swap. */
  withdrawSwap(): Promise<boolean> {
    return this.#tryRequest({ type: "withdraw", table: this.table });
  }

  startMatch(): Promise<boolean> {
    return this.#tryRequest({ type: "start", table: this.table });
  }

  /** Reports the reader as ready; further taps before that is shown are ignored. */
  async ready(): Promise<boolean> {
    if (this.#readyPending) return false;
    const latest = this.#latest;
    if (latest?.room.phase === "playing" && !latest.hint?.wait) return false;
    this.#readyPending = true;
    const done = await this.#tryRequest({ type: "ready", table: this.table });
    this.#readyPending = false;
    return done;
  }

  resumeControl(): Promise<boolean> {
    return this.#tryRequest({ type: "back", table: this.table });
  }

  async #tryRequest(request: ClientRequest): Promise<boolean> {
    let told = false;
    const late = setTimeout(() => {
      told = true;
      this.lateRequests += 1;
    }, LATE_MS);
    const failure = await this.#send(request);
    clearTimeout(late);
    if (told) this.lateRequests -= 1;
    if (failure !== null) this.hooks.requestFailed(failure);
    return failure === null;
  }

  /** Sends a request of the reader; resolves with why it failed, null once it is done. */
  async #send(request: ClientRequest): Promise<RequestRefusedError | "lost" | null> {
    try {
      await this.#connection.request(request, true);
      return null;
    } catch (error) {
      if (error instanceof ConnectionLostError) return "lost";
      if (error instanceof RequestRefusedError) return error;
      throw error;
    }
  }

  /** Whether a request still fits the table: an action belongs to the turn for which it was chosen. */
  #stillMeant(request: ClientRequest): boolean {
    const turn = this.#latest?.turn;
    if (request.type === "take_rest") return turn?.rest === true;
    return request.type !== "act" || turn?.more === true || turn?.legal.includes(request.action) === true;
  }

  #onStatus(status: ConnectionStatus, full: RejectionReason | null): void {
    this.status = status;
    this.rejection = full;
    if (status !== "online") this.current = false;
    if (status === "offline") this.#wasOffline = true;
    if (status === "online") void this.#watch();
  }

  /** Subscribes to the table from the known version on, or from a snapshot. */
  async #watch(): Promise<void> {
    const known = this.#latest;
    try {
      await this.#connection.request({
        type: "watch",
        table: this.table,
        since: known?.version ?? null,
        seat: known?.seat ?? null,
        key: this.#key,
      });
    } catch (error) {
      if (error instanceof ConnectionLostError) return;
      this.refused = error instanceof ServerError ? error.code : "internal";
      void this.#judgeReplaced();
      return;
    }
    this.refused = null;
    this.linkRevoked = false;
    this.current = true;
    if (known && this.#participant) {
      this.#participant.repeat();
      this.#judged = 0;
      this.#contributeToDeals();
    }
    if (this.#wasOffline && known) this.hooks.reconnected();
    this.#wasOffline = false;
  }

  #onMessage(message: ServerMessage): void {
    if (message.type === "snapshot" && message.table === this.table) {
      const before = this.#latest;
      this.#claimingRest = false;
      this.#latest = fromSnapshot(message, before);
      this.current = true;
      const unseated = before?.seat != null && message.seat === null && !this.#leavingSeat;
      this.#noteKeyAndRequest(before);
      this.#seen.note(this.#latest, null);
      this.#contributeToDeals();
      const until = deadline(message.turn?.seconds);
      this.#showWhole({ state: this.#latest, events: [], deadline: until, whole: true });
      if (unseated) this.hooks.seatLost(message.moved?.kind ?? null);
    } else if (message.type === "event" && message.table === this.table && this.#latest) {
      const folded = applyEvent(this.#latest, message);
      if (folded.kind === "gap") return void this.#watch();
      if (folded.kind === "old") return;
      const before = this.#latest;
      this.#latest = folded.state;
      this.#seen.note(folded.state, message.event);
      this.#noteKeyAndRequest(before);
      if ("fair" in message.room || "number" in message.room) this.#contributeToDeals();
      if (isChatEvent(message.event)) {
        // Nothing else is shown: the display continues as it was.
        const sentence = this.chat.receive(message.event, folded.state);
        if (sentence !== null) this.hooks.chatted(sentence);
        return;
      }
      this.#claimingRest = isClaimingRest(this.#claimingRest, message.event);
      const all = eventsOf(before, message, folded.state);
      const events = this.#claimingRest ? claimRestEvents(all, folded.state.room) : all;
      this.#claimingRest &&= folded.state.room.phase === "playing";
      const until = deadline(message.turn?.seconds);
      const told = splitReveal(before, folded.state, events).flatMap(splitMelds);
      // In the text mode nothing covers the last trick.
      const textMode = settings.mode === "text";
      const shown = textMode ? told : told.flatMap((one) => splitRoundEnd(before, one));
      this.#queue.push(...shown.map((one) => ({ ...one, deadline: until, whole: false })));
      if (this.#timer === undefined) this.#showNext();
    } else if (message.type === "presence" && message.table === this.table && this.#latest) {
      this.#latest = applyPresence(this.#latest, message);
      if (this.shown) this.shown = applyPresence(this.shown, message);
    } else if (message.type === "advice" && message.table === this.table) {
      this.advice = message;
    } else if (message.type === "error" && message.seq === null && message.table === this.table) {
      // An error without a request: the server ended this page's subscription.
      this.linkRevoked = message.code === "unknown_table" && this.#latest !== null;
      this.refused = message.code;
      void this.#judgeReplaced();
    }
  }

  /** The key of the table's link. */
  get key(): string | null {
    return this.#key;
  }

  /** What this page has seen of the deals of the last match; null if they are not verifiable. */
  get witness(): Witness | null {
    const part = this.#participant?.latest;
    return part ? { ...part, seen: this.#seen.of(part.number) } : null;
  }

  /** Contributes to the deals; later messages of the server show whether it accepted that. */
  #contributeToDeals(): void {
    const { room, seat } = this.#latest as TableState;
    const participant = this.#rememberedParticipant();
    participant.seats = room.seats.length;
    // Before the first match its deals are announced; seats may change, and nothing is contributed.
    const [match, contributing] = room.number === 0 ? [1, null] : [room.number, seat];
    for (const one of participant.react(room.fair, match, contributing)) {
      this.#connection.request({ ...one, table: this.table }).catch(() => undefined);
    }
    this.dealTrouble = this.witness?.trouble ?? null;
    if (this.#judged === room.number) return;
    this.#judged = room.number;
    void this.#judgeReplaced();
  }

  #rememberedParticipant(): Participant {
    return (this.#participant ??= new Participant(this.table, 0, contributionStorage(this.table)));
  }

  /** Judges the matches before the last one, whose records are given out by now, or not to this page any more. */
  async #judgeReplaced(): Promise<void> {
    await this.#claimed;
    const participant = this.#rememberedParticipant();
    if (participant.replaced.length === 0) return;
    try {
      const { judgeReplaced } = await import("../fairness/replacedMatches");
      this.replaced = await judgeReplaced(participant, this.#seen, { table: this.table, key: this.#key });
    } catch {
      // The module could not be loaded; it is tried again with the next connection.
    }
  }

  /** Stores the key of the reader's link, and reports that their join request was declined. */
  #noteKeyAndRequest(before: TableState | null): void {
    const { room, seat, request } = this.#latest as TableState;
    if (room.key !== null && room.key !== this.#key) {
      this.#key = room.key;
      saveTableKey(this.table, room.key);
    }
    const answered = before?.request != null && request === null;
    if (answered && seat === null && room.phase !== "closed") this.hooks.joinDeclined();
  }

  /** Shows the next frame for as long as its events need. */
  #showNext(): void {
    this.#timer = undefined;
    const frame = this.#queue.shift();
    // Cards stay on the table while the tutorial explains them.
    const spokenOf = frame ? frame.state.hint?.wait && frame.events.length === 0 : this.#waitsForTutorial();
    if (spokenOf) {
      this.announced = [];
      if (frame) this.shown = { ...frame.state, ...presenceOf(this.#latest) };
      return;
    }
    this.completedTrick = null;
    this.revealedClaim = null;
    this.announced = [];
    if (!frame) return;
    if (frame.events.some((one) => one.kind === "claimed")) this.#skipsAnswers = false;
    const last = frame.last === true;
    if (last) this.#skipsToRoundEnd = false;
    const unseen = this.#skipsAnswers || this.#skipsToRoundEnd || document.visibilityState === "hidden";
    const events = frame.events.filter((one) => !isOwnAction(one, frame.state.seat));
    const rest = events.some(({ kind }) => kind === "rest_taken");
    const hold = unseen ? 0 : displayTime(events, settings.speed, rest ? 0 : this.#queue.length, last);
    if (rest) this.#skipsToRoundEnd = true;
    this.#show(frame, hold);
    if (hold === 0) return this.#showNext();
    this.#timer = setTimeout(() => this.#showNext(), hold);
  }

  /** Whether the table waits until the reader has read the tutorial's text. */
  #waitsForTutorial(): boolean {
    return this.shown?.hint?.wait ?? false;
  }

  #show(frame: Frame, time = 0): void {
    if (frame.state.room.phase !== "playing") this.#skipsToRoundEnd = false;
    reader.seat = frame.state.seat;
    this.shown = { ...frame.state, ...presenceOf(this.#latest ?? frame.state) };
    this.deadline = frame.deadline;
    if (!frame.state.turn) this.advice = null;
    const trick = frame.events.find((one) => one.kind === "trick");
    this.completedTrick = trick ? { cards: trick.cards, winner: trick.winner, points: trick.points } : null;
    const revealed = frame.events.find((one) => one.kind === "revealed");
    this.revealedClaim = revealed ? { turn: revealed.turn, time } : null;
    if (frame.events.some((one) => one.kind === "annulled")) this.annulled = true;
    else if (frame.state.room.phase !== "between") this.annulled = false;
    this.announced = frame.events.filter(
      (one) => ANNOUNCED_KINDS.has(one.kind) && !isOwnAction(one, frame.state.seat),
    );
    this.hooks.events(frame.events, this.shown, frame.whole);
    for (const one of botRemarks(frame.events, frame.state)) {
      const sentence = this.chat.addBotRemark(one, frame.state);
      if (sentence !== null) this.hooks.chatted(sentence);
    }
  }

  #showWhole(frame: Frame): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#queue = [];
    this.#skipsToRoundEnd = false;
    const first = this.shown === null;
    this.#show(frame);
    if (first) this.#showDealerDraw(frame.state);
  }

  /** Shows the draw for the first dealer to readers who join a match just begun (C5). */
  #showDealerDraw(state: TableState): void {
    const drawn = recentDraw(state);
    if (drawn === null) return;
    this.announced = [drawn];
    this.#timer = setTimeout(() => this.#showNext(), displayTime([drawn], settings.speed, 0));
  }

  /** Catches the display up with the table at once. */
  catchUp(): void {
    clearTimeout(this.#timer);
    while (this.#queue.length > 0) this.#show(this.#queue.shift() as Frame);
    this.#showNext();
  }
}

/** Whether the event is the reader's own action, which need not be announced over the mat. */
function isOwnAction(one: GameEvent, seat: number | null): boolean {
  const own = one.kind === "said" || one.kind === "robbed" || one.kind === "chose";
  return own && one.seat === seat;
}

function deadline(seconds: number | null | undefined): number | null {
  return typeof seconds === "number" ? Date.now() + seconds * 1000 : null;
}
