import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { entriesATurn, jsonList } from "../../../src/discord/lists/json-list.ts";

describe("jsonList", () => {
  it("writes what JSON.stringify writes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue()), async (items) => {
        expect(await jsonList(items)).toBe(JSON.stringify(items, null, 2));
      }),
    );
  });

  it("makes each entry when its turn comes", async () => {
    expect(JSON.parse(await jsonList([1, 2], (n) => ({ n })))).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it("lets other work in between", async () => {
    let made = 0;
    const written = jsonList(Array.from({ length: 10 * entriesATurn }), () => {
      made += 1;
      return made;
    });

    expect(made).toBe(entriesATurn);
    await written;
  });
});
