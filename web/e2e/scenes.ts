// A table at a chosen moment: the page is connected to the test instead of the server and receives views
// that the engine made (jass_scenes.py and the like).
import type { Page, WebSocketRoute } from "@playwright/test";
import { contractView } from "../src/api/narrowGameView";
import type { ClientMessage, EventInfo, RoomInfo, SeatInfo, Turn, View } from "../src/api/messages";
import { python } from "../scripts/python.mjs";

interface Moment {
  view: View;
  turn: Turn | null;
  phase: RoomInfo["phase"];
}

interface Scene extends Moment {
  /** The seat from which it is seen; null for a spectator. */
  reader: number | null;
  steps: (Moment & { seat: number; action: string })[];
}

const FILES = ["jass", "contract", "doubt", "crowd"].map((name) => `web/e2e/${name}_scenes.py`);
let played: Record<string, Scene> | null = null;

/** All scenes by name, produced when the first one is needed. */
function scenes(): Record<string, Scene> {
  played ??= Object.assign({}, ...FILES.map((file) => JSON.parse(python(file)))) as typeof played;
  return played ?? {};
}

/** Names of realistic length. */
export const LONG_NAMES: readonly string[] = [
  "Anna-Katharina von Salis",
  "Maximiliane Oberholzer",
  "Reto",
  "Hans-Ueli Zurbriggen",
  "Jean-Rémy Dürrenmatt",
  "Konstantin Wyss",
  "Zoë",
  "Bartholomäus Imhof",
];

/** The names of all scenes. */
export function sceneNames(): string[] {
  return Object.keys(scenes());
}

/** The partners, as the standing lists them in games with partners. */
function sides(view: View): number[][] {
  const sideOf = contractView(view)?.standing.map(({ side }) => side) ?? [...view.players.keys()];
  const numbers = [...new Set(sideOf)];
  return numbers.map((side) => sideOf.flatMap((one, seat) => (one === side ? [seat] : [])));
}

const TABLE = "a-table-at-a-chosen-moment";

/** Further properties of a scene's room, its seats and the people there. */
export interface Circumstances {
  room?: Partial<RoomInfo>;
  seats?: Record<number, Partial<SeatInfo>>;
  missing?: readonly number[];
  spectators?: number;
}

export interface Stage {
  /** The actions that the page has sent. */
  sent: string[];
  /** Everything else that the page has asked for. */
  asked: ClientMessage[];
  /** Sends the page an event and the resulting change of the room. */
  tell(event: Partial<EventInfo>, room: Partial<RoomInfo>): void;
  /** Shows the next step of the scene, as after an action. */
  step(): void;
  /** Breaks the connection, and refuses every new one until it is mended. */
  cut(): Promise<void>;
  /** The connection goes dead but stays open: nothing that the page sends arrives any more. */
  hush(): void;
  mend(): void;
}

/** Opens the page at a scene; `names` are the players' names by seat. */
export async function openScene(
  page: Page,
  name: string,
  names: readonly string[] = ["Anna", "Reto", "Lea", "Urs"],
  more: Circumstances = {},
): Promise<Stage> {
  const scene = scenes()[name];
  if (!scene) throw new Error(`no scene '${name}'; there are ${Object.keys(scenes()).join(", ")}`);
  const sent: string[] = [];
  const asked: ClientMessage[] = [];
  const steps = [...scene.steps];
  let version = 1;
  let socket: WebSocketRoute | null = null;
  let cut = false;
  let hushed = false;
  let begun = (): void => undefined;
  // Messages sent before the page's first snapshot would be lost.
  const watched = new Promise<void>((done) => (begun = done));

  const send = (message: object): void => socket?.send(JSON.stringify(message));
  const common = { table: TABLE, hint: null, undoable: false };
  const room = (phase: RoomInfo["phase"]): RoomInfo => ({
    table: TABLE,
    game: scene.view.game,
    options: scene.view.options,
    phase,
    seats: scene.view.players.map((_, seat) => ({
      kind: "person",
      name: names[seat] ?? "",
      bot: null,
      left: false,
      away: false,
      ready: false,
      asks: null,
      ...more.seats?.[seat],
    })),
    thinking_time: null,
    pause: 0,
    number: 1,
    wins: scene.view.players.map(() => 0),
    guided: false,
    hints: false,
    stand_in: "greedy",
    sides: sides(scene.view),
    host: 0,
    entry: "link",
    starters: "host",
    key: null,
    requests: [],
    match_time: null,
    fair: null,
    used: scene.view.players.map(() => 0),
    ...more.room,
  });

  function answer(message: ClientMessage): void {
    if (message.type === "watch") {
      const { reader, view, turn, phase } = scene as Scene;
      const seen = { seat: reader, room: room(phase), view, turn, host: false };
      send({ type: "snapshot", ...common, version, ...seen });
      const [connected, preparing] = [true, false].map((one) => view.players.map(() => one));
      const missing = view.players.map((_, seat) => more.missing?.includes(seat) ?? false);
      const spectators = more.spectators ?? 0;
      send({ type: "presence", table: TABLE, connected, preparing, missing, spectators });
      begun();
    }
    if (message.type === "act") sent.push(message.action);
    else if (message.type !== "watch" && message.type !== "ping") asked.push(message);
    if (message.type === "ping") return send({ type: "pong", seq: message.seq });
    send({ type: "ack", seq: message.seq, table: TABLE, version });
  }

  await page.routeWebSocket(/\/ws$/, (route) => {
    if (cut) return void route.close();
    socket = route;
    route.onMessage((text) => {
      if (!hushed) answer(JSON.parse(String(text)) as ClientMessage);
    });
    send({ type: "welcome", protocol: 1, identity: true });
  });
  await page.goto(`/t/${TABLE}`);
  await watched;
  // The page watches before its scripts have come; the scene is there once it is drawn.
  await page.waitForFunction(() => !document.querySelector(".shell, .waiting, .later"));

  return {
    sent,
    asked,
    tell(happened, changed) {
      version += 1;
      const none = { seat: null, action: null, by: null, pack: null, other: null };
      send({
        type: "event",
        ...common,
        version,
        event: { ...none, ...happened },
        room: changed,
        set: {},
        last: {},
        append: {},
        turn: null,
      });
    },
    async cut() {
      cut = true;
      await socket?.close();
    },
    hush() {
      hushed = true;
    },
    mend() {
      cut = hushed = false;
    },
    step() {
      const next = steps.shift();
      if (!next) throw new Error(`scene '${name}' has no further step`);
      version += 1;
      const { seat, action, view, turn, phase } = next;
      const event = { kind: "acted", seat, action, by: "person", pack: null, other: null };
      send({
        type: "event",
        ...common,
        version,
        event,
        room: room(phase),
        set: view,
        last: {},
        append: {},
        turn,
      });
    },
  };
}
