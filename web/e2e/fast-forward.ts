// Plays the repetitive middle of a long match without showing it: people act through connections of their
// own and return to their pages for the end.
import type { Page } from "@playwright/test";
import type { ClientMessage, RoomInfo, ServerMessage, Turn, View } from "../src/api/messages";

/**
 * When to stop: after this many rounds, once a player has this many points, or when a person is to act with
 * this many cards or fewer.
 */
interface Enough {
  rounds?: number;
  points?: number;
  cards?: number;
}

/** The table id in an address, without the language and the key of a link. */
function tableIn(address: string): string {
  return new URL(address).pathname.split("/").at(-1) ?? "";
}

/** Plays with all people of the table until each has reached the limit, or to the end of the match. */
export async function fastForward(people: readonly Page[], enough: Enough): Promise<void> {
  const tables = people.map((page) => page.url());
  await Promise.all(people.map((page) => page.goto("/api/games")));
  const { rounds = Infinity, points = Infinity, cards = 0 } = enough;
  await Promise.all(
    people.map((page, place) =>
      page.evaluate(actAlone, { table: tableIn(tables[place] ?? ""), rounds, points, cards }),
    ),
  );
  await Promise.all(people.map((page, place) => page.goto(tables[place] ?? "")));
}

/**
 * Repeats the first legal action; runs in the page and has its identity. Stays below the server's limit of
 * 20 messages a second.
 */
function actAlone({ table, rounds, points, cards }: { table: string } & Required<Enough>): Promise<void> {
  return new Promise((done, failed) => {
    const socket = new WebSocket(`ws://${location.host}/ws`);
    const sent: number[] = [];
    let waits = false;
    let seat = 0;
    let room = {} as RoomInfo;
    let view = {} as View;
    let turn: Turn | null = null;

    function ask(request: object): void {
      waits = true;
      turn = null;
      const free = (sent.at(-18) ?? -Infinity) + 1000;
      const at = Math.max(performance.now(), free);
      const message = { ...request, table, seq: sent.push(at) } as ClientMessage;
      setTimeout(() => socket.send(JSON.stringify(message)), at - performance.now());
    }

    function far(): boolean {
      if (room.phase === "playing") {
        const length = view.hand?.length ?? 0;
        return turn !== null && length > 0 && length <= cards;
      }
      const most = Math.max(...view.standing.map((one) => ("points" in one ? Number(one.points) : 0)));
      return room.phase === "over" || view.rounds.length >= rounds || most >= points;
    }

    function goOn(): void {
      if (waits || room.phase === "open") return;
      if (far()) {
        socket.close();
        done();
      } else if (room.phase === "between") {
        if (!room.seats[seat]?.ready) ask({ type: "ready" });
      } else if (turn?.legal[0]) {
        ask({ type: "act", action: turn.legal[0] });
      }
    }

    function hear(message: ServerMessage): void {
      if (message.type === "welcome") return ask({ type: "watch", since: null, seat: null });
      if (message.type === "error") return failed(new Error(message.message));
      if (message.type === "ack") waits = false;
      if (message.type === "snapshot") {
        seat = message.seat ?? 0;
        room = message.room;
        view = message.view as View;
      } else if (message.type === "event") {
        const played = [...view.rounds, ...(message.append.rounds ?? [])];
        room = { ...room, ...message.room };
        view = { ...view, ...message.set, rounds: played } as View;
      }
      if (message.type === "snapshot" || message.type === "event") turn = message.turn;
      goOn();
    }

    socket.addEventListener("message", ({ data }) => hear(JSON.parse(String(data)) as ServerMessage));
    socket.addEventListener("close", () => failed(new Error("the connection has ended")));
  });
}
