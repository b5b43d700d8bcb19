import { describe, expect, it } from "vitest";
import { parseList } from "../../../src/moderation/lists/parse-list.ts";

const id = `UC${"x".repeat(22)}`;
const parse = (text: string | Uint8Array) =>
  parseList(typeof text === "string" ? Buffer.from(text) : text);

describe("parseList", () => {
  it.each([
    ["free presets\nSCAM", { words: ["free presets", "SCAM"] }],
    ["# words\n! more\n// and\n\nspam # why\r\nspam", { words: ["spam"] }],
    ["0.0.0.0 evil.com\n127.0.0.1 www.bad.net", { links: ["evil.com", "bad.net"] }],
    [
      "https://Evil.com/Gift/\n*.bad.net\n||worse.org^",
      { links: ["evil.com/Gift", "bad.net", "worse.org"] },
    ],
    ["20.226.24.207", { links: ["20.226.24.207"] }],
    ["münchen.com", { links: ["xn--mnchen-3ya.com"] }],
    [id, { authors: [id] }],
    ["🖕\n何 か", { words: ["🖕", "何 か"] }],
    ["e.g\nv1.2\nn.i.g", { words: ["e.g", "v1.2", "n.i.g"] }],
    ["\ufeffspam", { words: ["spam"] }],
    ['["evil.com", "spam"]', { links: ["evil.com"], words: ["spam"] }],
    [
      `{"words":["a.com"],"domains":["b.com"],"authors":["${id}"]}`,
      {
        words: ["a.com"],
        links: ["b.com"],
        authors: [id],
      },
    ],
    ['{"words":["spam","youtube.com"]}', { words: ["spam"], skipped: 1 }],
    ["https://youtu.be/dQw4w9WgXcQ", { links: ["youtu.be/dQw4w9WgXcQ"] }],
  ] as const)("reads %j", async (text, content) => {
    expect(await parse(text)).toEqual({
      words: [],
      links: [],
      authors: [],
      skipped: 0,
      ...content,
    });
  });

  it.each([
    "youtube.com",
    "https://www.youtube.com/",
    "free*",
    "x".repeat(101),
    "a\u202eb",
    "a\u200bb",
    "a\u001bb",
    "https://user@evil.com",
    "https://evil.com:8080",
    "ftp://evil.com",
    "…",
    ..."a,é,д,ａ,7,$,(a),https,http:,WWW".split(","),
  ])("skips %j, and counts it", async (entry) => {
    expect(await parse(`spam\n${entry}`)).toMatchObject({ words: ["spam"], links: [], skipped: 1 });
  });

  it.each([
    [Buffer.alloc(2 * 1024 * 1024 + 1, "a"), { reason: "large", most: 2 }],
    [Buffer.from([0xff, 0xfe, 0x61, 0]), { reason: "text" }],
    [Buffer.from([0xe4, 0xf6, 0xfc]), { reason: "text" }],
    ["PNG\u0000\u0001", { reason: "text" }],
    ["<!DOCTYPE html><p>Not found", { reason: "page" }],
    ["[1, 2", { reason: "json", line: 1 }],
    ['{"rules": []}', { reason: "fields", allowed: "words, links, domains, authors" }],
    ['{"__proto__": ["spam"], "words": 7}', { reason: "fields" }],
    ["[".repeat(1_000_000), { reason: "many" }],
    [`[${'"a",'.repeat(50_001)}"a"]`, { reason: "many", most: 50_000 }],
    ["a\n".repeat(50_001), { reason: "many" }],
    ["x".repeat(2_000_000), { reason: "empty", skipped: 1 }],
    ["[1,{},null]", { reason: "empty", skipped: 3 }],
    ["", { reason: "empty", skipped: 0 }],
  ])("refuses what is no list: %#", async (text, facts) => {
    const { code, facts: found } = await parse(text).catch((error) => error);

    expect({ code, ...found }).toMatchObject({ code: "list_refused", ...facts });
  });

  it.each(["a", "#"])("lets other work go on between many lines with %j", async (line) => {
    let turns = 0;
    const next = () => {
      turns += 1;
      turn = setImmediate(next);
    };
    let turn = setImmediate(next);
    await parse(`${line}\n`.repeat(100_000)).catch(() => undefined);
    clearImmediate(turn);

    expect(turns).toBeGreaterThan(100);
  });
});
