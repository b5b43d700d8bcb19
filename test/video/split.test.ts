import { describe, expect, it } from "vitest";
import { splitLists } from "../../src/video/split.ts";
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

  it("leaves a write alone that fits", () => {
    expect(splitLists("things.set", things, { many: ["a", "b"] })).toBeUndefined();
  });
});
