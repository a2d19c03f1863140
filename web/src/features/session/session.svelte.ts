// A table as this page follows it: the state folded from the server's messages, and the picture,
// which runs a little behind it so that people can follow every card.
import { applyEvent, applyPresence, fromSnapshot, presenceOf, type TableState } from "../../table/tableState";
import { Connection, Lost, Refusal, type Request, type Status, type TurnedAway } from "../../api/connection";
import { keepKey, keptKey } from "../../browser/tableKeys";
import { identity, ServerError, type ErrorCode } from "../../api/rest";
import { Partaker } from "../fairness/participant";
import { witnessShelf } from "../fairness/witnessStorage";
import type { Witness } from "../fairness/witness";
import type { Advice, Happened, Room, ServerMessage } from "../../api/messages";
import { moments } from "../../games/i-doubt-it/model";
import { meldsApart } from "../../games/jass/events";
import { settings } from "../../settings/settings.svelte";
import { mayHurry, maySkipToEnd } from "./skipPauses";
import { lastTrickApart } from "./lastTrick";
import { manners } from "../chat/botChatter";
import { newsOf, type News } from "../play/events";
import type { CompletedTrick, PlaySource, RevealedClaim } from "../play/playSource";
import type { Phrase } from "../../table/phrases";
import { restNews, stillRests } from "./claimRest";
import { isTalk, Talk } from "../chat/chat.svelte";
import { holdOf } from "../play/pacing";

interface Frame {
  state: TableState;
  news: News[];
  deadline: number | null;
  /** The whole table at once, after which everybody must find out where they are. */
  whole: boolean;
  /** The trick that ends a round. */
  last?: boolean;
}

export interface Hooks {
  /** Told once for each event that is shown, in order, and with `whole` for a whole table. */
  news(news: News[], shown: TableState, whole: boolean): void;
  /** Somebody said something that the reader wants to hear, as a sentence. */
  spoke(sentence: string): void;
  /** A request was refused, or `lost` when the connection broke before its answer. */
  failed(error: Refusal | "lost"): void;
  /** The connection is back after it was gone. */
  reconnected(): void;
  /** The reader's request to be let in was declined. */
  declined(): void;
  /** The reader has lost his seat, not by what he did on this page; how, where it is known. */
  unseated(how: Happened["kind"] | null): void;
}

/** News that is announced over the mat. */
const OVER_THE_MAT: ReadonlySet<News["kind"]> = new Set([
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
  /** What the page shows; null before the first word of the server. */
  shown = $state.raw<TableState | null>(null);
  lying = $state.raw<CompletedTrick | null>(null);
  /** The claim that is being turned up; the table is still shown as it was before. */
  revealed = $state.raw<RevealedClaim | null>(null);
  /** Trump, molotovs and draws being announced over the mat right now. */
  announced = $state.raw<News[]>([]);
  status = $state<Status>("connecting");
  /** The connection is there, and so is what was missed while it was gone. */
  current = $state(false);
  /** Why the server has no room for this page, which tries again; null where that is not known. */
  full = $state<TurnedAway | null>(null);
  /** The round just ended was void (MV7); it is in no list of rounds. */
  annulled = $state(false);
  /** Why there is nothing to show: the table is unknown or the server refuses it. */
  refused = $state<ErrorCode | null>(null);
  /** The host has renewed the link while this page was open, and it has no key for the new one. */
  shut = $state(false);
  /** The action sent and not yet answered. */
  sent = $state<string | null>(null);
  /** The hint the reader asked for, until he has acted. */
  advice = $state.raw<Advice | null>(null);
  /** A hint has been asked for and is not there yet. */
  asking = $state(false);
  /** When the reader's thinking time ends, in milliseconds of the clock; null without a limit. */
  deadline = $state<number | null>(null);

  /** What the people here say. */
  readonly talk = new Talk();

  #latest: TableState | null = null;
  #queue: Frame[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #connection: Connection;
  #gone = false;
  #askingToGoOn = false;
  #askingToUndo = false;
  #standing = false;
  /** The answers to the claim on the table are shown without a pause. */
  #skipping = false;
  /** The rest of the round is shown without a pause. */
  #toEnd = false;
  /** Somebody has taken the rest of the round, and it is being laid. */
  #resting = false;
  #key: string | null;
  #partaker: Partaker | null = null;

  constructor(
    readonly table: string,
    private readonly hooks: Hooks,
    key: string | null = null,
  ) {
    this.#key = key ?? keptKey(table);
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.#connection = new Connection(
      `${scheme}//${location.host}/ws`,
      {
        message: (message) => this.#receive(message),
        status: (status, full) => this.#changed(status, full),
      },
      identity,
    );
  }

  close(): void {
    clearTimeout(this.#timer);
    this.talk.close();
    this.#connection.close();
  }

  /** Does an action of the game; the picture first catches up with the table. */
  act(action: string): Promise<void> {
    return this.#act(action, (request) => this.#ask(request));
  }

  /** Does an action that the reader has not asked for: where it fails there is nothing to tell him. */
  actByItself(action: string): Promise<void> {
    return this.#act(action, (request) => this.#connection.request(request).catch(() => undefined));
  }

  async #act(action: string, send: (request: Request) => Promise<unknown>): Promise<void> {
    if (this.sent !== null) return;
    this.sent = action;
    this.advice = null;
    this.catchUp();
    await send({ type: "act", table: this.table, action });
    this.sent = null;
  }

  /** Takes all tricks that are left of the round, where they are the reader's. */
  async takeRest(): Promise<void> {
    if (this.sent !== null) return;
    this.sent = "rest";
    this.advice = null;
    this.catchUp();
    await this.#ask({ type: "take_rest", table: this.table });
    this.sent = null;
  }

  /** Takes the reader's last card back, or asks the others to agree. */
  async undo(): Promise<boolean> {
    if (this.#askingToUndo) return false;
    this.#askingToUndo = true;
    this.catchUp();
    const done = await this.#ask({ type: "undo", table: this.table });
    this.#askingToUndo = false;
    return done;
  }

  /** Agrees that somebody takes his last card back, or declines. */
  answerUndo(accept: boolean): Promise<boolean> {
    return this.#ask({ type: "answer_undo", table: this.table, accept });
  }

  /** Asks no longer for the last card. */
  withdrawUndo(): Promise<boolean> {
    return this.#ask({ type: "withdraw_undo", table: this.table });
  }

  /** Asks what a strong player would do now. */
  async hint(): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    await this.#ask({ type: "hint", table: this.table });
    this.asking = false;
  }

  /** Shows the next at once, and has a computer that is to move do so, where nobody else looks on. */
  goOn(): void {
    if (this.#timer !== undefined) {
      clearTimeout(this.#timer);
      this.#next();
    }
    if (this.#latest && mayHurry(this.#latest)) this.#hasten(false);
  }

  /** Shows the rest of the round without pauses, which nobody here has anything to do in any more. */
  skipToEnd(): void {
    if (this.#latest && maySkipToEnd(this.#latest)) {
      this.#toEnd = true;
      this.#hasten(true);
    }
    clearTimeout(this.#timer);
    this.#next();
  }

  /** Where computers pause on, because it came too late or too often, nothing is to be said of it. */
  #hasten(to_end: boolean): void {
    this.#connection.request({ type: "hurry", table: this.table, to_end }).catch(() => undefined);
  }

  /** Shows at once what comes of the claim on the table (ID3), also the answers still to come. */
  skipAnswers(): void {
    this.#skipping = true;
    clearTimeout(this.#timer);
    this.#next();
  }

  /** Sits down, or asks to be let in where the host decides. */
  sit(seat: number, name: string, face: number): Promise<boolean> {
    return this.#ask({ type: "sit", table: this.table, seat, name, face });
  }

  async stand(): Promise<boolean> {
    this.#standing = true;
    const done = await this.#ask({ type: "stand", table: this.table });
    this.#standing = false;
    return done;
  }

  say(phrase: Phrase): Promise<boolean> {
    return this.#ask({ type: "say", table: this.table, phrase });
  }

  /** Says something in one's own words, where the host lets people write. */
  write(text: string): Promise<boolean> {
    return this.#ask({ type: "write", table: this.table, text });
  }

  // What the host does.

  admit(entry: Room["entry"]): Promise<boolean> {
    return this.#ask({ type: "admit", table: this.table, entry });
  }

  letIn(number: number, accept: boolean): Promise<boolean> {
    return this.#ask({ type: "let_in", table: this.table, number, accept });
  }

  relink(): Promise<boolean> {
    return this.#ask({ type: "relink", table: this.table });
  }

  letStart(who: Room["starters"]): Promise<boolean> {
    return this.#ask({ type: "let_start", table: this.table, who });
  }

  letWrite(allowed: boolean): Promise<boolean> {
    return this.#ask({ type: "let_write", table: this.table, allowed });
  }

  publish(published: boolean): Promise<boolean> {
    return this.#ask({ type: "publish", table: this.table, published });
  }

  delay(delayed: boolean): Promise<boolean> {
    return this.#ask({ type: "delay", table: this.table, delayed });
  }

  givePatience(seat: number, patient: boolean): Promise<boolean> {
    return this.#ask({ type: "give_patience", table: this.table, seat, patient });
  }

  remove(seat: number): Promise<boolean> {
    return this.#ask({ type: "remove", table: this.table, seat });
  }

  /** Gives a seat to a computer player, or opens it (null). */
  give(seat: number, bot: string | null): Promise<boolean> {
    return this.#ask({ type: "give", table: this.table, seat, bot });
  }

  closeTable(): Promise<boolean> {
    return this.#ask({ type: "close", table: this.table });
  }

  /** Has the computer play for somebody who is missing. */
  cover(seat: number): Promise<boolean> {
    return this.#ask({ type: "cover", table: this.table, seat });
  }

  /** Takes the key of another link; a page that was refused tries again with it. */
  takeKey(key: string): void {
    this.#key = key;
    keepKey(this.table, key);
    if (this.refused !== null) void this.#watch();
  }

  /** Swaps seats with a computer, or asks the person of that seat to. */
  swap(seat: number): Promise<boolean> {
    return this.#ask({ type: "swap", table: this.table, seat });
  }

  /** Accepts or declines to swap with the person of that seat. */
  answer(seat: number, accept: boolean): Promise<boolean> {
    return this.#ask({ type: "answer", table: this.table, seat, accept });
  }

  /** Asks no longer to swap. */
  withdraw(): Promise<boolean> {
    return this.#ask({ type: "withdraw", table: this.table });
  }

  start(): Promise<boolean> {
    return this.#ask({ type: "start", table: this.table });
  }

  /** Asks to go on; a second tap before the answer, or before it is shown, asks for nothing more. */
  async ready(): Promise<boolean> {
    if (this.#askingToGoOn) return false;
    const latest = this.#latest;
    if (latest?.room.phase === "playing" && !latest.hint?.wait) return false;
    this.#askingToGoOn = true;
    const done = await this.#ask({ type: "ready", table: this.table });
    this.#askingToGoOn = false;
    return done;
  }

  back(): Promise<boolean> {
    return this.#ask({ type: "back", table: this.table });
  }

  async #ask(request: Request): Promise<boolean> {
    try {
      await this.#connection.request(request);
      return true;
    } catch (error) {
      if (error instanceof Lost) this.hooks.failed("lost");
      else if (error instanceof Refusal) this.hooks.failed(error);
      else throw error;
      return false;
    }
  }

  #changed(status: Status, full: TurnedAway | null): void {
    this.status = status;
    this.full = full;
    if (status !== "online") this.current = false;
    if (status === "offline") this.#gone = true;
    if (status === "online") void this.#watch();
  }

  /** Asks for what was missed since the state at hand, or for all of it. */
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
      if (error instanceof Lost) return;
      this.refused = error instanceof ServerError ? error.code : "internal";
      return;
    }
    this.refused = null;
    this.shut = false;
    this.current = true;
    if (known && this.#partaker) {
      this.#partaker.repeat();
      this.#contribute(false);
    }
    if (this.#gone && known) this.hooks.reconnected();
    this.#gone = false;
  }

  #receive(message: ServerMessage): void {
    if (message.type === "snapshot" && message.table === this.table) {
      const before = this.#latest;
      this.#resting = false;
      this.#latest = fromSnapshot(message, before);
      this.current = true;
      const unseated = before?.seat != null && message.seat === null && !this.#standing;
      this.#learn(before);
      this.#contribute(true);
      const until = deadline(message.turn?.seconds);
      this.#jump({ state: this.#latest, news: [], deadline: until, whole: true });
      if (unseated) this.hooks.unseated(message.moved?.kind ?? null);
    } else if (message.type === "event" && message.table === this.table && this.#latest) {
      const folded = applyEvent(this.#latest, message);
      if (folded.kind === "gap") return void this.#watch();
      if (folded.kind === "old") return;
      if (isTalk(message.event)) {
        // Nothing else has changed, so that the picture goes on as it was.
        this.#latest = folded.state;
        const sentence = this.talk.hear(message.event, folded.state);
        if (sentence !== null) this.hooks.spoke(sentence);
        return;
      }
      this.#resting = stillRests(this.#resting, message.event);
      const all = newsOf(this.#latest, message, folded.state);
      const news = this.#resting ? restNews(all, folded.state.room) : all;
      this.#resting &&= folded.state.room.phase === "playing";
      const until = deadline(message.turn?.seconds);
      const before = this.#latest;
      const told = moments(before, folded.state, news).flatMap(meldsApart);
      // Nothing covers what is told in words.
      const words = settings.mode === "text";
      const shown = words ? told : told.flatMap((one) => lastTrickApart(before, one));
      this.#latest = folded.state;
      this.#learn(before);
      if ("fair" in message.room) this.#contribute(false);
      this.#queue.push(...shown.map((one) => ({ ...one, deadline: until, whole: false })));
      if (this.#timer === undefined) this.#next();
    } else if (message.type === "presence" && message.table === this.table && this.#latest) {
      this.#latest = applyPresence(this.#latest, message);
      if (this.shown) this.shown = applyPresence(this.shown, message);
    } else if (message.type === "advice" && message.table === this.table) {
      this.advice = message;
    } else if (message.type === "error" && message.seq === null && message.table === this.table) {
      // A request is answered where it was made; this comes by itself.
      this.shut = message.code === "unknown_table" && this.#latest !== null;
      this.refused = message.code;
    }
  }

  /** What this page knows of the deals of the match; null where it has no part in them. */
  get witness(): Witness | null {
    return this.#partaker?.trouble === false ? this.#partaker.witness : null;
  }

  /** Takes this page's part in the deals; whether the server takes it is seen in what it tells. */
  #contribute(whole: boolean): void {
    const { room, seat } = this.#latest as TableState;
    if (!room.fair) return;
    this.#partaker ??= new Partaker(room.seats.length, witnessShelf(this.table));
    for (const one of this.#partaker.react(room.fair, seat, whole)) {
      this.#connection.request({ ...one, table: this.table }).catch(() => undefined);
    }
  }

  /** Keeps the key of the reader's link, and notices that a request of his has been declined. */
  #learn(before: TableState | null): void {
    const { room, seat, request } = this.#latest as TableState;
    if (room.key !== null && room.key !== this.#key) {
      this.#key = room.key;
      keepKey(this.table, room.key);
    }
    const answered = before?.request != null && request === null;
    if (answered && seat === null && room.phase !== "closed") this.hooks.declined();
  }

  /** Shows the next event and waits as long as its news deserve. */
  #next(): void {
    this.#timer = undefined;
    const frame = this.#queue.shift();
    // While the coach speaks of what lies there, it goes on lying there.
    const spokenOf = frame ? frame.state.hint?.wait && frame.news.length === 0 : this.#waits();
    if (spokenOf) {
      this.announced = [];
      if (frame) this.shown = { ...frame.state, ...presenceOf(this.#latest) };
      return;
    }
    this.lying = null;
    this.revealed = null;
    this.announced = [];
    if (!frame) return;
    if (frame.news.some((one) => one.kind === "claimed")) this.#skipping = false;
    const last = frame.last === true;
    if (last) this.#toEnd = false;
    const unseen = this.#skipping || this.#toEnd || document.visibilityState === "hidden";
    const news = frame.news.filter((one) => !ownWord(one, frame.state.seat));
    const rest = news.some(({ kind }) => kind === "rest_taken");
    const hold = unseen ? 0 : holdOf(news, settings.speed, rest ? 0 : this.#queue.length, last);
    if (rest) this.#toEnd = true;
    this.#show(frame, hold);
    if (hold === 0) return this.#next();
    this.#timer = setTimeout(() => this.#next(), hold);
  }

  /** Whether the table waits until the reader has read what the coach says. */
  #waits(): boolean {
    return this.shown?.hint?.wait ?? false;
  }

  #show(frame: Frame, time = 0): void {
    if (frame.state.room.phase !== "playing") this.#toEnd = false;
    this.shown = { ...frame.state, ...presenceOf(this.#latest ?? frame.state) };
    this.deadline = frame.deadline;
    if (!frame.state.turn) this.advice = null;
    const trick = frame.news.find((one) => one.kind === "trick");
    this.lying = trick ? { cards: trick.cards, winner: trick.winner, points: trick.points } : null;
    const revealed = frame.news.find((one) => one.kind === "revealed");
    this.revealed = revealed ? { turn: revealed.turn, time } : null;
    if (frame.news.some((one) => one.kind === "annulled")) this.annulled = true;
    else if (frame.state.room.phase !== "between") this.annulled = false;
    this.announced = frame.news.filter(
      (one) => OVER_THE_MAT.has(one.kind) && !ownWord(one, frame.state.seat),
    );
    this.hooks.news(frame.news, this.shown, frame.whole);
    for (const one of manners(frame.news, frame.state)) {
      const sentence = this.talk.utter(one, frame.state);
      if (sentence !== null) this.hooks.spoke(sentence);
    }
  }

  #jump(frame: Frame): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#queue = [];
    this.#toEnd = false;
    const first = this.shown === null;
    this.#show(frame);
    if (first) this.#showDraw(frame.state);
  }

  /** Who comes to a match that has just begun still sees how its first dealer was found (C5). */
  #showDraw({ view }: TableState): void {
    if (!view?.draw || view.dealer === null) return;
    if (view.rounds.length > 0 || view.tricks.length > 0) return;
    const drawn: News = { kind: "drawn", draw: view.draw, dealer: view.dealer };
    this.announced = [drawn];
    this.#timer = setTimeout(() => this.#next(), holdOf([drawn], settings.speed, 0));
  }

  /** The picture catches up with the table at once. */
  catchUp(): void {
    clearTimeout(this.#timer);
    while (this.#queue.length > 0) this.#show(this.#queue.shift() as Frame);
    this.#next();
  }
}

/** Whether the reader said or did this himself: over the mat it would only stand in his way. */
function ownWord(one: News, seat: number | null): boolean {
  const own = one.kind === "said" || one.kind === "robbed" || one.kind === "chose";
  return own && one.seat === seat;
}

function deadline(seconds: number | null | undefined): number | null {
  return typeof seconds === "number" ? Date.now() + seconds * 1000 : null;
}
