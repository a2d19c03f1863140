// Compares the page's current winner of a trick with the engine's rules, for every trick-taking game.
import { describe, expect, it } from "vitest";
import type { View } from "../src/api/messages";
import { currentTrickWinner } from "../src/features/play/currentTrickWinner";
import { python } from "./python.mjs";

// Plays random rounds; in games with contracts, every contract is announced at least once.
const PLAYED = `
import json, random
import jasstisch as jt
from jasstisch.games.trick_taking import TrickTaking

found = []
for name in sorted(jt.games()):
    for seed in range(9 if name in ("schieber", "coiffeur") else 1):
        rng = random.Random(seed)
        options = {"lines": "ten"} if name == "coiffeur" else {}
        match = jt.Match(jt.game(name, **options))
        while not match.over and len(match.rounds) < 4:
            if match.needs_pack:
                match.deal(rng.sample(match.pack, len(match.pack)))
                continue
            seat = rng.choice(match.to_act)
            wanted = [one for one in match.legal(seat) if one.startswith(("slalom", "guschti"))]
            match.act(seat, rng.choice(wanted or match.legal(seat)))
            rules = match._rules
            if isinstance(rules, TrickTaking):
                view = match.view(None)
                kept = {key: view.get(key) for key in ("game", "contract", "trick", "trump")}
                kept["tricks"] = [None] * len(view["tricks"])
                found.append([kept, rules.holder if view["trick"] else None])
print(json.dumps(found))`;

/** The view that the page receives, and the seat that currently wins the trick. */
type Moment = [view: View, holder: number | null];

const moments = JSON.parse(python("-c", PLAYED)) as Moment[];

describe("currentTrickWinner", () => {
  it("agrees with the engine's rules in every game and contract", () => {
    const wrong = moments.filter(([view, holder]) => currentTrickWinner(view) !== holder);
    expect(wrong).toEqual([]);
    const contracts = new Set(moments.map(([view]) => ("contract" in view ? view.contract : null)));
    expect(contracts.size).toBe(11);
  });

  it("returns null for a game that the page does not know", () => {
    const [open] = moments.find(([view]) => view.trick.length > 0) as Moment;
    expect(currentTrickWinner(open)).not.toBeNull();
    expect(currentTrickWinner({ ...open, game: "bieter" } as unknown as View)).toBeNull();
  });
});
