import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { entriesATurn, formatJsonList } from "../../../src/flows/lists/json-list.ts";

describe("jsonList", () => {
  it("writes what JSON.stringify writes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue()), async (items) => {
        expect(await formatJsonList(items)).toBe(JSON.stringify(items, null, 2));
      }),
    );
  });

  it("indents a list as the field of an object", async () => {
    const list = [{ a: "one\ntwo" }, [], 3];

    const written = `{\n  "list": ${await formatJsonList(list, { depth: 1 })}\n}`;

    expect(written).toBe(JSON.stringify({ list }, null, 2));
  });

  it("makes each entry when its turn comes", async () => {
    expect(JSON.parse(await formatJsonList([1, 2], { make: (n) => ({ n }) }))).toEqual([
      { n: 1 },
      { n: 2 },
    ]);
  });

  it("lets other work in between", async () => {
    let made = 0;
    const make = () => {
      made += 1;
      return made;
    };
    const written = formatJsonList(Array.from({ length: 10 * entriesATurn }), { make });
    await new Promise((resolve) => setImmediate(resolve));

    expect(made).toBeLessThan(3 * entriesATurn);
    await written;
  });
});
