import { describe, expect, it } from "vitest";
import type { AuditEntry } from "../../../src/moderation/index.ts";
import { createRuleSuggester } from "../../../src/moderation/summary/suggest-rules.ts";

let n = 0;
function entry(act: AuditEntry["act"], text: string, change: Partial<AuditEntry> = {}): AuditEntry {
  n += 1;
  return {
    id: `${n}`,
    at: n,
    by: { userId: "1", userName: "Ann" },
    act,
    from: "card",
    answer: "done",
    source: "UC",
    commentId: `c${n}`,
    authorId: `author-${n}`,
    authorName: `Author ${n}`,
    text,
    ...change,
  };
}

function suggested(entries: readonly AuditEntry[]) {
  const suggester = createRuleSuggester();
  for (const one of entries) suggester.add(one);
  return suggester.suggestions();
}

const times = (count: number, make: (at: number) => AuditEntry) =>
  Array.from({ length: count }, (_, at) => make(at));

describe("createRuleSuggester", () => {
  it("finds the link of several people's rejected comments, however it is written", () => {
    const found = suggested([
      entry("rejected", "get it at https://www.free-gift.xyz/a"),
      entry("banned", "free-gift.xyz is great"),
      entry("rejected", "look: http://FREE-GIFT.xyz?x=1"),
    ]);

    expect(found).toEqual([{ kind: "words", what: "free-gift.xyz", count: 3 }]);
  });

  it("finds a word only where enough approved comments show that it is unusual", () => {
    const spam = times(3, () => entry("rejected", "buy CRYPTOCOIN now"));
    const praise = (count: number) => times(count, () => entry("approved", "what a lovely video"));

    expect(suggested([...spam, ...praise(19)])).toEqual([]);
    expect(suggested([...spam, ...praise(20)])).toEqual([
      { kind: "words", what: "cryptocoin", count: 3 },
    ]);
  });

  it("finds an author whose comments are only rejected", () => {
    const author = { authorId: "UCspam", authorName: "Spam" };
    const rejected = times(4, () => entry("rejected", "hi", author));

    expect(suggested(rejected)).toEqual([
      { kind: "authors", what: "UCspam", name: "Spam", count: 4 },
    ]);
    expect(suggested([...rejected, entry("approved", "hello", author)])).toEqual([]);
  });

  it("leaves out what one person repeats, what approved comments have, and what a rule found", () => {
    const one = { authorId: undefined, commentId: "same" };
    const byRule = { by: { ruleId: "r", ruleName: "Links" } };

    expect(suggested(times(9, () => entry("rejected", "see free-gift.xyz", one)))).toEqual([]);
    expect(
      suggested([
        ...times(3, () => entry("rejected", "see free-gift.xyz")),
        entry("approved", "I know free-gift.xyz"),
      ]),
    ).toEqual([]);
    expect(suggested(times(5, () => entry("rejected", "see free-gift.xyz", byRule)))).toEqual([]);
  });

  it("names three at most, the most frequent first", () => {
    const of = (host: string, count: number) =>
      times(count, () => entry("rejected", `see ${host}`));

    const found = suggested([
      ...of("a-a.xyz", 3),
      ...of("b-b.xyz", 6),
      ...of("c-c.xyz", 4),
      ...of("d-d.xyz", 5),
    ]);

    expect(found.map(({ what, count }) => [what, count])).toEqual([
      ["b-b.xyz", 6],
      ["d-d.xyz", 5],
      ["c-c.xyz", 4],
    ]);
  });
});
