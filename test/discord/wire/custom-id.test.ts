import { describe, expect, it } from "vitest";
import {
  decodeCancelId,
  decodeCustomId,
  encodeCancelId,
  encodeCustomId,
} from "../../../src/discord/wire/custom-id.ts";

const handle = "AbCdEfGhIjKlMnOpQrSt-_";

describe("custom ids", () => {
  it.each(["public", "private", "update", "each", "form"] as const)(
    "carry an answer that is %s",
    (answer) => {
      const id = { answer, handle, index: 12 };

      expect(decodeCustomId(encodeCustomId(id))).toEqual(id);
    },
  );

  it("stay far below 100 characters", () => {
    expect(encodeCustomId({ answer: "update", handle, index: 39 }).length).toBeLessThan(40);
  });

  it.each([
    "",
    "g1",
    `g0:u:${handle}:1`,
    `g1:x:${handle}:1`,
    `g1:u:${handle}x:1`,
    `g1:u:${handle}:-1`,
    "g1:cancel:1",
  ])("are not read from %j", (text) => {
    expect(decodeCustomId(text)).toBeUndefined();
  });

  it("name the work that a Cancel button stops", () => {
    expect(decodeCancelId(encodeCancelId("123456789012345678"))).toBe("123456789012345678");
  });
});
