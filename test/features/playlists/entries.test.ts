import { describe, expect, it } from "vitest";
import { BotError } from "../../../src/errors.ts";
import { readEntryRef, readEntryRefs } from "../../../src/features/playlists/entries.ts";

const item = "UExSNzhVSkVPVGNlMndBS0MybFRsUWtXdlh2bjJFbmFPLS43NW01WEhKcndlY2lGMlRf";

function failureOf(work: () => unknown): BotError {
  try {
    work();
  } catch (error) {
    if (error instanceof BotError) return error;
    throw error;
  }
  throw new Error("nothing failed");
}

describe("readEntryRef", () => {
  it("distinguishes an entry from a video", () => {
    expect(readEntryRef(` ${item} `, "item")).toEqual({ itemId: item });
    expect(readEntryRef("https://youtu.be/aaaaaaaaaaa?t=3", "item")).toEqual({
      videoId: "aaaaaaaaaaa",
    });
  });

  it.each([
    ["🎉 مرحبا", "option_unreadable", "\u2068🎉 مرحبا\u2069"],
    ["", "option_unreadable", ""],
    ["x".repeat(5000), "option_unreadable", `${"x".repeat(59)}…`],
    ["https://www.youtube.com/playlist?list=PLaaaaaaaaaaaaaaaa", "id_kind", "playlist"],
    ["@greenroomstudio", "id_kind", "channel"],
  ])("refuses %.20s", (text, code, given) => {
    const error = failureOf(() => readEntryRef(text, "item"));

    expect(error.code).toBe(code);
    expect(error.facts.given).toBe(given);
    if (code === "id_kind") expect(error.facts.typed).toBe(text);
  });
});

describe("readEntryRefs", () => {
  it("takes several, each once, in their order", () => {
    const refs = readEntryRefs(`bbbbbbbbbbb, ${item};https://youtu.be/bbbbbbbbbbb`, "items");

    expect(refs).toEqual({
      refs: [{ videoId: "bbbbbbbbbbb" }, { itemId: item }],
      unread: [],
    });
  });

  it("takes fifty and no more", () => {
    const many = Array.from({ length: 51 }, (_, index) => `aaaaaaaaa${10 + index}`);

    expect(readEntryRefs(many.slice(1).join(" "), "items").refs).toHaveLength(50);
    expect(failureOf(() => readEntryRefs(many.join(" "), "items")).code).toBe("too_many_values");
  });
});
