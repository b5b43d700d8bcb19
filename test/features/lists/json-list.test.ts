import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonEntries } from "../../../src/features/lists/json-list.ts";
import { joinEntries } from "../../support/join-entries.ts";

describe("jsonEntries", () => {
  it("writes what JSON.stringify writes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue()), async (items) => {
        expect(await joinEntries(jsonEntries(items))).toBe(JSON.stringify(items, null, 2));
      }),
    );
  });

  it("indents a list as the field of an object", async () => {
    const list = [{ a: "one\ntwo" }, [], 3];

    const written = jsonEntries(list, { before: '{\n  "list": ', after: "\n}", depth: 1 });

    expect(await joinEntries(written)).toBe(JSON.stringify({ list }, null, 2));
  });

  it("can end after each entry", async () => {
    let text = "";
    const parsed: unknown[] = [];
    for await (const entry of jsonEntries([1, { two: 2 }])) {
      text += entry.text;
      parsed.push(JSON.parse(text + entry.end));
    }

    expect(parsed).toEqual([[], [1], [1, { two: 2 }]]);
  });

  it("takes an item only when its turn has come", async () => {
    let taken = 0;
    function* items() {
      for (;;) {
        taken += 1;
        yield taken;
      }
    }
    const entries = jsonEntries(items());

    await entries.next();
    await entries.next();

    expect(taken).toBe(1);
  });
});
