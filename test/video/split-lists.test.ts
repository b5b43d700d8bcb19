import { describe, expect, it } from "vitest";
import { methods } from "../../src/video/methods/index.ts";
import { splitLists } from "../../src/video/split-lists.ts";
import { things } from "./check/things.ts";

describe("splitLists", () => {
  it("refuses a write of more than one call takes", () => {
    expect(() => splitLists("things.set", things, { many: ["a", "b", "c"] })).toThrow(
      expect.objectContaining({
        code: "too_many_items",
        facts: {
          method: "things.set",
          parameter: "many",
          was: "a list of 3",
          allowed: "a list of at most 2",
          maxItems: 2,
        },
      }),
    );
  });

  it("asks once for what is named twice", () => {
    const params = { part: ["a"], id: ["v1", "v2", "v1", ...Array(60).fill("v3")] };

    expect(splitLists("videos.list", methods["videos.list"], params)).toEqual([
      { part: ["a"], id: ["v1", "v2", "v3"] },
    ]);
  });

  it("leaves a write alone that fits", () => {
    expect(splitLists("things.set", things, { many: ["a", "b"] })).toBeUndefined();
  });
});
