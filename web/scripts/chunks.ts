// Assigns modules to chunks. By default the bundler makes a chunk of whatever the same screens share, so
// that a link to a table would fetch sixty small files, which compress badly.

/** What the bundler provides about a module. */
interface Module {
  importedIds: readonly string[];
  dynamicallyImportedIds: readonly string[];
}
export type Modules = (id: string) => Module | null;

const START = /\/start\/StartPage\.svelte$/;
/** The page of a table and what it shows while a round is played. */
const TABLE = /\/table\/(TablePage|PlayScreen)\.svelte$/;
/** The display of a game, and the parts of slates of which each has some. */
const GAME = /\/games\/[^/]+\/(gameUi|unknownGameUi)\.ts$/;
const SLATE = /\/features\/scores\/|\/games\/[^/]+\.ts$/;
/** Screens at a table or like one: where they are shown, the chunk of the table is loaded anyway. */
const AT_A_TABLE =
  /\/(Lobby|TextTable|ReplayPage)\.svelte$|\/(RoundSummary|MatchEnd|HostPanel)\.svelte$|\/games\//;

/** The chunks, each before those whose modules import its own. */
export const CHUNKS = ["page", "forms", "table", "slates"] as const;
export type Chunk = (typeof CHUNKS)[number];

/** The static imports of these modules, transitively; themselves included. */
function needed(ids: Iterable<string>, modules: Modules): Set<string> {
  const found = new Set(ids);
  for (const id of found) for (const one of modules(id)?.importedIds ?? []) found.add(one);
  return found;
}

/** The modules that are imported dynamically. */
function fetchedLater(main: string, modules: Modules): string[] {
  const all = new Set([main]);
  const later = new Set<string>();
  for (const id of all) {
    const module = modules(id);
    for (const one of module?.importedIds ?? []) all.add(one);
    for (const one of module?.dynamicallyImportedIds ?? []) {
      all.add(one);
      later.add(one);
    }
  }
  return [...later];
}

/**
 * The chunks of modules: `page` is shared by start page and tables, `forms` by the start page and by panels,
 * `table` is used by tables alone, and `slates` by the displays of games. Other modules are left to the
 * bundler.
 */
export function assignChunks(main: string, modules: Modules): Map<string, Chunk> {
  const later = fetchedLater(main, modules);
  const those = (which: (id: string) => boolean): Set<string> => needed(later.filter(which), modules);
  const page = needed([main], modules);
  const start = those((id) => START.test(id));
  const table = those((id) => TABLE.test(id));
  const besidesStart = those((id) => !START.test(id));
  const elsewhere = those((id) => !TABLE.test(id) && !AT_A_TABLE.test(id));
  const chunks = new Map<string, Chunk>([...page].map((id) => [id, "page"]));
  for (const id of start) {
    if (!page.has(id) && !table.has(id) && besidesStart.has(id)) chunks.set(id, "forms");
  }
  for (const id of needed(
    later.filter((one) => GAME.test(one)),
    modules,
  )) {
    if (!page.has(id) && !table.has(id) && SLATE.test(id)) chunks.set(id, "slates");
  }
  for (const id of table) {
    if (start.has(id)) chunks.set(id, "page");
    else if (!page.has(id) && !elsewhere.has(id)) chunks.set(id, "table");
  }
  return chunks;
}
