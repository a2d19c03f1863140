import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { problems } from "./check_structure.mjs";

let root = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "structure-"));
});

afterEach(() => rmSync(root, { recursive: true }));

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
}

describe("check_structure", () => {
  it("accepts imports from lower layers", () => {
    write({
      "api/rest.ts": "export {};",
      "ui/Icon.svelte": '<script lang="ts">import { a } from "../api/rest";</script>',
      "app/main.ts": 'import Icon from "../ui/Icon.svelte";',
    });
    expect(problems(root)).toEqual([]);
  });

  it("reports the files of an import circle, also through type, component and dynamic imports", () => {
    write({
      "table/a.ts": 'import type { B } from "./b";',
      "table/b.ts": 'void import("./C.svelte");',
      "table/C.svelte": '<script lang="ts">\n  import { a } from "./a";\n</script>',
    });
    expect(problems(root)).toEqual([
      "import circle: table/C.svelte -> table/a.ts -> table/b.ts -> table/C.svelte",
    ]);
  });

  it("follows glob imports when it looks for circles", () => {
    write({
      "games/registry.ts": 'const all = import.meta.glob<object>("./*/scoreEntry.ts");',
      "games/x/scoreEntry.ts": 'import "../registry";',
    });
    expect(problems(root).join()).toMatch(/circle/);
  });

  it("reports an import from a higher layer with both files", () => {
    write({ "api/rest.ts": 'import "../app/main";', "app/main.ts": "" });
    expect(problems(root)).toEqual([
      "api/rest.ts (api: messages and calls of the server) imports app/main.ts (app: entry points and page frame)",
    ]);
  });

  it("reports a file outside the layers and a folder with too many files", () => {
    write({ "lib/x.ts": "" });
    write(Object.fromEntries(Array.from({ length: 26 }, (_, number) => [`ui/${number}.ts`, ""])));
    expect(problems(root)).toEqual(["lib/x.ts belongs to no layer", "ui: 26 files, at most 25"]);
  });
});
