import { expect, it } from "vitest";
import { fetchOnce } from "./fetchOnce";

it("fetches once for each key, and again only after a failure", async () => {
  const asked: string[] = [];
  let fails = true;
  const load = fetchOnce(async (key: string) => {
    asked.push(key);
    await Promise.resolve();
    if (fails) throw new Error("gone");
    return key.toUpperCase();
  });
  const both = [load("a"), load("a")];
  await Promise.all(both.map((one) => expect(one).rejects.toThrow("gone")));
  expect(asked).toEqual(["a"]);
  fails = false;
  expect(await Promise.all([load("a"), load("a"), load("b")])).toEqual(["A", "A", "B"]);
  expect(asked).toEqual(["a", "a", "b"]);
});
