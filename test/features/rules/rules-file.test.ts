import { describe, expect, it } from "vitest";
import { readRulesFile, writeRulesFile } from "../../../src/features/rules/rules-file.ts";
import type { RuleBook } from "../../../src/moderation/index.ts";

const authorId = `UC${"a".repeat(22)}`;
const base = { does: "act", decision: "hold", isOn: true, addedBy: "1", addedAt: 0 } as const;
const book: RuleBook = {
  rules: [
    {
      ...base,
      id: "00000001",
      name: "Words",
      test: { kind: "words", words: ["free"], isFolded: true },
    },
    {
      ...base,
      id: "00000002",
      name: "Patterns",
      isOn: false,
      test: { kind: "patterns", patterns: ["a{3}"], isFolded: false },
    },
    { ...base, id: "00000003", name: "Links", test: { kind: "links", allowed: ["example.com"] } },
    {
      ...base,
      id: "00000004",
      name: "Repeats",
      test: { kind: "repeated", times: 3, withinMs: 90_000 },
    },
    {
      ...base,
      id: "00000005",
      name: "People",
      test: { kind: "authors", authors: [{ id: authorId, name: "Ann" }, { id: authorId }] },
    },
    {
      ...base,
      id: "00000006",
      name: "Names",
      test: { kind: "names", signs: ["imitates", "new"] },
    },
  ],
  spared: { members: true, authors: [{ id: authorId }] },
  dailyCap: 7,
};

const rule = { kind: "words", name: "N", does: "hold", words: ["w"] };
const file = (changes: object = {}) =>
  JSON.stringify({ format: "greenroom-rules", version: 1, rules: [], ...changes });
const withRule = (changes: object) => file({ rules: [{ ...rule, ...changes }] });

function factsOf(text: string | Uint8Array): unknown {
  try {
    readRulesFile(typeof text === "string" ? Buffer.from(text) : text);
  } catch (error) {
    return (error as { readonly facts: unknown }).facts;
  }
  return undefined;
}

describe("writeRulesFile", () => {
  it("writes what readRulesFile reads, without what belongs to the server", () => {
    const text = writeRulesFile(book);

    const { rules, spared, dailyCap } = readRulesFile(Buffer.from(text));
    expect(rules).toEqual(
      book.rules.map(({ id: _, addedAt: __, addedBy: ___, ...content }) => content),
    );
    expect({ spared, dailyCap }).toEqual({ spared: book.spared, dailyCap: 7 });
    expect(text).not.toContain("00000001");
  });
});

describe("readRulesFile", () => {
  it.each([
    [file({ rules: [{ ...rule, words: [] }] }), { path: "rules[0].words", reason: "small" }],
    [withRule({ words: ["x".repeat(101)] }), { path: "rules[0].words[0]", limit: 100 }],
    [withRule({ words: Array(201).fill("w") }), { what: "array", reason: "big", limit: 200 }],
    [withRule({ name: "x".repeat(61) }), { path: "rules[0].name", limit: 60 }],
    [withRule({ name: " \n" }), { path: "rules[0].name", reason: "missing" }],
    [withRule({ name: "\u200b \u202e" }), { path: "rules[0].name", reason: "missing" }],
    [withRule({ name: undefined }), { path: "rules[0].name", reason: "missing" }],
    [withRule({ does: "ban" }), { path: "rules[0].does", reason: "choice" }],
    [withRule({ kind: "regex" }), { allowed: "words, patterns, links, repeated, authors, names" }],
    [withRule({ on: "yes" }), { path: "rules[0].on", reason: "type", what: "boolean" }],
    [
      withRule({ "`@everyone`": 1 }),
      {
        path: "rules[0]",
        given: "`@everyone`",
        allowed: "kind, name, does, on, words, look_alikes",
      },
    ],
    [file({ rules: [[]] }), { path: "rules[0]", reason: "type", what: "object" }],
    [file({ rules: 1 }), { path: "rules", what: "array" }],
    [file({ rules: Array(51).fill(rule) }), { path: "rules", limit: 50 }],
    [file({ daily_actions: 1.5 }), { path: "daily_actions", reason: "type", what: "int" }],
    [file({ exempt: { members: true } }), { path: "exempt.authors", reason: "missing" }],
    [
      file({ exempt: { members: true, authors: [{ id: "@ann" }] } }),
      { path: "exempt.authors[0].id", reason: "channel" },
    ],
    [file({ extra: 1 }), { path: "{ }", reason: "unknown", given: "extra" }],
    [file({ version: 2 }), { reason: "version", most: 1 }],
    [`{\n  "format": "greenroom-rules",\n  oops`, { reason: "json", line: 3 }],
    ["[".repeat(500_000), { reason: "many" }],
    ["[1]", { reason: "format" }],
    ["", { reason: "empty" }],
    [" \n", { reason: "empty" }],
    [Buffer.from([0xff, 0xfe, 0x7b, 0]), { reason: "text" }],
    [Buffer.alloc(2 * 1024 * 1024 + 1), { reason: "large", most: 2_048 }],
  ])("names what is wrong and what is allowed: %#", (text, facts) => {
    expect(factsOf(text)).toMatchObject(facts);
  });
});
